//go:build !windows && !darwin

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// The tests here know YUI as people and scripts do: the built binary, its command line, and what is on the screen of a
// private desktop.

var (
	buildDir  string
	buildOnce = sync.OnceValues(build)
)

func TestMain(m *testing.M) {
	code := m.Run()
	if buildDir != "" {
		os.RemoveAll(buildDir)
	}
	os.Exit(code)
}

// build makes the binary, once, when the first test wants it. YUI_TEST_BINARY names one that is to be tested instead.
func build() (string, error) {
	if bin := os.Getenv("YUI_TEST_BINARY"); bin != "" {
		return filepath.Abs(bin)
	}
	dir, err := os.MkdirTemp("", "yui-bin-")
	if err != nil {
		return "", err
	}
	buildDir = dir
	bin := filepath.Join(dir, "yui")
	args := []string{"build", "-o", bin}
	if raceBinary() {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build yui: %w\n%s", err, out)
	}
	return bin, nil
}

// raceBinary tells whether the binary, too, is built with the race detector: on two cores without a GPU that takes these
// tests beyond what a run may last, so make soak does it. The packages' own tests always have it.
func raceBinary() bool { return underRace && os.Getenv("YUI_SOAK") != "" }

func builtBinary(t *testing.T) string {
	t.Helper()
	bin, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}
