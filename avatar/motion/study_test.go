package motion

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// The motion study as the builder of the bundled motions has it; tests compare against its own numbers.
type study struct {
	Reference struct {
		Joints map[string]struct {
			Parent string     `json:"parent"`
			Pos    [3]float32 `json:"pos"`
		} `json:"joints"`
	} `json:"reference"`
	Motions []studyMotion `json:"motions"`
}

type studyMotion struct {
	Name     clips.ID `json:"name"`
	Duration float32  `json:"duration"`
	Loop     string   `json:"loop"`
	Hips     struct {
		Interp string      `json:"interp"`
		Keys   [][]float32 `json:"keys"`
	} `json:"hipsOffset"`
	Tracks map[string]struct {
		Interp string      `json:"interp"`
		Keys   [][]float32 `json:"keys"`
	} `json:"tracks"`
	Expressions map[string][][]float32 `json:"expressions"`
	Optional    struct {
		Ears [][]float32 `json:"ears"`
		Tail [][]float32 `json:"tail"`
	} `json:"optional"`
	raw map[string]json.RawMessage
}

func loadStudy(t testing.TB) *study {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "assets", "build", "motions.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s study
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	var raw struct {
		Motions []map[string]json.RawMessage `json:"motions"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	for i := range s.Motions {
		s.Motions[i].raw = raw.Motions[i]
	}
	return &s
}

func (s *study) motion(name clips.ID) *studyMotion {
	for i := range s.Motions {
		if s.Motions[i].Name == name {
			return &s.Motions[i]
		}
	}
	return nil
}

// model is the study's skeleton, H high, without a mesh; height scales it.
func (s *study) model(height float32) *vrm.Model {
	m := &vrm.Model{Version: "1.0"}
	for i := range m.Humanoid {
		m.Humanoid[i] = -1
	}
	var add func(parent string, at int)
	add = func(parent string, at int) {
		var names []string
		for n, j := range s.Reference.Joints {
			if j.Parent == parent {
				names = append(names, n)
			}
		}
		slices.Sort(names)
		for _, n := range names {
			j := s.Reference.Joints[n]
			pos := geom.Vec3(j.Pos).Mul(height)
			node := vrm.Node{Name: n, Parent: at, Mesh: -1, Skin: -1, Translation: pos, Rotation: geom.Ident, Scale: geom.Vec3{1, 1, 1}}
			if at >= 0 {
				node.Translation = pos.Sub(m.Rest[at].Pos())
				m.Nodes[at].Children = append(m.Nodes[at].Children, len(m.Nodes))
			} else {
				m.Roots = append(m.Roots, len(m.Nodes))
			}
			b, _ := vrm.ParseBone(n)
			m.Humanoid[b] = len(m.Nodes)
			m.Order = append(m.Order, len(m.Nodes))
			m.Nodes = append(m.Nodes, node)
			m.Rest = append(m.Rest, geom.TRS(pos, geom.Ident, node.Scale))
			add(n, len(m.Nodes)-1)
		}
	}
	add("", -1)
	m.Min, m.Max = geom.Vec3{-.35 * height, 0, -.3 * height}, geom.Vec3{.35 * height, 1.17 * height, .3 * height}
	for _, n := range []string{"happy", "sad", "relaxed", "surprised", "blink", "aa", "ex_smile", "ex_sleepy", "lookUp", "lookDown", "lookLeft", "lookRight"} {
		m.Expressions = append(m.Expressions, vrm.Expression{Name: n, Preset: !strings.HasPrefix(n, "ex_")})
	}
	m.Expressions[0].Blink = vrm.OverrideBlock
	r := vrm.RangeMap{InMax: 25, OutScale: 1}
	m.LookAt = vrm.LookAt{Type: "expression", HorizInner: r, HorizOuter: r, Up: r, Dn: r}
	return m
}

// animation is a motion as a VRMA of ours would bring it: tracks in glTF's form, the rest in extras.
func (m *studyMotion) animation(t testing.TB) *vrm.Animation {
	t.Helper()
	loop := m.Loop == "loop"
	a := &vrm.Animation{Name: string(m.Name), Duration: float64(m.Duration), RestHips: geom.Vec3{0, studyHips, 0}}
	for name, tr := range m.Tracks {
		b, ok := vrm.ParseBone(name)
		if !ok {
			t.Fatalf("%s: no bone %q", m.Name, name)
		}
		keys := make([][]float32, len(tr.Keys))
		for i, k := range tr.Keys {
			q := geom.Euler(k[1]*rad, k[2]*rad, k[3]*rad)
			if i > 0 && q.Dot(geom.Quat(keys[i-1][1:])) < 0 {
				q = geom.Quat{-q[0], -q[1], -q[2], -q[3]}
			}
			keys[i] = []float32{k[0], q[0], q[1], q[2], q[3]}
		}
		a.Bones = append(a.Bones, vrm.BoneTrack{
			Bone: b, Rotation: gltfTrack(t, keys, 4, tr.Interp == "spline", loop), RestLocal: geom.Ident, RestWorld: geom.Ident,
		})
	}
	var hips [][]float32
	for _, k := range m.Hips.Keys {
		hips = append(hips, []float32{k[0], k[1], k[2] + studyHips, k[3]})
	}
	if len(hips) > 0 {
		h := gltfTrack(t, hips, 3, m.Hips.Interp == "spline", loop)
		a.HipsMove = &h
	}
	for n, k := range m.Expressions {
		a.Expressions = append(a.Expressions, vrm.ExpressionTrack{Name: n, Weight: gltfTrack(t, k, 1, true, loop)})
	}
	x := map[string]any{}
	for _, k := range []string{"name", "group", "loop", "duration", "phases", "moments", "speed", "stride", "rise", "entry", "exit", "bpm", "feet", "contacts"} {
		if v, ok := m.raw[k]; ok {
			x[k] = v
		}
	}
	if m.Optional.Ears != nil {
		x["ears"] = m.Optional.Ears
	}
	if m.Optional.Tail != nil {
		x["tail"] = m.Optional.Tail
	}
	var err error
	if a.Extras, err = json.Marshal(x); err != nil {
		t.Fatal(err)
	}
	return a
}

func gltfTrack(t testing.TB, keys [][]float32, width int, spline, loop bool) vrm.Track {
	c, err := keyCurve(keys, width, spline, loop)
	if err != nil {
		t.Fatal(err)
	}
	tr := vrm.Track{Interp: c.interp, Width: width, Times: c.times}
	if c.interp != vrm.Cubic {
		tr.Values = c.vals
		return tr
	}
	for i := range c.times {
		for _, s := range [][]float32{c.in, c.vals, c.out} {
			tr.Values = append(tr.Values, s[i*width:(i+1)*width]...)
		}
	}
	return tr
}

func (s *study) library(t testing.TB) *Library {
	t.Helper()
	l := NewLibrary()
	for i := range s.Motions {
		if err := l.Add(s.Motions[i].Name, s.Motions[i].animation(t)); err != nil {
			t.Fatal(err)
		}
	}
	return l
}
