package motion

import (
	"math"
	"testing"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// TestConstraints turns a source node by hand and looks at the constrained one.
func TestConstraints(t *testing.T) {
	x := geom.Vec3{1, 0, 0}
	for _, c := range []struct {
		name   string
		c      vrm.Constraint
		source geom.Quat
		want   geom.Quat
	}{
		{"rotation, half", vrm.Constraint{Kind: "rotation", Weight: .5}, geom.AxisAngle(x, 1), geom.AxisAngle(x, .5)},
		{"roll keeps the twist", vrm.Constraint{Kind: "roll", Axis: x, Weight: 1}, geom.AxisAngle(x, .8), geom.AxisAngle(x, .8)},
		{"roll leaves out the swing", vrm.Constraint{Kind: "roll", Axis: x, Weight: 1}, geom.AxisAngle(geom.Vec3{0, 1, 0}, .8), geom.Ident},
		{"aim", vrm.Constraint{Kind: "aim", Axis: geom.Vec3{0, 0, 1}, Weight: 1}, geom.Ident, geom.AxisAngle(geom.Vec3{0, 1, 0}, math.Pi/2)},
		{"nothing known", vrm.Constraint{Kind: "dance", Weight: 1}, geom.AxisAngle(x, 1), geom.Ident},
	} {
		one := geom.Vec3{1, 1, 1}
		m := &vrm.Model{
			Nodes: []vrm.Node{
				{Name: "source", Parent: -1, Mesh: -1, Skin: -1, Rotation: geom.Ident, Scale: one, Translation: geom.Vec3{2, 0, 0}},
				{Name: "follower", Parent: -1, Mesh: -1, Skin: -1, Rotation: geom.Ident, Scale: one},
			},
			Order: []int{0, 1}, Roots: []int{0, 1},
			Rest: []geom.Mat4{geom.TRS(geom.Vec3{2, 0, 0}, geom.Ident, one), geom.IdentMat},
		}
		for i := range m.Humanoid {
			m.Humanoid[i] = -1
		}
		c.c.Node, c.c.Source = 1, 0
		m.Constraints = []vrm.Constraint{c.c, {Node: 9, Source: -1, Kind: "roll", Weight: 1}, {Node: 1, Source: 1, Kind: "aim", Weight: 1}}
		p := NewPlayer(m, NewLibrary(), 1)
		p.Step(frame30, Input{})
		p.skel.turn[0], p.skel.turn[1] = c.source, geom.Ident
		p.skel.constrain(p, geom.IdentMat)
		if d := abs(p.pose.World[1].Rotation().Dot(c.want)); d < .9999 {
			t.Errorf("%s: %v, want %v", c.name, p.pose.World[1].Rotation(), c.want)
		}
	}
}
