package window

import (
	"fmt"
	"image"
	"log/slog"
	"slices"
	"sync"
	"time"

	"gioui.org/layout"
	"gioui.org/op"
)

// headless is the driver of tests: windows in memory, and a clock that stands until the test moves it, or the system's. There is no X, no GL
// and no other thread. Panels are laid out and get their events as ever, but are not painted: the screen shows their outline
// in one colour.
type headless struct {
	loop   *Loop
	panes  []*hpane // from the lowest to the highest
	timers []timer

	at           image.Point // the pointer
	moved        time.Time
	held         bool   // its first button
	over, grab   *hpane // what the pointer is in; what has it while a button is down
	buttons      int    // that are down
	keys, before *hpane // who has the keyboard, and had it before a panel borrowed it; nil for somebody else's window
	board        string

	mu    sync.Mutex
	clock time.Time
	waked chan struct{}
	jobs  chan func() // of the test, where the program runs the loop; nil else
	ended chan struct{}
}

type timer struct {
	at time.Time
	f  func()
}

// Headless is how NewHeadless sets a screen up.
type Headless struct {
	Log *slog.Logger // nil for none
	// Served tells that the program itself calls Loop.Run, on a goroutine that is its main thread: what a test does with the
	// screen is then done there, and the clock is the system's, since the program has other goroutines. Otherwise the test's
	// goroutine is the main thread, Run is not to be called, and time passes by Screen.Advance alone.
	Served bool
}

// NewHeadless makes a loop over a screen in memory, and the test's handle of that. It needs neither a display nor OpenGL:
// figures are given pixels (Loop.GL is false). Panels are laid out, hit and typed into for real, but not painted.
func NewHeadless(o Headless) (*Loop, *Screen) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	h := &headless{clock: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), waked: make(chan struct{}, 1), ended: make(chan struct{})}
	if h.loop = (&Loop{log: o.Log, driver: h}); o.Served {
		h.jobs = make(chan func())
	}
	h.moved = h.now()
	return h.loop, &Screen{h}
}

// wait is Loop.Run's, where the program is served.
func (h *headless) wait(d time.Duration) {
	h.cross()
	var over <-chan time.Time
	if d >= 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		over = timer.C
	}
	for {
		select {
		case <-over:
			return
		case f := <-h.jobs:
			f()
		case <-h.waked:
			return
		case <-h.ended:
			return
		}
	}
}

func (h *headless) wake() {
	select {
	case h.waked <- struct{}{}:
	default:
	}
}

func (h *headless) gone() <-chan struct{} { return h.ended }

func (h *headless) pointer() (image.Point, time.Duration) { return h.at, h.now().Sub(h.moved) }

func (h *headless) pointerNow() (image.Point, bool) { return h.at, h.held }

func (h *headless) clipboard() string { return h.board }

func (h *headless) setClipboard(text string) { h.board = text }

func (h *headless) renderer() string { return "" }

func (h *headless) share() {}

func (h *headless) rehearse(func(layout.Context)) {}

// now may be asked on any goroutine.
func (h *headless) now() time.Time {
	if h.jobs != nil {
		return time.Now()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.clock
}

func (h *headless) set(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock = now
}

func (h *headless) after(d time.Duration, f func()) {
	if h.jobs != nil {
		time.AfterFunc(d, func() { h.loop.Do(f) })
		return
	}
	h.timers = append(h.timers, timer{h.now().Add(d), f})
}

func (h *headless) close() { close(h.ended) }

// settle turns the loop until nothing more is due at this moment, and tells when the next thing is.
func (h *headless) settle() (due time.Time, timed bool) {
	const most = 1000
	for range most {
		now := h.now()
		h.ring(now)
		due, timed = h.loop.turn()
		h.cross()
		if !h.loop.asked() && (!timed || due.After(now)) {
			for _, t := range h.timers {
				if !timed || t.at.Before(due) {
					due, timed = t.at, true
				}
			}
			return due, timed
		}
	}
	panic(fmt.Sprintf("the loop does not come to rest: something is due at %v for the %dth time", due, most))
}

// ring runs the timers that are due.
func (h *headless) ring(now time.Time) {
	timers := h.timers
	h.timers = nil
	for _, t := range timers {
		if t.at.After(now) {
			h.timers = append(h.timers, t)
		} else {
			t.f()
		}
	}
}

// advance lets time pass, from one thing that is due to the next.
func (h *headless) advance(d time.Duration) {
	end := h.now().Add(d)
	for {
		due, timed := h.settle()
		if !timed || due.After(end) {
			break
		}
		h.set(due)
	}
	h.set(end)
	h.settle()
}

// hit is the window at a point of the desktop that takes clicks there, nil for none of ours.
func (h *headless) hit(at image.Point) *hpane {
	for _, p := range slices.Backward(h.panes) {
		if p.shown && p.takes(at.Sub(p.at.Min)) {
			return p
		}
	}
	return nil
}

// cross tells windows that the pointer has come or gone, by its own way or by theirs.
func (h *headless) cross() {
	if h.grab != nil {
		return
	}
	if p := h.hit(h.at); p != h.over {
		was := h.over
		h.over = p
		if was != nil {
			was.tell(Cross{})
		}
		if p != nil {
			d := h.at.Sub(p.at.Min)
			p.tell(Cross{In: true, X: float32(d.X), Y: float32(d.Y)})
		}
	}
}

// give gives the keyboard to a window, nil for somebody else's.
func (h *headless) give(p *hpane) {
	if was := h.keys; was != p {
		h.keys = p
		was.later(Focus{})
		p.later(Focus{In: true})
	}
}

func (h *headless) raise(p *hpane) {
	h.panes = append(slices.DeleteFunc(h.panes, func(o *hpane) bool { return o == p }), p)
}

// hpane is a window of memory.
type hpane struct {
	h            *headless
	opening      opening
	name         string
	at           image.Rectangle
	shown, open  bool
	clicks, seen []image.Rectangle // nil for all of it
	pixels       *image.RGBA
}

func (h *headless) open(o opening) (pane, error) {
	p := &hpane{h: h, opening: o, name: o.title, at: image.Rectangle{Max: o.size}, open: true}
	h.panes = append(h.panes, p)
	return p, nil
}

// tell hands an event to the window, later does so when what happens now is over.
func (p *hpane) tell(e Event) {
	if p != nil && p.open {
		p.opening.hear(e)
	}
}

func (p *hpane) later(e Event) {
	if p != nil {
		p.opening.post(func() { p.tell(e) })
	}
}

func (p *hpane) takes(at image.Point) bool {
	if p.clicks == nil {
		return at.In(image.Rectangle{Max: p.at.Size()})
	}
	return slices.ContainsFunc(p.clicks, func(r image.Rectangle) bool { return at.In(r) })
}

func (p *hpane) place(r image.Rectangle) {
	if r.Size() != p.at.Size() {
		p.later(Resized{})
	}
	p.at = r
}

func (p *hpane) show(bool) {
	p.shown = true
	p.h.raise(p)
	p.later(Exposed{})
}

func (p *hpane) spread(bool) {}

func (p *hpane) hide() {
	p.shown = false
	if p.h.keys == p {
		p.h.give(p.h.before)
	}
	if p.h.grab == p {
		p.h.grab = nil
	}
}

func (p *hpane) shape(clicks, seen []image.Rectangle) { p.clicks, p.seen = clicks, seen }

func (p *hpane) title(s string) { p.name = s }

func (p *hpane) focus() {
	p.h.raise(p)
	p.h.give(p)
}

func (p *hpane) borrow() {
	if p.h.keys != p {
		p.h.before = p.h.keys
	}
}

func (p *hpane) giveBack() {
	if p.h.keys == p {
		p.h.give(p.h.before)
	}
}

func (p *hpane) current() {}

func (p *hpane) finish() {}

func (p *hpane) present(pixels *image.RGBA) {
	if pixels == nil {
		return
	}
	p.pixels = &image.RGBA{Pix: slices.Clone(pixels.Pix), Stride: pixels.Stride, Rect: pixels.Rect}
}

func (p *hpane) paint(_ *op.Ops, _ image.Point, done func(error)) {
	p.opening.post(func() { done(nil) })
}

func (p *hpane) close() {
	p.hide()
	p.open = false
	p.h.panes = slices.DeleteFunc(p.h.panes, func(o *hpane) bool { return o == p })
	for _, q := range []**hpane{&p.h.over, &p.h.keys, &p.h.before} {
		if *q == p {
			*q = nil
		}
	}
}
