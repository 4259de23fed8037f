package vrm

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"yui/avatar/vrm/geom"
)

// morphUse says which morph targets the expressions move, by mesh. A nil morphUse keeps all; the data of a target that
// nothing moves is not kept (a face from a modelling program often has a hundred, the expressions move twenty).
type morphUse map[int]map[int]bool

func (u morphUse) add(mesh, target int) {
	if u[mesh] == nil {
		u[mesh] = map[int]bool{}
	}
	u[mesh][target] = true
}

func (u morphUse) keeps(mesh, target int, weights []float32) bool {
	return u == nil || u[mesh][target] || target < len(weights) && weights[target] != 0
}

// loadMeshes reads all geometry. Skins must be there already: they bound the joint numbers.
func (f *file) loadMeshes(m *Model, use morphUse) error {
	joints := f.jointRoom(m)
	m.Meshes = make([]Mesh, len(f.Meshes))
	for i := range f.Meshes {
		j := &f.Meshes[i]
		mesh := Mesh{Name: clip(j.Name, maxName), Weights: cleanWeights(j.Weights)}
		f.points = map[int][]geom.Vec3{}
		names := nameTargets(j)
		for k := range j.Primitives {
			p, err := f.primitive(m, j, k, joints[i], func(t int) bool { return use.keeps(i, t, mesh.Weights) })
			if err != nil {
				return fmt.Errorf("read mesh %d %q part %d: %w", i, mesh.Name, k, err)
			}
			if p == nil {
				continue
			}
			for t := range p.Targets {
				if t < len(names) {
					p.Targets[t].Name = names[t]
				}
			}
			mesh.Primitives = append(mesh.Primitives, *p)
		}
		mesh.evenTargets()
		m.Meshes[i] = mesh
	}
	f.points = nil
	return nil
}

// evenTargets gives every primitive and the weights as many targets as the one with most, as glTF demands of files.
func (mesh *Mesh) evenTargets() {
	most := 0
	for _, p := range mesh.Primitives {
		most = max(most, len(p.Targets))
	}
	for i := range mesh.Primitives {
		p := &mesh.Primitives[i]
		p.Targets = append(p.Targets, make([]Target, most-len(p.Targets))...)
	}
	if len(mesh.Weights) < most {
		mesh.Weights = append(mesh.Weights, make([]float32, most-len(mesh.Weights))...)
	}
	mesh.Weights = mesh.Weights[:most]
}

func cleanWeights(w []float32) []float32 {
	w = slices.Clone(w[:min(len(w), maxTargets)])
	for i, x := range w {
		if !(x >= -10 && x <= 10) {
			w[i] = 0
		}
	}
	return w
}

func nameTargets(j *jsonMesh) []string {
	var t targetNames
	for _, raw := range append([]json.RawMessage{j.Extras}, primitiveExtras(j)...) {
		if len(raw) > 0 && json.Unmarshal(raw, &t) == nil && len(t.Names) > 0 {
			break
		}
	}
	t.Names = t.Names[:min(len(t.Names), maxTargets)]
	for i, n := range t.Names {
		t.Names[i] = clip(n, maxName)
	}
	return t.Names
}

func primitiveExtras(j *jsonMesh) (out []json.RawMessage) {
	for _, p := range j.Primitives {
		out = append(out, p.Extras)
	}
	return out
}

// jointRoom tells for each mesh how many joints every skin it is shown with has: -1 if no node gives it a skin.
func (f *file) jointRoom(m *Model) []int {
	room := make([]int, len(f.Meshes))
	for i := range room {
		room[i] = -1
	}
	for _, n := range m.Nodes {
		if n.Mesh < 0 || n.Skin < 0 {
			continue
		}
		if have := len(m.Skins[n.Skin].Joints); room[n.Mesh] < 0 || have < room[n.Mesh] {
			room[n.Mesh] = have
		}
	}
	return room
}

// primitive reads one part of a mesh, nil for what cannot be seen.
func (f *file) primitive(m *Model, mesh *jsonMesh, k, joints int, keep func(int) bool) (*Primitive, error) {
	j := &mesh.Primitives[k]
	at, err := f.seen(mesh, k)
	if at < 0 || err != nil {
		return nil, err
	}
	p := &Primitive{Material: -1}
	if j.Material != nil {
		if *j.Material < 0 || *j.Material >= len(f.Materials) {
			return nil, fmt.Errorf("material %d does not exist", *j.Material)
		}
		p.Material = *j.Material
	}
	if p.Positions, err = f.pointList(at); err != nil {
		return nil, fmt.Errorf("positions: %w", err)
	}
	n := len(p.Positions)
	if p.Indices, err = f.triangles(j.Indices, j.mode(), n); err != nil {
		return nil, fmt.Errorf("triangles: %w", err)
	}
	if err := f.attributes(mesh.Name, j, p, n, joints); err != nil {
		return nil, err
	}
	if err := f.memory.take(int64(n) * 4); err != nil {
		return nil, err
	}
	pick := usedVertices(p.Indices, n)
	p.pickVertices(pick)
	if err := f.targets(j, p, n, pick, keep); err != nil {
		return nil, err
	}
	if p.Normals == nil {
		p.Normals = smoothNormals(p.Positions, p.Indices)
	}
	f.vertices -= len(p.Positions)
	f.indices -= len(p.Indices)
	if f.vertices < 0 || f.indices < 0 {
		return nil, fmt.Errorf("the model has more than %d million vertices or %d million triangle corners", maxVertices>>20, maxIndices>>20)
	}
	return p, nil
}

// mode returns how the corners form triangles: 4 is a list, the default.
func (j *jsonPrimitive) mode() int {
	if j.Mode == nil {
		return 4
	}
	return *j.Mode
}

// seen returns the accessor of a part's positions, or -1 if the part has nothing that YUI draws.
func (f *file) seen(mesh *jsonMesh, k int) (int, error) {
	j := &mesh.Primitives[k]
	at, ok := j.Attributes["POSITION"]
	switch {
	case j.mode() < 4 || j.mode() > 6:
		f.warn("mesh %q part %d: points and lines are not drawn", clip(mesh.Name, 60), k)
		return -1, nil
	case !ok:
		f.warn("mesh %q part %d has no positions", clip(mesh.Name, 60), k)
		return -1, nil
	case at < 0 || at >= len(f.Accessors):
		return -1, fmt.Errorf("positions: accessor %d does not exist", at)
	case len(j.Targets) > maxTargets:
		return -1, fmt.Errorf("%d morph targets are more than the %d that YUI reads", len(j.Targets), maxTargets)
	}
	switch a := &f.Accessors[at]; {
	case a.Count > maxVertices:
		return -1, fmt.Errorf("its vertex list is longer than %d million", maxVertices>>20)
	case a.BufferView != nil || a.Sparse != nil:
		return at, nil
	case j.Extensions != nil && j.Extensions.Draco != nil:
		return -1, errors.New("it is compressed with Draco, which YUI does not read: export it without compression")
	}
	f.warn("mesh %q part %d has all its vertices in one point", clip(mesh.Name, 60), k)
	return -1, nil
}

// pointList reads a list of points or directions once a mesh: exporters share one vertex list among all its parts.
func (f *file) pointList(i int) ([]geom.Vec3, error) {
	if v, ok := f.points[i]; ok {
		return v, nil
	}
	v, err := vectors[geom.Vec3](f, i)
	if err != nil {
		return nil, err
	}
	if f.turn {
		for k := range v {
			v[k] = turnPoint(v[k])
		}
	}
	f.points[i] = v
	return v, nil
}

// attributes reads what belongs to the vertices beside their place; a wrong length is refused.
func (f *file) attributes(mesh string, j *jsonPrimitive, p *Primitive, n, joints int) error {
	var err error
	for _, name := range []string{"NORMAL", "TEXCOORD_0", "COLOR_0"} {
		at, ok := j.Attributes[name]
		if !ok {
			continue
		}
		switch name {
		case "NORMAL":
			p.Normals, err = f.pointList(at)
			err = sameLength(err, len(p.Normals), n)
		case "TEXCOORD_0":
			p.UVs, err = vectors[[2]float32](f, at)
			err = sameLength(err, len(p.UVs), n)
		case "COLOR_0":
			p.Colors, err = f.colors(at)
			err = sameLength(err, len(p.Colors), n)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if joints < 0 {
		return nil // not skinned: joints mean nothing
	}
	return f.skinWeights(mesh, j, p, n, joints)
}

func sameLength(err error, have, want int) error {
	if err == nil && have != want {
		err = fmt.Errorf("%d values for %d vertices", have, want)
	}
	return err
}

// colors reads vertex colours with or without alpha.
func (f *file) colors(at int) ([][4]float32, error) {
	if at >= 0 && at < len(f.Accessors) && f.Accessors[at].Type == "VEC4" {
		return vectors[[4]float32](f, at)
	}
	rgb, err := vectors[[3]float32](f, at)
	if err != nil {
		return nil, err
	}
	if err := f.memory.take(int64(len(rgb)) * 16); err != nil {
		return nil, err
	}
	out := make([][4]float32, len(rgb))
	for i, c := range rgb {
		out[i] = [4]float32{c[0], c[1], c[2], 1}
	}
	return out, nil
}

// targets reads the morph targets that something moves; a target without any difference on this part stays nil.
func (f *file) targets(j *jsonPrimitive, p *Primitive, n int, pick []uint32, keep func(int) bool) error {
	if len(j.Targets) == 0 {
		return nil
	}
	p.Targets = make([]Target, len(j.Targets))
	for t, attrs := range j.Targets {
		if !keep(t) {
			continue
		}
		var err error
		if p.Targets[t].Positions, err = f.difference(attrs, "POSITION", n, pick, 1e-7); err != nil {
			return fmt.Errorf("morph target %d: %w", t, err)
		}
		if p.Targets[t].Normals, err = f.difference(attrs, "NORMAL", n, pick, 1e-4); err != nil {
			return fmt.Errorf("morph target %d: %w", t, err)
		}
	}
	return nil
}

// difference reads one attribute of a morph target; targets with positions alone are ordinary.
func (f *file) difference(attrs map[string]int, name string, n int, pick []uint32, least float32) ([]geom.Vec3, error) {
	at, ok := attrs[name]
	if !ok {
		return nil, nil
	}
	v, err := f.pointList(at)
	if err = sameLength(err, len(v), n); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return moved(v, pick, least), nil
}

// moved returns the picked vectors, or nil if none of them is longer than least in any component.
func moved(v []geom.Vec3, pick []uint32, least float32) []geom.Vec3 {
	some := func(d geom.Vec3) bool {
		return d[0] > least || d[0] < -least || d[1] > least || d[1] < -least || d[2] > least || d[2] < -least
	}
	if pick == nil {
		if slices.ContainsFunc(v, some) {
			return v
		}
		return nil
	}
	for _, i := range pick {
		if some(v[i]) {
			return picked(v, pick)
		}
	}
	return nil
}
