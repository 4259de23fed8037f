package body

import (
	"math"
	"strconv"
	"time"

	"yui/avatar/clips"
	"yui/internal/protocol"
)

// host is the window she holds on to.
type host struct {
	id         uint32
	app, title string
	rect       Rect // as she last followed it
	side       bool // she peeks round a side edge, otherwise she is on the top edge
	left       bool // of side and wall: the left one
	wall       bool // she hangs on a side edge, her place is climb.at
	climbed    bool // she came up by climbing, and goes down so
	// off is her place along the edge, rel the same as a part of its length, as it was when she took it.
	off, rel float64
	armed    Point // the host's origin when she perched
	// settled is set once she sits or peeks: leaving is then told.
	settled bool
	bad     time.Time
	shake   shaker
}

// perching is holding on to a window's top edge.
type perching struct {
	*Body
	still
}

func (b *perching) ended(now time.Time) {
	switch b.mode {
	case modeSitDown:
		b.commit(now)
	case modeStandUp:
		b.walking.start(b.walking.walk, now)
	}
}

// peeking is holding on to a window's side, from behind.
type peeking struct {
	*Body
	still
}

func (b *peeking) ended(time.Time) { b.show.clip.phase = clips.PhaseHold }

// loss is why she lets go.
type loss int

const (
	lostGone loss = iota
	lostRoom
	lostShaken
	lostObserved // covered, or moved with riding off
)

func edgeX(r Rect, left bool) float64 {
	if left {
		return r.X
	}
	return r.Right()
}

// roomToSit reports whether a seat at p is on a monitor, above its floor, with room for her to sit up straight
// (docs/rules/body.md#seat). A head that reaches into the work area of a monitor above has room too.
func (b *Body) roomToSit(p Point) bool {
	return b.roomAbove(p, b.shape.HeadTop-b.shape.SeatDrop)
}

func (b *Body) roomAbove(p Point, height float64) bool {
	if len(b.desk.Monitors) == 0 {
		return true
	}
	m := b.desk.monitorAt(p)
	if m == nil || p.Y > m.floor() {
		return false
	}
	top := p.Y - height
	if top >= m.WorkArea.Y {
		return true
	}
	o := b.desk.monitorAt(Point{p.X, top})
	return o != nil && o != m && o.WorkArea.Contains(Point{p.X, top})
}

// room reports whether the edge is on the screen, with screen beside it for her head to show.
func (b *peeking) room(x, y float64, left bool) bool {
	m := b.desk.nearestMonitor(Point{x, y})
	if m == nil {
		return true
	}
	lean := 0.25 * b.shape.Unit
	if left {
		lean = -lean
	}
	y = clamp(y, m.Rect.Y, m.Rect.Bottom()-1)
	return b.desk.monitorAt(Point{x, y}) != nil && b.desk.monitorAt(Point{x + lean, y}) != nil
}

// holdTop takes hold of window i's top edge at her present x.
func (b *Body) holdTop(i int) {
	w := &b.desk.Windows[i]
	b.root.Y = w.Rect.Y
	b.grounded = false
	b.host = host{id: w.ID, app: w.App, title: w.Title, rect: w.Rect, armed: Point{w.Rect.X, w.Rect.Y}}
	b.markPlace()
}

// markPlace notes where along the edge she is.
func (b *Body) markPlace() {
	h := &b.host
	if h.side || h.wall {
		return
	}
	h.off = b.root.X - h.rect.X
	h.rel = 0.5
	if h.rect.W > 0 {
		h.rel = h.off / h.rect.W
	}
}

// start plays sit_down from skip on, and then commits the seat.
func (b *perching) start(skip float64, now time.Time) {
	rest := b.clips.Sit.Down - skip
	if b.cfg.ReducedMotion || rest <= 0 {
		b.commit(now)
		return
	}
	b.enter(modeSitDown, clips.SitDown, rest, now)
	b.show.clip.start = skip
}

func (b *perching) commit(now time.Time) {
	h := &b.host
	if !h.settled {
		h.settled = true
		h.armed = Point{h.rect.X, h.rect.Y}
		b.emit(EventSitDrop, "edge_local_ypx", number(h.rect.Y-b.origin().Y), "app", h.app, "window_title", h.title)
	}
	b.enter(modeSit, clips.WindowSit, 0, now)
	b.standing.arm(now)
	if b.runs(protocol.SitOnWindow) {
		b.resolve(OK)
	}
}

func number(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', -1, 64) }

// lift is how far above the root the middle of what shows of a peek is: between hands and head.
func (b *peeking) lift() float64 { return 0.6 * b.shape.HeadTop }

// start puts her behind a side edge of window i, what shows of her about y.
func (b *peeking) start(i int, left bool, y float64, now time.Time) {
	w := &b.desk.Windows[i]
	h := host{id: w.ID, app: w.App, title: w.Title, rect: w.Rect, side: true, left: left,
		armed: Point{w.Rect.X, w.Rect.Y}, settled: true}
	h.off = y + b.lift() - w.Rect.Y
	h.rel = 0.5
	if w.Rect.H > 0 {
		h.rel = h.off / w.Rect.H
	}
	b.cut(Point{edgeX(w.Rect, left), 0})
	b.host = h
	b.root.Y = b.place()
	seconds := b.clips.PeekEnter
	if b.cfg.ReducedMotion {
		seconds = 0
	}
	b.enter(modePeek, clips.Peek, seconds, now)
	b.show.clip.phase, b.show.clip.mirror = clips.PhaseEnter, left
	if seconds <= 0 {
		b.show.clip.phase = clips.PhaseHold
	}
	side := protocol.Right
	if left {
		side = protocol.Left
	}
	b.emit(EventPeekDrop, "side", side, "target_local_xpx", number(b.root.X-b.origin().X), "app", h.app, "window_title", h.title)
}

// place is the root's y while she peeks: her place on the edge, kept inside the window's height if it is tall
// enough, and on the monitor.
func (b *peeking) place() float64 {
	h := &b.host
	y := clamp(h.rect.Y+h.off, h.rect.Y+b.shape.HeadTop, h.rect.Bottom())
	if m := b.desk.nearestMonitor(Point{b.root.X, h.rect.Y + h.rect.H/2}); m != nil {
		y = min(max(y, m.WorkArea.Y+b.shape.HeadTop), m.floor())
	}
	return y
}

// check follows the host, or lets go of it, after the desktop has changed.
func (b *perching) check(now time.Time) {
	h := &b.host
	if h.id == 0 {
		return
	}
	i := b.desk.window(h.id)
	if i < 0 {
		b.lose(lostGone, now)
		return
	}
	w := &b.desk.Windows[i]
	h.app, h.title = w.App, w.Title
	slack := b.px(b.cfg.Ride.Slack)
	away := !b.cfg.Ride.On && (h.settled || h.wall) &&
		(math.Abs(w.Rect.X-h.armed.X) > slack || math.Abs(w.Rect.Y-h.armed.Y) > slack)
	if !away && w.Rect != h.rect {
		b.follow(w.Rect)
		if b.cfg.Ride.On && b.shaken(now) {
			b.lose(lostShaken, now)
			return
		}
	}
	if h.side && !away {
		b.root.Y = b.peeking.place() // the monitor may have changed as well
	}
	if !away && !b.hasRoom() {
		b.lose(lostRoom, now)
		return
	}
	covered := !h.side && !h.wall && !b.walking.walk.overEnd(b.mode) && b.desk.coveredAt(i, b.root) || h.wall && b.climbing.covered(i)
	switch {
	case !away && !covered:
		h.bad = time.Time{}
	case h.bad.IsZero():
		h.bad = now
	}
}

// hasRoom reports whether she can still be where the host has taken her.
func (b *perching) hasRoom() bool {
	h := &b.host
	if h.side {
		return b.peeking.room(b.root.X, h.rect.Y+h.rect.H/2, h.left)
	}
	if h.wall {
		return b.climbing.room()
	}
	return b.roomToSit(b.root)
}

// follow moves her with the host to its new place.
func (b *perching) follow(r Rect) {
	h := &b.host
	old := h.rect
	h.rect = r
	if h.wall {
		b.climbing.ride(r)
		return
	}
	if h.side {
		if r.H != old.H {
			h.off = h.rel * r.H
		}
		b.root.X = edgeX(r, h.left)
		b.root.Y = b.peeking.place()
		return
	}
	if r.W != old.W && !b.walking.walk.overEnd(b.mode) {
		margin := min(b.cfg.Stroll.EdgeMargin*b.shape.Height, r.W/2)
		h.off = clamp(h.rel*r.W, margin, r.W-margin)
	}
	b.root = Point{r.X + h.off, r.Y}
	b.walking.walk.to += r.X - old.X
}

// loseAt is when a bad observation that lasts ends the perch.
func (b *perching) loseAt() time.Time {
	if b.host.id == 0 || b.host.bad.IsZero() {
		return time.Time{}
	}
	if b.cfg.Ride.On {
		return b.host.bad.Add(b.cfg.Ride.CoverAfter)
	}
	return b.host.bad.Add(b.cfg.Ride.LoseAfter)
}

// lose ends a perch that the desktop took from her.
func (b *perching) lose(why loss, now time.Time) {
	id := b.host.id
	if b.runs(protocol.SitOnWindow) {
		switch why {
		case lostGone:
			b.resolve(NotFound)
		case lostShaken:
			b.resolve(Interrupted)
		default:
			b.resolve(Blocked)
		}
	}
	b.releaseHost(true, now)
	b.pushOnScreen()
	b.falling.start(fall{avoid: id, cue: true}, now)
}

// releaseHost lets go of the host. With tell, leaving a settled perch is told.
func (b *Body) releaseHost(tell bool, now time.Time) {
	h := b.host
	if h.id == 0 {
		return
	}
	b.host = host{}
	if h.side {
		b.show.open = opening{x: b.root.X, left: !h.left, at: now, on: b.cfg.Glide > 0 && !b.cfg.ReducedMotion}
	}
	if !tell || !h.settled {
		return
	}
	name := EventSitExit
	if h.side {
		name = EventPeekExit
	}
	b.emit(name, "app", h.app, "window_title", h.title)
}

// keepOnScreen brings back a pet whose middle is on no monitor (docs/rules/body.md#floor).
func (b *Body) keepOnScreen(now time.Time) {
	if b.mode == modeDrag || b.host.id != 0 || !b.pushOnScreen() {
		return
	}
	switch b.mode {
	case modeBedLie, modeBedSleep, modeBedWake, modeFall:
		b.checkFloor(now)
	default:
		b.falling.start(b.falling.fall.again(), now)
	}
}

// middle is the middle of her window.
func (b *Body) middle() Point {
	box := b.shape.Box
	return Point{b.root.X + box.X + box.W/2, b.root.Y + box.Y + box.H/2}
}

// pushOnScreen moves her by the least way that brings the middle of her window onto a monitor, 2 px inside its edge.
func (b *Body) pushOnScreen() bool {
	middle := b.middle()
	m := b.desk.nearestMonitor(middle)
	if m == nil || b.desk.monitorAt(middle) != nil {
		return false
	}
	to := Point{clamp(middle.X, m.Rect.X+2, m.Rect.Right()-2), clamp(middle.Y, m.Rect.Y+2, m.Rect.Bottom()-2)}
	b.root.X += to.X - middle.X
	b.root.Y += to.Y - middle.Y
	b.show.jump++
	b.show.glide = glide{}
	return true
}
