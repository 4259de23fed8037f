package motion

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// studyHips is the rest height of the hips joint in the motion study's unit H.
const studyHips = 0.205

// Info is what the app must know of a clip to play it in its place.
type Info struct {
	Duration time.Duration
	Loop     bool
	// Phases are named spans of the clip, Moments named points in it.
	Phases  map[clips.Phase][2]time.Duration
	Moments map[clips.Moment]time.Duration
	// Speed, Stride and Rise are the root movement that the app supplies, in H a second and H a cycle
	// (times Anatomy.Unit for metres).
	Speed, Stride, Rise float32
	// Entry is where the root is when the clip starts, from the clip's own origin; Exit is to be added to the root when
	// the clip has ended. Both in H.
	Entry, Exit geom.Vec3
	// BPM is the beat of a dance, 0 for none.
	BPM float32
}

// extras is the JSON beside a VRMA's own tracks; shapes and units are those of the motion study.
type extras struct {
	Name     string                     `json:"name"`
	Group    clips.Group                `json:"group"`
	Loop     string                     `json:"loop"`
	Duration float64                    `json:"duration"`
	Phases   map[clips.Phase][2]float64 `json:"phases"`
	Moments  map[clips.Moment]float64   `json:"moments"`
	Speed    float32                    `json:"speed"`
	Stride   float32                    `json:"stride"`
	Rise     float32                    `json:"rise"`
	Entry    []float32                  `json:"entry"`
	Exit     []float32                  `json:"exit"`
	BPM      float32                    `json:"bpm"`
	Feet     *struct {
		Interp string      `json:"interp"`
		Left   [][]float32 `json:"left"`
		Right  [][]float32 `json:"right"`
		Weight [][]float32 `json:"weight"`
	} `json:"feet"`
	Contacts []struct {
		Limb     string      `json:"limb"`
		Target   string      `json:"target"`
		Landmark string      `json:"landmark"`
		Weight   [][]float32 `json:"weight"`
	} `json:"contacts"`
	Ears [][]float32 `json:"ears"`
	Tail [][]float32 `json:"tail"`
}

// clip is an animation in normalised form: rotations away from any model's rest pose, lengths in hips heights.
type clip struct {
	id    clips.ID
	group clips.Group
	info  Info
	dur   float32
	loop  bool

	bones    []boneCurve
	hips     *curve // offset from the rest position, in hips heights
	faces    []faceCurve
	feet     [2]*curve // left, right: dx dy dz (H), pitch, yaw (degrees)
	feetW    *curve
	contacts []contact
	ears     *curve
	tail     *curve
	rule     motionRule
}

type boneCurve struct {
	bone vrm.Bone
	rot  *curve
}

type faceCurve struct {
	face   int // index in Library.faces
	weight *curve
}

type contact struct {
	limb   limb
	mark   landmark
	weight *curve
}

// newClip turns an animation into a clip. faceOf numbers the names of expressions.
func newClip(id clips.ID, a *vrm.Animation, faceOf func(string) int) (*clip, error) {
	if a == nil {
		return nil, errors.New("no animation")
	}
	var x extras
	if len(a.Extras) > 0 {
		if err := json.Unmarshal(a.Extras, &x); err != nil {
			return nil, fmt.Errorf("read extras: %w", err)
		}
	}
	dur := a.Duration
	if x.Duration > 0 {
		dur = x.Duration
	}
	if math.IsNaN(dur) || dur < 0 || dur > 3600 {
		return nil, fmt.Errorf("read duration: %v s", dur)
	}
	c := &clip{id: id, group: x.Group, dur: max(float32(dur), 1e-3), rule: ruleOf(id)}
	c.loop = x.Loop == "loop" || x.Loop == "" && c.rule.loop
	if c.group == "" {
		c.group = c.rule.group
	}
	c.info = Info{
		Duration: seconds(float64(c.dur)), Loop: c.loop,
		Speed: x.Speed, Stride: x.Stride, Rise: x.Rise, BPM: x.BPM,
	}
	if len(x.Entry) == 3 {
		c.info.Entry = geom.Vec3(x.Entry)
	}
	if len(x.Exit) == 3 {
		c.info.Exit = geom.Vec3(x.Exit)
	}
	if len(x.Phases) > 0 {
		c.info.Phases = make(map[clips.Phase][2]time.Duration, len(x.Phases))
		for k, v := range x.Phases {
			c.info.Phases[k] = [2]time.Duration{seconds(v[0]), seconds(v[1])}
		}
	}
	if len(x.Moments) > 0 {
		c.info.Moments = make(map[clips.Moment]time.Duration, len(x.Moments))
		for k, v := range x.Moments {
			c.info.Moments[k] = seconds(v)
		}
	}
	if err := c.addTracks(a, faceOf); err != nil {
		return nil, err
	}
	return c, c.addExtras(&x)
}

func seconds(s float64) time.Duration {
	return time.Duration(min(max(s, -3600), 3600) * float64(time.Second))
}

func (c *clip) addTracks(a *vrm.Animation, faceOf func(string) int) error {
	for _, b := range a.Bones {
		if b.Bone < 0 || b.Bone >= vrm.BoneCount || len(b.Rotation.Times) == 0 {
			continue
		}
		if b.Rotation.Width != 4 {
			return fmt.Errorf("read %v: rotation of width %d", b.Bone, b.Rotation.Width)
		}
		rot, err := curveOf(b.Rotation)
		if err != nil {
			return fmt.Errorf("read %v: %w", b.Bone, err)
		}
		// Normalised turn = parent's rest * local * own rest inverse; parent's rest = own rest * local rest inverse.
		world, local := orIdent(b.RestWorld), orIdent(b.RestLocal)
		rot.mapTurns(world.Mul(local.Inv()), world.Inv())
		c.bones = append(c.bones, boneCurve{b.Bone, rot})
	}
	if err := c.addHips(a); err != nil {
		return err
	}
	for _, e := range a.Expressions {
		if len(e.Weight.Times) == 0 || e.Weight.Width != 1 {
			continue
		}
		w, err := curveOf(e.Weight)
		if err != nil {
			return fmt.Errorf("read expression %q: %w", e.Name, err)
		}
		c.faces = append(c.faces, faceCurve{faceOf(e.Name), w})
	}
	return nil
}

func orIdent(q geom.Quat) geom.Quat {
	if q == (geom.Quat{}) {
		return geom.Ident
	}
	return q.Unit()
}

// addHips stores the hips' way away from rest in hips heights. A loop of another maker that walks away gets its drift
// taken off: the desktop window moves the root, not the clip.
func (c *clip) addHips(a *vrm.Animation) error {
	if a.HipsMove == nil || len(a.HipsMove.Times) == 0 || a.HipsMove.Width != 3 {
		return nil
	}
	h, err := curveOf(*a.HipsMove)
	if err != nil {
		return fmt.Errorf("read hips: %w", err)
	}
	scale := a.RestHips[1]
	if !finite(scale) || scale < 1e-4 {
		return errors.New("read hips: the rest pose has no height")
	}
	n := len(h.times)
	for i := range h.vals {
		h.vals[i] = (h.vals[i] - a.RestHips[i%3]) / scale
	}
	for i := range h.in {
		h.in[i] /= scale
		h.out[i] /= scale
	}
	if span := h.times[n-1] - h.times[0]; c.loop && len(a.Extras) == 0 && span > 0 {
		for _, j := range []int{0, 2} {
			rate := (h.vals[(n-1)*3+j] - h.vals[j]) / span
			for i := range n {
				h.vals[i*3+j] -= rate * (h.times[i] - h.times[0])
				if h.in != nil {
					h.in[i*3+j] -= rate
					h.out[i*3+j] -= rate
				}
			}
		}
	}
	c.hips = h
	return nil
}

func (c *clip) addExtras(x *extras) error {
	var err error
	opt := func(keys [][]float32, width int, spline bool) *curve {
		if len(keys) == 0 || err != nil {
			return nil
		}
		var k *curve
		k, err = keyCurve(keys, width, spline, c.loop)
		return k
	}
	if f := x.Feet; f != nil {
		spline := f.Interp != "linear"
		c.feet = [2]*curve{opt(f.Left, 5, spline), opt(f.Right, 5, spline)}
		c.feetW = opt(f.Weight, 1, false)
		if (c.feet[0] == nil) != (c.feet[1] == nil) && err == nil {
			err = errors.New("only one foot")
		}
	}
	for _, k := range x.Contacts {
		if k.Target == "" {
			k.Target = k.Landmark
		}
		l, m := limbOf(k.Limb), markOf(k.Target)
		if w := opt(k.Weight, 1, false); w != nil && l != noLimb && m != noMark {
			c.contacts = append(c.contacts, contact{l, m, w})
		}
	}
	c.ears = opt(x.Ears, 2, true)
	c.tail = opt(x.Tail, 3, true)
	if err != nil {
		return fmt.Errorf("read extras: %w", err)
	}
	return nil
}
