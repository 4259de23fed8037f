package window

import (
	"fmt"
	"image"
)

// Kind says what a surface is to the window manager.
type Kind int

// The kinds of surface.
const (
	Figure  Kind = iota // a pet: never focused, above all, may lie partly off the screen
	Talking             // bubble, menu and panels: managed and focusable
)

// Surface is one transparent window with an input shape. In physical pixels of the desktop.
type Surface struct {
	loop *Loop
	pane pane // nil once it is destroyed
	name string

	at         image.Rectangle
	shown      bool
	everywhere bool
	known      bool // it was shown before
	composited bool
	outline    []image.Rectangle
	hear       func(Event)
	changed    bool // what it is blended with: the content must be drawn anew
}

// NewSurface makes a hidden surface.
func (l *Loop) NewSurface(kind Kind, title string, size image.Point) (*Surface, error) {
	return l.open(opening{kind: kind, title: title, size: size})
}

func (l *Loop) open(o opening) (*Surface, error) {
	s := &Surface{loop: l, name: o.title, at: image.Rectangle{Max: o.size}, everywhere: true, composited: true}
	o.post = l.Do
	o.hear = func(e Event) {
		if s.hear != nil {
			s.hear(e)
		}
	}
	var err error
	if s.pane, err = l.driver.open(o); err != nil {
		return nil, fmt.Errorf("open surface: %w", err)
	}
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
func (s *Surface) SetTitle(title string) { s.pane.title(title) }

// SetAllWorkspaces tells whether it is to be seen on all workspaces, or on the present one alone.
func (s *Surface) SetAllWorkspaces(yes bool) {
	if yes != s.everywhere {
		s.everywhere = yes
		if s.known {
			s.pane.spread(yes)
		}
	}
}

// Show maps the surface at r without taking the focus.
func (s *Surface) Show(r image.Rectangle) {
	s.Place(r)
	if s.shown {
		return
	}
	s.pane.show(s.everywhere)
	s.known = true
	s.shown = true
}

// Hide unmaps the surface.
func (s *Surface) Hide() {
	if s.shown {
		s.shown = false
		s.pane.hide()
	}
}

// Place moves and sizes the surface.
func (s *Surface) Place(r image.Rectangle) {
	if r != s.at {
		s.at = r
		s.pane.place(r)
	}
}

// SetOutline limits clicks to rects, in pixels of the window, y-sorted and apart. Without a compositor it limits what
// is seen as well, since empty pixels would be black.
func (s *Surface) SetOutline(rects []image.Rectangle) {
	if rects == nil {
		rects = []image.Rectangle{}
	}
	s.outline = rects
	s.applyShape()
}

// SetComposited tells whether a compositor blends the surface now.
func (s *Surface) SetComposited(yes bool) {
	if s.composited != yes {
		s.composited = yes
		s.changed = true
		s.applyShape()
	}
}

func (s *Surface) applyShape() {
	switch {
	case s.outline == nil:
	case s.composited:
		s.pane.shape(s.outline, nil)
	default:
		s.pane.shape(s.outline, s.outline)
	}
}

// Cut limits what is seen of a surface that nothing blends, apart from what takes clicks: the rest would be black.
func (s *Surface) Cut(rects []image.Rectangle) {
	if rects == nil {
		rects = []image.Rectangle{}
	}
	s.pane.shape(s.outline, rects)
}

// Focus asks for the keyboard.
func (s *Surface) Focus() { s.pane.focus() }

// Current makes the surface's GL context that of the main thread, with the window's back buffer bound. It does nothing
// where Loop.GL is false.
func (s *Surface) Current() { s.pane.current() }

// Finish waits until GL has drawn what it was asked to. It does nothing where Loop.GL is false.
func (s *Surface) Finish() { s.pane.finish() }

// Present shows pixels, premultiplied and as large as the surface; nil shows what GL has drawn in the surface's context.
func (s *Surface) Present(pixels *image.RGBA) { s.pane.present(pixels) }

// Destroy closes the window. GL objects of its context must have been released before.
func (s *Surface) Destroy() {
	s.shown = false
	s.pane.close()
	s.pane = nil
}
