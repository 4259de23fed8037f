package motion

import (
	"encoding/json"
	"slices"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// anatomy is what the rig needs to know of the mesh, in metres.
type anatomy struct {
	unit, hipsHeight      float32
	height, headTop, sole float32
	seatDrop, halfWidth   float32
	reference             bool // the proportions of the motion study: its arm and leg tracks fit as they are
	low                   [2][]geom.Vec3
	thigh, arms           float32 // arms: from the middle to the finger tips of the T pose
	// What hands touch: half the hips' width, the belly before the spine, the face before and beside the head joint.
	hipWide, belly, face, cheek float32
	// How far hips and feet step behind a side edge, of what the study's wide head and short legs ask for.
	peekIn, peekFeet float32
	hug              float32 // how much nearer to a wall than the study she hangs, for her hands to reach it
}

// public is what others may know of a measured model.
func (a *anatomy) public() Anatomy {
	out := Anatomy{
		Height: a.height, HeadTop: a.headTop, Unit: a.unit, SeatDrop: a.seatDrop, HalfWidth: a.halfWidth,
		Reach: studyReach * a.unit, Top: 1.3 * a.height, Bottom: -.1 * a.unit,
	}
	if out.LiesLow = !a.reference; out.LiesLow {
		// Lying down, a body reaches from the hips' place beside the root by most of its upper half; long legs hang down.
		lying := .22*a.unit + .8*max(a.headTop-a.hipsHeight, 0)
		out.Reach = max(lying, a.arms*1.05, a.halfWidth)
		out.Bottom = -max(.12*a.unit, .75*a.hipsHeight)
	}
	return out
}

// studyReach is how far the widest pose of the clips reaches from the root to a side, in H, with the springs (sleep
// lies to one side; what peek hides behind the edge is not counted). A test samples all clips.
const studyReach = .8

// studyJoints are joints of the study's skeleton (x, y in H) by which it is recognised.
var studyJoints = [...]struct {
	bone vrm.Bone
	x, y float32
}{
	{vrm.Spine, 0, .265}, {vrm.Chest, 0, .325}, {vrm.Head, 0, .49}, {vrm.LeftUpperArm, .088, .385},
	{vrm.LeftHand, .243, .385}, {vrm.LeftUpperLeg, .062, .19}, {vrm.LeftLowerLeg, .066, .115}, {vrm.LeftFoot, .068, .055},
}

// vertex is a mesh point in the rest pose with the humanoid bone it follows most.
type vertex struct {
	at   geom.Vec3
	bone vrm.Bone // nearest humanoid bone of the strongest joint
	own  bool     // the strongest joint is that bone itself, not a chain that hangs from it
}

func measure(m *vrm.Model, r *rig, owner []vrm.Bone) anatomy {
	a := anatomy{hipsHeight: 1, unit: 1, height: max(m.Max[1], 0), peekIn: 1, peekFeet: 1}
	if r.has(vrm.Hips) {
		a.hipsHeight = r.at[vrm.Hips][1]
		a.unit = a.hipsHeight / studyHips
		a.reference = isStudy(r, a.unit)
	} else if a.height > 0 {
		a.unit, a.hipsHeight = a.height, a.height*studyHips
	}
	if a.height <= 0 {
		a.height = a.unit
	}
	a.headTop, a.halfWidth = a.height, max(m.Max[0], -m.Min[0], .1*a.unit)
	a.seatDrop = .087 * a.unit
	if !r.has(vrm.Hips) {
		return a
	}
	vs := restVertices(m, r, owner)
	a.measureMesh(r, vs)
	if a.reference {
		a.seatDrop = .087 * a.unit
	} else {
		a.measurePeek(r)
	}
	a.read(m.Extras)
	return a
}

// read takes what a bundled file says of itself over what was measured.
func (a *anatomy) read(extras json.RawMessage) {
	var x struct {
		SeatDrop float32 `json:"seatDrop"`
		HeadTop  float32 `json:"headTop"`
	}
	if len(extras) == 0 || json.Unmarshal(extras, &x) != nil {
		return
	}
	for _, k := range []struct {
		to   *float32
		from float32
	}{{&a.seatDrop, x.SeatDrop}, {&a.headTop, x.HeadTop}} {
		if k.from > 0 && k.from < a.height {
			*k.to = k.from
		}
	}
}

func isStudy(r *rig, unit float32) bool {
	for _, j := range studyJoints {
		if !r.has(j.bone) {
			return false
		}
		d := r.at[j.bone].Sub(geom.Vec3{j.x * unit, j.y * unit, r.at[j.bone][2]})
		if d.Len() > .012*unit {
			return false
		}
	}
	return true
}

// restVertices places every vertex as the rest pose does.
func restVertices(m *vrm.Model, r *rig, owner []vrm.Bone) []vertex {
	boneOf := make([]vrm.Bone, len(m.Nodes))
	for i := range boneOf {
		boneOf[i] = noBone
	}
	for _, b := range r.order {
		boneOf[r.node[b]] = b
	}
	var vs []vertex
	for n := range m.Nodes {
		mesh, skin := m.Nodes[n].Mesh, m.Nodes[n].Skin
		if mesh < 0 || mesh >= len(m.Meshes) || n >= len(m.Rest) {
			continue
		}
		var mats []geom.Mat4
		if skin >= 0 && skin < len(m.Skins) {
			mats = skinMatrices(m, skin, m.Rest, nil)
		}
		for pi := range m.Meshes[mesh].Primitives {
			p := &m.Meshes[mesh].Primitives[pi]
			for i := range p.Positions {
				at, joint := skinVertex(p, i, mats, m.Rest[n])
				follow := n
				if joint >= 0 {
					follow = m.Skins[skin].Joints[joint]
				}
				vs = append(vs, vertex{at, owner[follow], boneOf[follow] != noBone})
			}
		}
	}
	return vs
}

func skinMatrices(m *vrm.Model, skin int, world []geom.Mat4, out []geom.Mat4) []geom.Mat4 {
	s := &m.Skins[skin]
	for i, j := range s.Joints {
		mat := world[j]
		if i < len(s.InverseBind) {
			mat = mat.Mul(s.InverseBind[i])
		}
		out = append(out, mat)
	}
	return out
}

// skinVertex returns where vertex i is and its strongest joint, -1 without a skin.
func skinVertex(p *vrm.Primitive, i int, mats []geom.Mat4, node geom.Mat4) (geom.Vec3, int) {
	if mats == nil || i >= len(p.Joints) || i >= len(p.Weights) {
		return node.Point(p.Positions[i]), -1
	}
	var at geom.Vec3
	best, most, sum := -1, float32(0), float32(0)
	for k, w := range p.Weights[i] {
		j := int(p.Joints[i][k])
		if w <= 0 || j >= len(mats) {
			continue
		}
		at = at.Add(mats[j].Point(p.Positions[i]).Mul(w))
		sum += w
		if w > most {
			best, most = j, w
		}
	}
	if sum <= 0 {
		return node.Point(p.Positions[i]), -1
	}
	return at.Mul(1 / sum), best
}

func (a *anatomy) measureMesh(r *rig, vs []vertex) {
	if r.has(vrm.LeftUpperLeg) && r.has(vrm.LeftLowerLeg) {
		a.thigh = r.at[vrm.LeftLowerLeg].Sub(r.at[vrm.LeftUpperLeg]).Len()
	}
	if len(vs) == 0 {
		return
	}
	var top, wide, headTop, sole float32
	sole = 1e9
	hips, legs := r.at[vrm.Hips], []float32{}
	for _, v := range vs {
		top = max(top, v.at[1])
		if v.bone >= vrm.LeftUpperArm && v.bone != vrm.RightShoulder {
			a.arms = max(a.arms, v.at[0], -v.at[0])
		}
		switch v.bone {
		case vrm.Head:
			if v.own {
				headTop = max(headTop, v.at[1])
				wide = max(wide, v.at[0], -v.at[0])
			}
		case vrm.LeftFoot, vrm.RightFoot, vrm.LeftToes, vrm.RightToes:
			sole = min(sole, v.at[1])
		case vrm.LeftUpperLeg, vrm.RightUpperLeg:
			// The back of the thigh is its underside once she sits.
			if v.own {
				legs = append(legs, r.at[v.bone][2]-v.at[2]+hips[1]-r.at[v.bone][1])
			}
		}
		if v.own && (v.bone == vrm.Hips || v.bone == vrm.Spine || v.bone == vrm.Chest) {
			wide = max(wide, v.at[0], -v.at[0])
		}
	}
	a.height = max(top, .01)
	a.headTop = a.height
	if headTop > 0 {
		a.headTop = headTop
	}
	if wide > 0 {
		a.halfWidth = wide
	}
	if sole < 1e9 {
		a.sole = sole
	}
	if len(legs) > 8 {
		slices.Sort(legs)
		a.seatDrop = min(max(legs[len(legs)*95/100], .03*a.height), .12*a.height)
	} else {
		a.seatDrop = .055 * a.height
	}
	a.measureTouch(r, vs)
	a.low[0], a.low[1] = hull(vs, vrm.Hips, hips), hull(vs, vrm.Head, r.at[vrm.Head])
}

// measureTouch finds the surfaces that hands touch. Each is bounded by plain proportions, for meshes that are split
// or skinned in odd ways.
func (a *anatomy) measureTouch(r *rig, vs []vertex) {
	h := a.hipsHeight
	a.hipWide, a.belly = .17*h, .15*h
	if !r.has(vrm.Head) {
		return
	}
	head := r.at[vrm.Head]
	size := max(a.headTop-head[1], .05*a.unit)
	a.face, a.cheek = .4*size, .3*size
	var hip, belly, face, cheek []float32
	for _, v := range vs {
		if !v.own {
			continue
		}
		d := v.at.Sub(head)
		switch v.bone {
		case vrm.Hips:
			if abs(v.at[1]-r.at[vrm.Hips][1]) < .1*h {
				hip = append(hip, abs(v.at[0]))
			}
		case vrm.Spine, vrm.Chest:
			if r.has(vrm.Spine) && abs(v.at[1]-r.at[vrm.Spine][1]) < .12*h && abs(v.at[0]) < .1*h {
				belly = append(belly, v.at[2]-r.at[vrm.Spine][2])
			}
		case vrm.Head:
			if d[1] > .05*size && d[1] < .45*size {
				if abs(d[0]) < .2*size {
					face = append(face, d[2])
				}
				if d[2] > 0 {
					cheek = append(cheek, abs(d[0]))
				}
			}
		}
	}
	outer := func(v []float32, lo, hi float32, to *float32) {
		if len(v) > 8 {
			slices.Sort(v)
			*to = clamp(v[len(v)*95/100], lo, hi)
		}
	}
	outer(hip, .12*h, .35*h, &a.hipWide)
	outer(belly, .06*h, .3*h, &a.belly)
	outer(face, .2*size, .6*size, &a.face)
	outer(cheek, .2*size, .55*size, &a.cheek)
}

// measurePeek fits the peek to a body unlike the study's: as far as its trunk leans aside, so far are the hips behind
// the edge, but that somewhat more than half of the face comes round it, while the near foot stays behind.
func (a *anatomy) measurePeek(r *rig) {
	if !r.has(vrm.Head) {
		return
	}
	// How far each joint has leaned aside in the hold; what a missing one would turn, the next lower one does.
	lean := [...]struct {
		bone    vrm.Bone
		degrees float32
	}{{vrm.Hips, 12}, {vrm.Spine, 15}, {vrm.Chest, 12}, {vrm.UpperChest, 0}, {vrm.Neck, 6}, {vrm.Head, 0}}
	var aside, turned, last float32
	for i, l := range lean {
		if i == 0 {
			last = r.at[vrm.Hips][1]
		} else if r.has(l.bone) {
			aside += (r.at[l.bone][1] - last) * sin(turned*rad)
			last = r.at[l.bone][1]
		}
		turned += l.degrees
	}
	// In the study the hips are held .098 H, the near foot .057 H behind the edge; all starts .46 H behind it.
	in := (aside - .17*a.cheek) / (.098 * a.unit)
	a.peekIn = clamp(max(in, 1.15*a.halfWidth/(.46*a.unit)), .3, 1.2)
	if r.has(vrm.LeftFoot) {
		a.peekFeet = clamp((abs(r.at[vrm.LeftFoot][0])+.057*a.unit*a.peekIn)/(.125*a.unit), .3, 1.2)
	}
}

// hull keeps the outermost points of a bone's own mesh in 42 directions, seen from its joint: enough to tell how low it
// reaches however it lies.
func hull(vs []vertex, b vrm.Bone, from geom.Vec3) []geom.Vec3 {
	var dirs []geom.Vec3
	for x := -2; x <= 2; x++ {
		for y := -2; y <= 2; y++ {
			for z := -2; z <= 2; z++ {
				if d := (geom.Vec3{float32(x), float32(y), float32(z)}); x*x+y*y+z*z > 3 && x*x+y*y+z*z < 7 {
					dirs = append(dirs, d.Unit())
				}
			}
		}
	}
	best := make([]geom.Vec3, len(dirs))
	far := make([]float32, len(dirs))
	some := false
	for _, v := range vs {
		if v.bone != b || !v.own {
			continue
		}
		p := v.at.Sub(from)
		some = true
		for i, d := range dirs {
			if f := p.Dot(d); f > far[i] {
				far[i], best[i] = f, p
			}
		}
	}
	if !some {
		return nil
	}
	slices.SortFunc(best, func(p, q geom.Vec3) int { return slices.Compare(p[:], q[:]) })
	return slices.Compact(best)
}
