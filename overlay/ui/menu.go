package ui

import (
	"image"
	"image/color"
	"time"

	"gioui.org/f32"
	"gioui.org/io/key"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"
	"gioui.org/op/paint"
	"gioui.org/widget"

	"yui/overlay/window"
)

// MenuItem is one row of a menu. Children open below their row.
type MenuItem struct {
	Label     string
	Checkable bool
	Checked   bool
	Line      bool // a dividing line, nothing else
	Children  []MenuItem
	Do        func()
}

// menuWidth and rowHeight are logical pixels.
const (
	menuWidth  = 220
	rowHeight  = 30
	menuMargin = 10
	menuPad    = 6
)

// Menu is the menu that a right click on a pet opens, so that nobody without a tray is ever lost.
type Menu struct {
	panel  *window.Panel
	theme  *Theme
	items  []MenuItem
	clicks []widget.Clickable
	open   map[string]bool // labels whose children are shown
	from   image.Point
	work   image.Rectangle
	left   time.Time // when the pointer went away
	list   widget.List

	// OnGone tells that it was closed.
	OnGone func()
}

// NewMenu makes a hidden menu.
func NewMenu(l *window.Loop, theme *Theme, scale float32) (*Menu, error) {
	p, err := l.NewPanel(window.Talking, "YUI menu", image.Pt(int((menuWidth+2*menuMargin)*scale), int(560*scale)), scale)
	if err != nil {
		return nil, err
	}
	m := &Menu{panel: p, theme: theme, open: map[string]bool{}}
	m.list.Axis = layout.Vertical
	p.Layout = m.layOut
	p.OnKey = func(e key.Event) bool {
		if e.Name == key.NameEscape {
			m.CloseMenu()
			return true
		}
		return false
	}
	p.OnFocus = func(in bool) {
		if !in {
			m.CloseMenu()
		}
	}
	p.OnHover = func(in bool) {
		m.left = time.Time{}
		if !in {
			m.left = m.panel.Loop().Now().Add(4 * time.Second)
		}
	}
	l.Add(m)
	return m, nil
}

// Open shows the menu at a point of the root window, inside the work area.
func (m *Menu) Open(at image.Point, work image.Rectangle, items []MenuItem) {
	m.items, m.from, m.work, m.left = items, at, work, time.Time{}
	clear(m.open)
	m.list.Position = layout.Position{}
	size := image.Pt(m.panel.At().Dx(), min(m.tallest(), work.Dy()))
	m.panel.Place(image.Rectangle{Min: m.panel.At().Min, Max: m.panel.At().Min.Add(size)})
	m.panel.Invalidate()
	m.panel.Reveal()
	m.panel.Focus()
}

// tallest is the window's height where all children are shown.
func (m *Menu) tallest() int {
	rows := 0
	for _, it := range m.items {
		rows += 1 + len(it.Children)
	}
	return int(float32(rows*rowHeight+2*menuPad+2*menuMargin) * m.panel.Scale())
}

// CloseMenu hides it.
func (m *Menu) CloseMenu() {
	if m.panel.Visible() {
		m.panel.Conceal()
		if m.OnGone != nil {
			m.OnGone()
		}
	}
}

// SetComposited tells whether a compositor blends windows now.
func (m *Menu) SetComposited(yes bool) { m.panel.SetComposited(yes) }

// Repaint draws it anew, where its Theme has other colours.
func (m *Menu) Repaint() { m.panel.Invalidate() }

// Visible tells whether it is open.
func (m *Menu) Visible() bool { return m.panel.Visible() }

// Drawn reports whether its picture is on the screen: that is painted beside the main thread.
func (m *Menu) Drawn() bool { return m.panel.Shown() }

// Close ends the menu's window.
func (m *Menu) Close() {
	m.panel.Loop().Remove(m)
	m.panel.Close()
}

// Next implements Ticker.
func (m *Menu) Next(now time.Time) (time.Time, bool) {
	at, ok := m.panel.Next(now)
	if m.panel.Shown() && !m.left.IsZero() && (!ok || m.left.Before(at)) {
		return m.left, true
	}
	return at, ok
}

// Tick implements Ticker.
func (m *Menu) Tick(now time.Time) {
	if !m.left.IsZero() && !now.Before(m.left) {
		m.CloseMenu()
		return
	}
	m.panel.Tick(now)
}

// row is an item as it is shown, children indented.
type row struct {
	item  *MenuItem
	depth int
}

func (m *Menu) rows() []row {
	var rows []row
	for i := range m.items {
		it := &m.items[i]
		rows = append(rows, row{it, 0})
		if len(it.Children) > 0 && m.open[it.Label] {
			for j := range it.Children {
				rows = append(rows, row{&it.Children[j], 1})
			}
		}
	}
	return rows
}

func (m *Menu) layOut(gtx layout.Context) []image.Rectangle {
	rows := m.rows()
	for len(m.clicks) < len(rows) {
		m.clicks = append(m.clicks, widget.Clickable{})
	}
	for i, r := range rows {
		if m.clicks[i].Clicked(gtx) && !r.item.Line {
			m.choose(r.item)
			rows = m.rows()
			for len(m.clicks) < len(rows) {
				m.clicks = append(m.clicks, widget.Clickable{})
			}
			gtx.Execute(op.InvalidateCmd{})
			break
		}
	}
	margin, pad := gtx.Dp(menuMargin), gtx.Dp(menuPad)
	height := 2 * pad
	for _, r := range rows {
		height += m.height(gtx, r)
	}
	size := image.Pt(gtx.Dp(menuWidth), min(height, m.panel.At().Dy()-2*margin)) // what is longer than the screen is high scrolls
	at := m.position(size, margin)
	r := image.Rectangle{Min: at, Max: at.Add(size)}
	paper := m.theme.Paper
	paper.A = 255
	m.theme.card(gtx, r, gtx.Dp(12), paper, m.theme.Edge, max(1, gtx.Metric.PxPerDp))
	stack := op.Offset(r.Min.Add(image.Pt(0, pad))).Push(gtx.Ops)
	g := gtx
	g.Constraints = layout.Exact(image.Pt(size.X, size.Y-2*pad))
	m.list.List.Layout(g, len(rows), func(gtx layout.Context, i int) layout.Dimensions {
		gtx.Constraints = layout.Exact(image.Pt(size.X, m.height(gtx, rows[i])))
		m.drawRow(gtx, rows[i], &m.clicks[i])
		return layout.Dimensions{Size: gtx.Constraints.Max}
	})
	stack.Pop()
	return rounded(r, gtx.Dp(12))
}

func (m *Menu) height(gtx layout.Context, r row) int {
	if r.item.Line {
		return gtx.Dp(9)
	}
	return gtx.Dp(rowHeight)
}

// position moves the window so that the menu lies at the pointer, window and all inside the work area (window managers
// push what sticks out), and returns where in the window the menu begins.
func (m *Menu) position(size image.Point, margin int) image.Point {
	from := m.from.Add(image.Pt(2, 2)) // beside the pointer, so that no row is chosen by chance
	if from.Y+size.Y > m.work.Max.Y-margin && m.from.Y-size.Y-2 > m.work.Min.Y+margin {
		from.Y = m.from.Y - size.Y - 2 // no room below: it opens upwards
	}
	at := keepInside(image.Rectangle{Min: from, Max: from.Add(size)}, m.work.Inset(margin)).Min
	w := image.Rectangle{Max: m.panel.At().Size()}.Add(at.Sub(image.Pt(margin, margin)))
	w = keepInside(w, m.work)
	m.panel.Place(w)
	return at.Sub(w.Min)
}

func (m *Menu) choose(it *MenuItem) {
	if len(it.Children) > 0 {
		m.open[it.Label] = !m.open[it.Label]
		return
	}
	m.CloseMenu()
	if it.Do != nil {
		it.Do()
	}
}

func (m *Menu) drawRow(gtx layout.Context, r row, click *widget.Clickable) {
	size := gtx.Constraints.Max
	if r.item.Line {
		paint.FillShape(gtx.Ops, m.theme.Edge, clip.Rect{Min: image.Pt(gtx.Dp(12), size.Y/2), Max: image.Pt(size.X-gtx.Dp(12), size.Y/2+1)}.Op())
		return
	}
	click.Layout(gtx, func(gtx layout.Context) layout.Dimensions {
		if click.Hovered() {
			in := image.Rect(gtx.Dp(5), gtx.Dp(1), size.X-gtx.Dp(5), size.Y-gtx.Dp(1))
			paint.FillShape(gtx.Ops, m.theme.Pill, clip.UniformRRect(in, gtx.Dp(7)).Op(gtx.Ops))
		}
		x := gtx.Dp(14) + r.depth*gtx.Dp(14)
		if r.item.Checkable {
			m.check(gtx, image.Pt(x, size.Y/2), r.item.Checked)
			x += gtx.Dp(24)
		}
		l := m.theme.label(13.5, r.item.Label, m.theme.Ink)
		l.MaxLines = 1
		g := gtx
		g.Constraints = layout.Constraints{Max: image.Pt(size.X-x-gtx.Dp(20), size.Y)}
		rec := op.Record(gtx.Ops)
		d := l.Layout(g)
		call := rec.Stop()
		stack := op.Offset(image.Pt(x, (size.Y-d.Size.Y)/2)).Push(gtx.Ops)
		call.Add(gtx.Ops)
		stack.Pop()
		if len(r.item.Children) > 0 {
			m.arrow(gtx, f32.Pt(float32(size.X-gtx.Dp(20)), float32(size.Y/2)), m.open[r.item.Label])
		}
		return layout.Dimensions{Size: size}
	})
}

func (m *Menu) check(gtx layout.Context, mid image.Point, on bool) {
	d := gtx.Dp(14)
	box := image.Rect(mid.X, mid.Y-d/2, mid.X+d, mid.Y+d/2)
	shape := clip.UniformRRect(box, gtx.Dp(4))
	if !on {
		paint.FillShape(gtx.Ops, m.theme.Faint, clip.Stroke{Path: shape.Path(gtx.Ops), Width: 1.3 * gtx.Metric.PxPerDp}.Op())
		return
	}
	paint.FillShape(gtx.Ops, m.theme.Second, shape.Op(gtx.Ops))
	u, x, y := float32(d), float32(box.Min.X), float32(box.Min.Y)
	m.theme.line(gtx, color.NRGBA{255, 255, 255, 255}, u*0.13, f32.Pt(x+u*0.24, y+u*0.52), f32.Pt(x+u*0.43, y+u*0.71), f32.Pt(x+u*0.77, y+u*0.30))
}

func (m *Menu) arrow(gtx layout.Context, at f32.Point, down bool) {
	u := 4 * gtx.Metric.PxPerDp
	a, b, c := f32.Pt(at.X-u/2, at.Y-u), f32.Pt(at.X+u/2, at.Y), f32.Pt(at.X-u/2, at.Y+u)
	if down {
		a, b, c = f32.Pt(at.X-u, at.Y-u/2), f32.Pt(at.X, at.Y+u/2), f32.Pt(at.X+u, at.Y-u/2)
	}
	m.theme.line(gtx, m.theme.Faint, 1.5*gtx.Metric.PxPerDp, a, b, c)
}
