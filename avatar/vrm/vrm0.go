package vrm

import (
	"slices"
	"strings"

	"yui/avatar/vrm/geom"
)

// jsonVRM0 is the extension "VRM" of VRM 0.x.
type jsonVRM0 struct {
	Meta struct {
		Title    string `json:"title"`
		Version  string `json:"version"`
		Author   string `json:"author"`
		License  string `json:"licenseName"`
		OtherURL string `json:"otherLicenseUrl"`
	} `json:"meta"`
	Humanoid struct {
		Bones []struct {
			Bone string `json:"bone"`
			Node *int   `json:"node"`
		} `json:"humanBones"`
	} `json:"humanoid"`
	FirstPerson struct {
		Annotations []struct {
			Mesh *int   `json:"mesh"`
			Flag string `json:"firstPersonFlag"`
		} `json:"meshAnnotations"`
		Offset jsonPoint0 `json:"firstPersonBoneOffset"`
		Type   string     `json:"lookAtTypeName"`
		Inner  *jsonMap0  `json:"lookAtHorizontalInner"`
		Outer  *jsonMap0  `json:"lookAtHorizontalOuter"`
		Down   *jsonMap0  `json:"lookAtVerticalDown"`
		Up     *jsonMap0  `json:"lookAtVerticalUp"`
	} `json:"firstPerson"`
	Faces struct {
		Groups []jsonGroup0 `json:"blendShapeGroups"`
	} `json:"blendShapeMaster"`
	Secondary struct {
		Bones     []jsonSpring0 `json:"boneGroups"`
		Colliders []struct {
			Node      *int `json:"node"`
			Colliders []struct {
				Offset jsonPoint0 `json:"offset"`
				Radius float32    `json:"radius"`
			} `json:"colliders"`
		} `json:"colliderGroups"`
	} `json:"secondaryAnimation"`
	Materials []jsonMaterial0 `json:"materialProperties"`
}

type jsonPoint0 struct{ X, Y, Z float32 }

func (p jsonPoint0) point() geom.Vec3 { return sane(unityPoint(p.X, p.Y, p.Z)) }

type jsonMap0 struct {
	X *float32 `json:"xRange"`
	Y *float32 `json:"yRange"`
}

type jsonGroup0 struct {
	Name   string `json:"name"`
	Preset string `json:"presetName"`
	Binary bool   `json:"isBinary"`
	Binds  []struct {
		Mesh   *int    `json:"mesh"`
		Index  *int    `json:"index"`
		Weight float32 `json:"weight"`
	} `json:"binds"`
	Values []struct {
		Material string    `json:"materialName"`
		Property string    `json:"propertyName"`
		Target   []float32 `json:"targetValue"`
	} `json:"materialValues"`
}

type jsonSpring0 struct {
	Comment   string     `json:"comment"`
	Stiffness float32    `json:"stiffiness"` // so spelled in VRM 0.x
	Power     float32    `json:"gravityPower"`
	Dir       jsonPoint0 `json:"gravityDir"`
	Drag      float32    `json:"dragForce"`
	Radius    float32    `json:"hitRadius"`
	Center    *int       `json:"center"`
	Bones     []int      `json:"bones"`
	Groups    []int      `json:"colliderGroups"`
}

// presets0 are the names of 1.0 for the presets of 0.x. "surprised" came with 1.0; models of 0.x have it as their own.
var presets0 = map[string]string{
	"neutral": "neutral", "joy": "happy", "angry": "angry", "sorrow": "sad", "fun": "relaxed", "surprised": "surprised",
	"a": "aa", "i": "ih", "u": "ou", "e": "ee", "o": "oh", "blink": "blink", "blink_l": "blinkLeft", "blink_r": "blinkRight",
	"lookup": "lookUp", "lookdown": "lookDown", "lookleft": "lookLeft", "lookright": "lookRight",
}

// file0 is the reader of what a file of VRM 0.x says in its own way.
type file0 struct{ *file }

func (f file0) loadVRM0(m *Model, j *jsonVRM0) {
	m.Version = "0.x"
	m.Meta = f.meta0(j)
	own := map[int]bool{}
	for _, a := range j.FirstPerson.Annotations {
		if a.Mesh != nil && strings.EqualFold(a.Flag, firstPersonOnly) {
			own[*a.Mesh] = true
		}
	}
	f.hide(m, func(i int) bool { return own[m.Nodes[i].Mesh] })
	for _, h := range j.Humanoid.Bones {
		b, ok := parseBone0(h.Bone)
		switch {
		case !ok:
			f.warn("humanoid bone %q is unknown", clip(h.Bone, 60))
		case h.Node != nil && *h.Node >= 0:
			f.setBone(m, b, *h.Node)
		}
	}
	f.faces0(m, j.Faces.Groups)
	j.look(m)
}

func (f file0) meta0(j *jsonVRM0) Meta {
	license := strings.TrimSpace(j.Meta.License + " " + j.Meta.OtherURL)
	var authors []string
	if j.Meta.Author != "" {
		authors = []string{j.Meta.Author}
	}
	return f.meta(j.Meta.Title, j.Meta.Version, "", license, authors)
}

func (j *jsonVRM0) look(m *Model) {
	p := &j.FirstPerson
	out := float32(10)
	m.LookAt.Type = "bone"
	if p.Type == "BlendShape" {
		m.LookAt.Type, out = "expression", 1
	}
	m.LookAt.Offset = p.Offset.point()
	m.LookAt.HorizInner, m.LookAt.HorizOuter = p.Inner.plain(out), p.Outer.plain(out)
	m.LookAt.Dn, m.LookAt.Up = p.Down.plain(out), p.Up.plain(out)
}

// plain reads a degree map. Its curve is taken as straight, as other readers do.
func (r *jsonMap0) plain(out float32) RangeMap {
	m := RangeMap{InMax: 90, OutScale: out}
	if r != nil && r.X != nil {
		m.InMax = *r.X
	}
	if r != nil && r.Y != nil {
		m.OutScale = *r.Y
	}
	return m.tidy()
}

// faces0 turns blend shape groups into expressions. A group whose preset is unknown but whose name is a preset's, and
// free, is that preset: many models were made so.
func (f file0) faces0(m *Model, groups []jsonGroup0) {
	names := make([]string, len(groups))
	taken := map[string]bool{}
	for i, g := range groups {
		if n := presets0[strings.ToLower(g.Preset)]; n != "" && !taken[n] {
			names[i], taken[n] = n, true
		}
	}
	for i, g := range groups {
		if n := presets0[strings.ToLower(g.Name)]; names[i] == "" && n != "" && !taken[n] {
			names[i], taken[n] = n, true
		}
	}
	shown := map[int][]int{}
	unseen := map[int]bool{}
	for i, n := range m.Nodes {
		if n.Mesh >= 0 {
			shown[n.Mesh] = append(shown[n.Mesh], i)
		} else if f.unseen[i] {
			unseen[*f.Nodes[i].Mesh] = true
		}
	}
	materials := map[string][]int{}
	for i := range f.Materials {
		materials[f.Materials[i].Name] = append(materials[f.Materials[i].Name], i)
	}
	for i, g := range groups {
		e := Expression{Name: names[i], Preset: names[i] != "", Binary: g.Binary}
		if !e.Preset {
			if e.Name = clip(g.Name, maxName); e.Name == "" || taken[e.Name] {
				f.warn("expression %q is there twice or has no name", e.Name)
				continue
			}
			taken[e.Name] = true
		}
		f.binds0(&e, &g, shown, unseen, materials)
		m.Expressions = append(m.Expressions, e)
	}
	slices.SortStableFunc(m.Expressions, func(a, b Expression) int { return rank(a) - rank(b) })
}

// rank orders presets as VRM 1.0 lists them, a model's own expressions after them.
func rank(e Expression) int {
	if i := slices.Index(presets, e.Name); e.Preset && i >= 0 {
		return i
	}
	return len(presets)
}

func (f file0) binds0(e *Expression, g *jsonGroup0, shown map[int][]int, unseen map[int]bool, materials map[string][]int) {
	for _, b := range g.Binds {
		if b.Mesh != nil && unseen[*b.Mesh] && len(shown[*b.Mesh]) == 0 {
			continue
		}
		if b.Mesh == nil || b.Index == nil || len(shown[*b.Mesh]) == 0 || *b.Index < 0 || *b.Index >= f.targetCounts()[*b.Mesh] {
			f.warn("expression %q moves a morph target that does not exist", e.Name)
			continue
		}
		for _, n := range shown[*b.Mesh] {
			if !f.bind() {
				return
			}
			e.Morphs = append(e.Morphs, MorphBind{Node: n, Target: *b.Index, Weight: min(max(b.Weight/100, -10), 10)})
		}
	}
	for _, v := range g.Values {
		if len(v.Target) < 4 {
			continue
		}
		for _, i := range materials[v.Material] {
			if !f.bind() {
				return
			}
			materialValue0(e, i, v.Property, [4]float32(v.Target))
		}
	}
}

// materialValue0 converts a Unity shader property to a bind. Colours are sRGB there, but for the emission.
func materialValue0(e *Expression, material int, property string, v [4]float32) {
	kinds := map[string]string{
		"_Color": "color", "_ShadeColor": "shadeColor", "_EmissionColor": "emissionColor",
		"_RimColor": "rimColor", "_OutlineColor": "outlineColor",
	}
	if kind := kinds[property]; kind != "" {
		if kind != "emissionColor" {
			v = [4]float32{linear(v[0]), linear(v[1]), linear(v[2]), v[3]}
		}
		e.Colors = append(e.Colors, ColorBind{Material: material, Type: kind, Target: v})
		return
	}
	switch property { // scale x y, offset x y, v up
	case "_MainTex_ST":
	case "_MainTex_ST_S":
		v[1], v[3] = 1, 0
	case "_MainTex_ST_T":
		v[0], v[2] = 1, 0
	default:
		return
	}
	e.UVs = append(e.UVs, UVBind{Material: material, Scale: [2]float32{v[0], v[1]}, Offset: [2]float32{v[2], 1 - v[3] - v[1]}})
}

// springs0 turns secondaryAnimation into chains. There every node below a bone swings toward its first child; a further
// child begins a chain of its own, and a leaf swings a tail that is not there (VirtualTail).
func (f file0) springs0(m *Model, j *jsonVRM0) {
	groups := make([][]*Collider, len(j.Secondary.Colliders))
	for i, g := range j.Secondary.Colliders {
		if g.Node == nil || *g.Node < 0 || *g.Node >= len(m.Nodes) {
			f.warn("spring collider group %d has no node", i)
			continue
		}
		for _, c := range g.Colliders {
			groups[i] = append(groups[i], &Collider{Node: *g.Node, Offset: c.Offset.point(), Radius: min(max(c.Radius, 0), 100)})
		}
	}
	b := newSpringBuilder(f.file, m)
	for _, g := range j.Secondary.Bones {
		base := Spring{Name: clip(g.Comment, maxName), Center: b.node(g.Center)}
		joint := SpringJoint{
			HitRadius: g.Radius, Stiffness: g.Stiffness, Drag: g.Drag, GravityPower: g.Power, GravityDir: g.Dir.point(),
		}.tidy()
		for _, root := range g.Bones {
			if root < 0 || root >= len(m.Nodes) {
				f.warn("spring %q names node %d, which does not exist", base.Name, root)
				continue
			}
			b.chains0(base, joint, root, groups, g.Groups)
		}
	}
	b.order()
}

// chains0 adds the chains of the tree below root.
func (b *springBuilder) chains0(base Spring, joint SpringJoint, root int, groups [][]*Collider, which []int) {
	var shared Spring // the chains of one tree share the list of colliders: it is read only
	b.collide(&shared, groups, which)
	for todo := []int{root}; len(todo) > 0; {
		s := base
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for !b.taken[at] {
			b.taken[at] = true
			joint.Node = at
			s.Joints = append(s.Joints, joint)
			kids := b.m.Nodes[at].Children
			if len(kids) == 0 {
				break
			}
			todo = append(todo, kids[1:]...)
			at = kids[0]
		}
		if len(s.Joints) == 0 {
			continue
		}
		last := &s.Joints[len(s.Joints)-1]
		last.VirtualTail = len(b.m.Nodes[last.Node].Children) == 0
		s.Colliders = shared.Colliders
		b.add(s)
	}
}
