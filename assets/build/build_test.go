package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// built is everything, made once for all tests.
var built = sync.OnceValues(build)

func files(t *testing.T) []file {
	t.Helper()
	fs, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return fs
}

// The committed files are what the program makes, byte for byte, and nothing else.
func TestCommittedFilesAreReproduced(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("on %s products and sums are fused, so the last bits of coordinates differ", runtime.GOARCH)
	}
	want := map[string]bool{}
	for _, f := range files(t) {
		want[f.name] = true
		have, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(f.name)))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(have, f.data) {
			t.Errorf("%s is not what the program makes: run go generate ./assets", f.name)
		}
	}
	for _, dir := range []string{"characters", "motions", "props", "icons"} {
		entries, err := os.ReadDir(filepath.Join("..", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if name := dir + "/" + e.Name(); !want[name] {
				t.Errorf("%s is committed, but the program does not make it", name)
			}
		}
	}
}

func TestWriteLeavesUnchangedFilesAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	f := []file{{"props/a.glb", []byte("one")}}
	if err := write(f); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod("props/a.glb", 0o400); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat("props/a.glb")
	if err := write(f); err != nil {
		t.Fatal(err)
	}
	after, _ := os.Stat("props/a.glb")
	if !before.ModTime().Equal(after.ModTime()) {
		t.Error("an unchanged file was written again")
	}
	if err := write([]file{{"props", nil}}); err == nil {
		t.Error("writing over a folder gave no error")
	}
}
