package motion

import (
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// touch lets the hands reach what the clip says that they touch, on models whose arms differ from the study's.
func (s *skeleton) touch(r *rig, f *frame) {
	for i := range r.arms {
		k := &r.arms[i]
		if !k.ok {
			continue
		}
		var target, elbow geom.Vec3
		var sum, most float32
		for mark, w := range f.hands[i] {
			if w <= 0 {
				continue
			}
			p, pole, ok := s.landmark(r, f, landmark(mark), i)
			if !ok {
				continue
			}
			target, elbow = target.Add(p.Mul(w)), elbow.Add(pole.Mul(w))
			sum, most = sum+w, max(most, w)
		}
		if sum > 0 {
			s.reachHand(r, f, k, target.Mul(1/sum), elbow.Mul(1/sum), most)
		}
	}
}

// palmOut is the middle of the hand beyond the wrist, in lengths of the forearm.
const palmOut = .28

// reachHand brings the palm, half a hand beyond the wrist, to target. What is out of reach keeps the stored pose.
func (s *skeleton) reachHand(r *rig, f *frame, k *chain, target, pole geom.Vec3, w float32) {
	palm := k.lenB * palmOut
	shoulder := s.at[k.a]
	hand := s.world[k.c].Rotate(k.dirB).Mul(palm)
	wrist := target.Sub(hand)
	reach := (k.lenA + k.lenB) * .97
	over := wrist.Sub(shoulder).Len() / reach
	if over > 1.15 {
		return
	}
	w *= 1 - smooth((over-1)/.15) // no jump where the target leaves the arm's reach
	a, b := k.solve(shoulder, wrist, pole, .97)
	s.reach(r, f, k, a, b, w)
	s.follow(r, f, k.c)
}

// landmark says where a mark is now for a hand (0 left, 1 right), and toward where the elbow points.
func (s *skeleton) landmark(r *rig, f *frame, m landmark, side int) (at, pole geom.Vec3, ok bool) {
	x := float32(1)
	thighBone := vrm.LeftUpperLeg
	if side == 1 {
		x, thighBone = -1, vrm.RightUpperLeg
	}
	down, back := geom.Vec3{.5 * x, -1, .1}, geom.Vec3{.8 * x, -.2, -1}
	// up in head heights, the rest in metres
	head := func(up, out, front float32) (geom.Vec3, geom.Vec3, bool) {
		if !r.has(vrm.Head) {
			return at, pole, false
		}
		size := max(r.headTop-r.at[vrm.Head][1], .05*r.unit)
		d := geom.Vec3{out * x, up * size, front}
		return s.at[vrm.Head].Add(s.world[vrm.Head].Rotate(d)), down, true
	}
	body := func(b vrm.Bone, d, p geom.Vec3) (geom.Vec3, geom.Vec3, bool) {
		if !r.has(b) {
			return at, pole, false
		}
		return s.at[b].Add(s.world[b].Rotate(d)), p, true
	}
	h := r.hipsHeight
	switch m {
	case markJaw:
		return head(.1, .5*r.cheek, .85*r.face)
	case markCheek:
		return head(.25, r.cheek, .7*r.face)
	case markEar:
		return head(.5, 1.15*r.cheek, 0)
	case markHeadBack:
		return head(.5, r.cheek, -.6*r.face)
	case markMouth:
		return head(.18, .1*r.cheek, 1.12*r.face)
	case markBelly:
		return body(vrm.Spine, geom.Vec3{.05 * h * x, .02 * h, r.belly + .02*h}, back)
	case markHip:
		return body(vrm.Hips, geom.Vec3{r.hipWide * x, .08 * h, .02 * h}, back)
	case markThigh:
		if !r.has(thighBone) {
			return at, pole, false
		}
		d := geom.Vec3{0, -.45 * r.thigh, .09 * h}
		return s.at[thighBone].Add(s.world[thighBone].Rotate(d)), back, true
	case markEdgeTopBehind, markEdgeTop:
		z := -.2 * h
		if m == markEdgeTop {
			z = .1 * h
		}
		p := s.at[vrm.Hips]
		return geom.Vec3{p[0] + .22*h*x, .02 * h, p[2] + z}, back, true
	case markFloor:
		p := s.at[vrm.Hips]
		return geom.Vec3{p[0] + .35*h*x, .02 * h, p[2] + .2*h}, back, true
	case markWall:
		return s.wall(r, f, side, wallAway*r.unit), down, true
	case markCorner:
		return s.corner(r, side), down, true
	case markSideEdge:
		return s.sideEdge(r, side), geom.Vec3{.3 * x, -1, -.2}, true
	}
	return at, pole, false
}

// sideEdge is where a hand grips the vertical edge that she stands behind, the plane x = 0 before Yaw: as high and as far
// in front as the clip has the near hand, a little lower for the far one; nearer if the arm is too short for that.
func (s *skeleton) sideEdge(r *rig, side int) geom.Vec3 {
	k := &r.arms[side]
	shoulder := s.at[k.a]
	palm := s.at[k.c].Add(s.world[k.c].Rotate(k.dirB).Mul(k.lenB * palmOut))
	// Toward the side away from her body; no jump where she comes out from behind an edge.
	way := clamp(-s.at[vrm.Hips][0]/(.02*r.unit), -1, 1)
	past := float32(.12)
	if (way > 0) != (side == 0) && r.arms[1-side].ok { // only its fingers show
		past = -.15
		palm[1], palm[2] = s.at[r.arms[1-side].a][1]-.6*k.lenA, shoulder[2]+.6*k.lenA
	}
	palm[0] = past * k.lenB * way
	d := palm.Sub(shoulder)
	reach := .9 * (k.lenA + k.lenB)
	for i := range 2 { // first less far in front, then nearer to the shoulder's height
		axis := 2 - i
		if over := d.Len(); over > reach {
			rest := reach*reach - (over*over - d[axis]*d[axis])
			d[axis] = sqrt(max(rest, .01*reach*reach)) * sign(d[axis])
		}
	}
	return shoulder.Add(d)
}
