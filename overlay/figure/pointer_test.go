package figure

import (
	"image"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"yui/avatar/body"
	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/overlay/window"
)

// What the hand does to her arrives; beside her it goes to what is below.
func TestHandOnHer(t *testing.T) {
	s := newStage(t)
	s.heard()
	expect := func(want ...string) {
		t.Helper()
		if got := s.heard(); !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	s.MoveTo(s.foot())
	s.Advance(hoverRest - time.Millisecond)
	expect()
	s.Advance(time.Millisecond)
	expect("hover")
	s.Press(window.Left)
	s.Release(window.Left)
	expect("click")
	s.Press(window.Right)
	s.Release(window.Right)
	expect("menu")
	s.Drop("/tmp/a.png", "/tmp/b.vrm")
	expect("drop /tmp/a.png", "drop /tmp/b.vrm")

	r := s.pet.Figure()
	beside := image.Pt(r.Min.X, r.Min.Y) // in her window, but not on her
	s.Click(beside, window.Left)
	s.Click(beside, window.Right)
	s.Drop("/tmp/c.png")
	s.MoveTo(s.foot())
	s.Advance(hoverRest / 2)
	s.MoveTo(beside)
	s.Advance(time.Second)
	expect()
}

// A hand that trembles clicks; one that goes on drags. She hangs from it, and falls to the floor where it lets go.
func TestDrag(t *testing.T) {
	s := newStage(t)
	at := s.foot()
	pull := func(by image.Point, steps int) {
		for range steps {
			at = at.Add(by)
			s.MoveTo(at)
			s.Advance(time.Second / 60)
		}
	}
	s.heard()
	s.MoveTo(at)
	s.Press(window.Left)
	pull(image.Pt(1, 1), 2)
	if s.pet.Body().State(s.Now()).Posture != body.Standing {
		t.Fatal("a click is a drag")
	}
	pull(image.Pt(-5, -8), 40)
	s.Advance(time.Second / 2)
	if state := s.pet.Body().State(s.Now()); state.Posture != body.Dragging || !s.pet.Held() {
		t.Fatalf("%+v", state)
	}
	scruff := s.pet.art.point(s.pet.pose.Scruff)
	if d := math.Hypot(scruff.X-float64(at.X), scruff.Y-float64(at.Y)); d > 25 {
		t.Errorf("her scruff is %.0f pixels from the hand", d)
	}
	if slices.Contains(s.heard(), "click") {
		t.Error("a drag is a click")
	}
	s.Release(window.Left)
	if s.pet.Held() {
		t.Error("still held")
	}
	for range 20 {
		if s.Advance(time.Second / 2); s.pet.Body().State(s.Now()).Posture == body.Standing {
			break
		}
	}
	if state := s.pet.Body().State(s.Now()); state.Posture != body.Standing || s.pet.Feet().Y != floor || math.Abs(s.pet.Feet().X-float64(at.X)) > 60 {
		t.Errorf("let go at %v: %+v at %+v", at, state, s.pet.Feet())
	}
}

// A hand that rests on her head pats her, for as long as it strokes, and it does not drag her.
func TestPat(t *testing.T) {
	s := newStage(t)
	s.heard()
	head := s.head()
	s.MoveTo(head)
	s.Press(window.Left)
	s.Advance(body.DefaultTouch().PatHold + 100*time.Millisecond)
	for i := range 20 {
		s.MoveTo(head.Add(image.Pt(10*(i%2), 0)))
		s.Advance(50 * time.Millisecond)
	}
	if s.pet.Motion() != clips.HeadPat || s.pet.Body().State(s.Now()).Posture != body.Standing {
		t.Errorf("%s, %+v", s.pet.Motion(), s.pet.Body().State(s.Now()))
	}
	s.Release(window.Left)
	s.Advance(3 * time.Second)
	if got := strings.Join(s.heard(), " "); !strings.Contains(got, "user.pat_start") || !strings.Contains(got, "user.pat_end") || strings.Contains(got, "click") {
		t.Errorf("told %q", got)
	}
	if s.pet.Motion() == clips.HeadPat {
		t.Error("she is patted without a hand")
	}
}

// Her eyes follow the pointer, while they may.
func TestLooksAtThePointer(t *testing.T) {
	s := newStage(t)
	r := s.pet.Rect()
	gaze := func(at image.Point) float64 {
		s.MoveTo(at)
		s.Advance(2 * time.Second)
		head := s.pet.pose.World[s.pet.opt.Model.Humanoid[vrm.Head]]
		return float64(head[8]) // how far her face is turned to the side
	}
	y := r.Min.Y + 20
	left, right := gaze(image.Pt(r.Min.X-150, y)), gaze(image.Pt(r.Max.X+150, y))
	if math.Abs(left-right) < 0.1 {
		t.Errorf("her face is turned %.2f to the left and %.2f to the right", left, right)
	}
	s.Do(func() { s.pet.SetLooks(false) })
	if l := gaze(image.Pt(r.Min.X-150, y)); math.Abs(l-left) < 0.05 {
		t.Error("she looks though she is told not to")
	}
}
