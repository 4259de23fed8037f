package motion

import (
	"testing"
	"time"

	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"

	"pgregory.net/rapid"
)

// TestNoPops changes what she does at any moment and watches the joints: none may jump. Cuts that are meant (surprised,
// landing, peek from out of sight) are left out, and so are those between standing and lying.
func TestNoPops(t *testing.T) {
	s := loadStudy(t)
	lib := s.library(t)
	m := s.model(1)
	rapid.Check(t, func(t *rapid.T) {
		p := NewPlayer(m, lib, rapid.Uint64().Draw(t, "seed"))
		p.Step(time.Second/60, Input{})
		was := p.skel.at
		for range 25 {
			switch rapid.IntRange(0, 4).Draw(t, "do") {
			case 0:
				p.Hold(rapid.SampledFrom([]clips.ID{"", "walk", "thinking", "sit_down", "window_sit", "stand_up", "drag"}).Draw(t, "hold"), HoldOpts{Mirror: rapid.Bool().Draw(t, "mirror")})
			case 1:
				p.Cue(rapid.SampledFrom([]clips.ID{"happy", "laugh", "calm", "sulk", "embarrassed", "head_pat"}).Draw(t, "cue"))
			case 2:
				p.State(rapid.SampledFrom([]clips.ID{"", "talk", "thinking", "listening"}).Draw(t, "state"))
			}
			for range rapid.IntRange(1, 40).Draw(t, "frames") {
				p.Step(time.Second/60, Input{})
				for _, b := range p.rig.order {
					if d := p.skel.at[b].Sub(was[b]).Len(); d > .1 {
						t.Fatalf("%v jumps %.3f H while %s plays", b, d, p.Clip())
					}
				}
				was = p.skel.at
			}
		}
	})
}

// TestPlantedFeetStayThroughFades: between motions that stand on both feet, the feet do not slide.
func TestPlantedFeetStayThroughFades(t *testing.T) {
	s := loadStudy(t)
	p := NewPlayer(s.model(1), s.library(t), 3)
	p.Step(frame30, Input{})
	base := p.skel.at
	for i, do := range []func(){
		func() { p.State("thinking") }, func() { p.State("talk") }, func() { p.State("listening") },
		func() { p.Cue("calm") }, func() { p.State("") }, func() { p.Cue("laugh") },
	} {
		do()
		for range 50 {
			p.Step(frame30, Input{})
			for _, b := range []vrm.Bone{vrm.LeftFoot, vrm.RightFoot} {
				if d := p.skel.at[b].Sub(base[b]).Len(); d > .012 {
					t.Fatalf("step %d, %s: %v slides %.4f H", i, p.Clip(), b, d)
				}
			}
		}
	}
}

func TestDragSwings(t *testing.T) {
	s := loadStudy(t)
	p := NewPlayer(s.model(1), s.library(t), 3)
	p.Hold("drag", HoldOpts{})
	run(p, time.Second)
	lean := func() float32 { // how far the feet are to the viewer's right of the nape
		return (p.skel.at[vrm.LeftFoot][0]+p.skel.at[vrm.RightFoot][0])/2 - p.pose.Scruff[0]
	}
	least := float32(9)
	for i := range 12 {
		p.Step(frame30, Input{Velocity: geom.Vec3{float32(i) * .3, 0, 0}})
		least = min(least, lean())
	}
	if least > -.05 {
		t.Errorf("pulled to the right, the feet lag %.3f", least)
	}
	for range 300 {
		p.Step(frame30, Input{Velocity: geom.Vec3{3.3, 0, 0}})
	}
	if abs(p.swing.angle) > .02 {
		t.Errorf("at an even speed she hangs at %.3f", p.swing.angle)
	}
	p.Hold("falling", HoldOpts{})
	run(p, 2*time.Second)
	if p.swing.angle != 0 {
		t.Error("the swing stays after letting go")
	}
}

func TestAsleepWhateverTheEmotion(t *testing.T) {
	s := loadStudy(t)
	p := NewPlayer(s.model(1), s.library(t), 3)
	p.Emotion("happy", 1)
	p.Hold("bed_sleep", HoldOpts{})
	pose := run(p, 2*time.Second)
	if w, h := weight(p, pose, "ex_sleepy"), weight(p, pose, "happy"); w < .99 || h > .01 {
		t.Errorf("asleep: sleepy %v, happy %v", w, h)
	}
	pose = p.Step(frame30, Input{HasGaze: true, GazeX: 30})
	if w := weight(p, pose, "lookLeft"); w > .01 {
		t.Errorf("she looks at the pointer in her sleep: %v", w)
	}
}
