// Package window is the windows of the screen: the main thread's loop and frame clock, transparent surfaces with an input
// shape, and panels, which are Gio in such a surface. It knows neither what is drawn (overlay/figure) nor what is said
// (overlay/ui).
//
// What windows are made of is a driver's: X11, or memory for tests (NewHeadless).
//
// GLFW, GL, Gio and the stepping of avatar/body belong to the main thread, which Loop owns. Every other goroutine
// reaches it through Loop.Do. Methods are for the main thread unless they say otherwise.
package window

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"slices"
	"sync"
	"time"

	"gioui.org/layout"
)

// Ticker is something that draws or moves by the clock. Main thread only.
type Ticker interface {
	// Next returns when Tick is due; ok is false where only events matter.
	Next(now time.Time) (due time.Time, ok bool)
	Tick(now time.Time)
}

// Loop is the main thread: the event loop and the frame clock, over a driver.
type Loop struct {
	log     *slog.Logger
	driver  driver
	tickers []Ticker

	mu    sync.Mutex
	queue []func()
	ended bool
}

// NewLoop opens the display. Call it on the main thread (runtime.LockOSThread in an init of package main).
// Without a display it returns an error that says so.
func NewLoop(log *slog.Logger) (*Loop, error) {
	l := &Loop{log: log}
	var err error
	if l.driver, err = openDriver(log, l.Do); err != nil {
		return nil, err
	}
	return l, nil
}

// Do runs f on the main thread, soon. Safe from any goroutine. After the loop has ended f is dropped.
func (l *Loop) Do(f func()) {
	l.mu.Lock()
	first := len(l.queue) == 0
	if !l.ended {
		l.queue = append(l.queue, f)
	}
	ended := l.ended
	l.mu.Unlock()
	if first && !ended {
		l.driver.wake()
	}
}

// Call runs f on the main thread and waits for it, at most until ctx ends or the loop does. Never call it on the main
// thread.
func (l *Loop) Call(ctx context.Context, f func()) error {
	done := make(chan struct{})
	l.Do(func() { f(); close(done) })
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-l.driver.gone():
		return errGone
	}
}

// Run runs until ctx ends or the display is gone. It must be called on the main thread.
func (l *Loop) Run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { l.Do(func() {}) })
	defer stop()
	for ctx.Err() == nil {
		due, timed := l.turn()
		wait := time.Duration(-1)
		if timed {
			wait = max(0, due.Sub(l.Now()))
		}
		if ctx.Err() != nil {
			break
		}
		l.driver.wait(wait)
		select {
		case <-l.driver.gone():
			return errGone
		default:
		}
	}
	return nil
}

var errGone = errors.New("the display is gone")

// turn does what was asked for and what is due, and tells when the next thing is, if anything is.
func (l *Loop) turn() (due time.Time, timed bool) {
	l.drain()
	now := l.Now()
	for _, t := range slices.Clone(l.tickers) {
		if !slices.Contains(l.tickers, t) {
			continue // one before it closed it: a click in a menu is a tick of that menu
		}
		at, ok := t.Next(now)
		if ok && !at.After(now) {
			t.Tick(now)
			if !slices.Contains(l.tickers, t) {
				continue
			}
			at, ok = t.Next(now)
		}
		if ok && (!timed || at.Before(due)) {
			due, timed = at, true
		}
	}
	return due, timed
}

// asked reports whether something waits to be run.
func (l *Loop) asked() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue) > 0
}

func (l *Loop) drain() {
	l.mu.Lock()
	queue := l.queue
	l.queue = nil
	l.mu.Unlock()
	for _, f := range queue {
		f()
	}
}

// Add lets t tick.
func (l *Loop) Add(t Ticker) { l.tickers = append(l.tickers, t) }

// Remove ends it.
func (l *Loop) Remove(t Ticker) {
	l.tickers = slices.DeleteFunc(l.tickers, func(o Ticker) bool { return o == t })
}

// Now is the time by the loop's clock: that of the system, or a test's.
func (l *Loop) Now() time.Time { return l.driver.now() }

// After runs f on the main thread when d has passed.
func (l *Loop) After(d time.Duration, f func()) { l.driver.after(d, f) }

// Pointer is where the pointer was lately and for how long it has rested there. It waits for nothing.
func (l *Loop) Pointer() (at image.Point, rested time.Duration) { return l.driver.pointer() }

// PointerNow asks for the pointer and whether its first button is held: for the rare moments of a press, and for drags.
func (l *Loop) PointerNow() (at image.Point, held bool) { return l.driver.pointerNow() }

// Log is the loop's log, for what lives in it.
func (l *Loop) Log() *slog.Logger { return l.log }

// GL reports whether surfaces have a GL context to be drawn in. Without one they are given pixels.
func (l *Loop) GL() bool { return l.driver.renderer() != "" }

// Renderer names the GL driver, for doctor and the log; "" where there is none.
func (l *Loop) Renderer() string { return l.driver.renderer() }

// Shared makes the context current in which shared GL objects are made.
func (l *Loop) Shared() { l.driver.share() }

// Rehearse has a sample of what panels are made of be tried, so that the first one is not waited for. It returns at once,
// and does nothing where no panel is there or one was painted already.
func (l *Loop) Rehearse(sample func(gtx layout.Context)) { l.driver.rehearse(sample) }

// Close ends the display. Surfaces must have been destroyed before.
func (l *Loop) Close() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.driver.close()
}

// Recovered turns a panic of a library into an error: no panic crosses the border of overlay.
func Recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%s: %v", what, p)
	}
}
