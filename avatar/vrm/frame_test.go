package vrm

import (
	"strings"
	"testing"
)

// tail adds a chain of n nodes below a node and returns them, the node itself first.
func (g *glb) tail(from, n int) []int {
	chain := []int{from}
	for range n {
		next := g.add("nodes", obj{"translation": []float32{0, -.01, 0}})
		kids, _ := g.at("nodes", from)["children"].([]any)
		g.at("nodes", from)["children"] = append(kids, next)
		chain, from = append(chain, next), next
	}
	return chain
}

func joints(chain []int) (out []any) {
	for _, n := range chain {
		out = append(out, obj{"node": n})
	}
	return out
}

// What swings costs in every frame: equal colliders count once, and beyond the bounds hair is stiff or passes through.
func TestSpringCost(t *testing.T) {
	one := func(joint, colliders int, radius func(i int) float64) *Model {
		return mustLoad(t, vrm1(func(g *glb, _ obj, at map[string]int) {
			var shapes, numbers []any
			for i := range colliders {
				shapes = append(shapes, obj{"node": 0, "shape": obj{"capsule": obj{"radius": radius(i), "tail": []float64{0, 1, 0}}}})
				numbers = append(numbers, i)
			}
			g.ext("VRMC_springBone", obj{"colliders": shapes, "colliderGroups": []any{obj{"colliders": numbers}, obj{"colliders": numbers}},
				"springs": []any{obj{"joints": joints(g.tail(at["head"], joint)), "colliderGroups": []any{0, 1}}}})
		}))
	}
	if m := one(1000, 1000, func(int) float64 { return .1 }); len(m.Springs) != 1 || len(m.Springs[0].Colliders) != 1 || len(m.Warnings) != 0 {
		t.Errorf("equal colliders: %d springs, warnings %q", len(m.Springs), m.Warnings)
	}
	if m := one(1000, 1000, func(i int) float64 { return .001 * float64(i) }); len(m.Springs) != 1 || len(m.Springs[0].Colliders) != 0 || !strings.Contains(strings.Join(m.Warnings, " "), "pairs of joint and collider") {
		t.Errorf("a million pairs: %d springs, %d colliders, warnings %q", len(m.Springs), len(m.Springs[0].Colliders), m.Warnings)
	}
	if m := one(5000, 1, func(int) float64 { return .1 }); len(m.Springs) != 0 || !strings.Contains(strings.Join(m.Warnings, " "), "stay stiff") {
		t.Errorf("5000 nodes: %d springs, warnings %q", len(m.Springs), m.Warnings)
	}
	old := mustLoad(t, vrm0(func(g *glb, vrm obj, at map[string]int) {
		chain := g.tail(at["head"], 500)
		var list []any
		for range 1000 {
			list = append(list, obj{"radius": .1})
		}
		vrm["secondaryAnimation"] = obj{"boneGroups": []any{obj{"bones": []any{chain[1]}, "colliderGroups": []any{0}}}, "colliderGroups": []any{obj{"node": 0, "colliders": list}}}
	}))
	if len(old.Springs) != 1 || len(old.Springs[0].Colliders) != 1 {
		t.Errorf("0.x: %d springs", len(old.Springs))
	}
}

// Parts are counted where they are shown, and faces that lie over one another are bounded.
func TestPartCost(t *testing.T) {
	refused(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
		mesh, _ := g.triangle()
		for range maxParts {
			g.add("nodes", obj{"mesh": mesh})
		}
	}), "2001 parts", "2000")
	refused(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
		mesh, _ := g.triangle()
		prims := g.at("meshes", mesh)
		for range maxParts {
			prims["primitives"] = append(prims["primitives"].([]any), prims["primitives"].([]any)[0])
		}
	}), "2001 parts")
	refused(t, vrm1(func(g *glb, _ obj, _ map[string]int) {
		mesh, _ := g.triangle()
		var index []uint16
		for range 3000 {
			index = append(index, 0, 1, 2)
		}
		g.at("meshes", mesh)["primitives"].([]any)[0].(obj)["indices"] = g.shorts("SCALAR", index...)
	}), "over one another")
}
