package render

import (
	"go/parser"
	"go/token"
	"image"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"

	"yui/avatar/motion"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// backEnds are all ways to draw: in memory, in memory and shown by GL, by GL.
var backEnds = []struct {
	name string
	make func(Options) (*Renderer, error)
}{
	{"memory", NewSoft},
	{"default", New},
	{"GL", func(o Options) (*Renderer, error) { o.Driver = true; return New(o) }},
}

// eachBackEnd runs f for every back end on the main thread, with a window of its own.
func eachBackEnd(t *testing.T, f func(t T, win window, newRig func(m *vrm.Model, w, h int) rig)) {
	for _, b := range backEnds {
		t.Run(b.name, func(t *testing.T) {
			onGL(t, 100, 100, func(t T, win window) {
				f(t, win, func(m *vrm.Model, w, h int) rig {
					r, err := b.make(Options{Quality: On})
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
				})
			})
		})
	}
}

// TestOnlyGLFilesCallGL: what is common and what the processor does builds and runs without OpenGL.
func TestOnlyGLFilesCallGL(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range parsed.Imports {
			if !strings.Contains(i.Path.Value, "/go-gl/") {
				continue
			}
			seen++
			if !strings.HasPrefix(f.Name(), "gl_") && f.Name() != "gl.go" {
				t.Errorf("%s imports %s", f.Name(), i.Path.Value)
			}
		}
	}
	if seen == 0 {
		t.Error("no file imports OpenGL: the test looks at the wrong place")
	}
}

// needs is what each batch of a test picture needs where light is found at the vertices: its surface / its outline.
var needs = map[string][]string{
	"two-tone":           {"BAKED SHOWN VERTEX_LIT"},
	"soft":               {"BAKED VERTEX_LIT"},
	"outline":            {"BAKED SHOWN VERTEX_LIT / OUTLINE FLAT"},
	"outline-screen-lit": {"BAKED SHOWN VERTEX_LIT / OUTLINE SCREEN"},
	"cube":               {"BAKED SHOWN VERTEX_LIT / OUTLINE FLAT"},
	"palette":            {"BAKED SHOWN VERTEX_LIT"},
	"shift-texture":      {"BAKED SHOWN VERTEX_LIT"},
	"matcap":             {"BAKED VERTEX_LIT MATCAP"},
	"rim-emissive":       {"BAKED VERTEX_LIT RIM EMISSIVE"},
	"blend":              {"BAKED SHOWN VERTEX_LIT / OUTLINE FLAT", "UNLIT BLEND"},
	"masked":             {"BASE_TEX VERTEX_LIT DOUBLE MASK"},
	"normals":            {"BAKED NORMAL_TEX RIM"},
	"cloth":              {"BAKED NORMAL_TEX EMISSIVE PBR METAL_TEX"},
	"metal":              {"BAKED PBR"},
}

// TestBothBackEndsNeedTheSame: the features of a material do not depend on who draws, nor do textures and order.
func TestBothBackEndsNeedTheSame(t *testing.T) {
	models := needy()
	for _, n := range []string{"yui", "yui-small", "momo", "sora"} {
		models[n] = character(t, n)
	}
	onGL(t, 16, 16, func(t T, win window) {
		for name, m := range models {
			var first *Scene
			for _, b := range backEnds {
				r, err := b.make(Options{})
				if err != nil {
					t.Fatal(err)
				}
				if !r.lit { // hardware finds light at the pixels
					r.Release()
					continue
				}
				s, err := r.Upload(m)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = s
				}
				if !reflect.DeepEqual(s.looks, first.looks) {
					t.Errorf("%s, %s: %v, in memory %v", name, b.name, s.looks, first.looks)
				}
				if !reflect.DeepEqual(s.order, first.order) {
					t.Errorf("%s, %s: drawn in the order %v, in memory %v", name, b.name, s.order, first.order)
				}
				s.Release()
				r.Release()
			}
			var got []string
			for _, l := range first.looks {
				got = append(got, l.surface.String())
				if l.outline != 0 {
					got[len(got)-1] += " / " + l.outline.String()
				}
			}
			if want, listed := needs[name]; listed && !slices.Equal(got, want) {
				t.Errorf("%s needs %q, want %q", name, got, want)
			}
		}
	})
}

// TestSizes draws frames that no screen has: each is refused or drawn, and the next one is right.
func TestSizes(t *testing.T) {
	m := ball()
	nan := float32(math.NaN())
	eachBackEnd(t, func(t T, win window, newRig func(*vrm.Model, int, int) rig) {
		g := newRig(m, 100, 100)
		defer g.release()
		for _, s := range []image.Point{{}, {X: -1, Y: 10}, {X: 10}, {X: maxSide + 1, Y: 1}, {X: 1, Y: math.MaxInt32}} {
			if tg, err := NewTarget(g.r, s.X, s.Y); err == nil {
				tg.Release()
				t.Errorf("a target of %v pixels", s)
			}
			if err := g.t.Resize(s.X, s.Y); err == nil {
				t.Errorf("resized to %v pixels", s)
			}
			if err := g.t.Draw(g.s, restPose(m), View{Width: s.X, Height: s.Y, PixelsPerMetre: 100}); err == nil {
				t.Errorf("a frame of %v pixels", s)
			}
		}
		for _, v := range []View{{Width: 10, Height: 10, PixelsPerMetre: nan}, {Width: 10, Height: 10, PixelsPerMetre: 1, RootX: nan},
			{Width: 10, Height: 10, PixelsPerMetre: float32(math.Inf(1))}} {
			if err := g.t.Draw(g.s, restPose(m), v); err == nil {
				t.Errorf("a frame of %v", v)
			}
		}
		for _, s := range []image.Point{{X: 1, Y: 1}, {X: 1, Y: 300}, {X: maxSide, Y: 1}, {X: maxSide, Y: maxSide}} {
			v := View{Width: s.X, Height: s.Y, PixelsPerMetre: 100, RootX: float32(s.X) / 2, RootY: float32(s.Y) / 2}
			if err := g.t.Draw(g.s, restPose(m), v); err != nil && s.X != maxSide { // the largest are drawn, if at all, with stepped edges
				t.Errorf("a frame of %v pixels: %v", s, err)
			}
		}
		g.t.SetQuality(On)
		if b := box(g.picture(t, restPose(m), view(100, 100))); b.Dx() < 78 || b.Dx() > 82 {
			t.Errorf("after them the ball is seen at %v", b)
		}
	})
}

// TestReleasedIsRefused: what is released twice does no harm, and what is released is not drawn.
func TestReleasedIsRefused(t *testing.T) {
	m := ball()
	eachBackEnd(t, func(t T, win window, newRig func(*vrm.Model, int, int) rig) {
		g := newRig(m, 50, 50)
		bed, err := g.r.Upload(m)
		if err != nil {
			t.Fatal(err)
		}
		v := view(150, 150)
		prop := Prop{Scene: bed, World: geom.TRS(geom.Vec3{0.2, 0, 0}, geom.Ident, geom.Vec3{1, 1, 1}), Opacity: 1}
		alone, both := box(g.picture(t, restPose(m), v)), box(g.picture(t, restPose(m), v, prop))
		if alone == both {
			t.Error("the prop is not seen")
		}
		bed.Release()
		bed.Release()
		if b := box(g.picture(t, restPose(m), v, prop)); b != alone {
			t.Errorf("with a released prop %v is drawn, want %v", b, alone)
		}
		g.s.Release()
		g.s.Release()
		refused(t, g, m, "its scene")
		if g.s, err = g.r.Upload(m); err != nil {
			t.Fatal(err)
		}
		g.picture(t, restPose(m), view(50, 50))
		other, err := NewSoft(Options{})
		if err != nil {
			t.Fatal(err)
		}
		strange, err := other.Upload(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.t.Draw(strange, restPose(m), view(50, 50)); err == nil {
			t.Error("the scene of another renderer is drawn")
		}
		strange.Release()
		other.Release()
		g.t.Release()
		g.t.Release()
		refused(t, g, m, "its target")
		if g.t.Moved(g.s, restPose(m), view(50, 50), 0.25) == false {
			t.Error("a released target says that its frame is still there")
		}
		g.s.Release()
		g.r.Release()
		g.r.Release()
		if _, err := g.r.Upload(m); err == nil {
			t.Error("a released renderer takes a model")
		}
		if _, err := NewTarget(g.r, 50, 50); err == nil {
			t.Error("a released renderer makes a target")
		}
	})
}

func refused(t T, g rig, m *vrm.Model, what string) {
	t.Helper()
	if err := g.t.Draw(g.s, restPose(m), view(50, 50)); err == nil {
		t.Errorf("drawn after the release of %s", what)
	}
	if _, err := g.t.Snapshot(); err == nil {
		t.Errorf("a snapshot after the release of %s", what)
	}
}

// TestLostContext takes the context away between frames: nothing crashes or hangs, and on a new context a new renderer
// draws as before.
func TestLostContext(t *testing.T) {
	m := ball()
	eachBackEnd(t, func(t T, win window, newRig func(*vrm.Model, int, int) rig) {
		g := newRig(m, 50, 50)
		before := g.picture(t, restPose(m), view(50, 50))
		glfw.DetachCurrentContext()
		pose := &motion.Pose{World: []geom.Mat4{geom.TRS(geom.Vec3{0.1, 0, 0}, geom.Ident, geom.Vec3{1, 1, 1})}}
		for _, v := range []View{view(50, 50), view(60, 50)} {
			if !g.t.Moved(g.s, pose, v, 0.25) {
				t.Error("a ball ten pixels aside has not moved")
			}
			_ = g.t.Draw(g.s, pose, v)
			_, _ = g.t.Mask(make([]byte, 60*50), 1)
			_, _ = g.t.Snapshot()
		}
		if _, err := New(Options{}); err == nil {
			t.Error("a renderer without a context")
		}
		g.release()
		win.MakeContextCurrent()
		h := newRig(m, 50, 50)
		defer h.release()
		if mean, far := difference(before, h.picture(t, restPose(m), view(50, 50))); mean != 0 || far != 0 {
			t.Errorf("afterwards the picture differs by %g, %g", mean, far)
		}
	})
}
