package overlay

import (
	"image"
	"io"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/io/input"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/io/transfer"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/unit"
	"github.com/go-gl/glfw/v3.3/glfw"

	"yui/overlay/xkey"
)

// panel is Gio in a surface of ours: it feeds GLFW's events to a Gio router and draws what layout lays out. Nothing of
// Gio's own windows or loop is used, so that another drawing backend concerns this file alone.
type panel struct {
	*Surface
	scale  float32
	router input.Router
	ops    *op.Ops // what layout writes
	inks   *op.Ops // what the painter reads
	drawn  picture // the painter's
	counts bool    // among those that the painter's tools are kept for
	start  time.Time

	// layout draws the content for the size of the surface and returns the rectangles that take clicks.
	layout func(gtx layout.Context) []image.Rectangle
	// onKey sees a key before the content does; true keeps it from it.
	onKey func(e key.Event) bool

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

func (l *Loop) newPanel(kind Kind, title string, size image.Point, scale float32) (*panel, error) {
	if err := l.readyPainter(); err != nil {
		return nil, err
	}
	s, err := l.newSurface(kind, title, size)
	if err != nil {
		return nil, err
	}
	p := &panel{Surface: s, scale: scale, start: time.Now(), dirty: true, ops: new(op.Ops), inks: new(op.Ops)}
	detach() // its context is the painter's
	l.x.background(s.id, true)
	p.bind()
	l.painter.do(func(e *easel) {
		if err := p.enlist(e); err != nil {
			l.log.Warn("panel", "window", title, "error", err) // the first frame tries again
		}
	})
	return p, nil
}

// close ends the panel and its window. Whoever embeds it takes itself out of the loop.
func (p *panel) close() {
	p.release()
	p.destroy()
}

// release gives the picture's memory back, and the painter's tools with the last of the panels.
func (p *panel) release() {
	p.loop.painter.wait(func(e *easel) {
		if p.counts {
			p.counts = false
			e.leave(&p.drawn)
		}
		detach()
	})
}

// conceal hides the panel, or takes back that it was to be shown.
func (p *panel) conceal() {
	if !p.visible() {
		return
	}
	p.wanted, p.focused = false, false
	p.hide()
	p.loop.x.background(p.id, true)
}

// visible tells whether it is seen or about to be.
func (p *panel) visible() bool { return p.shown || p.wanted }

// focus gives it the keyboard, now or when it is shown.
func (p *panel) focus() {
	if p.shown {
		p.Surface.focus()
		return
	}
	p.focused = p.wanted
}

// invalidate asks for a frame.
func (p *panel) invalidate() { p.dirty = true }

// Next tells when the content wants a frame.
func (p *panel) Next(now time.Time) (time.Time, bool) {
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
func (p *panel) Tick(now time.Time) {
	due := !p.wake.IsZero() && !now.Before(p.wake)
	switch {
	case !p.shown || p.busy:
	case p.exposed && !p.dirty && !p.changed && !due:
		p.again()
	default:
		p.draw()
	}
}

func (p *panel) fail(err error) {
	p.loop.log.Error("panel", "window", p.name, "error", err)
	p.conceal()
}

func (p *panel) context(now time.Time) layout.Context {
	p.ops.Reset()
	return layout.Context{
		Ops: p.ops, Now: now, Source: p.router.Source(),
		Metric:      unit.Metric{PxPerDp: p.scale, PxPerSp: p.scale},
		Constraints: layout.Exact(p.at.Size()),
	}
}

// settle lays out without drawing, so that the router knows what the queued events have done.
func (p *panel) settle() []image.Rectangle {
	now := time.Now()
	rects := p.layout(p.context(now))
	p.router.Frame(p.ops)
	p.unread = false
	return rects
}

// plan notes when the content wants its next frame. It asks for one as soon as possible by naming no time; that is one
// step of a fade away, so that it ends although nothing else changes.
func (p *panel) plan(now time.Time) {
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
func (p *panel) draw() {
	if err := p.begin(); err != nil {
		p.fail(err)
	}
}

func (p *panel) begin() (err error) {
	defer recovered("draw", &err)
	p.flush()
	p.dirty, p.changed, p.exposed = false, false, false
	rects := p.settle()
	p.plan(time.Now())
	p.clipboard()
	size := p.at.Size()
	p.ops, p.inks = p.inks, p.ops
	p.busy = true
	p.loop.painter.do(func(e *easel) {
		err := p.paint(e, size)
		p.loop.Do(func() { p.painted(err, rects) })
	})
	return nil
}

// paint runs on the painter's thread.
func (p *panel) paint(e *easel, size image.Point) (err error) {
	defer recovered("draw", &err)
	if err := p.enlist(e); err != nil {
		return err
	}
	if err := e.draw(p.inks, size, &p.drawn); err != nil {
		return err
	}
	p.present()
	return nil
}

// enlist readies the painter's tools for this panel, once. On the painter's thread.
func (p *panel) enlist(e *easel) (err error) {
	defer recovered("ready painter", &err)
	if p.counts {
		return nil
	}
	if err := e.join(); err != nil {
		return err
	}
	p.counts = true
	p.current()
	glfw.SwapInterval(0)
	return nil
}

// present brings the picture to the window. On the painter's thread, where the window's context stays.
func (p *panel) present() {
	p.current()
	p.drawn.show()
	p.swap()
}

// painted is what follows on a frame, on the main thread again.
func (p *panel) painted(err error, rects []image.Rectangle) {
	p.busy = false
	switch {
	case p.win == nil:
		return
	case err != nil:
		p.fail(err)
		return
	}
	if !sameRects(rects, p.outline) {
		p.setOutline(rects)
	}
	if p.wanted && !p.shown {
		p.wanted = false
		p.show(p.at)
		p.exposed = true // what was drawn into an unmapped window may be lost
		if p.focused {
			p.focused = false
			p.Surface.focus()
		}
	}
}

// again puts the picture into the window once more.
func (p *panel) again() {
	p.exposed = false
	p.busy = true
	p.loop.painter.do(func(*easel) {
		if p.counts {
			p.present()
		}
		p.loop.Do(func() {
			p.busy = false
			if p.shown {
				p.loop.x.background(p.id, false)
			}
		})
	})
}

func sameRects(a, b []image.Rectangle) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// reveal maps the panel as soon as its picture is drawn: a window that is mapped empty shows what was there before.
func (p *panel) reveal() {
	if p.shown || p.wanted {
		return
	}
	p.wanted = true
	if p.busy {
		p.settle() // finds the place; the painter comes to it in time
		return
	}
	p.draw()
}

// queue hands an event to Gio. It panics at kinds that it does not expect; that must not end the process.
func (p *panel) queue(e event.Event) {
	var err error
	defer func() {
		if err != nil {
			p.loop.log.Error("panel", "window", p.name, "error", err)
		}
	}()
	defer recovered("hand event to Gio", &err)
	p.dirty = true
	p.router.Queue(e)
}

// flush puts typed text where the caret is.
func (p *panel) flush() {
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
	p.settle()
}

// catchUp lets what was pressed before take its effect: the caret may stand elsewhere, or in another field.
func (p *panel) catchUp() {
	if p.unread {
		p.settle()
	}
}

func (p *panel) clipboard() {
	if mime, content, ok := p.router.WriteClipboard(); ok && strings.Contains(mime, "text") {
		glfw.SetClipboardString(string(content))
	}
	if p.router.ClipboardRequested() {
		text := glfw.GetClipboardString()
		p.queue(transfer.DataEvent{Type: "application/text", Open: func() io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }})
	}
}

func (p *panel) bind() {
	w := p.win
	w.SetCharCallback(func(_ *glfw.Window, r rune) {
		p.pending += string(r)
		p.dirty = true
	})
	w.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, code int, a glfw.Action, m glfw.ModifierKey) {
		if name, ok := keyName(k, func() rune { return letter(k, code) }); ok {
			p.key(name, a, m)
		}
	})
	w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		p.cursor = f32.Pt(float32(x), float32(y))
		p.point(pointer.Move, 0, 0)
	})
	w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, a glfw.Action, _ glfw.ModifierKey) {
		bit := [...]pointer.Buttons{pointer.ButtonPrimary, pointer.ButtonSecondary, pointer.ButtonTertiary}
		if int(b) >= len(bit) {
			return
		}
		if a == glfw.Press {
			p.press(bit[b])
		} else {
			p.buttons &^= bit[b]
			p.point(pointer.Release, 0, 0)
		}
	})
	w.SetScrollCallback(func(_ *glfw.Window, dx, dy float64) { p.point(pointer.Scroll, float32(-dx*40), float32(-dy*40)) })
	w.SetCursorEnterCallback(func(_ *glfw.Window, in bool) {
		if in {
			p.enter()
		} else {
			p.leave()
		}
	})
	w.SetRefreshCallback(func(*glfw.Window) { p.exposed = true })
	// The server takes a new size a moment after it was asked for, and a window that shrinks is not exposed: a frame drawn
	// in between lies too low.
	w.SetSizeCallback(func(*glfw.Window, int, int) { p.dirty = true })
	w.SetFocusCallback(func(_ *glfw.Window, in bool) { p.queue(key.FocusEvent{Focus: in}) })
	w.SetCloseCallback(func(w *glfw.Window) { w.SetShouldClose(false) })
}

// enter takes the pointer to where it is: GLFW tells no place twice, so that a pointer that comes back to the very pixel
// that it left (a bubble that went and came under a hand at rest) would never be seen again.
func (p *panel) enter() {
	x, y := p.win.GetCursorPos()
	p.cursor = f32.Pt(float32(x), float32(y))
	p.point(pointer.Move, 0, 0)
}

// leave tells Gio that the pointer is gone, so that nothing stays lit. While a button holds something the pointer is
// still followed outside of the window.
func (p *panel) leave() {
	if p.buttons != 0 {
		return
	}
	p.cursor = f32.Pt(-1, -1)
	p.point(pointer.Move, 0, 0)
}

// point queues an event of the pointer. A move with a button down becomes a drag in Gio's router, which takes no drag
// from outside.
func (p *panel) point(kind pointer.Kind, dx, dy float32) {
	p.queue(pointer.Event{Kind: kind, Source: pointer.Mouse, Position: p.cursor, Buttons: p.buttons,
		Scroll: f32.Pt(dx, dy), Time: time.Since(p.start)})
}

// press puts a button down where the pointer is. What was typed before belongs to the field before.
func (p *panel) press(b pointer.Buttons) {
	p.flush()
	p.buttons |= b
	p.point(pointer.Press, 0, 0)
	p.unread = true
}

func (p *panel) key(name key.Name, a glfw.Action, m glfw.ModifierKey) {
	p.flush()
	p.catchUp()
	e := key.Event{Name: name, State: key.Press}
	if a == glfw.Release {
		e.State = key.Release
	}
	for _, mod := range []struct {
		from glfw.ModifierKey
		to   key.Modifiers
	}{{glfw.ModControl, key.ModCtrl}, {glfw.ModShift, key.ModShift}, {glfw.ModAlt, key.ModAlt}, {glfw.ModSuper, key.ModSuper}} {
		if m&mod.from != 0 {
			e.Modifiers |= mod.to
		}
	}
	if p.onKey != nil && p.onKey(e) {
		return
	}
	p.queue(e)
	p.unread = true
}

// keyName translates GLFW's key tokens, which name places of the keyboard. Letters go to Gio only for shortcuts, so they
// are those that the layout has there; text comes by the char callback.
func keyName(k glfw.Key, letter func() rune) (key.Name, bool) {
	n, ok := map[glfw.Key]key.Name{
		glfw.KeyEnter: key.NameReturn, glfw.KeyKPEnter: key.NameEnter, glfw.KeyEscape: key.NameEscape, glfw.KeyTab: key.NameTab,
		glfw.KeyBackspace: key.NameDeleteBackward, glfw.KeyDelete: key.NameDeleteForward, glfw.KeyLeft: key.NameLeftArrow,
		glfw.KeyRight: key.NameRightArrow, glfw.KeyUp: key.NameUpArrow, glfw.KeyDown: key.NameDownArrow, glfw.KeyHome: key.NameHome,
		glfw.KeyEnd: key.NameEnd, glfw.KeyPageUp: key.NamePageUp, glfw.KeyPageDown: key.NamePageDown, glfw.KeySpace: key.NameSpace,
	}[k]
	if ok {
		return n, true
	}
	if l := letter(); l != 0 {
		return key.Name(l), true
	}
	return "", false
}

// letter is the Latin letter of a key: of the layout in use, else of another one that the person has (a Cyrillic layout
// beside a Latin one), else that of the place on an American keyboard. 0 for keys without one.
func letter(k glfw.Key, code int) rune {
	if name := []rune(glfw.GetKeyName(glfw.KeyUnknown, code)); len(name) == 1 {
		if name[0] < utf8.RuneSelf {
			return xkey.Latin(name[0]) // a layout of Latin letters: what is no letter in it is none
		}
	}
	if l := xkey.Letter(unsafe.Pointer(glfw.GetX11Display()), code); l != 0 {
		return l
	}
	if k >= glfw.KeyA && k <= glfw.KeyZ {
		return rune(k) // GLFW's tokens of letters are their ASCII
	}
	return 0
}
