package body

import (
	"math"
	"time"
)

// crowd is what she knows of the other pets.
type crowd struct {
	bodies []Rect
	self   int
	at     time.Time // when she steps aside, if they still stand in each other's way
	tries  int
}

// crowding is what makes her step aside.
type crowding struct {
	*Body
	crowd crowd
}

// Bounds is her body on the desktop, for the other pets' SetOthers.
func (b *Body) Bounds() Rect {
	w := 2 * b.shape.HalfWidth
	return Rect{b.root.X - w/2, b.root.Y - b.shape.Height, w, b.shape.Height}
}

// SetOthers tells the Bounds of all pets in a fixed order, the same for every pet, and which of them is this one (-1
// if she is not among them). The list is copied. If two stand on one floor for CrowdAfter and share more than
// Crowd of their width, each steps aside to the side on which she is; on the very same spot the earlier one goes left.
func (b *Body) SetOthers(bodies []Rect, self int, now time.Time) {
	b.crowding.crowd.bodies = append(b.crowding.crowd.bodies[:0], bodies...)
	b.crowding.crowd.self = self
	if _, _, crowded := b.crowding.inTheWay(); !crowded {
		b.crowding.crowd.at, b.crowding.crowd.tries = time.Time{}, 0
	} else if b.crowding.crowd.at.IsZero() {
		b.crowding.crowd.at = now.Add(b.cfg.Crowd.After)
	}
}

// inTheWay returns the other pet that shares most of her place on the floor, and the side to which she gives way.
func (b *crowding) inTheWay() (other Rect, way float64, crowded bool) {
	if !b.grounded || b.host.id != 0 {
		return other, 0, false
	}
	me, most := b.Bounds(), b.cfg.Crowd.Share
	for i, o := range b.crowd.bodies {
		if i == b.crowd.self || !o.finite() || math.Abs(o.Bottom()-b.root.Y) > b.px(b.cfg.Walk.FloorSlack) {
			continue
		}
		part := (min(me.Right(), o.Right()) - max(me.X, o.X)) / min(me.W, o.W)
		if !(part > most) {
			continue
		}
		other, most, crowded = o, part, true
		switch apart := b.root.X - (o.X + o.W/2); {
		case math.Abs(apart) >= 1:
			way = math.Copysign(1, apart)
		case b.crowd.self >= 0 && b.crowd.self < i:
			way = -1
		default:
			way = 1
		}
	}
	return other, way, crowded
}

// stepAside walks out of another pet's way. If there is no floor on her side she lets the other one go first, and
// passes it if it does not.
func (b *crowding) stepAside(now time.Time) {
	c := &b.crowd
	c.at = time.Time{}
	o, way, crowded := b.inTheWay()
	m := b.ground()
	if !crowded || m == nil || math.Abs(b.root.Y-m.floor()) > b.px(b.cfg.Walk.FloorSlack) {
		return
	}
	c.at = now.Add(2 * b.cfg.Crowd.After) // look again, should they still be too close
	if !b.walking.canWalk() {
		return
	}
	r := b.desk.floorRange(m, b.root.X, b.shape.Box)
	const turns = 2
	for try := range turns {
		to := o.X + o.W/2 + way*(o.W/2+b.shape.HalfWidth)
		if to >= r.lo && to <= r.hi && (to-b.root.X)*way > 0 {
			c.tries = 0
			b.walking.start(walk{to: to, way: way, after: thenStand}, now)
			return
		}
		if c.tries++; try == 0 && c.tries < turns {
			return
		}
		way = -way
	}
}
