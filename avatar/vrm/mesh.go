package vrm

import (
	"encoding/json"
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

// jointRoom tells for each mesh how many joints every skin it is shown with has: -1 where no node gives it a skin.
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

// primitive reads one part of a mesh, nil for points and lines, which YUI does not draw.
func (f *file) primitive(m *Model, mesh *jsonMesh, k, joints int, keep func(int) bool) (*Primitive, error) {
	j := &mesh.Primitives[k]
	mode := 4
	if j.Mode != nil {
		mode = *j.Mode
	}
	if mode < 4 || mode > 6 {
		f.warn("mesh %q part %d: points and lines are not drawn", clip(mesh.Name, 60), k)
		return nil, nil
	}
	at, ok := j.Attributes["POSITION"]
	if !ok {
		f.warn("mesh %q part %d has no positions", clip(mesh.Name, 60), k)
		return nil, nil
	}
	if j.Extensions != nil && j.Extensions.Draco != nil && at >= 0 && at < len(f.Accessors) && f.Accessors[at].BufferView == nil {
		return nil, fmt.Errorf("it is compressed with Draco, which YUI does not read: export it without compression")
	}
	if len(j.Targets) > maxTargets {
		return nil, fmt.Errorf("%d morph targets are more than the %d that YUI reads", len(j.Targets), maxTargets)
	}
	p := &Primitive{Material: -1}
	if j.Material != nil {
		if *j.Material < 0 || *j.Material >= len(f.Materials) {
			return nil, fmt.Errorf("material %d does not exist", *j.Material)
		}
		p.Material = *j.Material
	}
	if at >= 0 && at < len(f.Accessors) {
		switch a := &f.Accessors[at]; {
		case a.Count > maxVertices:
			return nil, fmt.Errorf("its vertex list is longer than %d million", maxVertices>>20)
		case a.BufferView == nil && a.Sparse == nil:
			f.warn("mesh %q part %d has all its vertices in one point", clip(mesh.Name, 60), k)
			return nil, nil
		}
	}
	var err error
	if p.Positions, err = f.pointList(at); err != nil {
		return nil, fmt.Errorf("positions: %w", err)
	}
	n := len(p.Positions)
	if p.Indices, err = f.triangles(j.Indices, mode, n); err != nil {
		return nil, fmt.Errorf("triangles: %w", err)
	}
	if err := f.attributes(j, p, n, joints); err != nil {
		return nil, err
	}
	if err := f.spend(int64(n) * 4); err != nil {
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
func (f *file) attributes(j *jsonPrimitive, p *Primitive, n, joints int) error {
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
	return f.skinWeights(j, p, n, joints)
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
	if err := f.spend(int64(len(rgb)) * 16); err != nil {
		return nil, err
	}
	out := make([][4]float32, len(rgb))
	for i, c := range rgb {
		out[i] = [4]float32{c[0], c[1], c[2], 1}
	}
	return out, nil
}

// triangles reads the corner list; strips and fans (modes 5 and 6) are unrolled. Corners beyond the vertices are refused.
func (f *file) triangles(at *int, mode, n int) ([]uint32, error) {
	var idx []uint32
	if at != nil {
		var err error
		if idx, err = f.wholes(*at, 1); err != nil {
			return nil, err
		}
		for _, v := range idx {
			if v >= uint32(n) {
				return nil, fmt.Errorf("corner %d is beyond the %d vertices", v, n)
			}
		}
	} else {
		if err := f.spend(int64(n) * 4); err != nil {
			return nil, err
		}
		idx = make([]uint32, n)
		for i := range idx {
			idx[i] = uint32(i)
		}
	}
	if mode == 4 || len(idx) < 3 {
		return idx[:len(idx)/3*3], nil
	}
	if err := f.spend(int64(len(idx)) * 12); err != nil {
		return nil, err
	}
	out := make([]uint32, 0, (len(idx)-2)*3)
	for i := 2; i < len(idx); i++ {
		switch {
		case mode == 6:
			out = append(out, idx[0], idx[i-1], idx[i])
		case i%2 == 0:
			out = append(out, idx[i-2], idx[i-1], idx[i])
		default:
			out = append(out, idx[i-1], idx[i-2], idx[i])
		}
	}
	return out, nil
}

// usedVertices renumbers the corners when the part uses only some of the vertex list, and returns the old numbers of
// those it keeps; nil means all.
func usedVertices(idx []uint32, n int) []uint32 {
	number := make([]uint32, n)
	used := 0
	for _, v := range idx {
		if number[v] == 0 {
			number[v] = 1
			used++
		}
	}
	if used == n {
		return nil
	}
	pick := make([]uint32, 0, used)
	for v, u := range number {
		if u != 0 {
			number[v] = uint32(len(pick))
			pick = append(pick, uint32(v))
		}
	}
	for i, v := range idx {
		idx[i] = number[v]
	}
	return pick
}

func (p *Primitive) pickVertices(pick []uint32) {
	if pick == nil {
		return
	}
	p.Positions, p.Normals = picked(p.Positions, pick), picked(p.Normals, pick)
	p.UVs, p.Colors = picked(p.UVs, pick), picked(p.Colors, pick)
	p.Joints, p.Weights = picked(p.Joints, pick), picked(p.Weights, pick)
}

func picked[T any](from []T, pick []uint32) []T {
	if from == nil || pick == nil {
		return from
	}
	out := make([]T, len(pick))
	for i, v := range pick {
		out[i] = from[v]
	}
	return out
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

// moved returns the picked vectors, or nil where none of them is longer than least in any component.
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

// smoothNormals makes normals for a part that came without: the mean of the faces round each vertex, by their area.
func smoothNormals(pos []geom.Vec3, idx []uint32) []geom.Vec3 {
	out := make([]geom.Vec3, len(pos))
	for i := 0; i+2 < len(idx); i += 3 {
		a, b, c := idx[i], idx[i+1], idx[i+2]
		face := pos[b].Sub(pos[a]).Cross(pos[c].Sub(pos[a]))
		out[a], out[b], out[c] = out[a].Add(face), out[b].Add(face), out[c].Add(face)
	}
	for i := range out {
		if out[i] = out[i].Unit(); out[i] == (geom.Vec3{}) {
			out[i] = geom.Vec3{0, 1, 0}
		}
	}
	return out
}
