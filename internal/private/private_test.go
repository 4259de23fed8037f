package private

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return st.Mode() & (os.ModePerm | os.ModeSticky | os.ModeSetgid)
}

func TestFolderAndFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := Folder(dir); err != nil || mode(t, dir) != 0o700 {
		t.Fatal(err, mode(t, dir))
	}
	if got := Exposed(dir, "yui"); got != nil {
		t.Error(got)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"yui.db", "yui.db-wal", "other.txt", "yui.db-run"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "yui.db-run"), 0o755); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	if got := Exposed(dir, "yui.db"); !slices.Equal(got, []string{dir, at("yui.db"), at("yui.db-run"), at("yui.db-wal")}) {
		t.Error(got)
	}
	Files(dir, "yui.db")
	for name, want := range map[string]os.FileMode{"yui.db": 0o600, "yui.db-wal": 0o600, "yui.db-run": 0o700, "other.txt": 0o644} {
		if got := mode(t, at(name)); got != want {
			t.Errorf("%s: %o", name, got)
		}
	}
	if got := Exposed(dir, "yui.db"); !slices.Equal(got, []string{dir}) {
		t.Error(got)
	}
	if err := Folder(dir); err != nil || mode(t, dir) != 0o700 {
		t.Error("a folder that was there before stays open", err)
	}
	Touch(at("new"))
	Touch(at("other.txt"))
	if mode(t, at("new")) != 0o600 || mode(t, at("other.txt")) != 0o644 {
		t.Error("Touch changes what is there, or opens what it makes")
	}
}

// A folder that belongs to more people than the person keeps its rights.
func TestSharedFoldersStay(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	sticky := filepath.Join(home, "tmp")
	if err := os.Mkdir(sticky, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(sticky, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{home, sticky, "/"} {
		before := mode(t, dir)
		if err := Folder(dir); err != nil || mode(t, dir) != before {
			t.Errorf("%s: %o became %o (%v)", dir, before, mode(t, dir), err)
		}
	}
	if err := Folder("/dev/null/x"); err == nil {
		t.Error("a folder that cannot be made")
	}
}
