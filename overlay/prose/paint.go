package prose

import (
	"image"
	"image/color"

	"gioui.org/f32"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/text"
	"golang.org/x/image/math/fixed"

	"yui/overlay/markdown"
)

// fadeSteps is in how many steps the text runs out.
const fadeSteps = 8

// paint draws what is seen. At an edge with more of the text beyond it runs out: it is drawn ever fainter. Paper over it would
// do so too, but show on a ground that lets the desktop through.
func (t *Text) paint(gtx layout.Context, size image.Point) {
	top, bottom := 0, size.Y
	if high := min(gtx.Dp(t.style.Fade), size.Y/2); high >= fadeSteps {
		band := func(i int) int { return i * high / fadeSteps }
		for i := range fadeSteps {
			opacity := (float32(i) + 0.5) / fadeSteps
			if t.Above() {
				top = band(i + 1)
				t.paintStrip(gtx, image.Rect(0, band(i), size.X, top), opacity)
			}
			if t.Below() {
				bottom = size.Y - band(i+1)
				t.paintStrip(gtx, image.Rect(0, bottom, size.X, size.Y-band(i)), opacity)
			}
		}
	}
	t.paintStrip(gtx, image.Rect(0, top, size.X, bottom), 1)
}

// paintStrip draws what of the text lies in a rectangle.
func (t *Text) paintStrip(gtx layout.Context, r image.Rectangle, opacity float32) {
	defer clip.Rect(r).Push(gtx.Ops).Pop()
	if opacity < 1 {
		defer paint.PushOpacity(gtx.Ops, opacity).Pop()
	}
	for _, s := range t.seen {
		stack := op.Offset(image.Pt(0, s.y)).Push(gtx.Ops)
		t.draw(gtx, t.laid[s.block], s.block, r.Min.Y-s.y, r.Max.Y-s.y)
		stack.Pop()
	}
}

// draw paints block i with its corner at the origin, and of its text the lines that show between two heights.
func (t *Text) draw(gtx layout.Context, b *block, i, from, to int) {
	if high := t.style.sizes(gtx).gap; b.size.Y+high < from || -b.gap-high > to {
		return
	}
	z := t.style.sizes(gtx)
	fill := func(r image.Rectangle, c color.NRGBA) {
		paint.FillShape(gtx.Ops, c, clip.Rect(r).Op())
	}
	for q := range b.from.Quote {
		x := q * z.quote
		fill(image.Rect(x, -b.gap*b2i(b.from.Tight || i > 0 && t.parsed[i-1].Quote > q), x+gtx.Dp(3), b.size.Y), t.style.Edge)
	}
	switch b.from.Kind {
	case markdown.Rule:
		fill(image.Rect(b.edge, z.gap/2, t.width, z.gap/2+max(1, gtx.Dp(1))), t.style.Edge)
	case markdown.Fence:
		paint.FillShape(gtx.Ops, t.style.Ground, clip.UniformRRect(image.Rectangle{Min: image.Pt(b.edge, 0), Max: b.size}, gtx.Dp(8)).Op(gtx.Ops))
	case markdown.Row:
		fill(image.Rect(b.edge, b.size.Y-max(1, gtx.Dp(1)), b.size.X, b.size.Y), t.style.Edge)
	}
	runs := func(each func(line, run)) {
		for _, l := range b.lines {
			if high := l.ascent + l.descent; l.base+high < from || l.base-high > to {
				continue
			}
			for _, r := range l.runs {
				each(l, r)
			}
		}
	}
	runs(func(l line, r run) {
		if d := gtx.Dp(2); r.code {
			chip := image.Rect(r.x0.Floor()-d, l.base-l.ascent, r.x1.Ceil()+d, l.base+l.descent)
			paint.FillShape(gtx.Ops, t.style.Ground, clip.UniformRRect(chip, gtx.Dp(4)).Op(gtx.Ops))
		}
	})
	t.drawSelection(gtx, b, i)
	runs(func(l line, r run) { t.style.drawRun(gtx, l, r) })
}

// drawSelection paints what of block i is selected.
func (t *Text) drawSelection(gtx layout.Context, b *block, i int) {
	from, to := t.selection()
	if from == to || i < from.block || i > to.block {
		return
	}
	first, last := 0, b.length()
	if i == from.block {
		first = from.at
	}
	if i == to.block {
		last = to.at
	}
	for _, l := range b.lines {
		var x0, x1 fixed.Int26_6
		end := func() {
			if x1 > x0 {
				paint.FillShape(gtx.Ops, t.style.Selection, clip.Rect(image.Rect(x0.Floor(), l.base-l.ascent, x1.Ceil(), l.base+l.descent)).Op())
			}
		}
		for _, c := range l.clusters {
			if c.from < first || c.to > last {
				continue
			}
			if c.x0 != x1 || x1 == x0 {
				end()
				x0 = c.x0
			}
			x1 = c.x1
		}
		end()
	}
}

// drawRun paints the glyphs of one style.
func (s *Style) drawRun(gtx layout.Context, l line, r run) {
	c := s.Ink
	switch r.ink {
	case inkSoft:
		c = s.Soft
	case inkLink:
		c = s.Link
	}
	if r.ink == inkLink {
		y := l.base + max(1, gtx.Dp(2))
		paint.FillShape(gtx.Ops, c, clip.Rect(image.Rect(r.x0.Floor(), y, r.x1.Ceil(), y+max(1, gtx.Dp(1)))).Op())
	}
	const most = 32 // glyphs of one path
	for glyphs := r.glyphs; len(glyphs) > 0; {
		n := min(len(glyphs), most)
		s.drawGlyphs(gtx, glyphs[:n], c)
		glyphs = glyphs[n:]
	}
}

func (s *Style) drawGlyphs(gtx layout.Context, glyphs []text.Glyph, c color.NRGBA) {
	at := f32.Pt(float32(glyphs[0].X)/64, float32(glyphs[0].Y))
	defer op.Affine(f32.AffineId().Offset(at)).Push(gtx.Ops).Pop()
	paint.FillShape(gtx.Ops, c, clip.Outline{Path: s.Shaper.Shape(glyphs)}.Op())
	if call := s.Shaper.Bitmaps(glyphs); call != (op.CallOp{}) {
		call.Add(gtx.Ops)
	}
}
