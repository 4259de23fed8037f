// Package senses is one pet's body as her tools, her rules and other programs use it: where she is, what she sees, what she
// does, the effects around her, and the mark while a camera is open.
package senses

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"time"

	"yui/avatar/body"
	"yui/cmd/yui/settings"
	"yui/overlay/figure"
	"yui/platform"
	"yui/tools"
)

// queryWait bounds a question to the main thread, actWait a command of the body, which has its own deadline of 15 s.
const (
	queryWait = 2 * time.Second
	actWait   = 16 * time.Second
)

// Loop runs on the main thread.
type Loop interface {
	Do(f func())
	Call(ctx context.Context, f func()) error // waits
}

// Figure is the pet on the screen. Main thread.
type Figure interface {
	Rect() image.Rectangle   // of her window
	Figure() image.Rectangle // of herself
	Head() image.Rectangle
	Feet() body.Point
	Body() *body.Body
	Visible() bool
	Do(c body.Command, done func(body.Result))
}

// Desktop is what else is on the screen. Safe from any goroutine.
type Desktop interface {
	Snapshot() *platform.Snapshot
	Capture(ctx context.Context, monitor int) (image.Image, error)
}

// Stage is where effects play. Main thread.
type Stage interface {
	Burst(effect string, at figure.Place) error
	Mark(at figure.Place) (Mark, error)
}

// Mark shows that a camera is open. Main thread.
type Mark interface {
	Move(to image.Point)
	End()
}

// Options is what Senses are made of.
type Options struct {
	Preset  string
	Name    func() string // of the preset. Main thread
	Figure  Figure
	Loop    Loop
	Desktop Desktop
	Stage   Stage
	Enabled func(key string) bool                          // a switch
	Frame   func(ctx context.Context) (image.Image, error) // of the camera
	Looks   func(open bool)                                // told that she looks through it. Main thread
	Log     *slog.Logger
}

// Senses are one pet's: tools.Body, tools.Sight, tools.Effects and tools.Camera. Safe from any goroutine but the main
// thread, for which they wait; what begins with Main thread belongs to that one alone.
type Senses struct {
	o    Options
	ctx  context.Context // of the program's run
	mark Mark            // while a camera is open. Main thread
	open int             // cameras. Main thread
}

// New makes the senses of a pet; questions end with ctx.
func New(ctx context.Context, o Options) *Senses { return &Senses{ctx: ctx, o: o} }

func (s *Senses) ask(f func()) error {
	ctx, cancel := context.WithTimeout(s.ctx, queryWait)
	defer cancel()
	return s.o.Loop.Call(ctx, f)
}

// monitor is the one that she stands on. Main thread.
func (s *Senses) monitor(snap *platform.Snapshot) platform.Monitor {
	feet := s.o.Figure.Feet()
	return snap.Near(feet.X, feet.Y)
}

// Act implements tools.Body.
func (s *Senses) Act(ctx context.Context, args json.RawMessage) string {
	cmd, ok := body.ParseCommand(args)
	if !ok {
		return string(body.Unsupported)
	}
	ctx, cancel := context.WithTimeout(ctx, actWait)
	defer cancel()
	result := make(chan body.Result, 1)
	s.o.Loop.Do(func() {
		if ctx.Err() == nil {
			s.o.Figure.Do(cmd, func(r body.Result) { result <- r })
		}
	})
	select {
	case r := <-result:
		return string(r)
	case <-ctx.Done():
		return string(body.Timeout)
	}
}

// Show implements tools.Effects: an effect bursts from the middle of the pet.
func (s *Senses) Show(effect string) (err error) {
	if asked := s.ask(func() { err = s.burst(effect) }); asked != nil {
		err = asked
	}
	if err != nil && !errors.Is(err, tools.ErrCovered) && !errors.Is(err, errHidden) {
		return fmt.Errorf("show effect: %w", err)
	}
	return err
}

// errHidden is why nobody sees an effect of a pet that the person has hidden.
var errHidden = errors.New("not visible: the character is hidden")

// burst shows an effect. Main thread.
func (s *Senses) burst(effect string) error {
	r, snap := s.o.Figure.Figure(), s.o.Desktop.Snapshot()
	monitor := s.monitor(snap)
	switch {
	case s.o.Figure.Visible():
	case monitor.Fullscreen:
		return tools.ErrCovered
	default:
		return errHidden
	}
	m := monitor.Rect
	return s.o.Stage.Burst(effect, figure.Place{From: image.Pt((r.Min.X+r.Max.X)/2, r.Min.Y+r.Dy()/3), Size: max(r.Dy(), 120),
		Within: image.Rect(m.X, m.Y, m.X+m.W, m.Y+m.H), Composited: snap.Compositor})
}

// CameraAllowed implements tools.Camera.
func (s *Senses) CameraAllowed() bool { return s.o.Enabled(settings.KeyCamera) }

// Frame implements tools.Camera.
func (s *Senses) Frame(ctx context.Context) (image.Image, error) { return s.o.Frame(ctx) }

// Looking implements tools.Camera: a mark by the pet that needs nothing but the loop, and is there when Looking returns.
func (s *Senses) Looking(on bool) {
	if err := s.ask(func() { s.looks(on) }); err != nil {
		s.o.Log.Warn("show that the camera is open", "error", err)
	}
}

// looks counts the open cameras of the pet's calls. Main thread.
func (s *Senses) looks(on bool) {
	if !on {
		s.open--
		if s.open == 0 && s.mark != nil {
			s.Close()
			s.o.Looks(false)
		}
		return
	}
	s.open++
	s.o.Looks(true)
	if s.mark != nil {
		return
	}
	at, size := s.markPlace()
	mark, err := s.o.Stage.Mark(figure.Place{From: at, Size: size, Composited: s.o.Desktop.Snapshot().Compositor})
	if err != nil {
		s.o.Log.Warn("show that the camera is open", "error", err)
		return
	}
	s.mark = mark
}

// Moved keeps the mark by her head. Main thread.
func (s *Senses) Moved() {
	if s.mark != nil {
		at, _ := s.markPlace()
		s.mark.Move(at)
	}
}

// Close takes the mark away. Main thread.
func (s *Senses) Close() {
	if s.mark != nil {
		s.mark.End()
		s.mark = nil
	}
}

// markPlace is beside her head, inside the monitor; size is half the mark's width. Main thread.
func (s *Senses) markPlace() (at image.Point, size int) {
	m := s.monitor(s.o.Desktop.Snapshot())
	size = int(13 * m.Scale)
	area, head := m.Rect, s.o.Figure.Head()
	at = image.Pt(head.Max.X+size/2, head.Min.Y+head.Dy()/3)
	at.X = min(max(at.X, area.X+size), area.X+area.W-size)
	at.Y = min(max(at.Y, area.Y+size), area.Y+area.H-size)
	return at, size
}
