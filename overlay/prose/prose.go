// Package prose shows Markdown that can be selected: a Text is laid out block by block, so that a long one costs what is
// seen of it, and while it grows only its last block is laid out anew. Main thread only.
package prose

import (
	"image"
	"image/color"
	"slices"
	"strings"

	"gioui.org/font"
	"gioui.org/gesture"
	"gioui.org/io/event"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/text"
	"gioui.org/unit"

	"yui/overlay/markdown"
)

// Style is what a Text is drawn with.
type Style struct {
	Shaper     *text.Shaper
	Face, Mono font.Typeface
	Emoji      font.Typeface // of emoji; empty for Face
	Size       unit.Sp
	// Ink is the text's colour, Soft that of stage directions, Link of links, Edge of lines and bars; Ground lies under
	// code, Selection under what is selected.
	Ink, Soft, Link, Edge, Ground, Selection color.NRGBA
	// Fade is how high the strip is in which the text runs out at an edge with more of it beyond.
	Fade unit.Dp
}

// Text is a text that is shown. The zero value is empty and ready.
type Text struct {
	// OnLink gets the address of a link that was clicked; http and https alone.
	OnLink func(address string)

	source string
	plain  bool // no Markdown
	reader *markdown.Reader
	parsed []markdown.Block
	laid   []*block // nil where not laid out
	style  Style
	width  int
	metric unit.Metric
	widest int

	list    layout.List
	seen    []seen // the blocks of the last frame
	click   gesture.Click
	drag    gesture.Drag
	from    place // of the selection
	to      place
	pulling bool
	hovered string
}

// place is a character's number in a block.
type place struct{ block, at int }

func (p place) before(o place) bool { return p.block < o.block || p.block == o.block && p.at < o.at }

// seen is where a block was drawn.
type seen struct{ block, y int }

// Set shows Markdown. What was laid out of it before stays as it is.
func (t *Text) Set(s string) { t.set(s, false) }

// SetPlain shows a text as it is, marks and all.
func (t *Text) SetPlain(s string) { t.set(s, true) }

func (t *Text) set(s string, plain bool) {
	if s == t.source && plain == t.plain {
		return
	}
	// A reply grows, and may lose white space at its end; all else is another text.
	if s == "" || !strings.HasPrefix(s, t.source) && !strings.HasPrefix(t.source, s) {
		t.ClearSelection()
		t.list.Position = layout.Position{}
	}
	t.source, t.plain = s, plain
	if t.reader == nil {
		t.reader = markdown.NewReader()
		t.list.Axis, t.list.ScrollToEnd = layout.Vertical, true
	}
	blocks := []markdown.Block{{Spans: []markdown.Span{{Text: s}}}}
	if s == "" {
		blocks = nil
	} else if !plain {
		blocks = t.reader.Read(s)
	}
	blocks = divided(blocks)
	laid := make([]*block, len(blocks))
	for i := range blocks {
		if i < len(t.parsed) && equal(&blocks[i], &t.parsed[i]) {
			laid[i] = t.laid[i]
		}
	}
	forgetTables(blocks, laid)
	t.parsed, t.laid, t.widest = blocks, laid, 0
	for _, b := range laid {
		if b != nil {
			t.widest = max(t.widest, b.size.X)
		}
	}
}

func equal(a, b *markdown.Block) bool {
	return a.Kind == b.Kind && a.Level == b.Level && a.Indent == b.Indent && a.Quote == b.Quote && a.Marker == b.Marker &&
		a.Tight == b.Tight && a.Head == b.Head && slices.Equal(a.Spans, b.Spans) && slices.EqualFunc(a.Cells, b.Cells, slices.Equal[[]markdown.Span])
}

// forgetTables lets a table that has grown be laid out anew: its columns share their width.
func forgetTables(blocks []markdown.Block, laid []*block) {
	for i := 0; i < len(blocks); i++ {
		from := i
		for i < len(blocks) && blocks[i].Kind == markdown.Row && (i == from || !blocks[i].Head) {
			i++
		}
		if slices.Contains(laid[from:i], nil) {
			clear(laid[from:i])
		}
		if i > from {
			i--
		}
	}
}

// portion is how many bytes of one paragraph are laid out at once.
const portion = 2 << 10

// divided cuts paragraphs that are too long to be laid out in one frame where a line or a sentence ends.
func divided(blocks []markdown.Block) (out []markdown.Block) {
	for _, b := range blocks {
		for {
			head, rest, ok := cut(b)
			out = append(out, head)
			if !ok {
				break
			}
			b = rest
		}
	}
	return out
}

func cut(b markdown.Block) (head, rest markdown.Block, ok bool) {
	size := 0
	for i, s := range b.Spans {
		if size += len(s.Text); size <= portion {
			continue
		}
		at := len(s.Text) - (size - portion)
		for at > 0 && s.Text[at]&0xC0 == 0x80 {
			at--
		}
		if end := max(strings.LastIndex(s.Text[:at], "\n"), strings.LastIndex(s.Text[:at], ". "), strings.LastIndex(s.Text[:at], "。")+2); end > at/2 {
			at = end + 1
		}
		if at <= 0 || at >= len(s.Text) {
			continue
		}
		head, rest = b, b
		first, second := s, s
		first.Text, second.Text = strings.TrimSuffix(s.Text[:at], "\n"), s.Text[at:]
		head.Spans = append(slices.Clone(b.Spans[:i]), first)
		rest.Spans = append([]markdown.Span{second}, b.Spans[i+1:]...)
		rest.Marker, rest.Tight = "", true
		return head, rest, true
	}
	return b, markdown.Block{}, false
}

// Above and Below report whether there is more of the text beyond the edges of what the last Layout showed.
func (t *Text) Above() bool { return t.list.Position.First > 0 || t.list.Position.Offset > 0 }

// Below is described at Above.
func (t *Text) Below() bool {
	p := t.list.Position
	return p.First+p.Count < len(t.parsed) || p.OffsetLast < 0
}

// ScrollTo puts the beginning (false) or the end of the text in sight, and keeps the end there while the text grows.
func (t *Text) ScrollTo(end bool) { t.list.ScrollToEnd, t.list.Position = end, layout.Position{} }

// View is the part of the text that the last Layout showed, from 0 to 1; an estimate where not all of it was laid out.
func (t *Text) View() (from, to float32) {
	p, all := t.list.Position, float32(max(1, t.list.Position.Length))
	each := all / float32(max(1, len(t.parsed)))
	from = (float32(p.First)*each + float32(p.Offset)) / all
	to = (float32(p.First+p.Count)*each + float32(p.OffsetLast)) / all
	if !t.Above() {
		from = 0
	}
	if !t.Below() {
		to = 1
	}
	return min(max(from, 0), 1), min(max(to, from), 1)
}

// ScrollBy moves what is seen by parts of the text's whole length, down where it is positive.
func (t *Text) ScrollBy(part float32) { t.list.ScrollBy(part * float32(len(t.parsed))) }

// Hovered is the address of the link under the pointer, "" for none.
func (t *Text) Hovered() string { return t.hovered }

// Layout draws the text in the width that there is, as high as it is, at most as high as there is room; the rest
// scrolls.
func (t *Text) Layout(gtx layout.Context, style Style) layout.Dimensions {
	if t.width != gtx.Constraints.Max.X || t.metric != gtx.Metric || t.style != style {
		clear(t.laid)
		t.width, t.metric, t.style, t.widest = gtx.Constraints.Max.X, gtx.Metric, style, 0
	}
	t.events(gtx)
	high := 0
	for i := 0; i < len(t.parsed) && high < gtx.Constraints.Max.Y; i++ {
		b := t.block(gtx, i)
		high += b.gap + b.size.Y
	}
	high = min(high, gtx.Constraints.Max.Y)
	gtx.Constraints = layout.Exact(image.Pt(t.width, high))
	area := clip.Rect{Max: gtx.Constraints.Max}.Push(gtx.Ops)
	defer area.Pop()
	event.Op(gtx.Ops, t)
	t.click.Add(gtx.Ops)
	t.drag.Add(gtx.Ops)
	if t.hovered != "" {
		pointer.CursorPointer.Add(gtx.Ops)
	} else {
		pointer.CursorText.Add(gtx.Ops)
	}
	t.list.Layout(gtx, len(t.parsed), func(gtx layout.Context, i int) layout.Dimensions {
		b := t.block(gtx, i)
		return layout.Dimensions{Size: image.Pt(t.width, b.gap+b.size.Y)}
	})
	t.note()
	t.paint(gtx, image.Pt(t.width, high))
	return layout.Dimensions{Size: image.Pt(min(t.widest, t.width), high)}
}

// note keeps where blocks were drawn.
func (t *Text) note() {
	t.seen = t.seen[:0]
	p := t.list.Position
	y := -p.Offset
	for i := p.First; i < min(p.First+p.Count, len(t.laid)) && t.laid[i] != nil; i++ {
		t.seen = append(t.seen, seen{i, y + t.laid[i].gap})
		y += t.laid[i].gap + t.laid[i].size.Y
	}
}

// block returns the laid out block i.
func (t *Text) block(gtx layout.Context, i int) *block {
	if t.laid[i] == nil {
		gtx.Constraints = layout.Constraints{Max: image.Pt(t.width, 1<<20)}
		if t.parsed[i].Kind == markdown.Row {
			t.layTable(gtx, i)
		} else {
			t.keep(i, t.style.layBlock(gtx, t.parsed[i], i == 0, nil))
		}
	}
	return t.laid[i]
}

// layTable lays out all rows of the table that row i stands in.
func (t *Text) layTable(gtx layout.Context, i int) {
	first, end := i, i+1
	for !t.parsed[first].Head && first > 0 && t.parsed[first-1].Kind == markdown.Row {
		first--
	}
	for end < len(t.parsed) && t.parsed[end].Kind == markdown.Row && !t.parsed[end].Head {
		end++
	}
	columns := t.style.columns(gtx, t.parsed[first:end])
	for j := first; j < end; j++ {
		t.keep(j, t.style.layBlock(gtx, t.parsed[j], j == 0, columns))
	}
}

func (t *Text) keep(i int, b block) {
	t.laid[i] = &b
	t.widest = max(t.widest, b.size.X)
}
