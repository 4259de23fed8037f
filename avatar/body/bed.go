package body

import (
	"time"

	"yui/avatar/clips"
	"yui/internal/protocol"
)

// bed is the cushion: how much of it shows.
type bed struct {
	shown, goal float64
	quick       bool // she was taken off it: it goes at once
	waking      bool // she wakes as soon as she has lain down
}

// sleeping is the bed scene.
type sleeping struct {
	*Body
	still
	bed bed
}

func (b *sleeping) ended(now time.Time) {
	switch b.mode {
	case modeBedLie:
		b.sleep(now)
	case modeBedSleep:
		b.wake("timeout", now)
	case modeBedWake:
		b.leaveIt(now)
	}
}

const quickFade = 0.15 // s

func (d *bed) advance(dt, fade float64) {
	if d.quick && d.goal == 0 {
		fade = quickFade
	}
	if fade <= 0 {
		d.shown = d.goal
		return
	}
	d.shown = toward(d.shown, d.goal, dt/fade)
}

func (d *bed) fading() bool { return d.shown != d.goal }

// under reports whether the bed has her in any phase: being set up, lying, waking, and while it fades behind her.
func (b *sleeping) under() bool {
	switch b.mode {
	case modeBedLie, modeBedSleep, modeBedWake:
		return true
	case modeFall, modeLand:
		if b.falling.fall.toBed {
			return true
		}
	}
	return b.bed.shown > 0 && b.bed.goal == 0 && !b.bed.quick
}

// do starts the bed scene (docs/rules/body.md#bed): down to the floor where she is, then she lies down.
func (b *sleeping) do(now time.Time) Result {
	if b.cfg.ReducedMotion || b.clips.Bed.Lie <= 0 || b.clips.Bed.Wake <= 0 {
		return Unsupported
	}
	if b.ground() == nil {
		return Busy // nowhere to lie
	}
	b.releaseHost(true, now)
	b.standStill(now)
	b.falling.start(fall{floorOnly: true, toBed: true}, now)
	if b.mode == modeBedLie {
		return OK
	}
	return ""
}

func (b *sleeping) start(now time.Time) {
	if b.cfg.ReducedMotion { // switched on during the set-up
		b.resolve(Unsupported)
		b.standStill(now)
		return
	}
	b.bed = bed{shown: b.bed.shown, goal: 1}
	b.enter(modeBedLie, clips.BedLie, b.clips.Bed.Lie, now)
	b.emit(EventBedStart)
	if b.runs(protocol.GoToBed) {
		b.resolve(OK)
	}
}

func (b *sleeping) sleep(now time.Time) {
	if b.bed.waking {
		b.enter(modeBedWake, clips.BedWake, b.clips.Bed.Wake, now)
		return
	}
	b.enter(modeBedSleep, clips.BedSleep, b.cfg.Bed.WakeAfter.Seconds(), now)
}

// wake ends her sleep. cause is click, timeout, message, or empty for an agent's stand; the first two are told.
func (b *sleeping) wake(cause string, now time.Time) {
	told := func() {
		if cause == "click" || cause == "timeout" {
			b.emit(EventWake, "cause", cause)
		}
	}
	switch b.mode {
	case modeBedSleep:
		told()
		b.enter(modeBedWake, clips.BedWake, b.clips.Bed.Wake, now)
	case modeBedLie:
		if b.bed.waking {
			return
		}
		told()
		if now.Sub(b.modeAt).Seconds() < b.clips.Bed.Seat {
			b.leaveIt(now)
			return
		}
		b.bed.waking = true
	case modeFall, modeLand:
		if !b.falling.fall.toBed {
			return
		}
		b.falling.fall.toBed = false // a go_to_bed that waits for it is interrupted by the next Step
	}
}

// leaveIt lets her stand; the bed fades out behind her.
func (b *sleeping) leaveIt(now time.Time) {
	b.bed.goal, b.bed.waking, b.bed.quick = 0, false, false
	b.emit(EventBedEnd)
	b.standStill(now)
}

// end takes her off the bed at once. What she does next is the caller's.
func (b *sleeping) end(now time.Time) {
	b.falling.fall.toBed = false
	switch b.mode {
	case modeBedLie, modeBedSleep, modeBedWake:
		b.emit(EventBedEnd)
	}
	b.bed.goal, b.bed.waking, b.bed.quick = 0, false, true
}

// Click tells of a plain click on her. It wakes her, and reports whether that is what it did.
func (b *Body) Click(now time.Time) bool {
	switch {
	case b.mode == modeBedLie, b.mode == modeBedSleep, b.sleeping.under() && b.falling.fall.toBed:
		b.sleeping.wake("click", now)
		return true
	}
	return false
}

// Message tells of a user's message, typed or spoken. It wakes her without a turn of its own.
func (b *Body) Message(now time.Time) { b.sleeping.wake("message", now) }
