package body

import (
	"math"
	"time"

	"yui/avatar/clips"
)

// leap is one jump from window to window, planned or under way (docs/rules/body.md#jump).
type leap struct {
	id       uint32 // of the window she jumps to
	armed    Point  // its origin when the jump was planned
	from, to Point
	apex     float64 // how much the path rises above the straight way, times four at its middle
	seconds  float64
}

// under is the leap from window to window, from the crouch to the landing.
type jumping struct {
	*Body
	still
	leap leap
}

func (b *jumping) ended(now time.Time) {
	switch b.mode {
	case modeLeap:
		b.takeOff(now)
	case modeJumpLand:
		b.jumped(now)
	}
}

func (b *jumping) leave(to mode) {
	if to != modeFlight && to != modeJumpLand {
		b.emit(EventJumpEnd)
	}
}

func (b *jumping) configured(now time.Time) {
	if b.mode == modeFlight && b.cfg.ReducedMotion {
		b.letGo(false, now)
	}
}

func (b *jumping) gated(now time.Time) {
	if b.mode == modeFlight && b.gates.Hidden {
		b.letGo(false, now)
	}
}

func (b *jumping) facing() float64 { return b.walking.walk.face }
func (b *jumping) moving() bool    { return b.facing() != 0 }

// plan returns the walk to where she takes off for a neighbour in reach, if the dice say so.
func (b *jumping) plan() (walk, bool) {
	i := b.desk.window(b.host.id)
	if i < 0 || b.clips.Jump.Whole <= 0 || b.cfg.Jump.Chance <= 0 {
		return walk{}, false
	}
	s, ok := b.desk.ledge(i, b.root.X, b.px(b.cfg.Stroll.LevelSlack))
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
	if best.id == 0 || b.dice.Float64() >= b.cfg.Jump.Chance {
		return walk{}, false
	}
	b.leap = best
	return b.walking.goTo(best.from.X, math.Copysign(1, best.to.X-best.from.X), thenJump), true
}

// leapTo returns the jump from the end of ledge s in the direction way onto window j, and the gap between them.
func (b *jumping) leapTo(j int, s stretch, way float64) (l leap, gap float64, ok bool) {
	w, h := &b.desk.Windows[j], b.shape.Height
	margin := b.cfg.Stroll.EdgeMargin * h
	end, near := s.hi, w.Rect.X
	if way < 0 {
		end, near = s.lo, w.Rect.Right()
	}
	gap = (near - end) * way
	dy := w.Rect.Y - b.host.rect.Y
	level := math.Abs(dy) <= b.px(b.cfg.Stroll.LevelSlack) && gap == 0
	if w.ID == b.host.id || gap < 0 || gap > b.cfg.Jump.Gap*2*b.shape.HalfWidth || level ||
		-dy > b.cfg.Jump.Up*h || dy > b.cfg.Jump.Down*h {
		return l, gap, false
	}
	l = leap{id: w.ID, armed: Point{w.Rect.X, w.Rect.Y},
		from: Point{end - way*margin, b.host.rect.Y}, to: Point{near + way*margin, w.Rect.Y}}
	if l.from.X < s.lo+margin-1e-9 || l.from.X > s.hi-margin+1e-9 || !b.landable(j, l.to.X) || !b.roomAbove(l.from, h) {
		return l, gap, false
	}
	l.aim(b.Body)
	return l, gap, l.seconds <= b.cfg.Jump.Longest.Seconds()
}

// landable reports whether she can stand at x on window j, a margin inside of what is not covered.
func (b *jumping) landable(j int, x float64) bool {
	margin := b.cfg.Stroll.EdgeMargin * b.shape.Height
	s, free := b.desk.uncovered(j, x)
	return free && x-s.lo >= margin-1e-9 && s.hi-x >= margin-1e-9 && b.roomAbove(Point{x, b.desk.Windows[j].Rect.Y}, b.shape.Height)
}

// aim works out the path: as high as the rule says, as long as gravity takes for that, but not shorter than the clip's
// own flight.
func (l *leap) aim(b *Body) {
	l.apex = b.cfg.Jump.Lift*b.shape.Height + math.Abs(l.to.Y-l.from.Y)/2
	l.seconds = max(math.Sqrt(8*l.apex/b.px(b.cfg.Fall.Gravity)), b.clips.Jump.Land-b.clips.Jump.Off, 0.1)
}

// place is the root at part u of the flight.
func (l *leap) place(u float64) Point {
	return Point{l.from.X + (l.to.X-l.from.X)*u, (1-u)*l.from.Y + u*l.to.Y - 4*l.apex*u*(1-u)}
}

// target returns the window she jumps to, if it is still as it was within RideSlack and free to land on; to is then
// where it is now.
func (b *jumping) target() (window int, ok bool) {
	l := &b.leap
	j, slack := b.desk.window(l.id), b.px(b.cfg.Ride.Slack)
	if j < 0 {
		return j, false
	}
	r := b.desk.Windows[j].Rect
	if math.Abs(r.X-l.armed.X) > slack || math.Abs(r.Y-l.armed.Y) > slack {
		return j, false
	}
	return j, b.landable(j, l.to.X)
}

// start crouches at the take-off.
func (b *jumping) start(now time.Time) {
	if _, ok := b.target(); !ok || b.host.id == 0 || b.cfg.ReducedMotion || b.gates.Motion || b.gates.Hidden {
		b.standStill(now)
		return
	}
	b.enter(modeLeap, clips.Jump, b.clips.Jump.Off, now)
	b.show.clip.phase = clips.PhaseCrouch
	b.emit(EventJumpStart)
	if b.clips.Jump.Off <= 0 {
		b.takeOff(now)
	}
}

// takeOff leaves the window if the other one is still there.
func (b *jumping) takeOff(now time.Time) {
	j, ok := b.target()
	if !ok {
		b.standStill(now)
		return
	}
	l := &b.leap
	l.from, l.to.Y = b.root, b.desk.Windows[j].Rect.Y
	l.aim(b.Body)
	b.releaseHost(true, now)
	b.goOn(modeFlight, 0, now)
}

// step moves her along the path and leads the clip through its phases.
func (b *jumping) step(now time.Time, _ float64) {
	c, l := &b.clips, &b.leap
	spent := now.Sub(b.modeAt).Seconds()
	switch b.mode {
	case modeLeap:
		if spent >= c.Jump.Crouch {
			b.show.clip.phase = clips.PhaseLaunch
		}
	case modeFlight:
		u := min(spent/l.seconds, 1)
		b.root = l.place(u)
		switch {
		case l.seconds-spent <= c.Jump.Land-c.Jump.Ready:
			b.show.clip.phase = clips.PhaseLand
		case spent >= c.Jump.Air-c.Jump.Off:
			b.show.clip.phase = clips.PhaseAir
		}
		if u >= 1 {
			b.alight(now)
		}
	}
}

// alight ends the flight on the other window, or in a fall if that has gone.
func (b *jumping) alight(now time.Time) {
	l := &b.leap
	j, ok := b.target()
	if !ok {
		speed := (l.to.Y - l.from.Y + 4*l.apex) / l.seconds
		b.falling.start(fall{cue: true, speed: max(0, speed)}, now)
		return
	}
	if to := (Point{l.to.X, b.desk.Windows[j].Rect.Y}); to != b.root {
		b.slide(to, now)
	}
	b.holdTop(j)
	b.show.clip.phase = clips.PhaseLand
	b.goOn(modeJumpLand, max(b.clips.Jump.Whole-b.clips.Jump.Land, 0.01), now)
}

// jumped goes on along the window she has landed on.
func (b *jumping) jumped(now time.Time) {
	b.standStill(now)
	b.walking.settleOnLedge(now)
}
