package ui

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"time"

	"gioui.org/f32"
	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/unit"
	"gioui.org/widget"
)

func (t *Talk) events(gtx layout.Context) {
	for {
		ev, ok := t.field.editor.Update(gtx)
		if !ok {
			break
		}
		if s, ok := ev.(widget.SubmitEvent); ok {
			t.submit(s.Text)
		}
	}
	if t.field.send.Clicked(gtx) {
		if t.bubble.running && strings.TrimSpace(t.field.editor.Text()) == "" {
			t.OnStop()
		} else {
			t.submit(t.field.editor.Text())
		}
	}
	if t.bubble.stop.Clicked(gtx) {
		t.OnStop()
	}
	for i := range t.bubble.links {
		if t.bubble.clicks[i].Clicked(gtx) && t.bubble.links[i].Open != nil {
			t.bubble.links[i].Open()
		}
	}
	t.askEvents(gtx)
}

func (t *Talk) submit(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	t.field.editor.SetText("")
	t.OnSay(text)
}

// part is something laid out and measured, to be drawn where it turns out to belong.
type part struct {
	call op.CallOp
	size image.Point
}

func record(gtx layout.Context, w layout.Widget) part {
	m := op.Record(gtx.Ops)
	gtx.Constraints.Min = image.Point{}
	d := w(gtx)
	return part{m.Stop(), d.Size}
}

func (t *Talk) layOut(gtx layout.Context) []image.Rectangle {
	t.events(gtx)
	var inside, field part
	pad := image.Pt(gtx.Dp(16), gtx.Dp(12))
	whole := image.Point{}
	if t.hasBubble() {
		b := gtx
		b.Constraints.Max = image.Pt(gtx.Dp(bubbleWidth)-2*pad.X, gtx.Dp(bubbleHeight))
		inside = record(b, t.contents)
		whole = inside.size.Add(pad.Mul(2))
		whole.X = max(whole.X, gtx.Dp(88))
		whole.Y = max(whole.Y, gtx.Dp(44))
	}
	bubble := whole
	if t.field.open {
		f := gtx
		f.Constraints = layout.Exact(image.Pt(gtx.Dp(inputWidth), 0))
		f.Constraints.Max.Y = gtx.Dp(110)
		field = record(f, t.input)
		if whole.Y > 0 {
			whole.Y += gtx.Dp(talkGap)
		}
		whole.Y += field.size.Y
		whole.X = max(whole.X, field.size.X)
	}
	if whole == (image.Point{}) {
		t.spot.seen, t.spot.shift = image.Rectangle{}, image.Point{}
		return []image.Rectangle{}
	}
	at := t.placeContent(gtx, whole, bubble)
	var rects []image.Rectangle
	if bubble.Y > 0 {
		r := image.Rectangle{Min: at, Max: at.Add(bubble)}
		if t.spot.side == Left {
			r = r.Add(image.Pt(whole.X-bubble.X, 0))
		} else if t.spot.side == Above || t.spot.side == Below {
			r = r.Add(image.Pt((whole.X-bubble.X)/2, 0))
		}
		fade := paint.PushOpacity(gtx.Ops, t.opacity(gtx, t.bubble.born))
		t.drawBubble(gtx, r, inside, pad)
		fade.Pop()
		rects = append(rects, rounded(r, gtx.Dp(16))...)
	}
	if t.field.open {
		o := at.Add(image.Pt(0, whole.Y-field.size.Y))
		fade := paint.PushOpacity(gtx.Ops, t.opacity(gtx, t.field.opened))
		stack := op.Offset(o).Push(gtx.Ops)
		field.call.Add(gtx.Ops)
		stack.Pop()
		fade.Pop()
		rects = append(rects, rounded(image.Rectangle{Min: o, Max: o.Add(field.size)}, fieldRadius(gtx, field.size.Y))...)
	}
	return rects
}

// opacity is that of a part which fades in since a time.
func (t *Talk) opacity(gtx layout.Context, since time.Time) float32 {
	if !t.theme.Motion || !t.panel.Composited() {
		return 1
	}
	x := float64(gtx.Now.Sub(since)) / float64(appear)
	if x >= 1 {
		return 1
	}
	gtx.Execute(op.InvalidateCmd{})
	return float32(0.15 + 0.85*(1-math.Pow(1-max(0, x), 3)))
}

func (t *Talk) drawBubble(gtx layout.Context, r image.Rectangle, inside part, pad image.Point) {
	mid := image.Pt((t.spot.head.Min.X+t.spot.head.Max.X)/2, (t.spot.head.Min.Y+t.spot.head.Max.Y)/2).Sub(t.panel.At().Min)
	tip := f32.Pt(float32(mid.X), float32(mid.Y))
	reach := float32(gtx.Dp(9))
	switch t.spot.side {
	case Above:
		tip.Y = float32(r.Max.Y) + reach
		if t.field.open {
			tip.Y = float32(r.Max.Y) + reach*0.8
		}
	case Below:
		tip.Y = float32(r.Min.Y) - reach
	case Right:
		tip.X = float32(r.Min.X) - reach
	case Left:
		tip.X = float32(r.Max.X) + reach
	}
	tip.X = min(max(tip.X, float32(r.Min.X)-reach), float32(r.Max.X)+reach)
	tip.Y = min(max(tip.Y, float32(r.Min.Y)-reach), float32(r.Max.Y)+reach)
	t.theme.bubble(gtx, r, float32(gtx.Dp(16)), t.spot.side, tip, t.theme.paper(t.panel.Composited()))
	stack := op.Offset(r.Min.Add(pad)).Push(gtx.Ops)
	inside.call.Add(gtx.Ops)
	stack.Pop()
}

// contents lays out the pill, the words, and the foot of the bubble.
func (t *Talk) contents(gtx layout.Context) layout.Dimensions {
	if q := t.asked(); q != nil {
		return q.layOut(gtx)
	}
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Rigid(t.taskRows),
		layout.Rigid(t.pill),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			gtx.Constraints.Min = image.Point{}
			if t.bubble.text == "" {
				if t.bubble.running {
					return t.dots(gtx)
				}
				return layout.Dimensions{}
			}
			return t.speech(gtx)
		}),
		layout.Rigid(t.linkRows),
		layout.Rigid(t.foot),
	)
}

// taskRows lists what others do, the first few.
func (t *Talk) taskRows(gtx layout.Context) layout.Dimensions {
	const most = 4
	if !t.field.open || len(t.bubble.tasks) == 0 {
		return layout.Dimensions{}
	}
	var rows []layout.FlexChild
	row := func(words string, c color.NRGBA) {
		rows = append(rows, layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			l := t.theme.label(11.5, words, c)
			l.MaxLines = 1
			return l.Layout(gtx)
		}))
	}
	for _, task := range t.bubble.tasks[:min(len(t.bubble.tasks), most)] {
		switch {
		case task.Failed:
			row("× "+task.Text, t.theme.Alarm)
		case task.Done:
			row("✓ "+task.Text, t.theme.Faint)
		default:
			row("… "+task.Text, t.theme.Second)
		}
	}
	if more := len(t.bubble.tasks) - most; more > 0 {
		row(fmt.Sprintf("+%d", more), t.theme.Faint)
	}
	return layout.Inset{Bottom: 5}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx, rows...)
	})
}

// linkRows lays the links out, one a line.
func (t *Talk) linkRows(gtx layout.Context) layout.Dimensions {
	if len(t.bubble.links) == 0 || t.bubble.text == "" && !t.bubble.running {
		return layout.Dimensions{}
	}
	rows := make([]layout.FlexChild, len(t.bubble.links))
	for i, l := range t.bubble.links {
		rows[i] = layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			if l.Open == nil {
				return t.theme.label(11, l.Text, t.theme.Faint).Layout(gtx)
			}
			return t.bubble.clicks[i].Layout(gtx, func(gtx layout.Context) layout.Dimensions {
				c := t.theme.Link
				if t.bubble.clicks[i].Hovered() {
					c = t.theme.Ink
				}
				return layout.Inset{Top: 1, Bottom: 1}.Layout(gtx, func(gtx layout.Context) layout.Dimensions { return t.theme.linkLine(gtx, l, c) })
			})
		})
	}
	return layout.Inset{Top: 5}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx, rows...)
	})
}

// linkLine is a link's title, which gives way, and the host that it leads to.
func (k *Theme) linkLine(gtx layout.Context, l Link, c color.NRGBA) layout.Dimensions {
	title := k.label(12, "↗ "+l.Text, c)
	title.MaxLines = 1
	if l.Host == "" {
		return title.Layout(gtx)
	}
	host := k.label(11, l.Host, k.Faint)
	host.MaxLines = 1
	host.Truncator = "…"
	at := record(gtx, host.Layout)
	gap := gtx.Dp(6)
	room := gtx
	room.Constraints.Min, room.Constraints.Max.X = image.Point{}, max(gtx.Dp(60), gtx.Constraints.Max.X-at.size.X-gap)
	if at.size.X > gtx.Constraints.Max.X/2 { // a long host has a line of its own
		room.Constraints.Max.X = gtx.Constraints.Max.X
		d := title.Layout(room)
		stack := op.Offset(image.Pt(gtx.Dp(14), d.Size.Y)).Push(gtx.Ops)
		narrow := gtx
		narrow.Constraints.Max.X -= gtx.Dp(14)
		whole := k.label(11, l.Host, k.Faint).Layout(narrow)
		stack.Pop()
		return layout.Dimensions{Size: image.Pt(gtx.Constraints.Max.X, d.Size.Y+whole.Size.Y)}
	}
	d := title.Layout(room)
	stack := op.Offset(image.Pt(d.Size.X+gap, d.Size.Y-at.size.Y)).Push(gtx.Ops)
	at.call.Add(gtx.Ops)
	stack.Pop()
	return layout.Dimensions{Size: image.Pt(d.Size.X+gap+at.size.X, d.Size.Y)}
}

// speech lays out the words; what is higher than the bubble may be scrolls, the end in sight.
func (t *Talk) speech(gtx layout.Context) layout.Dimensions {
	style := t.theme.prose()
	switch {
	case t.bubble.failed:
		style.Ink = t.theme.Alarm
		t.bubble.said.SetPlain(t.bubble.text)
	case t.bubble.due.IsZero() && t.bubble.note:
		t.bubble.said.SetPlain(t.bubble.text)
	case t.bubble.due.IsZero():
		t.bubble.said.Set(t.bubble.text)
		t.bubble.saidAt = gtx.Now
	}
	return t.bubble.said.Layout(gtx, style)
}

func (t *Talk) pill(gtx layout.Context) layout.Dimensions {
	if t.bubble.status == "" {
		return layout.Dimensions{}
	}
	return layout.Inset{Bottom: 6}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		l := t.theme.label(11.5, t.bubble.status, t.theme.Faint)
		l.MaxLines = 1
		in := record(gtx, func(gtx layout.Context) layout.Dimensions {
			return layout.Inset{Left: 10, Right: 10, Top: 2, Bottom: 2}.Layout(gtx, l.Layout)
		})
		paint.FillShape(gtx.Ops, t.theme.Pill, clip.UniformRRect(image.Rectangle{Max: in.size}, in.size.Y/2).Op(gtx.Ops))
		in.call.Add(gtx.Ops)
		return layout.Dimensions{Size: in.size}
	})
}

// foot is the name at the right and, while she replies and the input is closed, a small stop button.
func (t *Talk) foot(gtx layout.Context) layout.Dimensions {
	if t.bubble.text == "" {
		return layout.Dimensions{}
	}
	return layout.Inset{Top: 3}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				if !t.bubble.running || t.field.open {
					return layout.Dimensions{}
				}
				return layout.Inset{Right: 8}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
					return t.bubble.stop.Layout(gtx, func(gtx layout.Context) layout.Dimensions { return t.theme.stopMark(gtx, 14) })
				})
			}),
			layout.Rigid(t.plate),
		)
	})
}

// plate is her name, or where the link under the pointer leads.
func (t *Talk) plate(gtx layout.Context) layout.Dimensions {
	l := t.theme.label(11, t.name, t.theme.Faint)
	if a := t.bubble.said.Hovered(); a != "" {
		l.Text, l.Color, l.MaxLines = a, t.theme.Link, 1
	}
	return l.Layout(gtx)
}

func (k *Theme) stopMark(gtx layout.Context, size unit.Dp) layout.Dimensions {
	d := gtx.Dp(size)
	paint.FillShape(gtx.Ops, k.Accent, clip.Ellipse{Max: image.Pt(d, d)}.Op(gtx.Ops))
	i := d * 34 / 100
	paint.FillShape(gtx.Ops, color.NRGBA{255, 255, 255, 255}, clip.UniformRRect(image.Rect(i, i, d-i, d-i), max(1, d/14)).Op(gtx.Ops))
	return layout.Dimensions{Size: image.Pt(d, d)}
}

// dots shows that a reply is on its way.
func (t *Talk) dots(gtx layout.Context) layout.Dimensions {
	r, gap := gtx.Dp(3), gtx.Dp(12)
	size := image.Pt(gap*2+2*r+gtx.Dp(8), gtx.Dp(20))
	phase := gtx.Now.Sub(t.bubble.born).Seconds()
	for i := range 3 {
		lift := 0.0
		if t.theme.Motion {
			lift = max(0, math.Sin(phase*4.2-float64(i)*0.8)) * float64(gtx.Dp(4))
		}
		c := image.Pt(gtx.Dp(4)+r+i*gap, size.Y/2+r-int(lift))
		paint.FillShape(gtx.Ops, t.theme.Faint, clip.Ellipse{Min: c.Sub(image.Pt(r, r)), Max: c.Add(image.Pt(r, r))}.Op(gtx.Ops))
	}
	if t.theme.Motion {
		gtx.Execute(op.InvalidateCmd{At: gtx.Now.Add(60 * time.Millisecond)})
	}
	return layout.Dimensions{Size: size}
}

// input lays out the pill-shaped field with its button.
func (t *Talk) input(gtx layout.Context) layout.Dimensions {
	width := gtx.Constraints.Max.X
	in := record(gtx, func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints.Min.X, gtx.Constraints.Max.X = width, width
		return layout.Inset{Left: 18, Right: 7, Top: 7, Bottom: 7}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
			return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
				layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
					gtx.Constraints.Max.Y = gtx.Dp(84)
					if t.asked() == nil {
						gtx.Execute(key.FocusCmd{Tag: &t.field.editor})
					}
					return t.theme.editor(&t.field.editor, t.theme.Words.Text("talk.hint")).Layout(gtx)
				}),
				layout.Rigid(layout.Spacer{Width: 8}.Layout),
				layout.Rigid(func(gtx layout.Context) layout.Dimensions { return t.field.send.Layout(gtx, t.button) }),
			)
		})
	})
	r := image.Rectangle{Max: image.Pt(width, in.size.Y)}
	field := t.theme.Field
	if !t.panel.Composited() {
		field.A = 255
	}
	t.theme.card(gtx, r, fieldRadius(gtx, in.size.Y), field, t.theme.Accent, float32(gtx.Dp(1))*1.4)
	in.call.Add(gtx.Ops)
	return layout.Dimensions{Size: r.Max}
}

func fieldRadius(gtx layout.Context, height int) int { return min(height/2, gtx.Dp(22)) }

// button is an arrow to send, a square to stop.
func (t *Talk) button(gtx layout.Context) layout.Dimensions {
	if t.bubble.running && strings.TrimSpace(t.field.editor.Text()) == "" {
		return t.theme.stopMark(gtx, 26)
	}
	d := gtx.Dp(26)
	paint.FillShape(gtx.Ops, t.theme.Accent, clip.Ellipse{Max: image.Pt(d, d)}.Op(gtx.Ops))
	u := float32(d)
	var p clip.Path
	p.Begin(gtx.Ops)
	p.MoveTo(f32.Pt(u*0.5, u*0.72))
	p.LineTo(f32.Pt(u*0.5, u*0.30))
	p.MoveTo(f32.Pt(u*0.32, u*0.47))
	p.LineTo(f32.Pt(u*0.5, u*0.29))
	p.LineTo(f32.Pt(u*0.68, u*0.47))
	paint.FillShape(gtx.Ops, color.NRGBA{255, 255, 255, 255}, clip.Stroke{Path: p.End(), Width: u * 0.085}.Op())
	return layout.Dimensions{Size: image.Pt(d, d)}
}
