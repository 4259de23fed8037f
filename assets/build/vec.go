package main

import "math"

// vec is a point or direction: x the character's left, y up, z her front.
type vec [3]float64

func (a vec) add(b vec) vec            { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) sub(b vec) vec            { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) mul(s float64) vec        { return vec{a[0] * s, a[1] * s, a[2] * s} }
func (a vec) times(b vec) vec          { return vec{a[0] * b[0], a[1] * b[1], a[2] * b[2]} }
func (a vec) over(b vec) vec           { return vec{a[0] / b[0], a[1] / b[1], a[2] / b[2]} }
func (a vec) dot(b vec) float64        { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) len() float64             { return math.Sqrt(a.dot(a)) }
func (a vec) mix(b vec, t float64) vec { return a.add(b.sub(a).mul(t)) }
func (a vec) mirror() vec              { return vec{-a[0], a[1], a[2]} }
func (a vec) min() float64             { return math.Min(a[0], math.Min(a[1], a[2])) }

// unit returns a of length 1, or a itself if it has none.
func (a vec) unit() vec {
	if l := a.len(); l > 0 {
		return a.mul(1 / l)
	}
	return a
}

// mat3 is a rotation in row order.
type mat3 [9]float64

func (m mat3) apply(v vec) vec {
	return vec{m[0]*v[0] + m[1]*v[1] + m[2]*v[2], m[3]*v[0] + m[4]*v[1] + m[5]*v[2], m[6]*v[0] + m[7]*v[1] + m[8]*v[2]}
}

// back applies the transpose, which undoes a rotation.
func (m mat3) back(v vec) vec {
	return vec{m[0]*v[0] + m[3]*v[1] + m[6]*v[2], m[1]*v[0] + m[4]*v[1] + m[7]*v[2], m[2]*v[0] + m[5]*v[1] + m[8]*v[2]}
}

// turn is the rotation Rz*Ry*Rx of three angles in degrees, the order in which frames of parts are written.
func turn(deg vec) mat3 {
	sx, cx := math.Sincos(radians(deg[0]))
	sy, cy := math.Sincos(radians(deg[1]))
	sz, cz := math.Sincos(radians(deg[2]))
	return mat3{
		cz * cy, cz*sy*sx - sz*cx, cz*sy*cx + sz*sx,
		sz * cy, sz*sy*sx + cz*cx, sz*sy*cx - cz*sx,
		-sy, cy * sx, cy * cx,
	}
}

// frame is a local space: world = at + R(scale * local). A zero scale means 1.
type frame struct{ at, rot, scale vec }

func (f frame) scaled() vec {
	if f.scale == (vec{}) {
		return vec{1, 1, 1}
	}
	return f.scale
}

func (f frame) toWorld(q vec) vec { return f.at.add(turn(f.rot).apply(q.times(f.scaled()))) }
func (f frame) toLocal(p vec) vec { return turn(f.rot).back(p.sub(f.at)).over(f.scaled()) }

func radians(deg float64) float64 { return deg * math.Pi / 180 }

func clamp(x, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, x)) }

func smoothstep(t float64) float64 { return t * t * (3 - 2*t) }
