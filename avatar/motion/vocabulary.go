package motion

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
	id         string
	group      string
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
	{id: "happy", group: "emotion", kind: OneShot, priority: 70, selectable: true, enter: .15, leave: .15, gaze: .5},
	{id: "laugh", group: "emotion", kind: OneShot, priority: 70, selectable: true, enter: .15, leave: .15, gaze: .3},
	{id: "embarrassed", group: "emotion", kind: OneShot, priority: 70, selectable: true, enter: .15, leave: .15, gaze: .2},
	{id: "sheepish", group: "emotion", kind: OneShot, priority: 70, selectable: true, enter: .15, leave: .15, gaze: .4},
	{id: "calm", group: "emotion", kind: OneShot, loop: true, cycles: 1, priority: 70, selectable: true, enter: .5, leave: .5, gaze: .4, breathes: true},
	{id: "sleeping", group: "sleep", kind: OneShot, loop: true, priority: 70, selectable: true, enter: .6, leave: .3, breathes: true, asleep: true},
	{id: "idle_lively", group: "idle_lively", kind: OneShot, priority: 70, selectable: true, enter: .15, leave: .15, gaze: .3},
	{id: "dance", group: "dance", kind: OneShot, loop: true, cycles: 4, priority: 70, selectable: true, enter: .2, leave: .3, gaze: .2},
	{id: "sulk", group: "emotion", kind: OneShot, loop: true, cycles: 1, priority: 70, selectable: true, enter: .3, leave: .3},
	{id: "surprised", group: "emotion", kind: OneShot, priority: 70, selectable: true, enter: .04, leave: .15, gaze: .5},

	{id: "idle", group: "idle", kind: Ambient, loop: true, enter: .15, leave: .3, gaze: 1, breathes: true},
	{id: "window_sit", group: "window_sit", kind: State, loop: true, priority: 55, enter: .3, leave: .3, gaze: .8, edge: true},
	{id: "thinking", group: "thinking", kind: State, loop: true, priority: 50, enter: .35, leave: .3, gaze: .25},
	{id: "listening", group: "listening", kind: State, loop: true, priority: 50, enter: .3, leave: .3, gaze: .9},
	{id: "talk", group: "talk", kind: State, loop: true, priority: 50, enter: .25, leave: .25, gaze: .8},
	{id: "peek", group: "peek", kind: State, priority: 55, enter: .15, leave: .3, gaze: .5, holdFrom: 1.9, holdTo: 3.7, hides: true},
	{id: "drag", group: "drag", kind: Reactive, loop: true, priority: 80, enter: .12, leave: .1, hanging: true},
	{id: "falling", group: "fall", kind: Reactive, loop: true, priority: 78, enter: .15, leave: .05, hanging: true},
	{id: "landing", group: "fall", kind: OneShot, priority: 78, enter: .04, leave: .15},
	{id: "jump", group: "jump", kind: OneShot, priority: 45, enter: .1, leave: .15, flight: true},
	{id: "walk", group: "walk", kind: Reactive, loop: true, priority: 45, enter: .15, leave: .2, gaze: .3, start: .24},
	{id: "sit_down", group: "sit", kind: Transition, priority: 55, enter: .15, leave: .3, edge: true},
	{id: "stand_up", group: "sit", kind: Transition, priority: 55, enter: .2, leave: .15, edge: true},
	{id: "climb_up", group: "climb", kind: Reactive, loop: true, priority: 78, enter: .25, leave: .15, hanging: true},
	{id: "climb_down", group: "climb", kind: Reactive, loop: true, priority: 78, enter: .25, leave: .15, hanging: true},
	{id: "climb_up_done", group: "climb", kind: OneShot, priority: 78, enter: .15, leave: .1, hanging: true},
	{id: "climb_down_landing", group: "climb", kind: OneShot, priority: 78, enter: .15, leave: .15, hanging: true},
	{id: "head_pat", group: "pat", kind: Reactive, loop: true, cycles: 1, priority: 60, enter: .25, leave: .4},
	{id: "bed_lie", group: "sleep", kind: Transition, priority: 70, enter: .15, leave: .3, asleep: true},
	{id: "bed_sleep", group: "sleep", kind: State, loop: true, priority: 70, enter: .3, leave: .3, breathes: true, asleep: true},
	{id: "bed_wake", group: "sleep", kind: Transition, priority: 70, enter: .2, leave: .15, asleep: true},
}

// pools name the clips behind one motion id, in the order of the motion study.
var pools = [...]struct {
	id    string
	clips []string
}{
	{"idle", []string{"idle_breathe", "idle_shift", "idle_look", "idle_stretch"}},
	{"idle_lively", []string{"lively_wave", "lively_stretch", "lively_twirl", "lively_hop", "lively_ear"}},
	{"window_sit", []string{"sit_legs", "sit_lean", "sit_chin", "sit_hum"}},
	{"dance", []string{"dance_step", "dance_spin", "dance_sway"}},
	{"talk", []string{"talk_a", "talk_b"}},
}

// variants returns the clips of a pool, nil for an id that is no pool.
func variants(id string) []string {
	for i := range pools {
		if pools[i].id == id {
			return pools[i].clips
		}
	}
	return nil
}

// ruleOf returns the rule of a motion id or of the pool that holds that clip. Unknown ids behave as plain one-shots.
func ruleOf(id string) motionRule {
	for i := range pools {
		for _, c := range pools[i].clips {
			if c == id {
				r := ruleOf(pools[i].id)
				tune(id, &r)
				return r
			}
		}
	}
	for _, r := range rules {
		if r.id == id {
			return r
		}
	}
	return motionRule{id: id, kind: OneShot, priority: 70, enter: .15, leave: .15, gaze: .3}
}

// tune sets what one clip of a pool does otherwise than the pool.
func tune(clip string, r *motionRule) {
	switch clip {
	case "idle_look", "sit_chin":
		r.gaze = .25
	case "idle_stretch", "lively_stretch":
		r.gaze = .15
	case "lively_hop":
		r.flight = true
	}
	if clip == "idle_look" || clip == "idle_stretch" {
		r.loop = false
	}
}
