package motion

import (
	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// frame is one blended instant of clips, fitted to a model's size but not yet posed: lengths in metres, mirror done.
type frame struct {
	rot     [vrm.BoneCount]geom.Quat
	hips    geom.Vec3
	origin  geom.Vec3 // of the clip's root, from the model's
	feet    [2]footTarget
	feetW   float32
	hands   [2][markCount]float32
	seat    float32    // how far the hips sit on the edge
	lie     [2]float32 // how far hips and head lie on the floor
	ears    [2]float32 // back, out; degrees
	tail    geom.Vec3  // degrees
	gaze    float32
	breath  float32 // how much breath may be added
	asleep  float32 // 1: the clip's face wins over the emotion
	hanging float32 // 1: nothing below the tails
	edge    float32 // 1: a floor only behind the face of a window
}

// footTarget is an ankle relative to its rest position (metres) and the foot's turn (radians).
type footTarget struct {
	move       geom.Vec3
	pitch, yaw float32
}

func (f *frame) reset() {
	*f = frame{}
	for i := range f.rot {
		f.rot[i] = geom.Ident
	}
}

// sample evaluates a clip at t for a model. faces receives the weight of each of the Library's expressions.
func (c *clip) sample(t float32, mirror bool, r *rig, f *frame, faces []float32) {
	f.reset()
	for i := range faces {
		faces[i] = 0
	}
	for i := range c.bones {
		b := &c.bones[i]
		q, to := b.rot.turn(t), b.bone
		if mirror {
			q, to = mirrorTurn(q), mirrorBone(to)
		}
		f.rot[to] = q
	}
	if c.hips != nil {
		c.hips.sample(t, f.hips[:])
		f.hips = c.travel(f.hips.Mul(r.hipsHeight), r)
	}
	c.sampleFeet(t, r, f)
	for i := range c.contacts {
		c.contacts[i].sample(t, f)
	}
	if c.ears != nil {
		c.ears.sample(t, f.ears[:])
	}
	if c.tail != nil {
		c.tail.sample(t, f.tail[:])
	}
	for i := range c.faces {
		if k := c.faces[i]; k.face < len(faces) {
			faces[k.face] = clamp(k.weight.value(t), 0, 1)
		}
	}
	f.gaze = c.rule.gaze
	if !c.rule.breathes {
		f.breath = 1
	}
	if c.rule.hanging {
		f.hanging = 1
	}
	if c.rule.edge {
		f.edge = 1
	}
	if c.rule.asleep {
		f.asleep = 1
	}
	if mirror {
		f.mirror()
	}
}

// travel fits a way in metres by the legs' scale to the model: jumps grow with the body instead, seats are as high as
// the model's thighs are thick, and side steps keep their width (docs/rules/avatar.md#other-bodies).
func (c *clip) travel(v geom.Vec3, r *rig) geom.Vec3 {
	if r.reference {
		return v
	}
	if lift := .03 * r.unit; c.rule.flight && v[1] > lift {
		v[1] = lift + (v[1]-lift)*r.height/r.unit
	}
	if c.id == clips.DanceStep {
		v[0] *= .75
	}
	if c.group == clips.GroupSleep { // the study lies with the middle of its length beside the root; so does a longer trunk
		v[0] *= .3 * max(r.headTop-r.hipsHeight, 0) / (.22 * r.unit)
	}
	if c.group == clips.GroupPeek {
		v[0] *= r.peekIn
	}
	if c.group == clips.GroupWindowSit || c.group == clips.GroupSit {
		v[1] *= max(r.hipsHeight-r.seatDrop, 0) / (.118 * r.unit)
	}
	return v
}

func (c *clip) sampleFeet(t float32, r *rig, f *frame) {
	if c.feet[0] == nil {
		return
	}
	f.feetW = 1
	if c.feetW != nil {
		f.feetW = clamp(c.feetW.value(t), 0, 1)
	}
	for i := range f.feet {
		var v [5]float32
		c.feet[i].sample(t, v[:])
		move := geom.Vec3{v[0], v[1], v[2]}.Mul(r.unit)
		if !r.reference && (c.rule.flight || c.id == clips.DanceStep) {
			move = c.travel(move, r)
		}
		if !r.reference && c.group == clips.GroupPeek {
			move[0] *= r.peekFeet
		}
		f.feet[i] = footTarget{move, v[3] * rad, v[4] * rad}
	}
}

func (k *contact) sample(t float32, f *frame) {
	w := clamp(k.weight.value(t), 0, 1)
	switch {
	case k.limb == leftHand || k.limb == rightHand:
		f.hands[k.limb][k.mark] = max(f.hands[k.limb][k.mark], w)
	case k.mark == markSeat:
		f.seat = max(f.seat, w)
	case k.mark == markFloor && k.limb == hipsLimb:
		f.lie[0] = max(f.lie[0], w)
	case k.mark == markFloor:
		f.lie[1] = max(f.lie[1], w)
	}
}

// mirror swaps the sides of all but the rotations, which sample has mirrored already.
func (f *frame) mirror() {
	f.hips[0] = -f.hips[0]
	f.feet[0], f.feet[1] = f.feet[1], f.feet[0]
	for i := range f.feet {
		f.feet[i].move[0], f.feet[i].yaw = -f.feet[i].move[0], -f.feet[i].yaw
	}
	f.hands[0], f.hands[1] = f.hands[1], f.hands[0]
	f.tail[1], f.tail[2] = -f.tail[1], -f.tail[2]
}

func mirrorBone(b vrm.Bone) vrm.Bone {
	switch {
	case b == vrm.LeftEye:
		return vrm.RightEye
	case b == vrm.RightEye:
		return vrm.LeftEye
	case b >= vrm.LeftUpperLeg && b <= vrm.LeftToes:
		return b + 4
	case b >= vrm.RightUpperLeg && b <= vrm.RightToes:
		return b - 4
	case b >= vrm.LeftShoulder && b <= vrm.LeftHand:
		return b + 4
	case b >= vrm.RightShoulder && b <= vrm.RightHand:
		return b - 4
	case b > vrm.RightHand && b < vrm.RightHand+16:
		return b + 15
	case b >= vrm.RightHand+16:
		return b - 15
	}
	return b
}

// blend moves f toward g by w (0..1). Feet are blended as targets, not as leg rotations, or they would slide.
func (f *frame) blend(g *frame, w float32) {
	for b := range f.rot {
		if f.rot[b] != g.rot[b] {
			f.rot[b] = f.rot[b].Slerp(g.rot[b], w)
		}
	}
	f.hips = f.hips.Lerp(g.hips, w)
	f.origin = f.origin.Lerp(g.origin, w)
	a, b := f.feetW*(1-w), g.feetW*w
	if a+b > 0 {
		u := b / (a + b)
		for i := range f.feet {
			p, q := &f.feet[i], &g.feet[i]
			p.move = p.move.Lerp(q.move, u)
			p.pitch, p.yaw = mix(p.pitch, q.pitch, u), mix(p.yaw, q.yaw, u)
		}
	}
	f.feetW = a + b
	for i := range f.hands {
		for k := range f.hands[i] {
			f.hands[i][k] = mix(f.hands[i][k], g.hands[i][k], w)
		}
	}
	f.seat = mix(f.seat, g.seat, w)
	for i := range f.lie {
		f.lie[i] = mix(f.lie[i], g.lie[i], w)
	}
	for i := range f.ears {
		f.ears[i] = mix(f.ears[i], g.ears[i], w)
	}
	f.tail = f.tail.Lerp(g.tail, w)
	f.gaze, f.breath = mix(f.gaze, g.gaze, w), mix(f.breath, g.breath, w)
	f.asleep = mix(f.asleep, g.asleep, w)
	f.hanging, f.edge = mix(f.hanging, g.hanging, w), mix(f.edge, g.edge, w)
}
