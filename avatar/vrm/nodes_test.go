package vrm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
	"yui/avatar/vrm/geom"
)

func TestBrokenTrees(t *testing.T) {
	bare := func(nodes ...any) []byte {
		g := newGLB()
		g.js["nodes"] = nodes
		return g.bytes()
	}
	many := make([]any, 1000)
	for i := range many {
		many[i] = obj{"children": []int{(i + 1) % len(many)}}
	}
	for name, c := range map[string]struct {
		data  []byte
		words []string
	}{
		"own child":         {bare(obj{"children": []int{0}}), []string{"node 0", "another parent"}},
		"circle":            {bare(obj{}, obj{"children": []int{2}}, obj{"children": []int{1}}), []string{"circle", "2 of 3"}},
		"great circle":      {bare(many...), []string{"circle"}},
		"two parents":       {bare(obj{"name": "a", "children": []int{2}}, obj{"name": "b", "children": []int{2}}, obj{}), []string{`"b"`, "another parent"}},
		"same child twice":  {bare(obj{"children": []int{1, 1}}, obj{}), []string{"another parent"}},
		"child beyond":      {bare(obj{"children": []int{7}}), []string{"child 7"}},
		"negative child":    {bare(obj{"children": []int{-1}}), []string{"child -1"}},
		"mesh beyond":       {bare(obj{"name": "x", "mesh": 3}), []string{`"x"`, "mesh 3"}},
		"short matrix":      {bare(obj{"matrix": []float32{1, 2, 3}}), []string{"matrix"}},
		"short translation": {bare(obj{"translation": []float32{1, 2}}), []string{"translation"}},
		"beyond the world":  {bare(obj{"name": "far", "translation": []float64{3e38, 0, 0}}), []string{`"far"`, "out of bounds"}},
		"endless scale":     {bare(obj{"scale": []float64{1e30, 1, 1}, "children": []int{1}}, obj{"scale": []float64{1e30, 1, 1}}), []string{"out of bounds"}},
	} {
		t.Run(name, func(t *testing.T) { refused(t, c.data, c.words...) })
	}
}

// A chain of thousands of nodes is walked without recursion, and order keeps parents before children.
func TestDeepTree(t *testing.T) {
	g := newGLB()
	var nodes []any
	for i := range maxNodes - 1 {
		nodes = append(nodes, obj{"children": []int{i + 1}})
	}
	slices.Reverse(nodes)
	for i, n := range nodes { // children lie before their parents in the list
		n.(obj)["children"] = []int{i}
	}
	g.js["nodes"] = append([]any{obj{"name": "tip"}}, nodes...)
	m, err := LoadProp(g.bytes())
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]bool, len(m.Nodes))
	for _, i := range m.Order {
		if p := m.Nodes[i].Parent; p >= 0 && !seen[p] {
			t.Fatalf("node %d comes before its parent", i)
		}
		seen[i] = true
	}
	if len(m.Roots) != 1 || m.Roots[0] != maxNodes-1 {
		t.Errorf("roots %v", m.Roots)
	}
}

// Names mean nothing in a VRM; nodes may all be called the same, or not at all.
func TestNoFixedNames(t *testing.T) {
	for _, name := range []string{"", "root", "頭 / ヘッド"} {
		g := newGLB()
		at := g.bones(func(string) string { return name })
		g.ext("VRMC_vrm", obj{"humanoid": obj{"humanBones": humanBones(at)}})
		if m := mustLoad(t, g.bytes()); m.Nodes[m.Humanoid[Head]].Name != name {
			t.Errorf("%q became %q", name, m.Nodes[m.Humanoid[Head]].Name)
		}
	}
}

func TestMatrixNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float32Range(-2, 2)
		at := geom.Vec3{f.Draw(t, "x"), f.Draw(t, "y"), f.Draw(t, "z")}
		turn := geom.Euler(f.Draw(t, "rx"), f.Draw(t, "ry"), f.Draw(t, "rz"))
		s := rapid.Float32Range(0.1, 3)
		scale := geom.Vec3{s.Draw(t, "sx"), s.Draw(t, "sy"), s.Draw(t, "sz")}
		want := geom.TRS(at, turn, scale)
		g := newGLB()
		g.add("nodes", obj{"matrix": want[:]})
		m, err := LoadProp(g.bytes())
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if math.Abs(float64(m.Rest[0][i]-want[i])) > 1e-3 {
				t.Fatalf("matrix %v became %v", want, m.Rest[0])
			}
		}
	})
}

// Only what the scene holds is shown.
func TestSceneHidesTheRest(t *testing.T) {
	g := newGLB()
	g.triangle()
	g.triangle()
	g.js["scene"] = 1
	g.js["scenes"] = []any{obj{"nodes": []int{0}}, obj{"nodes": []int{1}}}
	m, err := LoadProp(g.bytes())
	if err != nil {
		t.Fatal(err)
	}
	if m.Nodes[0].Mesh != -1 || m.Nodes[1].Mesh != 1 {
		t.Errorf("meshes %d %d", m.Nodes[0].Mesh, m.Nodes[1].Mesh)
	}
}

func TestConstraints(t *testing.T) {
	link := func(kind string, source int) obj {
		return obj{"VRMC_node_constraint": obj{"constraint": obj{kind: obj{"source": source, "aimAxis": "NegativeZ", "rollAxis": "Y"}}}}
	}
	build := func(set map[int]obj) *Model {
		return mustLoad(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
			first := len(g.js["nodes"].([]any))
			for i := range 6 {
				n := obj{"name": fmt.Sprint("c", i)}
				if i == 4 {
					n["children"] = []int{first + 5}
				}
				g.add("nodes", n)
			}
			for i, e := range set {
				for _, kind := range e["VRMC_node_constraint"].(obj)["constraint"].(obj) {
					kind.(obj)["source"] = kind.(obj)["source"].(int) + first
				}
				g.at("nodes", first+i)["extensions"] = e
			}
		}))
	}
	order := func(m *Model) (out []string) {
		for _, c := range m.Constraints {
			out = append(out, m.Nodes[c.Node].Name)
		}
		return out
	}
	if got := order(build(map[int]obj{0: link("rotation", 1), 1: link("rotation", 2), 2: link("roll", 3)})); !slices.Equal(got, []string{"c2", "c1", "c0"}) {
		t.Errorf("a row is applied as %v", got)
	}
	if got := order(build(map[int]obj{0: link("aim", 5), 4: link("rotation", 3)})); !slices.Equal(got, []string{"c4", "c0"}) {
		t.Errorf("an aim comes before what carries its source: %v", got)
	}
	m := build(map[int]obj{0: link("rotation", 1), 1: link("rotation", 0), 2: link("aim", 3), 3: link("rotation", 3), 4: link("aim", 5)})
	if got := order(m); !slices.Equal(got, []string{"c2"}) || len(m.Warnings) == 0 {
		t.Errorf("circles leave %v, warnings %q", got, m.Warnings)
	}
	if c := m.Constraints[0]; c.Axis != (geom.Vec3{0, 0, -1}) || c.Weight != 1 || c.Kind != "aim" {
		t.Errorf("aim %+v", c)
	}
	if m := build(map[int]obj{0: link("rotation", 900)}); len(m.Constraints) != 0 {
		t.Errorf("a source that does not exist: %+v", m.Constraints)
	}
}

// A bone below the ground does not lower the character: what she stands on comes from the mesh.
func TestBoundsComeFromTheMesh(t *testing.T) {
	m := mustLoad(t, vrm1(func(g *glb, _ obj, at map[string]int) {
		g.triangle()
		g.at("nodes", at["leftFoot"])["children"] = []int{g.add("nodes", obj{"name": "ik target", "translation": []float32{0, -5, 0}})}
	}))
	if m.Min != (geom.Vec3{}) || m.Max != (geom.Vec3{1, 1, 0}) {
		t.Errorf("bounds %v to %v", m.Min, m.Max)
	}
}
