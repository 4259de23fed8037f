package motion

import (
	"slices"
	"time"

	"yui/avatar/clips"
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

// director decides which clip plays: what the body imposes, otherwise a cue, otherwise the state of the talk, otherwise idling.
type director struct {
	hold     clips.ID
	opts     HoldOpts
	restart  bool
	state    clips.ID
	cue      clips.ID
	cueStage int
	next     clips.ID // cue that waits for her to wake

	mode     mode
	id       clips.ID // what mode plays: the id as asked for
	loops    int      // cycles after which a loop gives way
	last     clips.ID // last fidget, never the same twice
	lively   float32  // seconds since the last lively idle
	stood    float32  // seconds since an idle that does not repeat has ended
	pause    float32  // how long she then stands if idle_breathe is avoided
	playing  *clip
	phase    clips.Phase // of the held clip, as it plays now
	phaseEnd float32
	avoid    []clips.ID
}

// The stages of the sleeping cue.
const (
	cuePlain = iota
	cueLying
	cueSleeping
	cueWaking
)

// Hold imposes a clip or pool, as the body wants it; it may be called every frame and starts again only for another id,
// another side, another phase or Restart. The empty id sets her free. A one-shot waits at its end.
// An id that is not loaded lets her idle in that place.
func (p *Player) Hold(id clips.ID, o HoldOpts) {
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
func (p *Player) State(id clips.ID) {
	d := &p.dir
	if id == d.state {
		return
	}
	d.state = id
	if d.cue == clips.Sleeping && d.cueStage != cueWaking && id != "" && id != clips.Talk {
		p.wake("")
	}
}

// Cue plays a motion once (dance four cycles; sleeping until something else comes). It is false, and the cue is
// dropped, while the body holds a clip, for an id that is no gesture or not loaded, and against a weightier cue.
func (p *Player) Cue(motion clips.ID) bool {
	d := &p.dir
	r := ruleOf(motion)
	if d.hold != "" || p.lib.first(motion) == nil || r.id != motion || r.kind != OneShot && motion != clips.HeadPat {
		return false
	}
	if d.cue != "" && r.priority < ruleOf(d.cue).priority {
		return false
	}
	if d.cue == clips.Sleeping && motion != clips.Surprised {
		if motion != clips.Sleeping {
			p.wake(motion)
		}
		return true
	}
	d.start(motion)
	return true
}

func (d *director) start(motion clips.ID) {
	d.cue, d.cueStage, d.next = motion, cuePlain, ""
	if motion == clips.Sleeping {
		d.cueStage = cueLying
	}
	if d.mode == modeCue {
		d.mode = modeNone
	}
}

// wake ends the sleeping cue by its own clip; then comes next.
func (p *Player) wake(next clips.ID) {
	d := &p.dir
	d.next = next
	if d.cueStage == cueWaking {
		return
	}
	d.cueStage = cueWaking
	if p.lib.clips[clips.BedWake] != nil && d.mode == modeCue {
		p.play(clips.BedWake, 0, 0, false)
	}
}

// Avoid keeps clips out of idling and of pools, by their own names ("lively_hop"). It replaces an earlier list.
func (p *Player) Avoid(ids ...clips.ID) { p.dir.avoid = slices.Clone(ids) }

// Current returns the motion id that plays, as `yui state` tells it: "idle", "walk", "window_sit", "dance" …
func (p *Player) Current() clips.ID {
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
	return clips.Idle
}

// Clip returns the clip that plays on top: of a pool, which one. "" before the first Step.
func (p *Player) Clip() clips.ID {
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
	return (d.opts.Phase == d.phase || d.opts.Phase == "") && d.phase != clips.PhaseHold && l.t >= d.phaseEnd
}

// pick chooses a loaded clip of a pool that is not avoided, never the one that came last if there is another, ""
// if there is none. must takes an avoided one rather than none.
func (p *Player) pick(pool []clips.ID, must bool) clips.ID {
	var fit [8]clips.ID
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

// offers reports whether a pool has a loaded clip that is not avoided.
func (p *Player) offers(pool []clips.ID) bool {
	return slices.ContainsFunc(pool, func(id clips.ID) bool { return p.lib.clips[id] != nil && !slices.Contains(p.dir.avoid, id) })
}

// play starts a clip with the crossfade that both sides ask for.
func (p *Player) play(id clips.ID, at, fade float32, mirror bool) {
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
	if c.group != clips.GroupIdle {
		return c.rule.enter
	}
	if !l.clip.loop && l.t < l.end {
		return max(l.clip.rule.leave, .3) // cut off in the middle: farther from standing than its end
	}
	return l.clip.rule.leave
}

// restClip stands in if no idle clip is loaded: arms down instead of the T of the rest pose.
func restClip() *clip {
	c := &clip{id: clips.Idle, group: clips.GroupIdle, dur: 4, loop: true, rule: ruleOf(clips.Idle)}
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
