//go:build linux

package motion

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"yui/avatar/threetest"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// TestSpringsLikeThreeVRM throws the same models about as three-vrm does, and compares how each joint of hair and cloth
// is turned, frame by frame: the stiffness, drag, gravity and colliders of their makers act as elsewhere. The first joint
// of a chain must agree closely; below it three-vrm goes by a length to where the child was a frame before.
func TestSpringsLikeThreeVRM(t *testing.T) {
	files := []string{"../../assets/characters/yui.vrm"}
	if dir := os.Getenv("YUI_TEST_FILES"); dir != "" {
		for _, name := range []string{"vrm0/Godette_vrm_v4", "conformance/swing_springbone_stiffness_1", "conformance/springbone_*"} {
			found, err := filepath.Glob(filepath.Join(dir, "vrm", name+".vrm"))
			if err != nil || len(found) == 0 && testing.Verbose() {
				t.Logf("%s is not at hand: %v", name, err)
			}
			files = append(files, found...)
		}
	} else {
		t.Log("YUI_TEST_FILES is not set: only the bundled characters are compared")
	}
	for _, f := range files { // what cannot be read shows before Chromium is started
		if _, err := os.Stat(f); err != nil {
			t.Fatal(err)
		}
	}
	stage := threetest.Start(t)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			m, err := vrm.Load(raw)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := stage.Run(context.Background(), threetest.Job{Model: raw, Width: 40, Height: 60, FOV: 30, Light: [3]float64{0, 0, 1}, Swing: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(theirs.Springs.Swung) == 0 {
				t.Fatal("three-vrm swings nothing")
			}
			compareSwing(t, m, theirs.Springs.Swung)
		})
	}
}

func compareSwing(t *testing.T, m *vrm.Model, theirs []threetest.Swung) {
	byName := map[string]int{}
	for i := range m.Nodes {
		byName[m.Nodes[i].Name] = i
	}
	p := NewPlayer(m, NewLibrary(), 1)
	var worst, first, sum, most, swings float64
	frame := -1
	for _, s := range theirs {
		for ; frame < s.Frame; frame++ {
			thrown(p, frame+1)
		}
		n, ok := byName[s.Joint]
		if !ok || p.rods.at[n] < 0 {
			continue // a tip, which does not turn
		}
		want := geom.Quat(s.Turn)
		if m.Version == "0.x" { // the loader turns these models by half a turn about the vertical
			want[0], want[2] = -want[0], -want[2]
		}
		angle := func(q geom.Quat) float64 { return 2 * math.Acos(math.Min(math.Abs(float64(q.Dot(want))), 1)) }
		d := angle(p.skel.turn[n])
		if q := m.Nodes[n].Parent; q >= 0 && p.rods.at[q] < 0 {
			first = math.Max(first, d)
		}
		rest := m.Nodes[n].Rotation
		worst, sum = math.Max(worst, d), sum+d
		most, swings = math.Max(most, angle(rest)), math.Max(swings, 2*math.Acos(math.Min(math.Abs(float64(p.skel.turn[n].Dot(rest))), 1)))
	}
	mean := sum / float64(len(theirs))
	t.Logf("at most %.4f rad apart, %.4f on average, first joints %.4f; the widest turns are %.2f, theirs %.2f", worst, mean, first, swings, most)
	if first > .05 || worst > .12 || mean > .04 {
		t.Errorf("joints are %.3f rad apart, %.3f on average, first joints %.3f", worst, mean, first)
	}
}

// thrown is one frame of threetest.Springs.
func thrown(p *Player, i int) {
	m := p.m
	for n := range m.Nodes {
		p.skel.turn[n] = m.Nodes[n].Rotation
	}
	turn := geom.AxisAngle(geom.Vec3{0, 1, 0}, .5*sin(float32(i)/8))
	for _, b := range []vrm.Bone{vrm.Hips, vrm.Chest, vrm.Head} {
		if n := m.Humanoid[b]; n >= 0 {
			rest := geom.Ident
			if q := m.Nodes[n].Parent; q >= 0 {
				rest = m.Rest[q].Rotation()
			}
			p.skel.turn[n] = rest.Inv().Mul(turn).Mul(rest).Mul(m.Nodes[n].Rotation)
		}
	}
	for _, n := range m.Order {
		p.pose.World[n] = geom.TRS(m.Nodes[n].Translation, p.skel.turn[n], m.Nodes[n].Scale)
		if q := m.Nodes[n].Parent; q >= 0 {
			p.pose.World[n] = p.pose.World[q].Mul(p.pose.World[n])
		}
	}
	p.rods.step(p, float32((time.Second / 60).Seconds()), Input{}, &frame{hanging: 1})
}
