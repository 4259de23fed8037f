package motion

import (
	"math"
	"slices"
	"testing"
	"time"

	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"

	"pgregory.net/rapid"
)

const frame30 = time.Second / 30

func newTestPlayer(t testing.TB) *Player {
	s := loadStudy(t)
	return NewPlayer(s.model(1), s.library(t), 7)
}

func run(p *Player, d time.Duration) *Pose {
	var pose *Pose
	for ; d > 0; d -= frame30 {
		pose = p.Step(frame30, Input{})
	}
	return pose
}

func TestWhatPlays(t *testing.T) {
	p := newTestPlayer(t)
	run(p, time.Second)
	if p.Current() != "idle" || p.Clip() != "idle_breathe" || p.Busy() {
		t.Fatalf("at first: %q %q busy %v", p.Current(), p.Clip(), p.Busy())
	}
	if !p.Cue("happy") {
		t.Fatal("happy refused while standing")
	}
	run(p, time.Second)
	if p.Current() != "happy" || !p.Busy() {
		t.Fatalf("after the cue: %q", p.Current())
	}
	run(p, 1200*time.Millisecond)
	if p.Current() != "idle" || p.Busy() {
		t.Fatalf("after happy: %q", p.Current())
	}
	p.State("talk")
	run(p, frame30)
	first := p.Clip()
	run(p, 3200*time.Millisecond)
	if second := p.Clip(); first == second || second != "talk_a" && second != "talk_b" {
		t.Fatalf("talking: %q then %q", first, second)
	}
	p.State("")
	p.Hold("sit_down", HoldOpts{})
	if p.Cue("laugh") {
		t.Fatal("a cue came through while sitting")
	}
	run(p, time.Second)
	if p.HoldDone() || p.Current() != "sit_down" {
		t.Fatalf("sitting down: done %v, %q", p.HoldDone(), p.Current())
	}
	run(p, 700*time.Millisecond)
	if !p.HoldDone() || p.Busy() {
		t.Fatal("sitting down never ends")
	}
	p.Hold("window_sit", HoldOpts{})
	seen := map[clips.ID]bool{}
	for range 30 * 300 {
		p.Step(frame30, Input{})
		if p.Current() != "window_sit" {
			t.Fatalf("sitting: %q", p.Current())
		}
		seen[p.Clip()] = true
	}
	if len(seen) != 4 {
		t.Errorf("five minutes on a window show %v", seen)
	}
}

func TestSleepCueWakes(t *testing.T) {
	p := newTestPlayer(t)
	p.Step(frame30, Input{})
	p.Cue("sleeping")
	run(p, time.Second)
	if p.Current() != "bed_lie" {
		t.Fatalf("lying down: %q", p.Current())
	}
	run(p, 20*time.Second)
	if p.Current() != "sleeping" {
		t.Fatalf("asleep: %q", p.Current())
	}
	if !p.Cue("happy") {
		t.Fatal("a cue does not wake her")
	}
	run(p, time.Second)
	if p.Current() != "bed_wake" {
		t.Fatalf("waking: %q", p.Current())
	}
	run(p, 3*time.Second)
	if p.Current() != "happy" {
		t.Fatalf("after waking: %q", p.Current())
	}
}

func TestHoldStartsWithin(t *testing.T) {
	p := newTestPlayer(t)
	run(p, time.Second)
	p.Hold("sit_down", HoldOpts{Start: 600 * time.Millisecond})
	p.Step(frame30, Input{})
	if at := p.mix.top().t; at < .6 || at > .7 {
		t.Errorf("sitting down begins at %v s", at)
	}
	run(p, 900*time.Millisecond)
	if !p.HoldDone() {
		t.Error("it does not end the sooner")
	}
}

func TestPeekPhases(t *testing.T) {
	p := newTestPlayer(t)
	run(p, time.Second)
	p.Hold("peek", HoldOpts{Phase: "enter"})
	run(p, 1400*time.Millisecond)
	p.Hold("peek", HoldOpts{Phase: "hold"})
	for range 30 * 10 {
		p.Step(frame30, Input{})
		if l := p.mix.top(); l.t < 1.2 || l.t > 3.75 {
			t.Fatalf("holding at %.2f s", l.t)
		}
	}
	p.Hold("peek", HoldOpts{Phase: "leave"})
	run(p, 500*time.Millisecond)
	if p.HoldDone() || p.mix.top().t < 3.9 {
		t.Fatalf("leaving at %.2f s, done %v", p.mix.top().t, p.HoldDone())
	}
	run(p, time.Second)
	if !p.HoldDone() {
		t.Fatal("never left")
	}
}

func TestIdleNeverRepeats(t *testing.T) {
	p := newTestPlayer(t)
	fidgets, lively, lastLively := 0, 0, -100.0
	var clip, last clips.ID
	for i := range 30 * 600 {
		p.Step(frame30, Input{})
		if p.Clip() == clip {
			continue
		}
		clip = p.Clip()
		if clip == "idle_breathe" {
			continue
		}
		if clip == last {
			t.Errorf("%s twice", clip)
		}
		last = clip
		fidgets++
		if p.dir.playing.group == "idle_lively" {
			lively++
			at := float64(i) / 30
			if at-lastLively < 20 {
				t.Errorf("lively after %.1f s", at-lastLively)
			}
			lastLively = at
		}
	}
	if fidgets < 25 || lively < 3 {
		t.Errorf("ten minutes: %d fidgets, %d lively", fidgets, lively)
	}
}

// What the person deselected never comes by itself; if all is deselected she does not freeze.
func TestAvoided(t *testing.T) {
	p := newTestPlayer(t)
	avoided := []clips.ID{"idle_stretch", "idle_look", "lively_hop", "lively_wave"}
	p.Avoid(avoided...)
	seen := map[clips.ID]bool{}
	for range 30 * 600 {
		p.Step(frame30, Input{})
		seen[p.Clip()] = true
	}
	for _, c := range avoided {
		if seen[c] {
			t.Errorf("%s came although it is avoided", c)
		}
	}
	if !seen["idle_shift"] || !seen["lively_ear"] && !seen["lively_twirl"] && !seen["lively_stretch"] {
		t.Errorf("only %v came", seen)
	}
	p.Avoid("idle_breathe", "idle_stretch", "idle_look", "idle_shift", "lively_hop", "lively_wave", "lively_ear", "lively_twirl", "lively_stretch")
	for range 30 * 120 {
		p.Step(frame30, Input{})
	}
	if p.Clip() != "idle_breathe" {
		t.Errorf("with all avoided %q plays", p.Clip())
	}
}

// TestAvoidedBreath: with idle_breathe taken out, the others that are left play, with a while of standing between.
func TestAvoidedBreath(t *testing.T) {
	for _, only := range []clips.ID{"idle_stretch", "idle_shift"} {
		p := newTestPlayer(t)
		p.Step(frame30, Input{})
		avoid := slices.Concat(clips.Pool(clips.Idle), clips.Pool(clips.IdleLively))
		p.Avoid(slices.DeleteFunc(avoid, func(id clips.ID) bool { return id == only })...)
		run(p, 30*time.Second) // the breaths under way
		starts, stood, before := 0, 0, float32(0)
		for range 30 * 60 {
			p.Step(frame30, Input{})
			if p.Clip() != only {
				t.Fatalf("%s plays although only %s is left", p.Clip(), only)
			}
			l := p.mix.top()
			if l.t < before {
				starts++
			}
			if l.done() && !l.clip.loop {
				stood++
			}
			before = l.t
		}
		if once := only == "idle_stretch"; once && (starts < 3 || starts > 10 || stood < 600) {
			t.Errorf("%s came %d times in a minute, and she stood %d frames", only, starts, stood)
		}
	}
}

func TestStepAnyTimes(t *testing.T) {
	s := loadStudy(t)
	lib := s.library(t)
	m := s.model(1)
	addSpring(m)
	ids := append(lib.IDs(), "window_sit", "idle", "dance", "", "nothing")
	rapid.Check(t, func(t *rapid.T) {
		p := NewPlayer(m, lib, rapid.Uint64().Draw(t, "seed"))
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "do") {
			case 0:
				p.Hold(rapid.SampledFrom(ids).Draw(t, "hold"), HoldOpts{
					Mirror: rapid.Bool().Draw(t, "mirror"), Restart: rapid.Bool().Draw(t, "restart"),
					Phase: rapid.SampledFrom([]clips.Phase{"", "enter", "hold", "leave", "squash"}).Draw(t, "phase"),
				})
			case 1:
				p.Cue(rapid.SampledFrom(ids).Draw(t, "cue"))
			case 2:
				p.State(rapid.SampledFrom([]clips.ID{"", "talk", "thinking", "listening", "head_pat", "x"}).Draw(t, "state"))
			case 3:
				p.Emotion(rapid.SampledFrom(append(Emotions(), "x")).Draw(t, "emotion"), rapid.Float32().Draw(t, "intensity"))
			case 4:
				p.Reset()
			}
			dt := time.Duration(rapid.Int64Range(-1e9, 2e10).Draw(t, "dt") >> rapid.IntRange(0, 34).Draw(t, "shift"))
			pose := p.Step(dt, Input{
				Yaw: rapid.Float32().Draw(t, "yaw"), GazeX: rapid.Float32().Draw(t, "gx"), GazeY: rapid.Float32().Draw(t, "gy"),
				HasGaze: rapid.Bool().Draw(t, "has"), Mouth: rapid.Float32().Draw(t, "mouth"),
				Velocity: geom.Vec3{rapid.Float32().Draw(t, "vx"), rapid.Float32().Draw(t, "vy"), 0},
			})
			checkPose(t, p, pose)
		}
	})
}

func checkPose(t interface{ Fatalf(string, ...any) }, p *Player, pose *Pose) {
	for i, w := range pose.Expressions {
		if !(w >= 0 && w <= 1) {
			t.Fatalf("%s weighs %v", p.m.Expressions[i].Name, w)
		}
	}
	for n := range pose.World {
		for _, v := range pose.World[n] {
			if math.IsNaN(float64(v)) || abs(v) > 4 {
				t.Fatalf("%s is at %v", p.m.Nodes[n].Name, pose.World[n])
			}
		}
	}
	for i := range p.rods.rods {
		r := &p.rods.rods[i]
		if d := r.tail.Sub(pose.World[r.node].Pos()).Len(); d > 2 { // heads move on while a tail waits for its next substep
			t.Fatalf("spring %d is %v from its joint", i, d)
		}
	}
}

// addSpring hangs a chain of three joints and a tip on the hips, with a collider on the hips.
func addSpring(m *vrm.Model) {
	at := m.Humanoid[vrm.Hips]
	sp := vrm.Spring{Center: -1, Colliders: []vrm.Collider{{Node: at, Radius: .09, Offset: geom.Vec3{0, .05, 0}}}}
	pos := m.Rest[at].Pos()
	for range 4 {
		off := geom.Vec3{.02, .02, -.08}
		pos = pos.Add(off)
		n := len(m.Nodes)
		m.Nodes = append(m.Nodes, vrm.Node{Name: "hang", Parent: at, Mesh: -1, Skin: -1, Translation: off, Rotation: geom.Ident, Scale: geom.Vec3{1, 1, 1}})
		m.Rest = append(m.Rest, geom.TRS(pos, geom.Ident, geom.Vec3{1, 1, 1}))
		m.Order = append(m.Order, n)
		sp.Joints = append(sp.Joints, vrm.SpringJoint{Node: n, HitRadius: .03, Stiffness: 1.5, Drag: .3, GravityPower: .1, GravityDir: geom.Vec3{0, -1, 0}})
		at = n
	}
	m.Springs = append(m.Springs, sp)
}

func BenchmarkStep(b *testing.B) {
	s := loadStudy(b)
	m := s.model(1)
	addSpring(m)
	p := NewPlayer(m, s.library(b), 1)
	run(p, time.Second)
	b.ReportAllocs()
	for b.Loop() {
		p.Step(frame30, Input{HasGaze: true, GazeX: 12, GazeY: 5})
	}
}
