package window

import (
	"image"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/io/input"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/transfer"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/unit"
)

// Panel is Gio in a surface of ours: it feeds the surface's events to a Gio router, and has the driver paint what Layout lays
// out. Nothing of Gio's own windows or loop is used.
type Panel struct {
	*Surface
	scale  float32
	router input.Router
	ops    *op.Ops // what layout writes
	inks   *op.Ops // what the painter reads
	start  time.Time

	// Layout draws the content for the size of the surface and returns the rectangles that take clicks.
	Layout func(gtx layout.Context) []image.Rectangle
	// OnKey sees a key before the content does; true keeps it from it.
	OnKey func(e key.Event) bool
	// OnHover tells that the pointer came or left, OnFocus that the keyboard did.
	OnHover func(in bool)
	OnFocus func(in bool)

	pending string // typed text that is not in the editor yet
	unread  bool   // a key or a press that may move the caret went to the router since its last frame
	buttons pointer.Buttons
	cursor  f32.Point
	dirty   bool
	exposed bool      // what is in the window was lost, the picture still has it
	busy    bool      // the painter is at a frame of it
	wanted  bool      // to be shown when its first frame is there
	focused bool      // to be given the keyboard then
	wake    time.Time // Gio wants a frame then (caret, animation)
}

// NewPanel makes a hidden panel. scale is the content scale.
func (l *Loop) NewPanel(kind Kind, title string, size image.Point, scale float32) (*Panel, error) {
	p := &Panel{scale: scale, start: l.Now(), dirty: true, ops: new(op.Ops), inks: new(op.Ops)}
	var err error
	if p.Surface, err = l.open(opening{kind: kind, title: title, size: size, gio: true, texts: p.find}); err != nil {
		return nil, err
	}
	p.Listen(p.hear)
	return p, nil
}

// find is the room that a text was given in the last layout, in pixels of the window: it begins at the upper left.
func (p *Panel) find(text string) (image.Rectangle, bool) {
	for _, n := range p.router.AppendSemantics(nil) {
		r := n.Desc.Bounds.Intersect(image.Rectangle{Max: p.at.Size()})
		if n.Desc.Label == text && !r.Empty() {
			return r, true
		}
	}
	return image.Rectangle{}, false
}

// Close ends the panel and its window. Whoever embeds it takes itself out of the loop.
func (p *Panel) Close() { p.Destroy() }

// Conceal hides the panel, or takes back that it was to be shown.
func (p *Panel) Conceal() {
	if !p.Visible() {
		return
	}
	p.wanted, p.focused = false, false
	p.Hide()
}

// Visible tells whether it is seen or about to be.
func (p *Panel) Visible() bool { return p.shown || p.wanted }

// Focus gives it the keyboard, now or when it is shown.
func (p *Panel) Focus() {
	if p.shown {
		p.Surface.Focus()
		return
	}
	p.focused = p.wanted
}

// BorrowKeyboard remembers who has the keyboard; call it before Focus. ReturnKeyboard gives it back, unless the person has
// gone elsewhere by then. Neither waits.
func (p *Panel) BorrowKeyboard() { p.pane.borrow() }

// ReturnKeyboard gives the keyboard back, see BorrowKeyboard.
func (p *Panel) ReturnKeyboard() { p.pane.giveBack() }

// FocusContent tells the content that it has the keyboard, before the window manager says so.
func (p *Panel) FocusContent() { p.queue(key.FocusEvent{Focus: true}) }

// Keyboard tells which widget of the content has the keyboard.
func (p *Panel) Keyboard() input.Source { return p.router.Source() }

// Scale is physical pixels a logical one.
func (p *Panel) Scale() float32 { return p.scale }

// Loop is the panel's loop.
func (p *Panel) Loop() *Loop { return p.loop }

// Invalidate asks for a frame.
func (p *Panel) Invalidate() { p.dirty = true }

// Next tells when the content wants a frame.
func (p *Panel) Next(now time.Time) (time.Time, bool) {
	switch {
	case !p.shown || p.busy:
		return time.Time{}, false
	case p.dirty || p.changed || p.exposed:
		return now, true
	case !p.wake.IsZero():
		return p.wake, true
	}
	return time.Time{}, false
}

// Tick begins one frame.
func (p *Panel) Tick(now time.Time) {
	due := !p.wake.IsZero() && !now.Before(p.wake)
	switch {
	case !p.shown || p.busy:
	case p.exposed && !p.dirty && !p.changed && !due:
		p.again()
	default:
		p.draw()
	}
}

func (p *Panel) fail(err error) {
	p.loop.log.Error("panel", "window", p.name, "error", err)
	p.Conceal()
}

func (p *Panel) context(now time.Time) layout.Context {
	p.ops.Reset()
	return layout.Context{
		Ops: p.ops, Now: now, Source: p.router.Source(),
		Metric:      unit.Metric{PxPerDp: p.scale, PxPerSp: p.scale},
		Constraints: layout.Exact(p.at.Size()),
	}
}

// Settle lays out without drawing, so that the router knows what the queued events have done.
func (p *Panel) Settle() []image.Rectangle {
	now := p.loop.Now()
	rects := p.Layout(p.context(now))
	p.router.Frame(p.ops)
	p.unread = false
	return rects
}

// plan notes when the content wants its next frame. It asks for one as soon as possible by naming no time; that is one
// step of a fade away, so that it ends although nothing else changes.
func (p *Panel) plan(now time.Time) {
	const step = time.Second / 60
	at, ok := p.router.WakeupTime()
	switch {
	case !ok:
		at = time.Time{}
	case at.Before(now.Add(step)):
		at = now.Add(step)
	}
	p.wake = at
}

// draw lays out, and has the painter paint that. What happens meanwhile comes with the next frame.
func (p *Panel) draw() {
	if err := p.begin(); err != nil {
		p.fail(err)
	}
}

func (p *Panel) begin() (err error) {
	defer Recovered("draw", &err)
	p.flush()
	p.dirty, p.changed, p.exposed = false, false, false
	rects := p.Settle()
	p.plan(p.loop.Now())
	p.clipboard()
	size := p.at.Size()
	p.ops, p.inks = p.inks, p.ops
	p.busy = true
	p.pane.paint(p.inks, size, func(err error) { p.painted(err, rects) })
	return nil
}

// painted is what follows on a frame, on the main thread again.
func (p *Panel) painted(err error, rects []image.Rectangle) {
	p.busy = false
	switch {
	case p.pane == nil:
		return
	case err != nil:
		p.fail(err)
		return
	}
	if !slices.Equal(rects, p.outline) {
		p.SetOutline(rects)
	}
	if p.wanted && !p.shown {
		p.wanted = false
		p.Show(p.at)
		p.exposed = true // what was drawn into an unmapped window may be lost
		if p.focused {
			p.focused = false
			p.Surface.Focus()
		}
	}
}

// again puts the picture into the window once more.
func (p *Panel) again() {
	p.exposed = false
	p.busy = true
	p.pane.paint(nil, p.at.Size(), func(error) { p.busy = false })
}

// Reveal maps the panel as soon as its picture is drawn: a window that is mapped empty shows what was there before.
func (p *Panel) Reveal() {
	if p.shown || p.wanted {
		return
	}
	p.wanted = true
	if p.busy {
		p.Settle() // finds the place; the painter comes to it in time
		return
	}
	p.draw()
}

// queue hands an event to Gio. It panics at kinds that it does not expect; that must not end the process.
func (p *Panel) queue(e event.Event) {
	var err error
	defer func() {
		if err != nil {
			p.loop.log.Error("panel", "window", p.name, "error", err)
		}
	}()
	defer Recovered("hand event to Gio", &err)
	p.dirty = true
	p.router.Queue(e)
}

// flush puts typed text where the caret is.
func (p *Panel) flush() {
	if p.pending == "" {
		return
	}
	p.catchUp()
	text := p.pending
	p.pending = ""
	sel := p.router.EditorState().Selection.Range
	p.queue(key.EditEvent{Range: sel, Text: text})
	end := min(sel.Start, sel.End) + utf8.RuneCountInString(text)
	p.queue(key.SelectionEvent(key.Range{Start: end, End: end}))
	p.Settle()
}

// catchUp lets what was pressed before take its effect: the caret may stand elsewhere, or in another field.
func (p *Panel) catchUp() {
	if p.unread {
		p.Settle()
	}
}

func (p *Panel) clipboard() {
	if mime, content, ok := p.router.WriteClipboard(); ok && strings.Contains(mime, "text") {
		p.loop.driver.setClipboard(string(content))
	}
	if p.router.ClipboardRequested() {
		text := p.loop.driver.clipboard()
		p.queue(transfer.DataEvent{Type: "application/text", Open: func() io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }})
	}
}

// hear takes an event of the window.
func (p *Panel) hear(e Event) {
	switch e := e.(type) {
	case Typed:
		p.pending += string(e.Rune)
		p.dirty = true
	case Key:
		p.key(e)
	case Move:
		p.cursor = f32.Pt(e.X, e.Y)
		p.point(pointer.Move, 0, 0)
	case Press:
		if bit := pointer.Buttons(1) << e.Button; e.Down { // Gio's bits are in the order of ours
			p.press(bit)
		} else {
			p.buttons &^= bit
			p.point(pointer.Release, 0, 0)
		}
	case Scroll:
		p.point(pointer.Scroll, -e.X*40, -e.Y*40)
	case Cross:
		p.cross(e)
	case Exposed:
		p.exposed = true
	case Resized:
		// The server takes a new size a moment after it was asked for, and a window that shrinks is not exposed: a frame
		// drawn in between lies too low.
		p.dirty = true
	case Focus:
		p.queue(key.FocusEvent{Focus: e.In})
		if p.OnFocus != nil {
			p.OnFocus(e.In)
		}
	}
}

// cross takes the pointer to where it came in: no place is told twice, so that a pointer that comes back to the very pixel
// that it left (a bubble that went and came under a hand at rest) would never be seen again. When it leaves, nothing
// stays lit; while a button holds something it is still followed outside of the window.
func (p *Panel) cross(e Cross) {
	switch {
	case e.In:
		p.cursor = f32.Pt(e.X, e.Y)
		p.point(pointer.Move, 0, 0)
	case p.buttons == 0:
		p.cursor = f32.Pt(-1, -1)
		p.point(pointer.Move, 0, 0)
	}
	if p.OnHover != nil {
		p.OnHover(e.In)
	}
}

// point queues an event of the pointer. A move with a button down becomes a drag in Gio's router, which takes no drag
// from outside.
func (p *Panel) point(kind pointer.Kind, dx, dy float32) {
	p.queue(pointer.Event{Kind: kind, Source: pointer.Mouse, Position: p.cursor, Buttons: p.buttons,
		Scroll: f32.Pt(dx, dy), Time: p.loop.Now().Sub(p.start)})
}

// press puts a button down where the pointer is. What was typed before belongs to the field before.
func (p *Panel) press(b pointer.Buttons) {
	p.flush()
	p.buttons |= b
	p.point(pointer.Press, 0, 0)
	p.unread = true
}

func (p *Panel) key(k Key) {
	p.flush()
	p.catchUp()
	e := key.Event{Name: k.Name, Modifiers: k.Modifiers, State: key.Release}
	if k.Down {
		e.State = key.Press
	}
	if p.OnKey != nil && p.OnKey(e) {
		return
	}
	p.queue(e)
	p.unread = true
}
