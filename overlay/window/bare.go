package window

import (
	"image"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/op"
)

// Bare is a panel without a window, by which tests lay out and send events.
type Bare struct{ *Panel }

// NewBare makes a shown one of the given size at scale 1.
func NewBare(size image.Point) Bare {
	p := &Panel{Surface: &Surface{}, ops: new(op.Ops), inks: new(op.Ops), scale: 1}
	p.shown, p.at = true, image.Rectangle{Max: size}
	return Bare{p}
}

// Point sends an event of the pointer, with the buttons that are down after it.
func (b Bare) Point(kind pointer.Kind, at, scroll f32.Point, down pointer.Buttons) {
	b.cursor, b.buttons = at, down
	b.point(kind, scroll.X, scroll.Y)
}

// Queue sends any event of Gio.
func (b Bare) Queue(e event.Event) { b.queue(e) }

// Dirty reports whether a frame was asked for since the last call.
func (b Bare) Dirty() bool {
	was := b.dirty
	b.dirty = false
	return was
}

// SetShown makes it seem to be mapped or not.
func (b Bare) SetShown(yes bool) { b.shown = yes }
