package figure

import (
	"image"
	"math"

	"yui/avatar/body"
	"yui/avatar/motion"
)

// size is how large a model is on the screen.
type size struct {
	anat motion.Anatomy
	ppm  float64         // pixels a metre
	box  image.Rectangle // of the window, from the root
}

// measure works out the scale and the window's box round the root: room for her reach to both sides, for her ears and
// a hop above, and for legs that hang over an edge below.
func (o *PetOptions) measure(a motion.Anatomy) size {
	ppm := o.Height * o.Scale / float64(a.Height)
	side := float64(max(a.Reach, a.HalfWidth))*ppm + 6*o.Scale
	up, down := float64(a.Top)*ppm+3*o.Scale, math.Abs(float64(a.Bottom))*ppm+3*o.Scale
	box := image.Rect(-int(math.Ceil(side)), -int(math.Ceil(up)), int(math.Ceil(side)), int(math.Ceil(down)))
	return size{a, ppm, box}
}

// shape is the size as the body wants it.
func (s *size) shape() body.Shape {
	a := s.anat
	return body.Shape{
		Height: float64(a.Height) * s.ppm, HeadTop: float64(a.HeadTop) * s.ppm, SeatDrop: float64(a.SeatDrop) * s.ppm,
		HalfWidth: float64(a.HalfWidth) * s.ppm, Unit: float64(a.Unit) * s.ppm,
		Box: body.Rect{X: float64(s.box.Min.X), Y: float64(s.box.Min.Y), W: float64(s.box.Dx()), H: float64(s.box.Dy())},
	}
}

// window is where the window is while her root is at a point; it is wider while she is in bed.
func (s *size) window(root body.Point, inBed bool) image.Rectangle {
	box := s.box
	if half := int(math.Ceil(float64(s.anat.Height) * bedHalf * s.ppm)); inBed && half > -box.Min.X {
		box.Min.X, box.Max.X = -half, half
	}
	return box.Add(image.Pt(int(math.Round(root.X)), int(math.Round(root.Y))))
}
