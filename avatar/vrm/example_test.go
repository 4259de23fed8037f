package vrm_test

import (
	"fmt"

	"yui/avatar/vrm"
)

// A refused file says why, in words to show to people.
func ExampleLoad() {
	_, err := vrm.Load([]byte("PK\x03\x04 a model somebody zipped"))
	fmt.Println(err)
	// Output: file is not a VRM or GLB: it is a zip archive: unpack it and take the .vrm inside
}

func ExampleParseBone() {
	b, ok := vrm.ParseBone("leftIndexProximal")
	fmt.Println(b, ok, b > vrm.RightHand && b < vrm.BoneCount)
	// Output: leftIndexProximal true true
}
