package main

import "math"

// hole is an open mouth: half width, height above and depth below the mouth line.
type hole struct{ half, above, below float64 }

// holes are the open mouths by name.
func holes() map[string]hole {
	return map[string]hole{
		"smile": {0.045, 0.004, 0.052},
		"aa":    {0.037, 0.010, 0.052},
		"ih":    {0.035, 0.006, 0.024},
		"ou":    {0.016, 0.014, 0.020},
		"ee":    {0.046, 0.004, 0.026},
		"oh":    {0.024, 0.018, 0.034},
		"o":     {0.018, 0.018, 0.026},
		"tiny":  {0.014, 0.010, 0.015},
	}
}

// mouthAt is the closed mouth line of a shape: x in half widths, y in depths, for t in -1..1.
func mouthAt(shape string, t float64) (x, y float64) {
	a := math.Abs(t)
	switch shape {
	case "":
		return t, 0.30 - 1.05*math.Pow(math.Sin(math.Pi*math.Pow(a, 0.92)), 0.8) + 0.62*a
	case "frown":
		return 0.62 * t, -0.9 + 1.5*(1-t*t)
	case "flat":
		return 0.42 * t, -0.2
	case "hmm": // pressed to one side, one corner up
		return 0.46*t + 0.22, -0.30 + 0.30*t + 0.28*t*t
	case "wobble": // a shy little wave
		return 0.66 * t, -0.25 + 0.34*math.Sin(3*math.Pi*t+math.Pi/2)*(1-0.3*a)
	}
	return t, 0
}

// mouthFlat keeps the far half of the mouth in sight from the side, as drawings do: on the round muzzle itself it is all
// but gone at 45 degrees, and the near half looks like a bite.
const mouthFlat = 0.8

// Offsets from the face's surface. They are larger than those of the other decals: under the muzzle the surface is hollow,
// and the triangles of the head stand before it there.
const (
	mouthLift  = 0.0055
	tongueLift = mouthLift - 0.0012
	cavityLift = mouthLift - 0.0025
)

func (p *painter) mouthLine() {
	const n = 36
	m := p.f.mouth
	_, open := holes()[p.look.mouth]
	line := make([]uv, n+1)
	for i := range line {
		x, y := mouthAt(p.look.mouth, 2*float64(i)/n-1)
		line[i] = uv{x * m.w, m.v + y*m.d}
	}
	p.ribbon("mouthLine", "line", line, mouthLift, open, ends(m.line, 10, 1, 1))
}

// mouthHole draws cavity, tongue and the ring round them.
func (p *painter) mouthHole() {
	const n = 28
	m := p.f.mouth
	h, open := holes()[p.look.mouth]
	if !open {
		h = hole{0.004, 0.004, 0.004}
	}
	y0 := m.v - 0.004
	ring := ellipse(n, uv{}, 1, 1, 0)
	for i, q := range ring {
		power, tall := 1.0, h.above
		if q[1] < 0 {
			power, tall = 0.85, h.below
		}
		ring[i] = uv{h.half * sign(q[0]) * math.Pow(math.Abs(q[0]), power), y0 + tall*q[1]}
	}
	p.fan("mouthIn", "mouthIn", uv{0, y0 - 0.4*h.below}, ring, cavityLift, !open)
	tongue := uv{0, y0 - 0.66*h.below}
	p.fan("tongue", "tongue", tongue, ellipse(16, tongue, 0.62*h.half, 0.27*h.below, 0), tongueLift, !open)
	p.ribbon("mouthRing", "line", append(ring[:n:n], ring[0], ring[1]), mouthLift, !open, func(float64) float64 {
		return m.line * 0.85
	})
}
