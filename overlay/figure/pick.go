package figure

import (
	"image"

	"yui/avatar/body"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// regionAt tells which part of her a point of the desktop touches: the part of the strongest bone of the foremost
// triangle under it (docs/rules/body.md#seat). It looks at the whole mesh, so it is for presses, not for frames.
func (h *hand) regionAt(at image.Point) body.Region {
	p := h.pet
	if p.pose == nil {
		return body.Elsewhere
	}
	d := at.Sub(p.surf.At().Min)
	hit := picker{pet: p, x: float32(d.X) + 0.5, y: float32(d.Y) + 0.5, node: -1}
	m := p.opt.Model
	for i := range m.Nodes {
		if m.Nodes[i].Mesh >= 0 {
			hit.mesh(m, i)
		}
	}
	return regionOf(m, hit.node)
}

// regionOf walks from a bone up to the first one that has a region of its own.
func regionOf(m *vrm.Model, node int) body.Region {
	for ; node >= 0; node = m.Nodes[node].Parent {
		switch node {
		case m.Humanoid[vrm.Head]:
			return body.Head
		case m.Humanoid[vrm.LeftUpperArm], m.Humanoid[vrm.RightUpperArm], m.Humanoid[vrm.LeftUpperLeg], m.Humanoid[vrm.RightUpperLeg]:
			return body.Elsewhere
		case m.Humanoid[vrm.Chest], m.Humanoid[vrm.UpperChest], m.Humanoid[vrm.Neck], m.Humanoid[vrm.Spine]:
			return body.Chest
		case m.Humanoid[vrm.Hips]:
			return body.Hips
		}
	}
	return body.Elsewhere
}

// picker looks for the foremost triangle under a pixel.
type picker struct {
	pet  *Pet
	x, y float32
	z    float32 // of the best hit; greater is nearer to the viewer
	node int     // its strongest bone, -1 for none
	pts  []geom.Vec3
}

func (k *picker) mesh(m *vrm.Model, node int) {
	n := &m.Nodes[node]
	var skin *vrm.Skin
	if n.Skin >= 0 {
		skin = &m.Skins[n.Skin]
	}
	for i := range m.Meshes[n.Mesh].Primitives {
		k.primitive(&m.Meshes[n.Mesh].Primitives[i], node, skin)
	}
}

func (k *picker) primitive(p *vrm.Primitive, node int, skin *vrm.Skin) {
	world := k.pet.pose.World
	var joints []geom.Mat4
	if skin != nil && p.Joints != nil {
		joints = make([]geom.Mat4, len(skin.Joints))
		for i, j := range skin.Joints {
			joints[i] = world[j].Mul(skin.InverseBind[i])
		}
	}
	k.pts = k.pts[:0]
	for i, v := range p.Positions {
		var w geom.Vec3
		if joints == nil {
			w = world[node].Point(v)
		} else {
			for c, weight := range p.Weights[i] {
				if weight > 0 {
					w = w.Add(joints[p.Joints[i][c]].Point(v).Mul(weight))
				}
			}
		}
		x, y := k.pet.art.view.Project(w)
		k.pts = append(k.pts, geom.Vec3{x, y, w[2]})
	}
	for t := 0; t+2 < len(p.Indices); t += 3 {
		k.triangle(p, p.Indices[t:t+3], node, skin)
	}
}

func (k *picker) triangle(p *vrm.Primitive, idx []uint32, node int, skin *vrm.Skin) {
	a, b, c := k.pts[idx[0]], k.pts[idx[1]], k.pts[idx[2]]
	area := (b[0]-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(b[1]-a[1])
	if area == 0 {
		return
	}
	u := ((b[0]-k.x)*(c[1]-k.y) - (c[0]-k.x)*(b[1]-k.y)) / area
	v := ((c[0]-k.x)*(a[1]-k.y) - (a[0]-k.x)*(c[1]-k.y)) / area
	w := 1 - u - v
	if u < 0 || v < 0 || w < 0 {
		return
	}
	z := u*a[2] + v*b[2] + w*c[2]
	if k.node >= 0 && z <= k.z {
		return
	}
	k.z, k.node = z, node
	if skin == nil || p.Joints == nil {
		return
	}
	near := idx[0]
	if v > u && v >= w {
		near = idx[1]
	} else if w > u && w > v {
		near = idx[2]
	}
	best := float32(-1)
	for i, weight := range p.Weights[near] {
		if weight > best {
			best, k.node = weight, skin.Joints[p.Joints[near][i]]
		}
	}
}
