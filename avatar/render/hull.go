package render

import (
	"math"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// The inverted hull is drawn by its back faces, of which only a rim round the silhouette is ever seen: the rest lies
// behind the surface. On software GL those hidden faces cost as much as the character herself, so each frame draws
// only faces that can be seen. A point of the hull that is turned away by more than the angle a with
// cos(a) = R/(R+width), R the radius of curvature, is behind the surface; in terms of the normal's component toward the
// viewer that is about -sqrt(2*width/R).

const (
	hullSlack = 1.1  // limbs bend: keep more than the formula asks for
	hullBase  = 0.12 // keep at least this much of the turned-away side
	splitEdge = 0.8  // cosine between two normals at one place from which on they are a hard edge
	hardBend  = 1e4  // bend of such a place: beyond every line's
	hullFront = 0.3  // a face whose corners all look at the viewer more than this is a front face, culled by GL anyway
)

// hull is the outline's geometry of one batch.
type hull struct {
	batch  int
	thin   bool // faces that cannot be seen are left out
	sealed bool // no way to see the inside: hidden faces may be left out
	low    int  // first vertex
	bend   []float32
}

// newHulls prepares the outlines of a mesh: how much each vertex's surface bends, as sqrt(2/R). If thin is false, every
// face is drawn.
func newHulls(m *mesh, thin bool) []hull {
	var hulls []hull
	for i := range m.batches {
		b := &m.batches[i]
		mat := &m.materials[b.material]
		if mat.Outline == vrm.OutlineNone {
			continue
		}
		low, high := m.index[b.first], m.index[b.first]
		for _, v := range m.index[b.first : b.first+b.count] {
			low, high = min(low, v), max(high, v)
		}
		h := hull{batch: i, thin: thin, low: int(low), bend: make([]float32, high-low+1)}
		// Bundled characters are made of solid parts whose openings lie inside others.
		h.sealed = thin && (mat.ExtrasMinWidth > 0 || closed(m, b))
		for t := b.first; t < b.first+b.count; t += 3 {
			for k := range 3 {
				v, w := m.index[t+k], m.index[t+(k+1)%3]
				e := m.position[w].Sub(m.position[v])
				l := e.Dot(e)
				if l < 1e-12 {
					continue
				}
				c := m.normal[w].Unit().Sub(m.normal[v].Unit()).Dot(e) / l
				h.bend[v-low], h.bend[w-low] = max(h.bend[v-low], c), max(h.bend[w-low], c)
			}
		}
		for v := range h.bend {
			h.bend[v] = float32(math.Sqrt(float64(2 * h.bend[v])))
		}
		h.keepEdges(m, b)
		hulls = append(hulls, h)
	}
	return hulls
}

// keepEdges keeps the faces at hard edges, where vertices at one place have normals of their own: the hull comes apart
// there, so that a face may be seen however far it is turned away.
func (h *hull) keepEdges(m *mesh, b *batch) {
	first := map[geom.Vec3]uint32{}
	for _, v := range m.index[b.first : b.first+b.count] {
		w, ok := first[m.position[v]]
		if !ok {
			first[m.position[v]] = v
		} else if m.normal[v].Unit().Dot(m.normal[w].Unit()) < splitEdge {
			h.bend[int(v)-h.low], h.bend[int(w)-h.low] = hardBend, hardBend
		}
	}
}

// closed reports whether every edge of a batch, vertices at one place taken together, belongs to two triangles.
func closed(m *mesh, b *batch) bool {
	place := map[geom.Vec3]int{}
	at := func(v uint32) int {
		p := m.position[v]
		i, ok := place[p]
		if !ok {
			i = len(place)
			place[p] = i
		}
		return i
	}
	edges := map[[2]int]int{}
	for t := b.first; t < b.first+b.count; t += 3 {
		for k := range 3 {
			v, w := at(m.index[t+k]), at(m.index[t+(k+1)%3])
			edges[[2]int{v, w}]++
			edges[[2]int{w, v}]--
		}
	}
	for _, n := range edges {
		if n != 0 {
			return false
		}
	}
	return true
}

// choose appends the batch's faces that may be seen from the eye to out. vertices are skinned (floatsPerVertex each),
// width is the line's in metres, mark is scratch of the batch's vertices.
func (h *hull) choose(out []uint32, m *mesh, vertices []float32, eye geom.Vec3, width float32, mark []uint8) []uint32 {
	mark = mark[:len(h.bend)]
	root := float32(math.Sqrt(float64(width))) * hullSlack
	far := -eye[2]
	for v := range mark {
		p := (*[floatsPerVertex]float32)(vertices[(h.low+v)*floatsPerVertex:])
		f := p[3]*(eye[0]-p[0]) + p[4]*(eye[1]-p[1]) + p[5]*(eye[2]-p[2])
		var k uint8
		if !h.sealed || f > far*(hullBase+root*h.bend[v]) {
			k = 1 // may be seen
		}
		if f < -far*hullFront || !h.thin {
			k |= 2 // may be of a back face
		}
		mark[v] = k
	}
	b := &m.batches[h.batch]
	index := m.index[b.first : b.first+b.count]
	low := uint32(h.low)
	for len(index) >= 3 {
		x, y, z := index[0], index[1], index[2]
		if mark[x-low]|mark[y-low]|mark[z-low] == 3 {
			out = append(out, x, y, z)
		}
		index = index[3:]
	}
	return out
}
