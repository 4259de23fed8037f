package render

import (
	"math"
	"unsafe"

	"yui/avatar/vrm/geom"
)

// fovY is the vertical field of view of the camera (design: 18 degrees, no pitch).
const fovY = 18 * math.Pi / 180

// toLight is the direction to the one light, fixed to the camera (docs/rules/avatar.md#light), not yet of unit length.
var toLight = geom.Vec3{-0.45, 0.85, 0.95}

// ambient is the part of the light that comes from all around. Toon materials have a shade colour of their own instead;
// the others, which their makers saw in lit rooms, would be black where the one light does not reach.
const ambient = 0.5

// View says how a model is seen in a window. Pixels are framebuffer pixels, x right, y down from the top left.
type View struct {
	Width, Height int
	// PixelsPerMetre is the scale at the plane z = 0 of the model.
	PixelsPerMetre float32
	// RootX and RootY are the pixel at which the model's origin is seen.
	RootX, RootY float32
	// CutX and CutSide cut the picture at a vertical line: CutSide -1 draws nothing left of CutX, +1 nothing right of
	// it (CutX itself included), 0 cuts nothing.
	CutX    float32
	CutSide int
	// Time in seconds drives UV animation.
	Time float64

	// Another camera and light than ours, to compare with other programs; zero in all else.
	fov   float32 // radians, vertical
	light geom.Vec3
}

// tanHalf is the tangent of half the vertical field of view.
func (v View) tanHalf() float32 {
	if v.fov > 0 {
		return float32(math.Tan(float64(v.fov) / 2))
	}
	return float32(math.Tan(fovY / 2))
}

// frameUniforms is the uniform block Frame; see gl_source.go.
type frameUniforms struct {
	Eye   [4]float32 // camera position
	Proj  [4]float32 // x and y scale, z = depthA*w + depthB
	Light [4]float32 // unit vector to the light, and the part of the light that comes from all around
	Misc  [4]float32 // metres a pixel, 1/aspect, opacity, pixels a screen half height
}

const frameSize = int(unsafe.Sizeof(frameUniforms{}))

// eye returns the camera's place: on a horizontal axis through the window's centre.
func (v View) eye() geom.Vec3 {
	d := float32(v.Height) / v.PixelsPerMetre / 2 / v.tanHalf()
	return geom.Vec3{(float32(v.Width)/2 - v.RootX) / v.PixelsPerMetre, (v.RootY - float32(v.Height)/2) / v.PixelsPerMetre, d}
}

// uniforms returns the Frame block for things within reach metres of the origin.
func (v View) uniforms(reach, opacity float32) frameUniforms {
	e := v.eye()
	f := 1 / v.tanHalf()
	near, far := max(e[2]-reach, e[2]*0.05), e[2]+reach
	l := toLight
	if v.light != (geom.Vec3{}) {
		l = v.light
	}
	l = l.Unit()
	around := float32(ambient)
	if v.light != (geom.Vec3{}) {
		around = 0
	}
	aspect := float32(v.Width) / float32(v.Height)
	return frameUniforms{
		Eye:   [4]float32{e[0], e[1], e[2], 1},
		Proj:  [4]float32{f / aspect, f, (far + near) / (far - near), -2 * far * near / (far - near)},
		Light: [4]float32{l[0], l[1], l[2], around},
		Misc:  [4]float32{1 / v.PixelsPerMetre, 1 / aspect, opacity, 2 / float32(v.Height)},
	}
}

// Project returns the pixel at which the model-space point p is seen.
func (v View) Project(p geom.Vec3) (x, y float32) {
	e := v.eye()
	s := e[2] / (e[2] - p[2]) * v.PixelsPerMetre
	return float32(v.Width)/2 + (p[0]-e[0])*s, float32(v.Height)/2 - (p[1]-e[1])*s
}

// cut returns the scissor rectangle in GL's pixels (y up) and whether anything of the window is left.
func (v View) cut() (x, y, w, h int32, ok bool) {
	lo, hi := 0, v.Width
	switch c := int(math.Round(float64(v.CutX))); {
	case v.CutSide < 0:
		lo = min(max(c, 0), v.Width)
	case v.CutSide > 0:
		hi = min(max(c, 0), v.Width)
	}
	return int32(lo), 0, int32(hi - lo), int32(v.Height), hi > lo
}

func (v View) valid() bool {
	return v.Width > 0 && v.Height > 0 && v.Width <= maxSide && v.Height <= maxSide && v.PixelsPerMetre > 0 && !math.IsInf(float64(v.PixelsPerMetre), 0) &&
		!math.IsNaN(float64(v.RootX+v.RootY))
}
