package ui

import (
	"image"
	"strings"
	"testing"
	"time"

	"gioui.org/io/key"
	"gioui.org/layout"

	"yui/overlay/window"
)

// askRig is a bubble with questions in it.
type askRig struct {
	*Talk
	*desk
	answers []string
}

func newAskRig(t *testing.T) *askRig { return besides(newDesk(t), 400) }

// besides is a rig that shares its desk with others.
func besides(d *desk, x int) *askRig { return &askRig{Talk: d.talk("Yui", x), desk: d} }

func (r *askRig) asks(title, body string) (end func()) {
	r.Do(func() {
		end = r.Ask(Question{title, body, "Allow", "Deny"}, time.Hour, func(allowed bool) {
			r.answers = append(r.answers, title+map[bool]string{true: " allowed", false: " denied"}[allowed])
		})
	})
	return end
}

// stands lets a question have been seen for long.
func (r *askRig) stands() { r.Advance(2 * askStands) }

// column is where Allow and Deny stand at a height of the screen.
func (r *askRig) column(y int) image.Point { return image.Pt(r.spot.seen.Min.X+36, y) }

func (r *askRig) click(y int) { r.Click(r.column(y), window.Left) }

// sweep clicks down the column in which Allow stands, and returns where a question was answered, 0 for nowhere.
func (r *askRig) sweep() int {
	before, area := len(r.answers), r.spot.seen
	for y := area.Min.Y + 2; y < area.Max.Y; y += 8 {
		if r.click(y); len(r.answers) > before {
			return y
		}
	}
	return 0
}

func (r *askRig) told(t *testing.T, want ...string) {
	t.Helper()
	if got := strings.Join(r.answers, ", "); got != strings.Join(want, ", ") {
		t.Errorf("answered %q, want %q", got, want)
	}
}

func TestQuestionStandsBeforeItIsAllowed(t *testing.T) {
	r := newAskRig(t)
	r.asks("one", "Milk and bread.")
	if y := r.sweep(); y != 0 {
		t.Fatalf("allowed as soon as it was there: %v", r.answers)
	}
	r.stands()
	y := r.sweep()
	r.told(t, "one allowed")

	r.asks("two", "Milk and bread.")
	r.MoveTo(r.column(y))
	r.Press(window.Left) // before it counts
	r.stands()
	r.Release(window.Left)
	r.told(t, "one allowed")
	r.click(y)
	r.told(t, "one allowed", "two allowed")
}

// Clicks that go on from the question before put the next one off.
func TestClickingOnAllowsNothing(t *testing.T) {
	r := newAskRig(t)
	r.asks("one", "Milk.")
	r.asks("two", "Milk.")
	r.stands()
	y := r.sweep()
	r.told(t, "one allowed")
	r.Advance(askStands * 9 / 10)
	was := r.asked().seen
	r.click(y)
	if r.told(t, "one allowed"); !r.asked().seen.After(was) {
		t.Error("a click on Allow, too early, does not put it off")
	}
}

func TestQuestionIsReadToItsEnd(t *testing.T) {
	for name, scroll := range map[string]func(r *askRig){
		"keys": func(r *askRig) {
			r.Do(r.panel.Focus)
			for range 40 {
				r.Key(key.NamePageDown, 0)
			}
		},
		"wheel": func(r *askRig) {
			r.MoveTo(r.spot.seen.Min.Add(image.Pt(60, 70)))
			for range 40 {
				r.Scroll(0, -10)
			}
		},
	} {
		body := strings.Repeat("A line of what would be sent.\n", 60) + "PASSWORD: hunter2"
		r := newAskRig(t)
		r.asks("long", body)
		r.stands()
		if y := r.sweep(); y != 0 {
			t.Fatalf("%s: allowed with its end out of sight", name)
		}
		r = newAskRig(t)
		r.asks("long", body)
		r.stands()
		scroll(r)
		r.stands()
		if r.sweep(); len(r.answers) != 1 || r.answers[0] != "long allowed" {
			t.Errorf("%s: at its end %q", name, r.answers)
		}
	}
}

// A double click allows one question, and no third click on its way does either.
func TestOneQuestionAtATime(t *testing.T) {
	r := newAskRig(t)
	r.asks("one", "Milk.")
	end := r.asks("two", "Milk.")
	r.asks("three", "Milk.")
	r.stands()
	y := r.sweep()
	for range 6 {
		r.click(y)
	}
	r.told(t, "one allowed")
	r.Do(end)
	r.Do(end)
	r.told(t, "one allowed", "two denied")
	r.click(y)
	r.told(t, "one allowed", "two denied")
	r.stands()
	r.click(y)
	r.told(t, "one allowed", "two denied", "three allowed")
}

func TestDenyHasTheKeyboard(t *testing.T) {
	r := newAskRig(t)
	r.asks("one", "Milk.")
	r.Do(r.panel.Focus)
	enter := func() { r.Key(key.NameReturn, 0) }
	r.stands()
	if !r.panel.Keyboard().Focused(&r.asked().deny) {
		t.Fatal("Deny has no focus")
	}
	enter()
	r.told(t, "one denied")

	r.asks("two", "Milk.")
	r.Do(r.panel.Focus)
	r.Key(key.NameTab, 0) // Allow is no button yet
	r.stands()
	r.Key(key.NameTab, 0)
	enter()
	r.told(t, "one denied", "two allowed")

	r.asks("three", "Milk.")
	r.Do(r.panel.Focus)
	for range 10 { // the person is at the field
		r.Advance(askStands / 2)
		r.Key("A", 0)
	}
	if r.panel.Keyboard().Focused(&r.asked().deny) {
		t.Error("the keyboard was taken away from somebody who types")
	}
}

// What nobody answers in time is denied. A question that waits for its turn loses nothing of its own time.
func TestQuestionExpires(t *testing.T) {
	r := newAskRig(t)
	r.asks("one", "")
	r.Do(func() {
		r.Ask(Question{Title: "two", Allow: "Allow"}, time.Minute, func(bool) { r.answers = append(r.answers, "two over") })
	})
	r.Advance(time.Hour - time.Second)
	r.told(t)
	r.Advance(time.Second)
	if r.told(t, "one denied"); r.asked() == nil || r.asked().Title != "two" {
		t.Fatal("the second is not shown")
	}
	r.Advance(time.Minute - time.Second)
	r.told(t, "one denied")
	r.Advance(time.Second)
	r.told(t, "one denied", "two over")
}

// Two pets ask: one question is shown at a time, in the order of asking, each in its own bubble.
func TestOneQuestionOverAllPets(t *testing.T) {
	d := newDesk(t)
	a, b := besides(d, 300), besides(d, 900)
	a.asks("one", "Milk.")
	b.asks("two", "Milk.")
	a.asks("three", "Milk.")
	if a.asked() == nil || b.asked() != nil || b.hasBubble() || !b.Asking() {
		t.Fatal("two questions are shown")
	}
	a.stands()
	y := a.sweep()
	for range 3 {
		a.click(y)
	}
	a.told(t, "one allowed")
	if b.asked() == nil || a.asked() != nil {
		t.Fatal("the next one is not shown")
	}
	b.click(y)
	b.told(t)
	d.Do(b.Close) // her bubble goes
	b.told(t, "two denied")
	if q := a.asked(); q == nil || q.Title != "three" || q.until.IsZero() {
		t.Error("nothing comes behind a bubble that has gone")
	}
}

// A text that is only read holds no question up.
func TestTextMakesRoomForQuestion(t *testing.T) {
	d := newDesk(t)
	a, b := besides(d, 300), besides(d, 900)
	closed := false
	d.Do(func() {
		a.Ask(Question{Title: "what they say", Deny: "Close"}, time.Hour, func(bool) { closed = true })
	})
	b.asks("one", "Milk.")
	if !closed || a.asked() != nil || b.asked() == nil {
		t.Error("the question waits behind a text")
	}
}

// Nor does it end one before it could be shown itself.
func TestTextStandsWhileQuestionIsAway(t *testing.T) {
	d := newDesk(t)
	a, b := besides(d, 300), besides(d, 900)
	closed := false
	d.Do(func() {
		a.Ask(Question{Title: "what they say", Deny: "Close"}, time.Hour, func(bool) { closed = true })
		b.SetAway(true)
	})
	b.asks("one", "Milk.")
	if closed || a.asked() == nil {
		t.Error("a question that nobody sees ends a text")
	}
	d.Do(func() { b.SetAway(false) })
	if !closed || b.asked() == nil {
		t.Error("the question waits behind a text")
	}
}

// A question goes with its pet and comes back with her, to be read anew; another's does not wait for it, nor is it
// pushed away when she is back.
func TestQuestionOfOneWhoIsAway(t *testing.T) {
	d := newDesk(t)
	a, b := besides(d, 300), besides(d, 900)
	a.asks("one", "Milk.")
	a.stands()
	away := func(yes bool) { d.Do(func() { a.SetAway(yes) }) }
	away(true)
	if len(d.Windows()) != 0 {
		t.Error("her bubble stays")
	}
	d.Advance(long)
	b.asks("two", "Milk.")
	a.asks("three", "Milk.")
	if a.asked() != nil || b.asked() == nil || !a.InUse() {
		t.Fatal("asked where she is not")
	}
	away(false)
	if a.asked() != nil || b.asked() == nil {
		t.Fatal("the one that was being read is gone")
	}
	b.stands()
	b.sweep()
	b.told(t, "two allowed")
	q := a.asked()
	if q == nil || q.Title != "one" || q.until.IsZero() || q.open(d.Now()) {
		t.Fatalf("back: %+v", q)
	}
	a.told(t)
}

// What was said waits for her as well, and is then there as long as it was to be; what has passed is gone.
func TestWordsGoWithHer(t *testing.T) {
	r := newAskRig(t)
	r.Do(func() {
		r.Begin()
		r.SetText("A long story.")
		r.End(time.Minute)
		r.PassStatus("looking", time.Second)
		r.OpenInput()
	})
	if len(r.Windows()) != 1 {
		t.Fatal("nothing is shown")
	}
	r.Do(func() { r.SetAway(true) })
	if r.InputOpen() || len(r.Windows()) != 0 {
		t.Error("the input is open")
	}
	if r.Do(r.OpenInput); r.InputOpen() {
		t.Error("the input opens where nobody sees it")
	}
	if r.Advance(long); r.Text() == "" || !r.InUse() {
		t.Fatal("unread, and gone")
	}
	r.Do(func() { r.SetAway(false) })
	if r.Text() == "" || r.Status() != "" || len(r.Windows()) != 1 {
		t.Errorf("back: %q, %q", r.Text(), r.Status())
	}
	if r.Advance(50 * time.Second); r.Text() == "" {
		t.Error("gone before it could be read")
	}
	if r.Advance(15 * time.Second); r.InUse() {
		t.Error("it stays for ever")
	}
}

// A model that sends thousands of pieces a second has its words laid out ten times a second.
func TestWordsAreLaidOutNowAndThen(t *testing.T) {
	r := newAskRig(t)
	r.Do(r.Begin)
	r.Do(func() { r.SetText("First") })
	r.Advance(2 * appear)
	frames, laid, inner := 0, "", r.panel.Layout
	r.panel.Layout = func(gtx layout.Context) []image.Rectangle {
		frames++
		if r.bubble.due.IsZero() {
			laid = r.Text()
		}
		return inner(gtx)
	}
	text := "First"
	for range 1000 {
		text += " word"
		r.Do(func() { r.SetText(text) })
		r.Advance(time.Millisecond)
	}
	if most := int(time.Second/textStep) + 1; frames > most || frames < most-2 {
		t.Errorf("%d frames in a second", frames)
	}
	if r.Advance(textStep); laid != text {
		t.Error("the last words are not laid out")
	}
}
