package main

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"
)

// iris holds the colours of the eye picture.
type iris struct{ rim, top, mid, low, glow, pupil string }

// rgb reads #rrggbb.
func rgb(hex string) color.NRGBA {
	var v [3]uint8
	for i := range v {
		for _, c := range []byte(hex[1+2*i : 3+2*i]) {
			v[i] = v[i]<<4 | nibble(c)
		}
	}
	return color.NRGBA{v[0], v[1], v[2], 255}
}

func nibble(c byte) uint8 {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}

// linear is a colour as glTF's factors want it.
func linear(hex string) [3]float32 {
	c := rgb(hex)
	var out [3]float32
	for i, v := range []uint8{c.R, c.G, c.B} {
		x := float64(v) / 255
		if x <= 0.04045 {
			x /= 12.92
		} else {
			x = math.Pow((x+0.055)/1.055, 2.4)
		}
		out[i] = float32(math.Round(x*1e5) / 1e5)
	}
	return out
}

// paletteImage has four texels' height a row, so that linear filtering never mixes two rows.
func paletteImage(rows []colour, pick func(colour) string) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 4, 4*len(rows)))
	for y := range 4 * len(rows) {
		for x := range 4 {
			img.SetNRGBA(x, y, rgb(pick(rows[y/4])))
		}
	}
	return img
}

// rampU is where occlusion lies across the two ramps: so that the shade falls from one texel's middle to the other's, from
// none at 0 to all at 1/1.3.
func rampU(closed float64) float64 { return 0.25 + 0.65*closed }

// shiftImage shifts closed places into the shade (red). Two texels, the ramp is the filter's: viewers disagree whether the
// texture is linear, as VRMC_materials_mtoon has it, or sRGB, and black and white are the same in both.
func shiftImage() image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	img.SetNRGBA(0, 0, color.NRGBA{255, 255, 255, 255})
	img.SetNRGBA(1, 0, color.NRGBA{0, 0, 0, 255})
	return img
}

// widthImage takes the outline away in creases (green), where the hull would show as dark dashes.
func widthImage() image.Image {
	const w = 48
	img := image.NewNRGBA(image.Rect(0, 0, w, 1))
	for x := range w {
		u := ((float64(x)+0.5)/w - 0.25) / 0.65
		img.SetNRGBA(x, 0, color.NRGBA{0, uint8(math.Round(255 * (1 - clamp((u-0.35)/0.45, 0, 1)))), 0, 255})
	}
	return img
}

// eyeImage paints one eye in coordinates -1..1, y up.
func eyeImage(c iris) image.Image {
	const w, h = 256, 352
	g := gg.NewContext(w, h)
	x := func(u float64) float64 { return (u*0.5 + 0.5) * w }
	y := func(v float64) float64 { return (0.5 - v*0.5) * h }
	oval := func(cx, cy, rx, ry, turn float64) {
		g.Push()
		g.RotateAbout(turn, x(cx), y(cy))
		g.DrawEllipse(x(cx), y(cy), rx*w/2, ry*h/2)
		g.Fill()
		g.Pop()
	}
	g.SetColor(rgb(c.rim))
	g.Clear()
	down := gg.NewLinearGradient(0, y(0.86), 0, y(-0.86))
	down.AddColorStop(0, rgb(c.top))
	down.AddColorStop(0.42, rgb(c.mid))
	down.AddColorStop(1, rgb(c.mid))
	g.SetFillStyle(down)
	oval(0, -0.06, 0.86, 0.88, 0)
	light := gg.NewLinearGradient(0, y(0.1), 0, y(-0.9))
	light.AddColorStop(0, rgb(c.low))
	light.AddColorStop(1, rgb(c.glow))
	g.SetFillStyle(light)
	oval(0, -0.40, 0.70, 0.52, 0)
	g.SetColor(rgb(c.pupil))
	oval(0, 0.02, 0.37, 0.44, 0)
	g.SetColor(rgb(c.glow))
	oval(0, -0.72, 0.42, 0.15, 0)
	g.SetColor(color.White)
	oval(-0.34, 0.42, 0.32, 0.27, -0.25)
	oval(0.36, -0.42, 0.16, 0.125, 0)
	return g.Image()
}

// blushStrength is the alpha of the blush's middle; its picture holds the fall-off alone, so that a flush can deepen it.
const blushStrength = 0.5647

func blushImage(hex string) image.Image {
	const n = 64
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	c := rgb(hex)
	for y := range n {
		for x := range n {
			r := math.Hypot(float64(x)+0.5-n/2, float64(y)+0.5-n/2) / (n / 2)
			a := 1 - r/0.72*(1-0.8333)
			if r > 0.72 {
				a = 0.8333 * math.Max(0, (1-r)/0.28)
			}
			c.A = uint8(math.Round(a * 255))
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}
