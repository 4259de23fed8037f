package render

import (
	"image"
	"image/color"
	"image/draw"
	"os"
	"testing"

	"yui/avatar/motion"
	"yui/avatar/vrm"
)

// character loads a bundled character, or skips.
func character(tb testing.TB, name string) *vrm.Model {
	tb.Helper()
	b, err := os.ReadFile("../../assets/characters/" + name + ".vrm")
	if err != nil {
		tb.Skip("no bundled character: " + err.Error())
	}
	m, err := vrm.Load(b)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func godette(tb testing.TB) *vrm.Model {
	tb.Helper()
	m, err := vrm.Load(testFile(tb, "vrm/vrm0/Godette_vrm_v4.vrm"))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// standing is the recipe's standing pose for the arms.
var standing = map[vrm.Bone][3]float32{vrm.LeftUpperArm: {-8, 0, -62}, vrm.RightUpperArm: {-8, 0, 62},
	vrm.LeftLowerArm: {-22, -10, 0}, vrm.RightLowerArm: {-22, 10, 0}, vrm.Head: {0, 0, 3}}

var grounds = []color.NRGBA{{251, 245, 234, 255}, {143, 163, 166, 255}, {30, 34, 48, 255}}

// TestSheets draws sheets for the eye, and checks that each picture holds a figure and nothing at its rim.
func TestSheets(t *testing.T) {
	if os.Getenv("YUI_TEST_OUT") == "" {
		t.Skip("YUI_TEST_OUT is not set: no sheets to look at")
	}
	for _, name := range []string{"yui", "momo", "sora", "godette"} {
		t.Run(name, func(t *testing.T) {
			var m *vrm.Model
			if name == "godette" {
				m = godette(t)
			} else {
				m = character(t, name)
			}
			onGL(t, 100, 100, func(t T, win window) {
				sheet(t, name, m)
			})
		})
	}
}

func sheet(t T, name string, m *vrm.Model) {
	const w, h = 400, 600
	out := image.NewNRGBA(image.Rect(0, 0, 4*w, 2*h))
	poses := []*motion.Pose{turned(m, 0, standing), turned(m, -30, standing), turned(m, 90, standing), turned(m, 180, standing)}
	for row, q := range []Quality{Off, On} {
		for i, p := range poses {
			img := shoot(t, Options{Quality: q}, m, p, fit(m, w, h))
			if n := covered(img); n < w*h/20 {
				t.Errorf("%s view %d: %d pixels covered", name, i, n)
			}
			draw.Draw(out, image.Rect(i*w, row*h, (i+1)*w, (row+1)*h), over(img, grounds[i%3]), image.Point{}, draw.Src)
		}
	}
	savePNG(t, name+"-sheet.png", out)
	faces := image.NewNRGBA(image.Rect(0, 0, 5*280, 4*260))
	v := fit(m, 280, 260)
	v.PixelsPerMetre *= 1.9
	v.RootY = 260 * 1.85
	for e := range min(len(m.Expressions), 20) {
		p := turned(m, 0, standing)
		p.Expressions[e] = 1
		img := shoot(t, Options{Quality: On}, m, p, v)
		draw.Draw(faces, image.Rect(e%5*280, e/5*260, e%5*280+280, e/5*260+260), over(img, grounds[0]), image.Point{}, draw.Src)
	}
	savePNG(t, name+"-faces.png", faces)
}

func covered(img *image.NRGBA) (n int) {
	for i := 3; i < len(img.Pix); i += 4 {
		if img.Pix[i] > 25 {
			n++
		}
	}
	return n
}
