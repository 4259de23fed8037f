package prose

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"gioui.org/font"
	"gioui.org/font/gofont"
	"gioui.org/font/opentype"
	"gioui.org/io/input"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/text"
	"gioui.org/unit"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/math/fixed"
)

// faces are Go's own, so that every machine measures the same.
func faces(t testing.TB) []font.FontFace {
	all := gofont.Regular()
	for _, f := range []struct {
		ttf  []byte
		font font.Font
	}{{gobold.TTF, font.Font{Typeface: "Go", Weight: font.Bold}}, {goitalic.TTF, font.Font{Typeface: "Go", Style: font.Italic}}, {gomono.TTF, font.Font{Typeface: "Go Mono"}}} {
		parsed, err := opentype.ParseCollection(f.ttf)
		if err != nil {
			t.Fatal(err)
		}
		parsed[0].Font = f.font
		all = append(all, parsed[0])
	}
	return all
}

// stage shows a Text as a window would, with a router for its events.
type stage struct {
	testing.TB
	Text
	style  Style
	router input.Router
	size   image.Point
	now    time.Time
	dims   layout.Dimensions
}

func newStage(t testing.TB, width, height int) *stage {
	s := &stage{TB: t, size: image.Pt(width, height), now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	s.style = Style{Shaper: text.NewShaper(text.NoSystemFonts(), text.WithCollection(faces(t))), Face: "Go", Mono: "Go Mono", Size: 14, Ink: color.NRGBA{A: 255}}
	return s
}

func (s *stage) frame() {
	s.now = s.now.Add(16 * time.Millisecond)
	var ops op.Ops
	gtx := layout.Context{Ops: &ops, Now: s.now, Source: s.router.Source(), Metric: unit.Metric{PxPerDp: 1, PxPerSp: 1}, Constraints: layout.Constraints{Max: s.size}}
	s.dims = s.Layout(gtx, s.style)
	s.router.Frame(&ops)
}

func (s *stage) show(markdown string) {
	s.Set(markdown)
	s.frame()
	s.frame()
}

// where is the middle of the first place in sight that shows words.
func (s *stage) where(words string) image.Point {
	for _, seen := range s.seen {
		b := s.laid[seen.block]
		at := strings.Index(b.text, words)
		if at < 0 {
			continue
		}
		at = len([]rune(b.text[:at]))
		for _, l := range b.lines {
			for _, c := range l.clusters {
				if c.from == at {
					return image.Pt(((c.x0 + c.x1) / 2).Round(), seen.y+l.base-l.ascent/2)
				}
			}
		}
	}
	s.Fatalf("%q is not in sight", words)
	return image.Point{}
}

func (s *stage) pointer(kind pointer.Kind, at image.Point, buttons pointer.Buttons) {
	s.router.Queue(pointer.Event{Kind: kind, Source: pointer.Mouse, Position: layout.FPt(at), Buttons: buttons, Time: time.Duration(s.now.UnixNano())})
	s.frame()
}

func (s *stage) press(at image.Point) {
	s.now = s.now.Add(time.Second) // no double click
	s.pointer(pointer.Move, at, 0)
	s.pointer(pointer.Press, at, pointer.ButtonPrimary)
}

// A line of several styles is as long as the width lets it be, and no line is longer than that.
func TestLines(t *testing.T) {
	const words = "The **quick** brown *fox* jumps over `the lazy` dog, and *then* it goes **on and on** for a while."
	for _, width := range []int{60, 120, 200, 320} {
		s := newStage(t, width, 1000)
		s.show(words)
		b := s.laid[0]
		if got, want := b.text, "The quick brown fox jumps over the lazy dog, and then it goes on and on for a while."; got != want {
			t.Fatalf("the text is %q", got)
		}
		at := 0
		for i, l := range b.lines {
			if l.from != at {
				t.Errorf("width %d: line %d begins at %d, the one before ended at %d", width, i, l.from, at)
			}
			at = l.to
			line := strings.TrimRight(string([]rune(b.text)[l.from:l.to]), " ")
			for _, c := range l.clusters {
				if c.to <= l.from+len(line) && c.x1.Ceil() > width {
					t.Errorf("width %d: %q reaches %v", width, line, c.x1)
				}
			}
			if i+1 < len(b.lines) { // the next word would not have fitted
				next := b.lines[i+1]
				word := strings.Fields(string([]rune(b.text)[next.from:next.to]))[0]
				last := l.clusters[len(l.clusters)-1]
				if w := s.measured(word); last.x1+w <= fixed.I(width-12) {
					t.Errorf("width %d: %q would have fitted behind %q", width, word, line)
				}
			}
		}
		if at != len([]rune(b.text)) {
			t.Errorf("width %d: %d of %d characters are laid out", width, at, len(b.text))
		}
	}
}

func (s *stage) measured(word string) (w fixed.Int26_6) {
	s.style.Shaper.LayoutString(text.Parameters{Font: font.Font{Typeface: "Go", Weight: font.Bold}, PxPerEm: fixed.I(14), MaxWidth: 1 << 20}, word)
	for g, ok := s.style.Shaper.NextGlyph(); ok; g, ok = s.style.Shaper.NextGlyph() {
		w += g.Advance
	}
	return w
}

// A list's number stands whole before its text, however long it is, and moves its own item alone.
func TestLongNumbers(t *testing.T) {
	s := newStage(t, 300, 1000)
	s.show("9. nine\n10. ten\n")
	s.show("9. nine\n10. ten\n11. eleven\n\ntext\n\n123456. long\n")
	left := map[string]int{}
	for _, b := range s.laid {
		if b.from.Marker == "" {
			continue
		}
		l := b.lines[0]
		left[b.from.Marker] = l.clusters[0].x0.Floor()
		glyphs := 0
		for _, r := range l.runs {
			if r.x1 <= l.clusters[0].x0 && r.x0 >= 0 {
				glyphs += len(r.glyphs)
			}
		}
		if glyphs < len(b.from.Marker) {
			t.Errorf("%s: %d of its characters stand before %q", b.from.Marker, glyphs, b.text)
		}
	}
	if len(left) != 4 || left["9."] >= left["10."] || left["10."] != left["11."] {
		t.Errorf("the texts begin at %v", left)
	}
}

// Every character of every kind of block has its place, whatever the width; a word that no line holds is broken.
func TestNothingIsLost(t *testing.T) {
	const all = "# A heading with *style*\n\nText **bold** donaudampfschifffahrtsgesellschaftskapitän *x*.\n\n- one **1**\n- two\n  - inner\n\n" +
		"> quoted *text*\n\n```go\nx := 1\n\treturn\n```\n\n| a | **b** |\n|---|---|\n| 1 | 2 |\n\nشكرا **جزيلا** لك\n\nend"
	for _, width := range []int{40, 90, 300} {
		s := newStage(t, width, 100000)
		s.show(all)
		for i, b := range s.laid {
			n := 0
			for _, l := range b.lines {
				for _, c := range l.clusters {
					n += c.to - c.from
				}
			}
			if want := len([]rune(strings.NewReplacer("\n", "", "\t", "").Replace(b.text))); n < want {
				t.Errorf("width %d, block %d %q: %d of %d characters have a place", width, i, b.text, n, want)
			}
		}
	}
}

func TestSelection(t *testing.T) {
	s := newStage(t, 300, 400)
	s.show("Say **hello** to *them* all.\n\nAnd `good night`.")
	s.press(s.where("hello").Sub(image.Pt(3, 0)))
	s.pointer(pointer.Move, s.where("them").Sub(image.Pt(4, 0)), pointer.ButtonPrimary)
	s.pointer(pointer.Release, s.where("them").Sub(image.Pt(4, 0)), 0)
	if got := s.Selected(); got != "hello to " {
		t.Errorf("within a line %q is selected", got)
	}
	s.press(s.where("all"))
	s.pointer(pointer.Move, s.where("night").Sub(image.Pt(3, 0)), pointer.ButtonPrimary)
	s.pointer(pointer.Release, s.where("night").Sub(image.Pt(3, 0)), 0)
	if got := s.Selected(); got != "all.\nAnd good " && got != "ll.\nAnd good " {
		t.Errorf("over two blocks %q is selected", got)
	}
	s.router.Queue(key.Event{Name: "A", Modifiers: key.ModShortcut, State: key.Press})
	s.frame()
	if got, want := s.Selected(), "Say hello to them all.\nAnd good night."; got != want {
		t.Errorf("all is %q", got)
	}
	s.router.Queue(key.Event{Name: "C", Modifiers: key.ModShortcut, State: key.Press})
	s.frame()
	if mime, r, ok := s.router.WriteClipboard(); !ok {
		t.Error("nothing was copied")
	} else if got := string(r); got != "Say hello to them all.\nAnd good night." {
		t.Errorf("%q of type %s was copied", got, mime)
	}
	s.Set("Something else.")
	if got := s.Selected(); got != "" {
		t.Errorf("of another text %q is selected", got)
	}
}

func TestLinks(t *testing.T) {
	s := newStage(t, 300, 400)
	var opened []string
	s.OnLink = func(a string) { opened = append(opened, a) }
	s.show("See [the page](https://example.org/x), not [this](file:///etc/passwd).")
	at := s.where("page")
	s.pointer(pointer.Move, at, 0)
	if s.Hovered() != "https://example.org/x" {
		t.Errorf("%q is hovered", s.Hovered())
	}
	s.press(at)
	s.pointer(pointer.Release, at, 0)
	s.frame()
	for _, words := range []string{"this", "See"} {
		s.press(s.where(words))
		s.pointer(pointer.Release, s.where(words), 0)
		s.frame()
	}
	if len(opened) != 1 || opened[0] != "https://example.org/x" {
		t.Errorf("%q were opened", opened)
	}
	s.pointer(pointer.Move, s.where("See"), 0)
	if s.Hovered() != "" {
		t.Errorf("%q is hovered beside the link", s.Hovered())
	}
}

// A long text costs what is seen of it, and one that grows only its last block.
func TestOnlyWhatIsSeen(t *testing.T) {
	s := newStage(t, 300, 200)
	long := strings.Repeat("A paragraph with **bold** words.\n\n", 2000)
	s.show(long)
	count := func() (n int) {
		for _, b := range s.laid {
			if b != nil {
				n++
			}
		}
		return n
	}
	if n := count(); n > 60 {
		t.Errorf("%d of %d blocks are laid out", n, len(s.laid))
	}
	if !s.Above() || s.Below() {
		t.Errorf("the end is not in sight: above %v, below %v", s.Above(), s.Below())
	}
	kept := s.laid[len(s.laid)-1]
	s.show(long + "and more")
	if s.laid[len(s.laid)-2] != kept {
		t.Error("a block that stayed as it was is laid out anew")
	}
	one := newStage(t, 300, 200)
	one.show(strings.Repeat("word ", 13000))
	laid := 0
	for _, b := range one.laid {
		if b != nil {
			laid += len(b.text)
		}
	}
	if laid > 4*portion {
		t.Errorf("%d bytes of one long paragraph are laid out", laid)
	}
}

// The bubble is as wide as the text, also where its end was taken away and where much of it is out of sight.
func TestWidth(t *testing.T) {
	s := newStage(t, 300, 60)
	s.show("short\n\na **longer** line of words\n\nshort\n\nshort\n\n \n")
	wide := s.dims.Size.X
	if wide < 100 || wide > 299 {
		t.Fatalf("the text is %d wide", wide)
	}
	s.show("short\n\na **longer** line of words\n\nshort\n\nshort")
	if s.dims.Size.X != wide || s.dims.Size.Y != 60 {
		t.Errorf("with its end taken away it is %v", s.dims.Size)
	}
	s.show("so")
	if s.dims.Size.X >= 100 || s.dims.Size.Y > 30 {
		t.Errorf("a short text is %v", s.dims.Size)
	}
}

// What stands above stays where it is while the text grows.
func TestNothingJumps(t *testing.T) {
	const whole = "Hello **dear** friend, *listen*.\n\n- one\n- two `code`\n\n> so it was\n\nThe end."
	s := newStage(t, 200, 2000)
	var last []seen
	for i := range whole {
		s.show(whole[:i])
		for j := 0; j+1 < len(last) && j+1 < len(s.seen); j++ {
			if s.seen[j] != last[j] {
				t.Errorf("at %q block %d moved from %v to %v", whole[:i], j, last[j], s.seen[j])
			}
		}
		last = append(last[:0], s.seen...)
	}
}

func BenchmarkStream(b *testing.B) {
	whole := strings.Repeat("Some **bold** prose with `code` and a [link](https://example.org), over and over again.\n\n", 240)
	for _, plain := range []bool{false, true} {
		name := "markdown"
		if plain {
			name = "plain"
		}
		b.Run(name, func(b *testing.B) {
			s := newStage(b, 288, 236)
			i := 0
			for b.Loop() {
				i = (i + 40) % len(whole)
				s.set(whole[:i], plain)
				s.frame()
			}
		})
	}
}
