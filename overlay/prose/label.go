package prose

import (
	"image"

	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/text"
	"golang.org/x/image/math/fixed"

	"yui/overlay/markdown"
)

// Label is a short text without marks that cannot be selected.
type Label struct {
	Style
	Bold      bool
	MaxLines  int // 0 for as many as it needs; what does not fit ends in an ellipsis
	Alignment text.Alignment
	Text      string
}

// Layout draws the label in the width that there is.
func (l Label) Layout(gtx layout.Context) layout.Dimensions {
	p := l.set(gtx, l.Text)
	if l.MaxLines > 0 && len(p.lines) > l.MaxLines {
		const more = "…"
		from := p.lines[l.MaxLines-1].from
		end := from + len(splitLines(p.runes[from:])[0])
		mark := l.set(gtx, more)
		p = l.set(gtx, string(p.runes[:from+p.fits(from, end, fixed.I(p.width-mark.wide))])+more)
	}
	semantic.LabelOp(l.Text).Add(gtx.Ops)
	size := gtx.Constraints.Constrain(image.Pt(p.wide, p.high))
	for i, line := range p.lines {
		room := size.X
		if n := len(line.runs); n > 0 {
			room -= line.runs[n-1].x1.Ceil()
		}
		switch l.Alignment {
		case text.Middle:
			room /= 2
		case text.Start:
			room = 0
		}
		for _, r := range moved(p.lines[i:i+1], image.Pt(max(room, 0), 0))[0].runs {
			l.drawRun(gtx, line, r)
		}
	}
	d := layout.Dimensions{Size: size}
	if len(p.lines) > 0 {
		d.Baseline = size.Y - p.lines[0].base
	}
	return d
}

func (l Label) set(gtx layout.Context, words string) sheet {
	p := sheet{gtx: gtx, style: &l.Style, size: l.Size, bold: l.Bold, width: gtx.Constraints.Max.X}
	p.set([]markdown.Span{{Text: words}}, 0)
	p.layOut()
	return p
}
