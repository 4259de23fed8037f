package vrm

import (
	"math"
	"slices"
	"testing"

	"yui/avatar/vrm/geom"
)

// A 0.x model, which looks to -z in its file, is turned on loading, node by node, bind by bind, vertex by vertex.
func TestVRM0FacesForward(t *testing.T) {
	m := mustLoad(t, oldCharacter())
	one := mustLoad(t, fullCharacter())
	for _, j := range skeleton {
		b, _ := ParseBone(j.name)
		got, want := m.Rest[m.Humanoid[b]].Pos(), one.Rest[one.Humanoid[b]].Pos()
		if got.Sub(want).Len() > 1e-5 {
			t.Errorf("%s lies at %v, want %v as in 1.0", j.name, got, want)
		}
		if m.Nodes[m.Humanoid[b]].Rotation != geom.Ident {
			t.Errorf("%s is turned by %v in the rest pose", j.name, m.Nodes[m.Humanoid[b]].Rotation)
		}
	}
	if p := m.Meshes[0].Primitives[0].Positions[1]; p != (geom.Vec3{-1, 0, 0}) {
		t.Errorf("a vertex at 1 0 0 of the file lies at %v", p)
	}
	if d := m.Meshes[0].Primitives[0].Targets[0].Positions[0]; d != (geom.Vec3{-1, 0, 0}) {
		t.Errorf("a morph by 1 0 0 moves %v", d)
	}
	// What the skin does to a vertex must be what it does in the file, turned.
	bind := m.Skins[0].InverseBind[0]
	got := m.Rest[m.Skins[0].Joints[0]].Mul(bind).Point(geom.Vec3{-1, 0, 0})
	want := turnPoint(geom.Vec3{0.5 + 1, 0, 0.25}) // head at y 1.3 in the file, bind moves by 0.5 -1.3 0.25
	if got.Sub(want).Len() > 1e-5 {
		t.Errorf("the skinned vertex lies at %v, want %v", got, want)
	}
}

func TestTurnedRotation(t *testing.T) {
	q := geom.Euler(0.3, -0.8, 1.2)
	turn := geom.AxisAngle(geom.Vec3{0, 1, 0}, math.Pi)
	want := turn.Mul(q).Mul(turn.Inv())
	if got := turnQuat(q); got.Dot(want) < 1-1e-5 && got.Dot(want) > -1+1e-5 {
		t.Errorf("turned %v, want %v", got, want)
	}
	r := geom.TRS(geom.Vec3{}, turn, geom.Vec3{1, 1, 1})
	a := geom.TRS(geom.Vec3{1, 2, 3}, q, geom.Vec3{1, 2, 3})
	b, c := turnMat(a), r.Mul(a).Mul(r)
	for i := range b {
		if math.Abs(float64(b[i]-c[i])) > 1e-5 {
			t.Fatalf("matrix turned to %v, want %v", b, c)
		}
	}
}

func TestVRM0Faces(t *testing.T) {
	m := mustLoad(t, oldCharacter())
	var names []string
	for _, e := range m.Expressions {
		names = append(names, e.Name)
		if e.Preset != (e.Name != "笑い") {
			t.Errorf("%s: preset %v", e.Name, e.Preset)
		}
	}
	if !slices.Equal(names, []string{"happy", "surprised", "aa", "blinkLeft", "笑い"}) {
		t.Fatalf("expressions %q", names)
	}
	aa, happy := m.Expressions[2], m.Expressions[0]
	if len(aa.Morphs) != 1 || aa.Morphs[0].Weight != 0.5 || aa.Morphs[0].Target != 0 || m.Nodes[aa.Morphs[0].Node].Mesh != 0 {
		t.Errorf("aa %+v", aa)
	}
	if !happy.Binary || len(happy.Morphs) != 1 || len(happy.Colors) != 2 || len(happy.UVs) != 1 {
		t.Fatalf("happy %+v", happy)
	}
	if c := happy.Colors[0]; c.Type != "color" || !near(c.Target[0], 0.2140411) {
		t.Errorf("colour %+v is not linear", c)
	}
	if c := happy.Colors[1]; c.Type != "emissionColor" || c.Target[0] != 0.5 {
		t.Errorf("emission %+v is linear in the file already", c)
	}
	if u := happy.UVs[0]; u.Scale != [2]float32{1, 0.5} || u.Offset != [2]float32{0.25, 0.25} {
		t.Errorf("texture moves by %+v", u)
	}
	// Names in any script stay; a target that nothing moves keeps its place but no data.
	targets := m.Meshes[0].Primitives[0].Targets
	if len(targets) != 3 || targets[0].Name != "あ" || targets[1].Name != "smile / 笑い" || targets[1].Positions == nil || targets[2].Positions != nil {
		t.Errorf("targets %+v", targets)
	}
}

func TestVRM0LookAt(t *testing.T) {
	l := mustLoad(t, oldCharacter()).LookAt
	if l.Type != "expression" || l.HorizInner != (RangeMap{90, 8}) || l.HorizOuter != (RangeMap{90, 1}) || l.Up != (RangeMap{60, 1}) {
		t.Errorf("look at %+v", l)
	}
	if l.Offset != (geom.Vec3{-0.01, 0.06, 0.1}) {
		t.Errorf("the eyes lie at %v, want before the head", l.Offset)
	}
}

func TestVRM0Springs(t *testing.T) {
	m := mustLoad(t, oldCharacter())
	if len(m.Springs) != 2 {
		t.Fatalf("%d springs, want the chain and its branch: %+v", len(m.Springs), m.Springs)
	}
	names := func(s Spring) (out []string) {
		for _, j := range s.Joints {
			out = append(out, m.Nodes[j.Node].Name)
		}
		return out
	}
	if a, b := names(m.Springs[0]), names(m.Springs[1]); !slices.Equal(a, []string{"hair", "hairA"}) || !slices.Equal(b, []string{"hairB"}) {
		t.Errorf("chains %q %q", a, b)
	}
	j := m.Springs[0].Joints
	if j[0].VirtualTail || !j[1].VirtualTail || !m.Springs[1].Joints[0].VirtualTail {
		t.Error("the leaves, and only they, swing a tail of their own")
	}
	if j[0].Stiffness != 2.5 || j[0].Drag != 0.4 || j[0].HitRadius != 0.02 || j[0].GravityPower != 0.5 || j[0].GravityDir != (geom.Vec3{-0.6, -0.8, 0}) {
		t.Errorf("joint %+v", j[0])
	}
	if c := m.Springs[1].Colliders; len(c) != 1 || c[0].Offset != (geom.Vec3{-0.1, 0.2, 0.3}) || c[0].Radius != 0.15 || m.Springs[0].Center != -1 {
		t.Errorf("colliders %+v", c)
	}
}

// The thumbs of 0.x are named one joint further out.
func TestVRM0Thumbs(t *testing.T) {
	m := mustLoad(t, vrm0(func(g *glb, v obj, at map[string]int) {
		h := v["humanoid"].(obj)
		for _, n := range []string{"leftThumbProximal", "leftThumbIntermediate", "leftThumbDistal"} {
			h["humanBones"] = append(h["humanBones"].([]any), obj{"bone": n, "node": g.add("nodes", obj{"name": n})})
		}
	}))
	for old, now := range map[string]string{"leftThumbProximal": "leftThumbMetacarpal", "leftThumbIntermediate": "leftThumbProximal", "leftThumbDistal": "leftThumbDistal"} {
		b, _ := ParseBone(now)
		if n := m.Humanoid[b]; n < 0 || m.Nodes[n].Name != old {
			t.Errorf("%s is node %d, want the one of %s", now, n, old)
		}
	}
}

func TestMToon0(t *testing.T) {
	m := mustLoad(t, oldCharacter())
	a := m.Materials[0]
	half := linear(0.5)
	if a.Kind != MToon || a.Alpha != Blend || a.DepthWrite || !a.DoubleSided || a.QueueOffset != 0 {
		t.Errorf("kind %v alpha %v depth %v sides %v queue %d", a.Kind, a.Alpha, a.DepthWrite, a.DoubleSided, a.QueueOffset)
	}
	if !near(a.Color[0], half) || a.Color[1] != 1 || !near(a.Color[3], 0.9) || !near(a.Shade[0], half) || a.Emissive[0] != 0.5 || !near(a.Rim[0], half) || !near(a.OutlineColor[0], half) {
		t.Errorf("colours %v %v %v %v %v", a.Color, a.Shade, a.Emissive, a.Rim, a.OutlineColor)
	}
	// 0.x shades from shift to lerp(1, shift, toony): -0.5 to -0.2; 1.0 from -1+toony to 1-toony about minus the shift.
	low, high := -a.ShadingShift-(1-a.ShadingToony), -a.ShadingShift+(1-a.ShadingToony)
	if !near(low, -0.5) || !near(high, -0.2) {
		t.Errorf("shade begins at %g and ends at %g, want -0.5 and -0.2", low, high)
	}
	if !near(a.GIEqual, 0.75) || a.NormalScale != 0.5 || a.RimMix != 0.5 || a.RimFresnel != 2 || !near(a.RimLift, 0.1) || !near(a.Cutoff, 0.4) {
		t.Errorf("numbers %+v", a)
	}
	if a.Outline != OutlineScreen || !near(a.OutlineWidth, 0.0025) || a.OutlineMix != 0.75 {
		t.Errorf("outline %v %g %g", a.Outline, a.OutlineWidth, a.OutlineMix)
	}
	if !near(a.UVScroll[0], 0.1) || !near(a.UVScroll[1], -0.2) || !near(a.UVRotate, math.Pi) {
		t.Errorf("uv moves %v %g", a.UVScroll, a.UVRotate)
	}
	if a.ColorTex.Offset != [2]float32{0.25, 0.375} || a.ColorTex.Scale != [2]float32{0.5, 0.5} {
		t.Errorf("texture transform %+v", a.ColorTex)
	}
	white := m.Textures[a.MatcapTex.Index].Image.Pix[0] == 255
	black := m.Textures[a.ColorTex.Index].Image.Pix[0] == 0
	if !white || !black || a.Matcap != [3]float32{1, 1, 1} || a.ShadeTex.Index != -1 {
		t.Errorf("textures: matcap white %v, colour black %v", white, black)
	}
}

func TestMToon0Queues(t *testing.T) {
	mat := func(mode, queue int) obj {
		return obj{"shader": "VRM/MToon", "renderQueue": queue, "floatProperties": obj{"_BlendMode": mode}}
	}
	m := mustLoad(t, vrm0(func(g *glb, v obj, _ map[string]int) {
		for range 6 {
			g.add("materials", obj{})
		}
		v["materialProperties"] = []any{mat(2, 3000), mat(2, 2990), mat(3, 2502), mat(3, 2501), mat(0, 2000), obj{"shader": "VRM/UnlitTransparentZWrite", "renderQueue": 2600}}
	}))
	want := []struct {
		alpha  AlphaMode
		depth  bool
		offset int
		kind   ShadeKind
	}{{Blend, false, 0, MToon}, {Blend, false, -1, MToon}, {Blend, true, 1, MToon}, {Blend, true, 0, MToon}, {Opaque, true, 0, MToon}, {Blend, true, 2, Unlit}}
	for i, w := range want {
		if a := m.Materials[i]; a.Alpha != w.alpha || a.DepthWrite != w.depth || a.QueueOffset != w.offset || a.Kind != w.kind {
			t.Errorf("material %d: alpha %v depth %v offset %d kind %v, want %+v", i, a.Alpha, a.DepthWrite, a.QueueOffset, a.Kind, w)
		}
	}
}
