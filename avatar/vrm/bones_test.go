package vrm

import "testing"

// The names of VRM 1.0 and the constants agree.
func TestBoneNames(t *testing.T) {
	for b, name := range map[Bone]string{Hips: "hips", UpperChest: "upperChest", Head: "head", RightEye: "rightEye", Jaw: "jaw", LeftUpperLeg: "leftUpperLeg",
		RightToes: "rightToes", LeftShoulder: "leftShoulder", LeftHand: "leftHand", RightUpperArm: "rightUpperArm", RightHand: "rightHand", BoneCount - 1: "rightLittleDistal"} {
		if b.String() != name {
			t.Errorf("bone %d is %s, want %s", b, b, name)
		}
	}
	seen := map[string]bool{}
	for b := Bone(0); b < BoneCount; b++ {
		if got, ok := ParseBone(b.String()); !ok || got != b || seen[b.String()] {
			t.Errorf("bone %d %s is parsed as %d", b, b, got)
		}
		seen[b.String()] = true
	}
	if _, ok := ParseBone("tail"); ok || Bone(-1).String() != "none" || BoneCount.String() != "none" {
		t.Error("bones that do not exist have names")
	}
}
