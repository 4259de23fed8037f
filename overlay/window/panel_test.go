package window

import (
	"image"
	"testing"
	"time"

	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/widget"
	"gioui.org/widget/material"
)

// What fades in comes to its end although nothing else changes: "as soon as possible" is a time, too.
func TestPanelPlansItsNextFrame(t *testing.T) {
	l, screen := NewHeadless(Headless{})
	now := screen.Now()
	for name, c := range map[string]struct {
		ask  func(gtx layout.Context)
		want time.Time
	}{
		"nothing asked":       {func(layout.Context) {}, time.Time{}},
		"as soon as possible": {func(gtx layout.Context) { gtx.Execute(op.InvalidateCmd{}) }, now.Add(time.Second / 60)},
		"a caret":             {func(gtx layout.Context) { gtx.Execute(op.InvalidateCmd{At: now.Add(time.Second)}) }, now.Add(time.Second)},
	} {
		p, err := l.NewPanel(Talking, "panel", image.Pt(100, 100), 1)
		if err != nil {
			t.Fatal(err)
		}
		p.Layout = func(gtx layout.Context) []image.Rectangle { c.ask(gtx); return nil }
		screen.Do(p.Reveal)
		p.dirty, p.exposed = false, false
		p.Settle()
		p.plan(now)
		at, ok := p.Next(now)
		if !at.Equal(c.want) || ok == c.want.IsZero() {
			t.Errorf("%s: %v, %v", name, at, ok)
		}
	}
}

// TestTypingGoesWhereItWasClicked types before the frame that follows a click, and clicks before the frame that follows
// typing.
func TestTypingGoesWhereItWasClicked(t *testing.T) {
	var first, second widget.Editor
	th := plainTheme()
	l, screen := NewHeadless(Headless{})
	p, err := l.NewPanel(Talking, "fields", image.Pt(300, 100), 1)
	if err != nil {
		t.Fatal(err)
	}
	field := func(e *widget.Editor) layout.FlexChild {
		return layout.Flexed(1, func(gtx layout.Context) layout.Dimensions { return material.Editor(th, e, "").Layout(gtx) })
	}
	p.Layout = func(gtx layout.Context) []image.Rectangle {
		layout.Flex{Axis: layout.Vertical}.Layout(gtx, field(&first), field(&second))
		return []image.Rectangle{{Max: image.Pt(300, 100)}}
	}
	l.Add(p)
	screen.Do(func() { p.Reveal(); p.Focus() })
	click := func(y float32) {
		p.hear(Move{10, y})
		p.hear(Press{Left, true})
		p.hear(Press{Left, false})
	}
	screen.Do(func() { // without a frame in between
		click(10)
		p.hear(Typed{'1'})
		click(60)
		p.hear(Typed{'2'})
	})
	if first.Text() != "1" || second.Text() != "2" {
		t.Errorf("fields hold %q and %q", first.Text(), second.Text())
	}
	screen.Do(func() {
		click(10)
		p.hear(Key{Name: key.NameDeleteBackward, Down: true})
	})
	if second.Text() != "2" || first.Text() != "" {
		t.Errorf("after a click and Backspace: %q and %q", first.Text(), second.Text())
	}
}
