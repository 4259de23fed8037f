package figure

import (
	"image"
	"math"
	"time"

	"yui/avatar/body"
	"yui/avatar/clips"
	"yui/avatar/motion"
	"yui/avatar/vrm/geom"
)

// FPS is how many frames a second she draws at present: all while she moves, speaks, or the pointer is near; half
// while nothing of that is so; few while she sleeps; none while hidden.
func (p *Pet) FPS(now time.Time) int {
	if !p.Visible() {
		return 0
	}
	state := p.body.State(now).Posture
	if state == body.Lying && p.frame.Bed >= 1 && p.player.Current() == clips.BedSleep {
		return min(p.opt.FPS, 10)
	}
	if p.mood.talking || p.hand.press.down || p.frame.Velocity != (body.Point{}) || p.player.Busy() || p.near() {
		return p.opt.FPS
	}
	return max(p.opt.FPS/2, 5)
}

// near tells whether the pointer is close enough that she is looked at.
func (p *Pet) near() bool {
	at, rested := p.loop.Pointer()
	if rested > 20*time.Second {
		return false
	}
	reach := int(2 * p.opt.Height * p.opt.Scale)
	return at.In(p.surf.At().Inset(-reach))
}

// Next implements Ticker.
func (p *Pet) Next(now time.Time) (time.Time, bool) {
	at, ok := p.body.Next(now)
	if !p.Visible() {
		if ok && at.Before(p.steppedAt.Add(100*time.Millisecond)) {
			at = p.steppedAt.Add(100 * time.Millisecond) // nobody sees it: timers need no frames
		}
		return at, ok
	}
	frame := p.steppedAt.Add(time.Second / time.Duration(p.FPS(now)))
	if p.soon {
		return now, true
	}
	if p.art.stale && !p.surf.Shown() {
		frame = now
	}
	if !ok || frame.Before(at) {
		return frame, true
	}
	// The body's wish for a frame is met at the frame rate, not beyond it.
	if floor := p.steppedAt.Add(time.Second / time.Duration(p.opt.FPS)); at.Before(floor) {
		at = floor
	}
	return at, true
}

// Tick implements Ticker: one step of body and motion, and a frame where something changed.
func (p *Pet) Tick(now time.Time) {
	dt := now.Sub(p.steppedAt)
	p.steppedAt, p.soon = now, false
	p.hand.step(now)
	f := p.body.Step(now)
	p.report(now)
	if p.frame.Bed > 0 {
		f.Root.Y -= p.dress.bedDrop(p.size.anat, p.art.view) * f.Bed // the whole cushion stands on the floor line, its front rim too
	}
	moved := f.Root != p.frame.Root || f.Bed != p.frame.Bed
	p.frame = f
	if !p.Visible() {
		return
	}
	p.imposeClip(f)
	p.pose = p.player.Step(dt, p.input(f, now, dt))
	p.gates()
	rect, fresh := p.size.window(f.Root, f.Bed > 0), !p.surf.Shown()
	p.art.view = p.size.viewOf(rect, f)
	drawn := p.art.frames
	p.art.show(rect, p.pose, p.dress.bedProps(p.size.anat, f.Bed), now)
	p.body.SetSeat(p.art.point(p.pose.Seat))
	p.body.SetScruff(p.art.point(p.pose.Scruff))
	if fresh || moved || p.art.frames != drawn && outgrown(p.toldBox, p.Figure(), int(8*p.opt.Scale)) {
		p.tellPlace()
	}
	if fresh {
		p.tellSeen()
	}
}

// outgrown reports whether a figure reaches beyond the one told, or has left much of it: a turned head must not end up
// under the bubble beside it. What she merely breathes tells nothing, so that the bubble rests.
func outgrown(told, now image.Rectangle, slack int) bool {
	if told.Empty() || now.Empty() {
		return told.Empty() != now.Empty()
	}
	return !now.In(told.Inset(-slack)) || !told.In(now.Inset(-5*slack))
}

// report hands the body's events on and notes where she came to rest.
func (p *Pet) report(now time.Time) {
	for _, e := range p.body.Events() {
		if p.OnBody != nil {
			p.OnBody(e)
		}
	}
	s := p.body.State(now)
	if s.Posture == body.Standing && !s.Moving && s.Root != p.restAt {
		p.restAt = s.Root
		if p.OnMoved != nil {
			p.OnMoved(s.Root)
		}
	}
}

// Do runs one body command; done is called once, on the main thread.
func (p *Pet) Do(c body.Command, done func(body.Result)) {
	p.body.Do(c, p.loop.Now(), done)
	p.soon = true
}

func (p *Pet) imposeClip(f body.Frame) {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	origin := geom.Vec3{float32(f.Origin.X / p.size.ppm), float32(-f.Origin.Y / p.size.ppm), 0}
	p.player.Hold(f.Clip, motion.HoldOpts{Mirror: f.Mirror, Phase: f.Phase, Restart: f.Serial != p.serial,
		Start: seconds(f.Start), Fade: seconds(f.Fade), Back: f.Back, Flight: f.Flight,
		Origin: geom.AxisAngle(geom.Vec3{0, 1, 0}, -float32(f.Yaw)).Rotate(origin)})
	p.serial = f.Serial
	if f.Jump != p.jump {
		p.jump = f.Jump
		p.player.Reset()
	}
}

// input is what the world tells the player.
func (p *Pet) input(f body.Frame, now time.Time, dt time.Duration) motion.Input {
	in := motion.Input{Yaw: float32(f.Yaw), ReducedMotion: p.opt.Body.ReducedMotion}
	v := geom.Vec3{float32(f.Velocity.X / p.size.ppm), float32(-f.Velocity.Y / p.size.ppm), 0}
	in.Velocity = geom.AxisAngle(geom.Vec3{0, 1, 0}, -in.Yaw).Rotate(v)
	if p.mood.talking {
		// Speech without a voice: syllables of uneven strength.
		p.mood.mouth += dt.Seconds()
		in.Mouth = float32(max(0, math.Sin(p.mood.mouth*19)*0.55+math.Sin(p.mood.mouth*7.3+1)*0.35+0.1))
	}
	if p.mood.looks && p.pose != nil {
		at, rested := p.loop.Pointer()
		if rested < 15*time.Second {
			eye := p.art.point(p.pose.HeadTop)
			reach := p.opt.Height * p.opt.Scale * 1.4
			in.GazeX = float32(math.Atan2(float64(at.X)-eye.X, reach) * 180 / math.Pi)
			in.GazeY = float32(math.Atan2(eye.Y+reach*0.2-float64(at.Y), reach) * 180 / math.Pi)
			in.HasGaze = true
		}
	}
	return in
}
