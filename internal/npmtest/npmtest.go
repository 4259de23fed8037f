// Package npmtest installs what tests run against from npm: programs that others wrote, pinned by a lock file.
package npmtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// ErrNoNPM says that npm is not installed.
var ErrNoNPM = errors.New("there is no npm")

// installWait is what npm may take where its cache is cold.
const installWait = 5 * time.Minute

// Install gives the folder under the user's cache folder that holds node_modules as package.json and package-lock.json
// in files want them, and the other files too. They are installed once, beside their place, and then moved there: two
// test programs may do so at once. Other files are another folder. An error means that they cannot be had here.
func Install(ctx context.Context, name string, files fs.FS) (folder string, err error) {
	key, err := sum(files)
	if err != nil {
		return "", fmt.Errorf("install %s: %w", name, err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	folder = filepath.Join(cache, "yui-tests", fmt.Sprintf("%s-%.6x", name, key))
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := install(ctx, folder, files); err != nil {
		if _, there := os.Stat(folder); there == nil {
			return folder, nil // another was faster
		}
		return "", fmt.Errorf("install %s: %w", name, err)
	}
	return folder, nil
}

func install(ctx context.Context, folder string, files fs.FS) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return ErrNoNPM
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(folder), "installing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := os.CopyFS(fresh, files); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, installWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	cmd.Dir, cmd.WaitDelay = fresh, time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w: %.300s", err, out)
	}
	return os.Rename(fresh, folder)
}

// sum is a hash of all files, names included.
func sum(files fs.FS) ([]byte, error) {
	h := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(files, path)
		fmt.Fprintf(h, "%s %d\n%s", path, len(raw), raw)
		return err
	})
	return h.Sum(nil), err
}
