package motion

import (
	"strings"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

const noBone vrm.Bone = -1

// rig is a model's humanoid in normalised form: every rotation is a turn away from the rest pose in world axes.
type rig struct {
	m     *vrm.Model
	node  [vrm.BoneCount]int
	order []vrm.Bone // existing bones, parents first
	// parent is the nearest existing humanoid ancestor; at and offset are rest positions, absolute and from parent.
	parent     [vrm.BoneCount]vrm.Bone
	at, offset [vrm.BoneCount]geom.Vec3
	// A node's local rotation is pre * normalised turn * post.
	pre, post [vrm.BoneCount]geom.Quat
	fold      []fold

	anatomy
	// hipsIn takes a world point of the rest pose into the space of the hips node's parent.
	hipsIn geom.Mat4
	legs   [2]chain
	arms   [2]chain
	ears   [2]int // nodes of the first ear joints, -1 for none (bundled characters)
	tail   [2]int
	turned map[int]nodeTurn
	// headTip is from the head joint to the top of the head, in rest axes.
	headTip geom.Vec3
}

// fold moves the turn of a bone that the model lacks to one that it has.
type fold struct {
	from, to vrm.Bone
	after    bool // to = to*from, otherwise to = from*to
}

// nodeTurn is pre and post for a node that is no humanoid bone.
type nodeTurn struct{ pre, post geom.Quat }

// chain is two bones and an end, for the solver.
type chain struct {
	ok           bool
	a, b, c      vrm.Bone
	dirA, dirB   geom.Vec3 // rest directions
	lenA, lenB   float32
	restA, restB basis
}

func newRig(m *vrm.Model) *rig {
	r := &rig{m: m, ears: [2]int{-1, -1}, tail: [2]int{-1, -1}, turned: map[int]nodeTurn{}, hipsIn: geom.IdentMat}
	owner := make([]vrm.Bone, len(m.Nodes)) // nearest humanoid bone at or above a node
	bone := make([]vrm.Bone, len(m.Nodes))
	for i := range bone {
		owner[i], bone[i] = noBone, noBone
	}
	for b := vrm.Bone(0); b < vrm.BoneCount; b++ {
		r.node[b], r.parent[b] = -1, noBone
		if n := m.Humanoid[b]; n >= 0 && n < len(m.Nodes) && n < len(m.Rest) && (b != vrm.Hips || m.Rest[n].Pos()[1] > 1e-4) {
			r.node[b], bone[n] = n, b
		}
	}
	if r.node[vrm.Hips] < 0 { // no body to move: expressions, springs and the rest pose remain
		for b := range r.node {
			r.node[b] = -1
		}
		r.anatomy = measure(m, r, owner)
		return r
	}
	for _, n := range m.Order {
		if p := m.Nodes[n].Parent; p >= 0 {
			owner[n] = owner[p]
		}
		b := bone[n]
		if b == noBone || r.node[b] != n {
			continue
		}
		r.addBone(b, owner[n])
		owner[n] = b
	}
	if p := m.Nodes[r.node[vrm.Hips]].Parent; p >= 0 {
		r.hipsIn = m.Rest[p].Inverse()
	}
	r.addFolds()
	r.anatomy = measure(m, r, owner)
	r.legs[0] = r.chain(vrm.LeftUpperLeg, vrm.LeftLowerLeg, vrm.LeftFoot, geom.Vec3{0, 0, 1})
	r.legs[1] = r.chain(vrm.RightUpperLeg, vrm.RightLowerLeg, vrm.RightFoot, geom.Vec3{0, 0, 1})
	r.arms[0] = r.chain(vrm.LeftUpperArm, vrm.LeftLowerArm, vrm.LeftHand, geom.Vec3{0, 0, -1})
	r.arms[1] = r.chain(vrm.RightUpperArm, vrm.RightLowerArm, vrm.RightHand, geom.Vec3{0, 0, -1})
	r.measureHug()
	r.addTrimmings()
	if h := r.node[vrm.Head]; h >= 0 {
		r.headTip = geom.Vec3{0, max(r.headTop-r.at[vrm.Head][1], 0), 0}
	}
	return r
}

func (r *rig) has(b vrm.Bone) bool { return b >= 0 && r.node[b] >= 0 }

func (r *rig) addBone(b, parent vrm.Bone) {
	n := r.node[b]
	rest := r.m.Rest[n].Rotation()
	r.at[b] = r.m.Rest[n].Pos()
	r.parent[b], r.offset[b] = parent, r.at[b]
	if parent != noBone {
		r.offset[b] = r.at[b].Sub(r.at[parent])
	}
	r.pre[b], r.post[b] = r.m.Nodes[n].Rotation.Unit().Mul(rest.Inv()), rest
	r.order = append(r.order, b)
}

// addFolds says where the turns of missing bones go: up the spine into the next lower bone, otherwise down to the child.
func (r *rig) addFolds() {
	spine := []vrm.Bone{vrm.Spine, vrm.Chest, vrm.UpperChest}
	for i := range spine {
		if r.has(spine[i]) {
			continue
		}
		to := vrm.Hips
		for j := i - 1; j >= 0; j-- {
			if r.has(spine[j]) {
				to = spine[j]
				break
			}
		}
		if to != vrm.Hips { // the hips carry the legs; without any spine the bend is lost rather than kicked into them
			r.fold = append(r.fold, fold{spine[i], to, true})
		}
	}
	for _, f := range []fold{
		{vrm.Neck, vrm.Head, false},
		{vrm.LeftShoulder, vrm.LeftUpperArm, false},
		{vrm.RightShoulder, vrm.RightUpperArm, false},
	} {
		if !r.has(f.from) && r.has(f.to) {
			r.fold = append(r.fold, f)
		}
	}
}

func (r *rig) chain(a, b, c vrm.Bone, pole geom.Vec3) chain {
	if !r.has(a) || !r.has(b) || !r.has(c) {
		return chain{}
	}
	k := chain{a: a, b: b, c: c}
	u, v := r.at[b].Sub(r.at[a]), r.at[c].Sub(r.at[b])
	k.lenA, k.lenB, k.dirA, k.dirB = u.Len(), v.Len(), u.Unit(), v.Unit()
	k.ok = k.lenA > 1e-5 && k.lenB > 1e-5
	k.restA, k.restB = makeBasis(k.dirA, pole), makeBasis(k.dirB, pole)
	return k
}

// addTrimmings finds ears and tail of the bundled characters by the recipe's joint names.
func (r *rig) addTrimmings() {
	for i := range r.m.Nodes {
		var at *int
		switch strings.ToLower(r.m.Nodes[i].Name) {
		case "earl1":
			at = &r.ears[0]
		case "earr1":
			at = &r.ears[1]
		case "tail1":
			at = &r.tail[0]
		case "tail2":
			at = &r.tail[1]
		default:
			continue
		}
		if i >= len(r.m.Rest) {
			continue
		}
		rest := r.m.Rest[i].Rotation()
		*at = i
		r.turned[i] = nodeTurn{r.m.Nodes[i].Rotation.Unit().Mul(rest.Inv()), rest}
	}
}
