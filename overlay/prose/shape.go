package prose

import (
	"image"
	"slices"
	"strings"
	"unicode"

	"gioui.org/font"
	"gioui.org/layout"
	"gioui.org/text"
	"gioui.org/unit"
	"github.com/go-text/typesetting/segmenter"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/bidi"

	"yui/overlay/markdown"
)

// ink is what a run is painted with.
type ink uint8

const (
	inkText ink = iota
	inkSoft     // stage directions
	inkLink
)

// run is a stretch of glyphs of one style on one line.
type run struct {
	glyphs []text.Glyph
	ink    ink
	code   bool // drawn on a ground of its own
	x0, x1 fixed.Int26_6
}

// cluster is what a selection takes or leaves: its extent, and its characters in the block's text.
type cluster struct {
	x0, x1   fixed.Int26_6
	from, to int
	back     bool // right to left
}

// line is one line of a block, in pixels from the block's corner.
type line struct {
	base, ascent, descent int
	runs                  []run
	clusters              []cluster
	from, to              int // characters
}

// styled is a span with its place in the block's text.
type styled struct {
	markdown.Span
	from, to int  // characters
	emoji    bool // one cluster that the emoji fonts draw
}

// sheet lays the spans of one paragraph out.
type sheet struct {
	gtx   layout.Context
	style *Style
	size  unit.Sp
	bold  bool // a heading, a table's head
	mono  bool
	width int
	spans []styled
	runes []rune
	lines []line
	high  int // so far
	wide  int
}

// lineHeight is the distance of two base lines in parts of the text's size.
const lineHeight = 1.4

func (s *sheet) params(span styled, width int) text.Parameters {
	f := font.Font{Typeface: s.style.Face}
	if s.bold || span.Style&markdown.Strong != 0 {
		f.Weight = font.Bold
	}
	if span.Style&markdown.Emphasis != 0 {
		f.Style = font.Italic
	}
	if s.mono || span.Style&markdown.Code != 0 {
		f.Typeface = s.style.Mono
	}
	if span.emoji && s.style.Emoji != "" {
		f.Typeface = s.style.Emoji
	}
	return text.Parameters{Font: f, PxPerEm: fixed.I(s.gtx.Sp(s.size)), MaxWidth: width, Locale: s.gtx.Locale,
		LineHeight: fixed.I(s.gtx.Sp(s.size * lineHeight)), LineHeightScale: 1}
}

// set takes the text; from is the number of its first character in the block.
func (s *sheet) set(spans []markdown.Span, from int) {
	for _, span := range spans {
		r := []rune(span.Text)
		s.spans = append(s.spans, divide(styled{Span: span, from: from}, r)...)
		s.runes = append(s.runes, r...)
		from += len(r)
	}
}

// layOut breaks the text into lines. Text of one style, and text that runs right to left, is the shaper's own business:
// it knows how scripts mix. Elsewhere lines are broken where Unicode allows it, whatever the style on either side.
func (s *sheet) layOut() {
	if len(s.spans) == 0 {
		return
	}
	if first := s.spans[0]; len(s.spans) == 1 || slices.ContainsFunc(s.runes, rightToLeft) {
		if slices.ContainsFunc(s.spans, func(o styled) bool { return o.Style != first.Style }) {
			first.Style = 0
		}
		first.emoji = first.emoji && len(s.spans) == 1
		s.whole(first)
		return
	}
	at := s.spans[0].from
	for _, row := range splitLines(s.runes) {
		s.broken(row, at)
		at += len(row) + 1
	}
}

func splitLines(r []rune) (rows [][]rune) {
	for {
		i := slices.Index(r, '\n')
		if i < 0 {
			return append(rows, r)
		}
		rows, r = append(rows, r[:i]), r[i+1:]
	}
}

func rightToLeft(r rune) bool {
	if r < 0x590 {
		return false
	}
	p, _ := bidi.LookupRune(r)
	c := p.Class()
	return c == bidi.R || c == bidi.AL
}

// whole lets the shaper break the lines of a text of one style.
func (s *sheet) whole(span styled) {
	p := s.params(span, s.width)
	s.style.Shaper.LayoutString(p, string(s.runes))
	at := s.spans[0].from
	l := line{from: at}
	top := s.high
	var glyphs []text.Glyph
	for g, ok := s.style.Shaper.NextGlyph(); ok; g, ok = s.style.Shaper.NextGlyph() {
		g.Y += int32(top)
		glyphs = append(glyphs, g)
		if g.Flags&text.FlagLineBreak == 0 {
			continue
		}
		l.base = int(g.Y)
		s.take(&l, glyphs, at, s.spans[0].Span)
		at = l.to
		s.endLine(l)
		l, glyphs = line{from: at}, nil
	}
}

// take adds glyphs of one style to a line, whose characters begin at number at.
func (s *sheet) take(l *line, glyphs []text.Glyph, at int, span markdown.Span) {
	if len(glyphs) == 0 {
		l.to = at
		return
	}
	r := run{glyphs: glyphs, x0: glyphs[0].X, code: span.Style&markdown.Code != 0 && !s.mono}
	switch {
	case span.Link != "":
		r.ink = inkLink
	case span.Style&markdown.Emphasis != 0:
		r.ink = inkSoft
	}
	c := cluster{x0: fixed.I(1 << 20), from: at}
	for _, g := range glyphs {
		l.ascent, l.descent = max(l.ascent, g.Ascent.Ceil()), max(l.descent, g.Descent.Ceil())
		c.x0, c.x1 = min(c.x0, g.X), max(c.x1, g.X+g.Advance)
		r.x0, r.x1 = min(r.x0, g.X), max(r.x1, g.X+g.Advance)
		if g.Flags&text.FlagClusterBreak == 0 {
			continue
		}
		c.to, c.back = c.from+int(g.Runes), g.Flags&text.FlagTowardOrigin != 0
		if g.Runes > 0 {
			l.clusters = append(l.clusters, c)
		}
		c = cluster{x0: fixed.I(1 << 20), from: c.to}
	}
	l.to = c.from
	l.runs = append(l.runs, r)
}

func (s *sheet) endLine(l line) {
	if l.ascent == 0 && l.descent == 0 {
		l.ascent = s.gtx.Sp(s.size)
	}
	s.lines = append(s.lines, l)
	for _, r := range l.runs {
		s.wide = max(s.wide, r.x1.Ceil())
	}
	s.high = l.base + l.descent
}

// broken lays out one line of text of several styles; at is the number of its first character.
func (s *sheet) broken(row []rune, at int) {
	var seg segmenter.Segmenter
	seg.Init(row)
	limit := fixed.I(s.width)
	var x fixed.Int26_6
	from := at
	for it := seg.LineIterator(); it.Next(); {
		u := it.Line()
		start, end := at+u.Offset, at+u.Offset+len(u.Text)
		w, bare := s.measure(start, end)
		if x > 0 && x+bare > limit {
			s.place(from, start)
			from, x = start, 0
		}
		for x == 0 && bare > limit && end-start > 1 { // a word that no line holds
			n := s.fits(start, end, limit)
			s.place(from, start+n)
			start += n
			from = start
			w, bare = s.measure(start, end)
		}
		x += w
	}
	s.place(from, at+len(row))
}

// text is the characters from number from to to.
func (s *sheet) text(from, to int) string {
	first := s.spans[0].from
	return string(s.runes[from-first : to-first])
}

// pieces calls each with the stretches of one style from from to to.
func (s *sheet) pieces(from, to int, each func(span styled, from, to int)) {
	for _, span := range s.spans {
		if a, b := max(from, span.from), min(to, span.to); a < b {
			each(span, a, b)
		}
	}
}

// measure returns how wide a stretch is, with and without the white space at its end.
func (s *sheet) measure(from, to int) (whole, bare fixed.Int26_6) {
	words := from + len([]rune(strings.TrimRightFunc(s.text(from, to), unicode.IsSpace)))
	s.pieces(from, to, func(span styled, a, b int) {
		for _, part := range [2][2]int{{a, min(b, words)}, {max(a, words), b}} {
			if part[0] >= part[1] {
				continue
			}
			w := advance(s.shape(span, part[0], part[1]))
			whole += w
			if part[1] <= words {
				bare += w
			}
		}
	})
	return whole, bare
}

// fits is how many characters of a long word fit on a line, at least one; an emoji stays whole where it can.
func (s *sheet) fits(from, to int, limit fixed.Int26_6) int {
	n := 1
	for lo, hi := 1, to-from; lo <= hi; {
		mid := (lo + hi) / 2
		if w, _ := s.measure(from, from+mid); w <= limit {
			n, lo = mid, mid+1
		} else {
			hi = mid - 1
		}
	}
	for _, span := range s.spans {
		if cut := from + n; span.emoji && span.from < cut && cut < span.to && span.from > from {
			return span.from - from
		}
	}
	return n
}

func advance(glyphs []text.Glyph) (w fixed.Int26_6) {
	for _, g := range glyphs {
		w += g.Advance
	}
	return w
}

// shape returns the glyphs of a stretch of one style on a line of its own.
func (s *sheet) shape(span styled, from, to int) (glyphs []text.Glyph) {
	p := s.params(span, 1<<20)
	p.DisableSpaceTrim = true
	s.style.Shaper.LayoutString(p, s.text(from, to))
	for g, ok := s.style.Shaper.NextGlyph(); ok; g, ok = s.style.Shaper.NextGlyph() {
		glyphs = append(glyphs, g)
	}
	return glyphs
}

// place ends a line with the characters from number from to to.
func (s *sheet) place(from, to int) {
	l := line{from: from, to: from}
	var x fixed.Int26_6
	s.pieces(from, to, func(span styled, a, b int) {
		glyphs := s.shape(span, a, b)
		for i := range glyphs {
			glyphs[i].X += x
		}
		s.take(&l, glyphs, a, span.Span)
		x += advance(glyphs)
	})
	step := s.gtx.Sp(s.size * lineHeight)
	if n := len(s.lines); n > 0 {
		l.base = s.lines[n-1].base + step
	} else {
		l.base = s.high + max(l.ascent, s.gtx.Sp(s.size))
	}
	for i := range l.runs {
		for j := range l.runs[i].glyphs {
			l.runs[i].glyphs[j].Y = int32(l.base)
		}
	}
	l.to = to
	s.endLine(l)
}

// moved shifts lines by d.
func moved(lines []line, d image.Point) []line {
	dx := fixed.I(d.X)
	for i := range lines {
		l := &lines[i]
		l.base += d.Y
		for j := range l.runs {
			r := &l.runs[j]
			r.x0, r.x1 = r.x0+dx, r.x1+dx
			for k := range r.glyphs {
				r.glyphs[k].X += dx
				r.glyphs[k].Y += int32(d.Y)
			}
		}
		for j := range l.clusters {
			l.clusters[j].x0 += dx
			l.clusters[j].x1 += dx
		}
	}
	return lines
}
