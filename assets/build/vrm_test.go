package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// vrmExtension is what the tests want to know of VRMC_vrm.
type vrmExtension struct {
	SpecVersion string
	Meta        struct {
		Name, LicenseURL string
		Authors          []string
	}
	Humanoid struct {
		HumanBones map[string]struct{ Node int }
	}
	LookAt      struct{ Type string }
	Expressions struct {
		Preset, Custom map[string]vrmExpression
	}
}

type vrmExpression struct {
	OverrideBlink, OverrideLookAt, OverrideMouth string
	MorphTargetBinds                             []struct{ Node, Index int }
	TextureTransformBinds                        []struct {
		Material int
		Offset   [2]float64
	}
	MaterialColorBinds []struct{ Material int }
}

func readCharacter(t *testing.T, id string) (*glb, vrmExtension) {
	t.Helper()
	for _, f := range files(t) {
		if f.name != "characters/"+id+".vrm" {
			continue
		}
		g, err := parseGLB(f.data)
		if err != nil {
			t.Fatal(err)
		}
		var x vrmExtension
		b, _ := json.Marshal(g.Extensions["VRMC_vrm"])
		if err := json.Unmarshal(b, &x); err != nil {
			t.Fatal(err)
		}
		return g, x
	}
	t.Fatalf("no character %s", id)
	return nil, vrmExtension{}
}

func ids() []string { return []string{"yui", "momo", "sora"} }

func TestCharactersAreWholeHumanoids(t *testing.T) {
	required := strings.Fields("hips spine head leftUpperLeg leftLowerLeg leftFoot rightUpperLeg rightLowerLeg rightFoot " +
		"leftUpperArm leftLowerArm leftHand rightUpperArm rightLowerArm rightHand chest neck")
	for _, id := range ids() {
		g, x := readCharacter(t, id)
		if x.SpecVersion != "1.0" || x.Meta.Name == "" || len(x.Meta.Authors) == 0 || x.Meta.LicenseURL == "" || x.LookAt.Type != "expression" {
			t.Errorf("%s: %+v", id, x)
		}
		world := g.restPositions()
		for _, b := range required {
			bone, ok := x.Humanoid.HumanBones[b]
			if !ok {
				t.Errorf("%s has no %s", id, b)
				continue
			}
			if at := world[bone.Node]; strings.HasPrefix(b, "left") != (at[0] > 0) && at[0] != 0 {
				t.Errorf("%s: %s is at x %v", id, b, at[0])
			}
		}
		extras := g.Extras.(map[string]any)["yui"].(map[string]any)
		if extras["unit"] != 1.0 || extras["seatDrop"] != 0.087 {
			t.Errorf("%s: extras %v", id, extras)
		}
		if y := world[x.Humanoid.HumanBones["hips"].Node][1]; math.Abs(y-0.205) > 1e-6 {
			t.Errorf("%s: hips at %v", id, y)
		}
	}
}

func (g *glb) restPositions() []vec {
	out := make([]vec, len(g.Nodes))
	var walk func(i int, at vec)
	walk = func(i int, at vec) {
		if tr := g.Nodes[i].Translation; tr != nil {
			at = at.add(vec{float64(tr[0]), float64(tr[1]), float64(tr[2])})
		}
		out[i] = at
		for _, c := range g.Nodes[i].Children {
			walk(c, at)
		}
	}
	for _, r := range g.Scenes[0].Nodes {
		walk(r, vec{})
	}
	return out
}

// Every expression is there, moves something that exists, and blocks the blink if it moves the eyes.
func TestExpressions(t *testing.T) {
	presets := strings.Fields("happy angry sad relaxed surprised blink blinkLeft blinkRight aa ih ou ee oh lookUp lookDown lookLeft lookRight neutral")
	customs := strings.Fields("ex_sleepy ex_thinking ex_curious ex_blush ex_smile")
	for _, id := range ids() {
		g, x := readCharacter(t, id)
		if len(x.Expressions.Preset) != len(presets) || len(x.Expressions.Custom) != len(customs) {
			t.Errorf("%s: %d presets and %d customs", id, len(x.Expressions.Preset), len(x.Expressions.Custom))
		}
		check := func(name string, e vrmExpression, ok bool) {
			if !ok {
				t.Errorf("%s has no %s", id, name)
				return
			}
			if name != "neutral" && len(e.MorphTargetBinds)+len(e.TextureTransformBinds)+len(e.MaterialColorBinds) == 0 {
				t.Errorf("%s: %s moves nothing", id, name)
			}
			eyes := false
			for _, b := range e.MorphTargetBinds {
				face := g.Meshes[*g.Nodes[b.Node].Mesh]
				if b.Index >= len(face.Weights) {
					t.Fatalf("%s: %s binds target %d", id, name, b.Index)
				}
				moved := 0
				for _, p := range face.Primitives {
					n := g.moved(t, p.Targets[b.Index]["POSITION"])
					moved += n
					eyes = eyes || n > 0 && g.Materials[p.Material].Name == "eye"
				}
				if moved == 0 {
					t.Errorf("%s: target %d of %s is empty", id, b.Index, name)
				}
			}
			blinks := strings.HasPrefix(name, "blink")
			if eyes != (e.OverrideBlink == "block") && !blinks {
				t.Errorf("%s: %s moves the eyes: %v, overrideBlink %q", id, name, eyes, e.OverrideBlink)
			}
			for _, b := range e.TextureTransformBinds {
				if g.Materials[b.Material].Name != "eye" {
					t.Errorf("%s: %s moves the picture of %s", id, name, g.Materials[b.Material].Name)
				}
			}
			for _, b := range e.MaterialColorBinds {
				if m := g.Materials[b.Material]; m.Name != "blush" || m.AlphaMode != "BLEND" {
					t.Errorf("%s: %s colours %s (%s)", id, name, m.Name, m.AlphaMode)
				}
			}
		}
		for _, n := range presets {
			e, ok := x.Expressions.Preset[n]
			check(n, e, ok)
		}
		for _, n := range customs {
			e, ok := x.Expressions.Custom[n]
			check(n, e, ok)
		}
		if m := x.Expressions.Preset["happy"].OverrideMouth; m != "none" {
			t.Errorf("%s: happy has overrideMouth %s", id, m)
		}
	}
}

func (g *glb) moved(t *testing.T, accessor int) int {
	n := 0
	for _, d := range g.values(t, accessor) {
		if d[0] != 0 || d[1] != 0 || d[2] != 0 {
			n++
		}
	}
	return n
}

func TestSprings(t *testing.T) {
	want := map[string]int{"yui": 4, "momo": 11, "sora": 5}
	for _, id := range ids() {
		g, _ := readCharacter(t, id)
		var x struct {
			Colliders      []struct{ Node int }
			ColliderGroups []struct{ Colliders []int }
			Springs        []struct {
				Name           string
				Joints         []struct{ Node int }
				ColliderGroups []int
			}
		}
		b, _ := json.Marshal(g.Extensions["VRMC_springBone"])
		if err := json.Unmarshal(b, &x); err != nil {
			t.Fatal(err)
		}
		if len(x.Springs) != want[id] {
			t.Errorf("%s has %d springs", id, len(x.Springs))
		}
		for _, s := range x.Springs {
			for i, j := range s.Joints {
				if i > 0 && !contains(g.Nodes[s.Joints[i-1].Node].Children, j.Node) {
					t.Errorf("%s: spring %s is broken at joint %d", id, s.Name, i)
				}
			}
			if last := g.Nodes[s.Joints[len(s.Joints)-1].Node]; !strings.HasSuffix(last.Name, "End") {
				t.Errorf("%s: spring %s ends in %s", id, s.Name, last.Name)
			}
			if len(s.ColliderGroups) > 1 {
				t.Errorf("%s: spring %s meets %d groups", id, s.Name, len(s.ColliderGroups))
			}
		}
	}
}

// The pet must stay cheap to draw: the study's counts are the ceiling, a few cut triangles more for closed borders.
func TestTriangleCounts(t *testing.T) {
	most := map[string]int{"yui": 14700, "momo": 13750, "sora": 14700}
	for _, id := range ids() {
		g, _ := readCharacter(t, id)
		n, primitives := 0, 0
		for _, m := range g.Meshes {
			for _, p := range m.Primitives {
				n += g.Accessors[p.Indices].Count / 3
				primitives++
			}
		}
		if n > most[id] || primitives > 7 {
			t.Errorf("%s has %d triangles in %d primitives", id, n, primitives)
		}
	}
}
