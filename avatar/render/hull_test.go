package render

import (
	"testing"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// TestHullKeepsHardEdges looks at a cube of split normals from near: the faces on all four sides keep their line.
func TestHullKeepsHardEdges(t *testing.T) {
	m := &mesh{batches: []batch{{}}}
	for axis := range 3 {
		for _, side := range []float32{-1, 1} {
			at := uint32(len(m.position))
			for _, c := range [][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				var p, n geom.Vec3
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = side/2, c[0]/2*side, c[1]/2
				n[axis] = side
				m.position, m.normal = append(m.position, p), append(m.normal, n)
			}
			m.index = append(m.index, at, at+1, at+2, at, at+2, at+3)
		}
	}
	m.batches[0].count = len(m.index)
	m.materials = []vrm.Material{{Contour: vrm.Contour{Outline: vrm.OutlineWorld}}}
	h := newHulls(m, true)[0]
	if !h.sealed {
		t.Fatal("the cube is not closed")
	}
	vertices := make([]float32, len(m.position)*floatsPerVertex)
	for i, p := range m.position {
		v := vertices[i*floatsPerVertex:]
		copy(v, p[:])
		copy(v[3:], m.normal[i][:])
	}
	eye := geom.Vec3{0, 0, 2.5}
	out := h.choose(nil, m, vertices, eye, 0.02, make([]uint8, len(m.position)))
	kept := map[geom.Vec3]bool{}
	for _, v := range out {
		kept[m.normal[v]] = true
	}
	for _, n := range []geom.Vec3{{0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}} {
		if !kept[n] {
			t.Errorf("the face toward %v has no line", n)
		}
	}
}
