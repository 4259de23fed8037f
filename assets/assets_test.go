package assets

import (
	"bytes"
	"image/png"
	"testing"
)

func TestCharacters(t *testing.T) {
	for _, id := range []string{"yui", "momo", "sora"} {
		b, err := Character(id)
		if err != nil || !bytes.HasPrefix(b, []byte("glTF")) {
			t.Errorf("%s: %d bytes, %v", id, len(b), err)
		}
	}
	if _, err := Character("nobody"); err == nil || err.Error() != `open character "nobody": not bundled` {
		t.Errorf("unknown character: %v", err)
	}
}

func TestMotions(t *testing.T) {
	names := Motions()
	if len(names) != 44 {
		t.Errorf("%d motions", len(names))
	}
	for _, n := range names {
		if b, err := Motion(n); err != nil || !bytes.HasPrefix(b, []byte("glTF")) {
			t.Errorf("%s: %d bytes, %v", n, len(b), err)
		}
	}
	if _, err := Motion("../characters/yui"); err == nil {
		t.Error("a path served as a motion")
	}
}

func TestBed(t *testing.T) {
	if !bytes.HasPrefix(Bed(), []byte("glTF")) {
		t.Errorf("the bed is %d bytes", len(Bed()))
	}
}

func TestIcons(t *testing.T) {
	for size, want := range map[int]int{22: 22, 24: 24, 32: 32, 48: 48, 64: 64, 128: 128, 1: 22, 23: 24, 40: 48, 500: 128} {
		img, err := png.Decode(bytes.NewReader(Icon(size)))
		if err != nil || img.Bounds().Dx() != want || img.Bounds().Dy() != want {
			t.Errorf("icon %d: %v", size, err)
		}
		if err == nil {
			if _, _, _, a := img.At(0, 0).RGBA(); a != 0 {
				t.Errorf("icon %d fills its corner", size)
			}
		}
	}
}
