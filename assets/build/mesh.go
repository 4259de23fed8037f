package main

import (
	"errors"
	"math"
)

// mesh is a closed surface while a part is being made. Each triangle has a material row of its character's palette.
type mesh struct {
	pos, nor []vec
	tris     [][3]int
	mat      []int
	near     [][]int // neighbours of the vertices that meshing made, cut points have none
	weights  [][]float64
	closed   []float64 // occlusion: 0 open, 1 closed
}

// apex is a point that must survive meshing, and the direction in which it points.
type apex struct{ at, dir vec }

// grid is where a field is sampled.
type grid struct{ lo, hi, cell vec }

// surfaceNets meshes the zero surface of d: one vertex in each cell that the surface crosses, one quad around each grid
// edge that it crosses, then relaxed along the surface.
func surfaceNets(d dist, g grid, relax int, apexes []apex) (*mesh, error) {
	if len(apexes) > 0 {
		// The tip then lies a quarter of a cell above the middle of a cell, so that one vertex belongs to it.
		a := apexes[0]
		for c := range g.lo {
			t := (a.at[c] - 0.25*g.cell[c]*a.dir[c] - g.lo[c]) / g.cell[c]
			g.lo[c] += (t - math.Floor(t) - 0.5) * g.cell[c]
		}
	}
	m, quads, err := netsOf(d, g)
	if err != nil {
		return nil, err
	}
	m.near = neighbours(len(m.pos), quads)
	least := g.cell.min()
	project := func(p vec) vec { return onto(d, p, 2, least*0.7) }
	m.each(project)
	for range relax {
		next := make([]vec, len(m.pos))
		for i, p := range m.pos {
			var sum vec
			for _, j := range m.near[i] {
				sum = sum.add(m.pos[j])
			}
			move := sum.mul(1 / float64(len(m.near[i]))).sub(p).mul(0.5)
			n := d.gradient(p, 0.004)
			if l := n.dot(n); l > 0 {
				move = move.sub(n.mul(move.dot(n) / l))
			}
			next[i] = project(p.add(move))
		}
		m.pos = next
	}
	m.each(project)
	for _, a := range apexes {
		m.pos[m.nearest(a.at)] = a.at
	}
	m.nor = normals(d, m.pos, math.Max(0.004, least*0.4))
	m.split(quads)
	return m, nil
}

func (m *mesh) each(f func(vec) vec) {
	for i, p := range m.pos {
		m.pos[i] = f(p)
	}
}

func (m *mesh) nearest(p vec) int {
	best, at := math.Inf(1), 0
	for i, q := range m.pos {
		if l := q.sub(p).len(); l < best {
			best, at = l, i
		}
	}
	return at
}

func normals(d dist, pos []vec, step float64) []vec {
	out := make([]vec, len(pos))
	for i, p := range pos {
		out[i] = d.gradient(p, step).unit()
	}
	return out
}

// onto moves p along the gradient to the surface, at most limit a step.
func onto(d dist, p vec, steps int, limit float64) vec {
	for range steps {
		v, g := d(p), d.gradient(p, 0.003)
		l := g.dot(g)
		if l < 1e-8 {
			break
		}
		most := limit / math.Sqrt(l)
		p = p.sub(g.mul(clamp(v/l, -most, most)))
	}
	return p
}

// netsOf samples the grid and returns one vertex a crossed cell and one quad a crossed edge, facing outward.
func netsOf(d dist, g grid) (*mesh, [][4]int, error) {
	var n [3]int
	for c := range n {
		n[c] = int(math.Ceil((g.hi[c]-g.lo[c])/g.cell[c])) + 1
	}
	id := func(i, j, k int) int { return i + n[0]*(j+n[1]*k) }
	val := make([]float64, n[0]*n[1]*n[2])
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				v := d(g.lo.add(vec{float64(i), float64(j), float64(k)}.times(g.cell)))
				if v < 0 && (i == 0 || j == 0 || k == 0 || i+1 == n[0] || j+1 == n[1] || k+1 == n[2]) {
					return nil, nil, errors.New("the surface leaves its box")
				}
				val[id(i, j, k)] = v
			}
		}
	}
	m := &mesh{}
	at := make([]int, len(val))
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				at[id(i, j, k)] = -1
				if i+1 == n[0] || j+1 == n[1] || k+1 == n[2] {
					continue
				}
				var v [8]float64
				for c := range v {
					v[c] = val[id(i+c&1, j+c>>1&1, k+c>>2)]
				}
				if off, ok := cellVertex(v); ok {
					at[id(i, j, k)] = len(m.pos)
					m.pos = append(m.pos, g.lo.add(off.add(vec{float64(i), float64(j), float64(k)}).times(g.cell)))
				}
			}
		}
	}
	return m, netQuads(n, val, at), nil
}

// cellVertex is the mean of the edge crossings of a unit cell whose corners have the values v.
func cellVertex(v [8]float64) (vec, bool) {
	var sum vec
	count := 0.0
	for a := range 8 {
		for s := range 3 {
			b := a | 1<<s
			if b == a || (v[a] < 0) == (v[b] < 0) {
				continue
			}
			p := vec{float64(a & 1), float64(a >> 1 & 1), float64(a >> 2)}
			p[s] += v[a] / (v[a] - v[b])
			sum = sum.add(p)
			count++
		}
	}
	if count == 0 {
		return vec{}, false
	}
	return sum.mul(1 / count), true
}

func netQuads(n [3]int, val []float64, at []int) [][4]int {
	step := [3]int{1, n[0], n[0] * n[1]}
	var quads [][4]int
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				here, ijk := i+n[0]*(j+n[1]*k), [3]int{i, j, k}
				for axis := range 3 {
					u, v := (axis+1)%3, (axis+2)%3
					if ijk[axis]+1 == n[axis] || ijk[u] == 0 || ijk[v] == 0 {
						continue
					}
					inside := val[here] < 0
					if inside == (val[here+step[axis]] < 0) {
						continue
					}
					q := [4]int{at[here-step[u]-step[v]], at[here-step[v]], at[here], at[here-step[u]]}
					if !inside {
						q[1], q[3] = q[3], q[1]
					}
					quads = append(quads, q)
				}
			}
		}
	}
	return quads
}

func neighbours(n int, quads [][4]int) [][]int {
	near := make([][]int, n)
	link := func(a, b int) {
		for _, c := range near[a] {
			if c == b {
				return
			}
		}
		near[a] = append(near[a], b)
	}
	for _, q := range quads {
		for e := range q {
			link(q[e], q[(e+1)&3])
			link(q[(e+1)&3], q[e])
		}
	}
	return near
}

// split cuts each quad along its shorter diagonal.
func (m *mesh) split(quads [][4]int) {
	for _, q := range quads {
		if m.pos[q[0]].sub(m.pos[q[2]]).len() <= m.pos[q[1]].sub(m.pos[q[3]]).len() {
			m.tris = append(m.tris, [3]int{q[0], q[1], q[2]}, [3]int{q[0], q[2], q[3]})
		} else {
			m.tris = append(m.tris, [3]int{q[0], q[1], q[3]}, [3]int{q[1], q[2], q[3]})
		}
	}
}

// openEdges counts the edges that are not used once in each direction: none in a closed surface.
func (m *mesh) openEdges() int {
	uses := map[[2]int]int{}
	for _, t := range m.tris {
		for k := range 3 {
			uses[[2]int{t[k], t[(k+1)%3]}]++
		}
	}
	open := 0
	for e, n := range uses {
		if n != uses[[2]int{e[1], e[0]}] {
			open++
		}
	}
	return open
}

// volume is positive if the triangles face outward.
func (m *mesh) volume() float64 {
	v := 0.0
	for _, t := range m.tris {
		a, b, c := m.pos[t[0]], m.pos[t[1]], m.pos[t[2]]
		v += a.dot(vec{b[1]*c[2] - b[2]*c[1], b[2]*c[0] - b[0]*c[2], b[0]*c[1] - b[1]*c[0]}) / 6
	}
	return v
}

// smooth averages a value over the surface: half the vertex, half its neighbours' mean.
func (m *mesh) smooth(values [][]float64, rounds int) [][]float64 {
	for range rounds {
		next := make([][]float64, len(values))
		for i, v := range values {
			o := make([]float64, len(v))
			for b := range v {
				o[b] = v[b] * 0.5
			}
			f := 0.5 / float64(len(m.near[i]))
			for _, j := range m.near[i] {
				for b := range o {
					o[b] += values[j][b] * f
				}
			}
			next[i] = o
		}
		values = next
	}
	return values
}
