//go:build !windows && !darwin

package platform

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"

	"yui/platform/xconn"
)

// readMonitors asks RandR for the monitors: its order, the primary first. Mirrored ones count once.
func (x *x11) readMonitors() {
	var list []Monitor
	if xconn.Has(x.conn, xconn.RandR) {
		if reply, err := randr.GetMonitors(x.conn, x.root, true).Reply(); err == nil {
			for _, m := range reply.Monitors {
				r := Rect{int(m.X), int(m.Y), int(m.Width), int(m.Height)}
				if r.Empty() || slices.ContainsFunc(list, func(o Monitor) bool { return o.Rect == r }) {
					continue
				}
				list = append(list, Monitor{Name: atomName(x.conn, m.Name), Rect: r, Primary: m.Primary})
			}
		}
	}
	if len(list) == 0 {
		geometry, err := xproto.GetGeometry(x.conn, xproto.Drawable(x.root)).Reply()
		if err != nil {
			return
		}
		list = []Monitor{{Name: "screen", Rect: Rect{W: int(geometry.Width), H: int(geometry.Height)}, Primary: true}}
	}
	slices.SortStableFunc(list, func(a, b Monitor) int {
		switch {
		case a.Primary == b.Primary:
			return 0
		case a.Primary:
			return -1
		}
		return 1
	})
	list[0].Primary = true // if none was chosen
	x.monitors = list
}

func outputNames(conn *xgb.Conn, root xproto.Window) []string {
	if !xconn.Has(conn, xconn.RandR) {
		return nil
	}
	resources, err := randr.GetScreenResourcesCurrent(conn, root).Reply()
	if err != nil {
		return nil
	}
	var names []string
	for _, output := range resources.Outputs {
		if info, err := randr.GetOutputInfo(conn, output, resources.ConfigTimestamp).Reply(); err == nil {
			names = append(names, string(info.Name))
		}
	}
	return names
}

// monitorsNow adds to the monitors the work areas, which depend on panels, and the scale.
func (x *x11) monitorsNow() []Monitor {
	list := slices.Clone(x.monitors)
	if len(list) == 0 {
		return nil
	}
	root := Rect{}
	for _, m := range list {
		root.W, root.H = max(root.W, m.Rect.X+m.Rect.W), max(root.H, m.Rect.Y+m.Rect.H)
	}
	var panels []panel
	for _, c := range x.clients {
		if len(c.struts) >= 4 && x.visible(c) && !x.own(c) {
			panels = append(panels, panel{c.outer(), c.struts})
		}
	}
	told := x.toldWorkAreas(len(panels) > 0)
	for i := range list {
		m := &list[i]
		m.Scale = x.scale
		m.WorkArea = workArea(m.Rect, root, panels)
		for _, area := range told {
			// A work area over several monitors says nothing about one of them; a broken one is worse than none.
			if cut := m.WorkArea.Intersect(area); cut.area()*2 >= m.Rect.area() {
				m.WorkArea = cut
			}
		}
	}
	return list
}

// fillMonitors tells on which monitors a window is full screen.
func (s *Snapshot) fillMonitors() {
	s.markBorderless()
	for i := range s.Monitors {
		m := &s.Monitors[i]
		m.Fullscreen = slices.ContainsFunc(s.Windows, func(w Window) bool {
			return w.Fullscreen && w.Frame.Intersect(m.Rect).area()*2 >= m.Rect.area()
		})
	}
}

// markBorderless finds the game or player in front that fills a monitor without the state of full screen: undecorated,
// exactly as large, and over a panel's place. Where no panel is, it cannot be told from a maximised window.
func (s *Snapshot) markBorderless() {
	at := slices.IndexFunc(s.Windows, func(w Window) bool { return s.Active != nil && w.ID == s.Active.ID })
	if at < 0 || s.Windows[at].decorated {
		return
	}
	for _, m := range s.Monitors {
		if s.Windows[at].Frame == m.Rect && m.WorkArea != m.Rect {
			s.Windows[at].Fullscreen, s.Active.Fullscreen = true, true
		}
	}
}

func (x *x11) readWorkAreas() {
	x.gtkAreas, x.ewmhAreas = nil, nil
	if x.listed { // else they are left from a dead window manager
		x.gtkAreas, x.ewmhAreas = rects(x.rootNumbers(x.atoms.gtkWorkAreas)), rects(x.rootNumbers(x.atoms.workArea))
	}
}

// toldWorkAreas are the work areas that the window manager tells: per monitor by GTK's property (panels of GNOME are no
// windows), otherwise the one of EWMH, which is of use only if no panel told its own strut.
func (x *x11) toldWorkAreas(panels bool) []Rect {
	if len(x.gtkAreas) > 0 {
		return x.gtkAreas
	}
	if !panels && x.workspace >= 0 && x.workspace < len(x.ewmhAreas) {
		return x.ewmhAreas[x.workspace : x.workspace+1]
	}
	return nil
}

func rects(values []uint32) []Rect {
	var out []Rect
	for ; len(values) >= 4; values = values[4:] {
		out = append(out, Rect{int(int32(values[0])), int(int32(values[1])), int(int32(values[2])), int(int32(values[3]))})
	}
	return out
}

// panel is a window that keeps an edge of the screen free: _NET_WM_STRUT_PARTIAL (12 numbers: left, right, top, bottom
// and their ranges) or _NET_WM_STRUT (the first four).
type panel struct {
	rect  Rect
	strut []uint32
}

// workArea is a monitor without its panels. Struts count from the edges of the whole root, so that a strut for a panel
// on an inner edge would swallow the monitors before it: a strut counts only for the monitors that its panel stands on.
func workArea(monitor, root Rect, panels []panel) Rect {
	left, top := monitor.X, monitor.Y
	right, bottom := monitor.X+monitor.W, monitor.Y+monitor.H
	for _, p := range panels {
		on := p.rect.Intersect(monitor)
		// A frame that reaches a few pixels over (a shadow, a rounding) does not stand there.
		if on.area()*4 < p.rect.area() && on.area()*4 < monitor.area() {
			continue
		}
		for side := range 4 {
			if !p.reaches(side, monitor) {
				continue
			}
			width := int(min(p.strut[side], math.MaxInt16))
			switch side {
			case 0:
				left = max(left, width)
			case 1:
				right = min(right, root.W-width)
			case 2:
				top = max(top, width)
			case 3:
				bottom = min(bottom, root.H-width)
			}
		}
	}
	area := Rect{left, top, right - left, bottom - top}
	if area.area()*4 < monitor.area() || area.Empty() {
		return monitor // nonsense: nobody leaves less than a quarter
	}
	return area
}

// reaches reports whether a side of the strut is set and its range touches the monitor.
func (p panel) reaches(side int, monitor Rect) bool {
	if p.strut[side] == 0 {
		return false
	}
	if len(p.strut) < 12 {
		return true
	}
	start, end := int(int32(p.strut[4+2*side])), int(int32(p.strut[5+2*side]))
	if start == 0 && end == 0 {
		return true // a width without a range: meant for the whole edge
	}
	if side < 2 {
		return start < monitor.Y+monitor.H && end >= monitor.Y
	}
	return start < monitor.X+monitor.W && end >= monitor.X
}

// readScale takes the scale from Xft.dpi of the X resources, which every desktop sets for its scale.
func (x *x11) readScale() {
	reply, err := ask(x.conn, x.root, x.atoms.resourceManager, 1<<16).Reply()
	if err != nil {
		return
	}
	x.scale = scaleOf(string(reply.Value))
}

func scaleOf(resources string) float64 {
	for line := range strings.Lines(resources) {
		name, value, found := strings.Cut(line, ":")
		if !found || strings.TrimSpace(name) != "Xft.dpi" {
			continue
		}
		dpi, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || math.IsNaN(dpi) || dpi < 48 || dpi > 768 {
			return 1 // outside of half to eightfold it is no scale but a mistake
		}
		return dpi / 96
	}
	return 1
}
