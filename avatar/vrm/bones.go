package vrm

var boneNames = [BoneCount]string{
	"hips", "spine", "chest", "upperChest", "neck", "head", "leftEye", "rightEye", "jaw",
	"leftUpperLeg", "leftLowerLeg", "leftFoot", "leftToes",
	"rightUpperLeg", "rightLowerLeg", "rightFoot", "rightToes",
	"leftShoulder", "leftUpperArm", "leftLowerArm", "leftHand",
	"rightShoulder", "rightUpperArm", "rightLowerArm", "rightHand",
	"leftThumbMetacarpal", "leftThumbProximal", "leftThumbDistal",
	"leftIndexProximal", "leftIndexIntermediate", "leftIndexDistal",
	"leftMiddleProximal", "leftMiddleIntermediate", "leftMiddleDistal",
	"leftRingProximal", "leftRingIntermediate", "leftRingDistal",
	"leftLittleProximal", "leftLittleIntermediate", "leftLittleDistal",
	"rightThumbMetacarpal", "rightThumbProximal", "rightThumbDistal",
	"rightIndexProximal", "rightIndexIntermediate", "rightIndexDistal",
	"rightMiddleProximal", "rightMiddleIntermediate", "rightMiddleDistal",
	"rightRingProximal", "rightRingIntermediate", "rightRingDistal",
	"rightLittleProximal", "rightLittleIntermediate", "rightLittleDistal",
}

var boneByName = func() map[string]Bone {
	m := make(map[string]Bone, BoneCount)
	for i, n := range boneNames {
		m[n] = Bone(i)
	}
	return m
}()

// String returns the VRM 1.0 name of the bone.
func (b Bone) String() string {
	if b < 0 || b >= BoneCount {
		return "none"
	}
	return boneNames[b]
}

// ParseBone finds a bone by its VRM 1.0 name.
func ParseBone(name string) (Bone, bool) { b, ok := boneByName[name]; return b, ok }
