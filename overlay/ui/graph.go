package ui

import (
	"image"
	"image/color"
	"math"
	"strconv"
	"unicode/utf8"

	"gioui.org/f32"
	"gioui.org/io/event"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
)

func itoa(n int) string { return strconv.Itoa(n) }

// firstLetter stands for a character without a picture.
func firstLetter(name string) string {
	r, _ := utf8.DecodeRuneInString(name)
	return string(r)
}

// eventOp lets tag have the pointer's events in the present clip.
func eventOp(gtx layout.Context, tag event.Tag) { event.Op(gtx.Ops, tag) }

// draw lays a widget out at a point, as large as it wants to be.
func draw(gtx layout.Context, at image.Point, w layout.Widget) layout.Dimensions {
	stack := op.Offset(at).Push(gtx.Ops)
	defer stack.Pop()
	gtx.Constraints.Min = image.Point{}
	return w(gtx)
}

// line strokes through points.
func (k *Theme) line(gtx layout.Context, c color.NRGBA, width float32, points ...f32.Point) {
	var p clip.Path
	p.Begin(gtx.Ops)
	p.MoveTo(points[0])
	for _, q := range points[1:] {
		p.LineTo(q)
	}
	paint.FillShape(gtx.Ops, c, clip.Stroke{Path: p.End(), Width: width}.Op())
}

// fewPets is up to how many pets even those lines are drawn by which nothing is felt.
const fewPets = 3

// circle is where the pets of the graph are: round the middle, each with room for its face and the pill below.
type circle struct {
	mid    f32.Point
	radius f32.Point
	half   int // of a face
}

// circle fits n faces into a picture.
func (r *RelationsPanel) circle(gtx layout.Context, size image.Point, n int) circle {
	c := circle{half: gtx.Dp(44), radius: f32.Pt(float32(size.X)*0.34, 0)}
	switch {
	case n > 8:
		c.half, c.radius.X = gtx.Dp(24), float32(size.X)*0.42
	case n > 6:
		c.half, c.radius.X = gtx.Dp(28), float32(size.X)*0.40
	case n > 4:
		c.half, c.radius.X = gtx.Dp(34), float32(size.X)*0.37
	}
	highest, lowest := -1.0, 0.3 // of one alone: she above, the person below
	if n > 1 {
		highest, lowest = 1, -1
		for i := range n {
			highest, lowest = min(highest, math.Sin(angle(i, n))), max(lowest, math.Sin(angle(i, n)))
		}
	}
	room := float32(size.Y - 2*c.half - gtx.Dp(pillRoom))
	c.radius.Y = float32(size.Y) * 0.4
	if span := float32(lowest - highest); span > 0 {
		c.radius.Y = min(c.radius.Y, room/span)
	}
	left := room - c.radius.Y*float32(lowest-highest)
	c.mid = f32.Pt(float32(size.X)/2, float32(c.half)+left/2-c.radius.Y*float32(highest))
	return c
}

// angle is where on the circle the pet i of n is: the first one at the top, two of them at the person's sides.
func angle(i, n int) float64 {
	first := -math.Pi / 2
	if n == 2 {
		first = -math.Pi
	}
	return first + 2*math.Pi*float64(i)/float64(max(n, 1))
}

// pillRoom is what the pill below a face needs, in logical pixels.
const pillRoom = 26

// graph is who feels what toward whom: the person in the middle, the pets around.
func (r *RelationsPanel) graph(gtx layout.Context) layout.Dimensions {
	size := image.Pt(gtx.Constraints.Max.X, r.high)
	n := len(r.view.Pets)
	round := r.circle(gtx, size, n)
	r.half = round.half
	mid := round.mid
	at := map[string]f32.Point{"": mid}
	for i, p := range r.view.Pets {
		a := angle(i, n)
		at[p.ID] = mid.Add(f32.Pt(round.radius.X*float32(math.Cos(a)), round.radius.Y*float32(math.Sin(a))))
	}
	for _, f := range r.view.Feelings {
		from, ok := at[f.From]
		to, has := at[f.To]
		if ok && has && !f.Gone && (f.Value != 0 || n <= fewPets) {
			r.feeling(gtx, from, to, f)
		}
	}
	d := gtx.Dp(34)
	c := image.Pt(int(mid.X), int(mid.Y))
	you := image.Rect(c.X-d, c.Y-d, c.X+d, c.Y+d)
	paint.FillShape(gtx.Ops, r.theme.Edge, clip.Ellipse(you).Op(gtx.Ops))
	paint.FillShape(gtx.Ops, r.theme.Field, clip.Ellipse(you.Inset(gtx.Dp(2))).Op(gtx.Ops))
	centred(gtx, c, r.theme.label(14, r.theme.Words.Text("relations.you"), r.theme.Ink).Layout)
	for i, p := range r.view.Pets {
		q := at[p.ID]
		r.face(gtx, i, p, image.Pt(int(q.X), int(q.Y)))
	}
	return layout.Dimensions{Size: size}
}

// centred lays a widget out round a point.
func centred(gtx layout.Context, at image.Point, w layout.Widget) image.Point {
	p := op.Record(gtx.Ops)
	g := gtx
	g.Constraints.Min = image.Point{}
	d := w(g)
	call := p.Stop()
	stack := op.Offset(at.Sub(d.Size.Div(2))).Push(gtx.Ops)
	call.Add(gtx.Ops)
	stack.Pop()
	return d.Size
}

// feeling is a curve from one to the other, bent to its own side so that both directions show.
func (r *RelationsPanel) feeling(gtx layout.Context, from, to f32.Point, f Feeling) {
	band, _ := r.view.Band(f.Value)
	c := r.theme.bandColor(band)
	strength := float32(math.Abs(float64(f.Value))) / 20
	width := (1.2 + 4.2*strength) * gtx.Metric.PxPerDp
	if band == "neutral" {
		c.A = 90
	} else {
		c.A = 215
	}
	d := to.Sub(from)
	length := float32(math.Hypot(float64(d.X), float64(d.Y)))
	if length < 1 {
		return
	}
	unit := d.Mul(1 / length)
	side := f32.Pt(-unit.Y, unit.X)
	bend := float32(gtx.Dp(12))
	if f.To == "" {
		bend = float32(gtx.Dp(4))
	}
	start := from.Add(unit.Mul(float32(r.half) * 0.8))
	short := float32(gtx.Dp(38)) // the person's circle
	if f.To != "" {
		short = float32(r.half) * 0.86
	}
	end := to.Sub(unit.Mul(short))
	ctrl := start.Add(end).Mul(0.5).Add(side.Mul(bend * 2))
	var p clip.Path
	p.Begin(gtx.Ops)
	p.MoveTo(start.Add(side.Mul(bend / 3)))
	p.QuadTo(ctrl, end.Add(side.Mul(bend/3)))
	paint.FillShape(gtx.Ops, c, clip.Stroke{Path: p.End(), Width: width}.Op())
	// A dot tells the direction: it lies at the end of who is felt for.
	e := end.Add(side.Mul(bend / 3))
	dot := image.Rect(int(e.X-width), int(e.Y-width), int(e.X+width), int(e.Y+width))
	paint.FillShape(gtx.Ops, c, clip.Ellipse(dot).Op(gtx.Ops))
}

// face is a pet with the band toward the person in a pill below.
func (r *RelationsPanel) face(gtx layout.Context, i int, p RelationsPet, at image.Point) {
	half := r.half
	box := image.Rect(at.X-half, at.Y-half, at.X+half, at.Y+half)
	stack := op.Offset(box.Min).Push(gtx.Ops)
	g := gtx
	g.Constraints = layout.Exact(box.Size())
	r.pets[i].Layout(g, func(gtx layout.Context) layout.Dimensions {
		return r.theme.facePicture(gtx, r.faces[p.ID], firstLetter(p.Name))
	})
	stack.Pop()
	band, word := r.view.Band(0)
	for _, f := range r.view.Feelings {
		if f.From == p.ID && f.To == "" {
			band, word = r.view.Band(f.Value)
		}
	}
	c := r.theme.bandColor(band)
	below := image.Pt(at.X, at.Y+half+gtx.Dp(12))
	l := r.theme.label(12, p.Name+" · "+word, r.theme.onColor())
	l.MaxLines = 1
	m := op.Record(gtx.Ops)
	gg := gtx
	gg.Constraints = layout.Constraints{Max: image.Pt(gtx.Dp(150), gtx.Dp(24))}
	d := l.Layout(gg)
	call := m.Stop()
	pill := image.Rectangle{Min: below.Sub(d.Size.Div(2)), Max: below.Add(d.Size.Div(2))}.Inset(-gtx.Dp(2))
	pill.Min.X -= gtx.Dp(8)
	pill.Max.X += gtx.Dp(8)
	if p.ID == r.view.Selected {
		ring := pill.Inset(-gtx.Dp(2))
		paint.FillShape(gtx.Ops, r.theme.Ink, clip.UniformRRect(ring, ring.Dy()/2).Op(gtx.Ops))
	}
	paint.FillShape(gtx.Ops, c, clip.UniformRRect(pill, pill.Dy()/2).Op(gtx.Ops))
	stack = op.Offset(below.Sub(d.Size.Div(2))).Push(gtx.Ops)
	call.Add(gtx.Ops)
	stack.Pop()
}
