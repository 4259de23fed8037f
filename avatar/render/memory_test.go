package render

import (
	"image"
	"image/color"
	"os"
	"os/exec"
	"strings"
	"testing"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// TestMemoryWithoutDisplay runs the tests of drawing in memory once more in a process that has no display and never
// loads GL's functions, so that a call of one would end it.
func TestMemoryWithoutDisplay(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestMemory(Draws|Picture|Refuses|Allocates)", "-test.v")
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); name != "DISPLAY" && name != "WAYLAND_DISPLAY" {
			cmd.Env = append(cmd.Env, e)
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestMemoryDraws") {
		t.Errorf("%v\n%s", err, out)
	}
}

// memoryRig is a renderer in memory with a model and a target.
func memoryRig(tb testing.TB, q Quality, m *vrm.Model, w, h int) rig {
	tb.Helper()
	r, err := NewSoft(Options{Quality: q})
	if err != nil {
		tb.Fatal(err)
	}
	s, err := r.Upload(m)
	if err != nil {
		tb.Fatal(err)
	}
	tg, err := NewTarget(r, w, h)
	if err != nil {
		tb.Fatal(err)
	}
	return rig{r, s, tg}
}

// TestMemoryDraws draws every test picture without GL.
func TestMemoryDraws(t *testing.T) {
	for name, m := range pictures() {
		for _, q := range []Quality{Off, On} {
			g := memoryRig(t, q, m, 120, 120)
			got := g.picture(T{t}, restPose(m), fit(m, 120, 120))
			g.release()
			if covered(got) < 100 {
				t.Errorf("%s, quality %d: nothing is drawn", name, q)
			}
		}
	}
}

func TestMemoryPictureIsTheFrame(t *testing.T) {
	m := ball()
	g := memoryRig(t, On, m, 90, 70)
	defer g.release()
	if g.t.Picture() != nil {
		t.Error("a picture of nothing")
	}
	bed, err := g.r.Upload(modelOf([]vrm.Material{toon(srgb(0, 0, 200), srgb(0, 0, 200))}, nil, quad(-0.9, -0.9, 0.9, 0.9, -0.5, 0)))
	if err != nil {
		t.Fatal(err)
	}
	defer bed.Release()
	straight := g.picture(T{t}, restPose(m), view(90, 70), Prop{Scene: bed, World: geom.IdentMat, Opacity: 0.5})
	frame := g.t.Picture()
	if frame.Rect != image.Rect(0, 0, 90, 70) {
		t.Fatalf("the frame is %v", frame.Rect)
	}
	for y := range 70 {
		for x := range 90 {
			a, b := frame.RGBAAt(x, y), straight.NRGBAAt(x, y)
			if a.R > a.A || a.G > a.A || a.B > a.A {
				t.Fatalf("%d,%d: %v is not premultiplied", x, y, a)
			}
			if !near(color.NRGBAModel.Convert(a).(color.NRGBA), b, 1) {
				t.Fatalf("%d,%d: %v in the picture, %v in the snapshot", x, y, a, b)
			}
		}
	}
	if c := frame.RGBAAt(45, 35); c.A != 255 || c.R < 200 {
		t.Errorf("the ball is %v", c)
	}
	if c := frame.RGBAAt(5, 60); c.A < 120 || c.A > 136 || c.B < 80 {
		t.Errorf("half a bed is %v", c)
	}
}

func TestMemoryRefuses(t *testing.T) {
	for _, o := range []Options{{Exact: true}, {Driver: true}, {Samples: 4}} {
		if _, err := NewSoft(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	m := ball()
	g := memoryRig(t, On, m, 50, 50)
	huge := view(1<<15, 1<<15)
	if err := g.t.Draw(g.s, restPose(m), huge); err == nil {
		t.Error("a frame of a thousand million pixels is drawn")
	}
	if ok, err := g.t.Mask(make([]byte, 1<<20), 4); ok || err == nil {
		t.Error("there is a mask of what was not drawn")
	}
	if g.t.Picture() != nil {
		t.Error("there is a picture of what was not drawn")
	}
	if covered(g.picture(T{t}, restPose(m), view(50, 50))) == 0 {
		t.Error("nothing is drawn after that")
	}
	g.release()
	g.release()
	if err := g.t.Draw(g.s, restPose(m), view(50, 50)); err == nil {
		t.Error("a released scene is drawn")
	}
}

func TestMemoryAllocatesNothing(t *testing.T) {
	m := ball()
	g := memoryRig(t, On, m, 100, 100)
	defer g.release()
	p, v, i := restPose(m), view(100, 100), 0
	n := testing.AllocsPerRun(50, func() {
		i++
		p.Expressions[0] = float32(i%10) / 10
		if g.t.Moved(g.s, p, v, 0.25) {
			_ = g.t.Draw(g.s, p, v)
		}
	})
	if n > 0 {
		t.Errorf("%g allocations a frame", n)
	}
}
