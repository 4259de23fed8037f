package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yui/assets/lang"
	"yui/store"
)

// Every cause has its words in every language, and what has none says itself.
func TestWordsOfCauses(t *testing.T) {
	known := []error{store.ErrLocked, store.ErrNewer, store.ErrReadOnly, store.ErrFull, store.ErrDamaged}
	for _, l := range lang.Bundled().Languages() {
		language, w := l.Code, lang.In(l.Code)
		for _, cause := range known {
			if got := forgetful(w, "/x/yui.db", fmt.Errorf("open: %w", cause)); causes[cause] == "" || !strings.Contains(got, w.Text(causes[cause])) || !strings.Contains(got, "/x/yui.db") {
				t.Errorf("%s %v: %q", language, cause, got)
			}
		}
		if got := unsaved(w, "/x", os.ErrInvalid); !strings.Contains(got, os.ErrInvalid.Error()) || strings.Contains(got, "{{") {
			t.Errorf("%s: %q", language, got)
		}
	}
}

func TestFoldersThatTakeFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{dir: true, filepath.Join(dir, "not", "yet"): true, file: false, filepath.Join(file, "below"): false} {
		if err := takesFiles(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if err := store.Check(context.Background(), filepath.Join(file, "yui.db")); err == nil {
		t.Error("a database below a file is well")
	}
}
