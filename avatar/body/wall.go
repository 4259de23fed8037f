package body

import "math"

// wall is what she climbs: the side edge of a window, or the side of a screen between the floors of two monitors.
type wall struct {
	id          uint32  // of the window, 0 for a screen
	x           float64 // of the plane
	top, bottom float64 // y of the edge and of its lower end
	way         float64 // to the wall from where she hangs: 1 right, -1 left
	// drift is how far she gets back in while she pulls herself up, if the monitor above ends with the wall.
	drift float64
}

// unit is n of the motion study's H in pixels.
func (b *Body) unit(n float64) float64 { return n * b.shape.Unit }

// footOf is the root's x while she hangs on w.
func (b *climbing) footOf(w *wall) float64 { return w.x - w.way*b.unit(b.clips.Climb.Wall) }

// onTop is the root's x where climb_up_done leaves her on w.
func (b *climbing) onTop(w *wall) float64 { return w.x + w.way*(b.unit(b.clips.Climb.In)-w.drift) }

// windowWall returns the side edge of window i as a wall above m's floor. ok is false if her body has no room beside
// it or on top of it, or if something in front hides it (docs/rules/body.md#climb).
func (b *climbing) windowWall(i int, left bool, m *Monitor) (w wall, ok bool) {
	d := &b.desk.Windows[i]
	w = wall{id: d.ID, x: edgeX(d.Rect, left), top: d.Rect.Y, bottom: d.Rect.Bottom(), way: -1}
	if left {
		w.way = 1
	}
	if w.top-b.shape.Height < m.WorkArea.Y || w.top >= m.floor() {
		return w, false
	}
	offset := b.unit(b.clips.Climb.Wall)
	outside := w.x - w.way*max(2*offset, offset+b.shape.HalfWidth)
	if min(outside, w.x) < m.Rect.X || max(outside, w.x) > m.Rect.Right() {
		return w, false
	}
	in := b.onTop(&w)
	_, free := b.desk.uncovered(i, in)
	return w, free && b.roomToSit(Point{in, w.top}) && !b.hides(i, &w, w.top, min(w.bottom, m.floor()))
}

// hides reports whether a window in front of number i lies over w's corner or over the column in which she climbs,
// between top and bottom.
func (b *climbing) hides(i int, w *wall, top, bottom float64) bool {
	offset := b.unit(b.clips.Climb.Wall)
	if b.desk.coveredAt(i, Point{w.x + w.way*offset/2, w.top}) {
		return true
	}
	column := Rect{min(w.x, w.x-w.way*2*offset), top, 2 * offset, max(0, bottom-top)}
	for j := range b.desk.Windows[:i] {
		if b.desk.Windows[j].Rect.overlaps(column) {
			return true
		}
	}
	return false
}

// plan returns the nearest wall that she can climb up from the floor where she stands.
func (b *climbing) plan(m *Monitor) (best wall, ok bool) {
	h, least := b.shape.Height, b.px(b.cfg.Walk.Distance.Max)
	take := func(w wall) {
		if far := math.Abs(w.x - b.root.X); far <= least {
			best, least, ok = w, far, true
		}
	}
	for i := range b.desk.Windows {
		r := b.desk.Windows[i].Rect
		low := b.cfg.Climb.Height.Min * h
		if r.Bottom() < m.floor()-h || r.H < low || m.floor()-r.Y < low || r.H > b.cfg.Climb.Height.Max*h {
			continue
		}
		for _, left := range [2]bool{true, false} {
			if w, fits := b.windowWall(i, left, m); fits {
				take(w)
			}
		}
	}
	for i := range b.desk.Monitors {
		o := &b.desk.Monitors[i]
		if o == m || math.Abs(o.floor()-m.Rect.Y) > 1 {
			continue
		}
		for _, way := range [2]float64{-1, 1} {
			if w, fits := b.screenWall(m, o, way); fits {
				take(w)
			}
		}
	}
	return best, ok
}

// screenWall is the side of m that leads up to upper, whose floor is m's top.
func (b *climbing) screenWall(m, upper *Monitor, way float64) (wall, bool) {
	w := wall{x: m.WorkArea.X, top: upper.floor(), bottom: m.floor(), way: way}
	if way > 0 {
		w.x = m.WorkArea.Right()
	}
	half := b.shape.HalfWidth
	lo, hi := upper.WorkArea.X+half, upper.WorkArea.Right()-half
	in := b.onTop(&w)
	w.drift = max(0, way*(in-clamp(in, lo, hi)))
	// More than this would be walking on air: the upper monitor is somewhere else.
	ok := lo <= hi && w.drift <= b.unit(b.clips.Climb.In)+half+1 && math.Abs(b.onTop(&w)-clamp(b.onTop(&w), lo, hi)) < 1
	return w, ok && w.bottom-w.top >= b.cfg.Climb.Height.Min*b.shape.Height
}

// screenWallDown is the wall down from m's floor, whose end in the direction way is at end: its own side, beside which
// lower has its floor further down, or the side of the screen below it.
func (b *climbing) screenWallDown(m, lower *Monitor, end, way float64) (wall, bool) {
	if lower != nil && lower != m && lower.floor()-m.floor() >= b.cfg.Climb.Height.Min*b.shape.Height {
		return wall{x: end, top: m.floor(), bottom: lower.floor(), way: -way}, true
	}
	for i := range b.desk.Monitors {
		o := &b.desk.Monitors[i]
		if o == m || math.Abs(o.Rect.Y-m.floor()) > 1 {
			continue
		}
		if w, ok := b.screenWall(o, m, way); ok && math.Abs(w.x-end) < 1 {
			return w, true
		}
	}
	return wall{}, false
}

// planOff returns the way down from the window she sits on: its nearer side that she can reach along the edge.
func (b *climbing) planOff() (best wall, ok bool) {
	i, m := b.desk.window(b.host.id), b.ground()
	if i < 0 || m == nil {
		return best, false
	}
	s, _ := b.desk.uncovered(i, b.root.X)
	least := math.Inf(1)
	for _, left := range [2]bool{true, false} {
		w, fits := b.windowWall(i, left, m)
		to := b.onTop(&w)
		if !fits || to < s.lo || to > s.hi || !b.landsBelow(&w, m) {
			continue
		}
		if far := math.Abs(to - b.root.X); far < least {
			best, least, ok = w, far, true
		}
	}
	return best, ok
}

// landsBelow reports whether a climb down w ends on m's floor, be it by a fall.
func (b *climbing) landsBelow(w *wall, m *Monitor) bool {
	return b.cfg.Fall.On || w.bottom+b.cfg.Climb.Hang*b.shape.Height >= m.floor()-b.unit(b.clips.Climb.Floor)
}
