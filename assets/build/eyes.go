package main

import "math"

// closedLine is where a closed eye's lash lies, in eye heights; t runs from the inner (-1) to the outer corner (1). Half
// way to it the lid is the mean of this line and the open arch. A straight lid looks cross, so the line lies low and is
// nearly flat: the lid then keeps its arch until there is hardly an eye to see.
func closedLine(shape string, t float64) float64 {
	if shape == "happy" {
		return -0.28 + 0.42*(1-t*t)
	}
	return -0.34 - 0.17*(1-t*t)
}

// lidLift is how far shut lids stand off the head. Half way they lie on the line between open and shut, which would run
// through the round head otherwise.
const lidLift = 0.0055

func (l lids) at(t float64) float64 {
	k := (t + 1) / 2
	return l.inner*(1-k) + l.outer*k + l.arch*(1-t*t)
}

// eye draws patch, lash and flick of one side. The texture is not mirrored, so the lights stay on the light's side.
func (p *painter) eye(sg float64, closed string) {
	e := p.f.eye
	rx, ry := e.rx*p.size, e.ry*p.size
	p.eyePatch(sg, closed, rx, ry)
	p.eyeRim(sg, closed, rx, ry)

	const n = 18
	line := make([]uv, n+1)
	for i := range line {
		t := 2*float64(i)/n - 1
		var x, y float64
		switch {
		case closed != "":
			x, y = t*rx, ry*closedLine(closed, t)
		case p.look.lids != nil:
			x, y = t*1.10*rx, ry*p.look.lids.at(t)
		default:
			s, c := math.Sincos(radians(188 - 196*float64(i)/n))
			x, y = rx*c, ry*s+0.002
		}
		line[i] = uv{e.u + x, e.v + y}
	}
	half := func(t float64) float64 {
		return e.lash * math.Pow(math.Sin(math.Pi*clamp(t, 0, 1)), 0.6) * (0.75 + 0.5*t)
	}
	root := line[n-5]
	if closed != "" {
		half, root = ends(e.lash*0.85, 10, 1, 1), line[n]
	} else if p.look.lids != nil {
		half, root = ends(e.lash, 8, 0.8, 1.1), line[n-1]
	}
	lift := 0.002
	if closed == "sleep" {
		lift += lidLift
	}
	p.ribbon("lash"+sideName(sg), "line", reflect(line, sg), lift, false, half)

	rise := 0.62
	if closed == "sleep" { // out of sight, but half way to it the flick stays with the lash and points less like a brow
		root, rise = line[n-5], 0
	}
	from, to := uv{root[0] - 0.006, root[1] - 0.007}, uv{root[0] + e.flick, root[1] + rise*e.flick}
	flick := make([]uv, 5)
	for i := range flick {
		t := float64(i) / 4
		flick[i] = uv{from[0] + (to[0]-from[0])*t, from[1] + (to[1]-from[1])*t}
	}
	p.ribbon("flick"+sideName(sg), "line", reflect(flick, sg), lift+0.0005, closed != "", func(t float64) float64 {
		return 0.0072*math.Pow(1-t, 0.45) + 0.0006
	})
}

// eyeRim draws the lower edge of the eye just inside it, where the picture's own rim goes out of sight when she looks
// down or aside.
func (p *painter) eyeRim(sg float64, closed string, rx, ry float64) {
	e := p.f.eye
	line := make([]uv, 13)
	for i := range line {
		s, c := math.Sincos(radians(186 + 168*float64(i)/12))
		x, y := 0.975*c, 0.975*s
		if l := p.look.lids; l != nil {
			y = math.Min(y, l.at(x))
		}
		if closed != "" {
			y = closedLine(closed, x)
		}
		line[i] = uv{e.u + x*rx, e.v + y*ry}
	}
	p.ribbon("rim"+sideName(sg), "line", reflect(line, sg), 0.001, closed != "", ends(0.0019, 8, 1, 1))
}

// eyePatch is the iris picture: a grid whose rows lie at equal angles. Lids clamp its vertices, a true cut.
func (p *painter) eyePatch(sg float64, closed string, rx, ry float64) {
	const rows, cols = 14, 10
	e := p.f.eye
	d := p.start("eye"+sideName(sg), "eye")
	for j := range rows + 1 {
		yy, half := math.Sincos(-math.Pi/2 + math.Pi*float64(j)/rows)
		for i := range cols + 1 {
			xx := (2*float64(i)/cols - 1) * half
			y := yy
			if closed != "" {
				y = closedLine(closed, xx*sg)
			} else if p.look.lids != nil {
				y = math.Min(yy, p.look.lids.at(xx*sg))
			}
			at := uv{sg*e.u + xx*rx, e.v + y*ry}
			offset := 0.0015
			switch closed {
			case "":
				offset = p.bulge(at)
			case "sleep":
				offset += 2 * lidLift
			}
			p.add(d, at, offset, [2]float64{0.5 + 0.49*xx, 0.5 - 0.49*yy})
		}
	}
	for j := range rows {
		for i := range cols {
			a := j*(cols+1) + i
			c := a + cols + 1
			d.tris = append(d.tris, [3]int{a, a + 1, c + 1}, [3]int{a, c + 1, c})
		}
	}
}

func (p *painter) brow(sg float64, b *brows) {
	shape := brows{}
	if b != nil {
		shape = *b
	}
	half, up := 0.042, shape.up
	if shape.short {
		half = 0.030
		if p.f.browHigh != 0 {
			up = p.f.browHigh
		}
	}
	s, c := math.Sincos(radians(shape.turn))
	line := make([]uv, 11)
	for i := range line {
		t := 2*float64(i)/10 - 1
		x := t * half
		line[i] = uv{p.f.brow[0] + x*c, p.f.brow[1] + up + 0.010*(1-t*t) - x*s}
	}
	p.ribbon("brow"+sideName(sg), "line", reflect(line, sg), 0.003, b == nil, ends(0.0062, 6, 1, 1))
}

// blush is a soft disc; a flush makes it larger.
func (p *painter) blush(sg float64) {
	const n = 18
	b := p.f.blush
	grow := 1 + 0.22*p.look.flush
	d := p.start("blush"+sideName(sg), "blush")
	p.add(d, uv{sg * b.u, b.v}, 0.002, [2]float64{0.5, 0.5})
	for ring := 1; ring <= 3; ring++ {
		r := float64(ring) / 3
		for i := range n {
			s, c := math.Sincos(2 * math.Pi * float64(i) / n)
			at := uv{sg*b.u + c*b.rx*r*grow, b.v + s*b.ry*r*grow}
			p.add(d, at, 0.002, [2]float64{0.5 + 0.5*r*c, 0.5 + 0.5*r*s})
		}
	}
	for i := range n {
		a, b := 1+i, 1+(i+1)%n
		d.tris = append(d.tris, [3]int{0, a, b})
		for r := range 2 {
			k := r * n
			d.tris = append(d.tris, [3]int{a + k, a + k + n, b + k + n}, [3]int{a + k, b + k + n, b + k})
		}
	}
}

// hatch is three slanted strokes on the blush, shown by a flush alone.
func (p *painter) hatch(sg float64) {
	b := p.f.blush
	for k := range 3 {
		x := b.u + 0.017*float64(k-1)
		line := make([]uv, 4)
		for i := range line {
			t := float64(i)/3*2 - 1
			line[i] = uv{sg*x + 0.0085*t, b.v + 0.0125*t}
		}
		p.ribbon("hatch"+sideName(sg), "hatch", line, 0.0008, p.look.flush == 0, ends(0.0027, 4, 1, 1))
	}
}
