package motion

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// curve is keyframes ready to sample. Tangents are per second, as glTF stores them.
type curve struct {
	interp  vrm.Interp
	width   int
	times   []float32
	vals    []float32 // width floats a key
	in, out []float32 // Cubic only, width floats a key
}

// curveOf copies a glTF track, so that neither side can change the other.
func curveOf(t vrm.Track) (*curve, error) {
	n := len(t.Times)
	if n == 0 || t.Width <= 0 {
		return nil, errors.New("read track: no keys")
	}
	per := 1
	if t.Interp == vrm.Cubic {
		per = 3
	}
	if len(t.Values) != n*per*t.Width {
		return nil, fmt.Errorf("read track: %d values for %d keys of width %d", len(t.Values), n, t.Width)
	}
	c := &curve{interp: t.Interp, width: t.Width, times: append([]float32(nil), t.Times...)}
	if per == 1 {
		c.vals = append([]float32(nil), t.Values...)
	} else {
		w := t.Width
		for i := range n {
			k := t.Values[i*3*w:]
			c.in, c.vals, c.out = append(c.in, k[:w]...), append(c.vals, k[w:2*w]...), append(c.out, k[2*w:3*w]...)
		}
	}
	return c, c.check()
}

// mostValue bounds what a track may hold: sums and products of such values stay finite.
const mostValue = 1e6

func (c *curve) check() error {
	for i, t := range c.times {
		if !finite(t) || i > 0 && t < c.times[i-1] {
			return errors.New("read track: times do not rise")
		}
	}
	for _, s := range [][]float32{c.vals, c.in, c.out} {
		for _, v := range s {
			if !finite(v) || abs(v) > mostValue {
				return errors.New("read track: a value is no number or far too large")
			}
		}
	}
	return nil
}

// keyCurve builds a curve from the study's keys, [t, v…]. Splines are cubic Hermite; the tangent is the slope between
// the neighbours, zero at a key that equals one of them (holds) and at both ends of a one-shot; loops wrap.
func keyCurve(keys [][]float32, width int, spline, loop bool) (*curve, error) {
	if len(keys) == 0 {
		return nil, errors.New("read keys: none")
	}
	c := &curve{interp: vrm.Linear, width: width}
	for i, k := range keys {
		if len(k) != width+1 {
			return nil, fmt.Errorf("read keys: key %d has %d numbers, want %d", i, len(k), width+1)
		}
		c.times, c.vals = append(c.times, k[0]), append(c.vals, k[1:]...)
	}
	if spline && len(keys) > 1 {
		c.interp = vrm.Cubic
		c.in = make([]float32, len(c.vals))
		for i := range keys {
			c.slope(i, loop)
		}
		c.out = c.in
	}
	return c, c.check()
}

// slope sets the tangent of key i by the rule above.
func (c *curve) slope(i int, loop bool) {
	n, w := len(c.times), c.width
	prev, next := i-1, i+1
	span := float32(0)
	switch {
	case i > 0 && i < n-1:
		span = c.times[next] - c.times[prev]
	case !loop:
		return
	default:
		prev, next = n-2, 1
		span = c.times[1] - c.times[0] + c.times[n-1] - c.times[n-2]
	}
	if span <= 0 {
		return
	}
	at := func(k int) []float32 { return c.vals[k*w : k*w+w] }
	if same(at(i), at(prev)) || same(at(i), at(next)) {
		return
	}
	for j := range w {
		c.in[i*w+j] = (at(next)[j] - at(prev)[j]) / span
	}
}

func same(a, b []float32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func finite(f float32) bool { return !math.IsNaN(float64(f)) && !math.IsInf(float64(f), 0) }

// find returns the key before t and how far t lies between it and the next.
func (c *curve) find(t float32) (i int, u, span float32) {
	n := len(c.times)
	if n == 1 || t <= c.times[0] {
		return 0, 0, 0
	}
	if t >= c.times[n-1] {
		return n - 1, 0, 0
	}
	i = sort.Search(n, func(k int) bool { return c.times[k] > t }) - 1
	span = c.times[i+1] - c.times[i]
	return i, (t - c.times[i]) / span, span
}

// sample writes the value at t, clamped to the ends, to dst.
func (c *curve) sample(t float32, dst []float32) {
	w := c.width
	i, u, span := c.find(t)
	a := c.vals[i*w : i*w+w]
	if span == 0 || c.interp == vrm.Step {
		copy(dst, a)
		return
	}
	b := c.vals[(i+1)*w : (i+1)*w+w]
	if c.interp == vrm.Linear {
		for j := range w {
			dst[j] = a[j] + (b[j]-a[j])*u
		}
		return
	}
	u2, u3 := u*u, u*u*u
	h0, h1, h2, h3 := 2*u3-3*u2+1, u3-2*u2+u, -2*u3+3*u2, u3-u2
	for j := range w {
		dst[j] = h0*a[j] + h1*span*c.out[i*w+j] + h2*b[j] + h3*span*c.in[(i+1)*w+j]
	}
}

// value samples a curve of width 1.
func (c *curve) value(t float32) float32 {
	var v [1]float32
	c.sample(t, v[:])
	return v[0]
}

// turn samples a curve of rotations (width 4).
func (c *curve) turn(t float32) geom.Quat {
	if c.interp == vrm.Linear {
		i, u, span := c.find(t)
		a := geom.Quat(c.vals[i*4 : i*4+4])
		if span == 0 {
			return a.Unit()
		}
		return a.Slerp(geom.Quat(c.vals[i*4+4:i*4+8]), u)
	}
	var q geom.Quat
	c.sample(t, q[:])
	return q.Unit()
}

// mapTurns replaces every key by pre * key * post. Both products are linear, so tangents follow the same rule.
// Neighbouring keys are made to lie in one half of the sphere, since makers of files do not always see to it.
func (c *curve) mapTurns(pre, post geom.Quat) {
	for _, s := range [][]float32{c.vals, c.in, c.out} {
		for i := 0; i+4 <= len(s); i += 4 {
			q := pre.Mul(geom.Quat(s[i : i+4])).Mul(post)
			copy(s[i:], q[:])
		}
	}
	for i := 4; i+4 <= len(c.vals); i += 4 {
		if geom.Quat(c.vals[i-4:i]).Dot(geom.Quat(c.vals[i:i+4])) >= 0 {
			continue
		}
		for _, s := range [][]float32{c.vals, c.in, c.out} {
			for j := i; j < i+4 && j < len(s); j++ {
				s[j] = -s[j]
			}
		}
	}
}
