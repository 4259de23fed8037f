package body

import "time"

// bed is the cushion: how much of it shows.
type bed struct {
	shown, goal float64
	quick       bool // she was taken off it: it goes at once
	waking      bool // she wakes as soon as she has lain down
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

// onBed reports whether the bed has her in any phase: being set up, lying, waking, and while it fades behind her.
func (b *Body) onBed() bool {
	switch b.mode {
	case modeBedLie, modeBedSleep, modeBedWake:
		return true
	case modeFall, modeLand:
		if b.fall.toBed {
			return true
		}
	}
	return b.bed.shown > 0 && b.bed.goal == 0 && !b.bed.quick
}

// doBed starts the bed scene (spec/body.md 1.9): down to the floor where she is, then she lies down.
func (b *Body) doBed(now time.Time) Result {
	if b.cfg.ReducedMotion || b.clips.BedLie <= 0 || b.clips.BedWake <= 0 {
		return Unsupported
	}
	if b.ground() == nil {
		return Busy // nowhere to lie
	}
	b.releaseHost(true, now)
	b.standStill(now)
	b.startFall(fall{floorOnly: true, toBed: true}, now)
	if b.mode == modeBedLie {
		return OK
	}
	return ""
}

func (b *Body) startBed(now time.Time) {
	if b.cfg.ReducedMotion { // switched on during the set-up
		b.resolve(Unsupported)
		b.standStill(now)
		return
	}
	b.bed = bed{shown: b.bed.shown, goal: 1}
	b.enter(modeBedLie, "bed_lie", b.clips.BedLie, now)
	b.emit("avatar.bed_start")
	if b.runs(GoToBed) {
		b.resolve(OK)
	}
}

func (b *Body) sleep(now time.Time) {
	if b.bed.waking {
		b.enter(modeBedWake, "bed_wake", b.clips.BedWake, now)
		return
	}
	b.enter(modeBedSleep, "bed_sleep", b.cfg.WakeTimeout.Seconds(), now)
}

// wake ends her sleep. cause is click, timeout, message, or empty for an agent's stand; the first two are told.
func (b *Body) wake(cause string, now time.Time) {
	told := func() {
		if cause == "click" || cause == "timeout" {
			b.emit("proactive.wake", "cause", cause)
		}
	}
	switch b.mode {
	case modeBedSleep:
		told()
		b.enter(modeBedWake, "bed_wake", b.clips.BedWake, now)
	case modeBedLie:
		if b.bed.waking {
			return
		}
		told()
		if now.Sub(b.modeAt).Seconds() < b.clips.BedSeat {
			b.leaveBed(now)
			return
		}
		b.bed.waking = true
	case modeFall, modeLand:
		if !b.fall.toBed {
			return
		}
		b.fall.toBed = false // a go_to_bed that waits for it is interrupted by the next Step
	}
}

// leaveBed lets her stand; the bed fades out behind her.
func (b *Body) leaveBed(now time.Time) {
	b.bed.goal, b.bed.waking, b.bed.quick = 0, false, false
	b.emit("avatar.bed_end")
	b.standStill(now)
}

// endBed takes her off the bed at once. What she does next is the caller's.
func (b *Body) endBed(now time.Time) {
	b.fall.toBed = false
	switch b.mode {
	case modeBedLie, modeBedSleep, modeBedWake:
		b.emit("avatar.bed_end")
	}
	b.bed.goal, b.bed.waking, b.bed.quick = 0, false, true
}

// Click tells of a plain click on her. It wakes her, and reports whether that is what it did.
func (b *Body) Click(now time.Time) bool {
	switch {
	case b.mode == modeBedLie, b.mode == modeBedSleep, b.onBed() && b.fall.toBed:
		b.wake("click", now)
		return true
	}
	return false
}

// Message tells of a user's message, typed or spoken. It wakes her without a turn of its own.
func (b *Body) Message(now time.Time) { b.wake("message", now) }
