package body

import "math"

// Right returns the x of the right edge.
func (r Rect) Right() float64 { return r.X + r.W }

// Bottom returns the y of the bottom edge.
func (r Rect) Bottom() float64 { return r.Y + r.H }

// Contains reports whether p lies in r, the edges included (docs/rules/body.md#sit).
func (r Rect) Contains(p Point) bool {
	return p.X >= r.X && p.X <= r.Right() && p.Y >= r.Y && p.Y <= r.Bottom()
}

// holds is Contains without the right and bottom edges: neighbouring monitors share no point.
func (r Rect) holds(p Point) bool {
	return p.X >= r.X && p.X < r.Right() && p.Y >= r.Y && p.Y < r.Bottom()
}

func (r Rect) overlaps(o Rect) bool {
	return r.X < o.Right() && o.X < r.Right() && r.Y < o.Bottom() && o.Y < r.Bottom()
}

// finite reports whether r can be reckoned with.
func (r Rect) finite() bool {
	for _, v := range [4]float64{r.X, r.Y, r.W, r.H} {
		if math.IsNaN(v) || math.Abs(v) > 1e7 {
			return false
		}
	}
	return r.W >= 0 && r.H >= 0
}

// distance is how far p lies outside of r, 0 inside.
func (r Rect) distance(p Point) float64 {
	dx := max(r.X-p.X, 0, p.X-r.Right())
	dy := max(r.Y-p.Y, 0, p.Y-r.Bottom())
	return math.Hypot(dx, dy)
}

// clamp is like min(max(v, lo), hi), and the middle if the range is empty.
func clamp(v, lo, hi float64) float64 {
	if lo > hi {
		return (lo + hi) / 2
	}
	return min(max(v, lo), hi)
}

// smooth is the smoothstep of u in 0..1.
func smooth(u float64) float64 {
	u = min(max(u, 0), 1)
	return u * u * (3 - 2*u)
}

// floor is the y on which feet stand on m.
func (m *Monitor) floor() float64 { return m.WorkArea.Bottom() }

func (m *Monitor) scale() float64 {
	if m == nil || !(m.Scale > 0.1 && m.Scale < 20) {
		return 1
	}
	return m.Scale
}

// window returns the place of the window with id in the list, or -1.
func (d *Desktop) window(id uint32) int {
	if id == 0 {
		return -1
	}
	for i := range d.Windows {
		if d.Windows[i].ID == id {
			return i
		}
	}
	return -1
}

// coveredAt reports whether a window in front of number i contains p.
func (d *Desktop) coveredAt(i int, p Point) bool {
	for j := range d.Windows[:i] {
		if d.Windows[j].Rect.Contains(p) {
			return true
		}
	}
	return false
}

// monitorAt returns the monitor that holds p, or nil.
func (d *Desktop) monitorAt(p Point) *Monitor {
	for i := range d.Monitors {
		if d.Monitors[i].Rect.holds(p) {
			return &d.Monitors[i]
		}
	}
	return nil
}

// nearestMonitor returns the monitor with the smallest distance to p; nil only if there is none.
func (d *Desktop) nearestMonitor(p Point) *Monitor {
	var best *Monitor
	least := math.Inf(1)
	for i := range d.Monitors {
		if dist := d.Monitors[i].Rect.distance(p); dist < least {
			best, least = &d.Monitors[i], dist
		}
	}
	return best
}

// groundMonitor returns the monitor whose floor is hers when her feet are at root: an upper monitor's floor line keeps
// feet that hang at most seam below it (docs/rules/body.md#fall); otherwise the monitor of her feet, of her middle, the nearest.
func (d *Desktop) groundMonitor(root Point, height, seam float64) *Monitor {
	for i := range d.Monitors {
		m := &d.Monitors[i]
		below := root.Y - m.floor()
		if below >= 0 && below <= seam && root.X >= m.Rect.X && root.X < m.Rect.Right() {
			return m
		}
	}
	if m := d.monitorAt(root); m != nil {
		return m
	}
	middle := Point{root.X, root.Y - height/2}
	if m := d.monitorAt(middle); m != nil {
		return m
	}
	return d.nearestMonitor(middle)
}

// stretch is a piece of a horizontal edge.
type stretch struct{ lo, hi float64 }

// uncovered returns the piece of window i's top edge round x that no window in front hides. ok is false if x itself
// is hidden or beside the window.
func (d *Desktop) uncovered(i int, x float64) (s stretch, ok bool) {
	r := d.Windows[i].Rect
	s = stretch{r.X, r.Right()}
	if x < s.lo || x > s.hi {
		return s, false
	}
	for j := range d.Windows[:i] {
		c := d.Windows[j].Rect
		if r.Y < c.Y || r.Y > c.Bottom() {
			continue
		}
		switch {
		case c.Right() <= x:
			s.lo = max(s.lo, c.Right())
		case c.X >= x:
			s.hi = min(s.hi, c.X)
		default:
			return s, false
		}
	}
	return s, true
}

// ledge is the uncovered stretch of window i round x, joined with the stretches of neighbours that are level with it
// within slack and touch or overlap it (docs/rules/body.md#perched-stroll).
func (d *Desktop) ledge(i int, x, slack float64) (s stretch, ok bool) {
	s, ok = d.uncovered(i, x)
	y := d.Windows[i].Rect.Y
	for grown := true; grown; {
		grown = false
		for j := range d.Windows {
			r := d.Windows[j].Rect
			if j == i || math.Abs(r.Y-y) > slack || r.X > s.hi || r.Right() < s.lo {
				continue
			}
			// The neighbour carries her from where it meets the stretch.
			for _, at := range [2]float64{min(s.hi, r.Right()), max(s.lo, r.X)} {
				n, fits := d.uncovered(j, at)
				if !fits {
					continue
				}
				if !ok && (x < n.lo || x > n.hi) {
					continue
				}
				if !ok {
					s, ok, grown = n, true, true
					continue
				}
				if n.lo < s.lo-1e-9 {
					s.lo, grown = n.lo, true
				}
				if n.hi > s.hi+1e-9 {
					s.hi, grown = n.hi, true
				}
			}
		}
	}
	return s, ok
}

// walkable is a range of root x on one floor line.
type walkable struct {
	stretch
	floor float64
}

// floorRange returns where the root may stand and walk on m's floor: its work area merged with touching monitors of
// equal scale and floor line, less what the box that hangs below the floor would lay over a monitor of another scale,
// both ends drawn in so that the box stays inside (docs/rules/body.md#floor). x picks the piece; the nearest one is taken.
func (d *Desktop) floorRange(m *Monitor, x float64, box Rect) walkable {
	lo, hi, line := m.WorkArea.X, m.WorkArea.Right(), m.floor()
	for grown := true; grown; {
		grown = false
		for i := range d.Monitors {
			o := &d.Monitors[i]
			if o.scale() != m.scale() || math.Abs(o.floor()-line) > 1 {
				continue
			}
			a := o.WorkArea
			if a.X <= hi+1 && a.Right() >= lo-1 && (a.X < lo || a.Right() > hi) {
				lo, hi, grown = min(lo, a.X), max(hi, a.Right()), true
			}
		}
	}
	s := stretch{lo, hi}
	hang := Rect{lo, line, hi - lo, max(0, box.Bottom())}
	for i := range d.Monitors {
		o := &d.Monitors[i]
		if o.scale() == m.scale() || hang.H <= 0 || !o.Rect.overlaps(hang) {
			continue
		}
		// Of what is left on both sides keep the piece that is nearer to x.
		left, right := stretch{s.lo, min(s.hi, o.Rect.X)}, stretch{max(s.lo, o.Rect.Right()), s.hi}
		if right.hi <= right.lo || left.hi > left.lo && x < (left.hi+right.lo)/2 {
			s = left
		} else {
			s = right
		}
	}
	if s.hi <= s.lo { // nothing is left: the floor still carries her where she is
		s = stretch{lo, hi}
	}
	s = stretch{s.lo - box.X, s.hi - box.Right()}
	if s.lo > s.hi { // the box is wider than the floor
		s.lo = (s.lo + s.hi) / 2
		s.hi = s.lo
	}
	return walkable{s, line}
}
