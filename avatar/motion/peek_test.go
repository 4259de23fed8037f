package motion

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"yui/avatar/vrm"
)

// TestPeekHoldsTheEdge: whatever the model's size and proportions, she starts hidden, and in the hold her near hand is at
// the edge, some half of her face has come round it, and her feet stay behind.
func TestPeekHoldsTheEdge(t *testing.T) {
	st := loadStudy(t)
	lib := st.library(t)
	models := map[string]*vrm.Model{"study": st.model(1), "a third": st.model(.3), "long legs": longLegs(st.model(1))}
	addRealModels(t, models)
	for name, m := range models {
		for _, mirror := range []bool{false, true} {
			p := NewPlayer(m, lib, 1)
			p.Hold("peek", HoldOpts{Phase: "enter", Fade: time.Millisecond, Mirror: mirror})
			p.Step(frame30, Input{})
			way, near := float32(1), 0
			if mirror {
				way, near = -1, 1
			}
			k, s := &p.rig.arms[near], &p.skel
			out := func(b vrm.Bone) float32 { return way * s.at[b][0] }
			if x := out(vrm.Hips); x > -1.2*p.anat.HalfWidth {
				t.Errorf("%s: the hips start %.3f m from the edge, at a half width of %.3f m", name, x, p.anat.HalfWidth)
			}
			run(p, 1300*time.Millisecond)
			p.Hold("peek", HoldOpts{Phase: "hold", Mirror: mirror})
			for at := time.Duration(0); at < 3500*time.Millisecond; at += frame30 {
				p.Step(frame30, Input{})
				if at < 500*time.Millisecond {
					continue // still fading
				}
				palm := way * s.at[k.c].Add(s.world[k.c].Rotate(k.dirB).Mul(palmOut * k.lenB))[0]
				if palm < -.35*k.lenB || palm > .5*k.lenB {
					t.Fatalf("%s, mirrored %v: after %v the hand is %.3f m from the edge, the forearm %.3f m long", name, mirror, at, palm, k.lenB)
				}
				if head := out(vrm.Head); p.rig.cheek > 0 && (head < -.35*p.rig.cheek || head > .6*p.rig.cheek) {
					t.Fatalf("%s, mirrored %v: after %v the head is %.3f m from the edge, its half width %.3f m", name, mirror, at, head, p.rig.cheek)
				}
				for _, b := range []vrm.Bone{vrm.LeftFoot, vrm.RightFoot} {
					if x := out(b); x > 0 {
						t.Fatalf("%s, mirrored %v: after %v %v shows %.3f m beside the edge", name, mirror, at, b, x)
					}
				}
			}
		}
	}
}

// addRealModels adds models of other makers to those of a test, if the shared files are at hand.
func addRealModels(t *testing.T, models map[string]*vrm.Model) {
	t.Helper()
	for name, file := range map[string]string{"Godette": "vrm/vrm0/Godette_vrm_v4.vrm", "RiggedFigure": "vrm/glb/RiggedFigure.glb"} {
		if data := testFileIfThere(file); data != nil {
			m, err := vrm.Load(data)
			if err != nil {
				t.Fatal(err)
			}
			models[name] = m
		}
	}
}

// testFileIfThere is nil if the shared files are not at hand.
func testFileIfThere(path string) []byte {
	dir := os.Getenv("YUI_TEST_FILES")
	if dir == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(dir, path))
	if err != nil {
		return nil
	}
	return data
}

// TestHandsHoldTheWall: while a hand holds the wall that she climbs, it is at the wall and keeps its place there although
// the root rises, whatever the model's arms.
func TestHandsHoldTheWall(t *testing.T) {
	lib := bundledMotions(t)
	c := lib.clips["climb_up"]
	models := map[string]*vrm.Model{"yui": bundled(t, "yui"), "long legs": longLegs(loadStudy(t).model(1))}
	addRealModels(t, models)
	for name, m := range models {
		r := newRig(m)
		var s skeleton
		s.init(r)
		for side, from := range []float32{.1, .6} {
			k := &r.arms[side]
			lo, hi := float32(9), float32(-9)
			for i := range 9 {
				at := from + .35*float32(i)/8
				posed(r, &s, c, at)
				palm := s.at[k.c].Add(s.world[k.c].Rotate(k.dirB).Mul(palmOut * k.lenB)).Mul(1 / r.unit)
				y := palm[1] + c.info.Rise*at/c.dur
				lo, hi = min(lo, y), max(hi, y)
				if gap := wallAway - palm[2]; gap < -.01 || gap > .06 {
					t.Errorf("%s: hand %d is %.3f H from the wall at %.2f s", name, side, gap, at)
				}
			}
			if hi-lo > .015 {
				t.Errorf("%s: hand %d slides %.3f H along the wall", name, side, hi-lo)
			}
		}
	}
}
