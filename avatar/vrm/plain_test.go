package vrm

import (
	"math"
	"strings"
	"testing"

	"yui/avatar/vrm/geom"
)

// names of the test skeleton's bones in the usual programs, in the order of skeleton.
var rigs = map[string][]string{
	"Mixamo": {"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Head", "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand", "mixamorig:RightArm", "mixamorig:RightForeArm", "mixamorig:RightHand",
		"mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot", "mixamorig:RightUpLeg", "mixamorig:RightLeg", "mixamorig:RightFoot"},
	"Unreal": {"pelvis", "spine_01", "head", "upperarm_l", "lowerarm_l", "hand_l", "upperarm_r", "lowerarm_r", "hand_r", "thigh_l", "calf_l", "foot_l", "thigh_r", "calf_r", "foot_r"},
	"Biped": {"Bip01 Pelvis", "Bip01 Spine", "Bip01 Head", "Bip01 L UpperArm", "Bip01 L Forearm", "Bip01 L Hand", "Bip01 R UpperArm", "Bip01 R Forearm", "Bip01 R Hand",
		"Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot", "Bip01 R Thigh", "Bip01 R Calf", "Bip01 R Foot"},
	"VRoid": {"J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Head", "J_Bip_L_UpperArm", "J_Bip_L_LowerArm", "J_Bip_L_Hand", "J_Bip_R_UpperArm", "J_Bip_R_LowerArm", "J_Bip_R_Hand",
		"J_Bip_L_UpperLeg", "J_Bip_L_LowerLeg", "J_Bip_L_Foot", "J_Bip_R_UpperLeg", "J_Bip_R_LowerLeg", "J_Bip_R_Foot"},
	"Blender": {"hips", "spine", "head", "upper_arm.L", "forearm.L", "hand.L", "upper_arm.R", "forearm.R", "hand.R", "thigh.L", "shin.L", "foot.L", "thigh.R", "shin.R", "foot.R"},
	"numbers": {"torso_joint_1", "torso_joint_2", "neck_joint_2", "arm_joint_L_1", "arm_joint_L_2", "arm_joint_L_3", "arm_joint_R_1", "arm_joint_R_2", "arm_joint_R_3",
		"leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "leg_joint_R_1", "leg_joint_R_2", "leg_joint_R_3"},
	"VRM": {"hips", "spine", "head", "leftUpperArm", "leftLowerArm", "leftHand", "rightUpperArm", "rightLowerArm", "rightHand", "leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot"},
}

func TestPlainHumanoids(t *testing.T) {
	for rig, names := range rigs {
		g := newGLB()
		i := 0
		at := g.bones(func(string) string { i++; return names[i-1] })
		if rig == "numbers" {
			g.add("nodes", obj{"name": "neck_joint_1"})
		}
		m, err := read(g.bytes())
		if err != nil {
			t.Errorf("%s: %v", rig, err)
			continue
		}
		if m.Version != "" {
			t.Errorf("%s: version %q", rig, m.Version)
		}
		for bone, node := range at {
			if b, _ := ParseBone(bone); m.Humanoid[b] != node {
				t.Errorf("%s: %s is node %d, want %q", rig, bone, m.Humanoid[b], m.Nodes[node].Name)
			}
		}
	}
}

func TestPlainFingers(t *testing.T) {
	for name, want := range map[string]string{
		"mixamorig:LeftHandThumb1": "leftThumbMetacarpal", "mixamorig:RightHandPinky3": "rightLittleDistal", "index_02_l": "leftIndexIntermediate",
		"J_Bip_R_Ring1": "rightRingProximal", "f_middle.03.L": "leftMiddleDistal", "mixamorig:LeftHandIndex4": "", "LeftHandThumb": "",
	} {
		p := parsePlain(name)
		b, ok := plainBone(p, 0, nil)
		if got := b.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%s is %s (%v), want %q", name, got, ok, want)
		}
	}
}

// Left and right tell where a plain model looks; it is turned to look along +z.
func TestFront(t *testing.T) {
	for quarters := range 4 {
		turn := geom.AxisAngle(geom.Vec3{0, 1, 0}, float32(quarters)*math.Pi/2)
		g := newGLB()
		at := g.bones(same)
		for _, n := range at {
			n := g.at("nodes", n)
			p := turn.Rotate(geom.Vec3(n["translation"].([]float32)))
			n["translation"] = p[:]
		}
		m := mustLoad(t, g.bytes())
		for _, j := range skeleton {
			b, _ := ParseBone(j.name)
			if got := m.Rest[m.Humanoid[b]].Pos(); got.Sub(geom.Vec3{j.x, j.y, j.z}).Len() > 1e-4 {
				t.Errorf("turned by %d quarters %s lies at %v", quarters, j.name, got)
			}
		}
	}
}

// A rigid part beside the joints may have a bone's name; a name that says hips comes before the torso.
func TestParts(t *testing.T) {
	part := func(g *glb, name, below string, at map[string]int) {
		_, node := g.triangle()
		g.at("nodes", node)["name"] = name
		body := g.add("nodes", obj{"name": "Body", "children": []any{node, at["hips"]}})
		g.js["scenes"] = []any{obj{"nodes": []any{body}}}
	}
	for _, c := range []struct{ name, spine string }{{"Torso", "torso"}, {"Torso", "spine"}, {"Hips", "spine"}, {"Head", "spine"}, {"Pelvis", "spine"}, {"Spine", "spine"}} {
		g := newGLB()
		at := g.bones(func(bone string) string {
			if bone == "spine" {
				return c.spine
			}
			return bone
		})
		part(g, c.name, "", at)
		m, err := read(g.bytes())
		if err != nil {
			t.Errorf("a part %q beside the joints: %v", c.name, err)
			continue
		}
		for _, b := range []string{"hips", "head"} {
			if bone, _ := ParseBone(b); m.Humanoid[bone] != at[b] {
				t.Errorf("a part %q beside the joints: %s is %q", c.name, b, m.Nodes[m.Humanoid[bone]].Name)
			}
		}
	}
}

// A plain model whose arms hang gets them stretched out, for the motions start from a T.
func TestStraighten(t *testing.T) {
	g := newGLB()
	at := g.bones(same)
	down := geom.AxisAngle(geom.Vec3{0, 0, 1}, -math.Pi/4)
	g.at("nodes", at["leftUpperArm"])["rotation"] = down[:]
	bent := geom.AxisAngle(geom.Vec3{0, 1, 0}, 0.5)
	g.at("nodes", at["rightLowerArm"])["rotation"] = bent[:]
	m := mustLoad(t, g.bytes())
	for _, j := range skeleton {
		b, _ := ParseBone(j.name)
		if got := m.Rest[m.Humanoid[b]].Pos(); got.Sub(geom.Vec3{j.x, j.y, j.z}).Len() > 1e-4 && !strings.HasSuffix(j.name, "Hand") {
			t.Errorf("%s lies at %v", j.name, got)
		}
	}
	if y := m.Rest[m.Humanoid[LeftHand]].Pos()[1]; !near(y, 1.2) {
		t.Errorf("the left hand lies at y %g", y)
	}
}

func TestPlainFaces(t *testing.T) {
	g := newGLB()
	g.bones(same)
	g.triangle("Blink", "mouthOpen", "nose big", "Happy")
	m := mustLoad(t, g.bytes())
	if len(m.Expressions) != 3 || m.Find("blink") < 0 || m.Find("aa") < 0 || m.Expressions[m.Find("happy")].Morphs[0].Target != 3 {
		t.Errorf("expressions %+v", m.Expressions)
	}
	if m.Meshes[0].Primitives[0].Targets[2].Positions != nil {
		t.Error("the target that nothing moves has data")
	}
}

// A prop has no bones, keeps every morph target, and its extras.
func TestProp(t *testing.T) {
	g := newGLB()
	_, node := g.triangle("folded")
	g.at("nodes", node)["translation"] = []float32{0, 0.5, 0}
	g.js["extras"] = obj{"yui": obj{"kind": "bed"}}
	m := mustProp(t, g)
	for b, n := range m.Humanoid {
		if n != -1 {
			t.Errorf("bone %s is node %d", Bone(b), n)
		}
	}
	if string(m.Extras) != `{"kind":"bed"}` || m.Min != (geom.Vec3{0, 0.5, 0}) || m.Max != (geom.Vec3{1, 1.5, 0}) || m.Meshes[0].Primitives[0].Targets[0].Positions == nil {
		t.Errorf("extras %s, %v to %v", m.Extras, m.Min, m.Max)
	}
	if _, err := LoadProp([]byte("no")); err == nil {
		t.Error("no error")
	}
}
