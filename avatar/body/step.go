package body

import (
	"math"
	"time"

	"yui/internal/protocol"
)

// maxStep caps the time that one Step moves her by (docs/rules/body.md#floor-walk).
const maxStep = 100 * time.Millisecond

// Step moves time on to now and returns what to show. It allocates nothing while nothing happens. A now that lies
// before the last one moves nothing.
func (b *Body) Step(now time.Time) Frame {
	dt := min(max(now.Sub(b.last), 0), maxStep)
	if b.last.IsZero() {
		dt = 0
	}
	if now.After(b.last) {
		b.last = now
	}
	b.advance(now, dt.Seconds())
	b.deliver()
	return b.compose(now)
}

func due(t, now time.Time) bool { return !t.IsZero() && !now.Before(t) }

func (b *Body) advance(now time.Time, dt float64) {
	if b.cmd != nil && !now.Before(b.cmd.deadline) {
		b.resolve(Timeout)
	}
	if due(b.keepAt, now) {
		b.keepAt = time.Time{}
		b.keepOnScreen(now)
	}
	if due(b.perching.loseAt(), now) {
		b.perching.check(now) // she may have walked out of what covered her
		if due(b.perching.loseAt(), now) {
			b.perching.lose(lostObserved, now)
		}
	}
	if b.mode != modeWalk {
		b.turn = toward(b.turn, b.part().facing(), dt/b.cfg.Walk.TurnTime.Seconds())
	}
	if b.show.open.on && now.Sub(b.show.open.at) >= b.cfg.Glide {
		b.show.open.on = false
	}
	b.sleeping.bed.advance(dt, b.cfg.Bed.Fade.Seconds())
	b.part().step(now, dt)
	if due(b.until, now) {
		b.until = time.Time{}
		b.part().ended(now)
	}
	if due(b.standing.ambient, now) {
		b.standing.ambient = time.Time{}
		b.standing.moveByHerself(now)
	}
	if b.standing.idle() {
		if due(b.standing.climbAt, now) {
			b.standing.climbAt = time.Time{}
			b.climbing.begin(now)
		}
		if due(b.crowding.crowd.at, now) {
			b.crowding.stepAside(now)
		}
	}
	if b.runs(protocol.SitOnWindow) && b.mode != modeSitDown || b.runs(protocol.GoToBed) && !b.sleeping.under() {
		b.resolve(Interrupted) // something else took the body meanwhile
	}
}

// toward moves v to goal by at most step.
func toward(v, goal, step float64) float64 {
	if math.Abs(goal-v) <= step {
		return goal
	}
	return v + math.Copysign(step, goal-v)
}

// Next tells when Step must run again even if nothing happens meanwhile; false is never. It never lies before now.
func (b *Body) Next(now time.Time) (time.Time, bool) {
	var next time.Time
	consider := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	if b.cmd != nil {
		consider(b.cmd.deadline)
		if b.cmd.result != "" {
			consider(now)
		}
	}
	if b.restless() {
		consider(now.Add(b.cfg.FrameTime))
	}
	consider(b.keepAt)
	consider(b.perching.loseAt())
	consider(b.until)
	consider(b.standing.ambient)
	if b.standing.idle() {
		consider(b.standing.climbAt)
		consider(b.crowding.crowd.at)
	}
	consider(b.part().next())
	if next.IsZero() {
		return next, false
	}
	if next.Before(now) {
		next = now
	}
	return next, true
}

// restless reports whether the next frame differs from the last even if nothing happens.
func (b *Body) restless() bool {
	return b.part().moving() || b.turn != 0 || b.show.glide != (glide{}) || b.show.open.on || b.sleeping.bed.fading() ||
		b.show.frame.Velocity != (Point{})
}
