package prose

import (
	"image"
	"slices"
	"testing"

	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/text"
	"gioui.org/unit"

	"yui/overlay/markdown"
)

// Every emoji is a span of its own, whole, and no letter and no white space is in one.
func TestEmojiStandApart(t *testing.T) {
	for words, want := range map[string][]string{
		"Hi 🦊👍🏽 👩‍🚀 ❤️ 1️⃣ 🇯🇵 ok": {"🦊", "👍🏽", "👩‍🚀", "❤️", "1️⃣", "🇯🇵"},
		"こんにちは🦊です1️⃣":             {"🦊", "1️⃣"},
		"🏴󠁧󠁢󠁥󠁮󠁧󠁿🏳️‍🌈©️#️⃣":        {"🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈", "©️", "#️⃣"},
		"1 © ❤︎ 12 #": nil,
		"⭐⭐ é":        {"⭐", "⭐"},
	} {
		r := []rune(words)
		spans := divide(styled{Span: markdown.Span{Style: markdown.Strong}, from: 7}, r)
		var got []string
		at := 7
		for _, s := range spans {
			if s.from != at || s.to <= at || s.Style != markdown.Strong {
				t.Errorf("%q: a span from %d to %d of style %v stands behind %d", words, s.from, s.to, s.Style, at)
			}
			if at = s.to; s.emoji {
				got = append(got, string(r[s.from-7:s.to-7]))
			}
		}
		if at != 7+len(r) || !slices.Equal(got, want) {
			t.Errorf("%q: %q are emoji, and %d characters have a span", words, got, at-7)
		}
	}
}

// An emoji is drawn by the font of emoji, what stands around it by that of the text: here letters of equal widths are.
func TestEmojiFont(t *testing.T) {
	s := newStage(t, 1000, 200)
	widths := func(words string) (w []int) {
		s.show(words)
		for _, c := range s.laid[0].lines[0].clusters {
			w = append(w, (c.x1 - c.x0).Round())
		}
		return w
	}
	letters, mono := widths("i W"), widths("`i`")[0]
	if letters[0] == mono {
		t.Fatal("both fonts are alike")
	}
	s.style.Emoji = "Go Mono"
	got := widths("1️⃣ iW")
	if want := []int{letters[1], letters[0], letters[2]}; !slices.Equal(got[len(got)-3:], want) {
		t.Errorf("space and letters behind an emoji are %v wide, not %v", got, want)
	}
	if got[0] < mono {
		t.Errorf("the emoji is %d wide, less than its font's %d", got[0], mono)
	}
}

// A label with emoji keeps to its lines, ends in an ellipsis where it does not fit, and stands where it is aligned.
func TestLabel(t *testing.T) {
	s := newStage(t, 0, 0)
	size := func(words string, width, lines int) image.Point {
		var ops op.Ops
		gtx := layout.Context{Ops: &ops, Metric: unit.Metric{PxPerDp: 1, PxPerSp: 1}, Constraints: layout.Constraints{Max: image.Pt(width, 1000)}}
		return Label{Style: s.style, MaxLines: lines, Alignment: text.Middle, Text: words}.Layout(gtx).Size
	}
	const words = "1️⃣ one and another and 🦊 one more"
	one := size(words, 1000, 0)
	if many := size(words, 100, 0); many.X > 100 || many.Y < 2*one.Y {
		t.Errorf("in 100 pixels it is %v, in one line %v", many, one)
	}
	if cut := size(words, 100, 1); cut.X > 100 || cut.X < 60 || cut.Y != one.Y {
		t.Errorf("one line of it is %v, all of it %v", cut, one)
	}
	if empty := size("", 100, 1); empty.X != 0 {
		t.Errorf("an empty one is %v", empty)
	}
}
