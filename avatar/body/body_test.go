package body

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"yui/internal/protocol"
)

// epoch is when every test begins.
var epoch = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// girl is a pet of about the usual size: 300 px to the tips of the ears in a box of 260x340.
func girl() Shape {
	return Shape{Height: 300, HeadTop: 240, SeatDrop: 30, HalfWidth: 60, Unit: 255, Box: Rect{-130, -320, 260, 340}}
}

func screen(x, y, w, h float64) Monitor {
	return Monitor{Rect: Rect{x, y, w, h}, WorkArea: Rect{x, y, w, h - 40}, Scale: 1}
}

func win(id uint32, app string, x, y, w, h float64) Window {
	return Window{ID: id, App: app, Names: []string{app}, Title: app + " title", Rect: Rect{x, y, w, h}}
}

// rig is a body with a clock and a record of what came out.
type rig struct {
	testing.TB
	*Body
	now     time.Time
	desk    Desktop
	frame   Frame
	events  []Event
	results []Result
}

func newRig(t testing.TB, change func(*Config), windows ...Window) *rig {
	cfg := DefaultConfig()
	cfg.Walk.On, cfg.Climb.On = false, false
	if change != nil {
		change(&cfg)
	}
	r := &rig{TB: t, now: epoch, Body: New(cfg, girl(), DefaultClips(), rand.New(rand.NewPCG(1, 2)))}
	r.show(Desktop{Monitors: []Monitor{screen(0, 0, 1920, 1080)}, Windows: windows})
	r.Place(Point{960, 500}, r.now)
	r.step(0)
	return r
}

func (r *rig) show(d Desktop) {
	r.desk = d
	r.SetDesktop(Desktop{Windows: append([]Window(nil), d.Windows...), Monitors: append([]Monitor(nil), d.Monitors...)}, r.now)
}

func (r *rig) step(d time.Duration) Frame {
	r.now = r.now.Add(d)
	r.frame = r.Step(r.now)
	r.events = append(r.events, r.Events()...)
	return r.frame
}

// run steps at 30 frames a second.
func (r *rig) run(d time.Duration) {
	const frame = time.Second / 30
	for ; d > 0; d -= frame {
		r.step(min(d, frame))
	}
}

func (r *rig) do(c Command) { r.Do(c, r.now, func(x Result) { r.results = append(r.results, x) }) }

func (r *rig) want(result Result) {
	r.Helper()
	if len(r.results) != 1 || r.results[0] != result {
		r.Fatalf("results = %v, want [%s]", r.results, result)
	}
	r.results = nil
}

func (r *rig) pending() {
	r.Helper()
	if len(r.results) != 0 {
		r.Fatalf("results = %v, want none yet", r.results)
	}
}

func (r *rig) posture(want Posture) {
	r.Helper()
	if got := r.State(r.now).Posture; got != want {
		r.Fatalf("posture = %s, want %s", got, want)
	}
}

func (r *rig) root(x, y float64) {
	r.Helper()
	got := r.State(r.now).Root
	if math.Abs(got.X-x) > 0.5 || math.Abs(got.Y-y) > 0.5 {
		r.Fatalf("root = %v, want %v %v", got, x, y)
	}
}

// told counts the events of a name, and forgets all.
func (r *rig) told(name EventName) int {
	r.events = append(r.events, r.Body.Events()...)
	n := 0
	for _, e := range r.events {
		if e.Name == name {
			n++
		}
	}
	r.events = nil
	return n
}

func sit(app string) Command { return Command{Action: protocol.SitOnWindow, App: app} }

func TestSitOnWindow(t *testing.T) {
	r := newRig(t, nil, win(7, "XTerm", 600, 500, 400, 300))
	r.do(sit("xterm"))
	r.pending()
	r.root(800, 500)
	if !r.State(r.now).Moving {
		t.Fatal("not moving while the command runs")
	}
	r.run(1400 * time.Millisecond)
	r.pending()
	r.run(200 * time.Millisecond)
	r.want(OK)
	r.posture(Sitting)
	r.root(800, 500)
	if p := r.State(r.now).Perch; p == nil || p.App != "XTerm" || p.Title != "XTerm title" {
		t.Fatalf("perch = %v", p)
	}
	if r.frame.Clip != "window_sit" {
		t.Fatalf("clip %q", r.frame.Clip)
	}
	if n := r.told("proactive.window_sit"); n != 0 {
		t.Fatal("a programmatic sit must not be told as a drop")
	}
}

func TestFallAndLand(t *testing.T) {
	r := newRig(t, nil)
	r.DragStart(Point{960, 900}, r.now)
	r.run(300 * time.Millisecond)
	r.posture(Dragging)
	r.DragMove(Point{960, 300}, r.now)
	r.step(33 * time.Millisecond)
	r.DragEnd(r.now)
	r.posture(Falling)
	r.run(3 * time.Second)
	r.posture(Standing)
	r.root(960, 1040)
	if n := r.told("proactive.dropped"); n != 1 {
		t.Fatalf("dropped told %d times", n)
	}
	r.run(3 * time.Second)
	if r.frame.Clip != "" {
		t.Fatalf("clip %q after landing", r.frame.Clip)
	}
}

func TestMoveToWorkedNumbers(t *testing.T) {
	// docs/rules/body.md#move, in physical pixels.
	near := Monitor{Rect: Rect{0, 0, 1000, 800}, WorkArea: Rect{0, 40, 1000, 760}, Scale: 1}
	far := Monitor{Rect: Rect{1000, 0, 2000, 1000}, WorkArea: Rect{1000, 40, 2000, 960}, Scale: 1}
	one := 1
	for _, c := range []struct {
		spot    string
		monitor *int
		x, y    float64
	}{
		{"center", nil, 300, 270}, {"top-right", nil, 576, 64}, {"bottom-right", nil, 576, 600},
		{"top-left", nil, 24, 64}, {"bottom-left", nil, 24, 600}, {"center", &one, 1800, 370},
	} {
		b := New(DefaultConfig(), Shape{Height: 180, HeadTop: 160, HalfWidth: 40, Unit: 170, Box: Rect{-200, -200, 400, 300}}, DefaultClips(), nil)
		b.SetDesktop(Desktop{Monitors: []Monitor{near, far}}, epoch)
		b.Place(Point{500, 500}, epoch)
		var got Result
		b.Do(Command{Action: protocol.MoveTo, Spot: c.spot, Monitor: c.monitor}, epoch, func(r Result) { got = r })
		if o := b.origin(); got != OK || o != (Point{c.x, c.y}) {
			t.Errorf("%s: %s at %v, want %v %v", c.spot, got, o, c.x, c.y)
		}
	}
}

func TestParseCommand(t *testing.T) {
	one, none := 1, -1
	for _, c := range []struct {
		args string
		want Command
		ok   bool
	}{
		{`{"action":"sit_on_window","app":"  XTerm "}`, Command{Action: "sit_on_window", App: "XTerm"}, true},
		{`{"action":"sit_on_window","app":"  "}`, Command{}, false},
		{`{"action":"sit_on_window","app":7}`, Command{}, false},
		{`{"action":"sit_on_window"}`, Command{}, false},
		{`{"action":"peek","side":"left"}`, Command{Action: "peek", Side: "left"}, true},
		{`{"action":"peek","side":"Left"}`, Command{}, false},
		{`{"action":"peek"}`, Command{}, false},
		{`{"action":"move_to","spot":"center"}`, Command{Action: "move_to", Spot: "center"}, true},
		{`{"action":"move_to","spot":"middle"}`, Command{}, false},
		{`{"action":"move_to","spot":"top-left","monitor":1}`, Command{Action: "move_to", Spot: "top-left", Monitor: &one}, true},
		{`{"action":"move_to","spot":"top-left","monitor":"1"}`, Command{Action: "move_to", Spot: "top-left"}, true},
		{`{"action":"move_to","spot":"top-left","monitor":null}`, Command{Action: "move_to", Spot: "top-left"}, true},
		{`{"action":"move_to","spot":"top-left","monitor":-3}`, Command{Action: "move_to", Spot: "top-left", Monitor: &none}, true},
		{`{"action":"move_to","spot":"top-left","monitor":1.5}`, Command{Action: "move_to", Spot: "top-left", Monitor: &none}, true},
		{`{"action":"move_to","spot":"top-left","monitor":1e999}`, Command{Action: "move_to", Spot: "top-left", Monitor: &none}, true},
		{`{"action":"stand","app":"x","extra":[1]}`, Command{Action: "stand"}, true},
		{`{"action":"go_to_bed"}`, Command{Action: "go_to_bed"}, true},
		{`{"Action":"stand"}`, Command{}, false},
		{`{"action":"fly"}`, Command{}, false},
		{`{"action":null}`, Command{}, false},
		{`{}`, Command{}, false}, {`[]`, Command{}, false}, {`null`, Command{}, false}, {``, Command{}, false},
		{`"stand"`, Command{}, false}, {`{"action":"stand"} x`, Command{}, false},
	} {
		got, ok := ParseCommand(json.RawMessage(c.args))
		if ok != c.ok {
			t.Errorf("%s: ok = %v", c.args, ok)
			continue
		}
		if !ok {
			continue
		}
		same := got.Monitor == c.want.Monitor ||
			got.Monitor != nil && c.want.Monitor != nil && (*got.Monitor < 0) == (*c.want.Monitor < 0)
		got.Monitor, c.want.Monitor = nil, nil
		if !same || got != c.want {
			t.Errorf("%s: %+v", c.args, got)
		}
	}
}
