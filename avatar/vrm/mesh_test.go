package vrm

import (
	"math"
	"slices"
	"strings"
	"testing"

	"yui/avatar/vrm/geom"
)

func mustProp(t testing.TB, g *glb) *Model {
	t.Helper()
	m, err := LoadProp(g.bytes())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// corners is a square of four vertices.
func (g *glb) corners() int { return g.floats("VEC3", 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0) }

func (g *glb) part(p obj) { g.add("nodes", obj{"mesh": g.add("meshes", obj{"primitives": []any{p}})}) }

func TestPrimitiveModes(t *testing.T) {
	for _, c := range []struct {
		name    string
		mode    any
		indices []uint16
		want    []uint32
	}{
		{"triangles", 4, []uint16{0, 1, 2, 2, 3, 0}, []uint32{0, 1, 2, 2, 3, 0}},
		{"by default", nil, []uint16{0, 1, 2, 2, 3, 0, 1}, []uint32{0, 1, 2, 2, 3, 0}},
		{"strip", 5, []uint16{0, 1, 3, 2}, []uint32{0, 1, 3, 3, 1, 2}},
		{"fan", 6, []uint16{0, 1, 2, 3}, []uint32{0, 1, 2, 0, 2, 3}},
		{"no indices", 4, nil, []uint32{0, 1, 2}},
		{"lines", 1, []uint16{0, 1}, nil},
	} {
		g := newGLB()
		p := obj{"attributes": obj{"POSITION": g.corners()}}
		if c.indices != nil {
			p["indices"] = g.shorts("SCALAR", c.indices...)
		}
		if c.mode != nil {
			p["mode"] = c.mode
		}
		g.part(p)
		m := mustProp(t, g)
		if c.want == nil {
			if len(m.Meshes[0].Primitives) != 0 || len(m.Warnings) == 0 {
				t.Errorf("%s: %+v", c.name, m.Meshes[0])
			}
			continue
		}
		if got := m.Meshes[0].Primitives[0].Indices; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Parts that share one vertex list get each their own vertices, in every attribute and target.
func TestSharedVertices(t *testing.T) {
	g := newGLB()
	pos := g.floats("VEC3", 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 1, 0, 4, 1, 0, 5, 1, 0)
	uv := g.floats("VEC2", 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0)
	smile := g.floats("VEC3", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0)
	part := func(i ...uint16) obj {
		return obj{"attributes": obj{"POSITION": pos, "TEXCOORD_0": uv}, "indices": g.shorts("SCALAR", i...), "targets": []any{obj{"POSITION": smile}}}
	}
	g.add("nodes", obj{"mesh": g.add("meshes", obj{"primitives": []any{part(0, 2, 1), part(5, 3, 4)}})})
	m := mustProp(t, g)
	a, b := m.Meshes[0].Primitives[0], m.Meshes[0].Primitives[1]
	if len(a.Positions) != 3 || len(b.Positions) != 3 || !slices.Equal(b.Indices, []uint32{2, 0, 1}) || !slices.Equal(a.Indices, []uint32{0, 2, 1}) {
		t.Fatalf("parts %+v %+v", a, b)
	}
	if b.Positions[2] != (geom.Vec3{5, 1, 0}) || b.UVs[0] != [2]float32{3, 0} {
		t.Errorf("vertices %v %v", b.Positions, b.UVs)
	}
	if a.Targets[0].Positions != nil {
		t.Error("a target that does not touch the part has data")
	}
	if want := []geom.Vec3{{}, {0, 0, 1}, {}}; !slices.Equal(b.Targets[0].Positions, want) {
		t.Errorf("target %v, want %v", b.Targets[0].Positions, want)
	}
}

// Targets with positions alone; and parts of one mesh with unlike numbers of targets are evened out.
func TestTargets(t *testing.T) {
	g := newGLB()
	move := g.floats("VEC3", 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	still := g.floats("VEC3", make([]float32, 12)...)
	with := obj{"attributes": obj{"POSITION": g.corners()}, "targets": []any{obj{"POSITION": move}, obj{"POSITION": still, "NORMAL": move}, obj{}},
		"extras": obj{"targetNames": []string{"up", "still"}}}
	g.add("nodes", obj{"mesh": g.add("meshes", obj{"weights": []float32{0.5}, "primitives": []any{obj{"attributes": obj{"POSITION": g.corners()}}, with}})})
	m := mustProp(t, g)
	mesh := m.Meshes[0]
	if len(mesh.Primitives[0].Targets) != 3 || !slices.Equal(mesh.Weights, []float32{0.5, 0, 0}) {
		t.Errorf("%d targets, weights %v", len(mesh.Primitives[0].Targets), mesh.Weights)
	}
	tg := mesh.Primitives[1].Targets
	if tg[0].Name != "up" || tg[0].Positions == nil || tg[0].Normals != nil || tg[1].Positions != nil || tg[1].Normals == nil {
		t.Errorf("targets %+v", tg)
	}
}

func TestDefaultWeightKeepsTarget(t *testing.T) {
	m := mustLoad(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
		mesh, _ := g.triangle("worn", "not worn")
		g.at("meshes", mesh)["weights"] = []float32{1, 0}
	}))
	tg := m.Meshes[0].Primitives[0].Targets
	if tg[0].Positions == nil || tg[1].Positions != nil {
		t.Errorf("targets %+v", tg)
	}
}

func TestSkinWeights(t *testing.T) {
	g := newGLB()
	g.add("nodes", obj{"name": "joint0"})
	g.add("nodes", obj{"name": "joint1", "translation": []float32{0, 1, 0}})
	a := obj{"POSITION": g.floats("VEC3", 0, 0, 0, 1, 0, 0, 0, 1, 0), "JOINTS_0": g.shorts("VEC4", 0, 1, 0, 0, 1, 99, 0, 0, 0, 0, 0, 0),
		"WEIGHTS_0": g.floats("VEC4", 1, 1, 0, 0, 2, 0, float32(math.NaN()), -1, 0, 0, 0, 0)}
	g.add("nodes", obj{"mesh": g.add("meshes", obj{"primitives": []any{obj{"attributes": a}}}), "skin": g.add("skins", obj{"joints": []int{0, 1}})})
	m := mustProp(t, g)
	p := m.Meshes[0].Primitives[0]
	if p.Weights[0] != [4]float32{0.5, 0.5, 0, 0} || p.Weights[1] != [4]float32{1, 0, 0, 0} || p.Weights[2] != [4]float32{1, 0, 0, 0} {
		t.Errorf("weights %v", p.Weights)
	}
	if p.Joints[1] != [4]uint16{1, 0, 0, 0} {
		t.Errorf("joints %v: one without weight may name no joint that exists", p.Joints)
	}
	if m.Skins[0].InverseBind[1] != geom.IdentMat || m.Max[1] != 1 || m.Min[1] != 0.5 {
		t.Errorf("inverse bind %v, bounds to %v", m.Skins[0].InverseBind[1], m.Max)
	}
}

func TestEightInfluences(t *testing.T) {
	g := newGLB()
	var joints []int
	for range 8 {
		joints = append(joints, g.add("nodes", obj{}))
	}
	set := func(v ...uint16) int { return g.shorts("VEC4", append(append(v, v...), v...)...) }
	weigh := func(v ...float32) int { return g.floats("VEC4", append(append(v, v...), v...)...) }
	a := obj{"POSITION": g.floats("VEC3", 0, 0, 0, 1, 0, 0, 0, 1, 0), "JOINTS_0": set(0, 1, 2, 3), "JOINTS_1": set(4, 5, 6, 7),
		"WEIGHTS_0": weigh(0.05, 0.2, 0.05, 0.05), "WEIGHTS_1": weigh(0.3, 0.05, 0.2, 0.1)}
	g.add("nodes", obj{"mesh": g.add("meshes", obj{"primitives": []any{obj{"attributes": a}}}), "skin": g.add("skins", obj{"joints": joints})})
	p := mustProp(t, g).Meshes[0].Primitives[0]
	if p.Joints[2] != [4]uint16{4, 1, 6, 7} || !near(p.Weights[2][0], 0.375) || !near(p.Weights[2][3], 0.125) {
		t.Errorf("joints %v weights %v", p.Joints[2], p.Weights[2])
	}
}

func TestNormalsAndColors(t *testing.T) {
	g := newGLB()
	rgb := g.add("accessors", obj{"bufferView": g.view([]byte{255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 51, 51, 51, 0}), "componentType": 5121, "normalized": true, "type": "VEC3", "count": 4})
	g.at("bufferViews", 0)["byteStride"] = 4
	g.part(obj{"attributes": obj{"POSITION": g.corners(), "COLOR_0": rgb}, "indices": g.shorts("SCALAR", 0, 1, 2, 2, 3, 0)})
	p := mustProp(t, g).Meshes[0].Primitives[0]
	if p.Normals[0] != (geom.Vec3{0, 0, 1}) {
		t.Errorf("normals made %v", p.Normals)
	}
	if p.Colors[1] != [4]float32{0, 1, 0, 1} || !near(p.Colors[3][0], 0.2) {
		t.Errorf("colours %v", p.Colors)
	}
}

func TestRefusedMeshes(t *testing.T) {
	build := func(change func(g *glb, p obj)) []byte {
		return vrm1(func(g *glb, _ obj, _ map[string]int) {
			mesh, node := g.triangle("a")
			g.at("meshes", mesh)["name"] = "body"
			g.at("nodes", node)["skin"] = g.add("skins", obj{"joints": []int{0, 1}})
			change(g, g.at("meshes", mesh)["primitives"].([]any)[0].(obj))
		})
	}
	attr := func(name string, v func(g *glb) int) []byte {
		return build(func(g *glb, p obj) { p["attributes"].(obj)[name] = v(g) })
	}
	for name, c := range map[string]struct {
		data  []byte
		words []string
	}{
		"corner beyond":    {build(func(g *glb, p obj) { p["indices"] = g.shorts("SCALAR", 0, 1, 3) }), []string{`mesh 0 "body" part 0`, "corner 3", "3 vertices"}},
		"float corners":    {build(func(g *glb, p obj) { p["indices"] = g.floats("SCALAR", 0, 1, 2) }), []string{"triangles", "whole numbers"}},
		"no such accessor": {build(func(_ *glb, p obj) { p["indices"] = 999 }), []string{"accessor 999"}},
		"short normals":    {attr("NORMAL", func(g *glb) int { return g.floats("VEC3", 0, 0, 1) }), []string{"NORMAL", "1 values for 3"}},
		"short uvs":        {attr("TEXCOORD_0", func(g *glb) int { return g.floats("VEC2", 0, 0) }), []string{"TEXCOORD_0"}},
		"no such material": {build(func(_ *glb, p obj) { p["material"] = 5 }), []string{"material 5"}},
		"short target":     {build(func(g *glb, p obj) { p["targets"] = []any{obj{"POSITION": g.floats("VEC3", 1, 1, 1)}} }), []string{}},
		"draco without fall": {build(func(g *glb, p obj) {
			p["extensions"] = obj{"KHR_draco_mesh_compression": obj{"bufferView": 0}}
			p["attributes"] = obj{"POSITION": g.add("accessors", obj{"componentType": 5126, "type": "VEC3", "count": 3})}
		}), []string{"Draco", "without compression"}},
		"joint beyond": {build(func(g *glb, p obj) {
			p["attributes"].(obj)["JOINTS_0"] = g.shorts("VEC4", 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0)
			p["attributes"].(obj)["WEIGHTS_0"] = g.floats("VEC4", 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
		}), []string{"joint 2", "skin has 2"}},
		"joint node beyond": {build(func(g *glb, _ obj) { g.at("skins", 0)["joints"] = []int{500} }), []string{"skin 0", "500"}},
		"few matrices": {build(func(g *glb, _ obj) {
			g.at("skins", 0)["inverseBindMatrices"] = g.floats("MAT4", make([]float32, 16)...)
		}), []string{"skin 0", "1 for 2"}},
		"many targets": {build(func(_ *glb, p obj) { p["targets"] = slices.Repeat([]any{obj{}}, maxTargets+1) }), []string{"morph targets"}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "short target" { // read only if an expression moves it
				mustLoad(t, c.data)
				if _, err := LoadProp(c.data); err == nil {
					t.Error("no error")
				}
				return
			}
			refused(t, c.data, c.words...)
		})
	}
}

// A few hundred bytes that ask for gigabytes, or for hours, end soon in an error: every budget of a file is kept. The
// budgets are made small here, so that the test is quick; limits.go has the real ones.
func TestHostileSizes(t *testing.T) {
	zeros := func(g *glb, kind string, n int) int {
		return g.add("accessors", obj{"componentType": 5126, "type": kind, "count": n})
	}
	for name, c := range map[string]struct {
		build  func(g *glb)
		shrink func(f *file)
		word   string
	}{
		"zeros without data": {func(g *glb) {
			for range 60 {
				g.part(obj{"attributes": obj{"POSITION": g.corners(), "NORMAL": zeros(g, "VEC3", 4)}})
			}
		}, func(f *file) { f.zeros = 48*59 + 40 }, "without data"},
		"one view read again and again": {func(g *glb) {
			v := g.view(make([]byte, 1200))
			for range 60 {
				g.part(obj{"attributes": obj{"POSITION": g.add("accessors", obj{"bufferView": v, "componentType": 5126, "type": "VEC3", "count": 100})}, "indices": g.shorts("SCALAR", 0, 1, 2)})
			}
		}, func(f *file) { f.memory.left = 1200 * 60 }, "of memory"},
		"vertices": {func(g *glb) {
			for range 60 {
				g.part(obj{"attributes": obj{"POSITION": g.floats("VEC3", make([]float32, 9)...)}})
			}
		}, func(f *file) { f.vertices = 3*60 - 1 }, "vertices"},
		"corners": {func(g *glb) {
			for range 60 {
				g.part(obj{"attributes": obj{"POSITION": g.corners()}, "indices": g.shorts("SCALAR", make([]uint16, 300)...)})
			}
		}, func(f *file) { f.indices = 300*60 - 1 }, "corners"},
		"one mesh at every node": {func(g *glb) {
			g.part(obj{"attributes": obj{"POSITION": g.floats("VEC3", make([]float32, 9)...)}})
			for range 59 {
				g.add("nodes", obj{"mesh": 0})
			}
		}, func(f *file) { f.shown = 3*60 - 1 }, "nodes show"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGLB()
			c.build(g)
			if _, err := opened(t, g).load(kindProp); err != nil {
				t.Fatalf("within the budget: %v", err)
			}
			f := opened(t, g)
			c.shrink(f)
			if _, err := f.load(kindProp); err == nil || !strings.Contains(err.Error(), c.word) {
				t.Errorf("over the budget: %v, want an error with %q", err, c.word)
			}
		})
	}
	t.Run("a vertex list beyond all", func(t *testing.T) {
		g := newGLB()
		g.part(obj{"attributes": obj{"POSITION": zeros(g, "VEC3", maxVertices+1)}})
		if _, err := LoadProp(g.bytes()); err == nil {
			t.Error("no error")
		}
	})
}
