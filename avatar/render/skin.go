package render

import (
	"yui/avatar/motion"
	"yui/avatar/vrm/geom"
)

// floatsPerVertex is the streamed vertex: position and normal.
const floatsPerVertex = 6

// rows is an affine matrix by rows, as skinning reads it.
type rows [12]float32

// shape is one pet's own state of a mesh: its morphed rest vertices and its palette. Kept between frames so that a
// face that does not change costs nothing.
type shape struct {
	mesh             *mesh
	position, normal []geom.Vec3 // the mesh's own slices if it has no morphs
	weight           []float32   // applied morph weights
	want             []float32
	palette          []rows
}

func newShape(m *mesh) *shape {
	s := &shape{mesh: m, position: m.position, normal: m.normal, palette: make([]rows, len(m.bones))}
	if len(m.morphs) > 0 {
		s.position = append([]geom.Vec3(nil), m.position...)
		s.normal = append([]geom.Vec3(nil), m.normal...)
		s.weight = make([]float32, len(m.morphs))
		s.want = make([]float32, len(m.morphs))
	}
	return s
}

// setMorphs applies expression weights. It touches vertices only when a weight has changed, and only those that a
// changed target moves.
func (s *shape) setMorphs(expressions []float32) (changed bool) {
	m := s.mesh
	if len(m.morphs) == 0 {
		return false
	}
	for i := range m.morphs {
		s.want[i] = m.morphs[i].rest
	}
	for e, binds := range m.binds {
		if e >= len(expressions) || expressions[e] == 0 {
			continue
		}
		for _, b := range binds {
			s.want[b.morph] += expressions[e] * b.weight
		}
	}
	for i := range s.want {
		// Two expressions may close the same eye: a target is never pushed beyond its full shape.
		s.want[i] = min(max(s.want[i], min(0, m.morphs[i].rest)), max(1, m.morphs[i].rest))
		if s.want[i] != s.weight[i] {
			changed = true
		}
	}
	if changed {
		s.morph()
	}
	return changed
}

// morph rebuilds the vertices of every target that is or was in use: from the rest, so that no error adds up.
func (s *shape) morph() {
	m := s.mesh
	for i := range m.morphs {
		if s.weight[i] != 0 {
			for _, v := range m.morphs[i].vertex {
				s.position[v], s.normal[v] = m.position[v], m.normal[v]
			}
		}
	}
	for i := range m.morphs {
		w := s.want[i]
		s.weight[i] = w
		if w == 0 {
			continue
		}
		mo := &m.morphs[i]
		for k, v := range mo.vertex {
			p, n, dp, dn := &s.position[v], &s.normal[v], &mo.position[k], &mo.normal[k]
			p[0], p[1], p[2] = p[0]+w*dp[0], p[1]+w*dp[1], p[2]+w*dp[2]
			n[0], n[1], n[2] = n[0]+w*dn[0], n[1]+w*dn[1], n[2]+w*dn[2]
		}
	}
}

// setPalette computes the bones' matrices for a pose, each after the world matrix of the whole (nil for none).
func (s *shape) setPalette(world []geom.Mat4, whole *geom.Mat4) {
	for i := range s.mesh.bones {
		b := &s.mesh.bones[i]
		w := geom.IdentMat
		if b.node < len(world) {
			w = world[b.node]
		}
		if whole != nil {
			w = whole.Mul(w)
		}
		if !b.plain {
			w = w.Mul(b.inverse)
		}
		s.palette[i] = rows{w[0], w[4], w[8], w[12], w[1], w[5], w[9], w[13], w[2], w[6], w[10], w[14]}
	}
}

// mirrored reports whether a bone's matrix turns the surface inside out.
func (s *shape) mirrored(bone int) bool {
	m := &s.palette[bone]
	return m[0]*(m[5]*m[10]-m[6]*m[9])-m[1]*(m[4]*m[10]-m[6]*m[8])+m[2]*(m[4]*m[9]-m[5]*m[8]) < 0
}

// skin writes every vertex to out, floatsPerVertex floats each. Normals are not brought to unit length: the vertex
// program does that if it needs to.
func (s *shape) skin(out []float32) {
	m := s.mesh
	blend := 0
	for _, r := range m.runs {
		first, n := int(r.first), int(r.count)
		pos, nor := s.position[first:first+n], s.normal[first:first+n]
		dst := out[first*floatsPerVertex : (first+n)*floatsPerVertex]
		if r.bone >= 0 {
			skinRigid(&s.palette[r.bone], pos, nor, dst)
			continue
		}
		s.skinBlended(m.joints[blend:blend+n], m.weights[blend:blend+n], pos, nor, dst)
		blend += n
	}
}

func skinRigid(m *rows, pos, nor []geom.Vec3, dst []float32) {
	nor = nor[:len(pos)]
	for i := range pos {
		p, n := &pos[i], &nor[i]
		o := (*[floatsPerVertex]float32)(dst[i*floatsPerVertex:])
		o[0] = m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3]
		o[1] = m[4]*p[0] + m[5]*p[1] + m[6]*p[2] + m[7]
		o[2] = m[8]*p[0] + m[9]*p[1] + m[10]*p[2] + m[11]
		o[3] = m[0]*n[0] + m[1]*n[1] + m[2]*n[2]
		o[4] = m[4]*n[0] + m[5]*n[1] + m[6]*n[2]
		o[5] = m[8]*n[0] + m[9]*n[1] + m[10]*n[2]
	}
}

func (s *shape) skinBlended(joints [][4]uint16, weights [][4]float32, pos, nor []geom.Vec3, dst []float32) {
	joints, weights, nor = joints[:len(pos)], weights[:len(pos)], nor[:len(pos)]
	for i := range pos {
		j, w := &joints[i], &weights[i]
		a, b := &s.palette[j[0]], &s.palette[j[1]]
		wa, wb := w[0], w[1]
		var m rows
		if wc := w[2]; wc == 0 {
			for k := range m {
				m[k] = wa*a[k] + wb*b[k]
			}
		} else {
			c, d := &s.palette[j[2]], &s.palette[j[3]]
			wd := w[3]
			for k := range m {
				m[k] = wa*a[k] + wb*b[k] + wc*c[k] + wd*d[k]
			}
		}
		p, n := &pos[i], &nor[i]
		o := (*[floatsPerVertex]float32)(dst[i*floatsPerVertex:])
		o[0] = m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3]
		o[1] = m[4]*p[0] + m[5]*p[1] + m[6]*p[2] + m[7]
		o[2] = m[8]*p[0] + m[9]*p[1] + m[10]*p[2] + m[11]
		o[3] = m[0]*n[0] + m[1]*n[1] + m[2]*n[2]
		o[4] = m[4]*n[0] + m[5]*n[1] + m[6]*n[2]
		o[5] = m[8]*n[0] + m[9]*n[1] + m[10]*n[2]
	}
}

// worldOf returns a pose's matrices, or nil for a missing pose.
func worldOf(p *motion.Pose) []geom.Mat4 {
	if p == nil {
		return nil
	}
	return p.World
}
