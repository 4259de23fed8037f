package motion

import (
	"testing"

	"yui/avatar/vrm"
	"yui/avatar/vrm/vrmtest"
)

// Other people's models lie with their lowest points at the root's height: the bed goes by it.
func TestLiesLow(t *testing.T) {
	m, err := vrm.Load(vrmtest.Dressed())
	if err != nil {
		t.Fatal(err)
	}
	if !newRig(m).public().LiesLow {
		t.Error("a model of human proportion lies as high as the bundled ones")
	}
}
