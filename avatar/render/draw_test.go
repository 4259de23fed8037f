package render

import (
	"image"
	"image/color"
	"testing"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

func view(w, h int) View {
	return View{Width: w, Height: h, PixelsPerMetre: 100, RootX: float32(w) / 2, RootY: float32(h) / 2}
}

func near(a, b color.NRGBA, tolerance int) bool {
	d := func(x, y uint8) bool { return int(x)-int(y) <= tolerance && int(y)-int(x) <= tolerance }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B) && d(a.A, b.A)
}

func want(t T, img *image.NRGBA, x, y int, c color.NRGBA, tolerance int, what string) {
	t.Helper()
	if got := img.NRGBAAt(x, y); !near(got, c, tolerance) {
		t.Errorf("%s at %d,%d: %v, want %v", what, x, y, got, c)
	}
}

func TestSphereIsTwoToned(t *testing.T) {
	m := modelOf([]vrm.Material{toon(srgb(246, 164, 92), srgb(221, 127, 69))}, nil, sphere(geom.Vec3{}, 0.8, 24, 0))
	onGL(t, 200, 200, func(t T, win window) {
		img := shoot(t, Options{}, m, restPose(m), view(200, 200))
		savePNG(t, "sphere.png", img)
		want(t, img, 100, 100, color.NRGBA{246, 164, 92, 255}, 1, "lit middle")
		want(t, img, 70, 50, color.NRGBA{246, 164, 92, 255}, 1, "lit upper left")
		want(t, img, 150, 155, color.NRGBA{221, 127, 69, 255}, 1, "shade lower right")
		want(t, img, 5, 5, color.NRGBA{}, 0, "corner")
	})
}
