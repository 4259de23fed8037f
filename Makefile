# YUI. Two commands after cloning: make run, make test. They install what is missing (scripts/packages.sh).

export GOFLAGS := -tags=sqlite_fts5,novulkan -buildvcs=false
# Where the clone has tags they say the version, else the source does.
VERSION := $(shell git describe --tags --dirty 2>/dev/null)
LDFLAGS := -s -w $(if $(VERSION),-X main.version=$(VERSION))
PREFIX ?= $(HOME)/.local

.PHONY: run build test bench lint build-elsewhere soak vet-windows demo play sheets generate ego-browser packages desktop-packages test-packages go \
	install uninstall deb tarball package-test

run: build
	@if [ -n "$$DISPLAY" ]; then exec bin/yui; else $(MAKE) --no-print-directory play; fi

build: packages go
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/yui ./cmd/yui

# For this user, or elsewhere with PREFIX=/usr/local (as root); uninstall takes away what install put there.
install: build
	sh packaging/install.sh install '$(PREFIX)'

uninstall: build
	sh packaging/install.sh uninstall '$(PREFIX)'

# A Debian package, and an archive that is unpacked and run; both in out/.
deb: build
	sh packaging/deb.sh

tarball: build
	sh packaging/tarball.sh

# By hand, as root: the package in a clean Debian, started there and removed.
package-test: deb
	sh packaging/test.sh

# A private virtual desktop with two windows, and the real commands; pictures in out/demo.
demo: build
	@$(MAKE) --no-print-directory play

play: desktop-packages
	@go run ./cmd/demo -yui bin/yui -out out/demo

# Contact sheets of the characters in out/sheets, to be judged by eye.
sheets: desktop-packages go
	env -u DISPLAY go run ./cmd/sheets -out out/sheets

# Everything, with the race detector; what takes longest begins first, and three at a
# time, since much of it waits for programs. What can only be slower is in soak.
test: test-packages go
	YUI_TEST_REQUIRE=1 go test -race -timeout 20m -p 3 ./cmd/yui ./tools/browser ./tools/mcp ./avatar/render ./...

# The figures that the README claims.
bench: build desktop-packages
	go test -run '^$$' -bench . -benchmem -benchtime 1s ./... | grep -v '^?\|no test files\|^PASS\|^ok'
	go run ./cmd/demo -yui bin/yui -figures

# Long soaks and fuzzing; by hand. Each reader of foreign bytes is fuzzed for FUZZTIME, its memory bounded as well: see
# internal/fuzzmem. One that fails does not keep the others from being tried.
FUZZTIME := 1m
soak: test-packages go
	YUI_TEST_REQUIRE=1 YUI_SOAK=1 go test -race -timeout 60m ./cmd/yui
	YUI_TEST_REQUIRE=1 YUI_SOAK=1 go test -timeout 40m -run 'Soak' ./...
	bad=; for f in $$(go list ./...); do \
		for t in $$(go test -list '^Fuzz' $$f | grep '^Fuzz'); do \
			go test -run '^$$' -fuzz "^$$t$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x \
				-exec 'prlimit --data=4294967296 env GOMEMLIMIT=512MiB' $$f || bad="$$bad $$f:$$t"; \
		done; \
	done; [ -z "$$bad" ] || { echo "failed:$$bad" >&2; exit 1; }

lint: go
	test -z "$$(gofmt -l $$(git ls-files '*.go'))"
	go vet ./...
	go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...

# What opens no window builds for the other systems, too: make build-elsewhere OS=windows (or darwin).
build-elsewhere: go
	CGO_ENABLED=0 GOOS=$(OS) go build ./avatar/vrm/... ./avatar/motion ./avatar/body ./chat/... ./tools/... ./platform ./assets

# The whole program, its window driver and tests too, is vetted for Windows, by mingw (gcc-mingw-w64-x86-64). Cold it takes
# minutes, so it is no part of lint.
vet-windows: go
	CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc CXX=x86_64-w64-mingw32-g++ GOOS=windows go vet ./cmd/yui/...

# An adapter for the browser tool where ego lite is not to be had: Chromium with a profile of its own.
ego-browser:
	sh contrib/ego-browser/install.sh

# The characters, motions, bed and icons, from the numbers in assets/build.
generate: go
	go generate ./assets

packages:
	@sh scripts/packages.sh build

desktop-packages:
	@sh scripts/packages.sh desktop

test-packages:
	@sh scripts/packages.sh tests

go:
	@command -v go >/dev/null 2>&1 || { echo "Go 1.26 or later is needed: https://go.dev/dl/" >&2; exit 1; }
