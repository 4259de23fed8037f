package vrm

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
	"yui/avatar/vrm/geom"
)

func TestSprings(t *testing.T) {
	m := mustLoad(t, fullCharacter())
	if len(m.Springs) != 1 {
		t.Fatalf("springs %+v", m.Springs)
	}
	s := m.Springs[0]
	if s.Name != "hair" || len(s.Joints) != 3 || s.Center != m.Humanoid[Hips] {
		t.Errorf("spring %+v", s)
	}
	if j := s.Joints[0]; j.HitRadius != 0.02 || j.Stiffness != 2 || j.GravityPower != 0.3 || j.Drag != 0.4 || j.GravityDir != (geom.Vec3{0, -1, 0}) || j.VirtualTail {
		t.Errorf("joint %+v", j)
	}
	head := m.Humanoid[Head]
	want := []Collider{
		{Node: head, Offset: geom.Vec3{0, 0.1, 0}, Radius: 0.2},
		{Node: head, Shape: Capsule, Offset: geom.Vec3{0, 0.1, 0}, Tail: geom.Vec3{0, 0.3, 0}, Radius: 0.1},
		{Node: head, Shape: Plane, Offset: geom.Vec3{0, -1, 0}, Normal: geom.Vec3{0, 1, 0}},
		{Node: head, Shape: SphereInside, Radius: 0.5},
		{Node: head, Shape: CapsuleInside, Tail: geom.Vec3{1, 0, 0}, Radius: 0.4},
	}
	if !slices.Equal(s.Colliders, want) {
		t.Errorf("colliders %+v", s.Colliders)
	}
}

// No spring data is a character with rigid hair.
func TestNoSprings(t *testing.T) {
	for _, ext := range []any{nil, obj{}, obj{"springs": nil}, obj{"springs": "many"}, obj{"springs": []any{obj{}}, "colliders": []any{obj{}}}} {
		m := mustLoad(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
			if ext != nil {
				g.ext("VRMC_springBone", ext)
			}
		}))
		if len(m.Springs) != 0 {
			t.Errorf("%v: springs %+v", ext, m.Springs)
		}
	}
}

// Springs, joints and colliders that depend on each other in a circle. Chains go downwards, each node swings in
// one chain, and what hangs on another chain comes after it.
func TestCircularSprings(t *testing.T) {
	joint := func(n ...int) (out []any) {
		for _, i := range n {
			out = append(out, obj{"node": i})
		}
		return out
	}
	var first int
	m := mustLoad(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
		first = len(g.js["nodes"].([]any))
		for i := range 6 { // a chain of six
			n := obj{}
			if i < 5 {
				n["children"] = []int{first + i + 1}
			}
			g.add("nodes", n)
		}
		g.ext("VRMC_springBone", obj{
			"colliders":      []any{obj{"node": first, "shape": obj{"sphere": obj{}}}, obj{"node": first + 5, "shape": obj{"sphere": obj{}}}},
			"colliderGroups": []any{obj{"colliders": []int{0, 1, 77}}},
			"springs": []any{
				obj{"joints": joint(first+3, first+4, first+5), "colliderGroups": []int{0, 9}, "center": first + 4},
				obj{"joints": joint(first, first+1, first), "colliderGroups": []int{0}, "center": first + 5},
				obj{"joints": joint(first+1, first+2, first+3, first+4), "center": 999},
				obj{"joints": joint(first+2, first+2)},
				obj{"joints": joint(first+5, 999)},
			},
		})
	}))
	var roots [][]int
	for _, s := range m.Springs {
		var c []int
		for _, j := range s.Joints {
			c = append(c, j.Node-first)
		}
		roots = append(roots, c)
	}
	if len(roots) != 3 || !slices.Equal(roots[0], []int{0, 1}) || !slices.Equal(roots[1], []int{1, 2, 3}) || !slices.Equal(roots[2], []int{3, 4, 5}) {
		t.Errorf("chains %v", roots)
	}
	if len(m.Springs[2].Colliders) != 2 || m.Springs[1].Center != -1 || len(m.Warnings) == 0 {
		t.Errorf("springs %+v", m.Springs)
	}
}

// below says the same as walking up.
func TestBelowProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		g := newGLB()
		for range n {
			g.add("nodes", obj{})
		}
		for i := 1; i < n; i++ {
			if p := rapid.IntRange(-1, i-1).Draw(t, "parent"); p >= 0 {
				kids, _ := g.at("nodes", p)["children"].([]int)
				g.at("nodes", p)["children"] = append(kids, i)
			}
		}
		m, err := LoadProp(g.bytes())
		if err != nil {
			t.Fatal(err)
		}
		b := newSpringBuilder(nil, m)
		for x := range n {
			for y := range n {
				walk := false
				for p := m.Nodes[x].Parent; p >= 0; p = m.Nodes[p].Parent {
					walk = walk || p == y
				}
				if b.below(x, y) != walk {
					t.Fatalf("below(%d, %d) is %v", x, y, !walk)
				}
			}
		}
	})
}

// Collider groups multiply cheaply in a file; the model keeps a bounded number.
func TestManyColliders(t *testing.T) {
	m := mustLoad(t, vrm1(func(g *glb, _ obj, at map[string]int) {
		group := make([]int, 1000)
		var list []any
		for range 200 {
			list = append(list, obj{"joints": []any{obj{"node": at["spine"]}, obj{"node": at["head"]}}, "colliderGroups": []int{0, 0, 0}})
		}
		g.ext("VRMC_springBone", obj{"colliders": []any{obj{"node": 0, "shape": obj{"sphere": obj{}}}}, "colliderGroups": []any{obj{"colliders": group}}, "springs": list})
	}))
	n := 0
	for _, s := range m.Springs {
		n += len(s.Colliders)
	}
	if n > maxSpringColliders {
		t.Errorf("%d colliders", n)
	}
}
