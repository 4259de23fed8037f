//go:build !windows && !darwin

package main_test

import (
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// script runs a script of packaging in the repository's root with the tested binary.
func script(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("sh", args...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "YUI_BIN="+builtBinary(t))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

func filesUnder(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path) // both are under dir
			files = append(files, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// What install puts there runs, is in the menu under its own path, has its pages, and goes again.
func TestInstall(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "a prefix")
	script(t, "packaging/install.sh", "install", prefix)
	out, err := exec.Command(filepath.Join(prefix, "bin/yui"), "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "yui ") {
		t.Errorf("%q, %v", out, err)
	}
	entry := filepath.Join(prefix, "share/applications/yui.desktop")
	if raw, err := os.ReadFile(entry); err != nil || !strings.Contains(string(raw), `Exec="`+prefix+`/bin/yui"`) {
		t.Errorf("%s, %v", raw, err)
	}
	for _, check := range [][]string{
		{"desktop-file-validate", entry},
		{"appstreamcli", "validate", "--no-net", filepath.Join(prefix, "share/metainfo/io.github.yui_pets.yui.metainfo.xml")},
	} {
		if out, err := exec.Command(check[0], check[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", check, err, out)
		}
	}
	page := manual(t, filepath.Join(prefix, "share/man/man1/yui.1.gz"))
	for _, command := range []string{"say", "snapshot", "doctor", "yui/config"} {
		if !strings.Contains(page, command) {
			t.Errorf("the manual does not tell of %s", command)
		}
	}
	installed := filesUnder(t, prefix)
	for _, want := range []string{"share/icons/hicolor/48x48/apps/yui.png", "share/doc/yui/LICENSE", "share/doc/yui/docs/config.md"} {
		if !slices.Contains(installed, want) {
			t.Errorf("no %s among %v", want, installed)
		}
	}
	mine := filepath.Join(prefix, "share/doc/other.txt")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	script(t, "packaging/install.sh", "uninstall", prefix)
	left := slices.DeleteFunc(filesUnder(t, prefix), func(f string) bool { return filepath.Base(f) == "mimeinfo.cache" })
	if !slices.Equal(left, []string{"share/doc/other.txt"}) {
		t.Errorf("left: %v", left)
	}
}

func manual(t *testing.T, path string) string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// bash itself completes commands, flags, characters and files by what is installed for it.
func TestCompletion(t *testing.T) {
	bin := filepath.Dir(builtBinary(t))
	for line, want := range map[string]string{
		"yui qu": "quit", "yui say --pre": "--preset", "yui open mo": "momo", "yui say -p so": "sora", "yui import main_": "main_test.go",
	} {
		cmd := exec.Command("bash", "--norc", "-c", `
			source ../../packaging/completions/yui.bash
			complete -p yui >/dev/null || exit 1
			COMP_LINE="$1" COMP_POINT=${#1} yui`, "bash", line)
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "YUI_HOME="+filepath.Join(t.TempDir(), "none"))
		out, err := cmd.Output()
		if err != nil || !slices.Contains(strings.Fields(string(out)), want) {
			t.Errorf("%q: %q, %v", line, out, err)
		}
	}
}
