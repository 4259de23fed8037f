package main

import "slices"

// subdivide quarters every triangle; the new vertices lie on the surface, and what is known of a vertex is the mean of
// the edge's ends.
func (m *mesh) subdivide(d dist) {
	at := map[[2]int]int{}
	middle := func(a, b int) int {
		key := [2]int{min(a, b), max(a, b)}
		v, ok := at[key]
		if !ok {
			v = m.between(a, b)
			m.pos[v] = onto(d, bowed(m.pos[a], m.pos[b], m.nor[a], m.nor[b]), 2, 0.004)
			at[key] = v
		}
		return v
	}
	tris := make([][3]int, 0, 4*len(m.tris))
	mats := make([]int, 0, 4*len(m.tris))
	for i, t := range m.tris {
		ab, bc, ca := middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])
		tris = append(tris, [3]int{t[0], ab, ca}, [3]int{ab, t[1], bc}, [3]int{ca, bc, t[2]}, [3]int{ab, bc, ca})
		mats = append(mats, m.mat[i], m.mat[i], m.mat[i], m.mat[i])
	}
	m.tris, m.mat = tris, mats
}

// between adds the vertex in the middle of two and returns it.
func (m *mesh) between(a, b int) int {
	m.pos = append(m.pos, m.pos[a].mix(m.pos[b], 0.5))
	m.nor = append(m.nor, m.nor[a].mix(m.nor[b], 0.5).unit())
	m.closed = append(m.closed, (m.closed[a]+m.closed[b])/2)
	m.weights = append(m.weights, mixed(m.weights[a], m.weights[b]))
	return len(m.pos) - 1
}

func mixed(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		out[i] = (a[i] + b[i]) / 2
	}
	return out
}

// copy is a mesh that may be thinned out without a change to m. What vertices know is replaced there, never written into.
func (m *mesh) copy() *mesh {
	return &mesh{pos: slices.Clone(m.pos), nor: slices.Clone(m.nor), tris: slices.Clone(m.tris), mat: slices.Clone(m.mat),
		closed: slices.Clone(m.closed), weights: slices.Clone(m.weights)}
}
