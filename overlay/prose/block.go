package prose

import (
	"image"
	"unicode/utf8"

	"gioui.org/layout"
	"golang.org/x/image/math/fixed"

	"yui/overlay/markdown"
)

// block is a laid out one of the text's blocks.
type block struct {
	from  markdown.Block
	lines []line
	text  string   // what a copy of it gives
	spans []styled // for links
	size  image.Point
	gap   int // above it
	edge  int // where its text begins
}

// sizes are what blocks keep between and within them, in pixels.
type sizes struct{ gap, tight, indent, quote, pad int }

func (s *Style) sizes(gtx layout.Context) sizes {
	return sizes{gap: gtx.Dp(7), tight: gtx.Dp(2), indent: gtx.Dp(18), quote: gtx.Dp(12), pad: gtx.Dp(8)}
}

// layBlock lays one block out in the given width. columns are those of the table that a row stands in.
func (s *Style) layBlock(gtx layout.Context, from markdown.Block, first bool, columns []int) block {
	z := s.sizes(gtx)
	b := block{from: from, gap: z.gap}
	switch {
	case first:
		b.gap = 0
	case from.Tight:
		b.gap = z.tight
	}
	b.edge = from.Quote*z.quote + from.Indent*z.indent
	sheet := func(width int) sheet { return sheet{gtx: gtx, style: s, size: s.Size, width: width} }
	marker := sheet(gtx.Constraints.Max.X)
	if from.Marker != "" {
		marker.set([]markdown.Span{{Text: from.Marker + " "}}, 0)
		marker.layOut()
		b.edge = max(b.edge, from.Quote*z.quote+marker.wide) // a long number moves its own item alone: those above stand already
	}
	width := max(gtx.Constraints.Max.X-b.edge, gtx.Dp(40))
	switch from.Kind {
	case markdown.Rule:
		b.size = image.Pt(0, z.gap)
	case markdown.Row:
		b.layRow(sheet, columns, z, from.Head)
	case markdown.Fence:
		p := sheet(width - 2*z.pad)
		p.size, p.mono = s.Size*0.92, true
		p.set(from.Spans, 0)
		p.layOut()
		b.take(p, image.Pt(b.edge+z.pad, z.pad))
		b.size.X, b.size.Y = b.edge+width, p.high+2*z.pad
	default:
		p := sheet(width)
		if from.Kind == markdown.Heading {
			p.bold = true
			if from.Level <= 2 {
				p.size = s.Size * 1.15
			}
		}
		p.set(from.Spans, 0)
		p.layOut()
		b.take(p, image.Pt(b.edge, 0))
		b.size = image.Pt(b.edge+p.wide, p.high)
	}
	if from.Marker != "" {
		b.mark(marker)
	}
	return b
}

// take takes over what a sheet has laid out.
func (b *block) take(p sheet, at image.Point) {
	b.lines = append(b.lines, moved(p.lines, at)...)
	b.spans = append(b.spans, p.spans...)
	b.text += string(p.runes)
}

// mark sets a list's bullet or number, laid out, right before the text, on its first base line.
func (b *block) mark(p sheet) {
	if len(p.lines) == 0 {
		return
	}
	l := p.lines[0]
	down := 0
	if len(b.lines) > 0 {
		down = b.lines[0].base - l.base
	}
	l.clusters = nil // it is no part of the text
	moved([]line{l}, image.Pt(b.edge-p.wide, down))
	l.base += down
	if len(b.lines) == 0 {
		b.size = image.Pt(b.edge, p.high)
		b.lines = append(b.lines, l)
		return
	}
	b.lines[0].runs = append(b.lines[0].runs, l.runs...)
}

// layRow lays the cells of a table's row side by side.
func (b *block) layRow(sheet func(int) sheet, columns []int, z sizes, head bool) {
	x, at := b.edge, 0
	for i, cell := range b.from.Cells {
		if i >= len(columns) {
			break
		}
		p := sheet(columns[i])
		p.bold = head
		if i > 0 {
			b.text += "\t"
			at++
		}
		p.set(cell, at)
		p.layOut()
		at += len(p.runes)
		b.take(p, image.Pt(x, z.tight))
		b.size.Y = max(b.size.Y, p.high+2*z.tight)
		x += columns[i] + z.indent
	}
	b.size.X = x - z.indent
	if !head {
		b.gap = 0 // the lines of a table touch
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// columns shares the width out among the columns of the table whose rows these are: what each wants, or, where that is
// too much, in proportion.
func (s *Style) columns(gtx layout.Context, rows []markdown.Block) []int {
	z := s.sizes(gtx)
	var want []int
	for _, r := range rows {
		for i, cell := range r.Cells {
			p := sheet{gtx: gtx, style: s, size: s.Size, width: 1 << 16, bold: r.Head}
			p.set(cell, 0)
			p.layOut()
			if i == len(want) {
				want = append(want, 0)
			}
			want[i] = max(want[i], p.wide)
		}
	}
	room := gtx.Constraints.Max.X - rows[0].Quote*z.quote - rows[0].Indent*z.indent - (len(want)-1)*z.indent
	sum := 0
	for _, w := range want {
		sum += w
	}
	if least := gtx.Dp(24); sum > room {
		for i, w := range want {
			want[i] = max(w*max(room, 0)/sum, least)
		}
	}
	return want
}

// linkAt is the address at a character of the block, "" for none.
func (b *block) linkAt(at int) string {
	for _, s := range b.spans {
		if at >= s.from && at < s.to {
			return s.Link
		}
	}
	return ""
}

// near returns the character nearest to a place in the block, and whether one is there.
func (b *block) near(x, y int) (at int, hit int) {
	hit = -1
	best, far := -1, 0
	for i, l := range b.lines {
		if len(l.clusters) == 0 && b.from.Kind == markdown.Row {
			continue
		}
		d := max(l.base-l.ascent-y, y-l.base-l.descent, 0) << 12
		if n := len(l.clusters); n > 0 {
			d += max(l.clusters[0].x0.Floor()-x, x-l.clusters[n-1].x1.Ceil(), 0)
		}
		if best < 0 || d < far {
			best, far = i, d
		}
	}
	if best < 0 {
		return 0, -1
	}
	l := b.lines[best]
	at = l.to
	if len(l.clusters) == 0 {
		return l.from, -1
	}
	px := fixed.I(x)
	dist := fixed.I(1 << 20)
	for _, c := range l.clusters {
		if px >= c.x0 && px < c.x1 && y >= l.base-l.ascent && y <= l.base+l.descent {
			hit = c.from
		}
		left, right := c.from, c.to
		if c.back {
			left, right = right, left
		}
		for _, stop := range [2]struct {
			x  fixed.Int26_6
			at int
		}{{c.x0, left}, {c.x1, right}} {
			if d := max(stop.x-px, px-stop.x); d < dist {
				dist, at = d, stop.at
			}
		}
	}
	return at, hit
}

// length is how many characters the block has.
func (b *block) length() int { return utf8.RuneCountInString(b.text) }
