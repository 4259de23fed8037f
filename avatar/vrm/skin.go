package vrm

import (
	"cmp"
	"fmt"
	"slices"

	"yui/avatar/vrm/geom"
)

// loadSkins reads the joints and their inverse bind matrices. Missing matrices are the identity (glTF 2.0, 3.7.3.1).
func (f *file) loadSkins(m *Model) error {
	m.Skins = make([]Skin, len(f.Skins))
	for i, j := range f.Skins {
		s := Skin{Joints: slices.Clone(j.Joints), Skeleton: -1}
		if j.Skeleton != nil && *j.Skeleton >= 0 && *j.Skeleton < len(m.Nodes) {
			s.Skeleton = *j.Skeleton
		}
		if len(s.Joints) > maxNodes {
			return fmt.Errorf("read skin %d: %d joints are more than the %d that YUI reads", i, len(s.Joints), maxNodes)
		}
		for _, n := range s.Joints {
			if n < 0 || n >= len(m.Nodes) {
				return fmt.Errorf("read skin %d: joint node %d does not exist", i, n)
			}
		}
		if err := f.inverseBinds(j.InverseBind, &s); err != nil {
			return fmt.Errorf("read skin %d: inverse bind matrices: %w", i, err)
		}
		m.Skins[i] = s
	}
	return nil
}

func (f *file) inverseBinds(at *int, s *Skin) error {
	if at != nil {
		ibm, err := vectors[geom.Mat4](f, *at)
		if err != nil {
			return err
		}
		if len(ibm) < len(s.Joints) {
			return fmt.Errorf("%d for %d joints", len(ibm), len(s.Joints))
		}
		s.InverseBind = ibm[:len(s.Joints)]
		if f.turn {
			for i := range s.InverseBind {
				s.InverseBind[i] = turnMat(s.InverseBind[i])
			}
		}
		return nil
	}
	if err := f.memory.take(int64(len(s.Joints)) * 64); err != nil {
		return err
	}
	s.InverseBind = make([]geom.Mat4, len(s.Joints))
	for i := range s.InverseBind {
		s.InverseBind[i] = geom.IdentMat
	}
	return nil
}

// skinWeights reads joints and weights. Of more than four influences (JOINTS_1 …) the four strongest are kept; weights
// are made to sum to 1; a joint without weight is set to 0, whatever the file has there.
func (f *file) skinWeights(mesh string, j *jsonPrimitive, p *Primitive, n, room int) error {
	var joints [][]uint32
	var weights [][][4]float32
	for set := 0; set < 4; set++ {
		ja, ok1 := j.Attributes[fmt.Sprintf("JOINTS_%d", set)]
		wa, ok2 := j.Attributes[fmt.Sprintf("WEIGHTS_%d", set)]
		if !ok1 || !ok2 {
			break
		}
		js, err := f.wholes(ja, 4)
		if err = sameLength(err, len(js)/4, n); err != nil {
			return fmt.Errorf("JOINTS_%d: %w", set, err)
		}
		ws, err := vectors[[4]float32](f, wa)
		if err = sameLength(err, len(ws), n); err != nil {
			return fmt.Errorf("WEIGHTS_%d: %w", set, err)
		}
		joints, weights = append(joints, js), append(weights, ws)
	}
	if len(joints) == 0 || room == 0 {
		f.warn("mesh %q hangs on a skin but does not say how: it does not bend", clip(mesh, 60))
		return nil
	}
	if err := f.memory.take(int64(n) * 8); err != nil {
		return err
	}
	p.Joints, p.Weights = make([][4]uint16, n), weights[0]
	for v := range n {
		if len(joints) > 1 {
			strongest(joints, weights, v)
		}
		if err := p.bindVertex(v, [4]uint32(joints[0][v*4:]), room); err != nil {
			return err
		}
	}
	return nil
}

// bindVertex sets a vertex's joints and makes its weights sum to 1.
func (p *Primitive) bindVertex(v int, joints [4]uint32, room int) error {
	w := &p.Weights[v]
	sum := float32(0)
	for k := range w {
		if w[k] = max(w[k], 0); w[k] == 0 {
			continue
		}
		if joints[k] >= uint32(room) {
			return fmt.Errorf("JOINTS_0: vertex %d follows joint %d, the skin has %d", v, joints[k], room)
		}
		p.Joints[v][k] = uint16(joints[k])
		sum += w[k]
	}
	if sum == 0 {
		w[0] = 1
		p.Joints[v][0] = uint16(min(joints[0], uint32(room-1)))
		return nil
	}
	for k := range w {
		w[k] /= sum
	}
	return nil
}

// strongest moves the four strongest of a vertex's influences into the first set.
func strongest(joints [][]uint32, weights [][][4]float32, v int) {
	type pull struct {
		joint  uint32
		weight float32
	}
	var all []pull
	for s := range joints {
		for k := range 4 {
			all = append(all, pull{joints[s][v*4+k], weights[s][v][k]})
		}
	}
	slices.SortStableFunc(all, func(a, b pull) int { return cmp.Compare(b.weight, a.weight) })
	for k := range 4 {
		joints[0][v*4+k], weights[0][v][k] = all[k].joint, all[k].weight
	}
}

// measure sets Min and Max from the shown meshes in the rest pose, and refuses what no frame could show in time.
func (f *file) measure(m *Model) error {
	if err := m.countParts(); err != nil {
		return err
	}
	first, cover := true, 0.0
	var spots []geom.Vec3
	bones := make([][]geom.Mat4, len(m.Skins))
	grow := func(p geom.Vec3) {
		if first {
			m.Min, m.Max, first = p, p, false
		}
		for k := range p {
			m.Min[k], m.Max[k] = min(m.Min[k], p[k]), max(m.Max[k], p[k])
		}
	}
	for i, n := range m.Nodes {
		if n.Mesh < 0 {
			continue
		}
		if n.Skin >= 0 && bones[n.Skin] == nil {
			s := &m.Skins[n.Skin]
			for k, joint := range s.Joints {
				bones[n.Skin] = append(bones[n.Skin], m.Rest[joint].Mul(s.InverseBind[k]))
			}
		}
		for _, p := range m.Meshes[n.Mesh].Primitives {
			if f.shown -= len(p.Positions); f.shown < 0 {
				return fmt.Errorf("measure the model: its nodes show more than %d million vertices", maxInstanced>>20)
			}
			spots = spots[:0]
			for v, pos := range p.Positions {
				at := m.Rest[i].Point(pos)
				if n.Skin >= 0 && p.Joints != nil {
					at = geom.Vec3{}
					for k, w := range p.Weights[v] {
						if w != 0 {
							at = at.Add(bones[n.Skin][p.Joints[v][k]].Point(pos).Mul(w))
						}
					}
				}
				grow(at)
				spots = append(spots, at)
			}
			cover += surface(spots, p.Indices)
		}
	}
	long := float64(m.Max.Sub(m.Min).Len())
	if cover > maxCover*long*long {
		return fmt.Errorf("measure the model: its faces lie over one another more than %d times, which no frame could show in time", maxCover)
	}
	return nil
}

// surface is the area of triangles in square metres.
func surface(at []geom.Vec3, indices []uint32) (sum float64) {
	for i := 0; i+2 < len(indices); i += 3 {
		a, b, c := at[indices[i]], at[indices[i+1]], at[indices[i+2]]
		sum += float64(b.Sub(a).Cross(c.Sub(a)).Len()) / 2
	}
	return sum
}

// countParts counts what is drawn: each primitive at each node that shows it.
func (m *Model) countParts() error {
	parts := 0
	for _, n := range m.Nodes {
		if n.Mesh >= 0 {
			parts += len(m.Meshes[n.Mesh].Primitives)
		}
	}
	if parts > maxParts {
		return fmt.Errorf("the model shows %d parts, more than the %d that YUI draws: join its meshes and export it again", parts, maxParts)
	}
	return nil
}
