//go:build !windows && !darwin

package window

import (
	"context"
	"image"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"gioui.org/font/gofont"
	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/text"
	"gioui.org/widget"
	"gioui.org/widget/material"

	"yui/platform/desktoptest"
)

// keyRig is a panel that has the keyboard of a private desktop. Its own things belong to the main thread.
type keyRig struct {
	t      *testing.T
	desk   *desktoptest.Desktop
	loop   *Loop
	editor widget.Editor
	seen   []string // keys that reached the panel when they went down
}

// withKeys runs f beside a loop whose one panel holds a field.
func withKeys(t *testing.T, desk *desktoptest.Desktop, f func(r *keyRig)) {
	t.Helper()
	desk.Setenv(t)
	ctx, end := context.WithCancel(context.Background())
	r := &keyRig{t: t, desk: desk}
	ready, done := make(chan error, 1), make(chan struct{})
	onMain <- func() {
		defer close(done)
		l, err := NewLoop(slog.New(slog.DiscardHandler))
		if err != nil {
			ready <- err
			return
		}
		defer l.Close()
		p, err := r.open(l)
		ready <- err
		if err == nil {
			_ = l.Run(ctx)
			l.Remove(p)
			p.Close()
		}
	}
	err := <-ready
	if err == nil {
		desktoptest.WaitFor(t, 20*time.Second, "the panel to have the keyboard", func() (has bool) {
			r.do(func() { has = r.editor.Len() > 0 })
			if !has {
				r.press("z")
			}
			return has
		})
		r.clear()
		f(r)
	}
	end()
	<-done
	if err != nil {
		t.Fatal(err)
	}
}

// plainTheme has one font.
func plainTheme() *material.Theme {
	th := material.NewTheme()
	th.Shaper = text.NewShaper(text.NoSystemFonts(), text.WithCollection(gofont.Regular()))
	return th
}

func (r *keyRig) open(l *Loop) (*Panel, error) {
	r.loop = l
	th := plainTheme()
	p, err := l.NewPanel(Talking, "keys", image.Pt(300, 100), 1)
	if err != nil {
		return nil, err
	}
	p.Layout = func(gtx layout.Context) []image.Rectangle {
		gtx.Execute(key.FocusCmd{Tag: &r.editor})
		material.Editor(th, &r.editor, "").Layout(gtx)
		return []image.Rectangle{{Max: image.Pt(300, 100)}}
	}
	p.OnKey = func(e key.Event) bool {
		if e.State == key.Press {
			r.seen = append(r.seen, strings.TrimPrefix(e.Modifiers.String()+"+", "+")+string(e.Name))
		}
		return false
	}
	p.Place(image.Rect(100, 100, 400, 200))
	p.Reveal()
	p.Focus()
	l.Add(p)
	return p, nil
}

func (r *keyRig) do(f func()) {
	ctx, end := context.WithTimeout(context.Background(), 10*time.Second)
	defer end()
	if err := r.loop.Call(ctx, f); err != nil {
		r.t.Fatal(err)
	}
}

func (r *keyRig) press(keys ...string) {
	if _, err := r.desk.Run(append([]string{"xdotool", "key"}, keys...)...); err != nil {
		r.t.Fatal(err)
	}
}

func (r *keyRig) clear() { r.do(func() { r.editor.SetText(""); r.seen = nil }) }

// wait waits for the text of the field, and returns the keys that came up to then.
func (r *keyRig) wait(text string) (seen []string) {
	r.t.Helper()
	var got string
	desktoptest.WaitFor(r.t, 10*time.Second, "the field to hold "+text, func() bool {
		r.do(func() { got, seen = r.editor.Text(), slices.Clone(r.seen) })
		return got == text
	})
	return seen
}

func keyDesk(t *testing.T, layouts ...string) *desktoptest.Desktop {
	t.Helper()
	desk := desktoptest.Start(t, desktoptest.Options{})
	if _, err := desk.Run(append([]string{"setxkbmap"}, layouts...)...); err != nil {
		t.Fatal(err)
	}
	return desk
}

// TestFilteredKeys begins a dead key: the key that ends it without a letter is the input method's and nobody else's.
func TestFilteredKeys(t *testing.T) {
	withKeys(t, keyDesk(t, "us", "intl"), func(r *keyRig) {
		r.press("a", "dead_acute", "BackSpace", "dead_acute", "Return", "dead_acute", "Escape", "dead_acute", "e", "b")
		seen := r.wait("aéb")
		for _, name := range []key.Name{key.NameDeleteBackward, key.NameReturn, key.NameEscape} {
			if slices.Contains(seen, string(name)) {
				t.Errorf("%q reached the panel though it was taken: %q", name, seen)
			}
		}
		r.press("BackSpace", "c")
		r.wait("aéc") // a key that nobody takes comes through
	})
}

// TestInputMethodIsMissing: the environment names one whose server does not run. Letters of the layout and dead keys come
// all the same.
func TestInputMethodIsMissing(t *testing.T) {
	t.Setenv("XMODIFIERS", "@im=nobody")
	withKeys(t, keyDesk(t, "us,ru", "intl,"), func(r *keyRig) {
		r.press("a", "dead_acute", "e", "Cyrillic_zhe", "b")
		r.wait("aéжb")
	})
}

// TestShortcutsFollowTheLayout presses Ctrl and the key on which the layout has the letter.
func TestShortcutsFollowTheLayout(t *testing.T) {
	for name, c := range map[string]struct {
		layouts, keys []string
		want          string
	}{
		"french":             {[]string{"fr"}, []string{"ctrl+a"}, "Ctrl+A"},
		"french z":           {[]string{"fr"}, []string{"ctrl+z"}, "Ctrl+Z"},
		"german":             {[]string{"de"}, []string{"ctrl+z"}, "Ctrl+Z"},
		"dvorak":             {[]string{"us", "dvorak"}, []string{"ctrl+v"}, "Ctrl+V"},
		"russian and french": {[]string{"ru,fr"}, []string{"ctrl+Cyrillic_shorti"}, "Ctrl+A"},
		"russian alone":      {[]string{"ru"}, []string{"ctrl+Cyrillic_es"}, "Ctrl+C"},
	} {
		t.Run(name, func(t *testing.T) {
			withKeys(t, keyDesk(t), func(r *keyRig) {
				if _, err := r.desk.Run(append([]string{"setxkbmap"}, c.layouts...)...); err != nil {
					t.Fatal(err)
				}
				r.press(c.keys...)
				var seen []string
				desktoptest.WaitFor(t, 10*time.Second, "a key", func() bool {
					r.do(func() { seen = slices.Clone(r.seen) })
					return len(seen) > 0
				})
				if !slices.Contains(seen, c.want) {
					t.Errorf("pressed %v with %v: %q, want %s", c.keys, c.layouts, seen, c.want)
				}
			})
		})
	}
}
