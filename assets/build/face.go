package main

import "math"

// uv is a place on the face plane: u round the head, v up, both roughly arc length in H.
type uv [2]float64

// face holds the measures of a character's face decals, in H on the face plane.
type face struct {
	height, radius float64 // of the projection
	eye            struct{ u, v, rx, ry, base, bulge, lash, flick float64 }
	brow           uv
	browHigh       float64 // where "short" brows rise to; 0 for the shape's own
	blush          struct{ u, v, rx, ry float64 }
	blushColour    string
	nose           struct{ v, rx, ry float64 }
	nostril        uv // zero for none
	mouth          struct{ v, w, d, line float64 }
	spots          []spot
	whiskers       struct{ u, v, length float64 } // zero for none
	iris           iris
}

// spot is a flat mark: an ellipse turned by degrees, or a polygon round a centre.
type spot struct {
	at       uv
	rx, ry   float64
	turn     float64
	outline  []uv
	mirrored bool
}

// lids are the upper edge of half closed eyes in eye heights, inner to outer end, with an arch between.
type lids struct{ inner, outer, arch float64 }

// brows are shown when their shape is set; turn lifts the inner end, in degrees.
type brows struct {
	turn, up float64
	short    bool
}

// look is one face. The zero look is neutral. Left and right may differ.
type look struct {
	closed  [2]string // "", "happy" or "sleep": left, right
	lids    *lids
	eyeSize float64 // 0 means 1
	brow    [2]*brows
	mouth   string // "" is the cat smile
	flush   float64
}

// decal is one piece of the face with a fixed vertex count in every look. Its kind is "eye", "blush" or a palette row.
type decal struct {
	name, kind string
	pos, nor   []vec
	uv         [][2]float64
	tris       [][3]int
}

// painter lays decals onto the head.
type painter struct {
	f      face
	head   dist
	look   look
	size   float64 // eye scale
	flat   float64 // how far decals lie on a card through the ridge of the muzzle instead of on its round sides
	memo   map[uv][2]vec
	decals []*decal
}

func sides() [2]float64 { return [2]float64{1, -1} }

func sideName(sg float64) string {
	if sg > 0 {
		return "L"
	}
	return "R"
}

// drawFace returns all decals of a look. The memo may be shared between looks of one head.
func drawFace(f face, head dist, l look, memo map[uv][2]vec) []*decal {
	p := &painter{f: f, head: head, look: l, size: l.eyeSize, memo: memo}
	if p.size == 0 {
		p.size = 1
	}
	for i, sg := range sides() {
		p.eye(sg, l.closed[i])
		p.brow(sg, l.brow[i])
		p.blush(sg)
		p.hatch(sg)
	}
	p.spots()
	p.nose()
	p.flat = mouthFlat
	p.mouthLine()
	p.mouthHole()
	p.flat = 0
	p.whiskers()
	return p.decals
}

// project finds the head's surface along the level ray of a face place, from outside, and its normal there.
func (p *painter) project(at uv) (vec, vec) {
	if r, ok := p.memo[at]; ok {
		return r[0], r[1]
	}
	s, c := math.Sincos(at[0] / p.f.radius)
	y := p.f.height + at[1]
	t := 0.5
	for range 60 {
		d := p.head(vec{s * t, y, c * t})
		t -= d * 0.8
		if math.Abs(d) < 1e-6 || t < 0 {
			break
		}
	}
	hit := vec{s * t, y, c * t}
	n := p.head.gradient(hit, 0.012).unit()
	p.memo[at] = [2]vec{hit, n}
	return hit, n
}

func (p *painter) start(name, kind string) *decal {
	d := &decal{name: name, kind: kind}
	p.decals = append(p.decals, d)
	return d
}

// add lays a vertex on the head. What belongs to the mouth lies partly on a card before the muzzle, see flat.
func (p *painter) add(d *decal, at uv, offset float64, tex [2]float64) int {
	hit, n := p.project(at)
	if p.flat > 0 {
		ridge, _ := p.project(uv{0, at[1]})
		hit[2] += (ridge[2] - hit[2]) * p.flat
		n = n.mix(vec{0, 0, 1}, p.flat).unit()
	}
	d.pos, d.nor = append(d.pos, hit.add(n.mul(offset))), append(d.nor, n)
	d.uv = append(d.uv, tex)
	return len(d.pos) - 1
}

// bulge is the eye's offset above the head at a face place: slightly convex within the eyes.
func (p *painter) bulge(at uv) float64 {
	e, most := p.f.eye, 0.0
	for _, sg := range sides() {
		a, b := (at[0]-sg*e.u)/(e.rx*p.size), (at[1]-e.v)/(e.ry*p.size)
		most = math.Max(most, 1-a*a-b*b)
	}
	return e.base + e.bulge*most
}

// ribbon is a line of a given half width at each part t of its way. Hidden ones collapse in place to no area, so that
// half weights between two looks stay sound.
func (p *painter) ribbon(name, kind string, line []uv, offset float64, hidden bool, half func(t float64) float64) {
	d := p.start(name, kind)
	n := len(line)
	for i, at := range line {
		a, b := line[max(i-1, 0)], line[min(i+1, n-1)]
		dx, dy := b[0]-a[0], b[1]-a[1]
		if l := math.Hypot(dx, dy); l > 0 {
			dx, dy = dx/l, dy/l
		}
		w := 0.0
		if !hidden {
			w = half(float64(i) / float64(n-1))
		}
		for _, k := range []float64{1, 0, -1} {
			q := uv{at[0] - dy*w*k, at[1] + dx*w*k}
			p.add(d, q, p.bulge(q)+offset, [2]float64{0.5, 0.5})
		}
	}
	for i := 0; i+1 < n; i++ {
		for k := range 2 {
			a := i*3 + k
			d.tris = append(d.tris, [3]int{a, a + 1, a + 4}, [3]int{a, a + 4, a + 3})
		}
	}
}

// fan fills a ring about a centre in two steps.
func (p *painter) fan(name, kind string, centre uv, ring []uv, offset float64, hidden bool) {
	d := p.start(name, kind)
	n := len(ring)
	grow := 1.0
	if hidden {
		grow = 0
	}
	p.add(d, centre, offset, [2]float64{0.5, 0.5})
	for r := 1; r <= 2; r++ {
		f := grow * float64(r) / 2
		for _, q := range ring {
			p.add(d, uv{centre[0] + (q[0]-centre[0])*f, centre[1] + (q[1]-centre[1])*f}, offset, [2]float64{0.5, 0.5})
		}
	}
	for i := range n {
		a, b := 1+i, 1+(i+1)%n
		d.tris = append(d.tris, [3]int{0, a, b}, [3]int{a, a + n, b + n}, [3]int{a, b + n, b})
	}
}

// ends tapers a ribbon's half width at both ends: the higher the power, the blunter.
func ends(width, power, first, last float64) func(t float64) float64 {
	return func(t float64) float64 {
		x := math.Abs(2*t - 1)
		return width * math.Sqrt(math.Max(0, 1-math.Pow(x, power))) * (first + (last-first)*t)
	}
}

func ellipse(n int, c uv, rx, ry, deg float64) []uv {
	s, k := math.Sincos(radians(deg))
	out := make([]uv, n)
	for i := range out {
		y, x := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		x, y = x*rx, y*ry
		out[i] = uv{c[0] + x*k - y*s, c[1] + x*s + y*k}
	}
	return out
}

func reflect(line []uv, sg float64) []uv {
	out := make([]uv, len(line))
	for i, q := range line {
		out[i] = uv{sg * q[0], q[1]}
	}
	return out
}

func (p *painter) spots() {
	for _, s := range p.f.spots {
		for _, sg := range sides() {
			if sg < 0 && !s.mirrored {
				continue
			}
			ring := s.outline
			if ring == nil {
				ring = ellipse(18, s.at, s.rx, s.ry, s.turn)
			}
			p.fan("spot", "spot", uv{sg * s.at[0], s.at[1]}, reflect(ring, sg), 0.003, false)
		}
	}
}

// nose is a rounded triangle, point down; a dragon has nostrils instead.
func (p *painter) nose() {
	if n := p.f.nose; n.rx > 0 {
		ring := ellipse(14, uv{}, 1, 1, 0)
		for i, q := range ring {
			ring[i] = uv{n.rx * q[0] * (1 - 0.495*(1-q[1])/2), n.v + n.ry*q[1]}
		}
		p.fan("nose", "line", uv{0, n.v}, ring, 0.006, false)
	}
	if at := p.f.nostril; at[0] > 0 {
		for _, sg := range sides() {
			c := uv{sg * at[0], at[1]}
			p.fan("nostril", "nostril", c, ellipse(10, c, 0.0055, 0.0055, 0), 0.003, false)
		}
	}
}

// whiskers stand off the head, two a side.
func (p *painter) whiskers() {
	w := p.f.whiskers
	if w.length == 0 {
		return
	}
	for _, sg := range sides() {
		for k, rise := range []float64{0.012, -0.010} {
			d := p.start("whisker", "whisker")
			hit, n := p.project(uv{sg * w.u, w.v - 0.030*float64(k)})
			hit = hit.add(n.mul(0.001))
			for i := range 6 {
				t := float64(i) / 5
				c := hit.add(vec{sg * w.length * t, rise*t - 0.010*t*t, 0.012 * t})
				half := 0.0042 * (1 - 0.7*t)
				for _, s := range sides() {
					d.pos = append(d.pos, c.add(vec{0, s * half, 0}))
					d.nor, d.uv = append(d.nor, vec{0, 0, 1}), append(d.uv, [2]float64{0.5, 0.5})
				}
			}
			for i := range 5 {
				a := i * 2
				d.tris = append(d.tris, [3]int{a, a + 1, a + 3}, [3]int{a, a + 3, a + 2})
			}
		}
	}
}
