package body

import (
	"math"
	"time"

	"yui/avatar/clips"
)

// show is what is seen of her, and how it came about: the clip, what smooths the way, the last frame.
type show struct {
	clip  clipFrame
	jump  int // how often the root was set elsewhere at once
	glide glide
	open  opening

	frame    Frame
	root     Point // of the last frame
	at       time.Time
	lastJump int
	scruff   Point // what Frame.Scruff and Frame.Cut point at
	cut      Cut
}

// clipFrame is the motion that the body imposes; see Frame.
type clipFrame struct {
	name   clips.ID
	serial int
	start  float64
	fade   float64
	back   bool
	phase  clips.Phase
	mirror bool
}

// jumped notes that the root was set elsewhere at once.
func (s *show) jumped() {
	s.jump++
	s.glide = glide{}
}

// glide smooths the last bit of way to a new root: what is shown is root + from*(1-u).
type glide struct {
	from Point
	at   time.Time
}

// opening is the edge of a peek that has ended, drawn away from her so that the hidden half does not pop up.
type opening struct {
	x    float64
	left bool // what is hidden is to the left of x
	at   time.Time
	on   bool
}

// shownRoot is the root with what is left of a glide.
func (b *Body) shownRoot(now time.Time) Point {
	if b.show.glide == (glide{}) {
		return b.root
	}
	u := 1 - smooth(float64(now.Sub(b.show.glide.at))/float64(b.cfg.Glide))
	if u <= 0 {
		b.show.glide = glide{}
	}
	return Point{b.root.X + b.show.glide.from.X*u, b.root.Y + b.show.glide.from.Y*u}
}

// compose writes the frame.
func (b *Body) compose(now time.Time) Frame {
	f := &b.show.frame
	shown := b.shownRoot(now)
	b.velocity(shown, now)
	f.Root = shown
	f.Clip, f.Serial, f.Start, f.Phase, f.Mirror = b.show.clip.name, b.show.clip.serial, b.show.clip.start, b.show.clip.phase, b.show.clip.mirror
	f.Fade, f.Back, f.Flight, f.Origin = b.show.clip.fade, b.show.clip.back, b.mode == modeFlight, b.climbing.origin(shown)
	f.Jump = b.show.jump
	f.Yaw = math.Copysign(math.Pi/2*smooth(math.Abs(b.turn)), b.turn)
	f.Scruff, f.Ease = nil, 0
	if b.mode == modeDrag {
		b.show.scruff = b.dragging.drag.pointer
		f.Scruff, f.Ease = &b.show.scruff, b.dragging.drag.ease
	}
	f.Cut = nil
	switch {
	case b.mode == modePeek && b.host.id != 0:
		b.show.cut = Cut{X: shown.X, HideLeft: !b.host.left}
		f.Cut = &b.show.cut
	case b.show.open.on:
		away := smooth(float64(now.Sub(b.show.open.at))/float64(b.cfg.Glide)) * b.shape.Unit
		b.show.cut = Cut{X: b.show.open.x + away, HideLeft: b.show.open.left}
		if b.show.open.left {
			b.show.cut.X = b.show.open.x - away
		}
		f.Cut = &b.show.cut
	}
	f.Bed = smooth(b.sleeping.bed.shown)
	b.show.root, b.show.lastJump, b.show.at = shown, b.show.jump, now
	return *f
}

// velocity works out how fast the shown root moved since the last frame; a jump is no movement.
func (b *Body) velocity(shown Point, now time.Time) {
	dt := min(now.Sub(b.show.at), maxStep).Seconds()
	moved := Point{shown.X - b.show.root.X, shown.Y - b.show.root.Y}
	far := math.Hypot(moved.X, moved.Y) > 2*b.shape.Height
	switch {
	case b.show.jump != b.show.lastJump || b.show.at.IsZero():
		b.show.frame.Velocity = Point{}
	case far: // a host that was thrown across the screen took her along
		b.show.jump++
		b.show.frame.Velocity = Point{}
	case dt > 0:
		b.show.frame.Velocity = Point{moved.X / dt, moved.Y / dt}
	}
}
