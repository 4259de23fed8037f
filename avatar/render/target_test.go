package render

import (
	"image"
	"image/color"
	"testing"

	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/motion"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// ball is a small model with one expression that moves a morph, a colour and a texture.
func ball() *vrm.Model {
	m := modelOf([]vrm.Material{toon(srgb(240, 160, 90), srgb(220, 120, 70))}, nil, sphere(geom.Vec3{}, 0.4, 12, 0))
	p := &m.Meshes[0].Primitives[0]
	up := make([]geom.Vec3, len(p.Positions))
	for i := range up {
		up[i] = geom.Vec3{0, 0.3, 0}
	}
	p.Targets = []vrm.Target{{Name: "up", Positions: up}}
	m.Expressions = []vrm.Expression{
		{Name: "up", Morphs: []vrm.MorphBind{{Node: 0, Target: 0, Weight: 1}}},
		{Name: "also up", Morphs: []vrm.MorphBind{{Node: 0, Target: 0, Weight: 1}}},
		{Name: "blue", Colors: []vrm.ColorBind{{Material: 0, Type: "color", Target: [4]float32{0, 0, 1, 1}}, {Material: 0, Type: "shadeColor", Target: [4]float32{0, 0, 1, 1}}}},
	}
	return m
}

// rig is a renderer, scene and target of one model.
type rig struct {
	r *Renderer
	s *Scene
	t *Target
}

func newRig(t T, m *vrm.Model, w, h int) rig { return newRigWith(t, Options{}, m, w, h) }

func newRigWith(t T, opt Options, m *vrm.Model, w, h int) rig {
	t.Helper()
	r, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Upload(m)
	if err != nil {
		t.Fatal(err)
	}
	tg, err := NewTarget(r, w, h)
	if err != nil {
		t.Fatal(err)
	}
	return rig{r, s, tg}
}

func (g rig) release() { g.t.Release(); g.s.Release(); g.r.Release() }

func (g rig) picture(t T, p *motion.Pose, v View, props ...Prop) *image.NRGBA {
	t.Helper()
	if err := g.t.Draw(g.s, p, v, props...); err != nil {
		t.Fatal(err)
	}
	img, err := g.t.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// box bounds what is covered.
func box(img *image.NRGBA) image.Rectangle {
	var r image.Rectangle
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if img.NRGBAAt(x, y).A > 25 {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

func TestViewPlacesTheOrigin(t *testing.T) {
	m := modelOf([]vrm.Material{toon(srgb(255, 0, 0), srgb(255, 0, 0))}, nil, sphere(geom.Vec3{}, 0.1, 12, 0))
	cases := []View{
		{Width: 200, Height: 300, PixelsPerMetre: 100, RootX: 100, RootY: 150},
		{Width: 200, Height: 300, PixelsPerMetre: 100, RootX: 30, RootY: 270},
		{Width: 320, Height: 180, PixelsPerMetre: 250, RootX: 250, RootY: 60},
	}
	onGL(t, 320, 300, func(t T, win window) {
		g := newRig(t, m, 320, 300)
		defer g.release()
		for _, v := range cases {
			b := box(g.picture(t, restPose(m), v))
			cx, cy := float32(b.Min.X+b.Max.X)/2, float32(b.Min.Y+b.Max.Y)/2
			if abs(cx-v.RootX) > 1.5 || abs(cy-v.RootY) > 1.5 {
				t.Errorf("origin at %g,%g, want %g,%g", cx, cy, v.RootX, v.RootY)
			}
			if d := 0.2 * v.PixelsPerMetre; abs(float32(b.Dx())-d) > 2.5 {
				t.Errorf("20 cm are %d pixels, want %g", b.Dx(), d)
			}
			if x, y := v.Project(geom.Vec3{}); abs(x-v.RootX) > 0.01 || abs(y-v.RootY) > 0.01 {
				t.Errorf("Project gives %g,%g", x, y)
			}
		}
	})
}

func TestCut(t *testing.T) {
	m := ball()
	onGL(t, 200, 200, func(t T, win window) {
		g := newRig(t, m, 200, 200)
		defer g.release()
		for _, q := range []Quality{Off, On} {
			g.t.SetQuality(q)
			v := view(200, 200)
			v.CutX, v.CutSide = 90, -1
			if b := box(g.picture(t, restPose(m), v)); b.Min.X != 90 || b.Max.X < 130 {
				t.Errorf("cut on the left: %v", b)
			}
			v.CutSide = 1
			if b := box(g.picture(t, restPose(m), v)); b.Max.X != 90 || b.Min.X > 70 {
				t.Errorf("cut on the right: %v", b)
			}
			v.CutX = -5
			if b := box(g.picture(t, restPose(m), v)); !b.Empty() {
				t.Errorf("all cut: %v", b)
			}
		}
	})
}

func TestExpressions(t *testing.T) {
	m := ball()
	onGL(t, 200, 200, func(t T, win window) {
		g := newRig(t, m, 200, 200)
		defer g.release()
		at := func(e ...float32) *image.NRGBA {
			return g.picture(t, &motion.Pose{World: m.Rest, Expressions: e}, view(200, 200))
		}
		rest := box(at(0, 0, 0))
		if up := box(at(1, 0, 0)); up != rest.Sub(image.Pt(0, 30)) {
			t.Errorf("raised to %v from %v", up, rest)
		}
		if both := box(at(1, 1, 0)); both != rest.Sub(image.Pt(0, 30)) {
			t.Errorf("two expressions push a target too far: %v", both)
		}
		if back := box(at(0, 0, 0)); back != rest {
			t.Errorf("rest again is %v, was %v", back, rest)
		}
		want(t, at(0, 0, 1), 100, 100, color.NRGBA{0, 0, 255, 255}, 1, "blue")
		want(t, at(0, 0, 0), 100, 100, color.NRGBA{240, 160, 90, 255}, 1, "no longer blue")
	})
}

func TestMoved(t *testing.T) {
	m := ball()
	onGL(t, 200, 200, func(t T, win window) {
		g := newRig(t, m, 200, 200)
		defer g.release()
		v := view(200, 200) // 1 cm is a pixel
		pose := func(x float32, e ...float32) *motion.Pose {
			return &motion.Pose{World: []geom.Mat4{geom.TRS(geom.Vec3{x, 0, 0}, geom.Ident, geom.Vec3{1, 1, 1})}, Expressions: append(e, make([]float32, 3-len(e))...)}
		}
		ask := func(p *motion.Pose, v View) bool { return g.t.Moved(g.s, p, v, 0.25) }
		if !ask(pose(0), v) {
			t.Error("nothing drawn yet, and not moved")
		}
		g.picture(t, pose(0), v)
		for _, c := range []struct {
			what string
			p    *motion.Pose
			want bool
		}{{"nothing", pose(0), false}, {"a tenth of a pixel", pose(0.001), false}, {"half a pixel", pose(0.005), true},
			{"a face", pose(0, 0.5), true}, {"a colour", pose(0, 0, 0, 1), true}} {
			if got := ask(c.p, v); got != c.want {
				t.Errorf("%s: moved %v", c.what, got)
			}
			ask(pose(0), v)
		}
		for i := range 4 { // drifts add up
			if got, want := ask(pose(float32(i)*0.001), v), i == 3; got != want {
				t.Errorf("drift of %d tenths: moved %v", i, got)
			}
		}
		far := v
		far.RootX++
		if !ask(pose(0), far) {
			t.Error("another view is not called moved")
		}
		// A frame left out leaves nothing stale behind.
		g.picture(t, pose(0), v)
		ask(pose(0.002), v)
		if a, b := box(g.picture(t, pose(0.2), v)), box(g.picture(t, pose(0), v)); a != b.Add(image.Pt(20, 0)) {
			t.Errorf("after a frame left out: %v and %v", a, b)
		}
	})
}

func TestMirroredPoseKeepsItsFront(t *testing.T) {
	m := ball()
	onGL(t, 200, 200, func(t T, win window) {
		g := newRig(t, m, 200, 200)
		defer g.release()
		p := restPose(m)
		p.World = []geom.Mat4{geom.TRS(geom.Vec3{}, geom.Ident, geom.Vec3{-1, 1, 1})}
		want(t, g.picture(t, p, view(200, 200)), 100, 95, color.NRGBA{240, 160, 90, 255}, 1, "front of a mirrored ball")
	})
}

func TestPropFadesAsOneLayer(t *testing.T) {
	m := ball()
	bed := modelOf([]vrm.Material{toon(srgb(0, 0, 200), srgb(0, 0, 200)), toon(srgb(0, 200, 0), srgb(0, 200, 0))}, nil,
		quad(-0.9, -0.9, 0.9, 0.9, -0.5, 0), quad(-0.5, -0.5, 0.5, 0.5, -0.45, 1))
	onGL(t, 200, 200, func(t T, win window) {
		g := newRig(t, m, 200, 200)
		defer g.release()
		s, err := g.r.Upload(bed)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Release()
		img := g.picture(t, restPose(m), view(200, 200), Prop{Scene: s, World: geom.IdentMat, Opacity: 0.5})
		want(t, img, 100, 100, color.NRGBA{240, 160, 90, 255}, 1, "the pet in front")
		want(t, img, 60, 142, color.NRGBA{0, 200, 0, 128}, 2, "the nearer layer alone")
		want(t, img, 25, 175, color.NRGBA{0, 0, 200, 128}, 2, "the farther layer")
		moved := g.picture(t, restPose(m), view(200, 200), Prop{Scene: s, World: geom.TRS(geom.Vec3{0, -0.5, 0}, geom.Ident, geom.Vec3{1, 1, 1}), Opacity: 1})
		want(t, moved, 30, 30, color.NRGBA{}, 0, "where the prop was")
		want(t, moved, 25, 190, color.NRGBA{0, 0, 200, 255}, 1, "where it is")
	})
}

// TestEdgesArePremultiplied: averaged edges keep the colour of the thing, so that no wallpaper shows a fringe.
func TestEdgesArePremultiplied(t *testing.T) {
	m := modelOf([]vrm.Material{toon(srgb(255, 255, 255), srgb(255, 255, 255))}, nil, sphere(geom.Vec3{}, 0.7, 24, 0))
	onGL(t, 200, 200, func(t T, win window) {
		for _, opt := range []Options{{Quality: On}, {Quality: On, Samples: 4}} {
			img := shoot(t, opt, m, restPose(m), view(200, 200))
			half := 0
			for i := 0; i < len(img.Pix); i += 4 {
				p := img.Pix[i : i+4]
				if p[3] > 8 && p[3] < 250 {
					half++
					if p[0] < 250 {
						t.Fatalf("samples %d: an edge of alpha %d is %v", opt.Samples, p[3], p[:3])
					}
				}
			}
			if half < 100 {
				t.Errorf("samples %d: only %d pixels are averaged", opt.Samples, half)
			}
		}
	})
}

func TestMaskIsTheFrame(t *testing.T) {
	m := ball()
	onGL(t, 200, 201, func(t T, win window) {
		g := newRig(t, m, 200, 201)
		defer g.release()
		if _, err := g.t.Mask(nil, 1); err == nil {
			t.Error("a mask of nothing")
		}
		for _, step := range []int{1, 2, 4} {
			v := View{Width: 200, Height: 201, PixelsPerMetre: 100, RootX: 60, RootY: 80}
			if err := g.t.Draw(g.s, restPose(m), v); err != nil {
				t.Fatal(err)
			}
			mw, mh := MaskSize(200, 201, step)
			dst := make([]byte, mw*mh)
			ok, err := g.t.Mask(dst, step)
			for range 2 { // hardware answers a frame later
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					ok, err = g.t.Mask(dst, step)
				}
			}
			rects, _ := Outline(dst, mw, mh, 25, nil)
			var b image.Rectangle
			for _, r := range rects {
				b = b.Union(r)
			}
			img, err := g.t.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			f := box(img)
			if got := image.Rect(b.Min.X*step, b.Min.Y*step, b.Max.X*step, b.Max.Y*step); !f.In(got.Inset(-step)) || !got.In(f.Inset(-2*step)) {
				t.Errorf("step %d: outline %v, frame %v", step, got, f)
			}
		}
		if _, err := g.t.Mask(make([]byte, 10), 1); err == nil {
			t.Error("too small a mask is taken")
		}
		if _, err := g.t.Mask(make([]byte, 1<<20), 3); err == nil {
			t.Error("step 3 is taken")
		}
	})
}

func TestSecondWindowShares(t *testing.T) {
	m := ball()
	onGL(t, 200, 200, func(t T, win window) {
		g := newRig(t, m, 200, 200)
		a := g.picture(t, restPose(m), view(200, 200))
		other := openWindow(t, 200, 200, win.Window)
		tg, err := NewTarget(g.r, 200, 200)
		if err != nil {
			t.Fatal(err)
		}
		b := rig{g.r, g.s, tg}.picture(t, restPose(m), view(200, 200))
		if mean, far := difference(a, b); mean != 0 || far != 0 {
			t.Errorf("the second window differs: %g, %g", mean, far)
		}
		tg.Release()
		win.MakeContextCurrent()
		other.Destroy()
		c := g.picture(t, restPose(m), view(200, 200))
		if mean, _ := difference(a, c); mean != 0 {
			t.Error("the first window differs after the second has gone")
		}
		g.release()
	})
}

func TestDrawIntoTheBoundFramebuffer(t *testing.T) {
	m := ball()
	onGL(t, 120, 120, func(t T, win window) {
		g := newRig(t, m, 120, 120)
		defer g.release()
		for _, q := range []Quality{Off, On} {
			g.t.SetQuality(q)
			if err := g.t.Draw(g.s, restPose(m), view(120, 120)); err != nil {
				t.Fatal(err)
			}
			var px [4]byte
			gl.ReadPixels(60, 60, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(&px[0]))
			if !near(color.NRGBA{px[0], px[1], px[2], px[3]}, color.NRGBA{240, 160, 90, 255}, 1) {
				t.Errorf("quality %d: the window holds %v", q, px)
			}
		}
		if e := gl.GetError(); e != 0 {
			t.Errorf("GL error %#x", e)
		}
	})
}

func TestDrawRefuses(t *testing.T) {
	m := ball()
	onGL(t, 100, 100, func(t T, win window) {
		g := newRig(t, m, 100, 100)
		if err := g.t.Draw(nil, restPose(m), view(100, 100)); err == nil {
			t.Error("no scene is drawn")
		}
		for _, v := range []View{{}, {Width: 100, Height: 100}, {Width: -1, Height: 5, PixelsPerMetre: 1}} {
			if err := g.t.Draw(g.s, restPose(m), v); err == nil {
				t.Errorf("view %v is drawn", v)
			}
		}
		if err := g.t.Draw(g.s, nil, view(100, 100)); err != nil {
			t.Errorf("without a pose the rest pose is drawn: %v", err)
		}
		if err := g.t.Draw(g.s, &motion.Pose{}, view(100, 100)); err != nil {
			t.Errorf("a short pose: %v", err)
		}
		if err := g.t.Resize(0, 5); err == nil {
			t.Error("resized to nothing")
		}
		g.t.Release()
		g.s.Release()
		g.s.Release()
		if err := g.t.Draw(g.s, restPose(m), view(100, 100)); err == nil {
			t.Error("a released scene is drawn")
		}
		g.r.Release()
	})
}

func TestDrawAllocatesNothing(t *testing.T) {
	m := ball()
	onGL(t, 100, 100, func(t T, win window) {
		g := newRig(t, m, 100, 100)
		defer g.release()
		p, v, i := restPose(m), view(100, 100), 0
		mask, reg := make([]byte, 50*50), &Region{}
		n := testing.AllocsPerRun(50, func() {
			i++
			p.Expressions[0] = float32(i%10) / 10
			if g.t.Moved(g.s, p, v, 0.25) {
				_ = g.t.Draw(g.s, p, v)
			}
			_, _ = g.t.Mask(mask, 2)
			Outline(mask, 50, 50, 25, reg)
		})
		if n > 0 {
			t.Errorf("%g allocations a frame", n)
		}
	})
}
