// Package window is the windows of the screen: the main thread's loop and frame clock, transparent surfaces with an input
// shape, and panels, which are Gio in such a surface. It knows neither what is drawn (overlay/figure) nor what is said
// (overlay/ui).
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
	"os"
	"slices"
	"sync"
	"time"

	"github.com/go-gl/gl/v3.1/gles2"
	"github.com/go-gl/glfw/v3.3/glfw"

	"yui/overlay/slack"
	"yui/overlay/xerror"
)

// Ticker is something that draws or moves by the clock. Main thread only.
type Ticker interface {
	// Next returns when Tick is due; ok is false where only events matter.
	Next(now time.Time) (due time.Time, ok bool)
	Tick(now time.Time)
}

// Loop is the main thread: the event loop, the frame clock and the GL share group.
type Loop struct {
	log  *slog.Logger
	x    *xside
	root *glfw.Window // hidden; keeps the share group alive while pets come and go

	painter *painter     // made with the first panel
	easel   *glfw.Window // hidden; its context is the painter's
	tickers []Ticker

	mu    sync.Mutex
	queue []func()
	ended bool
}

// NewLoop opens the display. Call it on the main thread (runtime.LockOSThread in an init of package main).
// Without a display it returns an error that says so; GLFW itself would not.
func NewLoop(log *slog.Logger) (*Loop, error) {
	slack.Fine()
	x, err := openX(log)
	if err != nil {
		return nil, err
	}
	// llvmpipe shares each frame between as many threads as there are cores; for a pet of a few hundred pixels the
	// hand-over costs more than it brings. A GPU's driver does not read this.
	if os.Getenv("LP_NUM_THREADS") == "" {
		os.Setenv("LP_NUM_THREADS", "0")
	}
	if err := glfw.Init(); err != nil {
		x.close()
		return nil, fmt.Errorf("open display: %w", err)
	}
	xerror.Install()
	l := &Loop{log: log, x: x}
	if err := l.openRoot(); err != nil {
		glfw.Terminate()
		x.close()
		return nil, err
	}
	return l, nil
}

func (l *Loop) openRoot() (err error) {
	defer Recovered("open GL context", &err)
	hint()
	w, err := glfw.CreateWindow(16, 16, "yui", nil, nil)
	if err != nil {
		return fmt.Errorf("open an OpenGL ES 3.0 context: %w", err)
	}
	l.root = w
	w.MakeContextCurrent()
	if err := gles2.Init(); err != nil {
		return fmt.Errorf("load OpenGL ES: %w", err)
	}
	return nil
}

// hint asks GLFW for what every window of ours is (docs/rules/desktop.md#windows-of-ours).
func hint() {
	glfw.DefaultWindowHints()
	for _, h := range [][2]int{
		{int(glfw.Visible), glfw.False}, {int(glfw.Decorated), glfw.False}, {int(glfw.Resizable), glfw.False},
		{int(glfw.Floating), glfw.True}, {int(glfw.Focused), glfw.False}, {int(glfw.FocusOnShow), glfw.False},
		{int(glfw.TransparentFramebuffer), glfw.True}, {int(glfw.AlphaBits), 8}, {int(glfw.DepthBits), 24},
		{int(glfw.StencilBits), 0}, {int(glfw.Samples), 0}, {int(glfw.DoubleBuffer), glfw.True},
		{int(glfw.ClientAPI), int(glfw.OpenGLESAPI)}, {int(glfw.ContextCreationAPI), int(glfw.NativeContextAPI)},
		{int(glfw.ContextVersionMajor), 3}, {int(glfw.ContextVersionMinor), 0},
	} {
		glfw.WindowHint(glfw.Hint(h[0]), h[1])
	}
	glfw.WindowHintString(glfw.X11ClassName, "yui")
	glfw.WindowHintString(glfw.X11InstanceName, "yui")
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
		glfw.PostEmptyEvent()
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
	case <-l.x.done:
		return errors.New("the display is gone")
	}
}

// Run runs until ctx ends or the display is gone. It must be called on the main thread.
func (l *Loop) Run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { l.Do(func() {}) })
	defer stop()
	for ctx.Err() == nil {
		l.drain()
		now := time.Now()
		due, timed := now.Add(time.Hour), false
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
			if ok && at.Before(due) {
				due, timed = at, true
			}
		}
		if ctx.Err() != nil {
			break
		}
		if wait := time.Until(due); wait <= 0 {
			glfw.PollEvents()
		} else if timed {
			glfw.WaitEventsTimeout(wait.Seconds())
		} else {
			glfw.WaitEvents()
		}
		if err := l.x.err(); err != nil {
			return err
		}
	}
	return nil
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

// Pointer is where the pointer was lately and for how long it has rested there. It waits for nothing.
func (l *Loop) Pointer() (at image.Point, rested time.Duration) { return l.x.lastPointer() }

// PointerNow asks for the pointer and whether its first button is held: for the rare moments of a press, and for drags.
func (l *Loop) PointerNow() (at image.Point, held bool) { return l.x.pointerNow() }

// Log is the loop's log, for what lives in it.
func (l *Loop) Log() *slog.Logger { return l.log }

// Renderer names the GL driver, for doctor and the log.
func (l *Loop) Renderer() string {
	l.root.MakeContextCurrent()
	return gles2.GoStr(gles2.GetString(gles2.RENDERER))
}

// Shared makes the context current in which shared GL objects are made.
func (l *Loop) Shared() { l.root.MakeContextCurrent() }

// readyPainter makes the thread of the panels, once.
func (l *Loop) readyPainter() (err error) {
	defer Recovered("open GL context", &err)
	if l.painter != nil {
		return nil
	}
	hint()
	w, err := glfw.CreateWindow(16, 16, "yui", nil, l.root)
	if err != nil {
		return fmt.Errorf("open an OpenGL ES 3.0 context for panels: %w", err)
	}
	l.easel, l.painter = w, newPainter(w)
	return nil
}

// Close ends the display. Surfaces must have been destroyed before.
func (l *Loop) Close() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	if l.painter != nil {
		l.painter.close()
		l.easel.Destroy()
	}
	l.root.Destroy()
	glfw.Terminate()
	l.x.close()
}

// Recovered turns a panic of a library into an error: no panic crosses the border of overlay.
func Recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%s: %v", what, p)
	}
}
