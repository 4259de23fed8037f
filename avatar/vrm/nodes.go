package vrm

import (
	"errors"
	"fmt"
	"math"

	"yui/avatar/vrm/geom"
)

// loadNodes fills Nodes, Order, Roots and Rest. A 0.x model looks to -z in its file: it is turned half about y by
// turning every local transform, so that nodes without rotation stay without (VRM 0.x demands such, and motion likes it).
func (f *file) loadNodes(m *Model) error {
	m.Nodes = make([]Node, len(f.Nodes))
	for i := range m.Nodes {
		m.Nodes[i].Parent = -1
	}
	for i := range f.Nodes {
		n, err := f.node(i)
		if err != nil {
			return fmt.Errorf("read node %d %q: %w", i, clip(f.Nodes[i].Name, 60), err)
		}
		n.Parent = m.Nodes[i].Parent
		for _, c := range f.Nodes[i].Children {
			if c < 0 || c >= len(m.Nodes) {
				return fmt.Errorf("read node %d %q: child %d does not exist", i, n.Name, c)
			}
			if c == i || m.Nodes[c].Parent >= 0 {
				return fmt.Errorf("read node %d %q: child %d has another parent already", i, n.Name, c)
			}
			m.Nodes[c].Parent = i
			n.Children = append(n.Children, c)
		}
		m.Nodes[i] = n
	}
	return f.orderNodes(m)
}

// orderNodes walks the trees from their roots without recursion. What the walk does not reach hangs in a circle.
func (f *file) orderNodes(m *Model) error {
	for i, n := range m.Nodes {
		if n.Parent < 0 {
			m.Roots = append(m.Roots, i)
		}
	}
	m.Order = append(make([]int, 0, len(m.Nodes)), m.Roots...)
	for k := 0; k < len(m.Order); k++ {
		m.Order = append(m.Order, m.Nodes[m.Order[k]].Children...)
	}
	if len(m.Order) < len(m.Nodes) {
		return fmt.Errorf("read nodes: %d of %d hang in a circle, each the parent of the next", len(m.Nodes)-len(m.Order), len(m.Nodes))
	}
	m.Rest = worldOf(m)
	for i, w := range m.Rest {
		for _, x := range w {
			if !(math.Abs(float64(x)) < 1e9) {
				return fmt.Errorf("read node %d %q: its place in the world is out of bounds", i, m.Nodes[i].Name)
			}
		}
	}
	return nil
}

// worldOf computes the world matrix of every node in the rest pose.
func worldOf(m *Model) []geom.Mat4 {
	out := make([]geom.Mat4, len(m.Nodes))
	for _, i := range m.Order {
		n := &m.Nodes[i]
		out[i] = geom.TRS(n.Translation, n.Rotation, n.Scale)
		if n.Parent >= 0 {
			out[i] = out[n.Parent].Mul(out[i])
		}
	}
	return out
}

func (f *file) node(i int) (Node, error) {
	j := &f.Nodes[i]
	n := Node{Name: clip(j.Name, maxName), Parent: -1, Rotation: geom.Ident, Scale: geom.Vec3{1, 1, 1}, Mesh: -1, Skin: -1}
	switch {
	case len(j.Matrix) == 16:
		n.Translation, n.Rotation, n.Scale = geom.Mat4(j.Matrix).Decompose()
	case len(j.Matrix) != 0:
		return n, errors.New("its matrix does not have 16 numbers")
	default:
		for _, p := range []struct {
			what string
			from []float32
			into []float32
		}{
			{"translation", j.Translation, n.Translation[:]}, {"rotation", j.Rotation, n.Rotation[:]}, {"scale", j.Scale, n.Scale[:]},
		} {
			if len(p.from) != 0 && len(p.from) != len(p.into) {
				return n, fmt.Errorf("its %s does not have %d numbers", p.what, len(p.into))
			}
			copy(p.into, p.from)
		}
		n.Rotation = n.Rotation.Unit()
	}
	if f.turn {
		n.Translation, n.Rotation = turnPoint(n.Translation), turnQuat(n.Rotation)
	}
	if j.Mesh != nil {
		if *j.Mesh < 0 || *j.Mesh >= len(f.Meshes) {
			return n, fmt.Errorf("its mesh %d does not exist", *j.Mesh)
		}
		n.Mesh = *j.Mesh
	}
	if j.Skin != nil && n.Mesh >= 0 {
		if *j.Skin < 0 || *j.Skin >= len(f.Skins) {
			return n, fmt.Errorf("its skin %d does not exist", *j.Skin)
		}
		n.Skin = *j.Skin
	}
	return n, nil
}

// hideUnused takes the mesh off nodes that the scene to show does not hold.
func (f *file) hideUnused(m *Model) {
	at := 0
	if f.Scene != nil {
		at = *f.Scene
	}
	if at < 0 || at >= len(f.Scenes) || len(f.Scenes[at].Nodes) == 0 {
		return
	}
	shown := make([]bool, len(m.Nodes))
	for _, i := range f.Scenes[at].Nodes {
		if i >= 0 && i < len(shown) {
			shown[i] = true
		}
	}
	for _, i := range m.Order {
		if p := m.Nodes[i].Parent; p >= 0 && shown[p] {
			shown[i] = true
		}
		if !shown[i] {
			m.Nodes[i].Mesh, m.Nodes[i].Skin = -1, -1
		}
	}
}

// firstPersonOnly marks what only the wearer of a character sees: a body without a head, hands. A pet is always seen by
// others.
const firstPersonOnly = "firstPersonOnly"

// hide takes the mesh off the nodes of which own says that they are for the first person.
func (f *file) hide(m *Model, own func(node int) bool) {
	f.unseen = map[int]bool{}
	for i := range m.Nodes {
		if n := &m.Nodes[i]; n.Mesh >= 0 && own(i) {
			n.Mesh, n.Skin, f.unseen[i] = -1, -1, true
		}
	}
}

// The half turn about y that a 0.x model gets, for points, rotations and matrices.

func turnPoint(p geom.Vec3) geom.Vec3 { return geom.Vec3{-p[0], p[1], -p[2]} }

func turnQuat(q geom.Quat) geom.Quat { return geom.Quat{-q[0], q[1], -q[2], q[3]} }

func turnMat(a geom.Mat4) geom.Mat4 {
	for c := range 4 {
		for r := range 4 {
			if (c == 0 || c == 2) != (r == 0 || r == 2) {
				a[c*4+r] = -a[c*4+r]
			}
		}
	}
	return a
}

// unityPoint takes a point of 0.x's extension, which is written in Unity's axes (x to the left of glTF's), into the
// turned model's.
func unityPoint(x, y, z float32) geom.Vec3 { return geom.Vec3{-x, y, z} }
