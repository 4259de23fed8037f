package render

import (
	"image"
	"testing"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// TestHullKeepsHardEdges looks at a cube of split normals from near: the faces on all four sides keep their line.
func TestHullKeepsHardEdges(t *testing.T) {
	c := crate(geom.Vec3{}, 0.5, 0)
	m := &mesh{batches: []batch{{}}, position: c.Positions, normal: c.Normals, index: c.Indices}
	m.batches[0].count = len(m.index)
	m.materials = []vrm.Material{{Contour: vrm.Contour{Outline: vrm.OutlineWorld}}}
	h := newHulls(m, true)[0]
	if !h.sealed {
		t.Fatal("the cube is not closed")
	}
	vertices := make([]float32, len(m.position)*floatsPerVertex)
	for i, p := range m.position {
		v := vertices[i*floatsPerVertex:]
		copy(v, p[:])
		copy(v[3:], m.normal[i][:])
	}
	eye := geom.Vec3{0, 0, 2.5}
	out := h.choose(nil, m, vertices, eye, 0.02, make([]uint8, len(m.position)))
	kept := map[geom.Vec3]bool{}
	for _, v := range out {
		kept[m.normal[v]] = true
	}
	for _, n := range []geom.Vec3{{0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}} {
		if !kept[n] {
			t.Errorf("the face toward %v has no line", n)
		}
	}
}

// TestHardEdgesHaveTheirLine looks at pictures of a crate by each way of drawing: whatever is left out of the outline, its
// line is seen on all four sides.
func TestHardEdgesHaveTheirLine(t *testing.T) {
	for _, name := range []string{"crate", "crate-screen"} {
		m := pictures()[name]
		for way, opt := range map[string]Options{"processor": {}, "driver": {Driver: true}, "every face": {Exact: true}} {
			t.Run(name+"/"+way, func(t *testing.T) {
				onGL(t, 160, 160, func(t T, win window) {
					for _, yaw := range []float32{0, 20, -35} {
						img := shoot(t, opt, m, turned(m, yaw, nil), View{Width: 160, Height: 160, PixelsPerMetre: 80, RootX: 80, RootY: 80})
						for side, step := range map[string]image.Point{"left": {1, 0}, "right": {-1, 0}, "top": {0, 1}, "bottom": {0, -1}} {
							if n := lineFrom(img, step); n < 1 {
								t.Errorf("turned by %g degrees it has no line on its %s side", yaw, side)
								savePNG(t, "hard-edges.png", img)
							}
						}
					}
				})
			})
		}
	}
}

// lineFrom goes from the middle of an edge of a picture inward, and returns how many pixels of the first thing it meets are
// as dark as a line.
func lineFrom(img *image.NRGBA, step image.Point) (n int) {
	mid := image.Pt(img.Rect.Dx()/2, img.Rect.Dy()/2)
	at := mid.Sub(image.Pt(step.X*mid.X, step.Y*mid.Y))
	if step.X < 0 || step.Y < 0 {
		at = at.Add(step) // from the last pixel
	}
	for ; at != mid; at = at.Add(step) {
		switch c := img.NRGBAAt(at.X, at.Y); {
		case c.A == 0:
		case c.R < 150:
			n++
		default:
			return n
		}
	}
	return n
}
