//go:build linux || freebsd || netbsd || openbsd

package window

import (
	"testing"

	"gioui.org/io/key"
	"github.com/go-gl/glfw/v3.3/glfw"
)

func TestKeyNames(t *testing.T) {
	none := func() rune { return 0 }
	for k, want := range map[glfw.Key]key.Name{glfw.KeyEnter: key.NameReturn, glfw.KeyEscape: key.NameEscape, glfw.KeySpace: key.NameSpace} {
		if got, ok := keyName(k, none); !ok || got != want {
			t.Errorf("key %d: %q, want %q", k, got, want)
		}
	}
	// A key's letter is the layout's, wherever it lies.
	for _, k := range []glfw.Key{glfw.KeyA, glfw.KeySemicolon} {
		if got, ok := keyName(k, func() rune { return 'Q' }); !ok || got != "Q" {
			t.Errorf("key %d: %q, want Q", k, got)
		}
	}
	if _, ok := keyName(glfw.KeyF25, none); ok {
		t.Error("a key that Gio has no use for was passed on")
	}
}
