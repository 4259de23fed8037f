package render

import (
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// pictures are the scenes of the golden pictures, all of models built in code.
func pictures() map[string]*vrm.Model {
	orange := toon(srgb(246, 164, 92), srgb(221, 127, 69))
	lined := orange
	lined.Outline, lined.OutlineWidth, lined.OutlineColor = vrm.OutlineWorld, 0.06, srgb(110, 60, 32)
	screen := lined
	screen.Outline, screen.OutlineWidth, screen.OutlineMix = vrm.OutlineScreen, 0.02, 0.9
	glow := toon(srgb(60, 60, 120), srgb(20, 20, 60))
	glow.Rim, glow.RimFresnel, glow.RimLift, glow.Emissive = srgb(120, 255, 200), 3, 0.05, srgb(40, 0, 0)
	hood := toon(srgb(120, 120, 120), srgb(60, 60, 60))
	hood.Matcap, hood.MatcapTex = [3]float32{1, 1, 1}, tex(0)
	soft := orange
	soft.ShadingToony, soft.ShadingShift = 0.3, 0.2
	palette := toon([3]float32{1, 1, 1}, srgb(180, 150, 200))
	palette.ColorTex, palette.ShadeTex = tex(1), tex(1)
	shifted := orange
	shifted.ShiftTex, shifted.ShiftScale, shifted.ShadingShift = tex(2), 1, -0.5
	glass := toon(srgb(80, 140, 220), srgb(80, 140, 220))
	glass.Alpha, glass.Color[3] = vrm.Blend, 0.4
	cut := toon([3]float32{1, 1, 1}, [3]float32{1, 1, 1})
	cut.Alpha, cut.ColorTex, cut.DoubleSided = vrm.Mask, tex(3), true
	texs := []vrm.Texture{
		texture(64, 64, func(x, y int) color.NRGBA { return color.NRGBA{0, uint8(255 - 4*y), uint8(4 * x), 255} }),
		texture(64, 4, func(x, y int) color.NRGBA { return color.NRGBA{uint8(60 + 3*x), 120, uint8(220 - 3*x), 255} }),
		texture(32, 32, func(x, y int) color.NRGBA { return color.NRGBA{uint8(8 * y), 0, 0, 255} }),
		texture(32, 32, func(x, y int) color.NRGBA {
			if (x-16)*(x-16)+(y-16)*(y-16) < 160 {
				return color.NRGBA{200, 30, 60, 255}
			}
			return color.NRGBA{}
		}),
	}
	ball := sphere(geom.Vec3{}, 0.75, 24, 0)
	one := func(m vrm.Material) *vrm.Model { return modelOf([]vrm.Material{m}, texs, ball) }
	return map[string]*vrm.Model{
		"two-tone": one(orange), "soft": one(soft), "outline": one(lined), "outline-screen-lit": one(screen),
		"rim-emissive": one(glow), "matcap": one(hood), "palette": one(palette), "shift-texture": one(shifted),
		"cube":  modelOf([]vrm.Material{lined}, nil, cube(geom.Vec3{}, 0.5, 0)),
		"crate": modelOf([]vrm.Material{lined}, nil, crate(geom.Vec3{}, 0.5, 0)), "crate-screen": modelOf([]vrm.Material{screen}, nil, crate(geom.Vec3{}, 0.5, 0)),
		"blend":  modelOf([]vrm.Material{glass, lined}, nil, quad(-0.9, -0.9, 0.9, 0, 0.95, 0), sphere(geom.Vec3{}, 0.6, 16, 1)),
		"masked": modelOf([]vrm.Material{cut}, texs, quad(-0.8, -0.8, 0.8, 0.8, 0, 0)),
	}
}

// TestGolden compares each picture, in both qualities, with the stored one: a driver may round differently, and light
// found at vertices differs from light found at pixels by little.
func TestGolden(t *testing.T) {
	for name, m := range pictures() {
		for _, q := range []Quality{Off, On} {
			for _, exact := range []bool{true, false} { // the exact picture is the golden one
				file := name
				if q == On {
					file += "-on"
				}
				t.Run(file+map[bool]string{true: "-exact"}[exact], func(t *testing.T) {
					onGL(t, 160, 160, func(t T, win window) {
						p := turned(m, 20, nil)
						img := shoot(t, Options{Quality: q, Exact: exact}, m, p, View{Width: 160, Height: 160, PixelsPerMetre: 80, RootX: 80, RootY: 80})
						golden(t, file, img, *update && exact)
					})
				})
			}
		}
	}
}

func golden(t T, name string, img *image.NRGBA, write bool) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if write {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := png.Encode(f, img); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dec, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	want := image.NewNRGBA(dec.Bounds())
	draw.Draw(want, want.Rect, dec, dec.Bounds().Min, draw.Src)
	if mean, far := difference(img, want); mean > 1 || far > 0.02 {
		t.Errorf("%s differs from its golden picture: %.2f on average, %.1f %% of the pixels by more than 24", name, mean, far*100)
		savePNG(t, "differs-"+name+".png", img)
	}
}

// difference of two pictures, premultiplied, on a grey ground: the mean of a channel, and the part of pixels off by
// more than 24 steps.
func difference(a, b *image.NRGBA) (mean, far float64) {
	if a.Rect != b.Rect {
		return 255, 1
	}
	ga, gb := over(a, color.Gray{100}), over(b, color.Gray{100})
	var sum, n float64
	for i := 0; i < len(ga.Pix); i += 4 {
		worst := 0.0
		for c := range 3 {
			d := math.Abs(float64(ga.Pix[i+c]) - float64(gb.Pix[i+c]))
			sum += d
			worst = max(worst, d)
		}
		if worst > 24 {
			n++
		}
	}
	px := float64(len(ga.Pix) / 4)
	return sum / px / 3, n / px
}

// TestShortcutsChangeNothing: what is left out or found at the vertices for the sake of speed must not show.
func TestShortcutsChangeNothing(t *testing.T) {
	for _, name := range []string{"yui", "momo", "sora", "godette"} {
		t.Run(name, func(t *testing.T) {
			var m *vrm.Model
			if name == "godette" {
				m = godette(t)
			} else {
				m = character(t, name)
			}
			onGL(t, 100, 100, func(t T, win window) {
				quick, full := newRig(t, m, 320, 400), newRigWith(t, Options{Exact: true, KeepTextures: true}, m, 320, 400)
				defer full.release()
				defer quick.release()
				for _, yaw := range []float32{0, -35, 90, 180} {
					p, v := turned(m, yaw, standing), fit(m, 320, 400)
					fast, exact := quick.picture(t, p, v), full.picture(t, p, v)
					mean, far := difference(fast, exact)
					if mean > 0.8 || far > 0.012 {
						t.Errorf("yaw %g: %.2f on average, %.2f %% of the pixels far off", yaw, mean, far*100)
						savePNG(t, name+"-fast.png", fast)
						savePNG(t, name+"-exact.png", exact)
					}
				}
			})
		})
	}
}
