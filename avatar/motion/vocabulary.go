package motion

import "yui/avatar/clips"

// Kind says what may start and end a motion.
type Kind int

// The kinds of docs/rules/avatar.md#motions. A transition leads from one posture to another.
const (
	Ambient Kind = iota
	Reactive
	State
	OneShot
	Transition
)

// motionRule is one row of the vocabulary: how a motion id behaves.
type motionRule struct {
	id         clips.ID
	group      clips.Group
	kind       Kind
	loop       bool // default for files without our extras
	priority   int
	selectable bool
	cycles     int // how often a looping clip of a one-shot id plays; 0 = until replaced
	// enter and leave are the crossfades in seconds (docs/rules/avatar.md#crossfades).
	enter, leave float32
	// gaze is how far the eyes and head may follow the pointer over this clip (0..1).
	gaze float32
	// breathes says that the clip has its own breath, so none is added.
	breathes bool
	// hanging says that there is no floor under the tails (air, wall); edge that there is one behind the window's face.
	hanging, edge bool
	// flight says that what rises over 0.03 H is a jump, which does not grow with the legs.
	flight bool
	// start is where the clip is entered from standing.
	start float32
	// holdFrom and holdTo bound what the phase "hold" repeats.
	holdFrom, holdTo float32
	// asleep says that the clip's face stays whatever the emotion: shut eyes.
	asleep bool
	// hides says that the clip starts and ends out of sight.
	hides bool
}

// vocabulary lists every motion id, the pools first by name and then their clips.
func vocabulary() []motionRule { return rules[:] }

// rules is the table of docs/rules/avatar.md#motions and docs/rules/avatar.md#motions with the crossfades of the motion study.
var rules = [...]motionRule{
	{id: clips.Happy, group: clips.GroupEmotion, kind: OneShot, priority: 70, selectable: true, enter: .15, leave: .15, gaze: .5},
	{id: clips.Laugh, group: clips.GroupEmotion, kind: OneShot, priority: 70, selectable: true, enter: .15, leave: .15, gaze: .3},
	{id: clips.Embarrassed, group: clips.GroupEmotion, kind: OneShot, priority: 70, selectable: true, enter: .15, leave: .15, gaze: .2},
	{id: clips.Sheepish, group: clips.GroupEmotion, kind: OneShot, priority: 70, selectable: true, enter: .15, leave: .15, gaze: .4},
	{id: clips.Calm, group: clips.GroupEmotion, kind: OneShot, loop: true, cycles: 1, priority: 70, selectable: true, enter: .5, leave: .5, gaze: .4, breathes: true},
	{id: clips.Sleeping, group: clips.GroupSleep, kind: OneShot, loop: true, priority: 70, selectable: true, enter: .6, leave: .3, breathes: true, asleep: true},
	{id: clips.IdleLively, group: clips.GroupIdleLively, kind: OneShot, priority: 70, selectable: true, enter: .15, leave: .15, gaze: .3},
	{id: clips.Dance, group: clips.GroupDance, kind: OneShot, loop: true, cycles: 4, priority: 70, selectable: true, enter: .2, leave: .3, gaze: .2},
	{id: clips.Sulk, group: clips.GroupEmotion, kind: OneShot, loop: true, cycles: 1, priority: 70, selectable: true, enter: .3, leave: .3},
	{id: clips.Surprised, group: clips.GroupEmotion, kind: OneShot, priority: 70, selectable: true, enter: .04, leave: .15, gaze: .5},

	{id: clips.Idle, group: clips.GroupIdle, kind: Ambient, loop: true, enter: .15, leave: .3, gaze: 1, breathes: true},
	{id: clips.WindowSit, group: clips.GroupWindowSit, kind: State, loop: true, priority: 55, enter: .3, leave: .3, gaze: .8, edge: true},
	{id: clips.Thinking, group: clips.GroupThinking, kind: State, loop: true, priority: 50, enter: .35, leave: .3, gaze: .25},
	{id: clips.Listening, group: clips.GroupListening, kind: State, loop: true, priority: 50, enter: .3, leave: .3, gaze: .9},
	{id: clips.Talk, group: clips.GroupTalk, kind: State, loop: true, priority: 50, enter: .25, leave: .25, gaze: .8},
	{id: clips.Peek, group: clips.GroupPeek, kind: State, priority: 55, enter: .15, leave: .3, gaze: .5, holdFrom: 1.9, holdTo: 3.7, hides: true},
	{id: clips.Drag, group: clips.GroupDrag, kind: Reactive, loop: true, priority: 80, enter: .12, leave: .1, hanging: true},
	{id: clips.Falling, group: clips.GroupFall, kind: Reactive, loop: true, priority: 78, enter: .15, leave: .05, hanging: true},
	{id: clips.Landing, group: clips.GroupFall, kind: OneShot, priority: 78, enter: .04, leave: .15},
	{id: clips.Jump, group: clips.GroupJump, kind: OneShot, priority: 45, enter: .1, leave: .15, flight: true},
	{id: clips.Walk, group: clips.GroupWalk, kind: Reactive, loop: true, priority: 45, enter: .15, leave: .2, gaze: .3, start: .24},
	{id: clips.SitDown, group: clips.GroupSit, kind: Transition, priority: 55, enter: .15, leave: .3, edge: true},
	{id: clips.StandUp, group: clips.GroupSit, kind: Transition, priority: 55, enter: .2, leave: .15, edge: true},
	{id: clips.ClimbUp, group: clips.GroupClimb, kind: Reactive, loop: true, priority: 78, enter: .25, leave: .15, hanging: true},
	{id: clips.ClimbDown, group: clips.GroupClimb, kind: Reactive, loop: true, priority: 78, enter: .25, leave: .15, hanging: true},
	{id: clips.ClimbUpDone, group: clips.GroupClimb, kind: OneShot, priority: 78, enter: .15, leave: .1, hanging: true},
	{id: clips.ClimbDownLanding, group: clips.GroupClimb, kind: OneShot, priority: 78, enter: .15, leave: .15, hanging: true},
	{id: clips.HeadPat, group: clips.GroupPat, kind: Reactive, loop: true, cycles: 1, priority: 60, enter: .25, leave: .4},
	{id: clips.BedLie, group: clips.GroupSleep, kind: Transition, priority: 70, enter: .15, leave: .3, asleep: true},
	{id: clips.BedSleep, group: clips.GroupSleep, kind: State, loop: true, priority: 70, enter: .3, leave: .3, breathes: true, asleep: true},
	{id: clips.BedWake, group: clips.GroupSleep, kind: Transition, priority: 70, enter: .2, leave: .15, asleep: true},
}

// ruleOf returns the rule of a motion id or of the pool that holds that clip. Unknown ids behave as plain one-shots.
func ruleOf(id clips.ID) motionRule {
	if pool := clips.PoolOf(id); pool != "" {
		r := ruleOf(pool)
		tune(id, &r)
		return r
	}
	for _, r := range rules {
		if r.id == id {
			return r
		}
	}
	return motionRule{id: id, kind: OneShot, priority: 70, enter: .15, leave: .15, gaze: .3}
}

// tune sets what one clip of a pool does otherwise than the pool.
func tune(id clips.ID, r *motionRule) {
	switch id {
	case clips.IdleLook, clips.SitChin:
		r.gaze = .25
	case clips.IdleStretch, clips.LivelyStretch:
		r.gaze = .15
	case clips.LivelyHop:
		r.flight = true
	}
	if id == clips.IdleLook || id == clips.IdleStretch {
		r.loop = false
	}
}
