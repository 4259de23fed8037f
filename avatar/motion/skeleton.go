package motion

import (
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// skeleton is the humanoid of one Player as posed now: turns and joints in the body's own space, before Yaw.
type skeleton struct {
	world [vrm.BoneCount]geom.Quat // turn away from rest, world axes
	at    [vrm.BoneCount]geom.Vec3
	// Local transforms of all nodes.
	turn []geom.Quat
	move []geom.Vec3
}

func (s *skeleton) init(r *rig) {
	s.turn = make([]geom.Quat, len(r.m.Nodes))
	s.move = make([]geom.Vec3, len(r.m.Nodes))
	for i := range r.m.Nodes {
		s.turn[i], s.move[i] = r.m.Nodes[i].Rotation, r.m.Nodes[i].Translation
	}
}

// pose bends the skeleton by the frame, then lets feet and hands reach what they touch.
func (s *skeleton) pose(r *rig, f *frame) {
	for _, k := range r.fold {
		if k.after {
			f.rot[k.to] = f.rot[k.to].Mul(f.rot[k.from])
		} else {
			f.rot[k.to] = f.rot[k.from].Mul(f.rot[k.to])
		}
	}
	s.forward(r, f)
	if !r.reference {
		s.relax(r, f)
		s.tilt(r, f)
		s.lieDown(r, f)
		s.hug(r, f)
	}
	s.plant(r, f)
	if !r.reference {
		s.touch(r, f)
	}
}

// forward is forward kinematics over the normalised humanoid.
func (s *skeleton) forward(r *rig, f *frame) {
	for _, b := range r.order {
		if p := r.parent[b]; p == noBone {
			s.world[b] = f.rot[b]
			s.at[b] = r.at[b].Add(f.hips)
		} else {
			s.world[b] = s.world[p].Mul(f.rot[b])
			s.at[b] = s.at[p].Add(s.world[p].Rotate(r.offset[b]))
		}
	}
}

// follow recomputes the bones below b after its turn was changed.
func (s *skeleton) follow(r *rig, f *frame, from vrm.Bone) {
	started := false
	for _, b := range r.order {
		if b == from {
			started = true
		}
		if !started || r.parent[b] == noBone {
			continue
		}
		p := r.parent[b]
		s.world[b] = s.world[p].Mul(f.rot[b])
		s.at[b] = s.at[p].Add(s.world[p].Rotate(r.offset[b]))
	}
}

// plant bends the legs so that the feet stand on their targets.
func (s *skeleton) plant(r *rig, f *frame) {
	if f.feetW <= 0 {
		return
	}
	for i := range r.legs {
		k := &r.legs[i]
		if !k.ok {
			continue
		}
		t := &f.feet[i]
		out := float32(.12)
		if i == 1 {
			out = -out
		}
		face := geom.AxisAngle(geom.Vec3{0, 1, 0}, t.yaw)
		pole := face.Rotate(geom.Vec3{out, 0, 1})
		a, b := k.solve(s.at[k.a], r.at[k.c].Add(t.move), pole, .9995)
		foot := face.Mul(geom.AxisAngle(geom.Vec3{1, 0, 0}, t.pitch))
		s.reach(r, f, k, a, b, f.feetW)
		f.rot[k.c] = f.rot[k.c].Slerp(s.world[k.b].Inv().Mul(foot), f.feetW)
		s.follow(r, f, k.c)
	}
}

// reach turns a chain toward the solved world turns a and b by weight w.
func (s *skeleton) reach(r *rig, f *frame, k *chain, a, b geom.Quat, w float32) {
	parent := s.world[r.parent[k.a]]
	f.rot[k.a] = f.rot[k.a].Slerp(parent.Inv().Mul(a), w)
	f.rot[k.b] = f.rot[k.b].Slerp(a.Inv().Mul(b), w)
	s.world[k.a] = parent.Mul(f.rot[k.a])
	s.at[k.b] = s.at[k.a].Add(s.world[k.a].Rotate(r.offset[k.b]))
	s.world[k.b] = s.world[k.a].Mul(f.rot[k.b])
	s.at[k.c] = s.at[k.b].Add(s.world[k.b].Rotate(r.offset[k.c]))
}

// relax lets hanging arms hang closer than those of a body as wide as the study's (docs/rules/avatar.md#other-bodies).
func (s *skeleton) relax(r *rig, f *frame) {
	for i := range r.arms {
		k := &r.arms[i]
		if !k.ok {
			continue
		}
		trunk := s.world[r.parent[k.a]]
		arm := s.at[k.c].Sub(s.at[k.a])
		drop := -arm.Dot(trunk.Rotate(geom.Vec3{0, 1, 0})) / (k.lenA + k.lenB)
		if drop < .4 {
			continue
		}
		// Wide hips keep the hands out.
		side := float32(1)
		if i == 1 {
			side = -1
		}
		aside := side * s.at[k.c].Sub(s.at[vrm.Hips]).Dot(trunk.Rotate(geom.Vec3{1, 0, 0}))
		room := (aside - r.hipWide - .06*r.hipsHeight) / (k.lenA + k.lenB)
		in := -side * clamp(room, 0, 10*rad) * smooth((drop-.4)/.4)
		f.rot[k.a] = geom.AxisAngle(geom.Vec3{0, 0, 1}, in).Mul(f.rot[k.a])
		s.follow(r, f, k.a)
	}
}

// tilt lets a lying trunk sink until the head rests too: the study's big heads need it raised, others do not. The head
// turns back by as much, so that it keeps its side on the floor.
func (s *skeleton) tilt(r *rig, f *frame) {
	if f.lie[1] <= 0 || !r.has(vrm.Head) {
		return
	}
	for range 2 {
		hips, head := s.lowest(r, 0, vrm.Hips), s.lowest(r, 1, vrm.Head)
		dx := s.at[vrm.Hips][0] - s.at[vrm.Head][0]
		if abs(dx) < .1*r.hipsHeight {
			return
		}
		a := clamp((head-hips)/dx, -.7, .7) * f.lie[1]
		turn := geom.AxisAngle(geom.Vec3{0, 0, 1}, a)
		f.rot[vrm.Hips] = turn.Mul(f.rot[vrm.Hips])
		s.forward(r, f)
		// Back by as much in the world, through the head's parent.
		if p := r.parent[vrm.Head]; p != noBone {
			g := s.world[p]
			f.rot[vrm.Head] = g.Inv().Mul(turn.Inv()).Mul(g).Mul(f.rot[vrm.Head])
			s.follow(r, f, vrm.Head)
		}
	}
}

func (s *skeleton) lowest(r *rig, i int, b vrm.Bone) float32 {
	low := s.at[b][1]
	for _, p := range r.low[i] {
		low = min(low, s.at[b].Add(s.world[b].Rotate(p))[1])
	}
	return low
}

// lieDown moves the body so that the lowest points of hips and head rest on the floor (models unlike the study's).
func (s *skeleton) lieDown(r *rig, f *frame) {
	w := max(f.lie[0], f.lie[1])
	if w <= 0 {
		return
	}
	low := float32(1e9)
	for i, b := range []vrm.Bone{vrm.Hips, vrm.Head} {
		if f.lie[i] <= 0 || !r.has(b) {
			continue
		}
		low = min(low, s.lowest(r, i, b))
	}
	if low == 1e9 {
		return
	}
	f.hips[1] -= low * w
	for _, b := range r.order {
		s.at[b][1] -= low * w
	}
}

// locals writes the humanoid's turns into the nodes, and the ears' and tail's on top of their rest.
func (s *skeleton) locals(r *rig, f *frame, g *gaze, eyes float32) {
	for i := range r.m.Nodes {
		s.turn[i] = r.m.Nodes[i].Rotation
	}
	for _, b := range r.order {
		s.turn[r.node[b]] = r.pre[b].Mul(f.rot[b]).Mul(r.post[b])
	}
	if r.has(vrm.Hips) {
		s.move[r.node[vrm.Hips]] = r.hipsIn.Point(r.at[vrm.Hips].Add(f.hips))
	}
	back, out := f.ears[0]*rad, f.ears[1]*rad
	s.trim(r, r.ears[0], geom.Euler(-back, 0, -out))
	s.trim(r, r.ears[1], geom.Euler(-back, 0, out))
	t := f.tail.Mul(rad)
	s.trim(r, r.tail[0], geom.Euler(.6*t[0], .6*t[1], .6*t[2]))
	s.trim(r, r.tail[1], geom.Euler(.4*t[0], .4*t[1], .4*t[2]))
	g.turnEyes(r, s, eyes)
}

func (s *skeleton) trim(r *rig, n int, q geom.Quat) {
	if n < 0 {
		return
	}
	k := r.turned[n]
	s.turn[n] = k.pre.Mul(q).Mul(k.post)
}
