package motion

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"yui/avatar/vrm"
)

func weight(p *Player, pose *Pose, name string) float32 {
	i := findExpression(p.m, name)
	if i < 0 {
		return -1
	}
	return pose.Expressions[i]
}

func TestResolveEmotion(t *testing.T) {
	with := func(names ...string) *vrm.Model {
		m := &vrm.Model{}
		for _, n := range names {
			m.Expressions = append(m.Expressions, vrm.Expression{Name: n})
		}
		return m
	}
	for _, c := range []struct {
		has   []string
		id    string
		want  string
		known bool
	}{
		{[]string{"happy", "relaxed"}, "happy", "happy", true},
		{[]string{"happy", "relaxed"}, "thinking", "relaxed", true},
		{[]string{"ex_thinking", "relaxed"}, "thinking", "ex_thinking", true},
		{[]string{"happy"}, "thinking", "", true},
		{[]string{"surprised"}, "curious", "surprised", true},
		{[]string{"surprised"}, "embarrassed", "surprised", true},
		{[]string{"neutral"}, "neutral", "", true},
		{[]string{"happy"}, "furious", "", false},
		{nil, "", "", false},
	} {
		m := with(c.has...)
		e, known := ResolveEmotion(m, c.id)
		got := ""
		if e >= 0 {
			got = m.Expressions[e].Name
		}
		if got != c.want || known != c.known {
			t.Errorf("%q on %v: %q %v, want %q %v", c.id, c.has, got, known, c.want, c.known)
		}
	}
	if e := Emotions(); len(e) != 10 || e[0] != "neutral" || !slices.Contains(e, "sleepy") {
		t.Errorf("emotions %v", e)
	}
}

func TestEmotionTakes250msAndBeatsTheClip(t *testing.T) {
	p := newTestPlayer(t)
	run(p, time.Second)
	p.Hold("happy", HoldOpts{})
	pose := run(p, 800*time.Millisecond)
	if w := weight(p, pose, "happy"); w < .5 {
		t.Fatalf("the clip's own happy weighs %v", w)
	}
	p.Emotion("sad", .8)
	pose = p.Step(125*time.Millisecond, Input{})
	if w := weight(p, pose, "sad"); abs(w-.4) > .02 {
		t.Errorf("half way: sad %v", w)
	}
	pose = p.Step(130*time.Millisecond, Input{})
	if s, h := weight(p, pose, "sad"), weight(p, pose, "happy"); abs(s-.8) > 1e-3 || h > 1e-3 {
		t.Errorf("after 250 ms: sad %v, happy %v", s, h)
	}
	if p.Emotion("furious", 1) || p.CurrentEmotion() != "neutral" {
		t.Error("an unregistered emotion is not neutral")
	}
	p.Hold("", HoldOpts{})
	pose = run(p, 3*time.Second)
	if s := weight(p, pose, "sad"); s != 0 {
		t.Errorf("back to neutral: sad %v", s)
	}
}

func TestHappyGivesWayToSpeech(t *testing.T) {
	p := newTestPlayer(t)
	p.Emotion("happy", 1)
	run(p, time.Second)
	var pose *Pose
	for range 20 {
		pose = p.Step(frame30, Input{Mouth: .8})
	}
	if h, s, aa := weight(p, pose, "happy"), weight(p, pose, "ex_smile"), weight(p, pose, "aa"); h > .01 || s < .99 || aa < .7 {
		t.Errorf("speaking: happy %v, smile %v, aa %v", h, s, aa)
	}
	pose = run(p, time.Second)
	if h, aa := weight(p, pose, "happy"), weight(p, pose, "aa"); h < .99 || aa != 0 {
		t.Errorf("silent: happy %v, aa %v", h, aa)
	}
}

func TestBlinks(t *testing.T) {
	p := newTestPlayer(t)
	blinks, half, longest, n := 0, 0, 0, 0
	was := float32(0)
	for range 60 * 120 {
		w := weight(p, p.Step(time.Second/60, Input{ReducedMotion: true}), "blink")
		if w > .05 && was <= .05 {
			blinks++
			n = 0
		}
		if w > .05 {
			n++
			longest = max(longest, n)
			if w > .5 && w < .95 { // where the lid of many a model is a straight, cross line
				half++
			}
		}
		was = w
	}
	if blinks < 20 || blinks > 70 {
		t.Errorf("%d blinks in two minutes", blinks)
	}
	if half > 3*blinks {
		t.Errorf("%d frames of %d blinks are half shut", half, blinks)
	}
	if longest > 15 {
		t.Errorf("a blink takes %d sixtieths of a second", longest)
	}
	for range 1000 { // slow frames never show a half-shut eye
		if w := weight(p, p.Step(200*time.Millisecond, Input{ReducedMotion: true}), "blink"); w != 0 && w != 1 {
			t.Fatalf("blink at %v in a slow frame", w)
		}
	}
}

func TestOverrides(t *testing.T) {
	m := &vrm.Model{Expressions: []vrm.Expression{
		{Name: "blink"}, {Name: "aa"}, {Name: "lookLeft"},
		{Name: "block", Blink: vrm.OverrideBlock, MouthPolicy: vrm.OverrideBlend},
		{Name: "binary", Binary: true, LookAt: vrm.OverrideBlock},
	}}
	var f face
	f.init(m, rand.New(rand.NewPCG(1, 2)))
	for _, c := range []struct{ in, want []float32 }{
		{[]float32{1, 1, 1, 0, 0}, []float32{1, 1, 1, 0, 0}},
		{[]float32{1, 1, 1, .25, 0}, []float32{0, .75, 1, .25, 0}},
		{[]float32{1, 1, 1, 1, .4}, []float32{0, 0, 1, 1, .4}},
		{[]float32{1, 1, 1, 0, .6}, []float32{1, 1, 0, 0, .6}},
	} {
		got := slices.Clone(c.in)
		f.override(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%v gives %v, want %v", c.in, got, c.want)
		}
	}
}

func TestGaze(t *testing.T) {
	at := func(in Input) (*Player, *Pose) {
		p := newTestPlayer(t)
		var pose *Pose
		for range 60 {
			in.ReducedMotion = true
			pose = p.Step(frame30, in)
		}
		return p, pose
	}
	head := func(p *Player, pose *Pose) float32 { // how far the face points to the viewer's right
		return pose.World[p.m.Humanoid[vrm.Head]].Dir([3]float32{0, 0, 1})[0]
	}
	p, pose := at(Input{})
	rest := head(p, pose)
	p, pose = at(Input{HasGaze: true, GazeX: 30})
	if d := head(p, pose) - rest; d < .15 || weight(p, pose, "lookLeft") < .2 || weight(p, pose, "lookRight") > .1 {
		t.Errorf("something on the viewer's right: head %.2f, left %.2f right %.2f", d, weight(p, pose, "lookLeft"), weight(p, pose, "lookRight"))
	}
	p, pose = at(Input{HasGaze: true, GazeX: 1.5, GazeY: 1})
	if d := head(p, pose) - rest; abs(d) > .02 {
		t.Errorf("the dead zone turns the head by %v", d)
	}
	p, pose = at(Input{HasGaze: true, GazeX: 170})
	if d := head(p, pose) - rest; abs(d) > .05 {
		t.Errorf("she looks at what is behind her: %v", d)
	}
	p, pose = at(Input{HasGaze: true, GazeY: 30})
	if weight(p, pose, "lookUp") < .2 || weight(p, pose, "lookDown") > .1 {
		t.Error("looking up does not")
	}
}
