package body

import (
	"math"
	"testing"
	"time"

	"yui/internal/protocol"
)

// letGo drops her with her feet at root, seat far from any edge.
func (r *rig) letGo(root Point) {
	r.DragStart(r.State(r.now).Root, r.now)
	r.run(200 * time.Millisecond)
	r.SetScruff(r.frame.Root)
	r.SetSeat(Point{r.frame.Root.X, r.frame.Root.Y - 1000})
	r.DragMove(root, r.now)
	r.step(33 * time.Millisecond)
	r.told("")
	r.DragEnd(r.now)
}

func TestFallRules(t *testing.T) { // docs/rules/body.md#fall; the floor is 1040, a fifth of H is 60
	for _, c := range []struct {
		name    string
		root    Point
		windows []Window
		fall    bool
		y       float64
	}{
		{"within the tolerance", Point{960, 1020}, nil, false, 1040},
		{"a short way is settled in silence", Point{960, 981}, nil, false, 1040},
		{"feet below the floor", Point{960, 1075}, nil, false, 1040},
		{"a real fall", Point{960, 979}, nil, true, 1040},
		{"onto a window", Point{960, 400}, []Window{win(1, "A", 800, 700, 400, 300)}, true, 700},
		{"the highest below the feet", Point{960, 400}, []Window{win(1, "A", 800, 700, 400, 300), win(2, "B", 700, 600, 500, 90)}, true, 600},
		{"not one above the feet", Point{960, 650}, []Window{win(1, "A", 800, 800, 400, 300), win(2, "B", 700, 600, 500, 90)}, true, 800},
		{"half of her beside the edge", Point{859, 400}, []Window{win(1, "A", 800, 700, 400, 300)}, true, 1040},
		{"just on the edge", Point{860, 400}, []Window{win(1, "A", 800, 700, 400, 300)}, true, 700},
		{"a covered edge", Point{960, 400}, []Window{win(2, "B", 900, 650, 50, 100), win(1, "A", 800, 700, 400, 300)}, true, 1040},
		{"covered elsewhere", Point{1100, 400}, []Window{win(2, "B", 850, 650, 50, 100), win(1, "A", 800, 700, 400, 300)}, true, 700},
		{"no room to stand", Point{960, 100}, []Window{win(1, "A", 800, 290, 400, 300)}, true, 1040},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil, c.windows...)
			r.letGo(c.root)
			if got := r.State(r.now).Posture == Falling; got != c.fall {
				t.Fatalf("falls = %v", got)
			}
			for range 200 {
				r.step(time.Second / 30)
				if r.State(r.now).Posture != Falling {
					break
				}
			}
			r.root(c.root.X, c.y)
			want := 0
			if c.fall {
				want = 1
			}
			if got := r.told("proactive.dropped"); got != want {
				t.Fatalf("dropped told %d times", got)
			}
		})
	}
}

func TestFallSpeed(t *testing.T) { // 1600 px/s², at most 1200 px/s, whatever the frame rate
	for _, rate := range []time.Duration{144, 60, 30, 15} {
		r := newRig(t, nil)
		r.show(Desktop{Monitors: []Monitor{screen(0, 0, 1920, 4040)}})
		r.letGo(Point{960, 1000})
		start := r.now
		var fastest float64
		for r.State(r.now).Posture == Falling {
			f := r.step(time.Second / rate)
			fastest = max(fastest, f.Velocity.Y)
		}
		// 0.75 s to full speed on 450 px, then 2550 px at 1200.
		want := 0.75 + 2550.0/1200
		if got := r.now.Sub(start).Seconds(); math.Abs(got-want) > 1.5/float64(rate) {
			t.Errorf("%d fps: fell for %.3f s, want %.3f", rate, got, want)
		}
		if fastest > 1201 {
			t.Errorf("%d fps: %v px/s", rate, fastest)
		}
	}
}

func TestLandingClips(t *testing.T) {
	r := newRig(t, nil)
	r.letGo(Point{960, 960}) // 80 px: less than 0.4 of the unit
	r.run(500 * time.Millisecond)
	if r.frame.Clip != "landing" {
		t.Fatalf("clip %q", r.frame.Clip)
	}
	r.run(700 * time.Millisecond)
	if r.frame.Clip != "" {
		t.Fatalf("a low drop still plays %q", r.frame.Clip)
	}
	r.letGo(Point{960, 500})
	r.step(33 * time.Millisecond)
	if r.frame.Clip != "falling" {
		t.Fatalf("clip %q", r.frame.Clip)
	}
	r.run(2500 * time.Millisecond)
	if r.frame.Clip != "landing" {
		t.Fatalf("clip %q", r.frame.Clip)
	}
	r.run(1500 * time.Millisecond)
	if r.frame.Clip != "" {
		t.Fatalf("clip %q", r.frame.Clip)
	}
}

func TestDroppedIsToldOnceAMinute(t *testing.T) {
	r := newRig(t, nil)
	told := 0
	for range 4 {
		r.letGo(Point{960, 500})
		r.run(10 * time.Second)
		told += r.told("proactive.dropped")
	}
	r.run(time.Minute)
	r.letGo(Point{960, 500})
	r.run(10 * time.Second)
	if told += r.told("proactive.dropped"); told != 2 {
		t.Fatalf("told %d times", told)
	}
}

func TestWindowLandingEndsInASit(t *testing.T) { // 2.4: it hands over to the perch loop
	for _, walks := range []bool{true, false} {
		r := newRig(t, func(c *Config) { c.Walk.On = walks }, win(1, "A", 600, 700, 800, 300))
		r.letGo(Point{960, 300})
		r.run(4500 * time.Millisecond)
		if p := r.State(r.now).Perch; p == nil || p.App != "A" {
			t.Fatalf("perch %v", p)
		}
		if walks {
			r.posture(Walking)
		}
		r.run(10 * time.Second)
		r.posture(Sitting)
		x := r.State(r.now).Root.X
		if walks == (x == 960) || math.Abs(x-960) > 170 {
			t.Fatalf("walks %v: sits at %v", walks, x)
		}
	}
}

func TestSurfaceComesAndGoes(t *testing.T) {
	r := newRig(t, nil)
	r.letGo(Point{960, 300})
	r.run(200 * time.Millisecond)
	r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{win(1, "A", 600, 700, 800, 300)}})
	r.run(200 * time.Millisecond)
	r.show(Desktop{Monitors: r.desk.Monitors})
	r.run(3 * time.Second)
	r.root(960, 1040)
}

func TestFallSwitchOff(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Fall.On = false }, win(7, "XTerm", 600, 500, 400, 300))
	r.letGo(Point{1500, 400})
	r.run(time.Second)
	r.posture(Standing)
	r.root(1500, 400)
	r.do(move("center"))
	r.want(OK)
	r.root(960, 670)
	cfg := r.cfg
	cfg.Fall.On = true
	r.SetConfig(cfg, r.now) // switched on again, she comes down
	r.run(3 * time.Second)
	r.root(960, 1040)
}

func TestReducedMotion(t *testing.T) {
	reduced := func(c *Config) { c.ReducedMotion, c.Walk.On = true, true }
	r := newRig(t, reduced, win(7, "XTerm", 600, 500, 400, 300))
	r.letGo(Point{1500, 400})
	r.posture(Standing)
	r.root(1500, 1040)
	r.do(sit("xterm"))
	r.want(OK)
	r.posture(Sitting)
	r.do(bedGo)
	r.want(Unsupported)
	r.step(0)
	if next, ok := r.Next(r.now.Add(time.Second)); ok {
		t.Fatalf("nothing is to come, but %v", next)
	}
}

func TestTwoMonitors(t *testing.T) {
	upper, lower := screen(0, 0, 1600, 900), screen(0, 900, 1600, 900)
	beside := screen(1600, 300, 1280, 1024)
	list := []Monitor{upper, lower, beside}
	for _, c := range []struct {
		name string
		root Point
		y    float64
	}{
		{"upper", Point{500, 400}, 860},
		{"the seam keeps feet a little below the upper line", Point{500, 910}, 860},
		{"lower", Point{500, 1300}, 1760},
		{"the one beside, by its own work area", Point{2000, 600}, 1284},
		{"above every monitor, nearest", Point{500, -400}, 860},
		{"below every monitor, nearest", Point{2700, 2500}, 1284},
		{"off every monitor, nearest", Point{3200, 600}, 1284},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.show(Desktop{Monitors: list})
			r.letGo(c.root)
			r.run(6 * time.Second)
			if got := r.State(r.now).Root; got.Y != c.y {
				t.Fatalf("root %v, want y %v", got, c.y)
			}
			if r.desk.monitorAt(r.middle()) == nil {
				t.Fatalf("off the screen at %v", r.State(r.now).Root)
			}
		})
	}
}

func TestMonitorsChange(t *testing.T) {
	one, two := screen(0, 0, 1600, 900), screen(1600, 0, 1600, 1200)
	r := newRig(t, nil)
	r.show(Desktop{Monitors: []Monitor{one, two}})
	r.do(Command{Action: protocol.MoveTo, Spot: "bottom-right", Monitor: new(int)})
	r.Place(Point{2500, 500}, r.now)
	r.root(2500, 1160)
	r.show(Desktop{Monitors: []Monitor{one}}) // the second goes away
	r.run(5 * time.Second)
	if got := r.State(r.now).Root; got.Y != 860 || got.X < 0 || got.X > 1600 {
		t.Fatalf("root %v", got)
	}
	r.show(Desktop{})
	r.run(time.Second)
	r.show(Desktop{Monitors: []Monitor{one}})
	r.run(time.Second)
	one.WorkArea.H = 700 // a panel comes
	r.show(Desktop{Monitors: []Monitor{one}})
	r.run(time.Second)
	r.posture(Standing)
	if y := r.State(r.now).Root.Y; y != 700 {
		t.Fatalf("y %v under a new panel", y)
	}
	one.WorkArea.H = 900 // and goes: a real drop
	r.show(Desktop{Monitors: []Monitor{one}})
	r.posture(Falling)
	r.run(5 * time.Second)
	if y := r.State(r.now).Root.Y; y != 900 {
		t.Fatalf("y %v", y)
	}
}

func TestPlaceBeforeTheDesktop(t *testing.T) {
	b := New(DefaultConfig(), girl(), DefaultClips(), nil)
	b.Step(epoch)
	b.Place(Point{300, 100}, epoch)
	b.SetDesktop(Desktop{Monitors: []Monitor{screen(0, 0, 1920, 1080)}}, epoch)
	if got := b.State(epoch).Root; got != (Point{300, 1040}) {
		t.Fatalf("root %v", got)
	}
	b = New(DefaultConfig(), girl(), DefaultClips(), nil)
	b.SetDesktop(Desktop{Monitors: []Monitor{screen(0, 0, 1920, 1080)}}, epoch)
	if got := b.State(epoch); got.Root.Y != 1040 || got.Posture != Standing {
		t.Fatalf("state %+v", got)
	}
}

func TestDesktopOfNonsense(t *testing.T) {
	nan := math.NaN()
	r := newRig(t, nil)
	bad := Desktop{
		Monitors: []Monitor{{Rect: Rect{0, 0, 1920, 1080}, WorkArea: Rect{nan, 0, 0, 0}, Scale: nan}, {Rect: Rect{1920, 0, 800, 600}}},
		Windows:  []Window{{ID: 1, App: "a", Rect: Rect{nan, nan, nan, nan}}, win(2, "b", 300, 600, 400, 300), {ID: 3, Rect: Rect{1e300, 0, 1e300, 1}}},
	}
	r.show(bad)
	r.do(sit("b"))
	r.run(2 * time.Second)
	r.want(OK)
	r.root(500, 600)
	r.DragStart(Point{nan, 0}, r.now)
	r.posture(Sitting)
	r.Place(Point{nan, nan}, r.now)
	r.run(time.Second)
	if got := r.State(r.now).Root; !finite(got) {
		t.Fatalf("root %v", got)
	}
}
