package render

import (
	"yui/avatar/vrm/geom"
)

// influences returns the bones of a vertex, strongest first, their weights adding up to one. A vertex without weights,
// or of a mesh without a skin, is moved by its node alone.
func (b *builder) influences(p placed, v int) influence {
	var in influence
	node := b.model.Nodes[p.node]
	if node.Skin >= 0 && node.Skin < len(b.model.Skins) && p.prim.Joints != nil && p.prim.Weights != nil {
		skin := &b.model.Skins[node.Skin]
		var sum float32
		for k := range 4 {
			w, j := p.prim.Weights[v][k], int(p.prim.Joints[v][k])
			if !(w > 1e-4) || j >= len(skin.Joints) || skin.Joints[j] < 0 || skin.Joints[j] >= len(b.model.Nodes) {
				continue
			}
			in.joint[in.n], in.weight[in.n] = uint16(b.boneOf(node.Skin, j, skin.Joints[j])), w
			in.n++
			sum += w
		}
		for k := range in.n {
			in.weight[k] /= sum
		}
		for k := 1; k < in.n; k++ {
			for i := k; i > 0 && in.weight[i] > in.weight[i-1]; i-- {
				in.weight[i], in.weight[i-1] = in.weight[i-1], in.weight[i]
				in.joint[i], in.joint[i-1] = in.joint[i-1], in.joint[i]
			}
		}
	}
	if in.n == 0 {
		in.joint[0], in.weight[0], in.n = uint16(b.boneOf(-1, 0, p.node)), 1, 1
	}
	return in
}

func (b *builder) boneOf(skin, joint, node int) int {
	key := boneKey{skin, joint, node}
	if i, ok := b.bone[key]; ok {
		return i
	}
	bn := bone{node: node, inverse: geom.IdentMat, plain: true}
	if skin >= 0 && joint < len(b.model.Skins[skin].InverseBind) {
		bn.inverse = b.model.Skins[skin].InverseBind[joint]
		bn.plain = bn.inverse == geom.IdentMat
	}
	i := len(b.out.bones)
	b.bone[key] = i
	b.out.bones = append(b.out.bones, bn)
	return i
}

// addMorphs collects what the targets of a group's primitives do to the vertices just added.
func (b *builder) addMorphs(g group, added []source, firstVertex int) {
	for i, s := range added {
		p := g.prims[s.prim]
		for t := range p.prim.Targets {
			tg := &p.prim.Targets[t]
			var dp, dn geom.Vec3
			if tg.Positions != nil {
				dp = tg.Positions[s.vertex]
			}
			if tg.Normals != nil {
				dn = tg.Normals[s.vertex]
			}
			if dp == (geom.Vec3{}) && dn == (geom.Vec3{}) {
				continue
			}
			m := b.morphOf(p.node, t)
			m.vertex = append(m.vertex, uint32(firstVertex+i))
			m.position = append(m.position, dp)
			m.normal = append(m.normal, dn)
		}
	}
}

func (b *builder) morphOf(node, target int) *morph {
	key := [2]int{node, target}
	i, ok := b.morph[key]
	if !ok {
		i = len(b.out.morphs)
		b.morph[key] = i
		mo := morph{}
		if w := b.model.Meshes[b.model.Nodes[node].Mesh].Weights; target < len(w) {
			mo.rest = w[target]
		}
		b.out.morphs = append(b.out.morphs, mo)
	}
	return &b.out.morphs[i]
}

// finish makes the runs, the expressions' binds and the reach.
func (b *builder) finish() {
	out := b.out
	for i, in := range b.vertex {
		to := int32(-1)
		if in.n == 1 {
			to = int32(in.joint[0])
		} else {
			out.joints = append(out.joints, in.joint)
			out.weights = append(out.weights, in.weight)
		}
		if n := len(out.runs); n > 0 && out.runs[n-1].bone == to {
			out.runs[n-1].count++
		} else {
			out.runs = append(out.runs, run{first: int32(i), count: 1, bone: to})
		}
	}
	out.binds = make([][]bind, len(b.model.Expressions))
	for e := range b.model.Expressions {
		for _, mb := range b.model.Expressions[e].Morphs {
			if i, ok := b.morph[[2]int{mb.Node, mb.Target}]; ok {
				out.binds[e] = append(out.binds[e], bind{i, mb.Weight})
			}
		}
	}
	for k := range 3 {
		out.reach = max(out.reach, b.model.Max[k], -b.model.Min[k])
	}
	out.reach = max(out.reach*2, 0.1)
	out.rest = b.model.Rest
}
