package window

import (
	"image"
	"testing"
	"time"

	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/op"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// What fades in comes to its end although nothing else changes: "as soon as possible" is a time, too.
func TestPanelPlansItsNextFrame(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		ask  func(gtx layout.Context)
		want time.Time
	}{
		"nothing asked":       {func(layout.Context) {}, time.Time{}},
		"as soon as possible": {func(gtx layout.Context) { gtx.Execute(op.InvalidateCmd{}) }, now.Add(time.Second / 60)},
		"a caret":             {func(gtx layout.Context) { gtx.Execute(op.InvalidateCmd{At: now.Add(time.Second)}) }, now.Add(time.Second)},
	} {
		p := &Panel{Surface: &Surface{}, ops: new(op.Ops), Layout: func(gtx layout.Context) []image.Rectangle { c.ask(gtx); return nil }}
		p.shown = true
		p.Settle()
		p.plan(now)
		at, ok := p.Next(now)
		if !at.Equal(c.want) || ok == c.want.IsZero() {
			t.Errorf("%s: %v, %v", name, at, ok)
		}
	}
}

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
