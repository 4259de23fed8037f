package vrm

import (
	"slices"
	"strings"
	"testing"

	"yui/avatar/vrm/geom"
)

func TestVRM1Whole(t *testing.T) {
	m := mustLoad(t, fullCharacter())
	if m.Version != "1.0" || m.Meta.Name != "Test" || !slices.Equal(m.Meta.Authors, []string{"us"}) || len(m.Warnings) > 0 {
		t.Errorf("version %q meta %+v warnings %q", m.Version, m.Meta, m.Warnings)
	}
	if string(m.Extras) != `{"seatDrop":0.087,"unit":1}` {
		t.Errorf("extras %s", m.Extras)
	}
	if n := m.Humanoid[LeftHand]; n < 0 || m.Nodes[n].Name != "leftHand" || m.Rest[n].Pos()[0] < 0.5 {
		t.Errorf("left hand is node %d", n)
	}
	if m.Humanoid[Chest] != -1 || m.Humanoid[LeftEye] != -1 {
		t.Error("bones that are not there have a node")
	}
	var names []string
	for _, e := range m.Expressions {
		names = append(names, e.Name)
	}
	if !slices.Equal(names, []string{"happy", "lookLeft", "neutral", "ex_wink"}) {
		t.Fatalf("expressions %q", names)
	}
	happy := m.Expressions[0]
	if !happy.Preset || !happy.Binary || happy.Blink != OverrideBlock || happy.MouthPolicy != OverrideBlend || happy.LookAt != OverrideNone {
		t.Errorf("happy %+v", happy)
	}
	if b := happy.Morphs; len(b) != 1 || m.Nodes[b[0].Node].Name != "shown" || b[0].Target != 0 || b[0].Weight != 0.8 {
		t.Errorf("happy morphs %+v", b)
	}
	if c := happy.Colors; len(c) != 1 || c[0].Type != "shadeColor" || c[0].Target != [4]float32{1, 0, 0, 1} {
		t.Errorf("happy colours %+v", c)
	}
	if u := m.Expressions[1].UVs; len(u) != 1 || u[0].Offset != [2]float32{0.1, 0} || u[0].Scale != [2]float32{1, 1} {
		t.Errorf("lookLeft %+v", u)
	}
	l := m.LookAt
	if l.Type != "expression" || l.HorizInner != (RangeMap{30, 1}) || l.HorizOuter != (RangeMap{90, 1}) || l.Up.InMax <= 0 || l.Up.OutScale != 0.5 || l.Offset != (geom.Vec3{0, 0.06, 0.02}) {
		t.Errorf("look at %+v", l)
	}
	if c := m.Constraints; len(c) != 1 || c[0].Kind != "roll" || c[0].Weight != 0.5 || c[0].Axis != (geom.Vec3{1, 0, 0}) || m.Nodes[c[0].Source].Name != "leftHand" {
		t.Errorf("constraints %+v", c)
	}
}

// Eyes are moved by bones or by expressions, as the file says, with the defaults of each.
func TestLookAtTypes(t *testing.T) {
	for kind, out := range map[string]float32{"bone": 10, "expression": 1} {
		m := mustLoad(t, vrm1(func(_ *glb, v obj, _ map[string]int) { v["lookAt"] = obj{"type": kind} }))
		if m.LookAt.Type != kind || m.LookAt.HorizOuter != (RangeMap{90, out}) || m.LookAt.Dn != (RangeMap{90, out}) {
			t.Errorf("%s: %+v", kind, m.LookAt)
		}
	}
	if m := mustLoad(t, vrm1(nil)); m.LookAt.Type != "" {
		t.Errorf("none: %+v", m.LookAt)
	}
}

// A model without most of its bones loads; one without hips or head is refused by name.
func TestMissingBones(t *testing.T) {
	without := func(names ...string) []byte {
		return vrm1(func(_ *glb, v obj, _ map[string]int) {
			for _, n := range names {
				delete(v["humanoid"].(obj)["humanBones"].(obj), n)
			}
		})
	}
	m := mustLoad(t, without("spine", "leftUpperArm", "leftHand", "rightFoot"))
	if m.Humanoid[Spine] != -1 || m.Humanoid[Hips] < 0 {
		t.Error("bones left out are there, or hips are not")
	}
	refused(t, without("hips"), "no hips bone", "humanoid")
	refused(t, without("hips", "head"), "no hips and no head bone")
}

func TestOddBones(t *testing.T) {
	m := mustLoad(t, vrm1(func(_ *glb, v obj, at map[string]int) {
		b := v["humanoid"].(obj)["humanBones"].(obj)
		b["leftEye"] = obj{"node": 12345}
		b["chest"] = obj{"node": at["spine"]}
		b["tail"] = obj{"node": at["spine"]}
		b["jaw"] = obj{}
	}))
	if m.Humanoid[LeftEye] != -1 || (m.Humanoid[Chest] >= 0) == (m.Humanoid[Spine] >= 0) || m.Humanoid[Jaw] != -1 {
		t.Errorf("bones %v", m.Humanoid)
	}
	for _, w := range []string{"12345", "same node", `"tail"`} {
		if !strings.Contains(strings.Join(m.Warnings, "\n"), w) {
			t.Errorf("warnings %q do not say %q", m.Warnings, w)
		}
	}
	refused(t, vrm1(func(_ *glb, v obj, at map[string]int) {
		b := v["humanoid"].(obj)["humanBones"].(obj)
		b["hips"], b["head"] = b["head"], b["hips"]
	}), "head bone does not belong")
}

// The version is known by the name of the extension, VRM or VRMC_vrm, and a plain file gets a clear message.
func TestVersions(t *testing.T) {
	if v := mustLoad(t, vrm1(nil)).Version; v != "1.0" {
		t.Errorf("VRMC_vrm is %q", v)
	}
	if v := mustLoad(t, vrm0(nil)).Version; v != "0.x" {
		t.Errorf("VRM is %q", v)
	}
	g := newGLB()
	g.triangle()
	refused(t, g.bytes(), "no hips", "humanoid character")
	both := vrm1(func(g *glb, _ obj, _ map[string]int) { g.ext("VRM", obj{"meta": obj{"title": "old"}}) })
	if m := mustLoad(t, both); m.Version != "1.0" || m.Meta.Name != "Test" {
		t.Errorf("a file with both is %q %q", m.Version, m.Meta.Name)
	}
}

// Broken corners of the extension cost themselves, not the model.
func TestLenientExtension(t *testing.T) {
	m := mustLoad(t, vrm1(func(g *glb, v obj, _ map[string]int) {
		_, node := g.triangle("a")
		v["meta"] = obj{"name": 7, "authors": "me", "version": strings.Repeat("x", 2*maxText) + "\x00"}
		v["lookAt"] = obj{"type": "telepathy", "offsetFromHeadBone": []float32{1}, "rangeMapVerticalUp": 3}
		v["expressions"] = obj{"preset": obj{
			"happy": obj{"morphTargetBinds": []any{obj{"node": node, "index": 9, "weight": 1}, obj{"node": 999, "index": 0}, obj{"node": node, "index": 0, "weight": 1}, obj{}},
				"materialColorBinds": []any{obj{"material": 3, "type": "color", "targetValue": []float32{1, 1, 1, 1}}}, "textureTransformBinds": []any{obj{"material": -1}}},
			"bogus": obj{}}, "custom": obj{"": obj{}, "happy": obj{}}}
	}))
	if len(m.Expressions) != 1 || len(m.Expressions[0].Morphs) != 1 || len(m.Expressions[0].Colors)+len(m.Expressions[0].UVs) != 0 {
		t.Errorf("expressions %+v", m.Expressions)
	}
	if len(m.Meta.Version) > maxText || m.LookAt.Type != "bone" || len(m.Warnings) == 0 {
		t.Errorf("meta %d bytes, look at %q, warnings %q", len(m.Meta.Version), m.LookAt.Type, m.Warnings)
	}
}

// Binds multiply cheaply in a file; the model keeps a bounded number.
func TestManyBinds(t *testing.T) {
	one := vrm1(func(g *glb, v obj, _ map[string]int) {
		_, node := g.triangle("a")
		list := slices.Repeat([]any{obj{"node": node, "index": 0, "weight": 1}}, 100)
		v["expressions"] = obj{"preset": obj{"happy": obj{"morphTargetBinds": list}}}
	})
	old := vrm0(func(g *glb, v obj, _ map[string]int) {
		mesh, _ := g.triangle("a")
		for range 30 {
			g.add("nodes", obj{"mesh": mesh})
			g.add("materials", obj{"name": "skin"})
		}
		v["blendShapeMaster"] = obj{"blendShapeGroups": []any{
			obj{"name": "a", "presetName": "joy", "binds": slices.Repeat([]any{obj{"mesh": mesh, "index": 0, "weight": 100}}, 30)},
			obj{"name": "b", "materialValues": slices.Repeat([]any{obj{"materialName": "skin", "propertyName": "_Color", "targetValue": []float32{1, 1, 1, 1}}}, 30)}}}
	})
	for k, data := range [][]byte{one, old} {
		f, err := open(data)
		if err != nil {
			t.Fatal(err)
		}
		f.binds = 70
		m, err := f.load(kind(k))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, e := range m.Expressions {
			n += len(e.Morphs) + len(e.Colors)
		}
		if n != 70 || len(m.Warnings) == 0 {
			t.Errorf("%s: %d binds, warnings %q", m.Version, n, m.Warnings)
		}
	}
}
