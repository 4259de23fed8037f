package window

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
	hear       func(Event)
	changed    bool // what it is blended with: the content must be drawn anew
}

// NewSurface makes a hidden surface. onMain only.
func (l *Loop) NewSurface(kind Kind, title string, size image.Point) (s *Surface, err error) {
	defer Recovered("open window", &err)
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
	listen(w, func(e Event) {
		if s.hear != nil {
			s.hear(e)
		}
	})
	w.MakeContextCurrent()
	glfw.SwapInterval(0) // waiting for the screen does not throttle software GL; the frame clock is ours
	return s, nil
}

// Listen sets who hears the surface's events, on the main thread.
func (s *Surface) Listen(hear func(Event)) { s.hear = hear }

// At is where the surface is on the desktop, or will be when it is shown.
func (s *Surface) At() image.Rectangle { return s.at }

// Shown reports whether it is mapped.
func (s *Surface) Shown() bool { return s.shown }

// Composited reports whether a compositor blends it.
func (s *Surface) Composited() bool { return s.composited }

// Outline is what takes clicks, in pixels of the window.
func (s *Surface) Outline() []image.Rectangle { return s.outline }

// SetTitle gives it another name.
func (s *Surface) SetTitle(title string) { s.win.SetTitle(title) }

// SetAllWorkspaces tells whether it is to be seen on all workspaces, from when it is shown next.
func (s *Surface) SetAllWorkspaces(yes bool) { s.workspaces = yes }

// Show maps the surface at r without taking the focus.
func (s *Surface) Show(r image.Rectangle) {
	s.Place(r)
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

// Hide unmaps the surface.
func (s *Surface) Hide() {
	if s.shown {
		s.shown = false
		s.win.Hide()
	}
}

// Place moves and sizes the surface.
func (s *Surface) Place(r image.Rectangle) {
	if r.Size() != s.at.Size() {
		s.win.SetSize(r.Dx(), r.Dy())
	}
	if r.Min != s.at.Min {
		s.win.SetPos(r.Min.X, r.Min.Y)
	}
	s.at = r
}

// checkLanding asks the server, a moment after mapping, whether the window lies where it was put. Tiling managers
// Place docks as they like; then the surface leaves their hands (docs/rules/desktop.md#windows-of-ours).
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
	s.Hide()
	s.bare = true
	s.loop.x.overrideRedirect(s.id)
	s.loop.x.conn.Sync()
	r := s.at
	s.at = image.Rectangle{Max: r.Size()}
	s.Show(r)
	s.loop.x.raise(s.id)
}

// SetOutline limits clicks to rects, in pixels of the window, y-sorted and apart. Without a compositor it limits what
// is seen as well, since empty pixels would be black.
func (s *Surface) SetOutline(rects []image.Rectangle) {
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

// Cut limits what is seen of a surface that nothing blends, apart from what takes clicks: the rest would be black.
func (s *Surface) Cut(rects []image.Rectangle) {
	s.loop.x.setShape(s.id, shape.SkBounding, rects)
	s.loop.x.conn.Sync() // GLFW draws on its own connection: what opens after the picture stays black
}

// Focus asks for the keyboard.
func (s *Surface) Focus() { s.win.Focus() }

// Current makes the surface's GL context that of this thread.
func (s *Surface) Current() { s.win.MakeContextCurrent() }

// Swap shows what was drawn.
func (s *Surface) Swap() { s.win.SwapBuffers() }

// Destroy closes the window. GL objects of its context must have been released before.
func (s *Surface) Destroy() {
	s.shown = false
	s.win.Destroy()
	s.win = nil
}
