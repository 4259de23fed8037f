package ui

import (
	"image"
	"slices"

	"gioui.org/layout"
)

// placeContent moves the window so that content of the given size lies by the pet, beside what others say, and returns
// where the content is in the window.
func (t *Talk) placeContent(gtx layout.Context, size, bubble image.Point) image.Point {
	gap, margin := gtx.Dp(talkGap), gtx.Dp(talkMargin)
	beside := t.spot.figure.Union(t.spot.head)
	t.spot.side = chooseSide(beside, t.spot.work, size, gap+gtx.Dp(8))
	mid := image.Pt((t.spot.head.Min.X+t.spot.head.Max.X)/2, (t.spot.head.Min.Y+t.spot.head.Max.Y)/2)
	var p image.Point
	switch t.spot.side {
	case Above:
		p = image.Pt(mid.X-size.X/2, t.spot.head.Min.Y-gap-size.Y)
	case Below:
		p = image.Pt(mid.X-size.X/2, beside.Max.Y+gap)
	case Right:
		p = image.Pt(beside.Max.X+gap+gtx.Dp(8), t.spot.head.Min.Y+t.spot.head.Dy()/6)
	case Left:
		p = image.Pt(beside.Min.X-gap-gtx.Dp(8)-size.X, t.spot.head.Min.Y+t.spot.head.Dy()/6)
	}
	area := t.spot.work.Inset(margin / 2)
	r := keepInside(image.Rectangle{Min: p, Max: p.Add(size)}, area)
	if s := keepInside(r.Add(t.spot.shift), area); free(s, t.all.others(t)) {
		t.spot.seen = s // where it was beside others it stays, though they may have gone: nobody's line jumps
	} else {
		t.spot.seen = apart(r, area, t.all.others(t), gap, max(0, bubble.X/2-gtx.Dp(30)))
		t.spot.shift = t.spot.seen.Min.Sub(r.Min)
	}
	p = t.spot.seen.Min
	win := t.panel.At().Size()
	w := image.Rectangle{Min: p.Sub(image.Pt(margin, margin)), Max: p.Sub(image.Pt(margin, margin)).Add(win)}
	if t.spot.side == Above { // grow upwards: the end nearest to the pet stays where it is
		w = w.Add(image.Pt(0, size.Y+2*margin-win.Y))
	}
	w = keepInside(w, t.spot.work) // window managers push what sticks out
	t.panel.Place(w)
	return p.Sub(w.Min)
}

// others is where the other pets' bubbles and inputs are.
func (a *Talks) others(t *Talk) (all []image.Rectangle) {
	for _, o := range a.list {
		if o != t && o.panel.Visible() && !o.spot.seen.Empty() {
			all = append(all, o.spot.seen)
		}
	}
	return all
}

func free(r image.Rectangle, others []image.Rectangle) bool {
	return !slices.ContainsFunc(others, r.Overlaps)
}

// apart moves r within area off the others: sideways by reach at the most, so that its tail still comes from it, else
// over or under them. Where there is no room it stays.
func apart(r, area image.Rectangle, others []image.Rectangle, gap, reach int) image.Rectangle {
	best, way := r, -1
	try := func(d image.Point, cost int) {
		if s := r.Add(d); (way < 0 || cost < way) && s.In(area) && free(s, others) {
			best, way = s, cost
		}
	}
	try(image.Point{}, 0)
	for _, o := range others {
		for _, d := range []int{o.Min.X - gap - r.Max.X, o.Max.X + gap - r.Min.X} {
			if max(d, -d) <= reach {
				try(image.Pt(d, 0), max(d, -d))
			}
		}
	}
	if way >= 0 {
		return best
	}
	for _, o := range others {
		d := r.Max.Y - o.Min.Y + gap
		try(image.Pt(0, -d), d)
	}
	if way >= 0 {
		return best // over them rather than under, where a face may be
	}
	for _, o := range others {
		d := o.Max.Y - r.Min.Y + gap
		try(image.Pt(0, d), d)
	}
	return best
}

// chooseSide takes the first side with room: above, right, left, below; else the roomier of right and left.
func chooseSide(head, work image.Rectangle, size image.Point, gap int) Side {
	switch {
	case head.Min.Y-work.Min.Y >= size.Y+gap:
		return Above
	case work.Max.X-head.Max.X >= size.X+gap:
		return Right
	case head.Min.X-work.Min.X >= size.X+gap:
		return Left
	case work.Max.Y-head.Max.Y >= size.Y+gap:
		return Below
	case work.Max.X-head.Max.X >= head.Min.X-work.Min.X:
		return Right
	}
	return Left
}

// keepInside moves r the least way into area; where r is larger it starts with the area.
func keepInside(r, area image.Rectangle) image.Rectangle {
	r = r.Sub(image.Pt(max(0, r.Max.X-area.Max.X), max(0, r.Max.Y-area.Max.Y)))
	return r.Add(image.Pt(max(0, area.Min.X-r.Min.X), max(0, area.Min.Y-r.Min.Y)))
}
