package main

// cut paints the inside of a region: triangles are cut along region = 0, so the border stays sharp at any size. Only
// triangles whose material is in over take the new one; no over means all.
func (m *mesh) cut(region dist, mat int, over ...int) {
	c := cutter{m: m, region: region, at: map[[2]int]int{}}
	for _, p := range m.pos {
		v := region(p)
		// Values next to zero would make slivers.
		if v >= 0 && v < 2e-4 {
			v = 2e-4
		} else if v < 0 && v > -2e-4 {
			v = -2e-4
		}
		c.val = append(c.val, v)
	}
	paint := func(old int) int {
		if len(over) == 0 {
			return mat
		}
		for _, o := range over {
			if o == old {
				return mat
			}
		}
		return old
	}
	var tris [][3]int
	var mats []int
	for i, t := range m.tris {
		old := m.mat[i]
		inside, odd := c.sides(t)
		switch inside {
		case 0:
			tris, mats = append(tris, t), append(mats, old)
			continue
		case 3:
			tris, mats = append(tris, t), append(mats, paint(old))
			continue
		}
		tipMat, restMat := paint(old), old
		if inside == 2 {
			tipMat, restMat = old, paint(old)
		}
		a, b, d := t[odd], t[(odd+1)%3], t[(odd+2)%3]
		ab, ad := c.crossing(a, b), c.crossing(a, d)
		tris = append(tris, [3]int{a, ab, ad}, [3]int{ab, b, d}, [3]int{ab, d, ad})
		mats = append(mats, tipMat, restMat, restMat)
	}
	m.tris, m.mat = tris, mats
}

type cutter struct {
	m      *mesh
	region dist
	val    []float64
	at     map[[2]int]int // the cut point of an edge
}

// sides counts the corners inside and finds the corner that is alone on its side.
func (c *cutter) sides(t [3]int) (inside, odd int) {
	for _, v := range t {
		if c.val[v] < 0 {
			inside++
		}
	}
	for i, v := range t {
		if (c.val[v] < 0) == (inside == 1) {
			odd = i
		}
	}
	return inside, odd
}

// crossing is the vertex where the border crosses an edge, found by bisection since borders are curved.
func (c *cutter) crossing(a, b int) int {
	key := [2]int{min(a, b), max(a, b)}
	if v, ok := c.at[key]; ok {
		return v
	}
	m, lo, hi := c.m, 0.0, 1.0
	t := c.val[a] / (c.val[a] - c.val[b])
	for range 6 {
		if (c.region(m.pos[a].mix(m.pos[b], t)) < 0) == (c.val[a] < 0) {
			lo = t
		} else {
			hi = t
		}
		t = (lo + hi) / 2
	}
	v := len(m.pos)
	c.at[key] = v
	c.val = append(c.val, 0)
	m.pos = append(m.pos, m.pos[a].mix(m.pos[b], t))
	m.nor = append(m.nor, m.nor[a].mix(m.nor[b], t).unit())
	m.closed = append(m.closed, m.closed[a]+(m.closed[b]-m.closed[a])*t)
	w := make([]float64, len(m.weights[a]))
	for i := range w {
		w[i] = m.weights[a][i] + (m.weights[b][i]-m.weights[a][i])*t
	}
	m.weights = append(m.weights, w)
	return v
}

// hide drops triangles that lie wholly deeper than 0.014 inside another part.
func (m *mesh) hide(within dist) {
	deep := make([]bool, len(m.pos))
	for i, p := range m.pos {
		deep[i] = within(p) < -0.014
	}
	var tris [][3]int
	var mats []int
	for i, t := range m.tris {
		if !deep[t[0]] || !deep[t[1]] || !deep[t[2]] {
			tris, mats = append(tris, t), append(mats, m.mat[i])
		}
	}
	m.tris, m.mat = tris, mats
}
