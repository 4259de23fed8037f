package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yui/store"
)

// Every cause has its words in every language, and what has none says itself.
func TestWordsOfCauses(t *testing.T) {
	causes := []error{store.ErrLocked, store.ErrNewer, store.ErrReadOnly, store.ErrFull, store.ErrDamaged}
	for _, language := range []string{"en", "ja", "ko"} {
		w := wordsFor(language)
		for _, cause := range causes {
			if got := w.forgetful("/x/yui.db", fmt.Errorf("open: %w", cause)); w.causes[cause] == "" || !strings.Contains(got, w.causes[cause]) || !strings.Contains(got, "/x/yui.db") {
				t.Errorf("%s %v: %q", language, cause, got)
			}
		}
		if got := w.unsaved("/x", os.ErrInvalid); !strings.Contains(got, os.ErrInvalid.Error()) || strings.Contains(got, "%!") {
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
