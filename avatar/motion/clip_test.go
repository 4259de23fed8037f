package motion

import (
	"testing"

	"yui/avatar/vrm"
)

// TestLegsGiveBackTheStudy solves the feet of every clip on the study's own skeleton: the stored leg tracks must come
// out again, joint by joint.
func TestLegsGiveBackTheStudy(t *testing.T) {
	s := loadStudy(t)
	lib := s.library(t)
	r := newRig(s.model(1))
	if !r.reference {
		t.Fatal("the study's skeleton is not recognised")
	}
	worst, where := float32(0), ""
	for _, id := range lib.IDs() {
		c := lib.clips[id]
		if c.feet[0] == nil {
			continue
		}
		for i := 0; i <= 200; i++ {
			at := c.dur * float32(i) / 200
			var f frame
			c.sample(at, false, r, &f, nil)
			if f.feetW < 1 {
				continue
			}
			var stored, solved skeleton
			stored.init(r)
			solved.init(r)
			g := f
			stored.forward(r, &g)
			solved.pose(r, &f)
			for _, b := range []vrm.Bone{vrm.LeftLowerLeg, vrm.LeftFoot, vrm.RightLowerLeg, vrm.RightFoot} {
				if d := stored.at[b].Sub(solved.at[b]).Len(); d > worst {
					worst, where = d, id+" "+b.String()
				}
			}
			if i%50 == 0 && testing.Verbose() && id == "walk" {
				t.Log(at, stored.world[vrm.LeftUpperLeg], solved.world[vrm.LeftUpperLeg])
			}
		}
	}
	t.Logf("farthest joint %.4f H (%s)", worst, where)
	if worst > .02 {
		t.Errorf("farthest joint %.4f H (%s)", worst, where)
	}
}
