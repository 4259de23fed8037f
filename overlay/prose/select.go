package prose

import (
	"image"
	"io"
	"math"
	"strings"
	"unicode"

	"gioui.org/gesture"
	"gioui.org/io/clipboard"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op"
)

// Selected returns what is selected, marks left out, "" for nothing.
func (t *Text) Selected() string {
	a, b := t.selection()
	var out strings.Builder
	for i := a.block; i <= b.block && i < len(t.laid); i++ {
		if t.laid[i] == nil {
			continue // it was never in sight
		}
		r := []rune(t.laid[i].text)
		from, to := 0, len(r)
		if i == a.block {
			from = min(a.at, len(r))
		}
		if i == b.block {
			to = min(b.at, len(r))
		}
		if i > a.block {
			out.WriteString("\n")
		}
		out.WriteString(string(r[from:max(from, to)]))
	}
	return out.String()
}

// ClearSelection selects nothing.
func (t *Text) ClearSelection() { t.from, t.to, t.pulling = place{}, place{}, false }

// selection is its two ends in their order.
func (t *Text) selection() (from, to place) {
	if t.to.before(t.from) {
		return t.to, t.from
	}
	return t.from, t.to
}

// at is the character nearest to a place of the last frame, hit the address of the link that is exactly there.
func (t *Text) at(p image.Point) (where place, hit string) {
	if len(t.seen) == 0 {
		return place{}, ""
	}
	s := t.seen[0]
	for _, o := range t.seen {
		if o.y <= p.Y {
			s = o
		}
	}
	if s.block >= len(t.laid) || t.laid[s.block] == nil {
		return place{}, ""
	}
	b := t.laid[s.block]
	at, on := b.near(p.X, p.Y-s.y)
	if on >= 0 {
		hit = b.linkAt(on)
	}
	return place{s.block, at}, hit
}

// events follows the pointer and the keys.
func (t *Text) events(gtx layout.Context) {
	for {
		ev, ok := t.click.Update(gtx.Source)
		if !ok {
			break
		}
		t.clicked(gtx, ev)
	}
	for {
		ev, ok := t.drag.Update(gtx.Metric, gtx.Source, gesture.Both)
		if !ok {
			break
		}
		if t.pulling && (ev.Kind == pointer.Drag || ev.Kind == pointer.Release) {
			t.to, _ = t.at(ev.Position.Round())
		}
	}
	for {
		ev, ok := gtx.Event(pointer.Filter{Target: t, Kinds: pointer.Move | pointer.Leave},
			key.FocusFilter{Target: t}, key.Filter{Focus: t, Name: "C", Required: key.ModShortcut}, key.Filter{Focus: t, Name: "A", Required: key.ModShortcut})
		if !ok {
			break
		}
		switch ev := ev.(type) {
		case pointer.Event:
			was := t.hovered
			t.hovered = ""
			if ev.Kind == pointer.Move {
				_, t.hovered = t.at(ev.Position.Round())
			}
			if t.hovered != was {
				gtx.Execute(op.InvalidateCmd{}) // who shows the address may have been laid out before
			}
		case key.Event:
			if ev.State != key.Press {
				continue
			}
			if ev.Name == "A" {
				t.from, t.to = place{}, place{len(t.parsed), 0}
			} else if s := t.Selected(); s != "" {
				gtx.Execute(clipboard.WriteCmd{Type: "application/text", Data: io.NopCloser(strings.NewReader(s))})
			}
		}
	}
}

func (t *Text) clicked(gtx layout.Context, ev gesture.ClickEvent) {
	where, link := t.at(ev.Position)
	switch {
	case ev.Kind == gesture.KindPress && ev.Source == pointer.Mouse:
		gtx.Execute(key.FocusCmd{Tag: t})
		t.pulling = true
		if ev.Modifiers != key.ModShift {
			t.from = where
		}
		t.to = where
		if ev.NumClicks == 2 {
			t.word(where)
		} else if ev.NumClicks > 2 {
			t.from, t.to, t.pulling = place{where.block, 0}, place{where.block, math.MaxInt}, false
		}
	case ev.Kind == gesture.KindClick:
		if t.pulling = false; link != "" && t.from == t.to && t.OnLink != nil {
			t.OnLink(link)
		}
	case ev.Kind == gesture.KindCancel:
		t.pulling = false
	}
}

// word selects the word at a place.
func (t *Text) word(p place) {
	if p.block >= len(t.laid) || t.laid[p.block] == nil {
		return
	}
	r := []rune(t.laid[p.block].text)
	at := min(p.at, max(len(r)-1, 0))
	same := func(i int) bool {
		return i >= 0 && i < len(r) && (unicode.IsLetter(r[i]) || unicode.IsDigit(r[i]) || r[i] == '_' || unicode.IsMark(r[i]))
	}
	from, to := at, at
	for same(from - 1) {
		from--
	}
	for same(to) {
		to++
	}
	if from == to {
		to = min(to+1, len(r))
	}
	t.from, t.to, t.pulling = place{p.block, from}, place{p.block, to}, false
}
