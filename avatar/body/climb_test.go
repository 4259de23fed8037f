package body

import (
	"math"
	"testing"
	"time"

	"yui/avatar/clips"
	"yui/internal/protocol"
)

// climber climbs and does nothing else by herself. H is 300, the study's unit 255: the wall is 38 px from her root, the
// edge in reach at 115 px, and she ends 43 px in from the corner.
func climber(c *Config) { c.Climb.On = true }

const (
	wallOff = 0.15 * 255
	reachUp = 0.45 * 255
	stepIn  = 0.17 * 255
)

// untilClip steps until a clip plays.
func (r *rig) untilClip(clip clips.ID, limit time.Duration) {
	r.Helper()
	for end := r.now.Add(limit); r.now.Before(end); {
		if r.step(time.Second / 30); r.frame.Clip == clip {
			return
		}
	}
	r.Fatalf("no %s within %v, but %q, %s", clip, limit, r.frame.Clip, r.State(r.now).Posture)
}

func near(a, b float64) bool { return math.Abs(a-b) < 0.5 }

func TestClimbUpAWindow(t *testing.T) { // docs/rules/body.md#climb
	r := newRig(t, climber, win(7, "XTerm", 1100, 640, 600, 400))
	began := r.now
	r.untilPosture(Walking, 4*time.Minute)
	if wait := r.now.Sub(began); wait < 89*time.Second || wait > 181*time.Second {
		t.Fatalf("set out after %v", wait)
	}
	r.told("")
	r.untilPosture(Climbing, time.Minute)
	r.root(1100-wallOff, 1040)
	if f := r.frame; f.Clip != "climb_up" || !near(f.Yaw, math.Pi/2) || f.Origin != (Point{}) {
		t.Fatalf("frame %+v", f)
	}
	if p := r.State(r.now).Perch; p == nil || p.App != "XTerm" {
		t.Fatalf("perched on %v", p)
	}
	at, from := r.now, r.frame.Root.Y
	r.untilClip("climb_up_done", time.Minute)
	if v := (from - r.frame.Root.Y) / r.now.Sub(at).Seconds(); math.Abs(v-0.15*255) > 1 {
		t.Fatalf("rose %v px/s", v)
	}
	// The hand-over: the clip's root is the corner, hers is where climb_up has left it.
	if f := r.frame; !near(f.Root.Y+f.Origin.Y, 640) || !near(f.Root.X+f.Origin.X, 1100) || math.Abs(f.Origin.Y+reachUp) > 2 {
		t.Fatalf("root %v origin %v", f.Root, f.Origin)
	}
	var last Frame
	for r.frame.Clip == "climb_up_done" {
		last = r.frame
		r.step(time.Second / 30)
	}
	if !near(last.Root.X+last.Origin.X, 1100) || !near(last.Root.X, 1100+stepIn) || !near(last.Root.Y, 640) {
		t.Fatalf("ended at %v origin %v", last.Root, last.Origin)
	}
	if f := r.frame; f.Clip != "walk" || f.Fade != 0.1 || f.Origin != (Point{}) || math.Abs(f.Root.X-last.Root.X) > 3 {
		t.Fatalf("goes on with %+v", f)
	}
	r.untilPosture(Sitting, time.Minute)
	if x := r.State(r.now).Root.X - 1100 - stepIn; x < 0.5*300-1 || x > 1.5*300+1 {
		t.Fatalf("walked %v px in", x)
	}
	if r.told("avatar.climb_start") != 1 {
		t.Fatal("the climb was not told")
	}
}

func TestClimbDownAWindow(t *testing.T) {
	for _, backward := range []bool{false, true} {
		r := newRig(t, climber, win(7, "XTerm", 1100, 640, 800, 400))
		r.clips.Backward = backward
		r.untilPosture(Climbing, 4*time.Minute)
		r.untilPosture(Sitting, 2*time.Minute)
		at := r.now
		r.told("")
		r.untilClip("stand_up", 3*time.Minute)
		if d := r.now.Sub(at); d < 59*time.Second || d > 121*time.Second {
			t.Fatalf("dwelt %v", d)
		}
		r.untilPosture(Climbing, time.Minute)
		if f := r.frame; !near(f.Yaw, math.Pi/2) || math.Abs(f.Root.X-1100-stepIn) > 2 || f.Back != backward {
			t.Fatalf("over the edge: %+v", f)
		}
		if r.told("user.window_sit_exit") != 1 {
			t.Fatal("the exit was not told")
		}
		if backward {
			r.untilClip("climb_down", 3*time.Second)
		} else {
			r.run(450 * time.Millisecond)
		}
		if f := r.frame; f.Clip != "climb_down" || !near(f.Root.X, 1100-wallOff) || math.Abs(f.Root.Y-640-reachUp) > 4 || f.Back {
			t.Fatalf("on the wall: %+v", f)
		}
		r.untilClip("climb_down_landing", time.Minute)
		if f := r.frame; !near(f.Root.X+f.Origin.X, 1100-wallOff) || !near(f.Root.Y+f.Origin.Y, 1040) || math.Abs(f.Root.Y-1040+0.12*255) > 2 {
			t.Fatalf("landing: %+v", f)
		}
		r.untilPosture(Standing, 2*time.Second)
		r.root(1100-wallOff-0.13*255, 1040)
		if r.told("avatar.climb_end") != 1 {
			t.Fatal("the end was not told")
		}
		r.run(time.Second)
		if r.frame.Yaw != 0 || r.frame.Clip != "" || !r.grounded {
			t.Fatalf("afterwards %+v", r.frame)
		}
	}
}

func TestClimbGates(t *testing.T) {
	set := func(g Gates) func(*rig) { return func(r *rig) { r.SetGates(g, r.now) } }
	for name, do := range map[string]func(*rig){
		"a turn is running": set(Gates{Pipeline: true}),
		"a motion":          set(Gates{Motion: true}),
		"hidden":            set(Gates{Hidden: true}),
		"switched off":      func(r *rig) { c := r.cfg; c.Climb.On = false; r.SetConfig(c, r.now) },
		"reduced motion":    func(r *rig) { c := r.cfg; c.ReducedMotion = true; r.SetConfig(c, r.now) },
		"no clips":          func(r *rig) { r.SetClips(Clips{WalkSpeed: 0.3}) },
		"nothing to climb":  func(r *rig) { r.show(Desktop{Monitors: r.desk.Monitors}) },
		"held":              func(r *rig) { r.DragStart(Point{960, 1000}, r.now) },
	} {
		r := newRig(t, climber, win(7, "XTerm", 1100, 640, 600, 400))
		do(r)
		r.run(8 * time.Minute)
		if r.told("avatar.walk_start") != 0 {
			t.Errorf("%s: she set out", name)
		}
	}
}

func TestWalkToTheWallGivesUp(t *testing.T) {
	for name, c := range map[string]struct {
		rect Rect
		goes bool
	}{
		"moved 12 px": {Rect{1112, 640, 600, 400}, true}, "moved 13 px": {Rect{1113, 640, 600, 400}, false},
		"raised 13 px": {Rect{1100, 627, 600, 400}, false}, "gone": {Rect{}, false},
	} {
		r := newRig(t, climber, win(7, "XTerm", 1100, 640, 600, 400))
		r.untilPosture(Walking, 4*time.Minute)
		d := Desktop{Monitors: r.desk.Monitors}
		if c.rect.W > 0 {
			d.Windows = []Window{{ID: 7, Rect: c.rect}}
		}
		r.show(d)
		if (r.State(r.now).Posture == Walking) != c.goes {
			t.Errorf("%s: %s", name, r.State(r.now).Posture)
		}
		if c.goes {
			r.untilPosture(Climbing, time.Minute)
			r.root(1112-wallOff, 1040)
		}
	}
}

func TestLosesTheWall(t *testing.T) { // gone, covered or switched off: she drops
	for name, do := range map[string]func(*rig){
		"closed": func(r *rig) { r.show(Desktop{Monitors: r.desk.Monitors}) },
		"covered": func(r *rig) {
			r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{win(8, "Front", 900, 500, 400, 200), r.desk.Windows[0]}})
			r.run(300 * time.Millisecond)
		},
		"off the screen":  func(r *rig) { r.to(Rect{20, 640, 600, 400}) },
		"a drag":          func(r *rig) { r.DragStart(r.frame.Root, r.now) },
		"stand":           func(r *rig) { r.do(Command{Action: protocol.Stand}); r.want(OK) },
		"the switch":      func(r *rig) { c := r.cfg; c.Climb.On = false; r.SetConfig(c, r.now) },
		"reduced motion":  func(r *rig) { c := r.cfg; c.ReducedMotion = true; r.SetConfig(c, r.now) },
		"hidden":          func(r *rig) { r.SetGates(Gates{Hidden: true}, r.now) },
		"the clips go":    func(r *rig) { r.SetClips(Clips{WalkSpeed: 0.3}); r.step(33 * time.Millisecond) },
		"the model goes":  func(r *rig) { r.SetShape(Shape{}); r.step(33 * time.Millisecond) },
		"a command":       func(r *rig) { r.do(Command{Action: protocol.MoveTo, Spot: "center"}) },
		"no riding":       func(r *rig) { r.cfg.Ride.On = false; r.to(Rect{1140, 640, 600, 400}); r.run(time.Second) },
		"sent to bed":     func(r *rig) { r.do(bedGo) },
		"put somewhere":   func(r *rig) { r.Place(Point{500, 500}, r.now) },
		"told to sit":     func(r *rig) { r.do(sit("xterm")) },
		"too little room": func(r *rig) { r.to(Rect{1100, 100, 600, 940}) },
	} {
		r := newRig(t, climber, win(7, "XTerm", 1100, 640, 600, 400))
		r.untilPosture(Climbing, 4*time.Minute)
		r.run(3 * time.Second)
		r.posture(Climbing)
		r.told("")
		do(r)
		if r.State(r.now).Posture == Climbing || r.told("avatar.climb_end") != 1 {
			t.Errorf("%s: still %s", name, r.State(r.now).Posture)
		}
		r.DragEnd(r.now)
		r.run(5 * time.Second)
		if f := r.frame; f.Yaw != 0 || f.Origin != (Point{}) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestRidesOnTheWall(t *testing.T) { // ours: she rides along
	r := newRig(t, climber, win(7, "XTerm", 1100, 640, 600, 400))
	r.untilPosture(Climbing, 4*time.Minute)
	r.run(2 * time.Second)
	y := r.frame.Root.Y
	for i := range 20 {
		r.to(Rect{1100 + float64(i)*4, 640 - float64(i)*3, 600, 400})
		r.step(33 * time.Millisecond)
	}
	r.posture(Climbing)
	r.root(1100+19*4-wallOff, y-19*3-20*0.033*0.15*255)
	// Lowered until her feet are on the floor again: she does not sink into it.
	r.to(Rect{1176, 770, 600, 400})
	if y := r.State(r.now).Root.Y; y != 1040 {
		t.Fatalf("below the floor: %v", y)
	}
	r.untilPosture(Sitting, time.Minute)
	if y := r.State(r.now).Root.Y; y != 770 {
		t.Fatalf("sits at %v", y)
	}
}

func TestLeapsToAHangingWall(t *testing.T) { // the bottom is above her: up to H by 2.8, her feet hang 0.3 H below it
	r := newRig(t, climber, win(7, "XTerm", 1100, 400, 800, 400))
	r.untilPosture(Climbing, 4*time.Minute)
	r.run(400 * time.Millisecond)
	if y := r.frame.Root.Y; math.Abs(y-(800+90)) > 3 {
		t.Fatalf("root at %v", y)
	}
	r.untilPosture(Sitting, 2*time.Minute)
	r.told("")
	r.untilPosture(Climbing, 4*time.Minute)
	r.untilPosture(Falling, time.Minute) // and down: where the window ends she lets go
	if y := r.frame.Root.Y; math.Abs(y-(800+90)) > 5 {
		t.Fatalf("let go at %v", y)
	}
	r.run(3 * time.Second)
	r.root(1100-wallOff, 1040)
	if r.told("proactive.dropped") != 0 {
		t.Fatal("her own doing was told as a drop")
	}
}

func TestNoClimbOffWithoutFalling(t *testing.T) { // a window that ends above the floor, and falling is off
	r := newRig(t, func(c *Config) { c.Climb.On, c.Fall.On = true, false }, win(7, "XTerm", 1100, 400, 600, 400))
	r.untilPosture(Climbing, 4*time.Minute)
	r.untilPosture(Sitting, 2*time.Minute)
	r.run(10 * time.Minute)
	r.posture(Sitting)
}

// towers are two screens, one on the other.
func towers() []Monitor { return []Monitor{screen(0, 1040, 1920, 1080), screen(0, 0, 1920, 1080)} }

func TestClimbsToTheUpperScreen(t *testing.T) { // 2.8: the floor line of the upper is the top of the lower
	for _, side := range []float64{300, 1700} {
		r := newRig(t, climber)
		r.show(Desktop{Monitors: towers()})
		r.Place(Point{side, 1500}, r.now)
		r.root(side, 2080)
		r.untilPosture(Climbing, 4*time.Minute)
		x, yaw := wallOff, -math.Pi/2
		if side > 960 {
			x, yaw = 1920-wallOff, math.Pi/2
		}
		r.root(x, 2080)
		if !near(r.frame.Yaw, yaw) || r.State(r.now).Perch != nil {
			t.Fatalf("yaw %v", r.frame.Yaw)
		}
		r.untilClip("climb_up_done", time.Minute)
		r.untilPosture(Standing, 3*time.Second)
		in := 60.0 // half of her width: no screen goes on beyond the edge
		if side > 960 {
			in = 1920 - 60
		}
		r.root(in, 1040)
		if !r.grounded {
			t.Fatal("she does not know that she is on the floor")
		}
		r.run(time.Second)
		r.root(in, 1040)
	}
}

func TestClimbsDownAScreen(t *testing.T) { // 2.3: climb_down_chance
	r := newRig(t, func(c *Config) { c.Walk.On, c.Climb.On, c.Walk.DescendChance, c.Climb.DownChance = true, true, 1, 1 })
	// Side by side, the right floor 300 px lower.
	r.show(Desktop{Monitors: []Monitor{screen(0, 0, 1000, 800), screen(1000, 200, 1000, 900)}})
	r.Place(Point{700, 300}, r.now)
	r.untilPosture(Climbing, 20*time.Minute)
	if f := r.frame; !near(f.Yaw, -math.Pi/2) || math.Abs(f.Root.X-1000+stepIn) > 2 || !near(f.Root.Y, 760) {
		t.Fatalf("frame %+v", f)
	}
	r.untilPosture(Standing, time.Minute)
	r.root(1000+wallOff+0.13*255, 1060)

	// From the upper screen to the one below it; falling off: always by climbing.
	r = newRig(t, func(c *Config) {
		c.Walk.On, c.Climb.On, c.Walk.DescendChance, c.Climb.DownChance, c.Fall.On = true, true, 1, 0, false
	})
	r.show(Desktop{Monitors: towers()})
	r.Place(Point{1700, 500}, r.now)
	r.root(1700, 1040)
	r.untilPosture(Climbing, 20*time.Minute)
	r.untilPosture(Standing, time.Minute)
	if y := r.State(r.now).Root.Y; y != 2080 {
		t.Fatalf("at %v", r.State(r.now).Root)
	}
}

func TestClimbingScreenGoes(t *testing.T) {
	r := newRig(t, climber)
	r.show(Desktop{Monitors: towers()})
	r.Place(Point{300, 1500}, r.now)
	r.untilPosture(Climbing, 4*time.Minute)
	r.run(10 * time.Second)
	r.show(Desktop{Monitors: towers()[:1]})
	r.posture(Falling)
	r.run(3 * time.Second)
	if y := r.State(r.now).Root.Y; y != 2080 {
		t.Fatalf("at %v", y)
	}
}

func TestStrollsDoNotPutOffTheClimb(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Walk.On, c.Climb.On = true, true }, win(7, "XTerm", 1100, 640, 600, 400))
	for end := r.now.Add(10 * time.Minute); r.now.Before(end) && r.State(r.now).Posture != Climbing; {
		r.step(time.Second / 30)
	}
	r.posture(Climbing)
}

func TestWakesByItself(t *testing.T) { // no timer of anyone else's: Next tells when to climb and when to step aside
	for name, prepare := range map[string]func(*rig){
		"climb": func(r *rig) {
			r.show(Desktop{Monitors: r.desk.Monitors, Windows: []Window{win(7, "A", 1100, 640, 600, 400)}})
		},
		"aside": func(r *rig) {
			c := r.cfg
			c.Walk.On, c.Climb.On, c.Walk.Every = true, false, [2]time.Duration{time.Hour, time.Hour}
			r.SetConfig(c, r.now)
			r.SetOthers([]Rect{{X: 900, Y: 740, W: 120, H: 300}}, -1, r.now)
		},
	} {
		r := newRig(t, climber)
		prepare(r)
		r.run(time.Second / 2)
		for range 5 {
			if next, ok := r.Next(r.now); ok && r.State(r.now).Posture == Standing && next.Sub(r.now) < 5*time.Minute {
				r.step(next.Sub(r.now))
			}
		}
		if r.told("avatar.walk_start") != 1 {
			t.Errorf("%s: nothing woke her", name)
		}
	}
}
