package body

import (
	"math"
	"time"
)

// maxStep caps the time that one Step moves her by (spec/body.md 2.3).
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
	if due(b.loseAt(), now) {
		b.checkHost(now) // she may have walked out of what covered her
		if due(b.loseAt(), now) {
			b.lose(lostObserved, now)
		}
	}
	if b.mode != modeWalk {
		b.turn = toward(b.turn, b.facing(), dt/b.cfg.TurnTime.Seconds())
	}
	if b.open.on && now.Sub(b.open.at) >= b.cfg.Glide {
		b.open.on = false
	}
	b.bed.advance(dt, b.cfg.BedFade.Seconds())
	switch b.mode {
	case modeWalk:
		b.stepWalk(now, dt)
	case modeFall:
		b.stepFall(now, dt)
	case modeDrag:
		b.stepDrag(now)
	case modeFace:
		if b.turn == b.walk.face {
			b.faced(now)
		}
	case modeClimbUp, modeClimbOver, modeClimbBack, modeClimbDown, modeClimbLand:
		b.stepClimb(now, dt)
	case modeLeap, modeFlight, modeJumpLand:
		b.stepJump(now)
	}
	if due(b.until, now) {
		b.until = time.Time{}
		b.clipEnded(now)
	}
	if due(b.ambient, now) {
		b.ambient = time.Time{}
		b.moveByHerself(now)
	}
	if b.idleOnFloor() {
		if due(b.climbAt, now) {
			b.climbAt = time.Time{}
			b.climbByHerself(now)
		}
		if due(b.crowd.at, now) {
			b.stepAside(now)
		}
	}
	if b.runs(SitOnWindow) && b.mode != modeSitDown || b.runs(GoToBed) && !b.onBed() {
		b.resolve(Interrupted) // something else took the body meanwhile
	}
}

// facing is the turn that she holds, or turns to, where she does not walk.
func (b *Body) facing() float64 {
	switch b.mode {
	case modeFace, modeClimbUp, modeClimbOver, modeClimbBack, modeClimbDown, modeClimbLand, modeLeap, modeFlight, modeJumpLand:
		return b.walk.face
	}
	return 0
}

// toward moves v to goal by at most step.
func toward(v, goal, step float64) float64 {
	if math.Abs(goal-v) <= step {
		return goal
	}
	return v + math.Copysign(step, goal-v)
}

// clipEnded goes on from a mode whose clip has run its time.
func (b *Body) clipEnded(now time.Time) {
	switch b.mode {
	case modeSitDown:
		b.commitSit(now)
	case modeStandUp:
		b.strollAlong(now)
	case modeLand:
		b.landed(now)
	case modeClimbLand:
		b.climbedDown(now)
	case modeLeap:
		b.takeOff(now)
	case modeJumpLand:
		b.jumped(now)
	case modePeek:
		b.phase = "hold"
	case modeBedLie:
		b.sleep(now)
	case modeBedSleep:
		b.wake("timeout", now)
	case modeBedWake:
		b.leaveBed(now)
	}
}

// compose writes the frame.
func (b *Body) compose(now time.Time) Frame {
	f := &b.frame
	shown := b.shownRoot(now)
	b.velocity(shown, now)
	f.Root = shown
	f.Clip, f.Serial, f.Start, f.Phase, f.Mirror = b.clip, b.serial, b.start, b.phase, b.mirror
	f.Fade, f.Back, f.Flight, f.Origin = b.fade, b.back, b.mode == modeFlight, b.clipOrigin(shown)
	f.Jump = b.jump
	f.Yaw = math.Copysign(math.Pi/2*smooth(math.Abs(b.turn)), b.turn)
	f.Scruff, f.Ease = nil, 0
	if b.mode == modeDrag {
		b.scruffOut = b.drag.pointer
		f.Scruff, f.Ease = &b.scruffOut, b.drag.ease
	}
	f.Cut = nil
	switch {
	case b.mode == modePeek && b.host.id != 0:
		b.cutOut = Cut{X: shown.X, HideLeft: !b.host.left}
		f.Cut = &b.cutOut
	case b.open.on:
		away := smooth(float64(now.Sub(b.open.at))/float64(b.cfg.Glide)) * b.shape.Unit
		b.cutOut = Cut{X: b.open.x + away, HideLeft: b.open.left}
		if b.open.left {
			b.cutOut.X = b.open.x - away
		}
		f.Cut = &b.cutOut
	}
	f.Bed = smooth(b.bed.shown)
	b.frameRoot, b.frameJump, b.frameAt = shown, b.jump, now
	return *f
}

// velocity works out how fast the shown root moved since the last frame; a jump is no movement.
func (b *Body) velocity(shown Point, now time.Time) {
	dt := min(now.Sub(b.frameAt), maxStep).Seconds()
	moved := Point{shown.X - b.frameRoot.X, shown.Y - b.frameRoot.Y}
	far := math.Hypot(moved.X, moved.Y) > 2*b.shape.Height
	switch {
	case b.jump != b.frameJump || b.frameAt.IsZero():
		b.frame.Velocity = Point{}
	case far: // a host that was thrown across the screen took her along
		b.jump++
		b.frame.Velocity = Point{}
	case dt > 0:
		b.frame.Velocity = Point{moved.X / dt, moved.Y / dt}
	}
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
	if b.moving() {
		consider(now.Add(b.cfg.FrameTime))
	}
	consider(b.keepAt)
	consider(b.loseAt())
	consider(b.until)
	consider(b.ambient)
	if b.idleOnFloor() {
		consider(b.climbAt)
		consider(b.crowd.at)
	}
	if b.mode == modeDrag && !b.drag.told {
		consider(b.drag.at.Add(b.cfg.DragHeld))
	}
	if next.IsZero() {
		return next, false
	}
	if next.Before(now) {
		next = now
	}
	return next, true
}

// moving reports whether the next frame differs from the last even if nothing happens.
func (b *Body) moving() bool {
	switch {
	case b.mode == modeWalk, b.mode == modeFall, b.mode == modeDrag && b.drag.ease < 1, b.facing() != 0:
		return true
	case b.turn != 0, b.glide != (glide{}), b.open.on, b.bed.fading():
		return true
	}
	return b.frame.Velocity != (Point{})
}
