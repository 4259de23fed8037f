package main

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"
)

// icons are Yui's head at the sizes that trays and desktops ask for.
func icons() []file {
	var out []file
	for _, size := range []int{22, 24, 32, 48, 64, 128} {
		out = append(out, file{fmt.Sprintf("icons/yui-%d.png", size), pngBytes(icon(size))})
	}
	return out
}

// oversample is how many times larger icons are drawn than they become.
const oversample = 8

// icon draws large and averages down, which keeps thin shapes even at 22 pixels.
func icon(size int) image.Image {
	const side = oversample
	d := &iconPen{Context: gg.NewContext(size*side, size*side), size: float64(size)}
	d.Scale(float64(size*side)/100, float64(size*side)/100)
	d.SetLineJoinRound()
	d.head()
	return shrink(d.Image(), side)
}

// iconPen draws in a square of 100, y down.
type iconPen struct {
	*gg.Context
	size float64
}

// px is at least n pixels of the finished icon, or units if that is more.
func (d *iconPen) px(n, units float64) float64 { return max(n*100/d.size, units) }

func (d *iconPen) fill(hex string) { d.SetColor(rgb(hex)); d.Fill() }

// mirrored calls draw for the left half and again for the right one.
func (d *iconPen) mirrored(draw func()) {
	draw()
	d.Push()
	d.Translate(100, 0)
	d.Scale(-1, 1)
	draw()
	d.Pop()
}

func (d *iconPen) earPath() {
	d.MoveTo(9, 62)
	d.CubicTo(4, 42, 5, 18, 11, 4)
	d.CubicTo(13, 0.5, 16, 0.5, 19, 3.5)
	d.CubicTo(31, 14, 42, 27, 48, 46)
	d.ClosePath()
}

func (d *iconPen) headPath() {
	d.MoveTo(50, 36)
	d.CubicTo(69, 36, 84, 44, 89, 59)
	d.CubicTo(91, 65, 94, 69.5, 97, 72.5)
	d.CubicTo(98.5, 74.5, 98, 76.5, 96, 78.5)
	d.CubicTo(84, 91, 68, 96, 50, 96)
	d.CubicTo(32, 96, 16, 91, 4, 78.5)
	d.CubicTo(2, 76.5, 1.5, 74.5, 3, 72.5)
	d.CubicTo(6, 69.5, 9, 65, 11, 59)
	d.CubicTo(16, 44, 31, 36, 50, 36)
	d.ClosePath()
}

func (d *iconPen) head() {
	line := d.px(0.95, 3.2)
	halo := line + d.px(0.55, 1.6)
	edge := func(width float64, c color.Color, path func()) {
		path()
		d.SetColor(c)
		d.SetLineWidth(2 * width)
		d.Stroke()
	}
	// Everything is drawn a little smaller, so that outline and halo stay inside the square.
	fit := (100 - 2*halo) / 97.2
	d.Translate(50, 50)
	d.Scale(fit, fit)
	d.Translate(-50, -48.7)

	// A pale rim keeps the dark ear tips from sinking into dark panels.
	pale := color.NRGBA{255, 244, 226, 215}
	d.mirrored(func() { edge(halo, pale, d.earPath) })
	edge(halo, pale, d.headPath)
	brown := rgb("#6E3C20")
	d.mirrored(func() { edge(line, brown, d.earPath) })
	d.mirrored(d.ear)
	edge(line, brown, d.headPath)
	d.headPath()
	d.fill("#F6A45C")
	d.headPath()
	d.Clip()
	d.muzzle()
	d.ResetClip()
	d.mirrored(d.brow)
	d.eye(30)
	d.eye(70)
	d.snout()
}

func (d *iconPen) ear() {
	d.earPath()
	d.fill("#F6A45C")
	d.MoveTo(13, 56)
	d.CubicTo(10, 42, 11, 28, 14, 20)
	d.CubicTo(24, 28, 32, 37, 37, 48)
	d.ClosePath()
	d.fill("#FFE1CC")
	d.earPath()
	d.Clip()
	d.MoveTo(0, -5)
	d.LineTo(40, -5)
	d.LineTo(40, 17)
	d.CubicTo(30, 24, 21, 15, 16, 17.5)
	d.CubicTo(11, 20, 7, 20, 0, 19)
	d.ClosePath()
	d.fill("#5E3626")
	d.ResetClip()
}

func (d *iconPen) muzzle() {
	d.MoveTo(-5, 71)
	d.CubicTo(12, 64, 28, 66, 37, 68)
	d.CubicTo(43, 69, 45, 60, 50, 60)
	d.CubicTo(55, 60, 57, 69, 63, 68)
	d.CubicTo(72, 66, 88, 64, 105, 71)
	d.LineTo(105, 110)
	d.LineTo(-5, 110)
	d.ClosePath()
	d.fill("#FFF4E2")
	d.MoveTo(-5, 80)
	d.CubicTo(20, 96, 80, 96, 105, 80)
	d.LineTo(105, 110)
	d.LineTo(-5, 110)
	d.ClosePath()
	d.fill("#F0D3B4")
	if d.size >= 32 {
		d.mirrored(func() {
			d.DrawEllipse(14.5, 77, 7, 3.8)
			d.SetColor(color.NRGBA{255, 143, 134, 150})
			d.Fill()
		})
	}
}

func (d *iconPen) brow() {
	if d.size < 32 {
		return
	}
	d.Push()
	d.RotateAbout(-0.3, 34, 46.5)
	d.DrawEllipse(34, 46.5, 4.4, 2.6)
	d.Pop()
	d.fill("#FFE3C4")
}

// eye keeps what reads at its size: dark oval, amber light and one highlight.
func (d *iconPen) eye(x float64) {
	const y, rx, ry = 64, 10.5, 14
	d.DrawEllipse(x, y, rx, ry)
	d.fill("#3B2A2A")
	d.DrawEllipse(x, y+ry*0.06, rx*0.84, ry*0.86)
	d.fill("#6B3519")
	d.DrawEllipse(x, y+ry*0.42, rx*0.68, ry*0.48)
	d.fill("#EDAE49")
	d.DrawEllipse(x, y, rx*0.38, ry*0.44)
	d.fill("#3B2A2A")
	if d.size < 32 {
		// One whole pixel: anything between two would be grey.
		d.pixels(x-rx*0.34, y-ry*0.46, 1, 1, "#FFFFFF")
		return
	}
	d.DrawEllipse(x-rx*0.34, y-ry*0.42, rx*0.33, ry*0.28)
	d.fill("#FFFFFF")
	d.DrawEllipse(x+rx*0.36, y+ry*0.42, rx*0.17, ry*0.13)
	d.fill("#FFFFFF")
}

// pixels fills w by h whole pixels of the finished icon, the nearest to a middle.
func (d *iconPen) pixels(x, y, w, h float64, hex string) {
	x, y = d.TransformPoint(x, y)
	snap := func(v, n float64) float64 { return math.Round(v/oversample-n/2) * oversample }
	d.Push()
	d.Identity()
	d.DrawRectangle(snap(x, w), snap(y, h), w*oversample, h*oversample)
	d.fill(hex)
	d.Pop()
}

func (d *iconPen) snout() {
	if d.size < 32 {
		d.pixels(50, 79, 2, 1, "#3B2A2A")
		return
	}
	wide, tall := d.px(1, 4), d.px(1.5, 5.6)
	y := 80.5 - tall/2
	d.MoveTo(50-wide, y+0.3*tall)
	d.CubicTo(50-wide*0.6, y, 50+wide*0.6, y, 50+wide, y+0.3*tall)
	d.CubicTo(50+wide*0.8, y+0.75*tall, 50+wide*0.3, y+tall, 50, y+tall)
	d.CubicTo(50-wide*0.3, y+tall, 50-wide*0.8, y+0.75*tall, 50-wide, y+0.3*tall)
	d.ClosePath()
	d.fill("#3B2A2A")
	d.SetColor(rgb("#3B2A2A"))
	d.SetLineWidth(d.px(0.8, 2))
	d.SetLineCapRound()
	d.MoveTo(41, 86)
	d.CubicTo(42, 90, 48, 90.5, 50, 86.8)
	d.CubicTo(52, 90.5, 58, 90, 59, 86)
	d.Stroke()
}

// shrink averages squares of n by n pixels, weighing colours by their alpha.
func shrink(src image.Image, n int) image.Image {
	b := src.Bounds()
	img := image.NewNRGBA(image.Rect(0, 0, b.Dx()/n, b.Dy()/n))
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			var sum [4]uint64
			for j := range n {
				for i := range n {
					r, g, bl, a := src.At(x*n+i, y*n+j).RGBA()
					for c, v := range []uint32{r, g, bl, a} {
						sum[c] += uint64(v)
					}
				}
			}
			if sum[3] == 0 {
				continue
			}
			at := func(c int) uint8 { return uint8((sum[c]*255 + sum[3]/2) / sum[3]) }
			alpha := (sum[3]/uint64(n*n) + 128) / 257
			img.SetNRGBA(x, y, color.NRGBA{at(0), at(1), at(2), uint8(alpha)})
		}
	}
	return img
}
