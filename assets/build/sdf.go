package main

import "math"

// dist is a signed distance field, negative inside. Fields need not be exact, only smooth near zero.
type dist func(p vec) float64

// op says how a primitive joins those before it.
type op int

const (
	union op = iota
	subtract
	intersect
)

// prim is one primitive of a part. Blend is the width of the smooth joint; mirrored ones also stand at -x.
type prim struct {
	d        dist
	blend    float64
	op       op
	mirrored bool
	tip      *tip
}

// tip is the last stretch of a chain in world space, for snapping a vertex onto its very end.
type tip struct{ before, end vec }

func (p prim) k(blend float64) prim { p.blend = blend; return p }
func (p prim) both() prim           { p.mirrored = true; return p }
func (p prim) as(o op) prim         { p.op = o; return p }

// in places a field that is written in local coordinates.
func (f frame) in(d dist) dist {
	m, s := turn(f.rot), f.scaled()
	least := s.min()
	return func(p vec) float64 { return d(m.back(p.sub(f.at)).over(s)) * least }
}

func ellipsoid(c, r vec) prim { return prim{d: shifted(c, ellipsoidField(r))} }

func shifted(c vec, d dist) dist { return func(p vec) float64 { return d(p.sub(c)) } }

func ellipsoidField(r vec) dist {
	r2 := r.times(r)
	return func(p vec) float64 {
		k0, k1 := p.over(r).len(), p.over(r2).len()
		if k1 < 1e-9 {
			return -r.min()
		}
		return k0 * (k0 - 1) / k1
	}
}

// ball is a point with a radius: x, y, z, r.
type ball [4]float64

func (b ball) at() vec { return vec{b[0], b[1], b[2]} }

func roundCone(a, b ball) prim {
	return prim{d: func(p vec) float64 { return roundConeAt(p, a, b) }}
}

// roundConeAt is the exact distance to the hull of two balls. Interpolating the radius along a capsule instead leaves
// a crease at every joint of a chain.
func roundConeAt(p vec, a, b ball) float64 {
	ba, pa := b.at().sub(a.at()), p.sub(a.at())
	l2, rr := ba.dot(ba), a[3]-b[3]
	a2 := l2 - rr*rr
	if a2 <= 1e-9 {
		return math.Min(pa.len()-a[3], p.sub(b.at()).len()-b[3])
	}
	inv := 1 / l2
	y := pa.dot(ba)
	z := y - l2
	u := pa.mul(l2).sub(ba.mul(y))
	x2, y2, z2 := u.dot(u), y*y*l2, z*z*l2
	k := sign(rr) * rr * rr * x2
	if sign(z)*a2*z2 > k {
		return math.Sqrt(x2+z2)*inv - b[3]
	}
	if sign(y)*a2*y2 < k {
		return math.Sqrt(x2+y2)*inv - a[3]
	}
	return (math.Sqrt(x2*a2*inv)+y*rr)*inv - a[3]
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// chain is a tube through the given balls: a Catmull-Rom spline in sub steps a span, joined by round cones.
func chain(sub int, pts ...ball) prim { return chainIn(frame{}, sub, pts...) }

func chainIn(f frame, sub int, pts ...ball) prim {
	links := linksOf(catmull(pts, sub))
	n := len(pts)
	return prim{
		d: f.in(func(p vec) float64 {
			d := math.Inf(1)
			for i := range links {
				// Most links lie farther off than the nearest so far, and need no exact distance.
				l := &links[i]
				q := p.sub(l.middle)
				if far := d + l.radius; far > 0 && q.dot(q) >= far*far {
					continue
				}
				d = math.Min(d, roundConeAt(p, l.a, l.b))
			}
			return d
		}),
		tip: &tip{before: f.toWorld(pts[n-2].at()), end: f.toWorld(pts[n-1].at())},
	}
}

// link is one round cone of a chain and a sphere that holds it.
type link struct {
	a, b   ball
	middle vec
	radius float64
}

func linksOf(path []ball) []link {
	out := make([]link, len(path)-1)
	for i := range out {
		a, b := path[i], path[i+1]
		out[i] = link{a, b, a.at().mix(b.at(), 0.5), a.at().sub(b.at()).len()/2 + math.Max(a[3], b[3])}
	}
	return out
}

func catmull(pts []ball, sub int) []ball {
	var out []ball
	n := len(pts)
	for i := 0; i+1 < n; i++ {
		p0, p1, p2, p3 := pts[max(i-1, 0)], pts[i], pts[i+1], pts[min(i+2, n-1)]
		for s := range sub {
			t := float64(s) / float64(sub)
			var b ball
			for c := range b {
				b[c] = 0.5 * (2*p1[c] + (p2[c]-p0[c])*t + (2*p0[c]-5*p1[c]+4*p2[c]-p3[c])*t*t + (3*p1[c]-p0[c]-3*p2[c]+p3[c])*t*t*t)
			}
			out = append(out, b)
		}
	}
	return append(out, pts[n-1])
}

// torus lies flat: its axis is y.
func torus(f frame, ring, tube float64) prim {
	return prim{d: f.in(func(p vec) float64 { return math.Hypot(math.Hypot(p[0], p[2])-ring, p[1]) - tube })}
}

func roundBox(f frame, half vec, round float64) prim {
	return prim{d: f.in(func(p vec) float64 {
		var out float64
		in := math.Inf(-1)
		for c := range p {
			q := math.Abs(p[c]) - half[c] + round
			in = math.Max(in, q)
			out += math.Max(q, 0) * math.Max(q, 0)
		}
		return math.Sqrt(out) + math.Min(in, 0) - round
	})}
}

// halfSpace is everything on the side against its normal n.
func halfSpace(f frame, n vec) prim { return prim{d: f.in(func(p vec) float64 { return p.dot(n) })} }

// plate is a polygon of the local xy plane, thickened to both sides and rounded.
func plate(f frame, pts [][2]float64, half, round float64) prim {
	return prim{d: f.in(func(p vec) float64 {
		d2 := polygonAt(p[0], p[1], pts)
		wz := math.Abs(p[2]) - half
		return math.Min(math.Max(d2, wz), 0) + math.Hypot(math.Max(d2, 0), math.Max(wz, 0)) - round
	})}
}

func polygonAt(x, y float64, pts [][2]float64) float64 {
	d, s := math.Inf(1), 1.0
	for i, j := 0, len(pts)-1; i < len(pts); j, i = i, i+1 {
		ax, ay := pts[i][0], pts[i][1]
		ex, ey := pts[j][0]-ax, pts[j][1]-ay
		wx, wy := x-ax, y-ay
		t := clamp((wx*ex+wy*ey)/(ex*ex+ey*ey), 0, 1)
		qx, qy := wx-ex*t, wy-ey*t
		d = math.Min(d, qx*qx+qy*qy)
		above, below, left := y >= ay, y < pts[j][1], ex*wy > ey*wx
		if above == below && below == left {
			s = -s
		}
	}
	return s * math.Sqrt(d)
}

// smoothMin is the quadratic smooth minimum; k 0 is a plain one.
func smoothMin(a, b, k float64) float64 {
	if k <= 0 {
		return math.Min(a, b)
	}
	h := math.Max(k-math.Abs(a-b), 0) / k
	return math.Min(a, b) - h*h*k*0.25
}

func smoothMax(a, b, k float64) float64 { return -smoothMin(-a, -b, k) }

// blended joins primitives in their order into one field.
func blended(prims []prim) dist {
	var all []prim
	for _, p := range prims {
		all = append(all, p)
		if p.mirrored {
			q, d := p, p.d
			q.d = func(v vec) float64 { return d(v.mirror()) }
			all = append(all, q)
		}
	}
	return func(p vec) float64 {
		d := 1e9
		for i := range all {
			q := &all[i]
			e := q.d(p)
			switch q.op {
			case subtract:
				d = smoothMax(d, -e, q.blend)
			case intersect:
				d = smoothMax(d, e, q.blend)
			default:
				d = smoothMin(d, e, q.blend)
			}
		}
		return d
	}
}

// gradient is the central difference with step e.
func (d dist) gradient(p vec, e float64) vec {
	var g vec
	for c := range g {
		a, b := p, p
		a[c] += e
		b[c] -= e
		g[c] = (d(a) - d(b)) / (2 * e)
	}
	return g
}
