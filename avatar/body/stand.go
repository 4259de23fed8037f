package body

import "time"

// standing is being free: when she next moves by herself.
type standing struct {
	*Body
	still
	// ambient is when she next moves by herself, climbAt when she next climbs; zero is never.
	ambient, climbAt time.Time
}

// configured lets her fall where she stands in mid-air.
func (b *standing) configured(now time.Time) {
	if b.host.id == 0 {
		b.falling.start(b.falling.fall.again(), now)
	}
}

// arm sets when she next moves by herself.
func (b *standing) arm(now time.Time) {
	b.standing.ambient = time.Time{}
	switch {
	case b.mode == modeStand && b.host.id != 0: // she means to sit as soon as her body is free
		b.standing.ambient = now.Add(time.Second)
	case b.mode == modeSit && b.host.climbed && b.climbing.climbs():
		b.standing.ambient = now.Add(b.dice.span(b.cfg.Climb.Dwell))
	case !b.cfg.Walk.On || b.cfg.ReducedMotion:
	case b.mode == modeStand && b.grounded:
		b.standing.ambient = now.Add(b.dice.span(b.cfg.Walk.Every))
	case b.mode == modeSit:
		b.standing.ambient = now.Add(b.dice.span(b.cfg.Stroll.Dwell))
	}
	if b.idle() && b.standing.climbAt.IsZero() && b.climbing.climbs() {
		b.standing.climbAt = now.Add(b.dice.span(b.cfg.Climb.Every))
	}
}

// idle reports whether she stands on a floor with nothing to do.
func (b *standing) idle() bool { return b.mode == modeStand && b.grounded && b.host.id == 0 }

// moveByHerself does what she means to do next.
func (b *standing) moveByHerself(now time.Time) {
	switch {
	case b.mode == modeStand && b.host.id != 0:
		b.walking.settleOnLedge(now)
	case b.mode == modeStand:
		b.walking.strollOnFloor(now)
	case b.mode == modeSit && b.host.climbed && b.climbing.climbs() && b.climbing.off(now):
	case b.mode == modeSit:
		b.walking.strollOnPerch(now)
	}
}
