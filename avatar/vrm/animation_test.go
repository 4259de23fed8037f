package vrm

import (
	"math"
	"slices"
	"strings"
	"testing"

	"yui/avatar/vrm/geom"
)

func mustAnimation(t testing.TB, data []byte) *Animation {
	t.Helper()
	a, err := LoadAnimation(data)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAnimation(t *testing.T) {
	a := mustAnimation(t, animated(nil))
	if a.Name != "test" || a.Duration != 2 || string(a.Extras) != `{"loop":true}` || len(a.Warnings) != 0 {
		t.Errorf("%q %g s, extras %s, warnings %q", a.Name, a.Duration, a.Extras, a.Warnings)
	}
	if len(a.Bones) != 1 || a.Bones[0].Bone != LeftUpperArm {
		t.Fatalf("bones %+v", a.Bones)
	}
	b := a.Bones[0]
	if b.Rotation.Width != 4 || b.Rotation.Interp != Linear || len(b.Rotation.Times) != 3 || b.Rotation.Values[7] != 1 || !near(b.Rotation.Values[10], float32(math.Sqrt(0.5))) {
		t.Errorf("arm track %+v: rotations are made unit", b.Rotation)
	}
	local, world := geom.Quat{0.6, 0, 0, 0.8}, geom.Quat{0, 0.6, 0, 0.8}.Mul(geom.Quat{0.6, 0, 0, 0.8})
	if b.RestLocal.Dot(local) < 0.9999 || b.RestWorld.Dot(world) < 0.9999 {
		t.Errorf("rest %v %v, want %v %v", b.RestLocal, b.RestWorld, local, world)
	}
	// The root scales centimetres to metres.
	if a.RestHips.Sub(geom.Vec3{0, 0.9, 0}).Len() > 1e-5 || a.HipsMove == nil || !near(a.HipsMove.Values[4], 1) || a.HipsMove.Width != 3 {
		t.Errorf("hips rest at %v and move %+v", a.RestHips, a.HipsMove)
	}
	if len(a.Expressions) != 1 || a.Expressions[0].Name != "happy" || !slices.Equal(a.Expressions[0].Weight.Values, []float32{0, 1, 0.5}) || a.Expressions[0].Weight.Width != 1 {
		t.Errorf("expressions %+v", a.Expressions)
	}
	if a.LookAt == nil || a.LookAt.Values[5] != 1 {
		t.Errorf("look at %+v", a.LookAt)
	}
}

func TestInterpolations(t *testing.T) {
	half := float32(math.Sqrt(0.5))
	a := mustAnimation(t, animated(func(g *glb, _, anim obj) {
		s := anim["samplers"].([]any)
		s[0].(obj)["interpolation"] = "CUBICSPLINE"
		s[0].(obj)["output"] = g.floats("VEC3", slices.Concat([]float32{1, 0, 0, 0, 90, 0, 2, 0, 0}, make([]float32, 18))...)
		s[1].(obj)["interpolation"] = "CUBICSPLINE"
		s[1].(obj)["output"] = g.floats("VEC4", slices.Concat([]float32{9, 9, 9, 9, 0, 0, 3, 3, 8, 8, 8, 8}, make([]float32, 24))...)
		s[2].(obj)["interpolation"] = "STEP"
	}))
	if r := a.Bones[0].Rotation; r.Interp != Cubic || r.Values[0] != 9 || !near(r.Values[6], half) || r.Values[8] != 8 {
		t.Errorf("cubic rotation %+v: values are made unit, tangents kept", r)
	}
	if h := a.HipsMove; h.Interp != Cubic || !near(h.Values[0], 0.01) || !near(h.Values[4], 0.9) || !near(h.Values[6], 0.02) {
		t.Errorf("cubic hips %+v: tangents are scaled, not moved", h)
	}
	if a.Expressions[0].Weight.Interp != Step {
		t.Errorf("expression %+v", a.Expressions[0])
	}
}

// Integer rotations (KHR_mesh_quantization's sister rule in glTF 2.0 section 3.11) are decoded.
func TestQuantisedRotation(t *testing.T) {
	a := mustAnimation(t, animated(func(g *glb, _, anim obj) {
		anim["samplers"].([]any)[1].(obj)["output"] = g.add("accessors", obj{"bufferView": g.view(le([]int16{0, 0, 0, 32767, 0, 0, 32767, 0, 0, -32768, 0, 0})),
			"componentType": 5122, "normalized": true, "type": "VEC4", "count": 3})
	}))
	if v := a.Bones[0].Rotation.Values; v[3] != 1 || v[6] != 1 || v[9] != -1 {
		t.Errorf("values %v", v)
	}
}

func TestOddAnimations(t *testing.T) {
	a := mustAnimation(t, animated(func(g *glb, v, anim obj) {
		anim["samplers"].([]any)[1].(obj)["input"] = g.floats("SCALAR", 0.5, 0.25, float32(math.NaN()))
		bones := v["humanoid"].(obj)["humanBones"].(obj)
		bones["head"], bones["tail"] = obj{"node": 99}, obj{"node": 0}
		bones["leftEye"] = obj{"node": 4}
		ch := anim["channels"].([]any)
		anim["channels"] = append(ch, obj{"sampler": 3, "target": obj{"node": 2, "path": "rotation"}}, obj{"sampler": 99, "target": obj{"path": "weights"}}, obj{"sampler": 99, "target": obj{"node": 0, "path": "rotation"}})
	}))
	if r := a.Bones[0].Rotation; len(a.Bones) != 1 || len(r.Times) != 1 || len(r.Values) != 4 {
		t.Errorf("keys out of order leave %+v", r)
	}
	if len(a.Warnings) == 0 {
		t.Error("no warnings")
	}
}

func TestRefusedAnimations(t *testing.T) {
	sampler := func(i int, key string, v func(g *glb) any) []byte {
		return animated(func(g *glb, _, anim obj) { anim["samplers"].([]any)[i].(obj)[key] = v(g) })
	}
	for name, c := range map[string]struct {
		data  []byte
		words []string
	}{
		"a character":     {vrm1(nil), []string{"not a VRM animation"}},
		"nothing":         {nil, []string{"empty"}},
		"no animation":    {container(`{"asset":{"version":"2.0"},"extensions":{"VRMC_vrm_animation":{}}}`, nil), []string{"no animation"}},
		"few values":      {sampler(1, "output", func(g *glb) any { return g.floats("VEC4", 0, 0, 0, 1) }), []string{"track 1", "1 values for 3 keys"}},
		"wrong values":    {sampler(1, "output", func(g *glb) any { return g.floats("VEC3", 0, 0, 0) }), []string{"track 1", "VEC3"}},
		"unknown":         {sampler(0, "interpolation", func(*glb) any { return "BOUNCE" }), []string{"BOUNCE"}},
		"no such input":   {sampler(0, "input", func(*glb) any { return 400 }), []string{"accessor 400"}},
		"endless":         {sampler(0, "input", func(g *glb) any { return g.floats("SCALAR", 0, 1, 1e5) }), []string{"lasts"}},
		"no such sampler": {animated(func(_ *glb, _, anim obj) { anim["channels"].([]any)[0].(obj)["sampler"] = -1 }), []string{"sampler -1"}},
		"circle":          {animated(func(g *glb, _, _ obj) { g.at("nodes", 2)["children"] = []int{0} }), []string{"circle"}},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := LoadAnimation(c.data)
			if err == nil || a != nil {
				t.Fatalf("no error: %+v", a)
			}
			for _, w := range c.words {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
		})
	}
}
