// Package platform tells what the desktop is: the windows of other programs front to back, monitors and their work
// areas, pointer, idle time, and pictures of a monitor. One file (or family of files) per system; X11 first.
//
// A Desktop is opened once and read from any goroutine. Snapshot is cheap and never blocks; everything else asks the
// system and may take a round trip.
package platform

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"
	"sync/atomic"
	"time"
)

// WindowID names a window of the system; on X11 the client window, not the window manager's frame.
type WindowID uint32

// Rect is a rectangle in physical pixels of the whole desktop (on X11 the root window), y down.
type Rect struct{ X, Y, W, H int }

// String is the X geometry form, "800x600+10+20".
func (r Rect) String() string { return fmt.Sprintf("%dx%d%+d%+d", r.W, r.H, r.X, r.Y) }

// Empty tells that the rectangle holds no pixel.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Intersect is what both rectangles hold; the zero Rect if that is nothing.
func (r Rect) Intersect(o Rect) Rect {
	x0, y0 := max(r.X, o.X), max(r.Y, o.Y)
	x1, y1 := min(r.X+r.W, o.X+o.W), min(r.Y+r.H, o.Y+o.H)
	if x1 <= x0 || y1 <= y0 {
		return Rect{}
	}
	return Rect{x0, y0, x1 - x0, y1 - y0}
}

func (r Rect) area() int { return max(r.W, 0) * max(r.H, 0) }

// Window is a foreign window.
type Window struct {
	ID WindowID
	// App is the shown name: WM_CLASS class, or instance, or the executable's name (docs/rules/body.md#names-of-programs).
	App string
	// Names are those three, in that order, without empty ones: matching by name tries them all.
	Names []string
	// Categories are those of the program's .desktop file ("TerminalEmulator", "WebBrowser", "TextEditor",
	// "FileManager" …); none if no file is found.
	Categories []string
	// Title is valid UTF-8 on one line, at most 512 runes. Other programs wrote it: never trust it.
	Title string
	PID   int // 0 if unknown or of another machine
	// Frame is the outer frame as the person sees it: decorations added, client-side shadows taken off.
	Frame      Rect
	Workspace  int // counted from 0; -1 on all
	Minimised  bool
	Fullscreen bool
	Active     bool

	decorated bool // it has a frame or a shadow
}

// Monitor is one screen.
type Monitor struct {
	Name     string
	Rect     Rect
	WorkArea Rect // Rect without panels
	Scale    float64
	Primary  bool
	// Fullscreen tells that a foreign window covers this monitor: in the full screen state, or in front, without
	// decorations, of exactly this size and over a panel.
	Fullscreen bool
}

// Snapshot is the desktop at one moment. It is immutable: share it, do not write to it.
type Snapshot struct {
	// Windows are the visible foreign windows, front to back: those of the present workspace, and of the workspaces that
	// are shown beside it where each monitor has one of its own. Panels, desktop windows, menus
	// and the windows of this process are left out.
	Windows []Window
	// Monitors are in RandR's order with the primary first (docs/rules/desktop.md#monitors). Never empty.
	Monitors []Monitor
	// Active is the frontmost program's window: the one with the focus, and while a window of ours has the focus, the
	// one that had it before. Nil if there is none.
	Active *Window
	// ActiveSince is when the program (not the window) of Active came to the front.
	ActiveSince   time.Time
	Workspace     int
	WindowManager string // its name, "" if none runs
	Compositor    bool
	Serial        uint64 // counts up with every change
}

// System is what one file of this package implements.
type system interface {
	name() string
	pointer() (x, y int, err error)
	idle() (time.Duration, error)
	capture(ctx context.Context, area Rect) (image.Image, error)
	exclude(WindowID)
	virtual() bool
	close()
}

// Desktop is the open desktop. All methods are safe from any goroutine.
type Desktop struct {
	sys      system
	snapshot atomic.Pointer[Snapshot]
	changed  chan struct{}

	mu       sync.Mutex
	watchers map[chan struct{}]struct{}
	err      error

	done     chan struct{}
	doneOnce sync.Once
}

func newDesktop() *Desktop {
	return &Desktop{changed: make(chan struct{}, 1), watchers: map[chan struct{}]struct{}{}, done: make(chan struct{})}
}

// ErrUnsupported is what Open answers on systems without an implementation.
var ErrUnsupported = errors.New("not supported here yet")

// System is "x11".
func (d *Desktop) System() string { return d.sys.name() }

// Xwayland reports that the X server is a guest of a Wayland session: windows may not land where they are told, pictures
// of the screen cannot be had, pointer and idle time are known only over X windows.
func (d *Desktop) Xwayland() bool { return d.sys.virtual() }

// Snapshot is the newest state. It never blocks and is never nil.
func (d *Desktop) Snapshot() *Snapshot { return d.snapshot.Load() }

// Changed gets a value after each new Snapshot. Changes that nobody fetched are one. There is one such channel, for one
// reader; further readers use Watch.
func (d *Desktop) Changed() <-chan struct{} { return d.changed }

// Watch is a channel like Changed for a further reader, until ctx ends. It is not closed.
func (d *Desktop) Watch(ctx context.Context) <-chan struct{} {
	c := make(chan struct{}, 1)
	d.mu.Lock()
	d.watchers[c] = struct{}{}
	d.mu.Unlock()
	context.AfterFunc(ctx, func() {
		d.mu.Lock()
		delete(d.watchers, c)
		d.mu.Unlock()
	})
	return c
}

// Pointer is where the pointer is on the desktop. One round trip.
func (d *Desktop) Pointer() (x, y int, err error) { return d.sys.pointer() }

// Idle is how long the person has not touched mouse or keyboard.
func (d *Desktop) Idle() (time.Duration, error) { return d.sys.idle() }

// Capture takes a picture of a monitor (an index of Snapshot.Monitors) as the person sees it. It ends with ctx, and
// after ten seconds at the latest. If the system refuses pictures of the screen (Wayland) it answers
// ErrCaptureRefused.
func (d *Desktop) Capture(ctx context.Context, monitor int) (image.Image, error) {
	monitors := d.Snapshot().Monitors
	if monitor < 0 || monitor >= len(monitors) {
		return nil, fmt.Errorf("capture monitor %d: there are %d", monitor, len(monitors))
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	picture, err := d.sys.capture(ctx, monitors[monitor].Rect)
	if err != nil {
		return nil, fmt.Errorf("capture monitor %d: %w", monitor, err)
	}
	return picture, nil
}

// ErrCaptureRefused tells that the session gives no pictures of the screen to this program.
var ErrCaptureRefused = errors.New("the session gives no picture of the screen (Wayland)")

// Exclude leaves a window out of every further Snapshot. (Windows of this process are left out by themselves.)
func (d *Desktop) Exclude(id WindowID) { d.sys.exclude(id) }

// Done is closed when the desktop is gone or closed.
func (d *Desktop) Done() <-chan struct{} { return d.done }

// Err is why Done is closed: nil before, and after Close.
func (d *Desktop) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// Close ends the watching and frees what belongs to it.
func (d *Desktop) Close() {
	d.finish(nil)
	d.sys.close()
}

func (d *Desktop) finish(err error) {
	d.doneOnce.Do(func() {
		d.mu.Lock()
		d.err = err
		d.mu.Unlock()
		close(d.done)
	})
}

func (d *Desktop) publish(s *Snapshot) {
	d.snapshot.Store(s)
	nudge(d.changed)
	d.mu.Lock()
	defer d.mu.Unlock()
	for c := range d.watchers {
		nudge(c)
	}
}

func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // one is waiting to be fetched already
	}
}

// MonitorAt is the index of the monitor that contains a point, else of the nearest.
func (s *Snapshot) MonitorAt(x, y float64) int {
	best, least := 0, -1.0
	for i, m := range s.Monitors {
		dx := max(float64(m.Rect.X)-x, x-float64(m.Rect.X+m.Rect.W), 0)
		dy := max(float64(m.Rect.Y)-y, y-float64(m.Rect.Y+m.Rect.H), 0)
		if d := dx*dx + dy*dy; least < 0 || d < least {
			best, least = i, d
		}
	}
	return best
}

// Near is the monitor of MonitorAt.
func (s *Snapshot) Near(x, y float64) Monitor {
	if len(s.Monitors) == 0 {
		return Monitor{Scale: 1} // a Snapshot that a test made
	}
	return s.Monitors[s.MonitorAt(x, y)]
}
