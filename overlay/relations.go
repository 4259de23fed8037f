package overlay

import (
	"image"
	"image/color"
	"math"

	"gioui.org/f32"
	"gioui.org/font"
	"gioui.org/io/key"
	"gioui.org/io/pointer"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/text"
	"gioui.org/unit"
	"gioui.org/widget"
)

// Feeling is what one character feels toward a target: a value from -20 to 20 and its band.
type Feeling struct {
	From, To string // preset ids; To is "" for the person
	ToName   string
	Value    int
	Band     string // hostile, cold, neutral, warm, close
	BandWord string // the same in the person's language
	Gone     bool   // the target's preset was deleted
}

// FeelingChange is one row of the history, already in words.
type FeelingChange struct {
	When, Toward, Why string
	Delta, Value      int
}

// RelationsView is everything that the panel shows.
type RelationsView struct {
	On       bool
	Pets     []RelationsPet
	Feelings []Feeling
	Selected string          // id of the pet whose sliders and history are shown
	History  []FeelingChange // newest first
	Words    RelationsWords
}

// RelationsPet is a character in the graph.
type RelationsPet struct {
	ID, Name string
	Face     image.Image // nil draws the name's first letter
}

// RelationsWords are the panel's words.
type RelationsWords struct{ Title, About, You, Feels, Toward, TowardYou, Why, None, Off string }

// RelationsPanel shows who feels what toward whom. Main thread only.
type RelationsPanel struct {
	*panel
	look *Look
	view RelationsView

	// OnSet gets a value that the person set by hand, OnSwitch the switch, OnSelect the chosen pet.
	OnSet    func(from, to string, value int)
	OnSwitch func(on bool)
	OnSelect func(id string)

	faces   map[string]paint.ImageOp
	pets    []widget.Clickable
	sliders []widget.Float
	dragged []bool
	toggle  widget.Bool
	close   widget.Clickable
	list    widget.List
	grab    grab
}

// grab moves an undecorated window by its head.
type grab struct {
	on    bool
	start image.Point // pointer on the desktop
	from  image.Point // window
}

const (
	panelWidth  = 560
	panelHeight = 800
	panelMargin = 16
	headHeight  = 74
	graphHeight = 350
)

// NewRelationsPanel makes the hidden panel.
func (l *Loop) NewRelationsPanel(look *Look, scale float32, title string) (*RelationsPanel, error) {
	p, err := l.newPanel(Talking, title, image.Pt(int((panelWidth+2*panelMargin)*scale), int((panelHeight+2*panelMargin)*scale)), scale)
	if err != nil {
		return nil, err
	}
	r := &RelationsPanel{panel: p, look: look, faces: map[string]paint.ImageOp{}}
	r.list.Axis = layout.Vertical
	p.layout = r.layOut
	p.onKey = func(e key.Event) bool {
		if e.Name == key.NameEscape && e.State == key.Press {
			r.CloseView()
			return true
		}
		return false
	}
	l.Add(r)
	return r, nil
}

// Show brings the panel up, or to the front, with what it shows.
func (r *RelationsPanel) Show(v RelationsView, work image.Rectangle) {
	r.Update(v)
	if !r.visible() {
		size := r.at.Size()
		size.Y = min(size.Y, work.Dy()) // a low screen scrolls the history
		at := work.Min.Add(image.Pt(max(0, (work.Dx()-size.X)*3/4), max(0, (work.Dy()-size.Y)/2)))
		r.place(image.Rectangle{Min: at, Max: at.Add(size)})
		r.reveal()
	}
	r.focus()
}

// Update shows newer values. A slider that the person holds keeps its place.
func (r *RelationsPanel) Update(v RelationsView) {
	r.view = v
	for _, p := range v.Pets {
		if _, has := r.faces[p.ID]; !has && p.Face != nil {
			op := paint.NewImageOp(p.Face)
			op.Filter = paint.FilterLinear
			r.faces[p.ID] = op
		}
	}
	r.invalidate()
}

// Visible tells whether it is open.
func (r *RelationsPanel) Visible() bool { return r.visible() }

// CloseView hides it.
func (r *RelationsPanel) CloseView() {
	if r.visible() {
		r.conceal()
		clear(r.faces)
	}
}

// Close ends the panel's window.
func (r *RelationsPanel) Close() {
	r.loop.Remove(r)
	r.panel.close()
}

func (r *RelationsPanel) layOut(gtx layout.Context) []image.Rectangle {
	r.events(gtx)
	m := gtx.Dp(panelMargin)
	card := image.Rectangle{Min: image.Pt(m, m), Max: gtx.Constraints.Max.Sub(image.Pt(m, m))}
	paper := r.look.Paper
	paper.A = 255
	r.look.card(gtx, card, gtx.Dp(16), paper, r.look.Edge, max(1, gtx.Metric.PxPerDp))
	stack := op.Offset(card.Min).Push(gtx.Ops)
	gtx.Constraints = layout.Exact(card.Size())
	r.head(gtx)
	inner := layout.Inset{Top: headHeight, Left: 32, Right: 32, Bottom: 18}
	inner.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Axis: layout.Vertical}.Layout(gtx, layout.Rigid(r.graph), layout.Rigid(r.rows), layout.Flexed(1, r.history))
	})
	stack.Pop()
	return rounded(card, gtx.Dp(16))
}

func (r *RelationsPanel) events(gtx layout.Context) {
	if r.close.Clicked(gtx) {
		r.CloseView()
	}
	if r.toggle.Update(gtx) && r.OnSwitch != nil {
		r.OnSwitch(r.toggle.Value)
	} else {
		r.toggle.Value = r.view.On
	}
	for len(r.pets) < len(r.view.Pets) {
		r.pets = append(r.pets, widget.Clickable{})
	}
	for i, p := range r.view.Pets {
		if r.pets[i].Clicked(gtx) && r.OnSelect != nil {
			r.OnSelect(p.ID)
		}
	}
	for {
		ev, ok := gtx.Event(pointer.Filter{Target: &r.grab, Kinds: pointer.Press | pointer.Drag | pointer.Release | pointer.Cancel})
		if !ok {
			break
		}
		if e, ok := ev.(pointer.Event); ok {
			r.moveBy(e.Kind)
		}
	}
}

// moveBy follows the pointer with the window. The pointer's own place is asked for: the event's is relative to a window
// that moves.
func (r *RelationsPanel) moveBy(kind pointer.Kind) {
	at, _ := r.loop.x.pointerNow()
	switch kind {
	case pointer.Press:
		r.grab = grab{on: true, start: at, from: r.at.Min}
	case pointer.Drag:
		if r.grab.on {
			to := r.grab.from.Add(at.Sub(r.grab.start))
			r.place(image.Rectangle{Min: to, Max: to.Add(r.at.Size())})
		}
	default:
		r.grab.on = false
	}
}

// head is title, switch and closing cross; it can be dragged.
func (r *RelationsPanel) head(gtx layout.Context) {
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(headHeight))
	area := clip.Rect{Max: size}.Push(gtx.Ops)
	eventOp(gtx, &r.grab)
	area.Pop()
	draw(gtx, image.Pt(gtx.Dp(32), gtx.Dp(24)), func(gtx layout.Context) layout.Dimensions {
		l := r.look.label(22, r.view.Words.Title, r.look.Ink)
		l.Font.Weight = font.Bold
		return l.Layout(gtx)
	})
	draw(gtx, image.Pt(size.X-gtx.Dp(118), gtx.Dp(26)), r.switchMark)
	draw(gtx, image.Pt(size.X-gtx.Dp(48), gtx.Dp(30)), func(gtx layout.Context) layout.Dimensions {
		return r.close.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
			d := float32(gtx.Dp(18))
			u := d * 0.22
			r.look.line(gtx, r.look.Faint, 1.8*gtx.Metric.PxPerDp, f32.Pt(u, u), f32.Pt(d-u, d-u))
			r.look.line(gtx, r.look.Faint, 1.8*gtx.Metric.PxPerDp, f32.Pt(u, d-u), f32.Pt(d-u, u))
			return layout.Dimensions{Size: image.Pt(int(d), int(d))}
		})
	})
}

func (r *RelationsPanel) switchMark(gtx layout.Context) layout.Dimensions {
	return r.toggle.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		size := image.Pt(gtx.Dp(50), gtx.Dp(27))
		c := r.look.Edge
		if r.view.On {
			c = r.look.Second
		}
		paint.FillShape(gtx.Ops, c, clip.UniformRRect(image.Rectangle{Max: size}, size.Y/2).Op(gtx.Ops))
		pad := gtx.Dp(3)
		x := pad
		if r.view.On {
			x = size.X - size.Y + pad
		}
		knob := image.Rect(x, pad, x+size.Y-2*pad, size.Y-pad)
		paint.FillShape(gtx.Ops, color.NRGBA{255, 255, 255, 255}, clip.Ellipse(knob).Op(gtx.Ops))
		return layout.Dimensions{Size: size}
	})
}

// bandColor tells warm from cold at a glance.
func (k *Look) bandColor(band string) color.NRGBA {
	switch band {
	case "close":
		return k.Accent
	case "warm":
		return rgb(0xE0A15E, 255)
	case "cold":
		return rgb(0x7796BA, 255)
	case "hostile":
		return rgb(0x5B6FA0, 255)
	}
	return k.Faint
}

// rows are the selected pet's sliders, one a target.
func (r *RelationsPanel) rows(gtx layout.Context) layout.Dimensions {
	var own []Feeling
	for _, f := range r.view.Feelings {
		if f.From == r.view.Selected {
			own = append(own, f)
		}
	}
	for len(r.sliders) < len(own) {
		r.sliders, r.dragged = append(r.sliders, widget.Float{}), append(r.dragged, false)
	}
	children := []layout.FlexChild{layout.Rigid(func(gtx layout.Context) layout.Dimensions {
		l := r.look.label(15, r.view.Words.Feels, r.look.Ink)
		l.Font.Weight = font.Bold
		return layout.Inset{Bottom: 8}.Layout(gtx, l.Layout)
	})}
	for i, f := range own {
		children = append(children, layout.Rigid(func(gtx layout.Context) layout.Dimensions { return r.sliderRow(gtx, i, f) }))
	}
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx, children...)
}

func (r *RelationsPanel) sliderRow(gtx layout.Context, i int, f Feeling) layout.Dimensions {
	s := &r.sliders[i]
	if s.Update(gtx) {
		r.dragged[i] = true
	}
	if !s.Dragging() {
		if set := int(math.Round(float64(s.Value)*40)) - 20; r.dragged[i] && set != f.Value && r.OnSet != nil {
			r.OnSet(f.From, f.To, set)
		} else if !r.dragged[i] {
			s.Value = float32(f.Value+20) / 40
		}
		r.dragged[i] = false
	}
	name := r.view.Words.TowardYou
	if f.To != "" {
		name = r.view.Words.Toward + " " + f.ToName
	}
	return layout.Inset{Top: 5, Bottom: 5}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
			layout.Rigid(r.cell(130, name, r.look.Ink, text.Start)),
			layout.Flexed(1, func(gtx layout.Context) layout.Dimensions { return r.slider(gtx, s, f) }),
			layout.Rigid(r.cell(86, f.BandWord, r.look.Ink, text.End)),
		)
	})
}

func (r *RelationsPanel) cell(width unit.Dp, s string, c color.NRGBA, align text.Alignment) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		size := image.Pt(gtx.Dp(width), gtx.Dp(24))
		gtx.Constraints = layout.Constraints{Min: image.Pt(size.X, 0), Max: size}
		l := r.look.label(13.5, s, c)
		l.MaxLines, l.Alignment = 1, align
		l.Layout(gtx)
		return layout.Dimensions{Size: size}
	}
}

// slider is a bar that fills from its middle, where nothing is felt.
func (r *RelationsPanel) slider(gtx layout.Context, s *widget.Float, f Feeling) layout.Dimensions {
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(26))
	g := gtx
	g.Constraints = layout.Exact(size)
	pad := gtx.Dp(11)
	mid, bar := size.Y/2, gtx.Dp(2)
	paint.FillShape(gtx.Ops, r.look.Edge, clip.UniformRRect(image.Rect(pad, mid-bar, size.X-pad, mid+bar), bar).Op(gtx.Ops))
	x := pad + int(s.Value*float32(size.X-2*pad))
	from, to := size.X/2, x
	if from > to {
		from, to = to, from
	}
	c := r.look.Accent
	if s.Value < 0.5 {
		c = r.look.bandColor("cold")
	}
	paint.FillShape(gtx.Ops, c, clip.Rect{Min: image.Pt(from, mid-bar), Max: image.Pt(to, mid+bar)}.Op())
	d := gtx.Dp(9)
	knob := image.Rect(x-d, mid-d, x+d, mid+d)
	paint.FillShape(gtx.Ops, c, clip.Ellipse(knob).Op(gtx.Ops))
	paint.FillShape(gtx.Ops, color.NRGBA{255, 255, 255, 255}, clip.Ellipse(knob.Inset(gtx.Dp(2))).Op(gtx.Ops))
	s.Layout(g, layout.Horizontal, unit.Dp(11))
	return layout.Dimensions{Size: size}
}

// history is the sparkline and the reasons.
func (r *RelationsPanel) history(gtx layout.Context) layout.Dimensions {
	h := r.view.History
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return layout.Inset{Top: 14, Bottom: 6}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
				return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
					layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
						l := r.look.label(15, r.view.Words.Why, r.look.Ink)
						l.Font.Weight = font.Bold
						return l.Layout(gtx)
					}),
					layout.Rigid(r.sparkline))
			})
		}),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			if len(h) == 0 {
				return r.look.label(13, r.view.Words.None, r.look.Faint).Layout(gtx)
			}
			return r.list.List.Layout(gtx, len(h), func(gtx layout.Context, i int) layout.Dimensions { return r.reason(gtx, h[i]) })
		}),
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			about := r.view.Words.About
			if !r.view.On {
				about = r.view.Words.Off
			}
			return layout.Inset{Top: 8}.Layout(gtx, r.look.label(11.5, about, r.look.Faint).Layout)
		}),
	)
}

func (r *RelationsPanel) reason(gtx layout.Context, c FeelingChange) layout.Dimensions {
	sign, ink := "+", r.look.Accent
	if c.Delta < 0 {
		sign, ink = "−", r.look.bandColor("cold")
	}
	n := c.Delta
	if n < 0 {
		n = -n
	}
	return layout.Flex{}.Layout(gtx,
		layout.Rigid(r.cell(84, c.When, r.look.Faint, text.Start)),
		layout.Rigid(r.cell(40, sign+itoa(n), ink, text.Start)),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			why := c.Why
			if c.Toward != "" {
				why = c.Toward + ": " + why
			}
			l := r.look.label(13.5, why, r.look.Ink)
			l.MaxLines = 2
			return l.Layout(gtx)
		}),
	)
}

// sparkline is how the value toward the person went, oldest at the left.
func (r *RelationsPanel) sparkline(gtx layout.Context) layout.Dimensions {
	size := image.Pt(gtx.Dp(120), gtx.Dp(26))
	var values []int
	for i := len(r.view.History) - 1; i >= 0; i-- {
		if r.view.History[i].Toward == "" {
			values = append(values, r.view.History[i].Value)
		}
	}
	if len(values) > 60 {
		values = values[len(values)-60:]
	}
	y := func(v int) float32 { return float32(size.Y) * (1 - float32(v+20)/40) }
	r.look.line(gtx, r.look.Edge, gtx.Metric.PxPerDp, f32.Pt(0, y(0)), f32.Pt(float32(size.X), y(0)))
	if len(values) < 2 {
		return layout.Dimensions{Size: size}
	}
	points := make([]f32.Point, len(values))
	for i, v := range values {
		points[i] = f32.Pt(float32(size.X*i)/float32(len(values)-1), y(v))
	}
	r.look.line(gtx, r.look.Accent, 1.6*gtx.Metric.PxPerDp, points...)
	return layout.Dimensions{Size: size}
}
