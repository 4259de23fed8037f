package body

import (
	"math/rand/v2"
	"testing"
	"time"
)

// pair is two pets on one desktop, each told of the other once a frame.
func pair(t *testing.T, x [2]float64, ready [2]bool) (bodies [2]*Body, now time.Time) {
	cfg := DefaultConfig()
	cfg.Walk.On, cfg.Climb.On = false, false // she makes room all the same
	now = epoch
	for i := range bodies {
		bodies[i] = New(cfg, girl(), DefaultClips(), rand.New(rand.NewPCG(1, 2)))
		bodies[i].SetDesktop(Desktop{Monitors: []Monitor{screen(0, 0, 1920, 1080)}}, now)
		bodies[i].Place(Point{x[i], 900}, now)
		bodies[i].SetGates(Gates{Motion: !ready[i]}, now)
	}
	for range 30 * 20 {
		list := []Rect{bodies[0].Bounds(), bodies[1].Bounds()}
		for i, b := range bodies {
			b.SetOthers(list, i, now)
			b.Step(now)
			b.Events()
		}
		now = now.Add(time.Second / 30)
	}
	return bodies, now
}

func TestKeepsApart(t *testing.T) { // each is 120 px wide: more than 40 px in common is too much
	both := [2]bool{true, true}
	for _, c := range []struct {
		name  string
		x     [2]float64
		ready [2]bool
		moved [2]bool
		order int // of their x afterwards
	}{
		{"on the same spot", [2]float64{900, 900}, both, [2]bool{true, true}, -1},
		{"a little to the right", [2]float64{930, 900}, both, [2]bool{true, true}, 1},
		{"a third", [2]float64{900, 981}, both, [2]bool{}, -1},
		{"a little more", [2]float64{900, 979}, both, [2]bool{true, true}, -1},
		{"far apart", [2]float64{300, 900}, both, [2]bool{}, -1},
		{"one is busy", [2]float64{900, 910}, [2]bool{false, true}, [2]bool{false, true}, -1},
		{"at the end of the floor", [2]float64{130, 150}, both, [2]bool{false, true}, -1},
		{"at the end, and the other is busy", [2]float64{130, 150}, [2]bool{true, false}, [2]bool{true, false}, 1},
	} {
		b, now := pair(t, c.x, c.ready)
		a, z := b[0].State(now).Root.X, b[1].State(now).Root.X
		if (a != c.x[0]) != c.moved[0] || (z != c.x[1]) != c.moved[1] {
			t.Errorf("%s: %v -> %v %v", c.name, c.x, a, z)
		}
		if (a < z) != (c.order < 0) {
			t.Errorf("%s: they are at %v and %v", c.name, a, z)
		}
		if c.moved != [2]bool{} && max(a-z, z-a) < 80 {
			t.Errorf("%s: still too close: %v %v", c.name, a, z)
		}
	}
}

func TestPassersByDoNotCrowd(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Walk.On, c.Walk.Every = true, [2]time.Duration{time.Hour, time.Hour} })
	for x := 500.0; x < 1500; x += 120 / 30.0 { // another one walks by at 120 px/s
		r.SetOthers([]Rect{{x, 740, 120, 300}}, -1, r.now)
		r.step(time.Second / 30)
		if x > 800 {
			x += 4 // and hurries past
		}
	}
	if n := r.told("avatar.walk_start"); n != 0 {
		t.Fatal("she stepped aside for one who passed by")
	}
	r.SetOthers([]Rect{{900, 440, 120, 300}}, -1, r.now) // sits on a window in front of her
	r.run(10 * time.Second)
	if n := r.told("avatar.walk_start"); n != 0 {
		t.Fatal("another floor is no crowd")
	}
}
