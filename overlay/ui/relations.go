package ui

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gioui.org/f32"
	"gioui.org/font"
	"gioui.org/layout"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/text"
	"gioui.org/unit"
	"gioui.org/widget"

	"yui/assets/lang"
	"yui/overlay/window"
)

// Feeling is what one character feels toward a target: a value from -20 to 20 and its band.
type Feeling struct {
	From, To string // preset ids; To is "" for the person
	ToName   string
	Value    int
	Gone     bool // the target's preset was deleted
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
	Name     string          // of the selected one
	// Band is the band of a value: hostile, cold, neutral, warm or close, and the same in the person's language.
	Band func(value int) (id, word string)
}

// RelationsPet is a character in the graph.
type RelationsPet struct {
	ID, Name string
	Face     image.Image // nil draws the name's first letter
}

// RelationsPanel shows who feels what toward whom. Main thread only.
type RelationsPanel struct {
	*sheet
	view RelationsView

	// OnSet gets a value that the person set by hand, OnSwitch the switch, OnSelect the chosen pet.
	OnSet    func(from, to string, value int)
	OnSwitch func(on bool)
	OnSelect func(id string)

	faces   map[string]*paint.ImageOp
	drawn   map[string]image.Image // which picture a face was made of
	pets    []widget.Clickable
	sliders []widget.Float
	dragged []bool
	toggle  widget.Bool
	list    widget.List
	others  widget.List
	high    int // of the graph, in pixels
	half    int // of a face in it
}

const (
	relationsWidth  = 560
	relationsHeight = 800
	graphHeight     = 350
	leastGraph      = 300 // on a low screen
	sliderRows      = 162 // four and a half of them
)

// NewRelationsPanel makes the hidden panel.
func NewRelationsPanel(l *window.Loop, theme *Theme, scale float32) (*RelationsPanel, error) {
	s, err := newSheet(l, theme, scale, "relations.title", relationsWidth, relationsHeight)
	if err != nil {
		return nil, err
	}
	r := &RelationsPanel{sheet: s, faces: map[string]*paint.ImageOp{}, drawn: map[string]image.Image{}}
	r.list.Axis, r.others.Axis = layout.Vertical, layout.Vertical
	s.content, s.events = r.content, r.events
	s.mark = func(gtx layout.Context) layout.Dimensions {
		return r.theme.toggle(gtx, &r.toggle, r.view.On, gtx.Dp(27))
	}
	s.OnGone = func() {
		clear(r.faces)
		clear(r.drawn)
	}
	l.Add(r)
	return r, nil
}

// Show brings the panel up, or to the front, with what it shows.
func (r *RelationsPanel) Show(v RelationsView, work image.Rectangle) {
	r.Update(v)
	r.open(work)
}

// Update shows newer values. A slider that the person holds keeps its place.
func (r *RelationsPanel) Update(v RelationsView) {
	if v.Selected != r.view.Selected {
		clear(r.sliders)
		clear(r.dragged)
		r.list.Position, r.others.Position = layout.Position{}, layout.Position{}
	}
	if v.Band == nil {
		v.Band = func(int) (id, word string) { return "neutral", "" }
	}
	r.view = v
	for _, p := range v.Pets {
		if p.Face != nil && r.drawn[p.ID] != p.Face { // a texture is made once a picture
			op := paint.NewImageOp(p.Face)
			op.Filter = paint.FilterLinear
			r.faces[p.ID], r.drawn[p.ID] = &op, p.Face
		}
	}
	r.panel.Invalidate()
}

// Close ends the panel's window.
func (r *RelationsPanel) Close() {
	r.panel.Loop().Remove(r)
	r.panel.Close()
}

func (r *RelationsPanel) content(gtx layout.Context) layout.Dimensions {
	missing := gtx.Dp(relationsHeight-headHeight-sheetBottom) - gtx.Constraints.Max.Y
	r.high = max(gtx.Dp(leastGraph), gtx.Dp(graphHeight)-max(0, missing))
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx, layout.Rigid(r.graph), layout.Rigid(r.rows), layout.Flexed(1, r.history))
}

func (r *RelationsPanel) events(gtx layout.Context) {
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
}

// bandColor tells warm from cold at a glance.
func (k *Theme) bandColor(band string) color.NRGBA {
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
		l := r.theme.label(15, r.theme.Words.Text("relations.feels", lang.Args{"name": r.view.Name}), r.theme.Ink)
		l.Font.Weight = font.Bold
		return layout.Inset{Bottom: 8}.Layout(gtx, l.Layout)
	})}
	children = append(children, layout.Rigid(func(gtx layout.Context) layout.Dimensions {
		gtx.Constraints.Max.Y = min(gtx.Constraints.Max.Y, gtx.Dp(sliderRows)) // many others scroll
		return r.others.List.Layout(gtx, len(own), func(gtx layout.Context, i int) layout.Dimensions { return r.sliderRow(gtx, i, own[i]) })
	}))
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
			r.note(f, set)
		} else if !r.dragged[i] {
			s.Value = float32(f.Value+20) / 40
		}
		r.dragged[i] = false
	}
	felt := f.Value
	if s.Dragging() {
		felt = int(math.Round(float64(s.Value)*40)) - 20
	}
	_, word := r.view.Band(felt)
	name := r.theme.Words.Text("relations.toward_you")
	if f.To != "" {
		name = r.theme.Words.Text("relations.toward", lang.Args{"name": f.ToName})
	}
	return layout.Inset{Top: 5, Bottom: 5}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
			layout.Rigid(func(gtx layout.Context) layout.Dimensions {
				if !f.Gone {
					return r.theme.cell(130, name, r.theme.Ink, text.Start)(gtx)
				}
				r.theme.cell(130, name, r.theme.Faint, text.Start)(gtx)
				draw(gtx, image.Pt(0, gtx.Dp(17)), func(gtx layout.Context) layout.Dimensions {
					gtx.Constraints.Max = image.Pt(gtx.Dp(130), gtx.Dp(14))
					gone := r.theme.label(10.5, r.theme.Words.Text("relations.gone"), r.theme.Faint)
					gone.MaxLines = 1
					return gone.Layout(gtx)
				})
				return layout.Dimensions{Size: image.Pt(gtx.Dp(130), gtx.Dp(26))} // the row keeps its height
			}),
			layout.Flexed(1, func(gtx layout.Context) layout.Dimensions { return r.feel(gtx, s) }),
			layout.Rigid(r.theme.cell(86, word, r.theme.Ink, text.End)),
		)
	})
}

// note keeps a value that was set until the app tells it again: the slider must not jump back meanwhile.
func (r *RelationsPanel) note(f Feeling, value int) {
	for i := range r.view.Feelings {
		if g := &r.view.Feelings[i]; g.From == f.From && g.To == f.To {
			g.Value = value
		}
	}
}

// cell is a short text of a fixed width.
func (k *Theme) cell(width unit.Dp, s string, c color.NRGBA, align text.Alignment) layout.Widget {
	return func(gtx layout.Context) layout.Dimensions {
		size := image.Pt(gtx.Dp(width), gtx.Dp(24))
		gtx.Constraints = layout.Constraints{Min: image.Pt(size.X, 0), Max: size}
		l := k.label(13.5, s, c)
		l.MaxLines, l.Alignment = 1, align
		l.Layout(gtx)
		return layout.Dimensions{Size: size}
	}
}

// slide is a bar that fills from where rest lies on it (0 to 1).
func (k *Theme) slide(gtx layout.Context, s *widget.Float, rest float32, c color.NRGBA) layout.Dimensions {
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(26))
	g := gtx
	g.Constraints = layout.Exact(size)
	pad := gtx.Dp(11)
	mid, bar := size.Y/2, gtx.Dp(2)
	paint.FillShape(gtx.Ops, k.Edge, clip.UniformRRect(image.Rect(pad, mid-bar, size.X-pad, mid+bar), bar).Op(gtx.Ops))
	along := func(v float32) int { return pad + int(v*float32(size.X-2*pad)) }
	x := along(s.Value)
	from, to := min(along(rest), x), max(along(rest), x)
	paint.FillShape(gtx.Ops, c, clip.Rect{Min: image.Pt(from, mid-bar), Max: image.Pt(to, mid+bar)}.Op())
	d := gtx.Dp(9)
	knob := image.Rect(x-d, mid-d, x+d, mid+d)
	paint.FillShape(gtx.Ops, c, clip.Ellipse(knob).Op(gtx.Ops))
	paint.FillShape(gtx.Ops, color.NRGBA{255, 255, 255, 255}, clip.Ellipse(knob.Inset(gtx.Dp(2))).Op(gtx.Ops))
	s.Layout(g, layout.Horizontal, unit.Dp(11))
	return layout.Dimensions{Size: size}
}

// feel is the slider of a feeling, with nothing felt in its middle.
func (r *RelationsPanel) feel(gtx layout.Context, s *widget.Float) layout.Dimensions {
	c := r.theme.Accent
	if s.Value < 0.5 {
		c = r.theme.bandColor("cold")
	}
	return r.theme.slide(gtx, s, 0.5, c)
}

// history is the sparkline and the reasons.
func (r *RelationsPanel) history(gtx layout.Context) layout.Dimensions {
	h := r.view.History
	return layout.Flex{Axis: layout.Vertical}.Layout(gtx,
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			return layout.Inset{Top: 14, Bottom: 6}.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
				return layout.Flex{Alignment: layout.Middle}.Layout(gtx,
					layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
						l := r.theme.label(15, r.theme.Words.Text("relations.why"), r.theme.Ink)
						l.Font.Weight = font.Bold
						return l.Layout(gtx)
					}),
					layout.Rigid(r.sparkline))
			})
		}),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			if len(h) == 0 {
				return r.theme.label(13, r.theme.Words.Text("relations.nothing"), r.theme.Faint).Layout(gtx)
			}
			return r.list.List.Layout(gtx, len(h), func(gtx layout.Context, i int) layout.Dimensions { return r.reason(gtx, h[i]) })
		}),
		layout.Rigid(func(gtx layout.Context) layout.Dimensions {
			about := r.theme.Words.Text("relations.about")
			if !r.view.On {
				about = r.theme.Words.Text("relations.off")
			}
			return layout.Inset{Top: 8}.Layout(gtx, r.theme.label(11.5, about, r.theme.Faint).Layout)
		}),
	)
}

func (r *RelationsPanel) reason(gtx layout.Context, c FeelingChange) layout.Dimensions {
	sign, ink := "+", r.theme.Accent
	if c.Delta < 0 {
		sign, ink = "−", r.theme.bandColor("cold")
	}
	n := c.Delta
	if n < 0 {
		n = -n
	}
	return layout.Flex{}.Layout(gtx,
		layout.Rigid(r.theme.cell(84, c.When, r.theme.Faint, text.Start)),
		layout.Rigid(r.theme.cell(40, sign+itoa(n), ink, text.Start)),
		layout.Flexed(1, func(gtx layout.Context) layout.Dimensions {
			why := c.Why
			if c.Toward != "" {
				why = c.Toward + ": " + why
			}
			l := r.theme.label(13.5, why, r.theme.Ink)
			l.MaxLines = 2
			return l.Layout(gtx)
		}),
	)
}

// sparkPoints is how many of the last values the sparkline shows.
const sparkPoints = 60

// sparkline is how the value toward the person went, oldest at the left.
func (r *RelationsPanel) sparkline(gtx layout.Context) layout.Dimensions {
	size := image.Pt(gtx.Dp(120), gtx.Dp(26))
	values := sparkValues(r.view.History)
	low, high := sparkRange(values)
	y := func(v int) float32 { return float32(size.Y) * float32(high-v) / float32(high-low) }
	if low <= 0 && high >= 0 {
		r.theme.line(gtx, r.theme.Edge, gtx.Metric.PxPerDp, f32.Pt(0, y(0)), f32.Pt(float32(size.X), y(0)))
	}
	if len(values) < 2 {
		return layout.Dimensions{Size: size}
	}
	d := float32(gtx.Dp(2))
	points := make([]f32.Point, len(values))
	for i, v := range values {
		points[i] = f32.Pt((float32(size.X)-2*d)*float32(i)/float32(len(values)-1), y(v))
	}
	last := points[len(points)-1]
	c := r.theme.Accent
	if values[len(values)-1] < 0 {
		c = r.theme.bandColor("cold")
	}
	r.theme.line(gtx, c, 1.6*gtx.Metric.PxPerDp, points...)
	dot := image.Rect(int(last.X-d), int(last.Y-d), int(last.X+d), int(last.Y+d))
	paint.FillShape(gtx.Ops, c, clip.Ellipse(dot).Op(gtx.Ops))
	return layout.Dimensions{Size: size}
}

// sparkValues are the values toward the person, oldest first, with the one before the first change.
func sparkValues(history []FeelingChange) []int {
	var values []int
	for i := len(history) - 1; i >= 0; i-- {
		c := history[i]
		if c.Toward != "" {
			continue
		}
		if len(values) == 0 {
			values = append(values, c.Value-c.Delta)
		}
		values = append(values, c.Value)
	}
	return values[max(0, len(values)-sparkPoints):]
}

// sparkRange is what the sparkline's height stands for: the values, and at least ten points, so that a step is a step.
func sparkRange(values []int) (low, high int) {
	if len(values) > 0 {
		low, high = slices.Min(values), slices.Max(values)
	}
	for high-low < 10 {
		low, high = max(low-1, -20), min(high+1, 20)
	}
	return low, high
}
