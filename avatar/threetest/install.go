//go:build linux

package threetest

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

var (
	//go:embed npm/package.json
	packageJSON []byte
	//go:embed npm/package-lock.json
	packageLock []byte
)

// installWait is what npm may take where its cache is cold.
const installWait = 4 * time.Minute

// requireVar makes a missing program a failure instead of a skip: set where everything is known to be installed.
const requireVar = "YUI_TEST_REQUIRE"

// TB is what Start needs of a *testing.T or *testing.B.
type TB interface {
	Helper()
	Cleanup(func())
	Fatal(args ...any)
	Skip(args ...any)
}

// Start is Open for a test: it skips where something is missing (a missing program is a failure where YUI_TEST_REQUIRE
// is 1; packages that the network does not give never are), and closes the stage with the test.
func Start(t TB) *Stage {
	t.Helper()
	s, err := Open(context.Background())
	var missing *MissingError
	if errors.As(err, &missing) && !(missing.Program && os.Getenv(requireVar) == "1") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func findChromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", &MissingError{What: "there is no Chromium", Program: true}
}

// install gives the folder node_modules with the pinned packages. They are installed beside their place and then moved
// there: two test programs may do so at once.
func install(ctx context.Context) (modules string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	folder := filepath.Join(cache, "yui-tests", fmt.Sprintf("three-vrm-%.6x", sha256.Sum256(packageLock)))
	modules = filepath.Join(folder, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", &MissingError{What: "there is no npm", Program: true}
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return "", fmt.Errorf("install packages: %w", err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(folder), "installing-")
	if err != nil {
		return "", fmt.Errorf("install packages: %w", err)
	}
	defer os.RemoveAll(fresh)
	for name, raw := range map[string][]byte{"package.json": packageJSON, "package-lock.json": packageLock} {
		if err := os.WriteFile(filepath.Join(fresh, name), raw, 0o644); err != nil {
			return "", fmt.Errorf("install packages: %w", err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, installWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	cmd.Dir = fresh
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", &MissingError{What: fmt.Sprintf("npm ci: %v: %.300s", err, out)}
	}
	if err := os.Rename(fresh, folder); err != nil {
		if _, there := os.Stat(modules); there != nil {
			return "", fmt.Errorf("install packages: %w", err)
		}
	}
	return modules, nil
}
