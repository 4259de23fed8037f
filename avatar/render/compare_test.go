//go:build linux

package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yui/avatar/threetest"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// alikeEnough is the structural similarity with three-vrm, inside the silhouette, that every model must reach.
const alikeEnough = 0.97

// colourOff is how much the colours may be off, in steps of 255 on average over the whole picture.
const colourOff = 3

// asThreeVRM reads a file for the comparison as three-vrm does, in what is known to differ from us: the emission of MToon
// 0.x is linear light by its maker's own test file (UniVRM's EmissionMigration says so by the names of its spheres), and
// three-vrm reads it as sRGB. Everything else about such a file has to agree.
func asThreeVRM(m *vrm.Model) {
	if m.Version != "0.x" {
		return
	}
	for i := range m.Materials {
		if e := &m.Materials[i].Emissive; m.Materials[i].Kind == vrm.MToon {
			for c := range e {
				e[c] = decodeSRGB(e[c])
			}
		}
	}
}

// patience is after how long no further file is begun, on a machine that does much else: the characters come first.
const patience = 5 * time.Minute

// stillJob is how the pictures are taken on both sides.
var stillJob = threetest.Job{Width: 400, Height: 600, FOV: 30, Light: [3]float64{1, 1, 1}}

// stillView is the same camera and light for us.
func stillView(height, middle float64) View {
	ppm := float32(float64(stillJob.Height) / (height * 1.1))
	return View{Width: stillJob.Width, Height: stillJob.Height, PixelsPerMetre: ppm, RootX: float32(stillJob.Width) / 2,
		RootY: float32(stillJob.Height)/2 + float32(middle)*ppm, fov: float32(stillJob.FOV * math.Pi / 180), light: geom.Vec3{1, 1, 1}}
}

// TestLikeThreeVRM draws the same files, in the same camera and light, as three-vrm does: the bundled characters, and the
// foreign models beside the project if they are there.
func TestLikeThreeVRM(t *testing.T) {
	stage := threetest.Start(t)
	began := time.Now()
	for _, name := range comparedFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".vrm"), func(t *testing.T) {
			if time.Since(began) > patience {
				t.Skip("the machine is too busy to compare more")
			}
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			m, err := vrm.Load(raw)
			if err != nil {
				t.Skip("we refuse it: " + err.Error())
			}
			asThreeVRM(m)
			for _, e := range comparedFaces(m) {
				compare(t, stage, raw, m, e)
			}
		})
	}
}

// compare takes both pictures of a model with one expression ("" for none).
func compare(t *testing.T, stage *threetest.Stage, raw []byte, m *vrm.Model, expression string) {
	job := stillJob
	job.Model = raw
	if expression != "" {
		job.Expressions = map[string]float64{expression: 1}
	}
	theirs, err := stage.Run(context.Background(), job)
	if err != nil {
		t.Fatal(err)
	}
	if !(theirs.Height > 0) || math.IsInf(theirs.Height, 0) || covered(theirs.Picture) == 0 {
		t.Skip("three-vrm draws nothing of it")
	}
	onGL(t, 100, 100, func(t T, win window) {
		p := restPose(m)
		for i := range m.Expressions {
			if strings.EqualFold(m.Expressions[i].Name, expression) {
				p.Expressions[i] = 1
			}
		}
		name := strings.TrimSuffix(filepath.Base(t.Name()), ".vrm")
		if expression != "" {
			name += "-" + expression
		}
		for _, exact := range []bool{true, false} { // as hardware draws, and as the processor does
			ours := shoot(t, Options{Quality: On, Samples: 4, Exact: exact}, m, p, stillView(theirs.Height, theirs.Middle))
			like := similarity(ours, theirs.Picture)
			mean, _ := difference(ours, theirs.Picture)
			label := name
			if !exact {
				label += " (software)"
			}
			t.Logf("%-50s similarity %.4f, off by %.2f of 255 on average", label, like, mean)
			if os.Getenv("YUI_TEST_OUT") != "" {
				savePNG(t, "pair-"+label+".png", pair(ours, theirs.Picture))
			}
			if mean > colourOff {
				t.Errorf("%s is off by %.1f of 255 on average", label, mean)
			}
			if like < alikeEnough {
				t.Errorf("%s is %.4f like three-vrm's picture, want at least %g", label, like, alikeEnough)
			}
		}
	})
}

// pair is ours, theirs, and four times the difference, side by side.
func pair(ours, theirs *image.NRGBA) *image.NRGBA {
	w, h := ours.Rect.Dx(), ours.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, 3*w, h))
	a, b := over(ours, color.NRGBA{251, 245, 234, 255}), over(theirs, color.NRGBA{251, 245, 234, 255})
	draw.Draw(out, image.Rect(0, 0, w, h), a, image.Point{}, draw.Src)
	draw.Draw(out, image.Rect(w, 0, 2*w, h), b, image.Point{}, draw.Src)
	for y := range h {
		for x := range w {
			p, q := a.NRGBAAt(x, y), b.NRGBAAt(x, y)
			off := func(a, b uint8) uint8 { return uint8(min(4*math.Abs(float64(a)-float64(b)), 255)) }
			out.SetNRGBA(2*w+x, y, color.NRGBA{off(p.R, q.R), off(p.G, q.G), off(p.B, q.B), 255})
		}
	}
	return out
}

func comparedFiles(t *testing.T) (files []string) {
	for _, id := range []string{"yui", "momo", "sora"} {
		files = append(files, fmt.Sprintf("../../assets/characters/%s.vrm", id))
	}
	dir := os.Getenv("YUI_TEST_FILES")
	if dir == "" {
		t.Log("YUI_TEST_FILES is not set: only the bundled characters are compared")
		return files
	}
	for _, sub := range []string{"vrm0", "vrm1", "conformance", "features"} {
		found, err := filepath.Glob(filepath.Join(dir, "vrm", sub, "*.vrm"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if name := filepath.Base(f); strings.HasPrefix(name, "swing_") || strings.HasPrefix(name, "springbone_") {
				continue // smoke_spring.vrm once more, at rest
			}
			files = append(files, f)
		}
	}
	return files
}

// comparedFaces are the expressions that a model is compared in besides none.
func comparedFaces(m *vrm.Model) []string {
	faces := []string{""}
	if m.Humanoid[vrm.LeftUpperLeg] < 0 || len(m.Meshes) == 0 || len(m.Expressions) < 10 {
		return faces
	}
	for _, name := range []string{"happy"} {
		for i := range m.Expressions {
			if e := &m.Expressions[i]; e.Name == name && len(e.Morphs) > 0 {
				faces = append(faces, name)
			}
		}
	}
	return faces
}
