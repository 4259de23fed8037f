package main

import "math"

// curve is keyframes of equal width. Turns are quaternions, whose two signs mean the same.
type curve struct {
	loop, turns bool
	times       []float64
	values      [][]float64
}

func (c curve) plain() []float64 {
	var out []float64
	for _, v := range c.values {
		out = append(out, v...)
	}
	return out
}

// spline is glTF's CUBICSPLINE layout: in-tangent, value, out-tangent a key.
func (c curve) spline() []float64 {
	var out []float64
	for i, v := range c.values {
		t := c.tangent(i)
		out = append(append(append(out, t...), v...), t...)
	}
	return out
}

// tangent is the slope between the two neighbours of a key. It is zero at a key that equals one of them, which makes a
// hold, and at both ends of a clip that does not loop; a loop's ends take the neighbours across the seam.
func (c curve) tangent(i int) []float64 {
	n := len(c.values)
	zero := make([]float64, len(c.values[i]))
	if n < 2 {
		return zero
	}
	before, after := i-1, i+1
	t0, t1 := 0.0, 0.0
	length := c.times[n-1] - c.times[0]
	if before < 0 {
		before, t0 = n-2, -length
	}
	if after == n {
		after, t1 = 1, length
	}
	if (i == 0 || i == n-1) && !c.loop {
		return zero
	}
	a, b := c.near(c.values[before], c.values[i]), c.near(c.values[after], c.values[i])
	if same(a, c.values[i]) || same(b, c.values[i]) {
		return zero
	}
	dt := (c.times[after] + t1) - (c.times[before] + t0)
	for k := range zero {
		zero[k] = (b[k] - a[k]) / dt
	}
	return zero
}

// near gives a turn the sign that lies on the same side as another one.
func (c curve) near(v, to []float64) []float64 {
	if !c.turns || dot(v, to) >= 0 {
		return v
	}
	out := make([]float64, len(v))
	for i := range v {
		out[i] = -v[i]
	}
	return out
}

func same(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9 {
			return false
		}
	}
	return true
}
