package body

import (
	"math"
	"time"

	"yui/avatar/clips"
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

// climbing is the wall, up and down.
type climbing struct {
	*Body
	still
	climb climb
}

func (b *climbing) ended(now time.Time) {
	if b.mode == modeClimbLand {
		b.climbedDown(now)
	}
}

func (b *climbing) leave(to mode) {
	if postures[to] != Climbing {
		b.emit(EventClimbEnd)
	}
}

func (b *climbing) configured(now time.Time) {
	if b.cfg.ReducedMotion || !b.cfg.Climb.On {
		b.letGo(false, now)
	}
}

func (b *climbing) gated(now time.Time) {
	if b.gates.Hidden {
		b.letGo(false, now)
	}
}

func (b *climbing) facing() float64 { return b.walking.walk.face }
func (b *climbing) moving() bool    { return b.facing() != 0 }

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
func (b *climbing) climbs() bool {
	c := &b.clips
	return b.cfg.Climb.On && !b.cfg.ReducedMotion && b.shape.Unit > 0 && c.WalkSpeed > 0 && c.Climb.Rise > 0 && c.Climb.Sink > 0 &&
		c.Climb.Up > 0 && c.Climb.UpDone > 0 && c.Climb.Down > 0
}

// can reports whether nothing speaks against a climb of her own now.
func (b *climbing) can() bool {
	return b.climbs() && b.gates == (Gates{}) && b.cmd == nil && !b.sleeping.under()
}

// hanging reports whether a wall has her, in any part of a climb.
func (b *climbing) hanging() bool { return postures[b.mode] == Climbing }

// begin walks to the nearest wall, or waits for the next turn.
func (b *climbing) begin(now time.Time) {
	m := b.ground()
	if m == nil || !b.can() || math.Abs(b.root.Y-m.floor()) > b.px(b.cfg.Walk.FloorSlack) {
		b.standing.arm(now)
		return
	}
	w, ok := b.plan(m)
	if !ok {
		b.standing.arm(now)
		return
	}
	b.climb = climb{wall: w}
	b.walking.start(b.walking.goTo(b.footOf(&w), w.way, thenClimb), now)
}

// off lets her stand up, walk to the nearer side and climb down. It is false if there is no way down.
func (b *climbing) off(now time.Time) bool {
	if !b.can() || !b.host.bad.IsZero() || !b.roomAbove(b.root, b.shape.Height) {
		b.standing.arm(now)
		return true
	}
	w, ok := b.planOff()
	if !ok {
		return false
	}
	b.climb = climb{wall: w, down: true}
	b.walking.walk = b.walking.goTo(b.onTop(&w), w.way, thenDescend)
	if b.clips.Sit.Up <= 0 {
		b.walking.start(b.walking.walk, now)
		return true
	}
	b.enter(modeStandUp, clips.StandUp, b.clips.Sit.Up, now)
	return true
}

// check looks at the wall she walks to or hangs on again after the desktop has changed; windows she hangs on are
// perching's.
func (b *climbing) check(monitors bool, now time.Time) {
	heading := b.walking.onWay() && (b.walking.walk.after == thenClimb || b.walking.walk.after == thenDescend)
	c := &b.climb
	switch {
	case c.wall.id == 0 && monitors && b.hanging() && b.mode != modeClimbLand:
		b.letGo(true, now)
	case c.wall.id == 0 && monitors && heading:
		b.walking.end(now)
	case c.wall.id != 0 && heading && b.walking.walk.after == thenClimb && !b.sameWall():
		b.walking.end(now)
	}
}

// sameWall looks for the wall she is about to climb again. It is false if it is gone, hidden or farther than RideSlack
// from where it was.
func (b *climbing) sameWall() bool {
	c, i, m := &b.climb, b.desk.window(b.climb.wall.id), b.ground()
	if i < 0 || m == nil {
		return false
	}
	w, ok := b.windowWall(i, c.wall.way > 0, m)
	slack := b.px(b.cfg.Ride.Slack)
	if !ok || math.Abs(w.x-c.wall.x) > slack || math.Abs(w.top-c.wall.top) > slack {
		return false
	}
	if b.walking.onWay() && !c.down {
		b.walking.walk.to = b.footOf(&w)
	}
	c.wall = w
	return true
}

// startUp takes hold of the wall in front of her.
func (b *climbing) startUp(now time.Time) {
	c := &b.climb
	if !b.can() || c.wall.id != 0 && !b.sameWall() {
		b.standStill(now)
		return
	}
	if foot := b.footOf(&c.wall); foot != b.root.X {
		b.slide(Point{foot, b.root.Y}, now)
	}
	c.at = Point{-b.unit(b.clips.Climb.Wall), b.root.Y - c.wall.top}
	c.from, c.drift = c.at, 0
	b.holdWall()
	b.enter(modeClimbUp, clips.ClimbUp, 0, now)
	b.emit(EventClimbStart)
}

// startDown goes over the edge she stands at.
func (b *climbing) startDown(now time.Time) {
	c := &b.climb
	if !b.can() || c.wall.id != 0 && (c.wall.id != b.host.id || !b.sameWall()) {
		b.standStill(now)
		return
	}
	if on := b.onTop(&c.wall); math.Abs(on-b.root.X) > 0.01 {
		b.slide(Point{on, b.root.Y}, now)
	}
	c.at, c.drift = Point{b.unit(b.clips.Climb.In), 0}, c.wall.drift
	c.from = c.at
	b.releaseHost(true, now)
	b.holdWall()
	if b.clips.Backward {
		b.enter(modeClimbBack, clips.ClimbUpDone, 0, now)
		b.show.clip.back = true
	} else {
		b.enter(modeClimbDown, clips.ClimbDown, 0, now)
	}
	b.emit(EventClimbStart)
}

// holdWall makes the window of the wall her host; a screen is none.
func (b *climbing) holdWall() {
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
func (b *climbing) hang() {
	c := &b.climb
	p := c.corner()
	b.root = Point{p.X + c.wall.way*c.at.X, p.Y + c.at.Y}
}

// ride takes her along with the window on whose side she hangs, not below the floor.
func (b *climbing) ride(r Rect) {
	c := &b.climb
	c.wall.x, c.wall.top, c.wall.bottom = edgeX(r, b.host.left), r.Y, r.Bottom()
	b.hang()
	if m := b.ground(); m != nil && b.root.Y > m.floor() {
		c.at.Y -= b.root.Y - m.floor()
		c.from.Y = min(c.from.Y, c.at.Y)
		b.hang()
	}
}

// covered reports whether a window in front of number i hides what she still needs of the wall.
func (b *climbing) covered(i int) bool {
	c := &b.climb
	switch b.mode {
	case modeClimbUp:
		return b.hides(i, &c.wall, c.wall.top, b.root.Y)
	case modeClimbDown:
		offset := b.unit(b.clips.Climb.Wall)
		hands := Point{b.root.X + c.wall.way*offset, b.root.Y - b.unit(b.clips.Climb.Reach)/2}
		return b.desk.coveredAt(i, hands) && c.at.Y > b.unit(b.clips.Climb.Reach)
	}
	return b.desk.coveredAt(i, c.corner())
}

// room reports whether she is on the screen and, on her way up, can stay on the top.
func (b *climbing) room() bool {
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
	b.falling.start(fall{avoid: id, cue: cue}, now)
}

// step moves her on the wall.
func (b *climbing) step(now time.Time, dt float64) {
	if !b.climbs() { // model or clips have gone meanwhile
		b.letGo(false, now)
		return
	}
	c := &b.climb
	spent := now.Sub(b.modeAt).Seconds()
	slide := spent / b.cfg.Climb.Slide.Seconds()
	switch b.mode {
	case modeClimbUp:
		b.up(slide, dt, now)
	case modeClimbOver:
		b.pull(c.from, spent/b.clips.Climb.UpDone)
		if spent >= b.clips.Climb.UpDone {
			b.climbedUp(now)
		}
	case modeClimbBack:
		b.pull(Point{-b.unit(b.clips.Climb.Wall), b.unit(b.clips.Climb.Reach)}, 1-spent/b.clips.Climb.UpDone)
		if spent >= b.clips.Climb.UpDone {
			c.from, c.drift = c.at, 0
			b.enter(modeClimbDown, clips.ClimbDown, 0, now)
		}
	case modeClimbDown:
		b.sink(slide, dt, now)
	case modeClimbLand:
		u := 1.0
		if b.clips.Climb.DownLanding > 0 {
			u = smooth((spent/b.clips.Climb.DownLanding - dropFrom) / (dropTo - dropFrom))
		}
		to := Point{c.foot.X - c.wall.way*b.unit(b.clips.Climb.Away), c.foot.Y}
		b.root = Point{c.from.X + (to.X-c.from.X)*u, c.from.Y + (to.Y-c.from.Y)*u}
	}
}

// up gets hold of a wall that begins above her, rises with the clip, and pulls up once the edge is in reach.
func (b *climbing) up(slide, dt float64, now time.Time) {
	c := &b.climb
	lowest := c.wall.bottom + b.cfg.Climb.Hang*b.shape.Height - c.wall.top
	if c.from.Y > lowest && slide < 1 {
		c.at.Y = c.from.Y + (lowest-c.from.Y)*smooth(slide)
	} else {
		c.at.Y -= b.unit(b.clips.Climb.Rise/b.clips.Climb.Up) * dt
	}
	b.hang()
	if c.at.Y <= b.unit(b.clips.Climb.Reach) {
		c.from = c.at
		b.enter(modeClimbOver, clips.ClimbUpDone, 0, now)
	}
}

// pull sets her place at part u of climb_up_done, which began at from.
func (b *climbing) pull(from Point, u float64) {
	c := &b.climb
	x, y := smooth((u-inFrom)/(inTo-inFrom)), smooth((u-pullFrom)/(pullTo-pullFrom))
	c.at = Point{from.X + (b.unit(b.clips.Climb.In)-from.X)*x, from.Y * (1 - y)}
	c.drift = c.wall.drift * smooth(u/planted)
	b.hang()
}

// climbedUp goes on from the top: a short way in, and she sits; on the floor of a monitor she is there.
func (b *climbing) climbedUp(now time.Time) {
	c := &b.climb
	b.root = Point{b.onTop(&c.wall), c.wall.top}
	i := b.desk.window(b.host.id)
	if i < 0 {
		b.grounded = true
		b.standStill(now)
		b.falling.start(fall{}, now)
		return
	}
	b.holdTop(i)
	b.host.climbed = true
	w := walk{to: b.root.X + c.wall.way*b.dice.within(b.cfg.Climb.Ledge)*b.shape.Height, way: c.wall.way, after: thenSit}
	if s, ok := b.walking.edge(); ok {
		in := b.walking.inner(s)
		w.to = clamp(w.to, in.lo, in.hi)
	}
	if (w.to-b.root.X)*w.way <= 0 || b.gates.Motion || b.gates.Hidden {
		b.perching.start(0, now)
	} else {
		b.walking.start(w, now)
	}
	b.show.clip.fade = climbFade
	b.perching.check(now)
}

// sink slides over the edge if she comes from the top, sinks with the clip, and drops to the floor, or lets go
// if the wall ends above it.
func (b *climbing) sink(slide, dt float64, now time.Time) {
	c := &b.climb
	if c.from.X > 0 && slide < 1 {
		x, y := smooth(slide/slideIn), smooth((slide-slideDown)/(1-slideDown))
		c.at = Point{c.from.X - (c.from.X+b.unit(b.clips.Climb.Wall))*x, b.unit(b.clips.Climb.Reach) * y}
		c.drift = c.wall.drift * (1 - x)
		b.hang()
		return
	}
	c.drift, c.at.X = 0, -b.unit(b.clips.Climb.Wall)
	c.at.Y += b.unit(b.clips.Climb.Sink/b.clips.Climb.Down) * dt
	b.hang()
	floor, ok := c.wall.bottom, true
	if c.wall.id != 0 {
		m := b.ground()
		if ok = m != nil; ok {
			floor = m.floor()
		}
	}
	switch {
	case ok && floor-b.root.Y <= b.unit(b.clips.Climb.Floor):
		b.dropToFloor(floor, now)
	case b.root.Y > c.wall.bottom+b.cfg.Climb.Hang*b.shape.Height:
		b.letGo(false, now)
	}
}

// dropToFloor plays climb_down_landing.
func (b *climbing) dropToFloor(floor float64, now time.Time) {
	c := &b.climb
	b.releaseHost(true, now)
	c.from, c.foot = b.root, Point{b.root.X, floor}
	b.enter(modeClimbLand, clips.ClimbDownLanding, b.clips.Climb.DownLanding, now)
	if b.clips.Climb.DownLanding <= 0 {
		b.climbedDown(now)
	}
}

func (b *climbing) climbedDown(now time.Time) {
	b.root.Y = b.climb.foot.Y
	b.standStill(now)
	b.falling.start(fall{}, now)
}

// origin is where the clip's own root lies from the shown one; see Frame.Origin.
func (b *climbing) origin(shown Point) Point {
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
