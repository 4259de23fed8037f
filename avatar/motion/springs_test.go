package motion

import (
	"testing"
	"time"

	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

func springPlayer(t testing.TB) *Player {
	s := loadStudy(t)
	m := s.model(1)
	addSpring(m)
	return NewPlayer(m, s.library(t), 1)
}

// tip is where the end of the test chain is, away from the hips.
func tip(p *Player, pose *Pose) geom.Vec3 {
	return pose.World[len(pose.World)-1].Pos().Sub(pose.World[p.m.Humanoid[vrm.Hips]].Pos())
}

func TestAirStreamsSprings(t *testing.T) {
	p := springPlayer(t)
	still := tip(p, run(p, 2*time.Second))
	p.Hold("falling", HoldOpts{})
	var pose *Pose
	for range 20 {
		pose = p.Step(frame30, Input{Velocity: geom.Vec3{0, -2, 0}})
	}
	if up := tip(p, pose)[1] - still[1]; up < .05 {
		t.Errorf("falling lifts the tail by %.3f", up)
	}
}

// TestVelocityIsBeforeYaw: moved to her left, the tail lags to her right, whichever way she faces.
func TestVelocityIsBeforeYaw(t *testing.T) {
	for _, yaw := range []float32{0, 1.57, -2} {
		p := springPlayer(t)
		var pose *Pose
		for range 60 {
			pose = p.Step(frame30, Input{Yaw: yaw})
		}
		left := geom.AxisAngle(geom.Vec3{0, 1, 0}, yaw).Rotate(geom.Vec3{1, 0, 0})
		still := tip(p, pose).Dot(left)
		for range 20 {
			pose = p.Step(frame30, Input{Yaw: yaw, Velocity: geom.Vec3{2, 0, 0}})
		}
		if d := tip(p, pose).Dot(left) - still; d > -.03 {
			t.Errorf("yaw %.2f: the tail moves %.3f to the left", yaw, d)
		}
	}
}

// TestSpringsAgreeOnFrameRates: the same second at 20, 30 and 60 frames ends at about the same place.
func TestSpringsAgreeOnFrameRates(t *testing.T) {
	var at [3]geom.Vec3
	for i, hz := range []int{20, 30, 60} {
		p := springPlayer(t)
		run(p, time.Second)
		p.Reset()
		var pose *Pose
		for range hz / 2 {
			pose = p.Step(time.Second/time.Duration(hz), Input{Velocity: geom.Vec3{1, 0, 0}})
		}
		at[i] = tip(p, pose)
	}
	for i := range 2 {
		if d := at[i].Sub(at[2]).Len(); d > .02 {
			t.Errorf("frame rates differ by %.3f m: %v", d, at)
		}
	}
}

func TestLongPauseDoesNotFling(t *testing.T) {
	p := springPlayer(t)
	still := tip(p, run(p, 2*time.Second))
	for _, d := range []time.Duration{time.Hour, 0, time.Minute, time.Microsecond} {
		pose := p.Step(d, Input{Velocity: geom.Vec3{1e5, -1e5, 0}})
		if x := tip(p, pose).Len(); x > .5 {
			t.Fatalf("after %v: %v", d, x)
		}
	}
	if d := tip(p, run(p, 3*time.Second)).Sub(still).Len(); d > .03 {
		t.Errorf("does not come to rest: %.3f", d)
	}
}

func TestResetRests(t *testing.T) {
	p := springPlayer(t)
	run(p, time.Second)
	for range 10 {
		p.Step(frame30, Input{Velocity: geom.Vec3{3, 0, 0}})
	}
	p.Reset()
	pose := p.Step(time.Microsecond, Input{})
	for i := range p.rods.rods {
		r := &p.rods.rods[i]
		if d := pose.World[r.node].Rotation().Dot(pose.World[p.m.Nodes[r.node].Parent].Rotation()); abs(d) < .999 {
			t.Errorf("joint %d is bent after Reset", i)
		}
	}
}

// hairy is a model of 67 chains with 201 swinging joints and eight colliders each, as dressed models have them.
func hairy(t testing.TB) *Player {
	s := loadStudy(t)
	m := s.model(1)
	for range 67 {
		addSpring(m) // four joints
		sp := &m.Springs[len(m.Springs)-1]
		for i := range 7 {
			sp.Colliders = append(sp.Colliders, vrm.Collider{Node: m.Humanoid[vrm.Bone(i)], Radius: .05, Offset: geom.Vec3{.01 * float32(i), 0, 0}})
		}
	}
	return NewPlayer(m, s.library(t), 1)
}

// TestSteadyStepsAllocateNothing: a frame of a moving pet leaves no garbage, whatever plays and swings.
func TestSteadyStepsAllocateNothing(t *testing.T) {
	p := hairy(t)
	for _, id := range []clips.ID{"", "walk", "window_sit", "peek", "drag"} {
		if id != "" {
			p.Hold(id, HoldOpts{})
		}
		run(p, 2*time.Second)
		in := Input{HasGaze: true, GazeX: 12, Velocity: geom.Vec3{.3, 0, 0}}
		if n := testing.AllocsPerRun(60, func() { p.Step(frame30, in) }); n > 0 {
			t.Errorf("%q: %.1f allocations a frame", id, n)
		}
	}
}

// BenchmarkSprings steps 200 joints alone: of a frame of 33 ms, and what one of its fixed steps takes.
func BenchmarkSprings(b *testing.B) {
	p := hairy(b)
	run(p, time.Second)
	var f frame
	f.reset()
	if n := len(p.rods.rods); n < 200 {
		b.Fatalf("%d joints swing", n)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.rods.sub(p, springStep, geom.Vec3{.1, 0, 0}, 0)
	}
	b.ReportMetric(float64(len(p.rods.rods)), "joints")
}

func TestColliders(t *testing.T) {
	at := geom.Vec3{0, 1, 0}
	for _, c := range []struct {
		name string
		c    vrm.Collider
		from geom.Vec3
		hit  bool
		want geom.Vec3
	}{
		{"outside a sphere", vrm.Collider{Shape: vrm.Sphere, Radius: .1}, geom.Vec3{.3, 1, 0}, false, geom.Vec3{}},
		{"in a sphere", vrm.Collider{Shape: vrm.Sphere, Radius: .1}, geom.Vec3{.05, 1, 0}, true, geom.Vec3{.12, 1, 0}},
		{"beside a capsule", vrm.Collider{Shape: vrm.Capsule, Tail: geom.Vec3{0, 1, 0}, Radius: .1}, geom.Vec3{.05, 1.5, 0}, true, geom.Vec3{.12, 1.5, 0}},
		{"past a capsule", vrm.Collider{Shape: vrm.Capsule, Tail: geom.Vec3{0, 1, 0}, Radius: .1}, geom.Vec3{0, 2.05, 0}, true, geom.Vec3{0, 2.12, 0}},
		{"under a plane", vrm.Collider{Shape: vrm.Plane, Normal: geom.Vec3{0, 1, 0}}, geom.Vec3{.5, .9, 0}, true, geom.Vec3{.5, 1.02, 0}},
		{"over a plane", vrm.Collider{Shape: vrm.Plane, Normal: geom.Vec3{0, 1, 0}}, geom.Vec3{.5, 1.1, 0}, false, geom.Vec3{}},
		{"leaving a hollow sphere", vrm.Collider{Shape: vrm.SphereInside, Radius: .2}, geom.Vec3{.5, 1, 0}, true, geom.Vec3{.18, 1, 0}},
		{"in a hollow sphere", vrm.Collider{Shape: vrm.SphereInside, Radius: .2}, geom.Vec3{.1, 1, 0}, false, geom.Vec3{}},
		{"the middle of a sphere", vrm.Collider{Shape: vrm.Sphere, Radius: .1}, at, false, geom.Vec3{}},
	} {
		s := springs{colliders: []vrm.Collider{c.c}, a: make([]geom.Vec3, 1), b: make([]geom.Vec3, 1)}
		s.placeColliders([]geom.Mat4{geom.TRS(at, geom.Ident, geom.Vec3{1, 1, 1})})
		got, hit := s.collide(0, c.from, .02)
		if hit != c.hit || hit && got.Sub(c.want).Len() > 1e-5 {
			t.Errorf("%s: %v %v, want %v %v", c.name, got, hit, c.want, c.hit)
		}
	}
}
