package ui

import (
	"image"
	"strings"
	"testing"
	"time"

	"gioui.org/f32"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"

	"yui/overlay/window"
)

// askRig is a bubble with questions in it, without a window.
type askRig struct {
	*Talk
	bare    window.Bare
	answers []string
}

func newAskRig() *askRig { return besides(newAll()) }

func newAll() *Talks { return &Talks{row: askRow{soon: func(f func()) { f() }}} }

// besides is a rig that shares its questions with others.
func besides(all *Talks) *askRig {
	p := window.NewBare(image.Pt(288, 212))
	r := &askRig{bare: p, Talk: &Talk{panel: p.Panel, look: NewLook(), open: true, all: all, words: TalkWords{More: "read on"}}}
	p.Layout = func(gtx layout.Context) []image.Rectangle {
		r.askEvents(gtx)
		gtx.Constraints.Min = image.Point{}
		if q := r.asked(); q != nil {
			r.question(gtx, q)
		}
		return nil
	}
	return r
}

func (r *askRig) asks(title, body string) (end func()) {
	end = r.Ask(Question{title, body, "Allow", "Deny"}, time.Hour, func(allowed bool) {
		r.answers = append(r.answers, title+map[bool]string{true: " allowed", false: " denied"}[allowed])
	})
	r.settle2()
	return end
}

// settle2 is two frames: the second knows what the first has drawn.
func (r *askRig) settle2() { r.panel.Settle(); r.panel.Settle() }

// stands lets a question have been seen for long.
func (r *askRig) stands() {
	r.asked().seen = time.Now().Add(-2 * askStands)
	r.settle2()
}

func (r *askRig) button(down bool, y int) {
	at := f32.Pt(20, float32(y))
	if down {
		r.bare.Point(pointer.Move, at, f32.Point{}, 0)
		r.bare.Point(pointer.Press, at, f32.Point{}, pointer.ButtonPrimary)
	} else {
		r.bare.Point(pointer.Release, at, f32.Point{}, 0)
	}
	r.settle2()
}

func (r *askRig) click(y int) { r.button(true, y); r.button(false, y) }

// sweep clicks down the column in which Allow stands, and returns where a question was answered, 0 for nowhere.
func (r *askRig) sweep() int {
	before := len(r.answers)
	for y := 2; y < r.panel.At().Dy(); y += 8 {
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
	r := newAskRig()
	r.asks("one", "Milk and bread.")
	if y := r.sweep(); y != 0 {
		t.Fatalf("allowed as soon as it was there: %v", r.answers)
	}
	r.stands()
	y := r.sweep()
	r.told(t, "one allowed")

	r.asks("two", "Milk and bread.")
	r.button(true, y) // before it counts
	r.stands()
	r.button(false, y)
	r.told(t, "one allowed")
	r.click(y)
	r.told(t, "one allowed", "two allowed")
}

// Clicks that go on from the question before put the next one off.
func TestClickingOnAllowsNothing(t *testing.T) {
	r := newAskRig()
	r.asks("one", "Milk.")
	r.asks("two", "Milk.")
	r.stands()
	y := r.sweep()
	r.told(t, "one allowed")
	r.settle2()
	was := time.Now().Add(-askStands * 9 / 10)
	r.asked().seen = was
	r.click(y)
	if r.told(t, "one allowed"); !r.asked().seen.After(was) {
		t.Error("a click on Allow, too early, does not put it off")
	}
}

func TestQuestionIsReadToItsEnd(t *testing.T) {
	for name, scroll := range map[string]func(r *askRig){
		"keys": func(r *askRig) {
			r.panel.Keyboard().Execute(key.FocusCmd{Tag: &r.asked().deny})
			for range 40 {
				r.askKey(key.Event{Name: key.NamePageDown, State: key.Press})
				r.settle2()
			}
		},
		"wheel": func(r *askRig) {
			for range 200 {
				r.bare.Point(pointer.Scroll, f32.Pt(60, 60), f32.Pt(0, 120), 0)
				r.settle2()
			}
		},
	} {
		r := newAskRig()
		r.asks("long", strings.Repeat("A line of what would be sent.\n", 60)+"PASSWORD: hunter2")
		r.stands()
		if y := r.sweep(); y != 0 {
			t.Fatalf("%s: allowed with its end out of sight", name)
		}
		scroll(r)
		r.stands()
		if r.sweep(); len(r.answers) != 1 || r.answers[0] != "long allowed" {
			t.Errorf("%s: at its end %q", name, r.answers)
		}
	}
}

// A double click allows one question, and no third click on its way does either.
func TestOneQuestionAtATime(t *testing.T) {
	r := newAskRig()
	r.asks("one", "Milk.")
	end := r.asks("two", "Milk.")
	r.asks("three", "Milk.")
	r.stands()
	y := r.sweep()
	for range 6 {
		r.click(y)
	}
	r.told(t, "one allowed")
	end()
	end()
	r.told(t, "one allowed", "two denied")
	r.settle2()
	r.click(y)
	r.told(t, "one allowed", "two denied")
	r.stands()
	r.click(y)
	r.told(t, "one allowed", "two denied", "three allowed")
}

func TestDenyHasTheKeyboard(t *testing.T) {
	r := newAskRig()
	r.asks("one", "Milk.")
	enter := func() {
		r.bare.Queue(key.Event{Name: key.NameReturn, State: key.Press})
		r.bare.Queue(key.Event{Name: key.NameReturn, State: key.Release})
		r.settle2()
	}
	r.stands()
	if !r.panel.Keyboard().Focused(&r.asked().deny) {
		t.Fatal("Deny has no focus")
	}
	enter()
	r.told(t, "one denied")

	r.asks("two", "Milk.")
	r.askKey(key.Event{Name: key.NameTab, State: key.Press}) // Allow is no button yet
	r.settle2()
	r.stands()
	r.askKey(key.Event{Name: key.NameTab, State: key.Press})
	r.settle2()
	enter()
	r.told(t, "one denied", "two allowed")

	r.asks("three", "Milk.")
	r.typed = time.Now() // the person is at the field
	r.stands()
	if r.panel.Keyboard().Focused(&r.asked().deny) {
		t.Error("the keyboard was taken away from somebody who types")
	}
}

// What nobody answers in time is denied. A question that waits for its turn loses nothing of its own time.
func TestQuestionExpires(t *testing.T) {
	r := newAskRig()
	r.asks("one", "")
	r.Ask(Question{Title: "two", Allow: "Allow"}, time.Minute, func(bool) { r.answers = append(r.answers, "two over") })
	if at, ok := r.Talk.Next(time.Now()); !ok || at.IsZero() {
		t.Error("nobody waits for the first")
	}
	r.expire(time.Now().Add(time.Hour))
	r.told(t, "one denied")
	r.expire(time.Now())
	if r.told(t, "one denied"); r.asked() == nil || r.asked().Title != "two" {
		t.Fatal("the second is not shown")
	}
	r.expire(time.Now().Add(time.Minute))
	r.told(t, "one denied", "two over")
}

// Two pets ask: one question is shown at a time, in the order of asking, each in its own bubble.
func TestOneQuestionOverAllPets(t *testing.T) {
	all := newAll()
	a, b := besides(all), besides(all)
	a.asks("one", "Milk.")
	b.asks("two", "Milk.")
	a.asks("three", "Milk.")
	b.bare.SetShown(false) // there is no window to draw into
	if a.asked() == nil || b.asked() != nil || b.hasBubble() || !b.Asking() {
		t.Fatal("two questions are shown")
	}
	a.stands()
	y := a.sweep()
	for range 3 {
		a.click(y)
	}
	a.told(t, "one allowed")
	if b.bare.SetShown(true); b.asked() == nil || a.asked() != nil {
		t.Fatal("the next one is not shown")
	}
	b.settle2()
	b.click(y)
	b.told(t)
	b.forget() // her bubble goes
	b.told(t, "two denied")
	if q := a.asked(); q == nil || q.Title != "three" || q.until.IsZero() {
		t.Error("nothing comes behind a bubble that has gone")
	}
}

// A text that is only read holds no question up.
func TestTextMakesRoomForQuestion(t *testing.T) {
	all := newAll()
	a, b := besides(all), besides(all)
	closed := false
	a.Ask(Question{Title: "what they say", Deny: "Close"}, time.Hour, func(bool) { closed = true })
	b.asks("one", "Milk.")
	if !closed || a.asked() != nil || b.asked() == nil {
		t.Error("the question waits behind a text")
	}
}

// A question goes with its pet and comes back with her, to be read anew; another's does not wait for it, nor is it
// pushed away when she is back.
func TestQuestionOfOneWhoIsAway(t *testing.T) {
	all := newAll()
	a, b := besides(all), besides(all)
	a.bare.SetShown(false)
	b.bare.SetShown(false) // there is no window to draw into
	a.asks("one", "Milk.")
	a.stands()
	a.SetAway(true)
	a.expire(time.Now().Add(2 * time.Hour))
	b.asks("two", "Milk.")
	a.asks("three", "Milk.")
	if a.asked() != nil || b.asked() == nil || !a.InUse() {
		t.Fatal("asked where she is not")
	}
	a.SetAway(false)
	if a.asked() != nil || b.asked() == nil {
		t.Fatal("the one that was being read is gone")
	}
	b.settle(b.asked(), false)
	b.told(t, "two denied")
	q := a.asked()
	if q == nil || q.Title != "one" || q.until.IsZero() || q.open(time.Now().Add(time.Minute)) {
		t.Fatalf("back: %+v", q)
	}
	a.told(t)
}

// What was said waits for her as well, and is then there as long as it was to be; what has passed is gone.
func TestWordsGoWithHer(t *testing.T) {
	r := newAskRig()
	r.bare.SetShown(false) // there is no window to draw into
	r.SetText("A long story.")
	r.End(time.Minute)
	r.SetAway(true)
	if r.open {
		t.Error("the input is open")
	}
	if r.OpenInput(); r.open {
		t.Error("the input opens where nobody sees it")
	}
	r.until = time.Now().Add(-time.Hour)
	r.PassStatus("looking", -time.Second)
	if r.Talk.Tick(time.Now()); r.Text() == "" || !r.InUse() {
		t.Fatal("unread, and gone")
	}
	r.SetAway(false)
	if left := time.Until(r.until); r.Text() == "" || r.Status() != "" || left < 50*time.Second || left > time.Minute {
		t.Errorf("back: %q, %q for %v", r.Text(), r.Status(), left)
	}
}

// A model that sends thousands of pieces a second has its words laid out ten times a second.
func TestWordsAreLaidOutNowAndThen(t *testing.T) {
	r := newAskRig()
	frames, text := 0, ""
	began := time.Now()
	r.saidAt = began
	r.bare.Dirty()
	for i := range 1000 {
		text += "word "
		r.SetText(text)
		if r.bare.Dirty() {
			frames++
			r.saidAt = time.Now()
		}
		if at, ok := r.Talk.Next(began); i == 0 && (!ok || at.Sub(began) != textStep) {
			t.Fatalf("the first word is shown after %v", at.Sub(began))
		}
	}
	if most := int(time.Since(began)/textStep) + 1; frames > most {
		t.Errorf("%d frames in %v", frames, time.Since(began))
	}
	r.bare.SetShown(false) // there is no window to draw into
	if r.Talk.Tick(time.Now().Add(time.Second)); !r.bare.Dirty() || !r.due.IsZero() {
		t.Error("the last words are not laid out")
	}
}
