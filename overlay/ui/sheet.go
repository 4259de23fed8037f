package ui

import (
	"image"
	"image/color"
	"time"

	"gioui.org/f32"
	"gioui.org/font"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/widget"

	"yui/assets/lang"
	"yui/overlay/window"
)

// sheet is a panel of its own on the desktop: a card of paper with a title, a closing cross, and a head by which it is
// moved. Escape closes it. What lies on it is content. Main thread only.
type sheet struct {
	panel *window.Panel
	theme *Theme
	title lang.Key

	// content is laid out below the head, mark at the head's right end (nil for nothing).
	content layout.Widget
	mark    layout.Widget
	// events is asked before each layout; escape sees that key first and tells whether it was meant for it.
	events func(gtx layout.Context)
	escape func() bool
	// tab goes to the next field, or back, and tells whether there are any.
	tab func(back bool) bool
	// OnGone tells that it was closed.
	OnGone func()

	cross widget.Clickable
	grab  grab
}

// grab moves an undecorated window by its head.
type grab struct {
	on    bool
	start image.Point // pointer on the desktop
	from  image.Point // window
}

const (
	sheetMargin = 16 // room for the shadow
	sheetInset  = 32
	sheetBottom = 18
	headHeight  = 74
)

// newSheet makes a hidden sheet of the given size in logical pixels, shadow left out.
func newSheet(l *window.Loop, theme *Theme, scale float32, title lang.Key, width, height int) (*sheet, error) {
	px := func(n int) int { return int(float32(n+2*sheetMargin) * scale) }
	p, err := l.NewPanel(window.Talking, theme.Words.Text(title), image.Pt(px(width), px(height)), scale)
	if err != nil {
		return nil, err
	}
	s := &sheet{panel: p, theme: theme, title: title}
	p.Layout = s.layOut
	p.OnKey = s.key
	return s, nil
}

// Repaint draws it anew, where its Theme has other colours.
func (s *sheet) Repaint() { s.panel.Invalidate() }

// Next and Tick are window.Ticker's.
func (s *sheet) Next(now time.Time) (time.Time, bool) { return s.panel.Next(now) }

// Tick draws what changed.
func (s *sheet) Tick(now time.Time) { s.panel.Tick(now) }

func (s *sheet) key(e key.Event) bool {
	if e.State != key.Press {
		return false
	}
	switch e.Name {
	case key.NameTab:
		return s.tab != nil && s.tab(e.Modifiers.Contain(key.ModShift))
	case key.NameEscape:
	default:
		return false
	}
	if s.escape == nil || !s.escape() {
		s.CloseView()
	}
	return true
}

// open brings the sheet up, or to the front.
func (s *sheet) open(work image.Rectangle) {
	if !s.panel.Visible() {
		size := s.panel.At().Size()
		size.Y = min(size.Y, work.Dy()) // a low screen scrolls what is on it
		at := work.Min.Add(image.Pt(max(0, (work.Dx()-size.X)*3/4), max(0, (work.Dy()-size.Y)/2)))
		s.panel.Place(image.Rectangle{Min: at, Max: at.Add(size)})
		s.panel.Reveal()
	}
	s.panel.Focus()
}

// SetComposited tells whether a compositor blends windows now.
func (s *sheet) SetComposited(yes bool) { s.panel.SetComposited(yes) }

// Visible tells whether it is open.
func (s *sheet) Visible() bool { return s.panel.Visible() }

// Rect is where it lies on the desktop, empty while it is not seen.
func (s *sheet) Rect() image.Rectangle {
	if !s.panel.Visible() {
		return image.Rectangle{}
	}
	return s.panel.At()
}

// Drawn tells whether its first picture is on the screen: that is painted beside the main thread.
func (s *sheet) Drawn() bool { return s.panel.Shown() }

// CloseView hides it.
func (s *sheet) CloseView() {
	if s.panel.Visible() {
		s.panel.Conceal()
		if s.OnGone != nil {
			s.OnGone()
		}
	}
}

func (s *sheet) layOut(gtx layout.Context) []image.Rectangle {
	s.headEvents(gtx)
	s.events(gtx)
	m := gtx.Dp(sheetMargin)
	card := image.Rectangle{Min: image.Pt(m, m), Max: gtx.Constraints.Max.Sub(image.Pt(m, m))}
	paper := s.theme.Paper
	paper.A = 255
	s.theme.card(gtx, card, gtx.Dp(16), paper, s.theme.Edge, max(1, gtx.Metric.PxPerDp))
	stack := op.Offset(card.Min).Push(gtx.Ops)
	gtx.Constraints = layout.Exact(card.Size())
	s.head(gtx)
	layout.Inset{Top: headHeight, Left: sheetInset, Right: sheetInset, Bottom: sheetBottom}.Layout(gtx, s.content)
	stack.Pop()
	return rounded(card, gtx.Dp(16))
}

func (s *sheet) headEvents(gtx layout.Context) {
	if s.cross.Clicked(gtx) {
		s.CloseView()
	}
	for {
		ev, ok := gtx.Event(pointer.Filter{Target: &s.grab, Kinds: pointer.Press | pointer.Drag | pointer.Release | pointer.Cancel})
		if !ok {
			break
		}
		if e, ok := ev.(pointer.Event); ok {
			s.moveBy(e.Kind)
		}
	}
}

// moveBy follows the pointer with the window. The pointer's own place is asked for: the event's is relative to a window
// that moves.
func (s *sheet) moveBy(kind pointer.Kind) {
	at, _ := s.panel.Loop().PointerNow()
	switch kind {
	case pointer.Press:
		s.grab = grab{on: true, start: at, from: s.panel.At().Min}
	case pointer.Drag:
		if s.grab.on {
			to := s.grab.from.Add(at.Sub(s.grab.start))
			s.panel.Place(image.Rectangle{Min: to, Max: to.Add(s.panel.At().Size())})
		}
	default:
		s.grab.on = false
	}
}

// head is title, mark and closing cross; it can be dragged.
func (s *sheet) head(gtx layout.Context) {
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(headHeight))
	area := clip.Rect{Max: size}.Push(gtx.Ops)
	eventOp(gtx, &s.grab)
	area.Pop()
	draw(gtx, image.Pt(gtx.Dp(sheetInset), gtx.Dp(24)), func(gtx layout.Context) layout.Dimensions {
		l := s.theme.label(22, s.theme.Words.Text(s.title), s.theme.Ink)
		l.Font.Weight = font.Bold
		return l.Layout(gtx)
	})
	if s.mark != nil {
		draw(gtx, image.Pt(size.X-gtx.Dp(118), gtx.Dp(26)), s.mark)
	}
	draw(gtx, image.Pt(size.X-gtx.Dp(48), gtx.Dp(30)), func(gtx layout.Context) layout.Dimensions {
		return s.cross.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
			d := float32(gtx.Dp(18))
			u := d * 0.22
			s.theme.line(gtx, s.theme.Faint, 1.8*gtx.Metric.PxPerDp, f32.Pt(u, u), f32.Pt(d-u, d-u))
			s.theme.line(gtx, s.theme.Faint, 1.8*gtx.Metric.PxPerDp, f32.Pt(u, d-u), f32.Pt(d-u, u))
			return layout.Dimensions{Size: image.Pt(int(d), int(d))}
		})
	})
}

// toggle draws a switch; size is its height in pixels.
func (k *Theme) toggle(gtx layout.Context, b *widget.Bool, on bool, height int) layout.Dimensions {
	return b.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		size := image.Pt(height*50/27, height)
		c := k.Edge
		if on {
			c = k.Second
		}
		paint.FillShape(gtx.Ops, c, clip.UniformRRect(image.Rectangle{Max: size}, size.Y/2).Op(gtx.Ops))
		pad := max(2, height/9)
		x := pad
		if on {
			x = size.X - size.Y + pad
		}
		knob := image.Rect(x, pad, x+size.Y-2*pad, size.Y-pad)
		paint.FillShape(gtx.Ops, color.NRGBA{255, 255, 255, 255}, clip.Ellipse(knob).Op(gtx.Ops))
		return layout.Dimensions{Size: size}
	})
}

// pillButton is a button of one word, filled with c.
func (k *Theme) pillButton(gtx layout.Context, click *widget.Clickable, word string, fill, ink color.NRGBA) layout.Dimensions {
	return click.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		if click.Hovered() {
			fill = mix(fill, k.Ink, 0.08)
		}
		return k.pillShape(gtx, word, fill, ink)
	})
}

// pillShape is what such a button looks like, without its being one.
func (k *Theme) pillShape(gtx layout.Context, word string, fill, ink color.NRGBA) layout.Dimensions {
	m := op.Record(gtx.Ops)
	gtx.Constraints.Min = image.Point{}
	l := k.label(13, word, ink)
	l.MaxLines = 1
	d := layout.Inset{Left: 14, Right: 14, Top: 4, Bottom: 5}.Layout(gtx, l.Layout)
	call := m.Stop()
	paint.FillShape(gtx.Ops, fill, clip.UniformRRect(image.Rectangle{Max: d.Size}, d.Size.Y/2).Op(gtx.Ops))
	call.Add(gtx.Ops)
	return d
}

// onColor is the ink for what is written on a colour of the palette or of a band: white by day, dark on the lighter
// colours of the night.
func (k *Theme) onColor() color.NRGBA {
	if k.Ink.G < k.Paper.G {
		return rgb(0xFFFFFF, 255)
	}
	dark := k.Paper
	dark.A = 255
	return dark
}

// mix is a with a part of b.
func mix(a, b color.NRGBA, part float32) color.NRGBA {
	one := func(x, y uint8) uint8 { return uint8(float32(x)*(1-part) + float32(y)*part) }
	return color.NRGBA{R: one(a.R, b.R), G: one(a.G, b.G), B: one(a.B, b.B), A: a.A}
}

// facePicture draws a face in a square, rounded off at the lower corners, where tail and shoulders would be cut hard; a
// character without one is its name's first letter.
func (k *Theme) facePicture(gtx layout.Context, face *paint.ImageOp, letter string) layout.Dimensions {
	size := gtx.Constraints.Max
	if face == nil {
		paint.FillShape(gtx.Ops, k.Pill, clip.Ellipse{Max: size}.Op(gtx.Ops))
		centred(gtx, size.Div(2), k.label(unitSp(gtx, size.Y*3/10), letter, k.Ink).Layout)
		return layout.Dimensions{Size: size}
	}
	s := face.Size()
	z := min(float32(size.X)/float32(s.X), float32(size.Y)/float32(s.Y))
	w, h := float32(s.X)*z, float32(s.Y)*z
	off := f32.Pt((float32(size.X)-w)/2, (float32(size.Y)-h)/2)
	at := image.Rect(int(off.X), int(off.Y), int(off.X+w+0.5), int(off.Y+h+0.5))
	round := clip.RRect{Rect: at, SE: at.Dx() * 9 / 20, SW: at.Dx() * 9 / 20}.Push(gtx.Ops)
	t := op.Affine(f32.AffineId().Scale(f32.Point{}, f32.Pt(z, z)).Offset(off)).Push(gtx.Ops)
	face.Add(gtx.Ops)
	paint.PaintOp{}.Add(gtx.Ops)
	t.Pop()
	round.Pop()
	return layout.Dimensions{Size: size}
}
