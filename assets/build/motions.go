package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"sort"
)

//go:embed motions.json
var motionData []byte

// motionFile is motions.json: keyframes in degrees, seconds and H.
type motionFile struct {
	Reference struct {
		Joints map[string]struct {
			Parent *string
			Pos    vec
		}
	}
	Pools   []string // the groups whose clips are variants of one motion, which has the group's name
	Motions []clip
}

type clip struct {
	Name        string
	Group       string
	Duration    float64
	Loop        string
	HipsOffset  track
	Tracks      map[string]track
	Expressions map[string][][2]float64
	Phases      map[string][2]float64
	Moments     map[string]float64
	Speed       json.RawMessage
	Stride      json.RawMessage
	Rise        json.RawMessage
	Entry       json.RawMessage
	Exit        json.RawMessage
	BPM         json.RawMessage
	Stage       string
	Feet        json.RawMessage
	Contacts    json.RawMessage
	Optional    struct{ Ears, Tail json.RawMessage }
}

// track is keys of time and three numbers; interp is spline, linear, slerp or const.
type track struct {
	Interp string
	Keys   [][4]float64
}

// clipExtras is what a VRM animation has no place for, as animations[0].extras.yui; lengths are in H.
type clipExtras struct {
	Name     string                `json:"name"`
	Group    string                `json:"group"`
	Loop     string                `json:"loop"`
	Duration float64               `json:"duration"`
	Phases   map[string][2]float64 `json:"phases,omitempty"`
	Moments  map[string]float64    `json:"moments,omitempty"`
	Speed    json.RawMessage       `json:"speed,omitempty"`
	Stride   json.RawMessage       `json:"stride,omitempty"`
	Rise     json.RawMessage       `json:"rise,omitempty"`
	Entry    json.RawMessage       `json:"entry,omitempty"`
	Exit     json.RawMessage       `json:"exit,omitempty"`
	BPM      json.RawMessage       `json:"bpm,omitempty"`
	Stage    string                `json:"stage,omitempty"`
	Feet     json.RawMessage       `json:"feet,omitempty"`
	Contacts json.RawMessage       `json:"contacts,omitempty"`
	Ears     json.RawMessage       `json:"ears,omitempty"`
	Tail     json.RawMessage       `json:"tail,omitempty"`
}

type animation struct {
	Name     string        `json:"name"`
	Channels []channel     `json:"channels"`
	Samplers []animSampler `json:"samplers"`
	Extras   any           `json:"extras,omitempty"`
}

type channel struct {
	Sampler int           `json:"sampler"`
	Target  channelTarget `json:"target"`
}

type channelTarget struct {
	Node int    `json:"node"`
	Path string `json:"path"`
}

type animSampler struct {
	Input         int    `json:"input"`
	Interpolation string `json:"interpolation"`
	Output        int    `json:"output"`
}

func readMotions() (*motionFile, error) {
	var f motionFile
	if err := json.Unmarshal(motionData, &f); err != nil {
		return nil, fmt.Errorf("read motions: %w", err)
	}
	return &f, nil
}

func buildMotions() ([]file, error) {
	f, err := readMotions()
	if err != nil {
		return nil, err
	}
	var out []file
	for i := range f.Motions {
		b, err := f.vrma(&f.Motions[i])
		if err != nil {
			return nil, fmt.Errorf("build motion %s: %w", f.Motions[i].Name, err)
		}
		out = append(out, file{"motions/" + f.Motions[i].Name + ".vrma", b})
	}
	return out, nil
}

// boneOrder lists the joints of the reference skeleton, parents first.
func (f *motionFile) boneOrder() []string {
	var out []string
	for b := range f.Reference.Joints {
		out = append(out, b)
	}
	rank := func(b string) (n int) {
		for p := f.Reference.Joints[b].Parent; p != nil; p = f.Reference.Joints[*p].Parent {
			n++
		}
		return n
	}
	sort.Slice(out, func(i, j int) bool {
		if a, b := rank(out[i]), rank(out[j]); a != b {
			return a < b
		}
		return out[i] < out[j]
	})
	return out
}

// clipWriter gathers one animation; times that several tracks share are stored once.
type clipWriter struct {
	*document
	c     *clip
	anim  animation
	times map[string]int
}

// vrma writes a clip on the reference skeleton: rest pose T, identity rotations, hips 0.205 high.
func (f *motionFile) vrma(c *clip) ([]byte, error) {
	w := &clipWriter{document: newDocument(), c: c, anim: animation{Name: c.Name}, times: map[string]int{}}
	w.ExtensionsUsed = []string{"VRMC_vrm_animation"}
	humanBones := object{}
	at := map[string]int{}
	for i, b := range f.boneOrder() {
		j := f.Reference.Joints[b]
		rel := j.Pos
		if j.Parent != nil {
			rel = rel.sub(f.Reference.Joints[*j.Parent].Pos)
			p := at[*j.Parent]
			w.Nodes[p].Children = append(w.Nodes[p].Children, i)
		}
		at[b] = i
		w.Nodes = append(w.Nodes, node{Name: b, Translation: &[3]float32{float32(rel[0]), float32(rel[1]), float32(rel[2])}})
		humanBones[b] = object{"node": i}
	}
	roots := []int{at["hips"]}

	if err := w.hips(at["hips"], f.Reference.Joints["hips"].Pos); err != nil {
		return nil, err
	}
	for _, b := range f.boneOrder() {
		if t, ok := c.Tracks[b]; ok {
			if err := w.rotation(at[b], t); err != nil {
				return nil, fmt.Errorf("track %s: %w", b, err)
			}
		}
	}
	preset, custom := object{}, object{}
	for _, e := range sortedKeys(c.Expressions) {
		n := len(w.Nodes)
		name, isCustom := expressionName(e)
		w.Nodes = append(w.Nodes, node{Name: name, Translation: &[3]float32{}})
		roots = append(roots, n)
		w.weight(n, c.Expressions[e])
		if isCustom {
			custom[name] = object{"node": n}
		} else {
			preset[name] = object{"node": n}
		}
	}
	ext := object{"specVersion": "1.0", "humanoid": object{"humanBones": humanBones}}
	if len(preset)+len(custom) > 0 {
		ext["expressions"] = object{"preset": preset, "custom": custom}
	}
	w.anim.Extras = object{"yui": clipExtras{
		c.Name, c.Group, c.Loop, c.Duration, c.Phases, c.Moments, c.Speed, c.Stride, c.Rise, c.Entry, c.Exit,
		c.BPM, c.Stage, c.Feet, c.Contacts, c.Optional.Ears, c.Optional.Tail,
	}}
	w.Scenes = []scene{{roots}}
	w.Animations = []animation{w.anim}
	w.Extensions = object{"VRMC_vrm_animation": ext}
	return w.encode()
}

// expressionName is the VRM name of a face of the motion study.
func expressionName(e string) (name string, custom bool) {
	switch e {
	case "joy":
		return "ex_smile", true
	case "sleepy":
		return "ex_sleepy", true
	}
	return e, false
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// hips writes the hips' place, never as a constant alone: its last key gives the animation its length.
func (w *clipWriter) hips(node int, rest vec) error {
	keys := w.c.HipsOffset.Keys
	if len(keys) == 0 {
		keys = [][4]float64{{}}
	}
	if keys[len(keys)-1][0] < w.c.Duration {
		last := keys[len(keys)-1]
		last[0] = w.c.Duration
		keys = append(keys[:len(keys):len(keys)], last)
	}
	t := curve{loop: w.c.Loop == "loop"}
	for _, k := range keys {
		t.times = append(t.times, k[0])
		t.values = append(t.values, []float64{rest[0] + k[1], rest[1] + k[2], rest[2] + k[3]})
	}
	return w.channel(node, "translation", "VEC3", w.c.HipsOffset.Interp, t)
}

func (w *clipWriter) rotation(node int, tr track) error {
	t := curve{loop: w.c.Loop == "loop", turns: true}
	for _, k := range tr.Keys {
		q := eulerQuat(k[1], k[2], k[3])
		if n := len(t.values); n > 0 && dot(t.values[n-1], q) < 0 {
			for i := range q {
				q[i] = -q[i]
			}
		}
		t.times, t.values = append(t.times, k[0]), append(t.values, q)
	}
	return w.channel(node, "rotation", "VEC4", tr.Interp, t)
}

// weight writes an expression as VRMA has it: the x of a node's translation.
func (w *clipWriter) weight(node int, keys [][2]float64) {
	t := curve{loop: w.c.Loop == "loop"}
	for _, k := range keys {
		t.times, t.values = append(t.times, k[0]), append(t.values, []float64{k[1], 0, 0})
	}
	w.add(node, "translation", "VEC3", "CUBICSPLINE", t.times, t.spline())
}

func (w *clipWriter) channel(node int, path, kind, interp string, t curve) error {
	switch interp {
	case "spline":
		w.add(node, path, kind, "CUBICSPLINE", t.times, t.spline())
	case "slerp", "linear":
		w.add(node, path, kind, "LINEAR", t.times, t.plain())
	case "const":
		w.add(node, path, kind, "STEP", t.times[:1], t.plain()[:len(t.values[0])])
	default:
		return fmt.Errorf("interpolation %q is unknown", interp)
	}
	return nil
}

func (w *clipWriter) add(node int, path, kind, interp string, times []float64, values []float64) {
	input := toFloat32(times)
	key := string(floats(input))
	in, ok := w.times[key]
	if !ok {
		in = w.floatAccessor("SCALAR", input, 0, true)
		w.times[key] = in
	}
	w.anim.Samplers = append(w.anim.Samplers, animSampler{in, interp, w.floatAccessor(kind, toFloat32(values), 0, false)})
	w.anim.Channels = append(w.anim.Channels, channel{len(w.anim.Samplers) - 1, channelTarget{node, path}})
}

func toFloat32(v []float64) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	return out
}

// eulerQuat is the rotation Rx*Ry*Rz of degrees, as x y z w.
func eulerQuat(x, y, z float64) []float64 {
	sx, cx := math.Sincos(radians(x) / 2)
	sy, cy := math.Sincos(radians(y) / 2)
	sz, cz := math.Sincos(radians(z) / 2)
	return []float64{
		sx*cy*cz + cx*sy*sz,
		cx*sy*cz - sx*cy*sz,
		cx*cy*sz + sx*sy*cz,
		cx*cy*cz - sx*sy*sz,
	}
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}
