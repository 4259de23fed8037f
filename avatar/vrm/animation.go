package vrm

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"yui/avatar/vrm/geom"
)

// jsonVRMA is VRMC_vrm_animation 1.0.
type jsonVRMA struct {
	Humanoid struct {
		Bones map[string]jsonAt `json:"humanBones"`
	} `json:"humanoid"`
	Expressions struct {
		Preset map[string]jsonAt `json:"preset"`
		Custom map[string]jsonAt `json:"custom"`
	} `json:"expressions"`
	LookAt *jsonAt `json:"lookAt"`
}

type jsonAt struct {
	Node *int `json:"node"`
}

// LoadAnimation reads a VRM animation (.vrma): the first animation of the file. Tracks of anything but humanoid bones,
// the hips' place, expressions and the gaze are passed over. Errors say what part is wrong and why, without a file name.
func LoadAnimation(data []byte) (*Animation, error) {
	f, err := open(data)
	if err != nil {
		return nil, err
	}
	if len(f.Extensions.Animation) == 0 {
		return nil, errors.New("file is not a VRM animation: it has no VRMC_vrm_animation part")
	}
	if len(f.Animations) == 0 {
		return nil, errors.New("file has no animation in it")
	}
	m := &Model{}
	if err := f.loadNodes(m); err != nil {
		return nil, err
	}
	l := &animationLoader{f: f, m: m, world: restWorld(m), keys: maxKeys}
	l.bind()
	for i := range f.Animations[0].Channels {
		if err := l.channel(i); err != nil {
			return nil, fmt.Errorf("read animation track %d: %w", i, err)
		}
	}
	a := &l.out
	a.Name = clip(f.Animations[0].Name, maxName)
	if a.Duration > maxSeconds {
		return nil, fmt.Errorf("animation lasts %.0f s, more than the %d s that YUI reads", a.Duration, maxSeconds)
	}
	if f.cleaned > 0 {
		f.warn("%d broken numbers were set to zero", f.cleaned)
	}
	a.Extras = asExtras(f.Animations[0].Extras)
	a.Warnings = f.warnings
	slices.SortFunc(a.Bones, func(x, y BoneTrack) int { return int(x.Bone - y.Bone) })
	return a, nil
}

type animationLoader struct {
	f           *file
	m           *Model
	world       []geom.Quat
	bones       map[int]Bone
	expressions map[int][]string
	gaze        int
	hips        int
	seen        map[string]bool
	keys        int
	out         Animation
}

// restWorld multiplies the rest rotations alone, so that scaled roots (centimetre files) do not matter.
func restWorld(m *Model) []geom.Quat {
	out := make([]geom.Quat, len(m.Nodes))
	for _, i := range m.Order {
		out[i] = m.Nodes[i].Rotation
		if p := m.Nodes[i].Parent; p >= 0 {
			out[i] = out[p].Mul(out[i]).Unit()
		}
	}
	return out
}

// bind learns which node moves which bone or expression. The eyes are the gaze's own: VRMA keeps them out.
func (l *animationLoader) bind() {
	var j jsonVRMA
	l.f.extension("VRMC_vrm_animation", l.f.Extensions.Animation, &j)
	l.bones, l.expressions, l.seen = map[int]Bone{}, map[int][]string{}, map[string]bool{}
	l.gaze, l.hips = -1, -1
	there := func(a jsonAt) bool { return a.Node != nil && *a.Node >= 0 && *a.Node < len(l.m.Nodes) }
	for _, name := range slices.Sorted(maps.Keys(j.Humanoid.Bones)) {
		b, ok := ParseBone(name)
		at := j.Humanoid.Bones[name]
		if !ok || !there(at) {
			l.f.warn("bone %q is unknown or has no node", clip(name, 60))
			continue
		}
		if b == Hips {
			l.hips = *at.Node
			l.out.RestHips = l.m.Rest[l.hips].Pos()
		}
		if b != LeftEye && b != RightEye {
			l.bones[*at.Node] = b
		}
	}
	for _, list := range []map[string]jsonAt{j.Expressions.Preset, j.Expressions.Custom} {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			if at := list[name]; there(at) {
				l.expressions[*at.Node] = append(l.expressions[*at.Node], clip(name, maxName))
			}
		}
	}
	if j.LookAt != nil && there(*j.LookAt) {
		l.gaze = *j.LookAt.Node
	}
}

// channel reads one channel into the track it belongs to. Of two for the same thing the first counts.
func (l *animationLoader) channel(i int) error {
	c := &l.f.Animations[0].Channels[i]
	if c.Target.Node == nil {
		return nil
	}
	node, path := *c.Target.Node, c.Target.Path
	bone, isBone := l.bones[node]
	_, isFace := l.expressions[node]
	turns := path == "rotation" && (isBone || node == l.gaze)
	moves := path == "translation" && (node == l.hips || isFace)
	if key := fmt.Sprint(node, path); !turns && !moves || l.seen[key] {
		return nil
	} else {
		l.seen[key] = true
	}
	t, err := l.track(c.Sampler, turns)
	if err != nil || len(t.Times) == 0 {
		return err
	}
	l.out.Duration = max(l.out.Duration, float64(t.Times[len(t.Times)-1]))
	switch {
	case turns && node == l.gaze:
		l.out.LookAt = &t
	case turns:
		l.out.Bones = append(l.out.Bones, BoneTrack{Bone: bone, Rotation: t, RestLocal: l.m.Nodes[node].Rotation, RestWorld: l.world[node]})
	case node == l.hips:
		l.toWorld(&t)
		l.out.HipsMove = &t
	default:
		for _, name := range l.expressions[node] {
			l.out.Expressions = append(l.out.Expressions, ExpressionTrack{Name: name, Weight: weights(&t)})
		}
	}
	return nil
}

// track reads a sampler: rotations (Width 4) or translations (Width 3). Keys that do not come later than the one before
// are dropped.
func (l *animationLoader) track(sampler int, turns bool) (Track, error) {
	list := l.f.Animations[0].Samplers
	if sampler < 0 || sampler >= len(list) {
		return Track{}, fmt.Errorf("sampler %d does not exist", sampler)
	}
	s := &list[sampler]
	t := Track{Width: 3}
	switch s.Interpolation {
	case "STEP":
		t.Interp = Step
	case "CUBICSPLINE":
		t.Interp = Cubic
	case "", "LINEAR":
	default:
		return t, fmt.Errorf("interpolation %q is unknown", clip(s.Interpolation, 20))
	}
	times, err := vectors[[1]float32](l.f, s.Input)
	if err != nil {
		return t, fmt.Errorf("times: %w", err)
	}
	values, err := l.values(s.Output, turns)
	if err != nil {
		return t, fmt.Errorf("values: %w", err)
	}
	if turns {
		t.Width = 4
	}
	per := t.Width // floats a key
	if t.Interp == Cubic {
		per *= 3
	}
	if len(values) != len(times)*per {
		return t, fmt.Errorf("%d values for %d keys", len(values)/t.Width, len(times))
	}
	if l.keys -= len(values); l.keys < 0 {
		return t, fmt.Errorf("the animation has more than %d million key values", maxKeys>>20)
	}
	for k, at := range times {
		if n := len(t.Times); at[0] < 0 || n > 0 && at[0] <= t.Times[n-1] {
			l.f.warn("sampler %d has keys out of order", sampler)
			continue
		}
		t.Times = append(t.Times, at[0])
		t.Values = append(t.Values, values[k*per:(k+1)*per]...)
	}
	if turns {
		t.unit()
	}
	return t, nil
}

func (l *animationLoader) values(at int, turns bool) ([]float32, error) {
	var out []float32
	if turns {
		q, err := vectors[geom.Quat](l.f, at)
		for _, v := range q {
			out = append(out, v[:]...)
		}
		return out, err
	}
	p, err := vectors[geom.Vec3](l.f, at)
	for _, v := range p {
		out = append(out, v[:]...)
	}
	return out, err
}

// unit normalises the rotations of the keys; the tangents of a cubic track are left as they are.
func (t *Track) unit() {
	step, at := 4, 0
	if t.Interp == Cubic {
		step, at = 12, 4
	}
	for ; at+4 <= len(t.Values); at += step {
		q := geom.Quat(t.Values[at : at+4]).Unit()
		copy(t.Values[at:], q[:])
	}
}

// toWorld takes the hips' places from their parent's space into the file's world: metres, whatever the parents scale.
func (l *animationLoader) toWorld(t *Track) {
	p := l.m.Nodes[l.hips].Parent
	if p < 0 {
		return
	}
	for i := 0; i+3 <= len(t.Values); i += 3 {
		v := geom.Vec3(t.Values[i : i+3])
		if t.Interp == Cubic && i/3%3 != 1 {
			v = l.m.Rest[p].Dir(v)
		} else {
			v = l.m.Rest[p].Point(v)
		}
		copy(t.Values[i:], v[:])
	}
}

// weights takes the x of the translations, which is where VRMA keeps an expression's weight, within 0 and 1.
func weights(t *Track) Track {
	out := Track{Interp: t.Interp, Width: 1, Times: t.Times, Values: make([]float32, len(t.Values)/3)}
	for i := range out.Values {
		if out.Values[i] = t.Values[i*3]; t.Interp != Cubic || i%3 == 1 {
			out.Values[i] = min(max(out.Values[i], 0), 1)
		}
	}
	return out
}
