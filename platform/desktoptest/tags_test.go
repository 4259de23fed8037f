//go:build !windows && !darwin

package desktoptest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who uses this package is built where it is: make vet-windows vets the program with its tests. The tests in cmd/yui use it by
// their harness.
func TestUsersAreBuiltWhereThisIs(t *testing.T) {
	const root, tag = "../..", "//go:build " // norace_test.go has another one
	err := filepath.WalkDir(filepath.Join(root, "cmd", "yui"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		uses := filepath.Dir(path) == filepath.Join(root, "cmd", "yui") || bytes.Contains(text, []byte(`"yui/platform/desktoptest"`))
		if uses && !bytes.HasPrefix(text, []byte(tag)) {
			t.Errorf("%s does not begin with //go:build !windows && !darwin", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
