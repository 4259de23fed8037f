package figure

import (
	"image"
	"testing"
	"time"
)

var party = Place{From: image.Pt(640, 400), Size: 120, Within: image.Rect(0, 0, 1280, 800), Composited: true}

// Each effect is seen near her and is over by itself, with its window.
func TestEffectsBurst(t *testing.T) {
	for _, name := range []string{Confetti, Hearts, Sparkles} {
		s := emptyStage(t)
		e := NewEffects(s.loop)
		s.Do(func() {
			if err := e.Show(name, party); err != nil {
				t.Fatal(err)
			}
		})
		s.Advance(700 * time.Millisecond)
		r := s.ink()
		if r.Dx() < 40 || r.Dy() < 30 || !party.From.In(r.Inset(-30)) || !r.In(image.Rectangle{Min: party.From, Max: party.From}.Inset(-120)) {
			t.Errorf("%s: drawn in %v", name, r)
		}
		if e.Running() != 1 || e.Frames() < 35 {
			t.Errorf("%s: %d run, %d frames", name, e.Running(), e.Frames())
		}
		s.Advance(2 * time.Second)
		if e.Running() != 0 || len(s.Windows()) != 0 {
			t.Errorf("%s: %d run on in %v", name, e.Running(), s.Windows())
		}
	}
}

// Where nothing blends windows an effect has the shape of what flies, never that of a box.
func TestEffectIsCutOut(t *testing.T) {
	s := emptyStage(t)
	e := NewEffects(s.loop)
	place := party
	place.Composited = false
	s.Do(func() { _ = e.Show(Confetti, place) })
	s.Advance(500 * time.Millisecond)
	if s.ink().Empty() || s.black() != 0 {
		t.Errorf("drawn in %v, %d pixels of nothing are seen", s.ink(), s.black())
	}
	s.Do(e.Close)
	if len(s.Windows()) != 0 {
		t.Error("it is there still")
	}
}

// The mark of an open camera is there at once, goes with her, and long enough to be noticed.
func TestCameraMark(t *testing.T) {
	s := emptyStage(t)
	e := NewEffects(s.loop)
	var mark *Mark
	place := party
	place.Size = 20
	s.Do(func() { mark, _ = e.CameraMark(place) })
	if r := s.ink(); r.Dx() < 30 || r.Dy() < 30 || !party.From.In(r) {
		t.Fatalf("drawn in %v", r)
	}
	to := image.Pt(300, 300)
	if s.Do(func() { mark.Move(to) }); !to.In(s.ink()) {
		t.Error("it stays where it was")
	}
	s.Do(mark.End)
	s.Advance(markLeast - 10*time.Millisecond)
	if s.ink().Empty() {
		t.Error("gone before it could be noticed")
	}
	s.Advance(20 * time.Millisecond)
	if !s.ink().Empty() || e.Running() != 0 {
		t.Error("it stays")
	}
	s.Do(func() { mark.Move(to) }) // of one that is over
}

// Each shape has its own form in its box.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		shape                            shape
		middle, corner, top, side, waist bool
	}{
		{paper, true, true, true, true, true},
		{heart, true, false, false, false, false},
		{star, true, false, true, true, false},
		{glow, true, false, true, true, true},
		{camera, true, false, true, true, true},
	} {
		img := image.NewRGBA(image.Rect(0, 0, 100, 100))
		s := sprite{x: 50, y: 50, w: 50, h: 50, cos: 1, alpha: 1, color: [3]float32{1, 0.5, 0}, shape: c.shape}
		s.draw(img)
		for name, p := range map[string]struct {
			x, y int
			want bool
		}{
			"middle": {50, 50, c.middle}, "corner": {3, 3, c.corner}, "top": {50, 12, c.top}, "side": {12, 50, c.side}, "waist": {67, 67, c.waist},
		} {
			if got := img.RGBAAt(p.x, p.y).A > 10; got != p.want {
				t.Errorf("shape %d, %s: drawn %v", c.shape, name, got)
			}
		}
	}
}
