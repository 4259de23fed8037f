package vrm

import (
	"encoding/json"
	"maps"
	"slices"

	"yui/avatar/vrm/geom"
)

// jsonVRM1 is VRMC_vrm 1.0.
type jsonVRM1 struct {
	SpecVersion string `json:"specVersion"`
	Meta        struct {
		Name      string   `json:"name"`
		Version   string   `json:"version"`
		Authors   []string `json:"authors"`
		Copyright string   `json:"copyrightInformation"`
		License   string   `json:"licenseUrl"`
		Other     string   `json:"otherLicenseUrl"`
	} `json:"meta"`
	Humanoid struct {
		Bones map[string]struct {
			Node *int `json:"node"`
		} `json:"humanBones"`
	} `json:"humanoid"`
	Expressions struct {
		Preset map[string]jsonExpression `json:"preset"`
		Custom map[string]jsonExpression `json:"custom"`
	} `json:"expressions"`
	FirstPerson struct {
		Annotations []struct {
			Node *int   `json:"node"`
			Type string `json:"type"`
		} `json:"meshAnnotations"`
	} `json:"firstPerson"`
	LookAt *struct {
		Type   string    `json:"type"`
		Offset []float32 `json:"offsetFromHeadBone"`
		Inner  *jsonMap1 `json:"rangeMapHorizontalInner"`
		Outer  *jsonMap1 `json:"rangeMapHorizontalOuter"`
		Down   *jsonMap1 `json:"rangeMapVerticalDown"`
		Up     *jsonMap1 `json:"rangeMapVerticalUp"`
	} `json:"lookAt"`
}

type jsonMap1 struct {
	InMax    *float32 `json:"inputMaxValue"`
	OutScale *float32 `json:"outputScale"`
}

type jsonExpression struct {
	Binary bool `json:"isBinary"`
	Morphs []struct {
		Node   *int    `json:"node"`
		Index  *int    `json:"index"`
		Weight float32 `json:"weight"`
	} `json:"morphTargetBinds"`
	Colors []struct {
		Material *int      `json:"material"`
		Type     string    `json:"type"`
		Target   []float32 `json:"targetValue"`
	} `json:"materialColorBinds"`
	UVs []struct {
		Material *int      `json:"material"`
		Offset   []float32 `json:"offset"`
		Scale    []float32 `json:"scale"`
	} `json:"textureTransformBinds"`
	Blink  string `json:"overrideBlink"`
	LookAt string `json:"overrideLookAt"`
	Mouth  string `json:"overrideMouth"`
}

// presets are the expression presets of VRM 1.0 in the order in which a model lists them.
var presets = []string{
	"happy", "angry", "sad", "relaxed", "surprised", "aa", "ih", "ou", "ee", "oh",
	"blink", "blinkLeft", "blinkRight", "lookUp", "lookDown", "lookLeft", "lookRight", "neutral",
}

var colorTypes = []string{"color", "shadeColor", "emissionColor", "matcapColor", "rimColor", "outlineColor"}

// loadVRM1 reads VRMC_vrm into the model: nodes must be there, meshes and materials need not.
func (f *file) loadVRM1(m *Model) {
	var j jsonVRM1
	f.extension("VRMC_vrm", f.Extensions.VRM1, &j)
	m.Version = "1.0"
	m.Meta = f.meta1(&j)
	own := map[int]bool{}
	for _, a := range j.FirstPerson.Annotations {
		if a.Node != nil && a.Type == firstPersonOnly {
			own[*a.Node] = true
		}
	}
	f.hide(m, func(i int) bool { return own[i] })
	for _, name := range slices.Sorted(maps.Keys(j.Humanoid.Bones)) {
		b, ok := ParseBone(name)
		switch node := j.Humanoid.Bones[name].Node; {
		case !ok:
			f.warn("humanoid bone %q is unknown", clip(name, 60))
		case node != nil:
			f.setBone(m, b, *node)
		}
	}
	for _, name := range presets {
		if e, ok := j.Expressions.Preset[name]; ok {
			m.Expressions = append(m.Expressions, f.expression(m, name, true, &e))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(j.Expressions.Custom)) {
		e := j.Expressions.Custom[name]
		if name = clip(name, maxName); name == "" || m.Find(name) >= 0 {
			f.warn("expression %q is there twice or has no name", name)
			continue
		}
		m.Expressions = append(m.Expressions, f.expression(m, name, false, &e))
	}
	if l := j.LookAt; l != nil {
		m.LookAt.Type = l.Type
		if l.Type != "bone" && l.Type != "expression" {
			m.LookAt.Type = "bone"
		}
		copy(m.LookAt.Offset[:], l.Offset)
		m.LookAt.Offset = sane(m.LookAt.Offset)
		out := float32(10)
		if l.Type == "expression" {
			out = 1
		}
		m.LookAt.HorizInner, m.LookAt.HorizOuter = l.Inner.plain(out), l.Outer.plain(out)
		m.LookAt.Dn, m.LookAt.Up = l.Down.plain(out), l.Up.plain(out)
	}
}

func (f *file) meta1(j *jsonVRM1) Meta {
	license := j.Meta.License
	if j.Meta.Other != "" {
		license = j.Meta.Other
	}
	return f.meta(j.Meta.Name, j.Meta.Version, j.Meta.Copyright, license, j.Meta.Authors)
}

func (f *file) meta(name, version, copyright, license string, authors []string) Meta {
	m := Meta{Name: clip(name, maxText), Version: clip(version, maxText), Copyright: clip(copyright, maxText), License: clip(license, maxText)}
	for _, a := range authors[:min(len(authors), 64)] {
		m.Authors = append(m.Authors, clip(a, maxText))
	}
	if m.Copyright == "" {
		m.Copyright = clip(f.Asset.Copyright, maxText)
	}
	return m
}

// plain fills the defaults in: 90 degrees, and 10 degrees of eye or a whole expression.
func (r *jsonMap1) plain(out float32) RangeMap {
	m := RangeMap{InMax: 90, OutScale: out}
	if r != nil && r.InMax != nil {
		m.InMax = *r.InMax
	}
	if r != nil && r.OutScale != nil {
		m.OutScale = *r.OutScale
	}
	return m.tidy()
}

// tidy keeps the input range above zero, for users divide by it.
func (r RangeMap) tidy() RangeMap {
	return RangeMap{InMax: min(max(r.InMax, 0.1), 180), OutScale: min(max(r.OutScale, 0), 180)}
}

func (f *file) expression(m *Model, name string, preset bool, j *jsonExpression) Expression {
	e := Expression{Name: name, Preset: preset, Binary: j.Binary, Blink: override(j.Blink), LookAt: override(j.LookAt), MouthPolicy: override(j.Mouth)}
	for _, b := range j.Morphs {
		if b.Node != nil && f.unseen[*b.Node] {
			continue
		}
		if b.Node == nil || b.Index == nil || !f.morphThere(m, *b.Node, *b.Index) {
			f.warn("expression %q moves a morph target that does not exist", name)
			continue
		}
		if !f.bind() {
			break
		}
		e.Morphs = append(e.Morphs, MorphBind{Node: *b.Node, Target: *b.Index, Weight: min(max(b.Weight, -10), 10)})
	}
	for _, b := range j.Colors {
		if b.Material == nil || *b.Material < 0 || *b.Material >= len(f.Materials) || !slices.Contains(colorTypes, b.Type) || len(b.Target) < 3 {
			f.warn("expression %q colours a material that does not exist", name)
			continue
		}
		c := ColorBind{Material: *b.Material, Type: b.Type, Target: [4]float32{0, 0, 0, 1}}
		copy(c.Target[:], b.Target)
		e.Colors = append(e.Colors, c)
	}
	for _, b := range j.UVs {
		if b.Material == nil || *b.Material < 0 || *b.Material >= len(f.Materials) {
			f.warn("expression %q moves the texture of a material that does not exist", name)
			continue
		}
		u := UVBind{Material: *b.Material, Scale: [2]float32{1, 1}}
		copy(u.Offset[:], b.Offset)
		copy(u.Scale[:], b.Scale)
		e.UVs = append(e.UVs, u)
	}
	return e
}

func override(s string) Override {
	switch s {
	case "block":
		return OverrideBlock
	case "blend":
		return OverrideBlend
	}
	return OverrideNone
}

// morphThere reports whether a node's mesh has a morph target of that number.
func (f *file) morphThere(m *Model, node, target int) bool {
	if node < 0 || node >= len(m.Nodes) || m.Nodes[node].Mesh < 0 || target < 0 {
		return false
	}
	return target < f.targetCounts()[m.Nodes[node].Mesh]
}

// targetCounts returns how many morph targets each mesh has.
func (f *file) targetCounts() []int {
	if f.most == nil {
		f.most = make([]int, len(f.Meshes))
		for i, mesh := range f.Meshes {
			for _, p := range mesh.Primitives {
				f.most[i] = max(f.most[i], len(p.Targets))
			}
		}
	}
	return f.most
}

// bind takes one bind off the file's budget.
func (f *file) bind() bool {
	if f.binds--; f.binds == -1 {
		f.warn("the expressions have more than %d binds, the rest is left out", maxBinds)
	}
	return f.binds >= 0
}

// moved lists the morph targets that the expressions use.
func (m *Model) moved() morphUse {
	use := morphUse{}
	for _, e := range m.Expressions {
		for _, b := range e.Morphs {
			use.add(m.Nodes[b.Node].Mesh, b.Target)
		}
	}
	return use
}

// letExpressionsWin takes the weight that a mesh gives to a morph target away if an expression moves that target: an
// expression sets its value, it does not add to one.
func (m *Model) letExpressionsWin() {
	for _, e := range m.Expressions {
		for _, b := range e.Morphs {
			if w := m.Meshes[m.Nodes[b.Node].Mesh].Weights; b.Target < len(w) {
				w[b.Target] = 0
			}
		}
	}
}

// Find returns the number of the expression with this name, -1 if the model has none.
func (m *Model) Find(name string) int {
	return slices.IndexFunc(m.Expressions, func(e Expression) bool { return e.Name == name })
}

// sane returns a vector of an extension, or zero if it is out of bounds.
func sane(v geom.Vec3) geom.Vec3 {
	if !v.Finite() || v.Len() > maxLength {
		return geom.Vec3{}
	}
	return v
}

// asExtras keeps a copy of the bytes, so that the model does not hold on to the file.
func asExtras(raws ...json.RawMessage) json.RawMessage {
	for _, raw := range raws {
		if e := yuiExtras(raw); e != nil {
			return slices.Clone(e)
		}
	}
	return nil
}
