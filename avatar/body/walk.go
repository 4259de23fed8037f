package body

import (
	"math"
	"time"

	"yui/avatar/clips"
)

// after is what follows a walk.
type after int

const (
	thenStand after = iota
	thenSit
	thenFall // she walks over the end
	thenClimb
	thenDescend
	thenJump
)

// allowed reports whether the switches let her walk for that reason.
func (a after) allowed(c *Config) bool {
	switch a {
	case thenClimb, thenDescend:
		return c.Climb.On
	}
	return c.Walk.On
}

// walk is one walk under way: the root goes to x = to.
type walk struct {
	to      float64
	way     float64 // -1 left, 1 right
	after   after
	face    float64 // what she turns to at the goal: -1 left, 0 the viewer, 1 right
	braking bool
	over    bool    // she is past the end of what carried her
	spent   float64 // seconds walked
}

// walking is every walk: strolls on the floor and along a perch, and the ways to a wall, a leap or over an end.
type walking struct {
	*Body
	still
	walk walk
}

func (b *walking) step(now time.Time, dt float64) {
	switch {
	case b.mode == modeWalk:
		b.stride(now, dt)
	case b.turn == b.walk.face:
		b.faced(now)
	}
}

func (b *walking) leave(to mode) {
	if b.mode == modeWalk && to != modeWalk {
		b.emit(EventWalkEnd)
	}
}

func (b *walking) configured(now time.Time) {
	if b.cfg.ReducedMotion || !b.walk.after.allowed(&b.cfg) {
		b.end(now)
	}
}

// gated ends a walk if a motion takes the body, or if she is hidden.
func (b *walking) gated(now time.Time) {
	if b.gates.Motion || b.gates.Hidden {
		b.end(now)
	}
}

func (b *walking) facing() float64 {
	if b.mode == modeFace {
		return b.walk.face
	}
	return 0
}

func (b *walking) moving() bool { return b.mode == modeWalk || b.facing() != 0 }

// through reports that she does not turn to the viewer at the goal: she goes on the way she faces.
func (w *walk) through() bool { return w.after == thenFall || w.face == w.way }

// overEnd reports whether she is walking on air already.
func (w *walk) overEnd(m mode) bool { return m == modeWalk && w.over }

// onWay reports whether she walks or turns to what she walked to.
func (b *walking) onWay() bool { return b.mode == modeWalk || b.mode == modeFace }

// canStroll reports whether nothing speaks against a walk of her own now.
func (b *walking) canStroll() bool { return b.cfg.Walk.On && b.canWalk() }

// canWalk is canStroll for a walk that has a reason: the setting is about strolls.
func (b *walking) canWalk() bool {
	return !b.cfg.ReducedMotion && !b.gates.Motion && !b.gates.Hidden &&
		b.clips.WalkSpeed > 0 && b.shape.Unit > 0 && b.cmd == nil && !b.sleeping.under()
}

// strollOnFloor begins a walk of docs/rules/body.md#floor-walk, or waits for the next turn.
func (b *walking) strollOnFloor(now time.Time) {
	m := b.ground()
	if m == nil || !b.canStroll() || !b.grounded || math.Abs(b.root.Y-m.floor()) > b.px(b.cfg.Walk.FloorSlack) {
		b.standing.arm(now)
		return
	}
	r := b.desk.floorRange(m, b.root.X, b.shape.Box)
	least := b.px(b.cfg.Walk.Distance.Min)
	if r.hi-r.lo < least {
		b.standing.arm(now)
		return
	}
	distance := b.px(b.dice.within(b.cfg.Walk.Distance))
	way := b.dice.either()
	to := clamp(b.root.X+way*distance, r.lo, r.hi)
	if (to-b.root.X)*way < least/2 { // hardly any way to go on this side
		way = -way
		to = clamp(b.root.X+way*distance, r.lo, r.hi)
	}
	if (to-b.root.X)*way <= 0 {
		b.standing.arm(now)
		return
	}
	if over, ok := b.descent(m, r, to, way); ok {
		b.start(over, now)
		return
	}
	b.start(walk{to: to, way: way, after: thenStand}, now)
}

// descent returns the walk that leads to a lower monitor, if the stroll reached the end of this one and the dice say
// so: over the end, or down its wall.
func (b *walking) descent(m *Monitor, r walkable, to, way float64) (walk, bool) {
	end, root := r.hi+b.shape.Box.Right(), r.hi
	if way < 0 {
		end, root = r.lo+b.shape.Box.X, r.lo
	}
	if to != root {
		return walk{}, false
	}
	beyond := end + way*(b.shape.HalfWidth+1)
	o := b.desk.monitorAt(Point{beyond, m.floor() - 1})
	steps := o != nil && o != m && o.floor() >= m.floor()+b.cfg.Fall.Least*b.shape.Height
	w, climbs := b.climbing.screenWallDown(m, o, end, way)
	steps, climbs = steps && b.cfg.Fall.On, climbs && b.climbing.can()
	if !steps && !climbs || b.dice.Float64() >= b.cfg.Walk.DescendChance {
		return walk{}, false
	}
	if climbs && (!steps || b.dice.Float64() < b.cfg.Climb.DownChance) {
		b.climbing.climb = climb{wall: w, down: true}
		return b.goTo(b.climbing.onTop(&w), w.way, thenDescend), true
	}
	return walk{to: beyond, way: way, after: thenFall}, true
}

// edge returns the ledge that carries her, cut off at the sides of her monitor.
func (b *walking) edge() (stretch, bool) {
	i := b.desk.window(b.host.id)
	if i < 0 {
		return stretch{}, false
	}
	s, ok := b.desk.ledge(i, b.root.X, b.px(b.cfg.Stroll.LevelSlack))
	if m := b.desk.monitorAt(b.root); m != nil {
		s.lo, s.hi = max(s.lo, m.Rect.X), min(s.hi, m.Rect.Right())
	}
	return s, ok
}

// inner is the ledge less the margins she keeps from its ends.
func (b *walking) inner(s stretch) stretch {
	m := b.cfg.Stroll.EdgeMargin * b.shape.Height
	return stretch{s.lo + m, s.hi - m}
}

// along picks a place on the ledge about distance away; ok is false if there is none at least least away.
func (b *walking) along(distance, least float64) (to, way float64, ok bool) {
	s, ok := b.edge()
	in := b.inner(s)
	if !ok || in.lo > in.hi {
		return 0, 0, false
	}
	way = b.dice.either()
	for range 2 {
		to = clamp(b.root.X+way*distance, in.lo, in.hi)
		if (to-b.root.X)*way >= least {
			return to, way, true
		}
		way = -way
	}
	return 0, 0, false
}

// settleOnLedge lets her walk a short way on the window she stands on and sit down.
func (b *walking) settleOnLedge(now time.Time) {
	if b.gates.Motion {
		b.standing.arm(now)
		return
	}
	if b.canStroll() {
		least := b.px(b.cfg.Stroll.Distance.Min)
		if to, way, ok := b.along(least*(1+b.dice.Float64()), least/2); ok {
			b.start(walk{to: to, way: way, after: thenSit}, now)
			return
		}
	}
	b.perching.start(0, now)
}

// strollOnPerch begins a perched stroll of docs/rules/body.md#perched-stroll: she stands up, walks along the ledge, sits down again, or
// now and then walks off its nearer end.
func (b *walking) strollOnPerch(now time.Time) {
	if !b.canStroll() || b.gates.Pipeline || !b.host.bad.IsZero() || !b.roomAbove(b.root, b.shape.Height) {
		b.standing.arm(now)
		return
	}
	plan, ok := b.jumping.plan()
	if !ok {
		plan, ok = b.planStepOff()
	}
	if !ok {
		least := b.px(b.cfg.Stroll.Distance.Min)
		var to, way float64
		if to, way, ok = b.along(b.px(b.dice.within(b.cfg.Stroll.Distance)), least); ok {
			plan = walk{to: to, way: way, after: thenSit}
		}
	}
	if !ok {
		b.standing.arm(now)
		return
	}
	b.walk = plan
	if b.clips.Sit.Up <= 0 {
		b.start(b.walk, now)
		return
	}
	b.enter(modeStandUp, clips.StandUp, b.clips.Sit.Up, now)
}

func (b *walking) planStepOff() (walk, bool) {
	s, ok := b.edge()
	if !ok || !b.cfg.Fall.On || b.dice.Float64() >= b.cfg.Stroll.StepOff {
		return walk{}, false
	}
	w := walk{to: s.hi + b.shape.HalfWidth, way: 1, after: thenFall}
	if b.root.X-s.lo < s.hi-b.root.X {
		w.to, w.way = s.lo-b.shape.HalfWidth, -1
	}
	return w, b.desk.monitorAt(Point{w.to, b.root.Y}) != nil
}

// start begins a walk.
func (b *walking) start(w walk, now time.Time) {
	w.braking, w.over, w.spent = false, false, 0
	b.walk = w
	b.enter(modeWalk, clips.Walk, 0, now)
	b.emit(EventWalkStart)
}

// stopWay is how far she still goes while turning back from turn u to the front, in walking seconds.
func (b *walking) stopWay(u float64) float64 {
	const steps = 16
	sum := 0.0
	for i := range steps {
		sum += math.Sin(math.Pi / 2 * smooth(u*(float64(i)+0.5)/steps))
	}
	return sum / steps * u * b.cfg.Walk.TurnTime.Seconds()
}

// stride moves her on. Her speed is that of the clip in the direction she faces, so that the feet do not slide while
// she turns into the walk and out of it.
func (b *walking) stride(now time.Time, dt float64) {
	w := &b.walk
	if b.host.id != 0 && !w.over && !b.carried(now) {
		return
	}
	w.spent += dt
	speed := b.clips.WalkSpeed * b.shape.Unit
	left := (w.to - b.root.X) * w.way
	stop := b.stopWay(math.Abs(b.turn)) * speed
	turn := dt / b.cfg.Walk.TurnTime.Seconds()
	if !w.through() && left <= stop {
		w.braking = true
	}
	if w.braking {
		b.turn = toward(b.turn, 0, turn)
		if stop > 0 { // arrive exactly
			speed *= clamp(left/stop, 0.5, 1.5)
		}
	} else {
		b.turn = toward(b.turn, w.way, turn)
	}
	if b.turn*w.way > 0 {
		ramp := 1.0
		if r := b.cfg.Walk.RampTime.Seconds(); r > 0 && !w.braking {
			ramp = min(1, w.spent/r)
		}
		step := speed * ramp * math.Sin(math.Pi/2*smooth(math.Abs(b.turn))) * dt
		if w.after != thenFall {
			step = min(step, max(left, 0))
		}
		b.root.X += w.way * step
		b.markPlace()
	}
	switch {
	case w.after == thenFall && left <= 0:
		b.stepOff(now)
	case w.after != thenFall && w.through() && left <= 1e-6:
		b.arrive(now)
	case w.braking && b.turn == 0:
		b.arrive(now)
	}
}

// carried keeps a walk on its ledge while the windows change, and hands her to the level neighbour she walks onto. It
// returns false if the walk has ended.
func (b *walking) carried(now time.Time) bool {
	w := &b.walk
	i := b.desk.window(b.host.id)
	if i < 0 {
		b.end(now)
		return false
	}
	if _, ok := b.desk.uncovered(i, b.root.X); !ok {
		switch j := b.levelNeighbour(i); {
		case j >= 0:
			n := &b.desk.Windows[j]
			b.host.id, b.host.app, b.host.title, b.host.rect = n.ID, n.App, n.Title, n.Rect
			b.host.armed, b.host.shake = Point{n.Rect.X, n.Rect.Y}, shaker{}
			b.slide(Point{b.root.X, n.Rect.Y}, now)
			b.markPlace()
		case w.after == thenFall:
			w.over = true
			return true
		case !b.host.rect.Contains(b.root): // the ledge was drawn away under her feet
			b.stepOff(now)
			return false
		}
	}
	if s, ok := b.edge(); ok && w.after == thenSit {
		in := b.inner(s)
		w.to = clamp(w.to, in.lo, in.hi)
	}
	return true
}

// levelNeighbour is the window level with number i that carries her where i does not, or -1.
func (b *walking) levelNeighbour(i int) int {
	y := b.desk.Windows[i].Rect.Y
	for j := range b.desk.Windows {
		if j == i || math.Abs(b.desk.Windows[j].Rect.Y-y) > b.px(b.cfg.Stroll.LevelSlack) {
			continue
		}
		if _, ok := b.desk.uncovered(j, b.root.X); ok {
			return j
		}
	}
	return -1
}

// arrive ends a walk at its goal.
func (b *walking) arrive(now time.Time) {
	switch after := b.walk.after; {
	case after == thenSit && b.host.id != 0:
		b.perching.start(0, now)
	case after == thenClimb, after == thenDescend, after == thenJump:
		b.turnTo(now)
	default:
		b.standStill(now)
	}
}

// stepOff lets her fall once she has walked over the end.
func (b *walking) stepOff(now time.Time) {
	id := b.host.id
	b.releaseHost(true, now)
	b.falling.start(fall{avoid: id}, now)
}

// end stops a walk where she is.
func (b *walking) end(now time.Time) {
	if b.walk.over {
		b.stepOff(now)
		return
	}
	b.standStill(now)
}

// goTo is the walk to x after which she faces face.
func (b *walking) goTo(x, face float64, then after) walk {
	w := walk{to: x, way: face, after: then, face: face}
	if x != b.root.X {
		w.way = math.Copysign(1, x-b.root.X)
	}
	return w
}

// turnTo turns her to what she has walked to; she steps on the spot for it.
func (b *walking) turnTo(now time.Time) {
	if b.turn == b.walk.face {
		b.faced(now)
		return
	}
	b.enter(modeFace, clips.Walk, 0, now)
}

func (b *walking) faced(now time.Time) {
	switch b.walk.after {
	case thenClimb:
		b.climbing.startUp(now)
	case thenDescend:
		b.climbing.startDown(now)
	case thenJump:
		b.jumping.start(now)
	default:
		b.standStill(now)
	}
}
