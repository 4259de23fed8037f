package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestGeneratedFilesAreFresh: both back ends were made from the table as it is.
func TestGeneratedFilesAreFresh(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the table says: go generate ./avatar/render (%v)", name, err)
		}
	}
}

func TestMacro(t *testing.T) {
	for name, want := range map[string]string{"BaseTex": "BASE_TEX", "UVMove": "UV_MOVE", "PBR": "PBR", "Rim": "RIM"} {
		if got := macro(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// TestTableNames: units are sampled by features that there are, and no name is twice there.
func TestTableNames(t *testing.T) {
	known := map[string]bool{}
	for _, f := range features {
		if known[f.name] {
			t.Errorf("%s is twice there", f.name)
		}
		known[f.name] = true
	}
	for _, u := range units {
		for _, f := range u.features {
			if !known[f] {
				t.Errorf("unit %s wants the feature %s, which there is not", u.name, f)
			}
		}
	}
}
