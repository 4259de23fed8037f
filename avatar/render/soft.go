package render

import (
	"image"
	"unsafe"

	"yui/avatar/render/raster"
)

// softBackend draws with package raster. A driver of OpenGL that draws with the processor shades whole blocks of pixels
// for each small triangle, compiles programs at the start and keeps their compiler in memory: none of that is needed here.
type softBackend struct {
	bgra   bool          // pages have blue first
	screen func() screen // of a new canvas; nil if frames stay in memory
}

// screen brings pages to a window.
type screen interface {
	// show puts a page into the bound framebuffer.
	show(p *raster.Page) error
	release()
}

func (b *softBackend) release() {}

// softStock is a scene's textures as the processor reads them.
type softStock struct {
	wanted   wants
	textures [][unitCount]*raster.Texture // for each batch
	pictures []*raster.Texture            // each once
	spans    []span                       // for each batch, its vertices
}

func (b *softBackend) stock(s *Scene, wanted wants) stock {
	return &softStock{wanted: wanted, textures: make([][unitCount]*raster.Texture, len(wanted)), spans: vertexSpans(s.mesh)}
}

// vertexSpans is where each batch's vertices lie.
func vertexSpans(m *mesh) []span {
	all := make([]span, len(m.batches))
	for i := range all {
		b := &m.batches[i]
		if b.count == 0 {
			continue
		}
		low, high := m.index[b.first], m.index[b.first]
		for _, v := range m.index[b.first : b.first+b.count] {
			low, high = min(low, v), max(high, v)
		}
		all[i] = span{int(low), int(high-low) + 1}
	}
	return all
}

func (k *softStock) take(key textureKey, a painting) {
	if len(a.levels) == 0 {
		return
	}
	levels := make([]raster.Level, len(a.levels))
	for i, p := range a.levels {
		levels[i] = raster.Level{Width: p.w, Height: p.h, Pix: p.pix}
	}
	t := raster.NewTexture(levels, a.wrapS, a.wrapT, a.nearest)
	k.pictures = append(k.pictures, t)
	k.wanted.each(key, func(batch, unit int) { k.textures[batch][unit] = t })
}

// waits is false: what was taken is there.
func (k *softStock) waits() bool { return false }
func (k *softStock) send() error { return nil }

func (k *softStock) release() {
	for _, t := range k.pictures {
		t.Release()
	}
	k.pictures = nil
}

// softCanvas draws on pages of its own.
type softCanvas struct {
	b       *softBackend
	screen  screen // nil if frames stay in memory
	brushes []*brush
	page    *raster.Page // the frame drawn last
	large   *raster.Page // before it is averaged into page
}

func (b *softBackend) canvas() canvas {
	c := &softCanvas{b: b}
	if b.screen != nil {
		c.screen = b.screen()
	}
	return c
}

func (c *softCanvas) draw(f *frame) error {
	if err := c.paint(f); err != nil {
		return err
	}
	if c.screen != nil {
		return c.screen.show(c.page)
	}
	return nil
}

// paint draws a frame on the page.
func (c *softCanvas) paint(f *frame) error {
	v := f.view
	scale := 1
	if f.quality != Off {
		scale = 2
	}
	if err := c.fitPages(v.Width, v.Height, scale); err != nil {
		if scale == 1 {
			return err
		}
		f.quality = Off // better stepped edges than no pet
		return c.paint(f)
	}
	page := c.page
	if scale > 1 {
		page = c.large
	}
	w, h := page.Size()
	x, y, cw, ch, _ := v.cut()
	clip := image.Rect(int(x)*scale, int(y)*scale, int(x+cw)*scale, int(y+ch)*scale)
	box := raster.Empty()
	for i, l := range f.layers {
		if l.w != nil {
			c.brush(i, l.w).place(w, h, &box)
		}
	}
	page.Begin(box, clip)
	for i, l := range f.layers {
		if l.w != nil {
			c.brush(i, l.w).ink(page, l.opacity)
		}
	}
	if scale > 1 {
		c.page.Halve(c.large)
	}
	return nil
}

// fitPages makes the pages that a frame of w by h pixels is drawn on.
func (c *softCanvas) fitPages(w, h, scale int) (err error) {
	if c.page, err = c.fitPage(c.page, w, h); err != nil {
		return err
	}
	if scale == 1 {
		c.large.Release()
		c.large = nil
		return nil
	}
	c.large, err = c.fitPage(c.large, w*scale, h*scale)
	return err
}

// fitPage is a page of w by h pixels: p, or a new one in its place.
func (c *softCanvas) fitPage(p *raster.Page, w, h int) (*raster.Page, error) {
	if p != nil {
		if a, b := p.Size(); a == w && b == h {
			return p, nil
		}
		p.Release()
	}
	return raster.NewPage(w, h, c.b.bgra)
}

// brush is the brush of the wearer at a place of the frame.
func (c *softCanvas) brush(place int, w *wearer) *brush {
	for len(c.brushes) <= place {
		c.brushes = append(c.brushes, nil)
	}
	if b := c.brushes[place]; b == nil || b.w != w {
		b.release()
		c.brushes[place] = newBrush(w)
	}
	return c.brushes[place]
}

// snapshot reads the page, which paint makes again, red first.
func (c *softCanvas) snapshot(f *frame) (*image.NRGBA, error) {
	if err := c.paint(f); err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, f.view.Width, f.view.Height))
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride:][:4*img.Rect.Dx()]
		copy(row, c.page.Row(y))
		if c.b.bgra {
			for i := 0; i < len(row); i += 4 {
				row[i], row[i+2] = row[i+2], row[i]
			}
		}
	}
	straightAlpha(img)
	return img, nil
}

// mask is reduceAlpha where something is drawn; the rest is empty.
func (c *softCanvas) mask(_ *frame, dst []byte, step int) (bool, error) {
	w, h := c.page.Size()
	mw, mh := MaskSize(w, h, step)
	clear(dst[:mw*mh])
	used, skip := c.page.Used(), max(step/2, 1)
	x0, x1 := used.Min.X/step, (used.Max.X+step-1)/step
	for y := used.Min.Y / skip * skip; y < used.Max.Y; y += skip {
		row, line := dst[y/step*mw:][:mw], c.page.Row(y)
		for mx := x0; mx < x1; mx++ {
			a := row[mx]
			for x := mx * step; x < min((mx+1)*step, w); x += skip {
				a = max(a, line[4*x+3])
			}
			row[mx] = a
		}
	}
	return true, nil
}

func (c *softCanvas) picture() *image.RGBA {
	if c.screen != nil {
		return nil
	}
	w, h := c.page.Size()
	stride := 4 * c.page.Stride()
	pix := unsafe.Slice((*byte)(c.page.Pixels(0, 0)), stride*(h-1)+4*w)
	return &image.RGBA{Pix: pix, Stride: stride, Rect: image.Rect(0, 0, w, h)}
}

func (c *softCanvas) release() {
	for _, b := range c.brushes {
		b.release()
	}
	c.brushes = nil
	c.page.Release()
	c.large.Release()
	c.page, c.large = nil, nil
	if c.screen != nil {
		c.screen.release()
	}
}
