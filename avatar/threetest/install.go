//go:build linux

package threetest

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"yui/internal/npmtest"
)

//go:embed npm
var packages embed.FS

// requireVar makes a missing program a failure instead of a skip: set if everything is known to be installed.
const requireVar = "YUI_TEST_REQUIRE"

// TB is what Start needs of a *testing.T or *testing.B.
type TB interface {
	Helper()
	Cleanup(func())
	Fatal(args ...any)
	Skip(args ...any)
}

// Start is Open for a test: it skips if something is missing (a missing program is a failure if YUI_TEST_REQUIRE
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

// install gives the folder node_modules with the pinned packages.
func install(ctx context.Context) (modules string, err error) {
	files, err := fs.Sub(packages, "npm")
	if err != nil {
		return "", fmt.Errorf("read packages: %w", err)
	}
	folder, err := npmtest.Install(ctx, "three-vrm", files)
	if err != nil {
		return "", &MissingError{What: err.Error(), Program: errors.Is(err, npmtest.ErrNoNPM)}
	}
	return filepath.Join(folder, "node_modules"), nil
}
