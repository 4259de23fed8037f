package main

import (
	"container/heap"
	"math"
)

// Equal cells spend most triangles where a surface is flat, while paws, ears and tips show corners. So parts are meshed
// finer than they are worn, and edges are then collapsed wherever that moves the surface least (quadric error metrics).

// fineness says how far a worn mesh may stray from the finer one, in metres.
type fineness struct {
	stray   float64 // root mean square over the triangles about a vertex
	longest float64 // an edge: bent limbs and toon shades need some vertices on flat parts too
}

// even spends the triangles where the surface bends; what ends in a tip keeps it.
func (m *mesh) even(d dist, want fineness, tips []vec) {
	locked := map[int]bool{}
	for _, t := range tips {
		locked[m.nearest(t)] = true
	}
	m.collapse(want, locked)
	for i, p := range m.pos {
		if !isTip(p, tips) {
			m.pos[i] = onto(d, p, 1, 0.002)
		}
	}
}

func isTip(p vec, tips []vec) bool {
	for _, t := range tips {
		if p == t {
			return true
		}
	}
	return false
}

// quadric is the sum of squared distances to weighted planes: the upper half of a symmetric 4 by 4 matrix.
type quadric [10]float64

func planeQuadric(n vec, d, w float64) quadric {
	return quadric{
		w * n[0] * n[0], w * n[0] * n[1], w * n[0] * n[2], w * n[0] * d,
		w * n[1] * n[1], w * n[1] * n[2], w * n[1] * d,
		w * n[2] * n[2], w * n[2] * d, w * d * d,
	}
}

func (q quadric) plus(o quadric) quadric {
	for i := range q {
		q[i] += o[i]
	}
	return q
}

func (q *quadric) at(p vec) float64 {
	x, y, z := p[0], p[1], p[2]
	return q[0]*x*x + 2*q[1]*x*y + 2*q[2]*x*z + 2*q[3]*x + q[4]*y*y + 2*q[5]*y*z + 2*q[6]*y + q[7]*z*z + 2*q[8]*z + q[9]
}

// collapser thins out a closed mesh.
type collapser struct {
	m      *mesh
	want   fineness
	around [][]int // triangles of a vertex
	gone   []bool  // triangles
	planes []quadric
	area   []float64
	locked map[int]bool
	stamp  []int // changes with a vertex, so that what was planned for it before is void
	queue  plans
}

// plan is an edge to collapse and the place of what stays.
type plan struct {
	cost   float64
	a, b   int
	to     vec
	stamps [2]int
}

type plans []plan

func (p plans) Len() int      { return len(p) }
func (p plans) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p plans) Less(i, j int) bool {
	if p[i].cost != p[j].cost {
		return p[i].cost < p[j].cost
	}
	if p[i].a != p[j].a {
		return p[i].a < p[j].a
	}
	return p[i].b < p[j].b
}
func (p *plans) Push(x any) { *p = append(*p, x.(plan)) }
func (p *plans) Pop() any {
	x := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return x
}

// collapse thins out the mesh as far as want allows. Locked vertices stay where they are.
func (m *mesh) collapse(want fineness, locked map[int]bool) {
	c := &collapser{m: m, want: want, locked: locked,
		around: make([][]int, len(m.pos)), gone: make([]bool, len(m.tris)),
		planes: make([]quadric, len(m.pos)), area: make([]float64, len(m.pos)), stamp: make([]int, len(m.pos))}
	for i, t := range m.tris {
		n, area := c.face(t)
		q := planeQuadric(n, -n.dot(m.pos[t[0]]), area)
		for _, v := range t {
			c.around[v] = append(c.around[v], i)
			c.planes[v] = c.planes[v].plus(q)
			c.area[v] += area
		}
	}
	for i := range m.tris {
		c.planTriangle(i)
	}
	for c.queue.Len() > 0 {
		p := heap.Pop(&c.queue).(plan)
		if c.stamp[p.a] == p.stamps[0] && c.stamp[p.b] == p.stamps[1] && c.allowed(p) {
			c.apply(p)
		}
	}
	m.compact(c.gone)
}

// face is a triangle's normal and area.
func (c *collapser) face(t [3]int) (vec, float64) {
	a := c.m.pos[t[0]]
	n := cross(c.m.pos[t[1]].sub(a), c.m.pos[t[2]].sub(a))
	return n.unit(), n.len() / 2
}

func cross(a, b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func (c *collapser) planTriangle(i int) {
	t := c.m.tris[i]
	for k := range 3 {
		if a, b := t[k], t[(k+1)%3]; a < b { // each edge belongs to two triangles and runs upward in one
			c.planEdge(a, b)
		}
	}
}

func (c *collapser) planEdge(a, b int) {
	if c.locked[a] && c.locked[b] {
		return
	}
	pa, pb := c.m.pos[a], c.m.pos[b]
	length := pa.sub(pb).len()
	if length > c.want.longest {
		return
	}
	q, area := c.planes[a].plus(c.planes[b]), c.area[a]+c.area[b]
	p := plan{cost: math.Inf(1), a: a, b: b, stamps: [2]int{c.stamp[a], c.stamp[b]}}
	try := func(at vec) {
		if e := q.at(at) / area; e < p.cost {
			p.cost, p.to = e, at
		}
	}
	switch {
	case c.locked[a]:
		try(pa)
	case c.locked[b]:
		try(pb)
	default:
		try(bowed(pa, pb, c.m.nor[a], c.m.nor[b]))
		try(pa)
		try(pb)
	}
	// Between equals the shorter edge goes first, which keeps triangles even.
	p.cost = math.Max(p.cost, 0) + 1e-5*length*length
	if p.cost <= c.want.stray*c.want.stray {
		heap.Push(&c.queue, p)
	}
}

// bowed is the middle of the curve between two points that leaves and meets them at right angles to their normals: on a
// round surface much nearer to it than the middle of the line, and much cheaper than a projection.
func bowed(a, b, na, nb vec) vec {
	e := b.sub(a)
	return a.mix(b, 0.5).add(nb.mul(nb.dot(e) / 8)).sub(na.mul(na.dot(e) / 8))
}

// ring lists the vertices about v, each once.
func (c *collapser) ring(v int) []int {
	var out []int
	for _, i := range c.around[v] {
		for _, w := range c.m.tris[i] {
			if w != v && !contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

func contains(list []int, v int) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// allowed reports whether a collapse keeps the surface whole, its faces outward and its triangles well shaped.
func (c *collapser) allowed(p plan) bool {
	ra, rb := c.ring(p.a), c.ring(p.b)
	shared := 0
	for _, v := range ra {
		if contains(rb, v) {
			shared++
		}
		if v != p.b && c.m.pos[v].sub(p.to).len() > c.want.longest {
			return false
		}
	}
	for _, v := range rb {
		if v != p.a && c.m.pos[v].sub(p.to).len() > c.want.longest {
			return false
		}
	}
	if shared != 2 || len(ra)+len(rb) > 14 || len(ra) < 4 && len(rb) < 4 {
		return false
	}
	return c.turns(p.a, p.b, p.to) && c.turns(p.b, p.a, p.to)
}

// turns checks the triangles that stay about v while it moves.
func (c *collapser) turns(v, other int, to vec) bool {
	for _, i := range c.around[v] {
		t := c.m.tris[i]
		if t[0] == other || t[1] == other || t[2] == other {
			continue
		}
		was, _ := c.face(t)
		var at [3]vec
		longest := 0.0
		for k, w := range t {
			at[k] = c.m.pos[w]
			if w == v {
				at[k] = to
			}
		}
		for k := range at {
			longest = math.Max(longest, at[k].sub(at[(k+1)%3]).len())
		}
		n := cross(at[1].sub(at[0]), at[2].sub(at[0]))
		double := n.len()
		n = n.unit()
		if n.dot(was) < 0.8 || double < 0.16*longest*longest {
			return false
		}
		for _, w := range t {
			if n.dot(c.m.nor[w]) < 0.5 {
				return false
			}
		}
	}
	return true
}

// apply moves a onto its new place and lets b go.
func (c *collapser) apply(p plan) {
	m := c.m
	// What is known of the vertex follows the place on the edge that it takes.
	switch p.to {
	case m.pos[p.a]:
	case m.pos[p.b]:
		m.nor[p.a], m.closed[p.a], m.weights[p.a] = m.nor[p.b], m.closed[p.b], m.weights[p.b]
	default:
		m.nor[p.a] = m.nor[p.a].mix(m.nor[p.b], 0.5).unit()
		m.closed[p.a] = (m.closed[p.a] + m.closed[p.b]) / 2
		m.weights[p.a] = mixed(m.weights[p.a], m.weights[p.b])
	}
	m.pos[p.a] = p.to
	c.planes[p.a] = c.planes[p.a].plus(c.planes[p.b])
	c.area[p.a] += c.area[p.b]
	if c.locked[p.b] {
		c.locked[p.a] = true
	}
	var kept []int
	for _, i := range c.around[p.a] {
		if !c.gone[i] && !contains(m.tris[i][:], p.b) {
			kept = append(kept, i)
		}
	}
	for _, i := range c.around[p.b] {
		t := &m.tris[i]
		if contains(t[:], p.a) {
			c.gone[i] = true
			for _, v := range t {
				if v != p.a && v != p.b {
					c.around[v] = without(c.around[v], i)
				}
			}
			continue
		}
		for k := range t {
			if t[k] == p.b {
				t[k] = p.a
			}
		}
		kept = append(kept, i)
	}
	c.around[p.a], c.around[p.b] = kept, nil
	c.stamp[p.b]++
	c.stamp[p.a]++
	for _, v := range c.ring(p.a) {
		c.planEdge(min(p.a, v), max(p.a, v))
	}
}

func without(list []int, v int) []int {
	out := list[:0]
	for _, x := range list {
		if x != v {
			out = append(out, x)
		}
	}
	return out
}

// compact drops the triangles that are gone and the vertices that nothing uses.
func (m *mesh) compact(gone []bool) {
	at := make([]int, len(m.pos))
	for i := range at {
		at[i] = -1
	}
	out := &mesh{}
	for i, t := range m.tris {
		if gone[i] {
			continue
		}
		for k, v := range t {
			if at[v] < 0 {
				at[v] = len(out.pos)
				out.pos, out.nor = append(out.pos, m.pos[v]), append(out.nor, m.nor[v])
				out.closed, out.weights = append(out.closed, m.closed[v]), append(out.weights, m.weights[v])
			}
			t[k] = at[v]
		}
		out.tris, out.mat = append(out.tris, t), append(out.mat, m.mat[i])
	}
	*m = *out
}
