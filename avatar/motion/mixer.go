package motion

import "yui/avatar/vrm/geom"

// layer is a clip that plays. The topmost layer fades in over those below.
type layer struct {
	clip   *clip // nil: the frozen frame
	t, end float32
	mirror bool
	fade   float32 // seconds
	age    float32 // since it was started
	cycles int     // full cycles of a loop so far
	rate   float32
	origin geom.Vec3 // of the clip's root, from the model's
	flight bool      // she flies by the root's own path
	flown  float32   // 0..1: how far the clip's own lift is left out
}

// done says that a one-shot has reached its end, or a loop one full cycle.
func (l *layer) done() bool {
	return l.clip != nil && (l.cycles > 0 || !l.clip.loop && (l.rate >= 0 && l.t >= l.end || l.rate < 0 && l.t <= 0))
}

func (l *layer) weight() float32 {
	if l.fade <= 0 {
		return 1
	}
	return smooth(l.age / l.fade)
}

// faceFade is the longest that a face may take to change within a crossfade: slowly closing eyes look cross.
const faceFade = .18

func (l *layer) faceWeight() float32 {
	if l.fade <= faceFade {
		return l.weight()
	}
	return smooth(l.age / faceFade)
}

func (l *layer) advance(dt float32) {
	l.age += dt
	if l.clip == nil {
		return
	}
	l.t += dt * l.rate
	const easing = .04
	to := float32(0)
	if l.flight {
		to = 1
	}
	l.flown += clamp(to-l.flown, -dt/easing, dt/easing)
	if !l.clip.loop || l.end < l.clip.dur {
		l.t = max(min(l.t, l.end), 0)
		return
	}
	for l.t >= l.clip.dur {
		l.t -= l.clip.dur
		l.cycles++
	}
}

// mixer crossfades clips. Four layers are enough for any chain of interruptions: below that the blend is frozen.
type mixer struct {
	layers       [4]layer
	n            int
	out          frame
	frozen       frame
	scratch      frame
	faces        []float32
	frozenFaces  []float32
	scratchFaces []float32
}

func (m *mixer) top() *layer {
	if m.n == 0 {
		return nil
	}
	return &m.layers[m.n-1]
}

// play starts a clip on top.
func (m *mixer) play(c *clip, at, fade float32, mirror bool) {
	if m.n == len(m.layers) {
		m.frozen = m.out
		copy(m.frozenFaces, m.faces)
		m.layers[0] = layer{}
		m.n = 1
	}
	if m.n == 0 {
		fade = 0
	}
	m.layers[m.n] = layer{clip: c, t: at, end: c.dur, fade: fade, mirror: mirror, rate: 1}
	m.n++
}

// step moves all layers on and blends them into out.
func (m *mixer) step(dt float32, r *rig) {
	base := 0
	for i := range m.n {
		m.layers[i].advance(dt)
		if m.layers[i].weight() >= 1 {
			base = i
		}
	}
	if base > 0 {
		copy(m.layers[:], m.layers[base:m.n])
		m.n -= base
	}
	if m.n == 0 {
		m.out.reset()
		return
	}
	m.sample(&m.layers[0], r, &m.out, m.faces)
	for i := 1; i < m.n; i++ {
		l := &m.layers[i]
		m.sample(l, r, &m.scratch, m.scratchFaces)
		m.out.blend(&m.scratch, l.weight())
		w := l.faceWeight()
		for j := range m.faces {
			m.faces[j] = mix(m.faces[j], m.scratchFaces[j], w)
		}
	}
}

func (m *mixer) sample(l *layer, r *rig, f *frame, faces []float32) {
	if l.clip == nil {
		*f = m.frozen
		copy(faces, m.frozenFaces)
		return
	}
	l.clip.sample(l.t, l.mirror, r, f, faces)
	f.origin = l.origin
	if lift := max(f.hips[1], 0) * l.flown; lift > 0 {
		f.hips[1] -= lift
		for i := range f.feet {
			f.feet[i].move[1] -= lift
		}
	}
}
