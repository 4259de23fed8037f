package window

import (
	"image"
	"time"

	"gioui.org/layout"
	"gioui.org/op"
)

// driver is a window system: windows, events, pointer, clipboard and clock. x11.go is one, headless.go another; a new one
// is a file, and its case in NewLoop. All methods are called on the main thread unless they say otherwise.
type driver interface {
	// open makes a hidden window.
	open(o opening) (pane, error)
	// wait handles the events that are there, and waits for one at most d where there is none; for ever where d < 0.
	wait(d time.Duration)
	// wake ends a wait. Any goroutine.
	wake()
	// gone is closed when the display is lost. Any goroutine.
	gone() <-chan struct{}

	// pointer is where the pointer was lately and for how long it has rested there, without asking anybody.
	pointer() (at image.Point, rested time.Duration)
	// pointerNow asks where it is, and whether its first button is held. That may take a round trip.
	pointerNow() (at image.Point, held bool)
	clipboard() string
	setClipboard(text string)

	// renderer names the GL that windows are drawn with, "" where they have none: then they are given pixels.
	renderer() string
	// share makes the GL context current in which shared objects are made. Nothing where there is none.
	share()
	// rehearse has panels be tried that have the sample on them, where the first one takes long else. It returns at once.
	rehearse(sample func(gtx layout.Context))

	now() time.Time
	// after runs f on the main thread when d has passed.
	after(d time.Duration, f func())
	close()
}

// opening is what a window is opened with.
type opening struct {
	kind  Kind
	title string
	size  image.Point
	gio   bool                                 // it is painted by pane.paint, else by its own GL context or with pixels
	hear  func(Event)                          // gets its events, on the main thread
	texts func(string) (image.Rectangle, bool) // where a text stands in it; nil but for panels. For assistive technology and tests
	post  func(func())                         // runs something on the main thread. Any goroutine
}

// pane is one window of a driver. Surface keeps what is to be known of it, so that a driver need not.
type pane interface {
	// place moves and sizes the window, in pixels of the desktop.
	place(r image.Rectangle)
	// show maps it without taking the keyboard, on this workspace or on all.
	show(everywhere bool)
	hide()
	// spread puts a window that was shown before on all workspaces, or on this one alone, whether it is seen just now or not.
	spread(everywhere bool)
	// shape limits clicks to rectangles of the window, y-sorted and apart, and what is seen to others; seen is nil for all of it.
	shape(clicks, seen []image.Rectangle)
	title(s string)

	// focus asks for the keyboard. borrow remembers who has it, giveBack returns it unless the person has gone elsewhere.
	focus()
	borrow()
	giveBack()

	// current makes the window's GL context that of the main thread, its back buffer bound. Nothing where there is none.
	current()
	// finish waits until GL has drawn all in that context.
	finish()
	// present shows pixels, premultiplied and as large as the window, or what GL has drawn where they are nil.
	present(pixels *image.RGBA)
	// paint has ops painted and shown, beside the main thread where that takes long; with nil, what was painted last is shown
	// once more. done is told on the main thread, after paint has returned. ops are not to be touched before.
	paint(ops *op.Ops, size image.Point, done func(error))
	close()
}
