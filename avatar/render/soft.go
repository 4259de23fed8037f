package render

import (
	"image"
	"unsafe"

	"yui/avatar/render/raster"
	"yui/avatar/vrm"
)

// Where OpenGL itself is drawn by the processor, package raster draws the frames instead: a driver shades whole blocks of
// pixels for each small triangle, compiles programs at the start and keeps their compiler in memory. GL then only brings
// the finished picture to the window.

// vertexSpan is where a batch's vertices lie.
func (s *Scene) vertexSpans() []span {
	all := make([]span, len(s.mesh.batches))
	for i := range all {
		b := &s.mesh.batches[i]
		if b.count == 0 {
			continue
		}
		low, high := s.mesh.index[b.first], s.mesh.index[b.first]
		for _, v := range s.mesh.index[b.first : b.first+b.count] {
			low, high = min(low, v), max(high, v)
		}
		all[i] = span{int(low), int(high-low) + 1}
	}
	return all
}

// softTexture is a painting for the processor; nil where there is nothing to show.
func softTexture(t *vrm.Texture, a painting) *raster.Texture {
	if len(a.levels) == 0 {
		return nil
	}
	levels := make([]raster.Level, len(a.levels))
	for i, p := range a.levels {
		levels[i] = raster.Level{Width: p.w, Height: p.h, Pix: p.pix}
	}
	return raster.NewTexture(levels, int(wrapMode(t.WrapS)), int(wrapMode(t.WrapT)), t.Nearest)
}

// brush is the part of a wearer that draws with the processor.
type brush struct {
	mesh, lines *raster.Mesh
	stale       []bool // materials whose colours the vertices do not have yet
	job         raster.Job
	box         *raster.Box
}

func newBrush(s *Scene) *brush {
	b := &brush{mesh: raster.NewMesh(len(s.mesh.position)), stale: make([]bool, len(s.mesh.materials)), box: &raster.Box{}}
	if len(s.hulls) > 0 {
		b.lines = raster.NewMesh(len(s.mesh.position))
	}
	return b
}

func (b *brush) release() {
	if b != nil {
		b.mesh.Release()
		b.lines.Release()
	}
}

// place brings the wearer up to a pose and puts its vertices on a page of w by h pixels. The box round them all is added
// to box.
func (w *wearer) place(v View, reach, opacity float32, width, height int, box *raster.Box) {
	*w.frame = v.uniforms(reach, opacity)
	s, b := w.scene, w.brush
	*b.box = *box
	vertices := w.shown // stream has put this frame's there
	for i := range s.mesh.batches {
		bt, l := &s.mesh.batches[i], &s.looks[i]
		r := s.spans[i]
		if r.count == 0 {
			continue
		}
		fixed, mat := unsafe.Pointer(&s.mesh.fixed[r.first]), unsafe.Pointer(&w.values[bt.material])
		at := &vertices[r.first*floatsPerVertex]
		if b.stale[bt.material] {
			b.mesh.Colors(r.first, r.count, fixed, mat, uint32(l.surface))
			if l.outline != 0 {
				b.lines.Colors(r.first, r.count, fixed, mat, uint32(l.outline))
			}
		}
		b.mesh.Vertices(r.first, r.count, at, fixed, mat, unsafe.Pointer(w.frame), uint32(l.surface), width, height, b.box)
		if l.outline != 0 && w.line[i].count > 0 {
			b.lines.Vertices(r.first, r.count, at, fixed, mat, unsafe.Pointer(w.frame), uint32(l.outline), width, height, b.box)
		}
	}
	clear(b.stale)
	*box = *b.box
}

// ink draws what place has placed, in the order of pass.
func (w *wearer) ink(p *raster.Page, opacity float32) {
	var extra features
	if opacity < 1 {
		w.inkPass(p, fDepthOnly) // so that what shows through is the nearest surface alone
		extra = fFade
	}
	w.inkPass(p, extra)
}

func (w *wearer) inkPass(p *raster.Page, extra features) {
	s := w.scene
	blended := s.blended()
	for i := range blended {
		w.inkBatch(p, i, false, extra)
	}
	for i := range blended {
		w.inkBatch(p, i, true, extra)
	}
	for i := blended; i < len(s.mesh.batches); i++ {
		w.inkBatch(p, i, false, extra)
		w.inkBatch(p, i, true, extra)
	}
}

func (w *wearer) inkBatch(p *raster.Page, i int, outline bool, extra features) {
	s, j := w.scene, &w.brush.job
	b, l := &s.mesh.batches[i], &s.looks[i]
	f := l.surface
	j.Mesh, j.Index, j.Cull = w.brush.mesh, s.mesh.index[b.first:b.first+b.count], raster.Back
	switch {
	case outline && l.outline == 0:
		return
	case outline:
		f = l.outline
		n := w.line[i]
		j.Mesh, j.Index, j.Cull = w.brush.lines, w.lines[n.first:n.first+n.count], raster.Front
	case l.double:
		j.Cull = raster.None
	}
	j.Mirrored = w.shape.mirrored(b.bone)
	j.Material, j.View = unsafe.Pointer(&w.values[b.material]), unsafe.Pointer(w.frame)
	j.Textures, j.Features = &s.soft[i], uint32(f|extra)
	j.Blend, j.Depth = l.alpha == vrm.Blend || extra&fFade != 0, l.depth
	p.Draw(j)
}

// softly draws the remembered frame on a page of the target's own.
func (t *Target) softly() error {
	d := &t.drawn
	v := d.view
	scale := 1
	if t.quality != Off {
		scale = 2
	}
	if err := t.fitPages(v.Width, v.Height, scale); err != nil {
		return err
	}
	page := t.page
	if scale > 1 {
		page = t.large
	}
	w, h := page.Size()
	x, y, cw, ch, _ := v.cut()
	clip := image.Rect(int(x)*scale, int(y)*scale, int(x+cw)*scale, int(y+ch)*scale)
	reach := t.reach()
	box := raster.Empty()
	pet := t.slot(0, d.scene)
	pet.prepare(worldOf(d.pose), d.pose, nil, v)
	pet.place(v, reach, 1, w, h, &box)
	for i := range d.props {
		if pr := &d.props[i]; pr.drawable() {
			s := t.slot(i+1, pr.Scene)
			s.prepare(nil, nil, &pr.World, v)
			s.place(v, reach, min(pr.Opacity, 1), w, h, &box)
		}
	}
	page.Begin(box, clip)
	pet.ink(page, 1)
	for i := range d.props {
		if pr := &d.props[i]; pr.drawable() {
			t.slot(i+1, pr.Scene).ink(page, min(pr.Opacity, 1))
		}
	}
	if scale > 1 {
		t.page.Halve(t.large)
	}
	return nil
}

// fitPages makes the pages that a frame of w by h pixels is drawn on.
func (t *Target) fitPages(w, h, scale int) (err error) {
	if t.page, err = t.fitPage(t.page, w, h); err != nil {
		return err
	}
	if scale == 1 {
		t.large.Release()
		t.large = nil
		return nil
	}
	t.large, err = t.fitPage(t.large, w*scale, h*scale)
	return err
}

// fitPage is a page of w by h pixels: p, or a new one in its place.
func (t *Target) fitPage(p *raster.Page, w, h int) (*raster.Page, error) {
	if p != nil {
		if a, b := p.Size(); a == w && b == h {
			return p, nil
		}
		p.Release()
	}
	return raster.NewPage(w, h, t.r.bgraTexture)
}

// softPicture is the page's frame, red first.
func (t *Target) softPicture(img *image.NRGBA) {
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride:][:4*img.Rect.Dx()]
		copy(row, t.page.Row(y))
		if t.r.bgraTexture {
			for i := 0; i < len(row); i += 4 {
				row[i], row[i+2] = row[i+2], row[i]
			}
		}
	}
}

// softMask is reduceAlpha where something is drawn; the rest is empty.
func (t *Target) softMask(dst []byte, step int) {
	w, h := t.page.Size()
	mw, mh := MaskSize(w, h, step)
	clear(dst[:mw*mh])
	used, skip := t.page.Used(), max(step/2, 1)
	x0, x1 := used.Min.X/step, (used.Max.X+step-1)/step
	for y := used.Min.Y / skip * skip; y < used.Max.Y; y += skip {
		row, line := dst[y/step*mw:][:mw], t.page.Row(y)
		for mx := x0; mx < x1; mx++ {
			a := row[mx]
			for x := mx * step; x < min((mx+1)*step, w); x += skip {
				a = max(a, line[4*x+3])
			}
			row[mx] = a
		}
	}
}
