package figure

import (
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"yui/assets"
	"yui/avatar/body"
	"yui/avatar/clips"
	"yui/avatar/render"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
	"yui/internal/protocol"
)

// joints are where the bones of the last frame are, in metres.
func (s *stage) joints() []geom.Vec3 {
	at := make([]geom.Vec3, len(s.pet.pose.World))
	for i, m := range s.pet.pose.World {
		at[i] = m.Pos()
	}
	return at
}

// farthest is how far any bone has come, in metres.
func farthest(from, to []geom.Vec3) (d float64) {
	for i := range from {
		d = math.Max(d, float64(from[i].Sub(to[i]).Len()))
	}
	return d
}

// A command is shown at once, and its clip begins at its beginning: no bone jumps, however long ago the last frame was.
func TestCommandedClipBeginsAtItsBeginning(t *testing.T) {
	s := newStage(t)
	before, was := s.joints(), s.pet.Frames()
	now := s.Now()
	s.Do(func() { s.pet.Do(body.Command{Action: protocol.GoToBed}, func(body.Result) {}) })
	if !s.Now().Equal(now) || s.pet.Motion() != clips.BedLie || s.pet.Frames() == was {
		t.Fatalf("not shown at once: %s, %d frames", s.pet.Motion(), s.pet.Frames()-was)
	}
	for range 60 {
		if d := farthest(before, s.joints()); d > 0.09 {
			t.Fatalf("a bone jumps by %.0f mm in one frame, %v after the command", 1000*d, s.Now().Sub(now))
		}
		before = s.joints()
		s.Advance(time.Second / 30)
	}
}

// She is drawn into a window round her, with her soles on the floor, and only where it says that it takes clicks.
func TestPetIsOnTheScreen(t *testing.T) {
	s := newStage(t)
	ink := s.ink()
	if !ink.In(s.pet.Rect()) || !ink.In(s.pet.Figure().Inset(-3)) || !s.pet.Figure().In(ink.Inset(-3)) {
		t.Errorf("drawn in %v, window %v, outline %v", ink, s.pet.Rect(), s.pet.Figure())
	}
	if d := ink.Max.Y - floor; d < -3 || d > 12 || ink.Dy() < tall*9/10 || ink.Dy() > tall*11/10 {
		t.Errorf("she is %d pixels tall and ends %d below the floor", ink.Dy(), d)
	}
	if !s.drawn(s.foot()) {
		t.Error("nothing is drawn where she is touched")
	}
	if w := s.Windows(); len(w) != 1 || w[0].Title != "Yui" || w[0].Keyboard {
		t.Errorf("windows: %+v", w)
	}
	s.Do(func() { s.pet.SetName("Mai"); s.pet.SetHeight(2 * tall) })
	s.Advance(time.Second)
	if high := s.ink().Dy(); high < tall*18/10 || s.Windows()[0].Title != "Mai" {
		t.Errorf("twice as tall she has %d pixels; %q", high, s.Windows()[0].Title)
	}
}

// What nobody sees costs nothing, and steps come at the rate that fits what she does.
func TestStepsComeAsNeeded(t *testing.T) {
	s := newStage(t)
	steps := func() (n int) {
		was := s.pet.steppedAt
		for range 200 {
			s.Advance(5 * time.Millisecond)
			if s.pet.steppedAt != was {
				n, was = n+1, s.pet.steppedAt
			}
		}
		return n
	}
	if n := steps(); n < 10 || n > 16 {
		t.Errorf("%d steps in a second while nothing is going on", n)
	}
	frames := s.pet.Frames()
	s.Do(func() { s.pet.SetTalking(true) })
	if n := steps(); n < 25 || n > 31 || s.pet.Frames() == frames {
		t.Errorf("%d steps and %d frames in a second while she speaks", n, s.pet.Frames()-frames)
	}
	s.Do(func() { s.pet.SetTalking(false) })
	s.Do(s.pet.Hide)
	frames = s.pet.Frames()
	if n := steps(); n > 10 || s.pet.Frames() != frames {
		t.Errorf("%d steps and %d frames in a second while she is hidden", n, s.pet.Frames()-frames)
	}
}

// A full screen window on her monitor takes her off the screen, and so does the person; both must want her back.
func TestHiddenUnderFullScreen(t *testing.T) {
	s := newStage(t)
	s.heard()
	set := func(want string, f func()) {
		t.Helper()
		s.Do(f)
		s.Advance(time.Second)
		if on := len(s.Windows()) == 1; on != s.pet.Seen() || on != s.pet.Visible() || on == s.ink().Empty() {
			t.Errorf("on the screen %v, seen %v, visible %v, drawn %v", on, s.pet.Seen(), s.pet.Visible(), !s.ink().Empty())
		}
		if got := strings.Join(s.heard(), " "); got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	set("gone", func() { s.pet.SetPaused(true) })
	set("", s.pet.Hide)
	set("", func() { s.pet.SetPaused(false) })
	set("seen", s.pet.Show)
	set("gone", s.pet.Hide)
	set("seen", s.pet.Show)
}

// A pet that sits goes with her window at once, and is on her feet when it closes.
func TestSheGoesWithHerHost(t *testing.T) {
	s := newStage(t)
	host := body.Window{ID: 7, App: "Editor", Names: []string{"Editor"}, Rect: body.Rect{X: 300, Y: 400, W: 500, H: 300}}
	tell := func(windows ...body.Window) {
		s.desk.Windows = windows
		s.Do(func() { s.pet.SetDesktop(s.desk, s.Now()) })
	}
	tell(host)
	var result body.Result
	s.Do(func() {
		s.pet.Do(body.Command{Action: protocol.SitOnWindow, App: "Editor"}, func(r body.Result) { result = r })
	})
	for range 40 {
		if s.Advance(time.Second / 2); result != "" {
			break
		}
	}
	if at := s.pet.Body().State(s.Now()); result != body.OK || at.Posture != body.Sitting {
		t.Fatalf("%s, %+v", result, at)
	}
	if seat := s.pet.Seat(); math.Abs(seat.Y-400) > 12 {
		t.Errorf("she sits at %.0f, the window begins at 400", seat.Y)
	}
	was := s.pet.Rect()
	host.Rect.X += 120
	if tell(host); s.pet.Rect() != was.Add(image.Pt(120, 0)) {
		t.Errorf("her window is at %v, was at %v", s.pet.Rect(), was)
	}
	tell()
	for range 40 {
		if s.Advance(time.Second / 2); s.pet.Body().State(s.Now()).Posture == body.Standing {
			break
		}
	}
	if at := s.pet.Body().State(s.Now()); at.Posture != body.Standing || s.pet.Feet().Y != floor {
		t.Errorf("without her window: %+v", at)
	}
}

// Where nothing blends windows, her window has the shape of what is solid of her.
func TestWithoutCompositor(t *testing.T) {
	s := newStage(t)
	s.Do(func() { s.pet.SetComposited(false) })
	s.Advance(time.Second)
	if n := s.black(); n != 0 {
		t.Errorf("%d pixels of nothing are seen", n)
	}
	if s.ink().Dy() < tall*9/10 {
		t.Error("she is cut away")
	}
}

// Her portrait is her head, made once for each model.
func TestPortrait(t *testing.T) {
	s := newStage(t)
	var first, again image.Image
	s.Do(func() { first, again = s.pet.Portrait(), s.pet.Portrait() })
	if first == nil || first != again {
		t.Fatal("no portrait, or one each time")
	}
	r, filled := first.Bounds(), 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if _, _, _, a := first.At(x, y).RGBA(); a > 0 {
				filled++
			}
		}
	}
	if part := float64(filled) / float64(r.Dx()*r.Dy()); part < 0.4 {
		t.Errorf("%v, %.0f %% of it filled", r, 100*part)
	}
	b, err := assets.Character("momo-small")
	if err != nil {
		t.Fatal(err)
	}
	other, err := vrm.Load(b)
	if err != nil {
		t.Fatal(err)
	}
	s.Do(func() {
		if err := s.pet.Wear(other); err != nil {
			t.Error(err)
		}
		again = s.pet.Portrait()
	})
	if s.Advance(time.Second); again == nil || again == first || s.ink().Empty() {
		t.Error("another model has the portrait of the first, or is not drawn")
	}
}

// What the person sets of how she is drawn holds from the next frame on.
func TestSettingsOfDrawing(t *testing.T) {
	s := newStage(t)
	blended := func() (n int) {
		img, err := s.pet.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		b := img.Bounds()
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				if _, _, _, a := img.At(x, y).RGBA(); a > 0x1000 && a < 0xF000 {
					n++
				}
			}
		}
		return n
	}
	s.Do(func() { s.pet.SetQuality(render.Off) })
	s.Advance(time.Second)
	hard := blended()
	s.Do(func() { s.pet.SetQuality(render.On) })
	s.Advance(time.Second)
	if smooth := blended(); hard > 10 || smooth < 100 {
		t.Errorf("%d pixels are blended with hard edges, %d with smooth ones", hard, smooth)
	}
	s.Do(func() { s.pet.SetTalking(true) })
	for _, fps := range []int{12, 48} {
		s.Do(func() { s.pet.SetFPS(fps) })
		if got := s.pet.FPS(s.Now()); got != fps {
			t.Errorf("%d frames a second, not %d", got, fps)
		}
	}
}
