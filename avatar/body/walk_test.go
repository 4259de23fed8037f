package body

import (
	"math"
	"testing"
	"time"
)

func walks(c *Config) { c.Walk.On = true }

// untilPosture steps until she takes a posture.
func (r *rig) untilPosture(p Posture, limit time.Duration) {
	r.Helper()
	for end := r.now.Add(limit); r.now.Before(end); {
		if r.step(time.Second / 30); r.State(r.now).Posture == p {
			return
		}
	}
	r.Fatalf("not %s within %v, but %s", p, limit, r.State(r.now).Posture)
}

func TestFloorWalk(t *testing.T) { // docs/rules/body.md#floor-walk
	r := newRig(t, walks)
	for range 20 {
		began, from := r.now, r.State(r.now).Root
		r.untilPosture(Walking, 2*time.Minute)
		if wait := r.now.Sub(began); wait < 29*time.Second || wait > 61*time.Second {
			t.Fatalf("walked after %v", wait)
		}
		if r.told("avatar.walk_start") != 1 {
			t.Fatal("the start was not told")
		}
		way, start := math.Copysign(1, r.walking.walk.to-from.X), r.now
		speed := 0.325 * r.shape.Unit
		for r.State(r.now).Posture == Walking {
			last := r.frame
			f := r.step(time.Second / 30)
			if f.Clip != "walk" && r.State(r.now).Posture == Walking {
				t.Fatalf("clip %q", f.Clip)
			}
			if f.Yaw*way < 0 || math.Abs(f.Yaw) > math.Pi/2 || math.Abs(f.Yaw-last.Yaw) > 0.3 {
				t.Fatalf("yaw %v after %v", f.Yaw, last.Yaw)
			}
			// The root goes as fast as the feet walk in the direction she faces.
			if v := (f.Root.X - last.Root.X) * 30 * way; v < -1e-9 || v > 1.6*speed*math.Max(math.Abs(math.Sin(f.Yaw)), math.Abs(math.Sin(last.Yaw)))+1 {
				t.Fatalf("%v px/s at yaw %v, full speed %v", v, f.Yaw, speed)
			}
			if f.Root.Y != 1040 {
				t.Fatalf("root %v", f.Root)
			}
		}
		to := r.State(r.now).Root
		if d := math.Abs(to.X - from.X); d > 601 || d < 99 {
			t.Fatalf("walked %v px", d)
		}
		if to.X < 130-1e-6 || to.X > 1920-130+1e-6 {
			t.Fatalf("her window left the floor: %v", to)
		}
		if took, d := r.now.Sub(start).Seconds(), math.Abs(to.X-from.X); math.Abs(took-d/speed) > 0.8 {
			t.Fatalf("%v px took %.1f s", d, took)
		}
		if r.frame.Yaw != 0 {
			t.Fatalf("yaw %v at the end", r.frame.Yaw)
		}
		if r.told("avatar.walk_end") != 1 {
			t.Fatal("the end was not told")
		}
	}
}

func TestFloorWalkGates(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*rig)
		ok   bool
	}{
		{"a motion has the body", func(r *rig) { r.SetGates(Gates{Motion: true}, r.now) }, false},
		{"hidden", func(r *rig) { r.SetGates(Gates{Hidden: true}, r.now) }, false},
		{"a turn is no gate", func(r *rig) { r.SetGates(Gates{Pipeline: true}, r.now) }, true},
		{"reduced motion", func(r *rig) { c := r.cfg; c.ReducedMotion = true; r.SetConfig(c, r.now) }, false},
		{"switched off", func(r *rig) { c := r.cfg; c.Walk.On = false; r.SetConfig(c, r.now) }, false},
		{"dragged", func(r *rig) { r.DragStart(Point{960, 1000}, r.now) }, false},
		{"a floor too narrow", func(r *rig) { r.show(Desktop{Monitors: []Monitor{screen(760, 0, 400, 1080)}}) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, walks)
			c.do(r)
			r.run(3 * time.Minute)
			if got := r.told("avatar.walk_start") > 0; got != c.ok {
				t.Fatalf("walked = %v", got)
			}
		})
	}
	for name, end := range map[string]func(*rig){
		"a motion ends it":     func(r *rig) { r.SetGates(Gates{Motion: true}, r.now) },
		"hiding ends it":       func(r *rig) { r.SetGates(Gates{Hidden: true}, r.now) },
		"a drag ends it":       func(r *rig) { r.DragStart(r.State(r.now).Root, r.now) },
		"a command ends it":    func(r *rig) { r.do(move("center")) },
		"reduced motion ends":  func(r *rig) { c := r.cfg; c.ReducedMotion = true; r.SetConfig(c, r.now) },
		"the floor goes lower": func(r *rig) { r.show(Desktop{Monitors: []Monitor{screen(0, 0, 1920, 1280)}}) },
	} {
		r := newRig(t, walks)
		r.untilPosture(Walking, 2*time.Minute)
		r.run(time.Second)
		r.told("")
		end(r)
		if r.State(r.now).Posture == Walking || r.told("avatar.walk_end") != 1 {
			t.Errorf("%s: still walking", name)
		}
		r.run(time.Second)
		if r.State(r.now).Posture != Walking && r.frame.Yaw != 0 {
			t.Errorf("%s: yaw %v", name, r.frame.Yaw)
		}
	}
}

func TestEventsDoNotPutOffTheWalk(t *testing.T) {
	r := newRig(t, walks)
	for range 30 {
		r.run(4 * time.Second)
		r.show(r.desk)
	}
	if r.told("avatar.walk_start") == 0 {
		t.Fatal("every event of the desktop began the wait anew")
	}
}

func TestNothingToDoInMidAir(t *testing.T) { // falling is off and she was left hanging
	r := newRig(t, func(c *Config) { c.Walk.On, c.Fall.On = true, false })
	r.letGo(Point{960, 400})
	r.step(time.Second)
	r.step(time.Second)
	if next, ok := r.Next(r.now); ok {
		t.Fatalf("waits for %v", next.Sub(r.now))
	}
}

func TestLandingWhileAMotionHasTheBody(t *testing.T) {
	r := newRig(t, walks, win(1, "A", 600, 700, 800, 300))
	r.letGo(Point{960, 400})
	r.SetGates(Gates{Motion: true}, r.now)
	r.run(6 * time.Second)
	if r.frame.Clip != "" {
		t.Fatalf("clip %q: the motion cannot show", r.frame.Clip)
	}
	r.posture(Standing)
	r.SetGates(Gates{}, r.now)
	r.run(8 * time.Second)
	r.posture(Sitting)
}

func TestFloorRange(t *testing.T) { // docs/rules/body.md#floor
	box := Rect{-100, -300, 200, 320}
	a, b := screen(0, 0, 1000, 800), screen(1000, 0, 1000, 800)
	higher := screen(1000, -100, 1000, 800)
	gap := screen(1002, 0, 1000, 800)
	scaled := b
	scaled.Scale = 2
	below := Monitor{Rect: Rect{600, 760, 400, 800}, WorkArea: Rect{600, 760, 400, 800}, Scale: 2}
	for _, c := range []struct {
		name   string
		list   []Monitor
		x      float64
		lo, hi float64
	}{
		{"alone", []Monitor{a}, 500, 100, 900},
		{"merged with its neighbour", []Monitor{a, b}, 500, 100, 1900},
		{"another floor line", []Monitor{a, higher}, 500, 100, 900},
		{"a gap of 2 px", []Monitor{a, gap}, 500, 100, 900},
		{"another scale", []Monitor{a, scaled}, 500, 100, 900},
		{"over another scale", []Monitor{a, below}, 300, 100, 500},
	} {
		d := Desktop{Monitors: c.list}
		if r := d.floorRange(&d.Monitors[0], c.x, box); r.lo != c.lo || r.hi != c.hi || r.floor != 760 {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

func TestDescent(t *testing.T) { // 2.3: over the edge to a lower monitor
	r := newRig(t, func(c *Config) { c.Walk.On, c.Walk.DescendChance = true, 1 })
	r.show(Desktop{Monitors: []Monitor{screen(0, 0, 1000, 800), screen(1000, 200, 1000, 900)}})
	r.Place(Point{700, 300}, r.now)
	r.root(700, 760)
	for range 40 {
		r.untilPosture(Walking, 2*time.Minute)
		if r.walking.walk.after == thenFall {
			break
		}
		r.untilPosture(Standing, time.Minute)
	}
	r.untilPosture(Falling, time.Minute)
	r.untilPosture(Standing, time.Minute)
	if got := r.State(r.now).Root; got.Y != 1060 || got.X < 1050 || got.X > 1080 {
		t.Fatalf("root %v", got)
	}
	if r.told("proactive.dropped") != 0 {
		t.Fatal("her own step was told as a drop")
	}
}

func TestNoDescent(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"the dice":             func(c *Config) { c.Walk.On, c.Walk.DescendChance = true, 0 },
		"falling switched off": func(c *Config) { c.Walk.On, c.Walk.DescendChance, c.Fall.On = true, 1, false },
	} {
		r := newRig(t, change)
		r.show(Desktop{Monitors: []Monitor{screen(0, 0, 1000, 800), screen(1000, 200, 1000, 900)}})
		r.Place(Point{700, 300}, r.now)
		for range 20 {
			r.untilPosture(Walking, 2*time.Minute)
			r.untilPosture(Standing, time.Minute)
			if x := r.State(r.now).Root.X; x > 1000-130+1e-6 {
				t.Fatalf("%s: at %v", name, x)
			}
		}
	}
}

func TestPerchedStroll(t *testing.T) { // docs/rules/body.md#perched-stroll
	r := newRig(t, func(c *Config) { c.Walk.On, c.Stroll.StepOff = true, 0 }, win(7, "XTerm", 600, 500, 900, 300))
	r.do(sit("xterm"))
	r.run(2 * time.Second)
	r.want(OK)
	r.told("")
	for range 10 {
		began, from := r.now, r.State(r.now).Root
		r.untilPosture(Standing, 3*time.Minute)
		if wait := r.now.Sub(began); wait < 44*time.Second || wait > 121*time.Second {
			t.Fatalf("stood up after %v", wait)
		}
		if r.frame.Clip != "stand_up" {
			t.Fatalf("clip %q", r.frame.Clip)
		}
		r.untilPosture(Walking, 2*time.Second)
		r.untilPosture(Standing, time.Minute)
		if r.frame.Clip != "sit_down" {
			t.Fatalf("clip %q", r.frame.Clip)
		}
		r.untilPosture(Sitting, 2*time.Second)
		to := r.State(r.now).Root
		if d := math.Abs(to.X - from.X); d < 79 || d > 401 {
			t.Fatalf("strolled %v px", d)
		}
		if to.X < 660-1e-6 || to.X > 1440+1e-6 || to.Y != 500 {
			t.Fatalf("sits at %v: 60 px of margin are to be kept", to)
		}
	}
	if r.told("user.window_sit_exit") != 0 {
		t.Fatal("a stroll is no exit")
	}
}

func TestPerchedStrollGates(t *testing.T) {
	for name, do := range map[string]func(*rig){
		"a turn is running": func(r *rig) { r.SetGates(Gates{Pipeline: true}, r.now) },
		"a motion":          func(r *rig) { r.SetGates(Gates{Motion: true}, r.now) },
		"no room to stand":  func(r *rig) { r.to(Rect{600, 250, 900, 300}) },
		"a short edge":      func(r *rig) { r.to(Rect{600, 500, 200, 300}) },
	} {
		r := newRig(t, walks, win(7, "XTerm", 600, 500, 900, 300))
		r.do(sit("xterm"))
		r.run(2 * time.Second)
		do(r)
		r.run(8 * time.Minute)
		if p := r.State(r.now).Posture; p != Sitting || r.told("avatar.walk_start") != 0 {
			t.Errorf("%s: she strolled, now %s", name, p)
		}
	}
}

func TestStepOff(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Walk.On, c.Stroll.StepOff = true, 1 }, win(7, "XTerm", 600, 500, 300, 300))
	r.dropAt(Point{820, 500})
	r.run(2 * time.Second)
	r.told("")
	r.untilPosture(Walking, 3*time.Minute)
	r.untilPosture(Falling, time.Minute)
	if x := r.State(r.now).Root.X; x < 960 || x > 965 { // the nearer end and half of her width
		t.Fatalf("stepped off at %v", x)
	}
	if r.told("user.window_sit_exit") != 1 {
		t.Fatal("the exit was not told")
	}
	r.untilPosture(Standing, time.Minute)
	if y := r.State(r.now).Root.Y; y != 1040 {
		t.Fatalf("y %v", y)
	}
}

func TestStrollHostGoes(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Walk.On, c.Stroll.StepOff = true, 0 }, win(7, "XTerm", 600, 500, 900, 300))
	r.do(sit("xterm"))
	r.run(2 * time.Second)
	r.untilPosture(Walking, 3*time.Minute)
	r.run(500 * time.Millisecond)
	r.to(Rect{640, 480, 900, 300}) // it moves under her feet
	f := r.step(33 * time.Millisecond)
	if f.Root.Y != 480 || r.State(r.now).Posture != Walking {
		t.Fatalf("root %v, %s", f.Root, r.State(r.now).Posture)
	}
	r.show(Desktop{Monitors: r.desk.Monitors})
	r.posture(Falling)
}

func TestLevelNeighbours(t *testing.T) { // 2.6: tops level within 8 px are one ledge
	left, right := win(1, "Left", 200, 500, 400, 300), win(2, "Right", 600, 506, 400, 300)
	for _, c := range []struct {
		name    string
		windows []Window
		i       int
		x       float64
		lo, hi  float64
		ok      bool
	}{
		{"one", []Window{left}, 0, 300, 200, 600, true},
		{"touching", []Window{left, right}, 0, 300, 200, 1000, true},
		{"touching, from behind", []Window{left, right}, 1, 700, 200, 1000, true},
		{"not level", []Window{left, win(2, "R", 600, 509, 400, 300)}, 0, 300, 200, 600, true},
		{"not touching", []Window{left, win(2, "R", 601, 500, 400, 300)}, 0, 300, 200, 600, true},
		{"overlapping, level one in front", []Window{win(2, "R", 500, 498, 400, 300), left}, 1, 300, 200, 900, true},
		{"hidden in the middle", []Window{win(9, "Top", 350, 400, 50, 200), left}, 1, 300, 200, 350, true},
		{"hidden at x", []Window{win(9, "Top", 250, 400, 100, 200), left}, 1, 300, 200, 600, false},
		{"a low window in front hides nothing", []Window{win(9, "Low", 250, 510, 100, 200), left}, 1, 300, 200, 600, true},
	} {
		d := Desktop{Windows: c.windows}
		s, ok := d.ledge(c.i, c.x, 8)
		if ok != c.ok || ok && (s.lo != c.lo || s.hi != c.hi) {
			t.Errorf("%s: %v %v", c.name, s, ok)
		}
	}
	r := newRig(t, func(c *Config) { c.Walk.On, c.Stroll.StepOff = true, 0 }, left, right)
	r.do(sit("left"))
	r.run(2 * time.Second)
	crossed := false
	for range 40 {
		r.untilPosture(Walking, 4*time.Minute)
		r.untilPosture(Sitting, time.Minute)
		p, root := r.State(r.now).Perch, r.State(r.now).Root
		if (p.App == "Right") != (root.X > 600) || root.Y != map[string]float64{"Left": 500, "Right": 506}[p.App] {
			t.Fatalf("sits on %s at %v", p.App, root)
		}
		crossed = crossed || p.App == "Right"
	}
	if !crossed {
		t.Fatal("she never crossed over")
	}
}
