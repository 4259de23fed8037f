package body

import (
	"math"
	"time"
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
		return c.Climb
	}
	return c.Walk
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

// through reports that she does not turn to the viewer at the goal: she goes on the way she faces.
func (w *walk) through() bool { return w.after == thenFall || w.face == w.way }

// overEnd reports whether she is walking on air already.
func (w *walk) overEnd(m mode) bool { return m == modeWalk && w.over }

// armAmbient sets when she next moves by herself.
func (b *Body) armAmbient(now time.Time) {
	b.ambient = time.Time{}
	switch {
	case b.mode == modeStand && b.host.id != 0: // she means to sit as soon as her body is free
		b.ambient = now.Add(time.Second)
	case b.mode == modeSit && b.host.climbed && b.climbs():
		b.ambient = now.Add(b.draw(b.cfg.ClimbDwell))
	case !b.cfg.Walk || b.cfg.ReducedMotion:
	case b.mode == modeStand && b.grounded:
		b.ambient = now.Add(b.draw(b.cfg.WalkEvery))
	case b.mode == modeSit:
		b.ambient = now.Add(b.draw(b.cfg.PerchDwell))
	}
	if b.idleOnFloor() && b.climbAt.IsZero() && b.climbs() {
		b.climbAt = now.Add(b.draw(b.cfg.ClimbEvery))
	}
}

// idleOnFloor reports whether she stands on a floor with nothing to do.
func (b *Body) idleOnFloor() bool { return b.mode == modeStand && b.grounded && b.host.id == 0 }

// onWay reports whether she walks or turns to what she walked to.
func (b *Body) onWay() bool { return b.mode == modeWalk || b.mode == modeFace }

func (b *Body) draw(span [2]time.Duration) time.Duration {
	return span[0] + time.Duration(b.rng.Float64()*float64(span[1]-span[0]))
}

// way is left or right with equal chance.
func (b *Body) way() float64 {
	if b.rng.Float64() < 0.5 {
		return -1
	}
	return 1
}

func (b *Body) moveByHerself(now time.Time) {
	switch {
	case b.mode == modeStand && b.host.id != 0:
		b.settleOnLedge(now)
	case b.mode == modeStand:
		b.strollOnFloor(now)
	case b.mode == modeSit && b.host.climbed && b.climbs() && b.climbOff(now):
	case b.mode == modeSit:
		b.strollOnPerch(now)
	}
}

// canStroll reports whether nothing speaks against a walk of her own now.
func (b *Body) canStroll() bool { return b.cfg.Walk && b.canWalk() }

// canWalk is canStroll for a walk that has a reason: the setting is about strolls.
func (b *Body) canWalk() bool {
	return !b.cfg.ReducedMotion && !b.gates.Motion && !b.gates.Hidden &&
		b.clips.WalkSpeed > 0 && b.shape.Unit > 0 && b.cmd == nil && !b.onBed()
}

// strollOnFloor begins a walk of spec/body.md 2.3, or waits for the next turn.
func (b *Body) strollOnFloor(now time.Time) {
	m := b.ground()
	if m == nil || !b.canStroll() || !b.grounded || math.Abs(b.root.Y-m.floor()) > b.px(b.cfg.FloorSlack) {
		b.armAmbient(now)
		return
	}
	r := b.desk.floorRange(m, b.root.X, b.shape.Box)
	least := b.px(b.cfg.WalkDistance.Min)
	if r.hi-r.lo < least {
		b.armAmbient(now)
		return
	}
	distance := b.px(b.uniform(b.cfg.WalkDistance))
	way := b.way()
	to := clamp(b.root.X+way*distance, r.lo, r.hi)
	if (to-b.root.X)*way < least/2 { // hardly any way to go on this side
		way = -way
		to = clamp(b.root.X+way*distance, r.lo, r.hi)
	}
	if (to-b.root.X)*way <= 0 {
		b.armAmbient(now)
		return
	}
	if over, ok := b.descent(m, r, to, way); ok {
		b.startWalk(over, now)
		return
	}
	b.startWalk(walk{to: to, way: way, after: thenStand}, now)
}

// descent returns the walk that leads to a lower monitor, where the stroll reached the end of this one and the dice say
// so: over the end, or down its wall.
func (b *Body) descent(m *Monitor, r walkable, to, way float64) (walk, bool) {
	end, root := r.hi+b.shape.Box.Right(), r.hi
	if way < 0 {
		end, root = r.lo+b.shape.Box.X, r.lo
	}
	if to != root {
		return walk{}, false
	}
	beyond := end + way*(b.shape.HalfWidth+1)
	o := b.desk.monitorAt(Point{beyond, m.floor() - 1})
	steps := o != nil && o != m && o.floor() >= m.floor()+b.cfg.MinDrop*b.shape.Height
	w, climbs := b.screenWallDown(m, o, end, way)
	steps, climbs = steps && b.cfg.Fall, climbs && b.canClimb()
	if !steps && !climbs || b.rng.Float64() >= b.cfg.DescendChance {
		return walk{}, false
	}
	if climbs && (!steps || b.rng.Float64() < b.cfg.ClimbDownChance) {
		b.climb = climb{wall: w, down: true}
		return b.goTo(b.onTop(&w), w.way, thenDescend), true
	}
	return walk{to: beyond, way: way, after: thenFall}, true
}

func (b *Body) uniform(s Span) float64 { return s.Min + b.rng.Float64()*max(0, s.Max-s.Min) }

// edge returns the ledge that carries her, cut off at the sides of her monitor.
func (b *Body) edge() (stretch, bool) {
	i := b.desk.window(b.host.id)
	if i < 0 {
		return stretch{}, false
	}
	s, ok := b.desk.ledge(i, b.root.X, b.px(b.cfg.LevelSlack))
	if m := b.desk.monitorAt(b.root); m != nil {
		s.lo, s.hi = max(s.lo, m.Rect.X), min(s.hi, m.Rect.Right())
	}
	return s, ok
}

// inner is the ledge less the margins she keeps from its ends.
func (b *Body) inner(s stretch) stretch {
	m := b.cfg.EdgeMargin * b.shape.Height
	return stretch{s.lo + m, s.hi - m}
}

// along picks a place on the ledge about distance away; ok is false where there is none at least least away.
func (b *Body) along(distance, least float64) (to, way float64, ok bool) {
	s, ok := b.edge()
	in := b.inner(s)
	if !ok || in.lo > in.hi {
		return 0, 0, false
	}
	way = b.way()
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
func (b *Body) settleOnLedge(now time.Time) {
	if b.gates.Motion {
		b.armAmbient(now)
		return
	}
	if b.canStroll() {
		least := b.px(b.cfg.PerchDistance.Min)
		if to, way, ok := b.along(least*(1+b.rng.Float64()), least/2); ok {
			b.startWalk(walk{to: to, way: way, after: thenSit}, now)
			return
		}
	}
	b.startSit(0, now)
}

// strollOnPerch begins a perched stroll of spec/body.md 2.6: she stands up, walks along the ledge, sits down again, or
// now and then walks off its nearer end.
func (b *Body) strollOnPerch(now time.Time) {
	if !b.canStroll() || b.gates.Pipeline || !b.host.bad.IsZero() || !b.roomAbove(b.root, b.shape.Height) {
		b.armAmbient(now)
		return
	}
	plan, ok := b.planJump()
	if !ok {
		plan, ok = b.planStepOff()
	}
	if !ok {
		least := b.px(b.cfg.PerchDistance.Min)
		var to, way float64
		if to, way, ok = b.along(b.px(b.uniform(b.cfg.PerchDistance)), least); ok {
			plan = walk{to: to, way: way, after: thenSit}
		}
	}
	if !ok {
		b.armAmbient(now)
		return
	}
	b.walk = plan
	if b.clips.StandUp <= 0 {
		b.strollAlong(now)
		return
	}
	b.enter(modeStandUp, "stand_up", b.clips.StandUp, now)
}

func (b *Body) planStepOff() (walk, bool) {
	s, ok := b.edge()
	if !ok || !b.cfg.Fall || b.rng.Float64() >= b.cfg.StepOff {
		return walk{}, false
	}
	w := walk{to: s.hi + b.shape.HalfWidth, way: 1, after: thenFall}
	if b.root.X-s.lo < s.hi-b.root.X {
		w.to, w.way = s.lo-b.shape.HalfWidth, -1
	}
	return w, b.desk.monitorAt(Point{w.to, b.root.Y}) != nil
}

// strollAlong walks as planned once she has stood up.
func (b *Body) strollAlong(now time.Time) { b.startWalk(b.walk, now) }

func (b *Body) startWalk(w walk, now time.Time) {
	w.braking, w.over, w.spent = false, false, 0
	b.walk = w
	b.enter(modeWalk, "walk", 0, now)
	b.emit("avatar.walk_start")
}

// stopWay is how far she still goes while turning back from turn u to the front, in walking seconds.
func (b *Body) stopWay(u float64) float64 {
	const steps = 16
	sum := 0.0
	for i := range steps {
		sum += math.Sin(math.Pi / 2 * smooth(u*(float64(i)+0.5)/steps))
	}
	return sum / steps * u * b.cfg.TurnTime.Seconds()
}

// stepWalk moves her on. Her speed is that of the clip in the direction she faces, so that the feet do not slide while
// she turns into the walk and out of it.
func (b *Body) stepWalk(now time.Time, dt float64) {
	w := &b.walk
	if b.host.id != 0 && !w.over && !b.carried(now) {
		return
	}
	w.spent += dt
	speed := b.clips.WalkSpeed * b.shape.Unit
	left := (w.to - b.root.X) * w.way
	stop := b.stopWay(math.Abs(b.turn)) * speed
	turn := dt / b.cfg.TurnTime.Seconds()
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
		if r := b.cfg.RampTime.Seconds(); r > 0 && !w.braking {
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
// returns false where the walk has ended.
func (b *Body) carried(now time.Time) bool {
	w := &b.walk
	i := b.desk.window(b.host.id)
	if i < 0 {
		b.endWalk(now)
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
func (b *Body) levelNeighbour(i int) int {
	y := b.desk.Windows[i].Rect.Y
	for j := range b.desk.Windows {
		if j == i || math.Abs(b.desk.Windows[j].Rect.Y-y) > b.px(b.cfg.LevelSlack) {
			continue
		}
		if _, ok := b.desk.uncovered(j, b.root.X); ok {
			return j
		}
	}
	return -1
}

// arrive ends a walk at its goal.
func (b *Body) arrive(now time.Time) {
	switch after := b.walk.after; {
	case after == thenSit && b.host.id != 0:
		b.startSit(0, now)
	case after == thenClimb, after == thenDescend, after == thenJump:
		b.face(now)
	default:
		b.standStill(now)
	}
}

// stepOff lets her fall where she has walked over the end.
func (b *Body) stepOff(now time.Time) {
	id := b.host.id
	b.releaseHost(true, now)
	b.startFall(fall{avoid: id}, now)
}

// endWalk stops a walk where she is.
func (b *Body) endWalk(now time.Time) {
	if b.walk.over {
		b.stepOff(now)
		return
	}
	b.standStill(now)
}
