package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// similarity is the mean structural similarity (Wang et al. 2004, over squares of 7 by 7 pixels) of the brightness of two
// pictures of one size, over the pixels that either of them covers, on black or on white, whichever is the worse. 1 is the
// same picture.
func similarity(a, b *image.NRGBA) float64 {
	seen := image.Rectangle{}
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			if i := 4 * (y*a.Rect.Dx() + x); a.Pix[i+3] > 0 || b.Pix[i+3] > 0 {
				seen = seen.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	seen = seen.Inset(-8).Intersect(a.Rect)
	worst := 1.0
	for _, ground := range []float64{0, 255} {
		sum, n := 0.0, 0
		for i, s := range similarityMap(luma(a, seen, ground), luma(b, seen, ground), seen.Dx(), seen.Dy()) {
			at := a.PixOffset(seen.Min.X+i%seen.Dx(), seen.Min.Y+i/seen.Dx()) + 3
			if a.Pix[at] > 0 || b.Pix[at] > 0 {
				sum += s
				n++
			}
		}
		worst = min(worst, sum/float64(max(n, 1)))
	}
	return worst
}

// similarityMap gives each pixel's similarity, row by row, of two pictures' brightness, which it uses up.
func similarityMap(x, y []float64, w, h int) []float64 {
	const c1, c2 = 0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255
	xx, yy, xy := make([]float64, w*h), make([]float64, w*h), make([]float64, w*h)
	for i := range x {
		xx[i], yy[i], xy[i] = x[i]*x[i], y[i]*y[i], x[i]*y[i]
	}
	for _, m := range [][]float64{x, y, xx, yy, xy} {
		blur(m, w, h)
	}
	for i := range x {
		mx, my := x[i], y[i]
		vx, vy, cov := xx[i]-mx*mx, yy[i]-my*my, xy[i]-mx*my
		x[i] = (2*mx*my + c1) * (2*cov + c2) / ((mx*mx + my*my + c1) * (vx + vy + c2))
	}
	return x
}

// luma is the brightness of each pixel (ITU-R BT.601) of a part of a picture on a grey ground.
func luma(img *image.NRGBA, part image.Rectangle, ground float64) []float64 {
	out := make([]float64, 0, part.Dx()*part.Dy())
	for y := part.Min.Y; y < part.Max.Y; y++ {
		row := img.Pix[img.PixOffset(part.Min.X, y):]
		for i := 0; i < 4*part.Dx(); i += 4 {
			p := row[i : i+4]
			alpha := float64(p[3]) / 255
			bright := 0.299*float64(p[0]) + 0.587*float64(p[1]) + 0.114*float64(p[2])
			out = append(out, ground+alpha*(bright-ground))
		}
	}
	return out
}

// square is the side of the square that statistics are taken over, in pixels.
const square = 7

// blur averages over the square, in place; beyond its rim a picture goes on as it ends.
func blur(m []float64, w, h int) {
	row := make([]float64, max(w, h)+square)
	pass := func(n, lines, step, line int) {
		const half = square / 2
		for l := range lines {
			for i := range n + square { // one more than the last sum needs
				row[i] = m[l*line+min(max(i-half, 0), n-1)*step]
			}
			sum := 0.0
			for i := range square {
				sum += row[i]
			}
			for i := range n {
				m[l*line+i*step] = sum / square
				sum += row[i+square] - row[i]
			}
		}
	}
	pass(w, h, 1, w)
	pass(h, w, w, 1)
}

func TestSimilarity(t *testing.T) {
	disc := func(radius int, c color.NRGBA, noise int) *image.NRGBA {
		r := rand.New(rand.NewPCG(1, 2))
		img := image.NewNRGBA(image.Rect(0, 0, 80, 80))
		for y := range 80 {
			for x := range 80 {
				if (x-40)*(x-40)+(y-40)*(y-40) < radius*radius {
					p := c
					if noise > 0 {
						p.G = uint8(int(p.G) - noise/2 + r.IntN(noise))
					}
					img.SetNRGBA(x, y, p)
				}
			}
		}
		return img
	}
	plain := disc(30, color.NRGBA{200, 120, 80, 255}, 0)
	if s := similarity(plain, plain); math.Abs(s-1) > 1e-9 {
		t.Errorf("a picture is %g like itself", s)
	}
	inverse := disc(30, color.NRGBA{55, 135, 175, 255}, 0)
	flat := make([]float64, 0)
	for _, other := range []*image.NRGBA{disc(30, color.NRGBA{204, 122, 80, 255}, 0), disc(28, color.NRGBA{200, 120, 80, 255}, 0),
		disc(30, color.NRGBA{200, 120, 80, 255}, 60), inverse, image.NewNRGBA(plain.Rect)} {
		flat = append(flat, similarity(plain, other))
	}
	// A tone is forgiven, a rim and noise count, nothing at all is nothing like it. A colour as bright as another is not
	// seen: that is what difference is for.
	for i, want := range [][2]float64{{0.985, 0.9999}, {0.5, 0.95}, {0.3, 0.95}, {0.9, 0.9999}, {-0.1, 0.3}} {
		if flat[i] < want[0] || flat[i] > want[1] {
			t.Errorf("picture %d is %.4f like the plain one, want within %v", i, flat[i], want)
		}
	}
	if mean, _ := difference(plain, inverse); mean < 10 {
		t.Errorf("another colour is off by %.1f on average", mean)
	}
}
