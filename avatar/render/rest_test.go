package render

import (
	"testing"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// The weight that a mesh gives a morph target itself counts only where no expression binds the target.
func TestExpressionWinsOverMeshWeight(t *testing.T) {
	move := vrm.Target{Positions: []geom.Vec3{{1, 0, 0}, {}, {}}}
	part := vrm.Primitive{Material: -1, Positions: []geom.Vec3{{}, {1, 0, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2}, Targets: []vrm.Target{move, move}}
	m := &vrm.Model{
		Nodes: []vrm.Node{{Parent: -1, Rotation: geom.Ident, Scale: geom.Vec3{1, 1, 1}, Skin: -1}}, Order: []int{0}, Rest: []geom.Mat4{geom.IdentMat},
		Meshes:      []vrm.Mesh{{Primitives: []vrm.Primitive{part}, Weights: []float32{1, .5}}},
		Expressions: []vrm.Expression{{Name: "happy", Morphs: []vrm.MorphBind{{Node: 0, Target: 0, Weight: 1}}}},
	}
	built, err := build(m, false)
	if err != nil {
		t.Fatal(err)
	}
	s := newShape(built)
	for face, want := range map[float32][2]float32{0: {0, .5}, .25: {.25, .5}, 1: {1, .5}} {
		s.setMorphs([]float32{face})
		if s.want[0] != want[0] || s.want[1] != want[1] {
			t.Errorf("happy at %g: weights %v, want %v", face, s.want, want)
		}
	}
}
