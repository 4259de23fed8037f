package body

import (
	"math"
	"time"
)

// climb is one climb, planned or under way. While she hangs, her root is at the wall's corner plus at.
type climb struct {
	wall  wall
	down  bool
	at    Point   // X toward the wall and over its top, Y down from the edge
	from  Point   // at when the present move began
	drift float64 // how much of the wall's drift is taken
	foot  Point   // on the desktop: the root of climb_down_landing
}

// How climb_up_done brings the hips up and in, in parts of the clip, so that the root goes with them.
const (
	pullFrom, pullTo   = 0.13, 0.7
	inFrom, inTo       = 0.3, 0.8
	planted            = 0.5 // the first foot is on the top
	dropFrom, dropTo   = 0.19, 0.5
	slideIn, slideDown = 0.6, 0.25 // going over the edge: out first, then down
	climbFade          = 0.1
)

// climbs reports whether she climbs at all.
func (b *Body) climbs() bool {
	c := &b.clips
	return b.cfg.Climb && !b.cfg.ReducedMotion && b.shape.Unit > 0 && c.WalkSpeed > 0 && c.ClimbRise > 0 &&
		c.ClimbUp > 0 && c.ClimbUpDone > 0 && c.ClimbDown > 0
}

// canClimb reports whether nothing speaks against a climb of her own now.
func (b *Body) canClimb() bool {
	return b.climbs() && b.gates == (Gates{}) && b.cmd == nil && !b.onBed()
}

// hanging reports whether a wall has her, in any part of a climb.
func (b *Body) hanging() bool { return postures[b.mode] == Climbing }

// climbByHerself walks to the nearest wall, or waits for the next turn.
func (b *Body) climbByHerself(now time.Time) {
	m := b.ground()
	if m == nil || !b.canClimb() || math.Abs(b.root.Y-m.floor()) > b.px(b.cfg.FloorSlack) {
		b.armAmbient(now)
		return
	}
	w, ok := b.planClimb(m)
	if !ok {
		b.armAmbient(now)
		return
	}
	b.climb = climb{wall: w}
	b.startWalk(b.goTo(b.foot(&w), w.way, thenClimb), now)
}

// climbOff lets her stand up, walk to the nearer side and climb down. It is false where there is no way down.
func (b *Body) climbOff(now time.Time) bool {
	if !b.canClimb() || !b.host.bad.IsZero() || !b.roomAbove(b.root, b.shape.Height) {
		b.armAmbient(now)
		return true
	}
	w, ok := b.planClimbOff()
	if !ok {
		return false
	}
	b.climb = climb{wall: w, down: true}
	b.walk = b.goTo(b.onTop(&w), w.way, thenDescend)
	if b.clips.StandUp <= 0 {
		b.strollAlong(now)
		return true
	}
	b.enter(modeStandUp, "stand_up", b.clips.StandUp, now)
	return true
}

// goTo is the walk to x after which she faces face.
func (b *Body) goTo(x, face float64, then after) walk {
	w := walk{to: x, way: face, after: then, face: face}
	if x != b.root.X {
		w.way = math.Copysign(1, x-b.root.X)
	}
	return w
}

// face turns her to what she has walked to; she steps on the spot for it.
func (b *Body) face(now time.Time) {
	if b.turn == b.walk.face {
		b.faced(now)
		return
	}
	b.enter(modeFace, "walk", 0, now)
}

func (b *Body) faced(now time.Time) {
	switch b.walk.after {
	case thenClimb:
		b.startClimbUp(now)
	case thenDescend:
		b.startClimbDown(now)
	case thenJump:
		b.startLeap(now)
	default:
		b.standStill(now)
	}
}

// checkWall looks at the wall she walks to or hangs on anew after the desktop has changed; windows she hangs on are
// checkHost's.
func (b *Body) checkWall(monitors bool, now time.Time) {
	heading := b.onWay() && (b.walk.after == thenClimb || b.walk.after == thenDescend)
	c := &b.climb
	switch {
	case c.wall.id == 0 && monitors && b.hanging() && b.mode != modeClimbLand:
		b.letGo(true, now)
	case c.wall.id == 0 && monitors && heading:
		b.endWalk(now)
	case c.wall.id != 0 && heading && b.walk.after == thenClimb && !b.sameWall():
		b.endWalk(now)
	}
}

// sameWall looks for the wall she is about to climb anew. It is false where it is gone, hidden or farther than RideSlack
// from where it was.
func (b *Body) sameWall() bool {
	c, i, m := &b.climb, b.desk.window(b.climb.wall.id), b.ground()
	if i < 0 || m == nil {
		return false
	}
	w, ok := b.windowWall(i, c.wall.way > 0, m)
	slack := b.px(b.cfg.RideSlack)
	if !ok || math.Abs(w.x-c.wall.x) > slack || math.Abs(w.top-c.wall.top) > slack {
		return false
	}
	if b.onWay() && !c.down {
		b.walk.to = b.foot(&w)
	}
	c.wall = w
	return true
}

// startClimbUp takes hold of the wall in front of her.
func (b *Body) startClimbUp(now time.Time) {
	c := &b.climb
	if !b.canClimb() || c.wall.id != 0 && !b.sameWall() {
		b.standStill(now)
		return
	}
	if foot := b.foot(&c.wall); foot != b.root.X {
		b.slide(Point{foot, b.root.Y}, now)
	}
	c.at = Point{-b.unit(b.clips.ClimbWall), b.root.Y - c.wall.top}
	c.from, c.drift = c.at, 0
	b.holdWall()
	b.enter(modeClimbUp, "climb_up", 0, now)
	b.emit("avatar.climb_start")
}

// startClimbDown goes over the edge she stands at.
func (b *Body) startClimbDown(now time.Time) {
	c := &b.climb
	if !b.canClimb() || c.wall.id != 0 && (c.wall.id != b.host.id || !b.sameWall()) {
		b.standStill(now)
		return
	}
	if on := b.onTop(&c.wall); math.Abs(on-b.root.X) > 0.01 {
		b.slide(Point{on, b.root.Y}, now)
	}
	c.at, c.drift = Point{b.unit(b.clips.ClimbIn), 0}, c.wall.drift
	c.from = c.at
	b.releaseHost(true, now)
	b.holdWall()
	if b.clips.Backward {
		b.enter(modeClimbBack, "climb_up_done", 0, now)
		b.back = true
	} else {
		b.enter(modeClimbDown, "climb_down", 0, now)
	}
	b.emit("avatar.climb_start")
}

// holdWall makes the window of the wall her host; a screen is none.
func (b *Body) holdWall() {
	b.grounded = false
	i := b.desk.window(b.climb.wall.id)
	if i < 0 {
		return
	}
	w := &b.desk.Windows[i]
	b.host = host{id: w.ID, app: w.App, title: w.Title, rect: w.Rect, wall: true, left: b.climb.wall.way > 0,
		armed: Point{w.Rect.X, w.Rect.Y}}
}

// corner is the corner of the edge at the top of the wall.
func (c *climb) corner() Point { return Point{c.wall.x - c.wall.way*c.drift, c.wall.top} }

// hang sets the root by her place on the wall.
func (b *Body) hang() {
	c := &b.climb
	p := c.corner()
	b.root = Point{p.X + c.wall.way*c.at.X, p.Y + c.at.Y}
}

// rideWall takes her along with the window on whose side she hangs, not below the floor.
func (b *Body) rideWall(r Rect) {
	c := &b.climb
	c.wall.x, c.wall.top, c.wall.bottom = edgeX(r, b.host.left), r.Y, r.Bottom()
	b.hang()
	if m := b.ground(); m != nil && b.root.Y > m.floor() {
		c.at.Y -= b.root.Y - m.floor()
		c.from.Y = min(c.from.Y, c.at.Y)
		b.hang()
	}
}

// wallCovered reports whether a window in front of number i hides what she still needs of the wall.
func (b *Body) wallCovered(i int) bool {
	c := &b.climb
	switch b.mode {
	case modeClimbUp:
		return b.hides(i, &c.wall, c.wall.top, b.root.Y)
	case modeClimbDown:
		offset := b.unit(b.clips.ClimbWall)
		hands := Point{b.root.X + c.wall.way*offset, b.root.Y - b.unit(b.clips.ClimbReach)/2}
		return b.desk.coveredAt(i, hands) && c.at.Y > b.unit(b.clips.ClimbReach)
	}
	return b.desk.coveredAt(i, c.corner())
}

// roomToClimb reports whether she is on the screen and, on her way up, can stay on the top.
func (b *Body) roomToClimb() bool {
	c := &b.climb
	if m := b.desk.monitorAt(Point{b.root.X, b.root.Y - 1}); m == nil {
		return false
	}
	return c.down || b.roomToSit(Point{b.onTop(&c.wall), c.wall.top})
}

// letGo lets her fall off a wall or out of a jump. cue says that it was not her own doing.
func (b *Body) letGo(cue bool, now time.Time) {
	id := b.host.id
	b.releaseHost(true, now)
	b.startFall(fall{avoid: id, cue: cue}, now)
}

// stepClimb moves her on the wall.
func (b *Body) stepClimb(now time.Time, dt float64) {
	if !b.climbs() { // model or clips have gone meanwhile
		b.letGo(false, now)
		return
	}
	c := &b.climb
	spent := now.Sub(b.modeAt).Seconds()
	slide := spent / b.cfg.ClimbSlide.Seconds()
	switch b.mode {
	case modeClimbUp:
		b.climbUp(slide, dt, now)
	case modeClimbOver:
		b.pull(c.from, spent/b.clips.ClimbUpDone)
		if spent >= b.clips.ClimbUpDone {
			b.climbedUp(now)
		}
	case modeClimbBack:
		b.pull(Point{-b.unit(b.clips.ClimbWall), b.unit(b.clips.ClimbReach)}, 1-spent/b.clips.ClimbUpDone)
		if spent >= b.clips.ClimbUpDone {
			c.from, c.drift = c.at, 0
			b.enter(modeClimbDown, "climb_down", 0, now)
		}
	case modeClimbDown:
		b.climbDown(slide, dt, now)
	case modeClimbLand:
		u := 1.0
		if b.clips.ClimbDownLanding > 0 {
			u = smooth((spent/b.clips.ClimbDownLanding - dropFrom) / (dropTo - dropFrom))
		}
		to := Point{c.foot.X - c.wall.way*b.unit(b.clips.ClimbAway), c.foot.Y}
		b.root = Point{c.from.X + (to.X-c.from.X)*u, c.from.Y + (to.Y-c.from.Y)*u}
	}
}

// climbUp gets hold of a wall that begins above her, rises with the clip, and pulls up where the edge is in reach.
func (b *Body) climbUp(slide, dt float64, now time.Time) {
	c := &b.climb
	lowest := c.wall.bottom + b.cfg.ClimbHang*b.shape.Height - c.wall.top
	if c.from.Y > lowest && slide < 1 {
		c.at.Y = c.from.Y + (lowest-c.from.Y)*smooth(slide)
	} else {
		c.at.Y -= b.unit(b.clips.ClimbRise/b.clips.ClimbUp) * dt
	}
	b.hang()
	if c.at.Y <= b.unit(b.clips.ClimbReach) {
		c.from = c.at
		b.enter(modeClimbOver, "climb_up_done", 0, now)
	}
}

// pull sets her place at part u of climb_up_done, which began at from.
func (b *Body) pull(from Point, u float64) {
	c := &b.climb
	x, y := smooth((u-inFrom)/(inTo-inFrom)), smooth((u-pullFrom)/(pullTo-pullFrom))
	c.at = Point{from.X + (b.unit(b.clips.ClimbIn)-from.X)*x, from.Y * (1 - y)}
	c.drift = c.wall.drift * smooth(u/planted)
	b.hang()
}

// climbedUp goes on from the top: a short way in, and she sits; on the floor of a monitor she is there.
func (b *Body) climbedUp(now time.Time) {
	c := &b.climb
	b.root = Point{b.onTop(&c.wall), c.wall.top}
	i := b.desk.window(b.host.id)
	if i < 0 {
		b.grounded = true
		b.standStill(now)
		b.startFall(fall{}, now)
		return
	}
	b.holdTop(i)
	b.host.climbed = true
	w := walk{to: b.root.X + c.wall.way*b.uniform(b.cfg.ClimbLedge)*b.shape.Height, way: c.wall.way, after: thenSit}
	if s, ok := b.edge(); ok {
		in := b.inner(s)
		w.to = clamp(w.to, in.lo, in.hi)
	}
	if (w.to-b.root.X)*w.way <= 0 || b.gates.Motion || b.gates.Hidden {
		b.startSit(0, now)
	} else {
		b.startWalk(w, now)
	}
	b.fade = climbFade
	b.checkHost(now)
}

// climbDown slides over the edge where she comes from the top, sinks with the clip, and drops to the floor, or lets go
// where the wall ends above it.
func (b *Body) climbDown(slide, dt float64, now time.Time) {
	c := &b.climb
	if c.from.X > 0 && slide < 1 {
		x, y := smooth(slide/slideIn), smooth((slide-slideDown)/(1-slideDown))
		c.at = Point{c.from.X - (c.from.X+b.unit(b.clips.ClimbWall))*x, b.unit(b.clips.ClimbReach) * y}
		c.drift = c.wall.drift * (1 - x)
		b.hang()
		return
	}
	c.drift, c.at.X = 0, -b.unit(b.clips.ClimbWall)
	c.at.Y += b.unit(b.clips.ClimbRise/b.clips.ClimbDown) * dt
	b.hang()
	floor, ok := c.wall.bottom, true
	if c.wall.id != 0 {
		m := b.ground()
		if ok = m != nil; ok {
			floor = m.floor()
		}
	}
	switch {
	case ok && floor-b.root.Y <= b.unit(b.clips.ClimbFloor):
		b.dropToFloor(floor, now)
	case b.root.Y > c.wall.bottom+b.cfg.ClimbHang*b.shape.Height:
		b.letGo(false, now)
	}
}

// dropToFloor plays climb_down_landing.
func (b *Body) dropToFloor(floor float64, now time.Time) {
	c := &b.climb
	b.releaseHost(true, now)
	c.from, c.foot = b.root, Point{b.root.X, floor}
	b.enter(modeClimbLand, "climb_down_landing", b.clips.ClimbDownLanding, now)
	if b.clips.ClimbDownLanding <= 0 {
		b.climbedDown(now)
	}
}

func (b *Body) climbedDown(now time.Time) {
	b.root.Y = b.climb.foot.Y
	b.standStill(now)
	b.startFall(fall{}, now)
}

// clipOrigin is where the clip's own root lies from the shown one; see Frame.Origin.
func (b *Body) clipOrigin(shown Point) Point {
	var p Point
	switch b.mode {
	case modeClimbOver, modeClimbBack:
		p = b.climb.corner()
	case modeClimbLand:
		p = b.climb.foot
	default:
		return Point{}
	}
	return Point{p.X - shown.X, p.Y - shown.Y}
}
