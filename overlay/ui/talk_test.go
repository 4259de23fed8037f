package ui

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"gioui.org/io/key"

	"yui/overlay/window"
)

// said is a bubble that notes what it reports.
type said struct {
	*Talk
	*desk
	told []string
}

func newSaid(d *desk, x int) *said {
	s := &said{Talk: d.talk("Yui", x), desk: d}
	note := func(format string, args ...any) { s.told = append(s.told, fmt.Sprintf(format, args...)) }
	s.OnSay = func(text string) { note("say %s", text) }
	s.OnStop = func() { note("stop") }
	s.OnInput = func(open bool) { note("input %v", open) }
	s.OnGone = func() { note("gone") }
	s.OnLink = func(a string) { note("link %s", a) }
	return s
}

func (s *said) expect(want ...string) {
	s.t.Helper()
	if !slices.Equal(s.told, want) {
		s.t.Errorf("told %q, want %q", s.told, want)
	}
	s.told = nil
}

func TestWhatIsTypedIsSent(t *testing.T) {
	s := newSaid(newDesk(t), 640)
	s.Do(s.OpenInput)
	s.expect("input true")
	w := s.Windows()
	if len(w) != 1 || !w[0].Keyboard || !s.spot.seen.In(s.desk.work) || s.spot.seen.Max.Y > s.spot.head.Min.Y {
		t.Fatalf("%+v, seen %v", w, s.spot.seen)
	}
	s.Type("Good ")
	s.Type("evening")
	s.Key(key.NameReturn, 0)
	s.expect("say Good evening")
	s.Type("  ")
	s.Key(key.NameReturn, 0) // nothing is nothing
	s.Type("a kept line")
	s.Key("A", key.ModCtrl)
	s.Key("X", key.ModCtrl)
	if s.Clipboard() != "  a kept line" {
		t.Errorf("cut %q", s.Clipboard())
	}
	s.SetClipboard("from elsewhere")
	s.Key("V", key.ModCtrl)
	s.Key(key.NameReturn, 0)
	s.expect("say from elsewhere")

	s.Click(image.Pt(20, 20), window.Left) // another program's window
	s.Type("not for her")
	s.Do(s.OpenInput) // again
	s.Key(key.NameReturn, 0)
	s.Key(key.NameEscape, 0)
	s.expect("input false", "gone")
	if len(s.Windows()) != 0 {
		t.Error("the input stays")
	}
}

// A reply stays for its time, and as long as somebody reads it.
func TestBubbleStaysWhileItIsRead(t *testing.T) {
	s := newSaid(newDesk(t), 640)
	say := func() {
		s.Do(func() { s.Begin(); s.SetText("A reply."); s.End(2 * time.Second) })
	}
	say()
	if s.Advance(2*time.Second - time.Millisecond); !s.InUse() || len(s.Windows()) != 1 {
		t.Error("gone before its time")
	}
	if s.Advance(time.Millisecond); s.InUse() || len(s.Windows()) != 0 {
		t.Error("it stays")
	}
	s.expect("gone")
	say()
	s.MoveTo(s.spot.seen.Min.Add(image.Pt(30, 20)))
	if s.Advance(time.Minute); !s.InUse() {
		t.Fatal("gone under the eyes of its reader")
	}
	s.MoveTo(image.Pt(20, 20))
	s.Advance(2*time.Second - time.Millisecond)
	if !s.InUse() {
		t.Error("gone as soon as the pointer leaves")
	}
	if s.Advance(time.Millisecond); s.InUse() {
		t.Error("it stays")
	}
}

// While she replies the button at the field stops her, unless there is something to send.
func TestButtonStopsOrSends(t *testing.T) {
	s := newSaid(newDesk(t), 640)
	s.Do(func() { s.OpenInput(); s.Begin(); s.SetText("A long reply") })
	s.told = nil
	button := func() { s.Click(s.spot.seen.Max.Sub(image.Pt(20, 20)), window.Left) }
	button()
	s.expect("stop")
	s.Type("wait")
	button()
	s.expect("say wait")
	s.Do(func() { s.End(time.Minute) })
	button()
	s.expect()
}

func TestBubbleGoesWithHerHead(t *testing.T) {
	s := newSaid(newDesk(t), 640)
	s.Do(func() { s.Begin(); s.SetText("A reply.") })
	s.Advance(time.Second)
	at := s.spot.seen
	move := func(by image.Point) {
		s.Do(func() { s.Anchor(s.spot.head.Add(by), s.spot.figure.Add(by), s.desk.work) })
	}
	if move(image.Pt(-100, -50)); s.spot.seen != at.Add(image.Pt(-100, -50)) {
		t.Errorf("at %v, was %v", s.spot.seen, at)
	}
	s.MoveTo(s.spot.seen.Min.Add(image.Pt(30, 20)))
	at = s.spot.seen
	if move(image.Pt(sway/2, 0)); s.spot.seen != at {
		t.Error("it slips away under the pointer")
	}
	if move(image.Pt(2*sway, 0)); s.spot.seen == at {
		t.Error("it stays though she has gone")
	}
	for x := 0; x <= 1280; x += 64 { // never off the screen, wherever she is
		s.Do(func() { s.Anchor(image.Rect(x-60, 20, x+60, 120), image.Rect(x-80, 20, x+80, 300), s.desk.work) })
		if !s.spot.seen.In(s.desk.work) || s.spot.seen.Overlaps(image.Rect(x-60, 20, x+60, 120)) {
			t.Errorf("her head is at %d, the bubble at %v", x, s.spot.seen)
		}
	}
}

func TestBubblesDoNotLieOnEachOther(t *testing.T) {
	d := newDesk(t)
	a, b := newSaid(d, 600), newSaid(d, 680)
	for _, s := range []*said{a, b} {
		d.Do(func() { s.Begin(); s.SetText(strings.Repeat("Words and words. ", 10)) })
		d.Advance(time.Second)
	}
	if a.spot.seen.Empty() || a.spot.seen.Overlaps(b.spot.seen) || !b.spot.seen.In(d.work) {
		t.Errorf("%v and %v", a.spot.seen, b.spot.seen)
	}
}

func TestLinksAndStatus(t *testing.T) {
	s := newSaid(newDesk(t), 640)
	opened := ""
	s.Do(func() {
		s.Begin()
		s.SetText("Here it is: [the page](https://example.org/a).")
		s.SetLinks([]Link{{Text: "Searched"}, {Text: "The page", Host: "example.org", Open: func() { opened = "page" }}})
		s.PassStatus("looking", 3*time.Second)
	})
	s.Advance(time.Second)
	if s.Find("looking").Empty() || s.Find("example.org").Empty() {
		t.Error("neither what she does nor where a link leads is shown")
	}
	if !s.ClickOn("↗ The page") || opened != "page" {
		t.Error("a click on a link opens nothing")
	}
	s.Advance(3 * time.Second)
	if s.Status() != "" || !s.Find("looking").Empty() {
		t.Error("it is said for ever")
	}
	s.Do(s.Begin)
	if s.Advance(time.Second); !s.Find("↗ The page").Empty() {
		t.Error("links of the last reply stay")
	}
}

// What others do for her is listed while the input is open.
func TestTasksAreListed(t *testing.T) {
	s := newSaid(newDesk(t), 640)
	s.Do(func() {
		s.SetTasks([]Task{{Text: "Tidy"}, {Text: "Cook", Done: true}, {Text: "Sing", Done: true, Failed: true}})
	})
	if len(s.Windows()) != 0 {
		t.Error("shown though nobody asked")
	}
	s.Do(s.OpenInput)
	for _, row := range []string{"… Tidy", "✓ Cook", "× Sing"} {
		if s.Find(row).Empty() {
			t.Errorf("%q is not shown", row)
		}
	}
	s.Key(key.NameEscape, 0)
	if s.Advance(time.Minute); len(s.Windows()) != 0 {
		t.Error("the list stays when the input has gone")
	}
	s.Do(s.OpenInput)
	s.Do(func() { s.SetTasks(nil) })
	if !s.Find("… Tidy").Empty() {
		t.Error("it is over, and shown")
	}
}
