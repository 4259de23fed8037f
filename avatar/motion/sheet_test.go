package motion

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yui/assets"
	"yui/avatar/clips"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// TestContactSheets draws film strips of the clips, for eyes: YUI_SHEETS=DIR go test -run ContactSheets.
// YUI_SHEET_MODEL names a model file other than Yui.
func TestContactSheets(t *testing.T) {
	dir := os.Getenv("YUI_SHEETS")
	if dir == "" {
		t.Skip("YUI_SHEETS names no folder to draw into")
	}
	m := sheetModel(t)
	lib := bundledMotions(t)
	for _, s := range []struct {
		name  string
		clips []string
	}{
		{"stand", []string{"idle_breathe", "walk", "thinking"}},
		{"glad", []string{"happy", "laugh", "surprised"}},
		{"sit", []string{"sit_down", "sit_legs", "stand_up"}},
		{"sit2", []string{"sit_lean", "sit_chin", "sit_hum"}},
		{"peek", []string{"peek enter", "peek leave", "peek mirror"}},
		{"air", []string{"drag", "falling", "landing"}},
		{"hop", []string{"jump", "lively_hop", "lively_twirl"}},
		{"bed", []string{"bed_lie", "sleeping", "bed_wake"}},
		{"shy", []string{"embarrassed", "sulk", "sheepish"}},
		{"dance", []string{"dance_step", "dance_spin", "dance_sway"}},
		{"talk", []string{"talk_a", "lively_wave", "calm"}},
	} {
		drawSheet(t, m, lib, filepath.Join(dir, s.name+".png"), s.clips)
	}
}

func sheetModel(t testing.TB) *vrm.Model {
	data, err := assets.Character("yui")
	if f := os.Getenv("YUI_SHEET_MODEL"); f != "" {
		if c, cerr := assets.Character(f); cerr == nil {
			data, err = c, nil
		} else {
			data, err = os.ReadFile(f)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := vrm.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func bundledMotions(t testing.TB) *Library {
	t.Helper()
	lib := NewLibrary()
	for _, id := range assets.Motions() {
		data, err := assets.Motion(id)
		if err != nil {
			t.Fatal(err)
		}
		a, err := vrm.LoadAnimation(data)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		if err := lib.Add(clips.ID(id), a); err != nil {
			t.Fatal(err)
		}
	}
	return lib
}

const (
	cell = 190
	cols = 10
)

func drawSheet(t *testing.T, m *vrm.Model, lib *Library, file string, names []string) {
	img := image.NewNRGBA(image.Rect(0, 0, cell*cols, cell*2*len(names)))
	draw.Draw(img, img.Rect, image.NewUniform(color.NRGBA{250, 244, 232, 255}), image.Point{}, draw.Src)
	for row, name := range names {
		of, side, _ := strings.Cut(name, " ")
		id := clips.ID(of)
		p := NewPlayer(m, lib, 3)
		p.Step(frame30, Input{})
		opts := HoldOpts{Mirror: side == "mirror", Fade: time.Millisecond}
		if side == "enter" || side == "leave" {
			opts.Phase = clips.Phase(side)
		}
		p.Hold(id, opts)
		p.Step(frame30, Input{})
		p.Reset()
		d, _ := lib.Duration(id)
		var in Input
		switch id {
		case "walk":
			in.Yaw = 1.1
		case "falling":
			in.Velocity = geom.Vec3{0, -2 * p.anat.Unit, 0}
		}
		const sub = 8
		for range 5 * sub {
			if id == "falling" {
				p.Step(frame30, in)
			}
		}
		for col := range cols {
			var pose *Pose
			for range sub {
				if col == 0 {
					pose = p.Step(time.Millisecond, in)
				} else {
					pose = p.Step(d/time.Duration((cols-1)*sub), in)
				}
			}
			front := image.Rect(col*cell, row*2*cell, col*cell+cell, row*2*cell+cell)
			paint(img, front, m, pose, p.anat, 0)
			paint(img, front.Add(image.Pt(0, cell)), m, pose, p.anat, .75)
		}
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// paint draws a pose into a rectangle with flat light and a depth buffer, turned by yaw, with the line y = 0.
func paint(img *image.NRGBA, r image.Rectangle, m *vrm.Model, pose *Pose, a Anatomy, yaw float32) {
	scale := float32(cell) / (a.Height * 1.25)
	cx, cy := float32(r.Min.X+cell/2), float32(r.Min.Y)+cell*.82
	turn := geom.AxisAngle(geom.Vec3{0, 1, 0}, yaw)
	depth := make([]float32, cell*cell)
	for i := range depth {
		depth[i] = -1e9
	}
	project := func(p geom.Vec3) geom.Vec3 {
		p = turn.Rotate(p)
		p[1] += .12 * p[2] // a little from above
		return geom.Vec3{cx + p[0]*scale, cy - p[1]*scale, p[2]}
	}
	for n := range m.Nodes {
		if m.Nodes[n].Mesh < 0 {
			continue
		}
		var mats []geom.Mat4
		if s := m.Nodes[n].Skin; s >= 0 {
			mats = skinMatrices(m, s, pose.World, nil)
		}
		for pi := range m.Meshes[m.Nodes[n].Mesh].Primitives {
			p := &m.Meshes[m.Nodes[n].Mesh].Primitives[pi]
			at := morphed(m, p, n, pose)
			q := *p
			q.Positions = at
			pos := make([]geom.Vec3, len(at))
			for i := range at {
				v, _ := skinVertex(&q, i, mats, pose.World[n])
				pos[i] = project(v)
			}
			for i := 0; i+2 < len(p.Indices); i += 3 {
				k := p.Indices[i : i+3]
				fill(img, r, depth, pos[k[0]], pos[k[1]], pos[k[2]], tint(m, p, k))
			}
		}
	}
	for x := r.Min.X; x < r.Max.X; x++ {
		img.SetNRGBA(x, int(cy), color.NRGBA{120, 90, 60, 255})
	}
	for _, p := range []geom.Vec3{pose.Seat, pose.Scruff, pose.HeadTop} {
		v := project(p)
		for d := -2; d <= 2; d++ {
			img.SetNRGBA(int(v[0])+d, int(v[1]), color.NRGBA{0, 90, 255, 255})
			img.SetNRGBA(int(v[0]), int(v[1])+d, color.NRGBA{0, 90, 255, 255})
		}
	}
}

func morphed(m *vrm.Model, p *vrm.Primitive, node int, pose *Pose) []geom.Vec3 {
	at := append([]geom.Vec3(nil), p.Positions...)
	for e, w := range pose.Expressions {
		if w <= 0 {
			continue
		}
		for _, b := range m.Expressions[e].Morphs {
			if b.Node != node || b.Target >= len(p.Targets) {
				continue
			}
			for i, d := range p.Targets[b.Target].Positions {
				at[i] = at[i].Add(d.Mul(w * b.Weight))
			}
		}
	}
	return at
}

func tint(m *vrm.Model, p *vrm.Primitive, k []uint32) color.NRGBA {
	c := [4]float32{.7, .7, .7, 1}
	if p.Material >= 0 {
		mat := &m.Materials[p.Material]
		c = mat.Color
		if t := mat.ColorTex.Index; t >= 0 && int(k[0]) < len(p.UVs) && m.Textures[t].Image != nil {
			im := m.Textures[t].Image
			uv := p.UVs[k[0]]
			b := im.Bounds()
			x, y := int(uv[0]*float32(b.Dx())), int(uv[1]*float32(b.Dy()))
			q := im.NRGBAAt(b.Min.X+min(max(x, 0), b.Dx()-1), b.Min.Y+min(max(y, 0), b.Dy()-1))
			return color.NRGBA{uint8(float32(q.R) * sqrt(c[0])), uint8(float32(q.G) * sqrt(c[1])), uint8(float32(q.B) * sqrt(c[2])), uint8(float32(q.A) * c[3])}
		}
	}
	return color.NRGBA{uint8(255 * sqrt(c[0])), uint8(255 * sqrt(c[1])), uint8(255 * sqrt(c[2])), uint8(255 * c[3])}
}

func fill(img *image.NRGBA, r image.Rectangle, depth []float32, a, b, c geom.Vec3, col color.NRGBA) {
	if col.A < 128 {
		return
	}
	area := (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
	if area == 0 {
		return
	}
	n := b.Sub(a).Cross(c.Sub(a)).Unit()
	shade := .8 + .2*abs(n[1]*.5+n[2]*.5)
	x0, x1 := max(int(min(a[0], b[0], c[0])), r.Min.X), min(int(max(a[0], b[0], c[0]))+1, r.Max.X-1)
	y0, y1 := max(int(min(a[1], b[1], c[1])), r.Min.Y), min(int(max(a[1], b[1], c[1]))+1, r.Max.Y-1)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			px, py := float32(x)+.5, float32(y)+.5
			u := ((b[0]-px)*(c[1]-py) - (b[1]-py)*(c[0]-px)) / area
			v := ((c[0]-px)*(a[1]-py) - (c[1]-py)*(a[0]-px)) / area
			w := 1 - u - v
			if u < 0 || v < 0 || w < 0 {
				continue
			}
			z := u*a[2] + v*b[2] + w*c[2]
			i := (y-r.Min.Y)*cell + x - r.Min.X
			if z <= depth[i] {
				continue
			}
			depth[i] = z
			img.SetNRGBA(x, y, color.NRGBA{uint8(float32(col.R) * shade), uint8(float32(col.G) * shade), uint8(float32(col.B) * shade), 255})
		}
	}
}
