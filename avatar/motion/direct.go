package motion

import "yui/avatar/clips"

// direct chooses what plays for the next dt seconds.
func (p *Player) direct(dt float32, reduced bool) {
	d := &p.dir
	d.lively += dt
	if l := p.mix.top(); l != nil && l.clip != nil && !l.clip.loop && l.done() {
		d.stood += dt
	} else {
		d.stood = 0
	}
	switch {
	case d.hold != "" && p.lib.first(d.hold) != nil:
		p.runHold()
	case d.hold == "" && d.cue != "":
		p.runCue()
	case d.hold == "" && d.state != "" && p.lib.first(d.state) != nil:
		p.runState()
	default:
		d.restart = false
		p.runIdle(reduced)
	}
}

// enter switches to another mode or id and reports whether that is new.
func (d *director) enter(m mode, id clips.ID) bool {
	if d.mode == m && d.id == id {
		return false
	}
	d.mode, d.id = m, id
	return true
}

func (p *Player) runHold() {
	d := &p.dir
	fresh := d.enter(modeHold, d.hold) || d.restart
	d.restart = false
	pool := clips.Pool(d.hold)
	if pool != nil {
		d.phase = ""
		if l := p.mix.top(); fresh || l.cycles >= d.loops || l.done() && !l.clip.loop {
			p.play(p.pick(pool, true), 0, float32(d.opts.Fade.Seconds()), d.opts.Mirror)
			// Each pose is kept for about ten seconds, in whole cycles.
			d.loops = 1 + int(float32(6+p.rng.IntN(9))/d.playing.dur)
		}
		return
	}
	c := p.lib.clips[d.hold]
	if len(c.info.Phases) > 0 && (d.opts.Phase != "" || c.rule.holdTo > 0) {
		p.runPhase(c, fresh)
		if l := p.mix.top(); l.clip == c {
			l.origin, l.flight = d.opts.Origin, d.opts.Flight
		}
		return
	}
	if !fresh && c.loop && p.mix.top().clip == c {
		p.mix.top().rate = d.opts.rate()
	}
	if fresh {
		d.phase = ""
		at := c.rule.start
		if d.hold == clips.Walk && p.rng.IntN(2) == 0 {
			at += c.dur / 2 // either foot may go first
		}
		if d.opts.Start > 0 {
			at = min(float32(d.opts.Start.Seconds()), c.dur)
		}
		if d.opts.Back {
			at = c.dur
		}
		p.play(d.hold, at, float32(d.opts.Fade.Seconds()), d.opts.Mirror)
		if d.opts.Back {
			p.mix.top().rate = -1
		}
	}
	if l := p.mix.top(); l.clip == c {
		l.origin = d.opts.Origin
	}
}

// rate keeps a looping clip's speed between standing still and four times its own.
func (o *HoldOpts) rate() float32 {
	if o.Rate <= 0 || !finite(o.Rate) {
		return 1
	}
	return min(o.Rate, 4)
}

// runPhase plays a span of a clip. The clip's hold span repeats by a crossfade onto itself.
func (p *Player) runPhase(c *clip, fresh bool) {
	d := &p.dir
	want := d.opts.Phase
	if want == "" {
		want = clips.PhaseEnter
	}
	span, ok := c.info.Phases[want]
	from, to := float32(span[0].Seconds()), float32(span[1].Seconds())
	if !ok {
		from, to = 0, c.dur
	}
	holds := c.rule.holdTo > 0
	l := p.mix.top()
	switch {
	case fresh && want == clips.PhaseEnter && from == 0 && d.opts.Fade == 0 && holds:
		p.cut(c, d.opts.Mirror) // she starts out of sight
	case fresh:
		p.play(c.id, from, float32(d.opts.Fade.Seconds()), d.opts.Mirror)
	case want == d.phase, want == clips.PhaseHold && d.phase == clips.PhaseEnter: // from enter she gets there by herself
	case l.t < from-.05 || l.t > to:
		p.play(c.id, from, .2, d.opts.Mirror)
	}
	d.phase, d.phaseEnd = want, to
	l = p.mix.top()
	switch {
	case holds && (want == clips.PhaseEnter || want == clips.PhaseHold):
		l.end = c.rule.holdTo
		if l.t >= l.end {
			p.play(c.id, c.rule.holdFrom, .7, d.opts.Mirror)
			p.mix.top().end = c.rule.holdTo
		}
	case want == clips.PhaseLeave || !ok || d.opts.Phase == "":
		l.end, d.phaseEnd = c.dur, c.dur
	default:
		l.end = max(to, l.t)
	}
}

// cut shows a clip from its start without a crossfade.
func (p *Player) cut(c *clip, mirror bool) {
	p.dir.playing = c
	p.mix.n = 0
	p.mix.play(c, 0, 0, mirror)
	p.rods.fresh = true
}

func (p *Player) runCue() {
	d := &p.dir
	fresh := d.enter(modeCue, d.cue)
	if d.cueStage != cuePlain {
		p.runSleep(fresh)
		return
	}
	if fresh {
		pool := clips.Pool(d.cue)
		id := d.cue
		if pool != nil {
			id = p.pick(pool, true)
		}
		p.play(id, 0, 0, false)
		d.loops = max(ruleOf(d.cue).cycles, 1)
	}
	if l := p.mix.top(); !l.clip.loop && l.t >= l.end || l.clip.loop && l.cycles >= d.loops {
		p.endCue()
	}
}

func (p *Player) endCue() {
	d := &p.dir
	d.cue, d.mode = "", modeNone
	if d.next != "" {
		d.start(d.next)
		p.runCue()
		return
	}
	p.direct(0, false)
}

// runSleep leads the sleeping cue through lying down, sleeping and waking, each if its clip is loaded.
func (p *Player) runSleep(fresh bool) {
	d := &p.dir
	if fresh {
		if d.cueStage == cueLying && p.lib.clips[clips.BedLie] != nil {
			p.play(clips.BedLie, 0, 0, false)
			return
		}
		if d.cueStage == cueWaking { // woken before she ever lay down
			p.endCue()
			return
		}
		d.cueStage = cueSleeping
		p.play(clips.Sleeping, 0, 0, false)
		return
	}
	l := p.mix.top()
	switch {
	case d.cueStage == cueLying && l.done():
		d.cueStage = cueSleeping
		p.play(clips.Sleeping, 0, .3, false)
	case d.cueStage == cueWaking && (d.playing == nil || d.playing.id != clips.BedWake || l.done()):
		p.endCue()
	}
}

func (p *Player) runState() {
	d := &p.dir
	fresh := d.enter(modeState, d.state)
	pool := clips.Pool(d.state)
	switch {
	case pool == nil && fresh:
		p.play(d.state, 0, 0, false)
	case pool != nil && (fresh || p.mix.top().done()):
		p.play(p.pick(pool, true), 0, 0, false)
	}
}

// livelyEvery is the least time between two lively idle motions, in seconds.
const livelyEvery = 20

// runIdle breathes two to four times, then plays another of the pool, a lively one at most every twenty seconds. If
// idle_breathe is avoided, she goes on with the others, and stands a while after those that do not repeat.
func (p *Player) runIdle(reduced bool) {
	d := &p.dir
	fresh := d.enter(modeIdle, clips.Idle)
	l := p.mix.top()
	if !fresh && l.clip != nil && l.cycles < d.loops && (l.clip.loop || !l.done()) {
		return
	}
	breathe := clips.Pool(clips.Idle)[0]
	has := p.lib.clips[breathe] != nil && (p.offers(clips.Pool(clips.Idle)[:1]) || !p.offers(clips.Pool(clips.Idle)[1:]))
	if !has && !fresh && l.clip != nil && !l.clip.loop && d.stood < d.pause {
		return
	}
	if !has {
		d.pause = 4 + 6*p.rng.Float32()
	}
	if fresh || d.playing == nil || d.playing.id != breathe && has {
		d.loops = 2 + p.rng.IntN(3)
		if !has {
			breathe = p.pick(clips.Pool(clips.Idle), true)
		}
		p.play(breathe, 0, 0, false)
		return
	}
	d.loops = 1
	var id clips.ID
	if !reduced {
		if d.lively >= livelyEvery && p.rng.IntN(5) < 2 {
			id = p.pick(clips.Pool(clips.IdleLively), false)
		}
		if id == "" {
			id = p.pick(clips.Pool(clips.Idle)[1:], false)
		}
	}
	if id == "" {
		d.loops = 2 + p.rng.IntN(3)
		l.cycles = 0
		if has && (l.clip == nil || !l.clip.loop) {
			p.play(breathe, 0, 0, false)
		}
		return
	}
	p.play(id, 0, 0, false)
	if d.playing.group == clips.GroupIdleLively {
		d.lively = 0
	}
}
