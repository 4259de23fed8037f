package body

import (
	"math"
	"time"
)

// leap is one jump from window to window, planned or under way (spec/body.md 2.7).
type leap struct {
	id       uint32 // of the window she jumps to
	armed    Point  // its origin when the jump was planned
	from, to Point
	apex     float64 // how much the path rises above the straight way, times four at its middle
	seconds  float64
}

// jumping reports whether she is in any part of a jump.
func (b *Body) jumping() bool {
	return b.mode == modeLeap || b.mode == modeFlight || b.mode == modeJumpLand
}

// planJump returns the walk to where she takes off for a neighbour in reach, if the dice say so.
func (b *Body) planJump() (walk, bool) {
	i := b.desk.window(b.host.id)
	if i < 0 || b.clips.Jump <= 0 || b.cfg.Jump <= 0 {
		return walk{}, false
	}
	s, ok := b.desk.ledge(i, b.root.X, b.px(b.cfg.LevelSlack))
	if !ok {
		return walk{}, false
	}
	best, least, high := leap{}, math.Inf(1), math.Inf(1)
	for j := range b.desk.Windows {
		for _, way := range [2]float64{-1, 1} {
			l, gap, fits := b.leapTo(j, s, way)
			if dy := math.Abs(l.to.Y - l.from.Y); fits && (gap < least || gap == least && dy < high) {
				best, least, high = l, gap, dy
			}
		}
	}
	if best.id == 0 || b.rng.Float64() >= b.cfg.Jump {
		return walk{}, false
	}
	b.leap = best
	return b.goTo(best.from.X, math.Copysign(1, best.to.X-best.from.X), thenJump), true
}

// leapTo returns the jump from the end of ledge s in the direction way onto window j, and the gap between them.
func (b *Body) leapTo(j int, s stretch, way float64) (l leap, gap float64, ok bool) {
	w, h := &b.desk.Windows[j], b.shape.Height
	margin := b.cfg.EdgeMargin * h
	end, near := s.hi, w.Rect.X
	if way < 0 {
		end, near = s.lo, w.Rect.Right()
	}
	gap = (near - end) * way
	dy := w.Rect.Y - b.host.rect.Y
	level := math.Abs(dy) <= b.px(b.cfg.LevelSlack) && gap == 0
	if w.ID == b.host.id || gap < 0 || gap > b.cfg.JumpGap*2*b.shape.HalfWidth || level ||
		-dy > b.cfg.JumpUp*h || dy > b.cfg.JumpDown*h {
		return l, gap, false
	}
	l = leap{id: w.ID, armed: Point{w.Rect.X, w.Rect.Y},
		from: Point{end - way*margin, b.host.rect.Y}, to: Point{near + way*margin, w.Rect.Y}}
	if l.from.X < s.lo+margin-1e-9 || l.from.X > s.hi-margin+1e-9 || !b.landable(j, l.to.X) || !b.roomAbove(l.from, h) {
		return l, gap, false
	}
	l.aim(b)
	return l, gap, l.seconds <= b.cfg.FlightTimeout.Seconds()
}

// landable reports whether she can stand at x on window j, a margin inside of what is not covered.
func (b *Body) landable(j int, x float64) bool {
	margin := b.cfg.EdgeMargin * b.shape.Height
	s, free := b.desk.uncovered(j, x)
	return free && x-s.lo >= margin-1e-9 && s.hi-x >= margin-1e-9 && b.roomAbove(Point{x, b.desk.Windows[j].Rect.Y}, b.shape.Height)
}

// aim works out the path: as high as the rule says, as long as gravity takes for that, but not shorter than the clip's
// own flight.
func (l *leap) aim(b *Body) {
	l.apex = b.cfg.JumpLift*b.shape.Height + math.Abs(l.to.Y-l.from.Y)/2
	l.seconds = max(math.Sqrt(8*l.apex/b.px(b.cfg.Gravity)), b.clips.JumpLand-b.clips.JumpOff, 0.1)
}

// place is the root at part u of the flight.
func (l *leap) place(u float64) Point {
	return Point{l.from.X + (l.to.X-l.from.X)*u, (1-u)*l.from.Y + u*l.to.Y - 4*l.apex*u*(1-u)}
}

// target returns the window she jumps to, where it is still as it was within RideSlack and free to land on; to is then
// where it is now.
func (b *Body) target() (window int, ok bool) {
	l := &b.leap
	j, slack := b.desk.window(l.id), b.px(b.cfg.RideSlack)
	if j < 0 {
		return j, false
	}
	r := b.desk.Windows[j].Rect
	if math.Abs(r.X-l.armed.X) > slack || math.Abs(r.Y-l.armed.Y) > slack {
		return j, false
	}
	return j, b.landable(j, l.to.X)
}

// startLeap crouches at the take-off.
func (b *Body) startLeap(now time.Time) {
	if _, ok := b.target(); !ok || b.host.id == 0 || b.cfg.ReducedMotion || b.gates.Motion || b.gates.Hidden {
		b.standStill(now)
		return
	}
	b.enter(modeLeap, "jump", b.clips.JumpOff, now)
	b.phase = "crouch"
	b.emit("avatar.jump_start")
	if b.clips.JumpOff <= 0 {
		b.takeOff(now)
	}
}

// takeOff leaves the window, where the other one is still there.
func (b *Body) takeOff(now time.Time) {
	j, ok := b.target()
	if !ok {
		b.standStill(now)
		return
	}
	l := &b.leap
	l.from, l.to.Y = b.root, b.desk.Windows[j].Rect.Y
	l.aim(b)
	b.releaseHost(true, now)
	b.goOn(modeFlight, 0, now)
}

// stepJump moves her along the path and leads the clip through its phases.
func (b *Body) stepJump(now time.Time) {
	c, l := &b.clips, &b.leap
	spent := now.Sub(b.modeAt).Seconds()
	switch b.mode {
	case modeLeap:
		if spent >= c.JumpCrouch {
			b.phase = "launch"
		}
	case modeFlight:
		u := min(spent/l.seconds, 1)
		b.root = l.place(u)
		switch {
		case l.seconds-spent <= c.JumpLand-c.JumpReady:
			b.phase = "land"
		case spent >= c.JumpAir-c.JumpOff:
			b.phase = "air"
		}
		if u >= 1 {
			b.alight(now)
		}
	}
}

// alight ends the flight on the other window, or in a fall where that has gone.
func (b *Body) alight(now time.Time) {
	l := &b.leap
	j, ok := b.target()
	if !ok {
		speed := (l.to.Y - l.from.Y + 4*l.apex) / l.seconds
		b.startFall(fall{cue: true, speed: max(0, speed)}, now)
		return
	}
	if to := (Point{l.to.X, b.desk.Windows[j].Rect.Y}); to != b.root {
		b.slide(to, now)
	}
	b.holdTop(j)
	b.phase = "land"
	b.goOn(modeJumpLand, max(b.clips.Jump-b.clips.JumpLand, 0.01), now)
}

// jumped goes on along the window she has landed on.
func (b *Body) jumped(now time.Time) {
	b.standStill(now)
	b.settleOnLedge(now)
}
