package body

import (
	"time"

	"yui/avatar/clips"
)

// drag is a drag under way.
type drag struct {
	pointer Point
	grab    Point // the shown root from the pointer, as she was grabbed
	at      time.Time
	ease    float64 // 0: held at the grab point, 1: held by the scruff
	told    bool    // that it has lasted long
}

// dragging is being carried.
type dragging struct {
	*Body
	still
	drag drag
}

func (b *dragging) step(now time.Time, _ float64) { b.follow(now) }

func (b *dragging) moving() bool { return b.drag.ease < 1 }

// next is when the drag has lasted long.
func (b *dragging) next() (t time.Time) {
	if !b.drag.told {
		t = b.drag.at.Add(b.cfg.Drag.Held)
	}
	return t
}

// DragStart picks her up at pointer. It beats everything: a running command is interrupted, a perch is let go.
func (b *Body) DragStart(pointer Point, now time.Time) {
	if !finite(pointer) || !b.placed {
		return
	}
	if b.mode == modeDrag {
		b.DragMove(pointer, now)
		return
	}
	b.resolve(Interrupted)
	b.sleeping.end(now)
	shown := b.shownRoot(now)
	b.releaseHost(false, now)
	b.show.open.on = false
	b.root, b.show.glide, b.grounded, b.falling.fall = shown, glide{}, false, fall{}
	b.dragging.drag = drag{pointer: pointer, grab: Point{shown.X - pointer.X, shown.Y - pointer.Y}, at: now}
	b.enter(modeDrag, clips.Drag, 0, now)
	b.emit(EventDragStart)
}

// DragMove tells where the pointer is now.
func (b *Body) DragMove(pointer Point, now time.Time) {
	if b.mode != modeDrag || !finite(pointer) {
		return
	}
	b.dragging.drag.pointer = pointer
	b.dragging.follow(now)
}

// follow hangs her on the pointer: by the grab point at first, by the scruff once the ease is over.
func (b *dragging) follow(now time.Time) {
	d := &b.drag
	d.ease = 1
	if b.cfg.Drag.Ease > 0 {
		d.ease = smooth(float64(now.Sub(d.at)) / float64(b.cfg.Drag.Ease))
	}
	b.root = Point{
		d.pointer.X + d.grab.X*(1-d.ease) - b.live.scruff.X*d.ease,
		d.pointer.Y + d.grab.Y*(1-d.ease) - b.live.scruff.Y*d.ease,
	}
	if !d.told && now.Sub(d.at) >= b.cfg.Drag.Held {
		d.told = true
		b.emit(EventDragHeld)
	}
}

// DragEnd drops her where she hangs: onto an edge in whose catch zone her seat is, or she falls (docs/rules/body.md#drop).
func (b *Body) DragEnd(now time.Time) {
	if b.mode != modeDrag {
		return
	}
	b.emit(EventDragEnd)
	b.pushOnScreen()
	seat := Point{b.root.X + b.live.seat.X, b.root.Y + b.live.seat.Y}
	if i := b.dragging.topUnder(seat); i >= 0 {
		to := Point{seat.X, b.desk.Windows[i].Rect.Y}
		if b.roomToSit(to) {
			b.dragging.dropOnTop(i, to, now)
			return
		}
	} else if i, left := b.dragging.sideUnder(seat); i >= 0 {
		b.dragging.dropOnSide(i, left, now)
		return
	}
	b.emit(EventSitExit)
	b.standStill(now)
	b.falling.start(fall{cue: true}, now)
}

// topUnder returns the frontmost window whose top edge catches a seat, or -1.
func (b *dragging) topUnder(seat Point) int {
	h := b.shape.Height
	for i := range b.desk.Windows {
		r := b.desk.Windows[i].Rect
		if seat.X < r.X || seat.X > r.Right() || seat.Y < r.Y-b.cfg.Drop.Above*h || seat.Y > r.Y+b.cfg.Drop.Below*h {
			continue
		}
		if b.desk.coveredAt(i, seat) || b.desk.coveredAt(i, Point{seat.X, r.Y}) {
			return -1
		}
		return i
	}
	return -1
}

// sideUnder returns the frontmost window one of whose sides catches a seat, or -1.
func (b *dragging) sideUnder(seat Point) (window int, left bool) {
	out, in := b.cfg.Drop.Out*b.shape.Height, b.cfg.Drop.In*b.shape.Height
	for i := range b.desk.Windows {
		r := b.desk.Windows[i].Rect
		if seat.Y < r.Y || seat.Y > r.Bottom() || b.desk.coveredAt(i, seat) {
			continue
		}
		for _, left := range [2]bool{true, false} {
			x := edgeX(r, left)
			outside := seat.X - x
			if left {
				outside = -outside
			}
			if outside > out || -outside > in || b.desk.coveredAt(i, Point{x, seat.Y}) || !b.peeking.room(x, seat.Y, left) {
				continue
			}
			return i, left
		}
	}
	return -1, false
}

func (b *dragging) dropOnTop(i int, to Point, now time.Time) {
	b.slide(to, now)
	b.holdTop(i)
	b.emit(EventWindowSit, "app", b.host.app, "window_title", b.host.title)
	b.perching.start(b.clips.Sit.Settle, now)
}

func (b *dragging) dropOnSide(i int, left bool, now time.Time) {
	w := &b.desk.Windows[i]
	b.emit(EventPeek, "app", w.App, "window_title", w.Title)
	b.peeking.start(i, left, b.root.Y-b.peeking.lift(), now)
}
