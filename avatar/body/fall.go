package body

import (
	"time"

	"yui/avatar/clips"
)

// fall is one fall under way.
type fall struct {
	avoid     uint32 // a window that must not catch her: she is leaving it
	floorOnly bool
	cue       bool // the touchdown may be told to the model: a drop or a lost host, not her own doing
	toBed     bool
	speed     float64 // px/s down
	from      float64 // y where it began
}

// falling is the way down and the landing.
type falling struct {
	*Body
	still
	fall fall
	told time.Time // of the last touchdown that was told to the model
}

func (b *falling) step(now time.Time, dt float64) {
	if b.mode == modeFall {
		b.drop(now, dt)
	}
}

func (b *falling) ended(now time.Time) { b.landed(now) }

func (b *falling) configured(now time.Time) {
	if b.mode == modeFall && (b.cfg.ReducedMotion || !b.cfg.Fall.On) {
		b.start(b.fall.again(), now)
	}
}

func (b *falling) gated(now time.Time) {
	if b.mode == modeFall && b.gates.Hidden {
		b.finish(now)
	}
}

func (b *falling) moving() bool { return b.mode == modeFall }

// again is the fall as it is to be begun again when settings change.
func (f fall) again() fall {
	return fall{avoid: f.avoid, floorOnly: f.floorOnly, cue: f.cue, toBed: f.toBed}
}

// surface returns the y that would catch her feet and the number of the window it belongs to, -1 for the floor. ok is
// false if there is no monitor. (docs/rules/body.md#fall)
func (b *falling) surface(f *fall) (y float64, window int, ok bool) {
	m := b.ground()
	if m == nil {
		return 0, -1, false
	}
	y, window = m.floor(), -1
	if f.floorOnly || b.root.X < m.Rect.X || b.root.X >= m.Rect.Right() {
		return y, window, true
	}
	half := 2 * b.shape.HalfWidth * b.cfg.Fall.Room
	for i := range b.desk.Windows {
		w := &b.desk.Windows[i]
		top := w.Rect.Y
		if w.ID == f.avoid || !(top > b.root.Y && top < y) || top < m.WorkArea.Y+b.shape.Height {
			continue
		}
		if b.root.X-half < w.Rect.X || b.root.X+half > w.Rect.Right() {
			continue
		}
		s, free := b.desk.uncovered(i, b.root.X)
		if free && b.root.X-half >= s.lo && b.root.X+half <= s.hi {
			y, window = top, i
		}
	}
	return y, window, true
}

// start lets her come down from where she is: a fall, or without one where the way is short, falling is off or
// motion is reduced.
func (b *falling) start(f fall, now time.Time) {
	b.fall = f
	y, window, ok := b.surface(&b.fall)
	if !ok || !b.cfg.Fall.On && !f.toBed {
		b.grounded = ok && b.host.id == 0 && b.root.Y == b.ground().floor()
		b.standStill(now)
		return
	}
	drop := y - b.root.Y
	switch {
	case drop == 0:
		b.touch(y, window, now)
	case drop < b.cfg.Fall.Least*b.shape.Height && !(b.cfg.ReducedMotion || b.gates.Hidden):
		b.slide(Point{b.root.X, y}, now)
		b.touch(y, window, now)
	case b.cfg.ReducedMotion, b.gates.Hidden, !b.cfg.Fall.On:
		b.show.jump++
		b.touch(y, window, now)
	default:
		b.fall.from = b.root.Y
		b.grounded = false
		b.enter(modeFall, clips.Falling, 0, now)
	}
}

// drop moves her down; the surface is looked for again, since windows come and go.
func (b *falling) drop(now time.Time, dt float64) {
	y, window, ok := b.surface(&b.fall)
	if !ok {
		return
	}
	scale := b.ground().scale()
	f := &b.fall
	was := f.speed
	f.speed = min(f.speed+b.cfg.Fall.Gravity*scale*dt, b.cfg.Fall.Fastest*scale)
	to := b.root.Y + (was+f.speed)/2*dt
	if to < y {
		b.root.Y = to
		return
	}
	b.hit(y, window, now)
}

// finish ends a fall that nobody sees.
func (b *falling) finish(now time.Time) {
	if y, window, ok := b.surface(&b.fall); ok {
		b.show.jump++
		b.hit(y, window, now)
	}
}

// hit is the touchdown of a real fall.
func (b *falling) hit(y float64, window int, now time.Time) {
	low := y-b.fall.from < b.cfg.Fall.Low*b.shape.Unit || b.fall.toBed
	on := "floor"
	if window >= 0 {
		on = "window"
	}
	b.emit(EventFallLand, "on", on)
	if b.fall.cue && (b.falling.told.IsZero() || now.Sub(b.falling.told) >= b.cfg.Fall.TellAfter) {
		b.falling.told = now
		b.emit(EventDropped, "on", on)
	}
	seconds := b.clips.Land.Whole
	if low {
		seconds = min(seconds, b.clips.Land.Low)
	}
	b.rest(y, window)
	if b.cfg.ReducedMotion || seconds <= 0 {
		b.enter(modeStand, "", 0, now)
		b.landed(now)
		return
	}
	b.enter(modeLand, clips.Landing, seconds, now)
}

// touch sets her down without a landing.
func (b *falling) touch(y float64, window int, now time.Time) {
	b.rest(y, window)
	b.standStill(now)
	b.landed(now)
}

// rest puts her feet on a surface.
func (b *falling) rest(y float64, window int) {
	b.root.Y = y
	b.grounded = window < 0
	if window >= 0 {
		b.holdTop(window)
	}
}

// landed goes on after a fall: to bed, along the window she has landed on, or she stands.
func (b *falling) landed(now time.Time) {
	toBed := b.fall.toBed
	b.fall = fall{}
	switch {
	case toBed && b.host.id == 0 && b.grounded:
		b.sleeping.start(now)
	case b.host.id != 0:
		b.standStill(now)
		b.walking.settleOnLedge(now)
	default:
		b.standStill(now)
	}
}
