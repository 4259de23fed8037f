package motion

import (
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// wallAway is how far in front of the root the wall is while she climbs, in H (docs/rules/avatar.md#wall).
const wallAway = .15

// measureHug finds how much nearer than the study's long arms allow she has to hang, short of her belly in the wall.
func (r *rig) measureHug() {
	k := &r.arms[0]
	if r.reference || !k.ok {
		return
	}
	reach := k.lenA + k.lenB*(1+palmOut)
	shoulder := r.at[k.a][2] - .03*r.unit // leant back to look up
	room := wallAway*r.unit - r.at[vrm.Hips][2] - r.belly - .02*r.unit
	r.hug = clamp(wallAway*r.unit-shoulder-.62*reach, 0, max(room, 0))
}

// hug moves the body toward the wall that the hands hold.
func (s *skeleton) hug(r *rig, f *frame) {
	var w float32
	for i := range f.hands {
		w = max(w, f.hands[i][markWall], f.hands[i][markCorner])
	}
	if w <= 0 || r.hug <= 0 {
		return
	}
	f.hips[2] += w * r.hug
	for _, b := range r.order {
		s.at[b][2] += w * r.hug
	}
}

// wall is where a hand holds the plane z = away: as high over the shoulder as the study's has it, so that it keeps its
// place while the root rises, or as high as the arm allows.
func (s *skeleton) wall(r *rig, f *frame, side int, away float32) geom.Vec3 {
	k := &r.arms[side]
	shoulder := s.at[k.a]
	palm := s.at[k.c].Add(s.world[k.c].Rotate(k.dirB).Mul(k.lenB * palmOut))
	at := geom.Vec3{palm[0], shoulder[1] - s.sway(r, side) + s.studyRise(r, f, side), away - .1*k.lenB}
	return s.within(k, at)
}

// corner is where a hand holds the front corner of a top edge, the line y = z = 0, or the wall below it as high as the arm
// allows.
func (s *skeleton) corner(r *rig, side int) geom.Vec3 {
	k := &r.arms[side]
	palm := s.at[k.c].Add(s.world[k.c].Rotate(k.dirB).Mul(k.lenB * palmOut))
	return s.within(k, geom.Vec3{palm[0], .05 * k.lenB, -.1 * k.lenB})
}

// within brings a place on a wall into an arm's reach along the wall.
func (s *skeleton) within(k *chain, at geom.Vec3) geom.Vec3 {
	shoulder := s.at[k.a]
	d := at.Sub(shoulder)
	reach := .95 * (k.lenA + k.lenB*(1+palmOut))
	for _, axis := range []int{1, 0} {
		if over := d.Len(); over > reach {
			rest := reach*reach - (over*over - d[axis]*d[axis])
			d[axis] = sqrt(max(rest, .01*reach*reach)) * sign(d[axis])
		}
	}
	return shoulder.Add(d)
}

// sway is how much more than the study's a shoulder rises with the trunk that rolls, being farther aside.
func (s *skeleton) sway(r *rig, side int) float32 {
	a := r.arms[side].a
	out := float32(.088)
	if side == 1 {
		out = -out
	}
	if r.parent[a] == noBone {
		return 0
	}
	return s.world[r.parent[a]].Rotate(geom.Vec3{r.at[a][0] - out*r.unit, 0, 0})[1]
}

// studyRise is how far the palm is above the shoulder on the study's own skeleton, scaled to this model.
func (s *skeleton) studyRise(r *rig, f *frame, side int) float32 {
	k := &r.arms[side]
	out := float32(1)
	if side == 1 {
		out = -1
	}
	// The study's upper arm, forearm and half of its hand, straight aside at rest.
	upper := s.world[k.a].Rotate(geom.Vec3{.084 * out, 0, 0})
	lower := s.world[k.b].Rotate(geom.Vec3{.071 * (1 + palmOut) * out, 0, 0})
	return (upper[1] + lower[1]) * r.unit
}
