package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestADayAFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	now := time.Date(2026, 3, 1, 23, 59, 0, 0, time.Local)
	f := open(dir, func() time.Time { return now })
	fmt.Fprintln(f, "before midnight")
	now = now.Add(2 * time.Minute)
	fmt.Fprintln(f, "after midnight")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, "after a close")
	if got := read(t, filepath.Join(dir, "yui_2026-03-01.log")); got != "before midnight\n" {
		t.Errorf("the first day: %q", got)
	}
	if got := read(t, filepath.Join(dir, "yui_2026-03-02.log")); got != "after midnight\nafter a close\n" {
		t.Errorf("the second day: %q", got)
	}
	if st, err := os.Stat(filepath.Join(dir, "yui_2026-03-02.log")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
}

func TestOldFilesGo(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	old := now.Add(-Keep - time.Hour)
	for name, stays := range map[string]bool{
		"yui_2026-01-01.log": false, "yui.log": false, "yui-2025-12-01T00-00-00.000.log.gz": false,
		"turns_2026-01-01.jsonl": false, "crash_2026-01-01_000000.txt": false,
		"notes.txt": true, "yui.db": true, "yui.sock": true, "diary.log": true,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		fresh := filepath.Join(dir, "turns_"+name+".jsonl")
		if err := os.WriteFile(fresh, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		open(dir, func() time.Time { return now })
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s: %v, stays %v", name, err, stays)
		}
		if _, err := os.Stat(fresh); err != nil {
			t.Errorf("a file of today: %v", err)
		}
	}
}

func TestADayIsBounded(t *testing.T) {
	dir := t.TempDir()
	f := Open(dir)
	line := []byte(strings.Repeat("x", 1<<20-1) + "\n")
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			if n, err := f.Write(line); n != len(line) || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		})
	}
	all.Wait()
	names, err := filepath.Glob(filepath.Join(dir, "yui_*.log"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	if st, err := os.Stat(names[0]); err != nil || st.Size() != mostADay {
		t.Errorf("%d bytes, %v", st.Size(), err)
	}
}

// A folder that cannot be made costs lines, nothing else.
func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := Open(filepath.Join(file, "logs"))
	if n, err := f.Write([]byte("line\n")); n != 5 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
