package overlay

import (
	"fmt"
	"image"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xproto"
)

// Kind says what a surface is to the window manager.
type Kind int

// The kinds of surface.
const (
	Figure  Kind = iota // a pet: never focused, above all, may lie partly off the screen
	Talking             // bubble and input: managed and focusable
	Popup               // a menu: not managed
)

// Surface is one transparent GLFW window with an input shape. In physical pixels of the root window.
type Surface struct {
	loop *Loop
	win  *glfw.Window
	id   xproto.Window
	kind Kind
	name string

	at         image.Rectangle
	shown      bool
	bare       bool // override-redirect: the window manager would not leave it where it was put
	workspaces bool
	composited bool
	outline    []image.Rectangle
	changed    bool // what it is blended with: the content must be drawn anew
}

// newSurface makes a hidden surface. onMain only.
func (l *Loop) newSurface(kind Kind, title string, size image.Point) (s *Surface, err error) {
	defer recovered("open window", &err)
	hint()
	w, err := glfw.CreateWindow(size.X, size.Y, title, nil, l.root)
	if err != nil {
		return nil, fmt.Errorf("open window %s: %w", title, err)
	}
	s = &Surface{loop: l, win: w, id: xproto.Window(uint32(w.GetX11Window())), kind: kind, name: title,
		at: image.Rectangle{Max: size}, workspaces: true, composited: true}
	if kind == Popup {
		s.bare = true
		l.x.overrideRedirect(s.id)
	}
	w.MakeContextCurrent()
	glfw.SwapInterval(0) // waiting for the screen does not throttle software GL; the frame clock is ours
	return s, nil
}

// show maps the surface at r without taking the focus.
func (s *Surface) show(r image.Rectangle) {
	s.place(r)
	if s.shown {
		return
	}
	s.loop.x.dress(s.id, s.kind, s.workspaces)
	s.loop.x.conn.Sync() // GLFW maps on its own connection: the properties must be there before
	s.win.Show()
	s.shown = true
	s.applyShape()
	if s.kind == Figure && !s.bare {
		s.checkLanding()
	}
}

// hide unmaps the surface.
func (s *Surface) hide() {
	if s.shown {
		s.shown = false
		s.win.Hide()
	}
}

// place moves and sizes the surface.
func (s *Surface) place(r image.Rectangle) {
	if r.Size() != s.at.Size() {
		s.win.SetSize(r.Dx(), r.Dy())
	}
	if r.Min != s.at.Min {
		s.win.SetPos(r.Min.X, r.Min.Y)
	}
	s.at = r
}

// checkLanding asks the server, a moment after mapping, whether the window lies where it was put. Tiling managers
// place docks as they like; then the surface leaves their hands (docs/rules/desktop.md#windows-of-ours).
func (s *Surface) checkLanding() {
	x, id := s.loop.x, s.id
	time.AfterFunc(300*time.Millisecond, func() {
		t, err := xproto.TranslateCoordinates(x.conn, id, x.root, 0, 0).Reply()
		if err != nil {
			return
		}
		s.loop.Do(func() {
			if !s.shown || s.bare || s.win == nil {
				return
			}
			now := image.Pt(int(t.DstX), int(t.DstY))
			if d := now.Sub(s.at.Min); d.X*d.X+d.Y*d.Y > 40*40 {
				s.loop.log.Info("the window manager moved the pet's window; it goes on unmanaged", "asked", s.at.Min, "got", now)
				s.unmanage()
			}
		})
	})
}

func (s *Surface) unmanage() {
	s.hide()
	s.bare = true
	s.loop.x.overrideRedirect(s.id)
	s.loop.x.conn.Sync()
	r := s.at
	s.at = image.Rectangle{Max: r.Size()}
	s.show(r)
	s.loop.x.raise(s.id)
}

// setOutline limits clicks to rects, in pixels of the window, y-sorted and apart. Without a compositor it limits what
// is seen as well, since empty pixels would be black.
func (s *Surface) setOutline(rects []image.Rectangle) {
	if rects == nil {
		rects = []image.Rectangle{}
	}
	s.outline = rects
	if s.shown {
		s.applyShape()
	}
}

// SetComposited tells whether a compositor blends the surface now.
func (s *Surface) SetComposited(yes bool) {
	if s.composited != yes {
		s.composited = yes
		s.changed = true
		if s.shown {
			s.applyShape()
		}
	}
}

func (s *Surface) applyShape() {
	if s.outline == nil {
		return
	}
	s.loop.x.setShape(s.id, shape.SkInput, s.outline)
	if s.composited {
		s.loop.x.setShape(s.id, shape.SkBounding, nil)
	} else {
		s.loop.x.setShape(s.id, shape.SkBounding, s.outline)
	}
}

// focus asks for the keyboard.
func (s *Surface) focus() { s.win.Focus() }

func (s *Surface) current() { s.win.MakeContextCurrent() }

func (s *Surface) swap() { s.win.SwapBuffers() }

// destroy closes the window. GL objects of its context must have been released before.
func (s *Surface) destroy() {
	s.shown = false
	s.win.Destroy()
	s.win = nil
}
