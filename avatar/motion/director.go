package motion

import (
	"slices"
	"time"

	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// mode is who decides what plays, the weightiest last.
type mode uint8

const (
	modeNone mode = iota
	modeIdle
	modeState
	modeCue
	modeHold
)

// director decides which clip plays: what the body imposes, else a cue, else the state of the talk, else idling.
type director struct {
	hold     string
	opts     HoldOpts
	restart  bool
	state    string
	cue      string
	cueStage int
	next     string // cue that waits for her to wake

	mode     mode
	id       string  // what mode plays: the id as asked for
	loops    int     // cycles after which a loop gives way
	last     string  // last fidget, never the same twice
	lively   float32 // seconds since the last lively idle
	playing  *clip
	phase    string // of the held clip, as it plays now
	phaseEnd float32
	avoid    []string
}

// The stages of the sleeping cue.
const (
	cuePlain = iota
	cueLying
	cueSleeping
	cueWaking
)

// Hold imposes a clip or pool, as the body wants it; it may be called every frame and starts anew only for another id,
// another side, another phase or Restart. The empty id sets her free. A one-shot waits at its end.
// An id that is not loaded lets her idle in that place.
func (p *Player) Hold(id string, o HoldOpts) {
	d := &p.dir
	if id != d.hold || o.Mirror != d.opts.Mirror || o.Restart {
		d.restart = true
	}
	if id != "" && id != d.hold {
		d.cue, d.next = "", "" // the body has taken over; a gesture does not come back after it
	}
	d.hold, d.opts = id, o
}

// State sets what she does while the talk goes on: "thinking", "listening", "talk" (both talking clips in turn),
// "head_pat" while the pointer strokes her, or "" for nothing.
func (p *Player) State(id string) {
	d := &p.dir
	if id == d.state {
		return
	}
	d.state = id
	if d.cue == "sleeping" && d.cueStage != cueWaking && id != "" && id != "talk" {
		p.wake("")
	}
}

// Cue plays a motion once (dance four cycles; sleeping until something else comes). It is false, and the cue is
// dropped, while the body holds a clip, for an id that is no gesture or not loaded, and against a weightier cue.
func (p *Player) Cue(motion string) bool {
	d := &p.dir
	r := ruleOf(motion)
	if d.hold != "" || p.lib.first(motion) == nil || r.id != motion || r.kind != OneShot && motion != "head_pat" {
		return false
	}
	if d.cue != "" && r.priority < ruleOf(d.cue).priority {
		return false
	}
	if d.cue == "sleeping" && motion != "surprised" {
		if motion != "sleeping" {
			p.wake(motion)
		}
		return true
	}
	d.start(motion)
	return true
}

func (d *director) start(motion string) {
	d.cue, d.cueStage, d.next = motion, cuePlain, ""
	if motion == "sleeping" {
		d.cueStage = cueLying
	}
	if d.mode == modeCue {
		d.mode = modeNone
	}
}

// wake ends the sleeping cue by its own clip; then comes next.
func (p *Player) wake(next string) {
	d := &p.dir
	d.next = next
	if d.cueStage == cueWaking {
		return
	}
	d.cueStage = cueWaking
	if p.lib.clips["bed_wake"] != nil && d.mode == modeCue {
		p.play("bed_wake", 0, 0, false)
	}
}

// Avoid keeps clips out of idling and of pools, by their own names ("lively_hop"). It replaces an earlier list.
func (p *Player) Avoid(clips ...string) { p.dir.avoid = slices.Clone(clips) }

// Current returns the motion id that plays, as `yui state` tells it: "idle", "walk", "window_sit", "dance" …
func (p *Player) Current() string {
	d := &p.dir
	switch d.mode {
	case modeHold:
		return d.id
	case modeCue:
		if d.cueStage != cuePlain && d.playing != nil {
			return d.playing.id
		}
		return d.id
	case modeState:
		if d.playing != nil {
			return d.playing.id
		}
	}
	return "idle"
}

// Clip returns the clip that plays on top: of a pool, which one. "" before the first Step.
func (p *Player) Clip() string {
	if p.dir.playing == nil {
		return ""
	}
	return p.dir.playing.id
}

// Busy says that a gesture plays or that a held one-shot has not ended.
func (p *Player) Busy() bool {
	if p.dir.hold != "" {
		return !p.HoldDone() && p.dir.playing != nil && !p.dir.playing.loop
	}
	return p.dir.cue != ""
}

// HoldDone says that a held one-shot, or the phase it was held for, has reached its end. Loops and "hold" never do.
func (p *Player) HoldDone() bool {
	d := &p.dir
	l := p.mix.top()
	if d.hold == "" || d.restart || d.mode != modeHold || d.id != d.hold || l == nil || l.clip == nil || l.clip.loop {
		return false
	}
	if d.phase == "" {
		return l.t >= l.end
	}
	return (d.opts.Phase == d.phase || d.opts.Phase == "") && d.phase != "hold" && l.t >= d.phaseEnd
}

// direct chooses what plays for the next dt seconds.
func (p *Player) direct(dt float32, reduced bool) {
	d := &p.dir
	d.lively += dt
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

// enter switches to another mode or id and says whether that is new.
func (d *director) enter(m mode, id string) bool {
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
	pool := variants(d.hold)
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
		return
	}
	if !fresh && c.loop && p.mix.top().clip == c {
		p.mix.top().rate = d.opts.rate()
	}
	if fresh {
		d.phase = ""
		at := c.rule.start
		if d.hold == "walk" && p.rng.IntN(2) == 0 {
			at += c.dur / 2 // either foot may go first
		}
		p.play(d.hold, at, float32(d.opts.Fade.Seconds()), d.opts.Mirror)
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
		want = "enter"
	}
	span, ok := c.info.Phases[want]
	from, to := float32(span[0].Seconds()), float32(span[1].Seconds())
	if !ok {
		from, to = 0, c.dur
	}
	holds := c.rule.holdTo > 0
	l := p.mix.top()
	switch {
	case fresh && want == "enter" && from == 0 && d.opts.Fade == 0 && holds:
		p.cut(c, d.opts.Mirror) // she starts out of sight
	case fresh:
		p.play(c.id, from, float32(d.opts.Fade.Seconds()), d.opts.Mirror)
	case want == d.phase, want == "hold" && d.phase == "enter": // from enter she gets there by herself
	case l.t < from-.05 || l.t > to:
		p.play(c.id, from, .2, d.opts.Mirror)
	}
	d.phase, d.phaseEnd = want, to
	l = p.mix.top()
	switch {
	case holds && (want == "enter" || want == "hold"):
		l.end = c.rule.holdTo
		if l.t >= l.end {
			p.play(c.id, c.rule.holdFrom, .7, d.opts.Mirror)
			p.mix.top().end = c.rule.holdTo
		}
	case want == "leave" || !ok || d.opts.Phase == "":
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
		pool := variants(d.cue)
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

// runSleep leads the sleeping cue through lying down, sleeping and waking, each where its clip is loaded.
func (p *Player) runSleep(fresh bool) {
	d := &p.dir
	if fresh {
		if d.cueStage == cueLying && p.lib.clips["bed_lie"] != nil {
			p.play("bed_lie", 0, 0, false)
			return
		}
		if d.cueStage == cueWaking { // woken before she ever lay down
			p.endCue()
			return
		}
		d.cueStage = cueSleeping
		p.play("sleeping", 0, 0, false)
		return
	}
	l := p.mix.top()
	switch {
	case d.cueStage == cueLying && l.done():
		d.cueStage = cueSleeping
		p.play("sleeping", 0, .3, false)
	case d.cueStage == cueWaking && (d.playing == nil || d.playing.id != "bed_wake" || l.done()):
		p.endCue()
	}
}

func (p *Player) runState() {
	d := &p.dir
	fresh := d.enter(modeState, d.state)
	pool := variants(d.state)
	switch {
	case pool == nil && fresh:
		p.play(d.state, 0, 0, false)
	case pool != nil && (fresh || p.mix.top().done()):
		p.play(p.pick(pool, true), 0, 0, false)
	}
}

// livelyEvery is the least time between two lively idle motions, in seconds.
const livelyEvery = 20

// runIdle breathes two to four times, then plays another of the pool, a lively one at most every twenty seconds.
func (p *Player) runIdle(reduced bool) {
	d := &p.dir
	fresh := d.enter(modeIdle, "idle")
	l := p.mix.top()
	if !fresh && l.clip != nil && l.cycles < d.loops && (l.clip.loop || !l.done()) {
		return
	}
	breathe := variants("idle")[0]
	has := p.lib.clips[breathe] != nil
	if fresh || d.playing == nil || d.playing.id != breathe && has {
		d.loops = 2 + p.rng.IntN(3)
		if !has {
			breathe = p.pick(variants("idle"), true)
		}
		p.play(breathe, 0, 0, false)
		return
	}
	d.loops = 1
	id := ""
	if !reduced {
		if d.lively >= livelyEvery && p.rng.IntN(5) < 2 {
			id = p.pick(variants("idle_lively"), false)
		}
		if id == "" {
			id = p.pick(variants("idle")[1:], false)
		}
	}
	if id == "" {
		d.loops = 2 + p.rng.IntN(3)
		l.cycles = 0
		if l.clip == nil || !l.clip.loop {
			p.play(breathe, 0, 0, false)
		}
		return
	}
	p.play(id, 0, 0, false)
	if d.playing.group == "idle_lively" {
		d.lively = 0
	}
}

// pick chooses a loaded clip of a pool that is not avoided, never the one that came last where there is another, ""
// where there is none. must takes an avoided one rather than none.
func (p *Player) pick(pool []string, must bool) string {
	var fit [8]string
	n := 0
	for _, id := range pool {
		if n < len(fit) && p.lib.clips[id] != nil && !slices.Contains(p.dir.avoid, id) {
			fit[n] = id
			n++
		}
	}
	if n == 0 && must { // everything is avoided: better one of those than none
		for _, id := range pool {
			if n < len(fit) && p.lib.clips[id] != nil {
				fit[n] = id
				n++
			}
		}
	}
	if n > 1 {
		if i := slices.Index(fit[:n], p.dir.last); i >= 0 {
			fit[i] = fit[n-1]
			n--
		}
	}
	if n == 0 {
		return ""
	}
	id := fit[p.rng.IntN(n)]
	p.dir.last = id
	return id
}

// play starts a clip with the crossfade that both sides ask for.
func (p *Player) play(id string, at, fade float32, mirror bool) {
	c := p.lib.clips[id]
	if c == nil {
		c = p.rest
	}
	if fade <= 0 {
		fade = p.fade(c)
	}
	if l := p.mix.top(); l != nil && l.clip != nil && l.clip.rule.hides && l.t >= l.clip.dur-.1 && c != l.clip {
		p.cut(c, mirror) // she was out of sight; gliding out from there would look odd
		p.mix.top().t = at
		return
	}
	p.dir.playing = c
	p.mix.play(c, at, fade, mirror)
}

func (p *Player) fade(c *clip) float32 {
	l := p.mix.top()
	if l == nil || l.clip == nil {
		return c.rule.enter
	}
	if c.group != "idle" {
		return c.rule.enter
	}
	if !l.clip.loop && l.t < l.end {
		return max(l.clip.rule.leave, .3) // cut off in the middle: farther from standing than its end
	}
	return l.clip.rule.leave
}

// restClip stands in where no idle clip is loaded: arms down instead of the T of the rest pose.
func restClip() *clip {
	c := &clip{id: "idle", group: "idle", dur: 4, loop: true, rule: ruleOf("idle")}
	c.rule.breathes = false
	c.info = Info{Duration: 4 * time.Second, Loop: true}
	for _, k := range []struct {
		bone vrm.Bone
		turn geom.Quat
	}{
		{vrm.LeftUpperArm, geom.Euler(0, 0, -64*rad)}, {vrm.RightUpperArm, geom.Euler(0, 0, 64*rad)},
		{vrm.LeftLowerArm, geom.Euler(0, -12*rad, 0)}, {vrm.RightLowerArm, geom.Euler(0, 12*rad, 0)},
	} {
		q := k.turn
		c.bones = append(c.bones, boneCurve{k.bone, &curve{width: 4, times: []float32{0}, vals: q[:]}})
	}
	return c
}
