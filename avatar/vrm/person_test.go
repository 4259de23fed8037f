package vrm

import "testing"

// A pet is seen by others: what is for the first person alone is not drawn and not measured. Everything else that a file
// may say of it changes nothing.
func TestFirstPersonOnly(t *testing.T) {
	for _, c := range []struct {
		name   string
		one    any // the type in 1.0
		hidden bool
	}{
		{"firstPersonOnly", "firstPersonOnly", true}, {"thirdPersonOnly", "thirdPersonOnly", false}, {"both", "both", false},
		{"auto", "auto", false}, {"unknown", "hidden", false}, {"no word", 7, false},
	} {
		for version, data := range map[string][]byte{
			"1.0": vrm1(func(g *glb, v obj, _ map[string]int) {
				g.triangle()
				_, own := g.triangle("x")
				g.at("nodes", own)["scale"] = []float32{5, 5, 5}
				v["firstPerson"] = obj{"meshAnnotations": []any{obj{"node": own, "type": c.one}, obj{"node": 999, "type": c.one}, obj{"type": c.one}}}
				v["expressions"] = obj{"preset": obj{"happy": obj{"morphTargetBinds": []any{obj{"node": own, "index": 0, "weight": 1}}}}}
			}),
			"0.x": vrm0(func(g *glb, v obj, _ map[string]int) {
				g.triangle()
				mesh, own := g.triangle("x")
				g.at("nodes", own)["scale"] = []float32{5, 5, 5}
				flag := c.one
				if s, ok := flag.(string); ok {
					flag = string(s[0]-'a'+'A') + s[1:]
				}
				v["firstPerson"] = obj{"meshAnnotations": []any{obj{"mesh": mesh, "firstPersonFlag": flag}, obj{"mesh": -3, "firstPersonFlag": flag}}}
				v["blendShapeMaster"] = obj{"blendShapeGroups": []any{obj{"presetName": "joy", "binds": []any{obj{"mesh": mesh, "index": 0, "weight": 100}}}}}
			}),
		} {
			m := mustLoad(t, data)
			shown := 0
			for _, n := range m.Nodes {
				if n.Mesh >= 0 {
					shown++
				}
			}
			want, high := 2, float32(5)
			if c.hidden {
				want, high = 1, 1
			}
			if shown != want || m.Max[1] != high {
				t.Errorf("%s, %s: %d meshes are shown, up to %v", version, c.name, shown, m.Max)
			}
			if c.hidden && len(m.Warnings) != 0 {
				t.Errorf("%s, %s: it says %q", version, c.name, m.Warnings)
			}
		}
	}
}

// A file with nothing to see would be a pet that cannot be clicked.
func TestNothingToSee(t *testing.T) {
	refused(t, vrm1(nil), "nothing to see")
	refused(t, vrm0(nil), "nothing to see")
	g := newGLB()
	g.bones(same)
	refused(t, g.bytes(), "nothing to see")
	refused(t, vrm1(func(g *glb, v obj, _ map[string]int) {
		_, own := g.triangle()
		v["firstPerson"] = obj{"meshAnnotations": []any{obj{"node": own, "type": "firstPersonOnly"}}}
	}), "nothing to see")
	if _, err := Load(vrm1(func(g *glb, _ obj, _ map[string]int) { g.triangle() })); err != nil {
		t.Error(err)
	}
}

// An expression sets the morph targets that it binds; the weight that the mesh gives to others stays.
func TestExpressionsWin(t *testing.T) {
	m := mustLoad(t, vrm1(func(g *glb, v obj, _ map[string]int) {
		mesh, node := g.triangle("bound", "free")
		g.at("meshes", mesh)["weights"] = []float32{1, 0.5}
		v["expressions"] = obj{"preset": obj{"happy": obj{"morphTargetBinds": []any{obj{"node": node, "index": 0, "weight": 1}}}}}
	}))
	if w := m.Meshes[0].Weights; w[0] != 0 || w[1] != 0.5 {
		t.Errorf("the mesh's weights are %v", w)
	}
}
