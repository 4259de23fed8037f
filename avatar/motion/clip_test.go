package motion

import (
	"testing"

	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// TestLegsGiveBackTheStudy solves the feet of every clip on the study's own skeleton: the stored leg tracks must come
// out again, joint by joint.
func TestLegsGiveBackTheStudy(t *testing.T) {
	s := loadStudy(t)
	lib := s.library(t)
	r := newRig(s.model(1))
	if !r.reference {
		t.Fatal("the study's skeleton is not recognised")
	}
	worst, where := float32(0), ""
	for _, id := range lib.IDs() {
		c := lib.clips[id]
		if c.feet[0] == nil {
			continue
		}
		for i := 0; i <= 200; i++ {
			at := c.dur * float32(i) / 200
			var f frame
			c.sample(at, false, r, &f, nil)
			if f.feetW < 1 {
				continue
			}
			var stored, solved skeleton
			stored.init(r)
			solved.init(r)
			g := f
			stored.forward(r, &g)
			solved.pose(r, &f)
			for _, b := range []vrm.Bone{vrm.LeftLowerLeg, vrm.LeftFoot, vrm.RightLowerLeg, vrm.RightFoot} {
				if d := stored.at[b].Sub(solved.at[b]).Len(); d > worst {
					worst, where = d, string(id)+" "+b.String()
				}
			}
		}
	}
	t.Logf("farthest joint %.4f H (%s)", worst, where)
	if worst > .02 {
		t.Errorf("farthest joint %.4f H (%s)", worst, where)
	}
}

// posed runs one clip's frame through the whole skeleton.
func posed(r *rig, s *skeleton, c *clip, t float32) *frame {
	var f frame
	c.sample(t, false, r, &f, nil)
	s.pose(r, &f)
	return &f
}

// footPoint is a point of a foot, given relative to its ankle in the rest pose.
func footPoint(r *rig, s *skeleton, b vrm.Bone, d geom.Vec3) geom.Vec3 {
	return s.at[b].Add(s.world[b].Rotate(d))
}

// TestWalkDoesNotSlide moves the root at stride / duration: while the heel or the ball of a foot carries, that point
// stays in the world within two per cent of the height (docs/rules/avatar.md#loops), on the study's skeleton and
// on one with long legs.
func TestWalkDoesNotSlide(t *testing.T) {
	st := loadStudy(t)
	lib := st.library(t)
	c := lib.clips["walk"]
	if c.info.Speed <= 0 || abs(c.info.Stride/c.dur-c.info.Speed) > 1e-3 {
		t.Fatalf("walk: stride %v, speed %v, %v s", c.info.Stride, c.info.Speed, c.dur)
	}
	for _, m := range []*vrm.Model{st.model(1), st.model(.3), longLegs(st.model(1))} {
		r := newRig(m)
		speed := c.info.Speed * r.unit
		var s skeleton
		s.init(r)
		for i, b := range []vrm.Bone{vrm.LeftFoot, vrm.RightFoot} {
			for _, span := range []struct {
				from, to float32
				d        geom.Vec3
			}{
				{.02, .07, geom.Vec3{0, -.055, -.03}}, {.07, .29, geom.Vec3{0, -.055, 0}}, {.29, .46, geom.Vec3{0, -.055, .055}},
			} {
				lo, hi := geom.Vec3{9, 9, 9}, geom.Vec3{-9, -9, -9}
				for k := range 21 {
					at := mix(span.from, span.to, float32(k)/20)
					t := at + .4*float32(i)
					posed(r, &s, c, t-c.dur*float32(int(t/c.dur)))
					p := footPoint(r, &s, b, span.d.Mul(r.unit))
					p[2] += speed * at
					for j := range p {
						lo[j], hi[j] = min(lo[j], p[j]), max(hi[j], p[j])
					}
				}
				if d := hi.Sub(lo).Len() / r.unit; d > .02 {
					t.Errorf("%v slides %.4f H between %.2f and %.2f s", b, d, span.from, span.to)
				}
			}
		}
	}
}

// TestWalkOnRealModels is TestWalkDoesNotSlide on whole characters of several sizes: while a foot lies flat it keeps its
// place in the world, at the speed at which the window is moved.
func TestWalkOnRealModels(t *testing.T) {
	lib := bundledMotions(t)
	c := lib.clips["walk"]
	models := map[string]*vrm.Model{"yui": bundled(t, "yui"), "momo": bundled(t, "momo"), "sora": bundled(t, "sora")}
	addRealModels(t, models)
	for name, m := range models {
		r := newRig(m)
		speed := c.info.Speed * r.unit
		var s skeleton
		s.init(r)
		for i, b := range []vrm.Bone{vrm.LeftFoot, vrm.RightFoot} {
			const from, to = .07, .29
			lo, hi := geom.Vec3{9, 9, 9}, geom.Vec3{-9, -9, -9}
			for k := range 21 {
				at := mix(from, to, float32(k)/20)
				now := at + .4*float32(i)
				posed(r, &s, c, now-c.dur*float32(int(now/c.dur)))
				p := footPoint(r, &s, b, geom.Vec3{0, r.sole - r.at[b][1], 0})
				p[2] += speed * at
				for j := range p {
					lo[j], hi[j] = min(lo[j], p[j]), max(hi[j], p[j])
				}
			}
			slid := hi.Sub(lo).Len()
			t.Logf("%s: %v slides %.4f of her height in a step of %.2f", name, b, slid/r.height, speed*(to-from)/r.height)
			if slid > .02*r.height {
				t.Errorf("%s: %v slides %.4f m, her height is %.2f m", name, b, slid, r.height)
			}
		}
	}
}

// longLegs stretches a study model's legs to twice their length.
func longLegs(m *vrm.Model) *vrm.Model {
	up := m.Rest[m.Humanoid[vrm.LeftUpperLeg]].Pos()[1]
	lower := map[int]bool{}
	for _, n := range m.Order {
		p := m.Nodes[n].Parent
		switch {
		case p < 0:
			m.Nodes[n].Translation[1] += up
		case lower[p]:
			m.Nodes[n].Translation = m.Nodes[n].Translation.Mul(2)
			lower[n] = true
		}
		if n == m.Humanoid[vrm.LeftUpperLeg] || n == m.Humanoid[vrm.RightUpperLeg] {
			lower[n] = true
		}
		local := geom.TRS(m.Nodes[n].Translation, m.Nodes[n].Rotation, m.Nodes[n].Scale)
		if p >= 0 {
			local = m.Rest[p].Mul(local)
		}
		m.Rest[n] = local
	}
	// The ankles' own height doubles too, so the soles stay at 0.
	down := m.Rest[m.Humanoid[vrm.LeftFoot]].Pos()[1] - 2*.055
	m.Nodes[m.Roots[0]].Translation[1] -= down
	for n := range m.Rest {
		m.Rest[n][13] -= down
	}
	m.Max[1] += up
	return m
}

// TestFeetReachTheirTargets: at most two per cent of the height off in single frames of stretched legs.
func TestFeetReachTheirTargets(t *testing.T) {
	st := loadStudy(t)
	lib := st.library(t)
	for _, m := range []*vrm.Model{st.model(1), longLegs(st.model(1))} {
		r := newRig(m)
		var s skeleton
		s.init(r)
		for _, id := range lib.IDs() {
			c := lib.clips[id]
			if c.feet[0] == nil {
				continue
			}
			for k := range 100 {
				f := posed(r, &s, c, c.dur*float32(k)/100)
				if f.feetW < 1 {
					continue
				}
				for i, b := range []vrm.Bone{vrm.LeftFoot, vrm.RightFoot} {
					want := r.at[b].Add(f.feet[i].move)
					if d := s.at[b].Sub(want).Len() / r.unit; d > .02 {
						t.Errorf("%s %v at %.2f s: %.4f H from its target", id, b, c.dur*float32(k)/100, d)
					}
				}
			}
		}
	}
}

// TestLoopsClose compares places and speeds at the seam of every loop (docs/rules/avatar.md#loops).
func TestLoopsClose(t *testing.T) {
	st := loadStudy(t)
	lib := st.library(t)
	r := newRig(st.model(1))
	const h = 1.0 / 240
	for _, id := range lib.IDs() {
		c := lib.clips[id]
		if !c.loop {
			continue
		}
		at := func(t float32) [vrm.BoneCount]geom.Vec3 {
			var s skeleton
			s.init(r)
			posed(r, &s, c, t)
			return s.at
		}
		first, second, beforeLast, last := at(0), at(h), at(c.dur-h), at(c.dur)
		for _, b := range r.order {
			if d := last[b].Sub(first[b]).Len(); d > .004 {
				t.Errorf("%s: %v jumps %.4f H at the seam", id, b, d)
			}
			in, out := last[b].Sub(beforeLast[b]).Mul(1/h), second[b].Sub(first[b]).Mul(1/h)
			if d := out.Sub(in).Len(); d > .25 {
				t.Errorf("%s: %v changes its speed by %.3f H/s at the seam", id, b, d)
			}
		}
	}
}

// TestSeatIsOnTheEdge: in every clip that sits, the seat lies on the edge, whatever the model's proportions.
func TestSeatIsOnTheEdge(t *testing.T) {
	st := loadStudy(t)
	lib := st.library(t)
	for _, m := range []*vrm.Model{st.model(1), st.model(.5), longLegs(st.model(1))} {
		for _, id := range clips.Pool(clips.WindowSit) {
			p := NewPlayer(m, lib, 1)
			p.Step(frame30, Input{})
			p.Hold(id, HoldOpts{})
			for range 150 {
				pose := p.Step(frame30, Input{})
				if p.mix.n == 1 && abs(pose.Seat[1]) > .008*p.anat.Unit {
					t.Fatalf("%s: the seat is at %.4f H", id, pose.Seat[1]/p.anat.Unit)
				}
			}
		}
	}
}

// TestMirror: a mirrored clip is the picture in the mirror, joint for joint.
func TestMirror(t *testing.T) {
	st := loadStudy(t)
	lib := st.library(t)
	r := newRig(st.model(1))
	for _, id := range lib.IDs() {
		c := lib.clips[id]
		for k := range 20 {
			at := c.dur * float32(k) / 20
			var a, b skeleton
			a.init(r)
			b.init(r)
			var f, g frame
			c.sample(at, false, r, &f, nil)
			c.sample(at, true, r, &g, nil)
			a.pose(r, &f)
			b.pose(r, &g)
			for _, j := range r.order {
				p, q := a.at[j], b.at[mirrorBone(j)]
				if d := p.Sub(geom.Vec3{-q[0], q[1], q[2]}).Len(); d > 2e-4 {
					t.Fatalf("%s at %.2f s: %v is %.4f H off its mirror image", id, at, j, d)
				}
			}
		}
	}
}
