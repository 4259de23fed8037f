package senses

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"strings"
	"testing"
	"time"

	"yui/avatar/body"
	"yui/overlay/figure"
	"yui/platform"
	"yui/tools"
)

// now is a Loop that is the caller's own goroutine, or one that has ended.
type now struct{ ended bool }

func (n *now) Do(f func()) { f() }
func (n *now) Call(_ context.Context, f func()) error {
	if n.ended {
		return errors.New("the loop has ended")
	}
	f()
	return nil
}

// doll is a Figure, a Desktop and a Stage, which keeps what is shown.
type doll struct {
	inner   *body.Body
	at      image.Rectangle
	visible bool
	answer  *body.Result // of a command, nil for none
	snap    platform.Snapshot
	shown   []string
	broken  error
}

func (d *doll) Rect() image.Rectangle   { return d.at }
func (d *doll) Figure() image.Rectangle { return d.at }
func (d *doll) Head() image.Rectangle {
	return image.Rect(d.at.Min.X, d.at.Min.Y, d.at.Max.X, d.at.Min.Y+60)
}
func (d *doll) Feet() body.Point {
	return body.Point{X: float64(d.at.Min.X+d.at.Max.X) / 2, Y: float64(d.at.Max.Y)}
}
func (d *doll) Body() *body.Body { return d.inner }
func (d *doll) Visible() bool    { return d.visible }
func (d *doll) Do(_ body.Command, done func(body.Result)) {
	if d.answer != nil {
		done(*d.answer)
	}
}

func (d *doll) Snapshot() *platform.Snapshot { return &d.snap }
func (d *doll) Capture(context.Context, int) (image.Image, error) {
	return image.NewGray(image.Rect(0, 0, 1, 1)), nil
}
func (d *doll) Burst(effect string, at figure.Place) error {
	d.shown = append(d.shown, fmt.Sprint(effect, at.From, at.Size, at.Within))
	return d.broken
}
func (d *doll) Mark(at figure.Place) (Mark, error) {
	d.shown = append(d.shown, fmt.Sprint("mark ", at.From))
	return d, d.broken
}
func (d *doll) Move(to image.Point) { d.shown = append(d.shown, fmt.Sprint("move ", to)) }
func (d *doll) End()                { d.shown = append(d.shown, "end") }

// took returns what was shown since the last time.
func (d *doll) took() string {
	s := strings.Join(d.shown, ", ")
	d.shown = nil
	return s
}

// wake makes the senses of a pet who stands on the second of two monitors.
func wake(t *testing.T) (*Senses, *doll, *now) {
	t.Helper()
	d := &doll{inner: body.New(body.DefaultConfig(), body.Shape{Height: 240}, body.Clips{}, nil), at: image.Rect(1500, 560, 1700, 800), visible: true,
		snap: platform.Snapshot{Monitors: []platform.Monitor{{Rect: platform.Rect{W: 1280, H: 800}, Scale: 1}, {Rect: platform.Rect{X: 1280, W: 1280, H: 800}, Scale: 2}}}}
	loop := &now{}
	s := New(t.Context(), Options{Preset: "kuro", Name: func() string { return "Kuro" }, Figure: d, Loop: loop, Desktop: d, Stage: d,
		Looks: func(open bool) { d.shown = append(d.shown, fmt.Sprint("looks ", open)) }, Log: slog.New(slog.DiscardHandler)})
	return s, d, loop
}

// Where she is (docs/rules/body.md#state), and nothing where nobody answers.
func TestBodyState(t *testing.T) {
	s, _, loop := wake(t)
	text, ok := s.BodyState()
	if want := `"position":{"x":1500,"y":560,"monitor":1}`; !ok || !strings.Contains(string(text), want) || !strings.Contains(string(text), `"vrm":{"id":"kuro","label":"Kuro"}`) {
		t.Errorf("%v %s, want %s", ok, text, want)
	}
	if count, here := s.Monitors(); count != 2 || here != 1 {
		t.Errorf("monitor %d of %d", here, count)
	}
	loop.ended = true
	if text, ok := s.BodyState(); ok {
		t.Errorf("the loop has ended: %s", text)
	}
}

// The windows that she may sit on; what has no name is null (docs/rules/body.md#perch-targets).
func TestPerchTargets(t *testing.T) {
	s, d, _ := wake(t)
	d.snap.Windows = []platform.Window{{App: "xterm", Frame: platform.Rect{X: 1, Y: 2, W: 3, H: 4}}}
	const want = `{"edges":["left","right"],"windows":[{"app":"xterm","title":null,"rect":{"x":1,"y":2,"width":3,"height":4}}]}`
	if text, ok := s.PerchTargets(); !ok || string(text) != want {
		t.Errorf("%v %s", ok, text)
	}
}

// A command gives its one word, also where the body never answers.
func TestAct(t *testing.T) {
	s, d, _ := wake(t)
	blocked := body.Result("blocked")
	d.answer = &blocked
	sit := json.RawMessage(`{"action":"sit_on_window","app":"xterm"}`)
	if cmd, ok := body.ParseCommand(sit); !ok {
		t.Fatalf("%+v", cmd)
	}
	if got := s.Act(t.Context(), sit); got != "blocked" {
		t.Errorf("%q", got)
	}
	if got := s.Act(t.Context(), json.RawMessage(`{"action":"fly"}`)); got != string(body.Unsupported) {
		t.Errorf("%q", got)
	}
	d.answer = nil
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if got := s.Act(ctx, sit); got != string(body.Timeout) {
		t.Errorf("nobody answers: %q", got)
	}
}

// An effect bursts from her middle, and the tool is told why nobody sees it.
func TestShow(t *testing.T) {
	s, d, loop := wake(t)
	if err := s.Show("hearts"); err != nil || d.took() != "hearts(1600,640) 240 (1280,0)-(2560,800)" {
		t.Errorf("%v, %q", err, d.shown)
	}
	d.broken = errors.New("no window")
	if err := s.Show("hearts"); err == nil || err.Error() != "show effect: no window" {
		t.Errorf("%v", err)
	}
	d.visible = false
	if err := s.Show("hearts"); !errors.Is(err, errHidden) {
		t.Errorf("hidden: %v", err)
	}
	d.snap.Monitors[1].Fullscreen = true
	if err := s.Show("hearts"); !errors.Is(err, tools.ErrCovered) {
		t.Errorf("covered: %v", err)
	}
	loop.ended = true
	if err := s.Show("hearts"); err == nil {
		t.Error("the loop has ended, and it was shown")
	}
}

// One mark stands while any camera is open; it goes along with her, and goes with the last camera or with her.
func TestCameraMark(t *testing.T) {
	s, d, _ := wake(t)
	for i, c := range []struct {
		do    func()
		shown string
	}{
		{func() { s.Moved() }, ""},
		{func() { s.Looking(true) }, "looks true, mark (1713,580)"},
		{func() { s.Looking(true) }, "looks true"},
		{func() { s.Moved() }, "move (1713,580)"},
		{func() { s.Looking(false) }, ""},
		{func() { d.at = d.at.Add(image.Pt(1000, 0)); s.Moved() }, "move (2534,580)"}, // inside the monitor
		{func() { s.Looking(false) }, "end, looks false"},
		{func() { s.Looking(true); s.Close(); s.Close() }, "looks true, mark (2534,580), end"},
	} {
		if c.do(); strings.Join(d.shown, ", ") != c.shown {
			t.Errorf("step %d: %q, want %q", i, d.shown, c.shown)
		}
		d.took()
	}
}
