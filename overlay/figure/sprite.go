package figure

import (
	"image"
	"math"
)

// The shapes of particles.
type shape int

const (
	paper shape = iota
	heart
	star
	glow
	camera
)

// sprite is a particle as it is drawn: a shape in a box that is turned about its middle. Lengths are in pixels.
type sprite struct {
	x, y, w, h float32 // the middle, and half of the box
	sin, cos   float32
	color      [3]float32
	alpha      float32
	shape      shape
}

// draw blends the sprite over what is in the picture, which is premultiplied.
func (s *sprite) draw(img *image.RGBA) {
	reachX, reachY := s.w*abs(s.cos)+s.h*abs(s.sin), s.w*abs(s.sin)+s.h*abs(s.cos)
	r := image.Rect(int(s.x-reachX), int(s.y-reachY), int(s.x+reachX)+1, int(s.y+reachY)+1).Intersect(img.Rect)
	if s.w <= 0 || s.h <= 0 {
		return
	}
	edge := (abs(s.cos)+abs(s.sin))/s.w + (abs(s.cos)+abs(s.sin))/s.h // how far a pixel's corner is from another one's, in the box
	for y := r.Min.Y; y < r.Max.Y; y++ {
		dy := float32(y) + 0.5 - s.y
		row := img.Pix[img.PixOffset(r.Min.X, y):]
		for x := r.Min.X; x < r.Max.X; x++ {
			dx := float32(x) + 0.5 - s.x
			u, v := (dx*s.cos+dy*s.sin)/s.w, (dy*s.cos-dx*s.sin)/s.h
			if u >= -1 && u <= 1 && v >= -1 && v <= 1 {
				blend(row[4*(x-r.Min.X):], s, u, v, edge)
			}
		}
	}
}

func blend(pixel []byte, s *sprite, u, v, edge float32) {
	c, a := s.at(u, v, edge)
	a = min(max(a, 0), 1) * s.alpha
	if a <= 0 {
		return
	}
	for i := range 3 {
		pixel[i] = byte(255*c[i]*a + float32(pixel[i])*(1-a) + 0.5)
	}
	pixel[3] = byte(255*a + float32(pixel[3])*(1-a) + 0.5)
}

// at is colour and cover of a point of the box, whose sides are at -1 and 1.
func (s *sprite) at(u, v, edge float32) (c [3]float32, a float32) {
	white := [3]float32{1, 1, 1}
	switch s.shape {
	case heart:
		d := heartDistance(u*0.98, v*0.98)
		return mix(white, s.color, smooth(-0.16, -0.07, d)), smooth(edge, 0, d)
	case star:
		away := length(u, v)
		return mix(s.color, white, smooth(0.5, 0.05, away)), smooth(1, 0.72, root(abs(u))+root(abs(v))) + 0.55*smooth(0.55, 0, away)
	case glow:
		return s.color, 0.6 * smooth(1, 0, length(u, v))
	case camera:
		body := min(box(u, v-0.07, 0.56, 0.38, 0.1), box(u, v+0.32, 0.2, 0.14, 0.05))
		lens := abs(length(u, v-0.07)-0.2) - 0.05
		return mix(s.color, mix(white, s.color, smooth(edge, 0, lens)), smooth(edge, 0, body)), smooth(edge, 0, length(u, v)-0.9)
	}
	return s.color, 1
}

// heartDistance is how far a point is from the edge of a heart, below zero within.
func heartDistance(u, v float32) float32 {
	x, y := abs(u)*0.86, (0.62-v)*0.86
	if x+y > 1 {
		return length(x-0.25, y-0.75) - 0.35355
	}
	half := 0.5 * max(x+y, 0)
	d := float32(math.Sqrt(float64(min(x*x+(y-1)*(y-1), (x-half)*(x-half)+(y-half)*(y-half)))))
	if x < y {
		return -d
	}
	return d
}

// box is how far a point is from the edge of a box with round corners, below zero within.
func box(x, y, halfX, halfY, r float32) float32 {
	x, y = abs(x)-halfX+r, abs(y)-halfY+r
	return length(max(x, 0), max(y, 0)) + min(max(x, y), 0) - r
}

// roots is x to the power of 0.55 in steps: a star asks for it twice a pixel.
var roots = func() (t [257]float32) {
	for i := range t {
		t[i] = float32(math.Pow(float64(i)/256, 0.55))
	}
	return t
}()

func root(x float32) float32 {
	x *= 256
	i := min(int(x), 255)
	return roots[i] + (roots[i+1]-roots[i])*(x-float32(i))
}

func abs(x float32) float32 { return max(x, -x) }

func length(x, y float32) float32 { return float32(math.Sqrt(float64(x*x + y*y))) }

// smooth goes softly from 0 at from to 1 at to.
func smooth(from, to, x float32) float32 {
	t := min(max((x-from)/(to-from), 0), 1)
	return t * t * (3 - 2*t)
}

func mix(a, b [3]float32, t float32) [3]float32 {
	for i := range a {
		a[i] += (b[i] - a[i]) * t
	}
	return a
}
