package figure

import (
	"image"
	"image/color"
	"sync"
	"testing"
	"time"

	"yui/assets"
	"yui/avatar/body"
	"yui/avatar/motion"
	"yui/avatar/render"
	"yui/avatar/vrm"
	"yui/overlay/window"
)

// cast is what is read once for all tests.
type cast struct {
	model, bed *vrm.Model
	ready      *render.Prepared
	clips      *motion.Library
}

var readCast = sync.OnceValues(func() (c cast, err error) {
	b, err := assets.Character("yui-small")
	if err != nil {
		return c, err
	}
	if c.model, err = vrm.Load(b); err != nil {
		return c, err
	}
	if c.ready, err = render.Prepare(c.model); err != nil {
		return c, err
	}
	if c.bed, err = vrm.LoadProp(assets.Bed()); err != nil {
		return c, err
	}
	c.clips, err = readMotions(nil)
	return c, err
})

// stage is a screen in memory with a pet on its floor.
type stage struct {
	t *testing.T
	*window.Screen
	loop *window.Loop
	pet  *Pet
	desk body.Desktop
	told []string // what the pet reported
}

// tall is her height in pixels, floor where her soles are.
const (
	tall  = 140
	floor = 760
)

// emptyStage has nobody on it.
func emptyStage(t *testing.T) *stage {
	loop, screen := window.NewHeadless(window.Headless{})
	t.Cleanup(loop.Close)
	return &stage{t: t, Screen: screen, loop: loop}
}

func newStage(t *testing.T) *stage {
	t.Helper()
	c, err := readCast()
	if err != nil {
		t.Fatal(err)
	}
	s := emptyStage(t)
	w, err := NewWardrobe(s.loop, c.clips, c.bed, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	figures := body.DefaultConfig()
	figures.Walk.On, figures.Climb.On = false, false // she goes nowhere by herself
	s.pet, err = w.NewPet(PetOptions{ID: "yui", Name: "Yui", Model: c.model, Prepared: c.ready, Height: tall, Scale: 1, FPS: 30, AllWorkspaces: true, Body: figures})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Do(func() { s.pet.Close(); w.Close() }) })
	area := body.Rect{W: 1280, H: 800}
	work := area
	work.H = floor
	s.desk = body.Desktop{Monitors: []body.Monitor{{Rect: area, WorkArea: work, Scale: 1}}}
	s.listen()
	s.Do(func() {
		s.pet.SetDesktop(s.desk, s.Now())
		s.pet.Place(body.Point{X: 640, Y: floor})
	})
	s.Advance(time.Second)
	return s
}

// listen notes what the pet reports.
func (s *stage) listen() {
	note := func(what string) { s.told = append(s.told, what) }
	p := s.pet
	p.OnClick = func() { note("click") }
	p.OnMenu = func(image.Point) { note("menu") }
	p.OnHover = func() { note("hover") }
	p.OnDrop = func(paths []string) {
		for _, path := range paths {
			note("drop " + path)
		}
	}
	p.OnSeen = func(seen bool) {
		if seen {
			note("seen")
		} else {
			note("gone")
		}
	}
	p.OnBody = func(e body.Event) { note(string(e.Name)) }
}

// heard returns what was reported since the last call.
func (s *stage) heard() []string {
	told := s.told
	s.told = nil
	return told
}

// middle is the middle of her head on the desktop, chest that of her trunk.
func (s *stage) head() image.Point {
	r := s.pet.Head()
	return image.Pt((r.Min.X+r.Max.X)/2, r.Min.Y+r.Dy()*2/3)
}

// foot is a point of her leg: nothing that feels a touch.
func (s *stage) foot() image.Point {
	r := s.pet.Figure()
	for y := r.Max.Y - 8; y > r.Min.Y; y-- {
		for x := r.Min.X; x < r.Max.X; x++ {
			if p := image.Pt(x, y); s.pet.hand.regionAt(p) == body.Elsewhere && s.drawn(p) {
				return p
			}
		}
	}
	s.t.Fatal("she has no feet")
	return image.Point{}
}

// drawn reports whether something of her is seen at a point of the desktop.
func (s *stage) drawn(at image.Point) bool {
	return s.Image(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))}).RGBAAt(at.X, at.Y) != window.Wallpaper
}

// ink is the box round all that is drawn on the desktop.
func (s *stage) ink() (r image.Rectangle) {
	s.look(func(at image.Point, c color.RGBA) {
		if c != window.Wallpaper {
			r = r.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		}
	})
	return r
}

// black is how many pixels of the screen are as black as what a window without a compositor has where it is empty.
func (s *stage) black() (n int) {
	s.look(func(_ image.Point, c color.RGBA) {
		if c == (color.RGBA{A: 255}) {
			n++
		}
	})
	return n
}

// look shows each pixel of the screen where windows are.
func (s *stage) look(f func(at image.Point, c color.RGBA)) {
	var area image.Rectangle
	for _, w := range s.Windows() {
		area = area.Union(w.At)
	}
	img := s.Image(area)
	for i := 0; i < len(img.Pix); i += 4 {
		p := img.Pix[i : i+4 : i+4]
		f(area.Min.Add(image.Pt(i/4%area.Dx(), i/4/area.Dx())), color.RGBA{p[0], p[1], p[2], p[3]})
	}
}
