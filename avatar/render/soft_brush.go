package render

import (
	"unsafe"

	"yui/avatar/render/raster"
	"yui/avatar/vrm"
)

// brush draws a wearer with the processor.
type brush struct {
	w           *wearer
	stock       *softStock
	mesh, lines *raster.Mesh
	job         raster.Job
	box         *raster.Box // by itself in memory, as wearer.frame
}

func newBrush(w *wearer) *brush {
	s := w.scene
	b := &brush{w: w, stock: s.stock.(*softStock), mesh: raster.NewMesh(len(s.mesh.position)), box: &raster.Box{}}
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

// place puts the wearer's vertices on a page of width by height pixels. The box round them all is added to box.
func (b *brush) place(width, height int, box *raster.Box) {
	w, s := b.w, b.w.scene
	*b.box = *box
	view := unsafe.Pointer(w.frame)
	for i := range s.mesh.batches {
		bt, l := &s.mesh.batches[i], &s.looks[i]
		r := b.stock.spans[i]
		if r.count == 0 {
			continue
		}
		fixed, mat := unsafe.Pointer(&s.mesh.fixed[r.first]), unsafe.Pointer(&w.values[bt.material])
		at := &w.shown[r.first*floatsPerVertex]
		if w.news.stale[bt.material] {
			b.mesh.Colors(r.first, r.count, fixed, mat, uint32(l.surface))
			if l.outline != 0 {
				b.lines.Colors(r.first, r.count, fixed, mat, uint32(l.outline))
			}
		}
		b.mesh.Vertices(r.first, r.count, at, fixed, mat, view, uint32(l.surface), width, height, b.box)
		if l.outline != 0 && w.line[i].count > 0 {
			b.lines.Vertices(r.first, r.count, at, fixed, mat, view, uint32(l.outline), width, height, b.box)
		}
	}
	w.news.seen()
	*box = *b.box
}

// ink draws what place has placed, in the scene's order.
func (b *brush) ink(p *raster.Page, opacity float32) {
	var extra features
	if opacity < 1 {
		b.pass(p, fDepthOnly) // so that what shows through is the nearest surface alone
		extra = fFade
	}
	b.pass(p, extra)
}

func (b *brush) pass(p *raster.Page, extra features) {
	for _, o := range b.w.scene.order {
		b.batch(p, o.batch, o.outline, extra)
	}
}

func (b *brush) batch(p *raster.Page, i int, outline bool, extra features) {
	w, s, j := b.w, b.w.scene, &b.job
	bt, l := &s.mesh.batches[i], &s.looks[i]
	f := l.surface
	j.Mesh, j.Index, j.Cull = b.mesh, s.mesh.index[bt.first:bt.first+bt.count], raster.Back
	switch {
	case outline:
		f = l.outline
		n := w.line[i]
		j.Mesh, j.Index, j.Cull = b.lines, w.lines[n.first:n.first+n.count], raster.Front
	case l.double:
		j.Cull = raster.None
	}
	j.Mirrored = w.shape.mirrored(bt.bone)
	j.Material, j.View = unsafe.Pointer(&w.values[bt.material]), unsafe.Pointer(w.frame)
	j.Textures, j.Features = &b.stock.textures[i], uint32(f|extra)
	j.Blend, j.Depth = l.alpha == vrm.Blend || extra&fFade != 0, l.depth
	p.Draw(j)
}
