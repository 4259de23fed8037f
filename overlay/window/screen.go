package window

import (
	"image"
	"image/color"
	"image/draw"
	"time"

	"gioui.org/io/key"
)

// Screen is a test's hand on a headless loop: pointer, keyboard, clock, and what is to be seen. Every method ends when the
// program has nothing more to do at that moment.
type Screen struct{ h *headless }

// Do runs f on the main thread, and what follows on it.
func (s *Screen) Do(f func()) {
	work := func() {
		f()
		s.h.settle()
	}
	if s.h.jobs == nil {
		work()
		return
	}
	done := make(chan struct{})
	select {
	case s.h.jobs <- func() { defer close(done); work() }:
		<-done
	case <-s.h.ended:
	}
}

// Advance lets time pass; every frame, timer and pause in it comes at its time. Not for a loop that is served: its clock is
// the system's.
func (s *Screen) Advance(d time.Duration) { s.Do(func() { s.h.advance(d) }) }

// Now is the time on the screen's clock. Any goroutine.
func (s *Screen) Now() time.Time { return s.h.now() }

// MoveTo brings the pointer to a point of the desktop.
func (s *Screen) MoveTo(at image.Point) {
	s.Do(func() {
		h := s.h
		if at == h.at {
			return
		}
		h.at, h.moved = at, h.now()
		h.cross()
		if p := h.target(); p != nil {
			d := at.Sub(p.at.Min)
			p.tell(Move{float32(d.X), float32(d.Y)})
		}
	})
}

// target is who hears of the pointer.
func (h *headless) target() *hpane {
	if h.grab != nil {
		return h.grab
	}
	return h.over
}

// Press puts a button of the pointer down. A panel gets the keyboard by it; a click beside all windows of ours takes it away.
func (s *Screen) Press(b Button) {
	s.Do(func() {
		h := s.h
		h.cross()
		h.buttons |= 1 << b
		h.held = h.buttons&1 != 0
		switch p := h.target(); {
		case p == nil:
			h.give(nil)
		default:
			h.grab = p
			if p.opening.kind != Figure {
				h.give(p)
			}
			p.tell(Press{b, true})
		}
	})
}

// Release lets a button go.
func (s *Screen) Release(b Button) {
	s.Do(func() {
		h := s.h
		h.buttons &^= 1 << b
		h.held = h.buttons&1 != 0
		h.target().tell(Press{b, false})
		if h.buttons == 0 {
			h.grab = nil
		}
	})
}

// Click moves to a point and clicks there.
func (s *Screen) Click(at image.Point, b Button) {
	s.MoveTo(at)
	s.Press(b)
	s.Release(b)
}

// Scroll turns the wheel by notches, away from the hand where y is above zero.
func (s *Screen) Scroll(x, y float32) { s.Do(func() { s.h.target().tell(Scroll{x, y}) }) }

// Type gives text to whoever has the keyboard.
func (s *Screen) Type(text string) {
	s.Do(func() {
		for _, r := range text {
			s.h.keys.tell(Typed{r})
		}
	})
}

// Key presses and releases a key.
func (s *Screen) Key(name key.Name, m key.Modifiers) {
	s.Do(func() { s.h.keys.tell(Key{Name: name, Modifiers: m, Down: true}) })
	s.Do(func() { s.h.keys.tell(Key{Name: name, Modifiers: m}) })
}

// Drop lets files go where the pointer is.
func (s *Screen) Drop(paths ...string) { s.Do(func() { s.h.target().tell(Drop{paths}) }) }

// Clipboard is what was copied, SetClipboard what others copied.
func (s *Screen) Clipboard() (text string) {
	s.Do(func() { text = s.h.board })
	return text
}

// SetClipboard puts text where a paste finds it.
func (s *Screen) SetClipboard(text string) { s.Do(func() { s.h.board = text }) }

// Window is one window of the program as the screen shows it.
type Window struct {
	Title    string
	At       image.Rectangle // on the desktop
	Keyboard bool            // it has the keyboard
}

// Pointer is where the pointer is.
func (s *Screen) Pointer() (at image.Point) {
	s.Do(func() { at = s.h.at })
	return at
}

// Windows are those that are shown, from the highest to the lowest.
func (s *Screen) Windows() (all []Window) {
	s.Do(func() {
		for i := len(s.h.panes) - 1; i >= 0; i-- {
			if p := s.h.panes[i]; p.shown {
				all = append(all, Window{p.name, p.at, s.h.keys == p})
			}
		}
	})
	return all
}

// Find is the room that a text has on the panels that are shown, in pixels of the desktop, the highest panel first: it begins
// at the room's upper left. It is empty where none has it.
func (s *Screen) Find(text string) (at image.Rectangle) {
	s.Do(func() {
		for i := len(s.h.panes) - 1; i >= 0 && at.Empty(); i-- {
			if p := s.h.panes[i]; p.shown && p.opening.texts != nil {
				if r, ok := p.opening.texts(text); ok {
					at = r.Add(p.at.Min)
				}
			}
		}
	})
	return at
}

// ClickOn clicks on a text of a panel, and reports whether there is one.
func (s *Screen) ClickOn(text string) bool {
	at := s.Find(text)
	if at.Empty() {
		return false
	}
	s.Click(at.Min.Add(image.Pt(5, 7)), Left) // into the first letter
	return true
}

// Colours of a screen: what lies behind all windows, and a panel.
var (
	Wallpaper = color.RGBA{0x40, 0x60, 0x7a, 0xff}
	Painted   = color.RGBA{0xff, 0xfa, 0xf0, 0xff}
)

// Image is a part of the screen.
func (s *Screen) Image(area image.Rectangle) *image.RGBA {
	img := image.NewRGBA(area)
	draw.Draw(img, area, image.NewUniform(Wallpaper), image.Point{}, draw.Src)
	s.Do(func() {
		for _, p := range s.h.panes {
			if p.shown {
				p.drawOn(img)
			}
		}
	})
	return img
}

func (p *hpane) drawOn(img *image.RGBA) {
	if p.opening.gio {
		for _, r := range p.clicks {
			draw.Draw(img, r.Add(p.at.Min), image.NewUniform(Painted), image.Point{}, draw.Src)
		}
		return
	}
	if p.pixels == nil {
		return
	}
	if p.seen == nil {
		draw.Draw(img, p.at, p.pixels, image.Point{}, draw.Over)
		return
	}
	for _, r := range p.seen { // nothing blends it: what is empty is black
		draw.Draw(img, r.Add(p.at.Min), image.Black, image.Point{}, draw.Src)
		draw.Draw(img, r.Add(p.at.Min), p.pixels, r.Min, draw.Over)
	}
}
