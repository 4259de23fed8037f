package window

import "gioui.org/io/key"

// Event is what a surface hears: one of the types of this file. Places are in pixels of the window.
type Event interface{ isEvent() }

type (
	// Move tells where the pointer is now.
	Move struct{ X, Y float32 }
	// Cross tells that the pointer came to the window or left it, and where it came to.
	Cross struct {
		In   bool
		X, Y float32
	}
	// Press tells that a button of the pointer went down or up.
	Press struct {
		Button Button
		Down   bool
	}
	// Scroll is a turn of the wheel, in notches.
	Scroll struct{ X, Y float32 }
	// Key is a key that went down, repeats or went up. Letters are those of the layout in use.
	Key struct {
		Name      key.Name
		Modifiers key.Modifiers
		Down      bool
	}
	// Typed is a character as the keyboard or an input method gives it.
	Typed struct{ Rune rune }
	// Focus tells that the keyboard came or went.
	Focus struct{ In bool }
	// Drop is the paths of files that were let go over the window.
	Drop struct{ Paths []string }
	// Exposed tells that what was in the window is lost.
	Exposed struct{}
	// Resized tells that the server has taken a new size.
	Resized struct{}
)

func (Move) isEvent()    {}
func (Cross) isEvent()   {}
func (Press) isEvent()   {}
func (Scroll) isEvent()  {}
func (Key) isEvent()     {}
func (Typed) isEvent()   {}
func (Focus) isEvent()   {}
func (Drop) isEvent()    {}
func (Exposed) isEvent() {}
func (Resized) isEvent() {}

// Button is a button of the pointer.
type Button int

// The buttons.
const (
	Left Button = iota
	Right
	Middle
)
