package motion

import (
	"math/rand/v2"

	"yui/avatar/vrm"
)

// emotionFade is how long a face takes to change, in seconds (docs/rules/avatar.md#emotions).
const emotionFade = .25

// exprGroup says which override rules an expression obeys.
type exprGroup uint8

const (
	groupNone exprGroup = iota
	groupBlink
	groupLook
	groupMouth
)

// face mixes the expressions of clips, emotion, blink, mouth and look-at into the final weights.
type face struct {
	m     *vrm.Model
	group []exprGroup
	// binds maps the Library's expressions to the model's.
	binds     []faceBind
	clipFaces int

	blink, blinkL, blinkR, aa, happy, smile int
	look                                    [4]int // up, down, left, right

	mood
	lids
	mouth   float32
	speech  float32
	eyes    float32 // how far look-at may move the eyes after overrides
	factors [4]float32
}

// mood is the emotion: weights fade from the ones when it was set to target.
type mood struct {
	from    []float32
	now     []float32
	target  int
	amount  float32
	age     float32
	emotion string
	// calm is how much of the face is left to the clips: 1 while neutral.
	calm, calmFrom float32
}

// lids blink by themselves.
type lids struct {
	rng   *rand.Rand
	wait  float32 // until the next blink
	shut  float32 // seconds into a blink, < 0 for none
	again bool    // a second blink follows at once
}

type faceBind struct {
	expr int
	gain float32
}

func (f *face) init(m *vrm.Model, rng *rand.Rand) {
	f.m, f.rng, f.target, f.calm, f.calmFrom, f.shut, f.eyes, f.clipFaces = m, rng, -1, 1, 1, -1, 1, -1
	f.age = emotionFade
	f.emotion = "neutral"
	f.group = make([]exprGroup, len(m.Expressions))
	f.from = make([]float32, len(m.Expressions))
	f.now = make([]float32, len(m.Expressions))
	for i := range m.Expressions {
		switch m.Expressions[i].Name {
		case "blink", "blinkLeft", "blinkRight":
			f.group[i] = groupBlink
		case "lookUp", "lookDown", "lookLeft", "lookRight":
			f.group[i] = groupLook
		case "aa", "ih", "ou", "ee", "oh":
			f.group[i] = groupMouth
		}
	}
	find := func(n string) int { return findExpression(m, n) }
	f.blink, f.blinkL, f.blinkR, f.aa = find("blink"), find("blinkLeft"), find("blinkRight"), find("aa")
	f.happy, f.smile = find("happy"), find("ex_smile")
	f.look = [4]int{find("lookUp"), find("lookDown"), find("lookLeft"), find("lookRight")}
	f.wait = 1 + 3*rng.Float32()
}

func (f *face) bindClips(m *vrm.Model, names []string) {
	f.binds = f.binds[:0]
	for _, n := range names {
		e, gain := clipFace(m, n)
		f.binds = append(f.binds, faceBind{e, gain})
	}
	f.clipFaces = len(names)
}

// Emotion turns the face to an emotion of the registry, intensity 0..1, within 250 ms. "" and "neutral" give the face
// back to the clips. It reports whether the id is registered; an unknown one is neutral.
func (p *Player) Emotion(id string, intensity float32) bool {
	f := &p.face
	if id == "" {
		id = "neutral"
	}
	if !finite(intensity) {
		intensity = 1
	}
	target, known := ResolveEmotion(p.m, id)
	if !known {
		id = "neutral"
	}
	copy(f.from, f.now)
	f.calmFrom = f.calm
	f.target, f.amount, f.age, f.emotion = target, clamp(intensity, 0, 1), 0, id
	return known
}

// CurrentEmotion returns the emotion that was set last, "neutral" for none.
func (p *Player) CurrentEmotion() string { return p.face.emotion }

func (f *face) step(p *Player, dt float32, in Input) {
	w := p.pose.Expressions
	f.stepEmotion(dt)
	asleep := p.now.asleep
	for i := range w {
		w[i] = f.now[i] * (1 - asleep)
	}
	calm := max(f.calm, asleep)
	clipBlink := float32(0)
	for i, k := range f.binds {
		v := p.mix.faces[i] * k.gain
		if k.expr < 0 || v <= 0 {
			continue
		}
		if f.group[k.expr] == groupBlink {
			clipBlink = max(clipBlink, v)
			continue
		}
		w[k.expr] = max(w[k.expr], v*calm)
	}
	f.speak(w, dt, in.Mouth)
	f.look4(w, &p.gaze)
	f.setBlink(w, max(f.stepBlink(dt), clipBlink))
	f.override(w)
	for i := range w {
		w[i] = clamp(w[i], 0, 1)
		if f.m.Expressions[i].Binary {
			w[i] = step(w[i])
		}
	}
}

// step is the rule of binary expressions: fully on above one half.
func step(v float32) float32 {
	if v > .5 {
		return 1
	}
	return 0
}

func (f *face) stepEmotion(dt float32) {
	f.age = min(f.age+dt, emotionFade)
	t := smooth(f.age / emotionFade)
	for i := range f.now {
		to := float32(0)
		if i == f.target {
			to = f.amount
		}
		f.now[i] = mix(f.from[i], to, t)
	}
	calm := float32(1)
	if f.emotion != "neutral" {
		calm = 0
	}
	f.calm = mix(f.calmFrom, calm, t)
}

// speak opens the mouth. Happy draws its own laughing mouth and shut eyes, so while she talks it gives way to the
// smile, if the model has one; half of it would look cross.
func (f *face) speak(w []float32, dt, mouth float32) {
	f.mouth = mix(f.mouth, mouth, approach(30, dt))
	if mouth == 0 && f.mouth < .01 {
		f.mouth = 0
	}
	if mouth > .02 {
		f.speech = min(f.speech+dt/.12, 1)
	} else {
		f.speech = max(f.speech-dt/.5, 0)
	}
	if f.happy >= 0 && f.smile >= 0 && f.speech > 0 {
		give := w[f.happy] * smooth(f.speech)
		w[f.happy] -= give
		w[f.smile] = max(w[f.smile], give)
	}
	if f.aa >= 0 {
		w[f.aa] = max(w[f.aa], f.mouth)
	}
}

// The shape of one blink in seconds: quick, since a slow half-shut eye looks cross. The lids are fastest where they are
// nearly shut, both ways, so that hardly a frame shows them between a half and shut.
const (
	blinkClose = .07
	blinkHold  = .03
	blinkOpen  = .11
)

// stepBlink returns how far the eyes are shut by the natural blink.
func (f *face) stepBlink(dt float32) float32 {
	if f.shut < 0 {
		if f.wait -= dt; f.wait > 0 {
			return 0
		}
		f.shut = 0
	} else {
		f.shut += dt
	}
	v := float32(0)
	switch t := f.shut; {
	case t < blinkClose:
		v = t / blinkClose
		v *= v * v
	case t < blinkClose+blinkHold:
		v = 1
	case t < blinkClose+blinkHold+blinkOpen:
		v = 1 - (t-blinkClose-blinkHold)/blinkOpen
		v *= v * v
	default:
		f.shut = -1
		f.wait = 1.8 + 4.4*f.rng.Float32()
		if !f.again && f.rng.IntN(6) == 0 {
			f.wait = .12
			f.again = true
		} else {
			f.again = false
		}
	}
	if dt > .06 { // few frames a second: a half-shut eye would stand still
		v = step(v)
	}
	return v
}

func (f *face) setBlink(w []float32, v float32) {
	switch {
	case f.blink >= 0:
		w[f.blink] = max(w[f.blink], v)
	case f.blinkL >= 0 && f.blinkR >= 0:
		w[f.blinkL], w[f.blinkR] = max(w[f.blinkL], v), max(w[f.blinkR], v)
	}
}

// override applies overrideBlink, overrideLookAt and overrideMouth of every expression to the others of those groups.
func (f *face) override(w []float32) {
	f.factors = [4]float32{1, 1, 1, 1}
	for i := range f.m.Expressions {
		e := &f.m.Expressions[i]
		v := w[i]
		if e.Binary {
			v = step(v)
		}
		if v <= 0 {
			continue
		}
		for g, o := range [4]vrm.Override{0, e.Blink, e.LookAt, e.MouthPolicy} {
			if f.group[i] == exprGroup(g) {
				continue
			}
			switch o {
			case vrm.OverrideBlock:
				f.factors[g] = 0
			case vrm.OverrideBlend:
				f.factors[g] = max(f.factors[g]-v, 0)
			}
		}
	}
	for i := range w {
		w[i] *= f.factors[f.group[i]]
	}
	f.eyes = f.factors[groupLook]
}

// look4 weighs the look expressions of models whose lookAt has that type.
func (f *face) look4(w []float32, g *gaze) {
	if f.m.LookAt.Type != "expression" {
		return
	}
	l := &f.m.LookAt
	set := func(i int, deg float32, r vrm.RangeMap) {
		if f.look[i] < 0 || deg <= 0 || r.InMax <= 0 {
			return
		}
		w[f.look[i]] = max(w[f.look[i]], min(deg/r.InMax, 1)*r.OutScale)
	}
	set(0, g.eyeY, l.Up)
	set(1, -g.eyeY, l.Dn)
	set(2, g.eyeX, l.HorizOuter)
	set(3, -g.eyeX, l.HorizOuter)
}
