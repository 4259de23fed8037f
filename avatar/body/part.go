package body

import "time"

// part is one thing that she can be doing. It has her from the enter of one of its modes until another part's mode is
// entered, steps her, and says what it wants next; where it goes on to is its own business.
type part interface {
	// step moves her on by dt seconds.
	step(now time.Time, dt float64)
	// ended goes on from a mode whose clip has run its time.
	ended(now time.Time)
	// leave tells that a mode of the part gives way to the mode to.
	leave(to mode)
	// configured and gated give her up if new settings, or what keeps her from moving by herself, do not allow the part.
	configured(now time.Time)
	gated(now time.Time)
	// facing is the turn that she holds, or turns to: -1 left, 0 the viewer, 1 right.
	facing() float64
	// moving reports whether the next frame differs from the last even if nothing happens.
	moving() bool
	// next is when step must run again, zero for never.
	next() time.Time
}

// still is a part of which nothing is asked.
type still struct{}

func (still) step(time.Time, float64) {}
func (still) ended(time.Time)         {}
func (still) leave(mode)              {}
func (still) configured(time.Time)    {}
func (still) gated(time.Time)         {}
func (still) facing() float64         { return 0 }
func (still) moving() bool            { return false }
func (still) next() (t time.Time)     { return t }

// parts are the machines, each with a state of its own. All share the Body.
type parts struct {
	standing standing
	perching perching
	peeking  peeking
	walking  walking
	falling  falling
	climbing climbing
	jumping  jumping
	dragging dragging
	sleeping sleeping
	crowding crowding // no part of its own: why she steps aside
}

func (b *Body) connect() {
	b.standing.Body, b.perching.Body, b.peeking.Body, b.walking.Body, b.falling.Body = b, b, b, b, b
	b.climbing.Body, b.jumping.Body, b.dragging.Body, b.sleeping.Body, b.crowding.Body = b, b, b, b, b
}

// part is the machine that has her.
func (b *Body) part() part {
	switch b.mode {
	case modeSitDown, modeSit, modeStandUp:
		return &b.perching
	case modePeek:
		return &b.peeking
	case modeWalk, modeFace:
		return &b.walking
	case modeFall, modeLand:
		return &b.falling
	case modeClimbUp, modeClimbOver, modeClimbBack, modeClimbDown, modeClimbLand:
		return &b.climbing
	case modeLeap, modeFlight, modeJumpLand:
		return &b.jumping
	case modeDrag:
		return &b.dragging
	case modeBedLie, modeBedSleep, modeBedWake:
		return &b.sleeping
	}
	return &b.standing
}
