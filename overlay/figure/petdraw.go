package figure

import (
	"fmt"
	"image"
	"math"
	"time"

	"yui/avatar/body"
	"yui/avatar/motion"
	"yui/avatar/render"
	"yui/avatar/vrm/geom"
)

func (p *Pet) imposeClip(f body.Frame) {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	origin := geom.Vec3{float32(f.Origin.X / p.ppm), float32(-f.Origin.Y / p.ppm), 0}
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
	v := geom.Vec3{float32(f.Velocity.X / p.ppm), float32(-f.Velocity.Y / p.ppm), 0}
	in.Velocity = geom.AxisAngle(geom.Vec3{0, 1, 0}, -in.Yaw).Rotate(v)
	if p.talking {
		// Speech without a voice: syllables of uneven strength.
		p.mouth += dt.Seconds()
		in.Mouth = float32(max(0, math.Sin(p.mouth*19)*0.55+math.Sin(p.mouth*7.3+1)*0.35+0.1))
	}
	if p.looks && p.pose != nil {
		at, rested := p.loop.Pointer()
		if rested < 15*time.Second {
			eye := p.point(p.pose.HeadTop)
			reach := p.opt.Height * p.opt.Scale * 1.4
			in.GazeX = float32(math.Atan2(float64(at.X)-eye.X, reach) * 180 / math.Pi)
			in.GazeY = float32(math.Atan2(eye.Y+reach*0.2-float64(at.Y), reach) * 180 / math.Pi)
			in.HasGaze = true
		}
	}
	return in
}

// point is where a point of the model is on the desktop, as the last frame was drawn.
func (p *Pet) point(m geom.Vec3) body.Point {
	x, y := p.view.Project(m)
	return body.Point{X: float64(x) + float64(p.surf.At().Min.X), Y: float64(y) + float64(p.surf.At().Min.Y)}
}

func (p *Pet) lookAt(rect image.Rectangle, f body.Frame) render.View {
	v := render.View{Width: rect.Dx(), Height: rect.Dy(), PixelsPerMetre: float32(p.ppm),
		RootX: float32(f.Root.X - float64(rect.Min.X)), RootY: float32(f.Root.Y - float64(rect.Min.Y))}
	if f.Cut != nil {
		v.CutX, v.CutSide = float32(f.Cut.X-float64(rect.Min.X)), 1
		if f.Cut.HideLeft {
			v.CutSide = -1
		}
	}
	return v
}

// stillness is how far any point of her may have moved, in pixels, before a frame is drawn anew: breath is slow, and what
// the eye cannot see costs as much as what it can.
const stillness = 0.35

// looksDifferent tells whether the frame would differ visibly from the one on the screen.
func (p *Pet) looksDifferent() bool {
	if p.pose.Still && p.view == p.seen {
		return false
	}
	props := p.props()
	p.surf.Current()
	return p.target.Moved(p.scene, p.pose, p.view, stillness, props...)
}

// appear maps the window with its outline already set, so that no black or empty box is seen.
func (p *Pet) appear(rect image.Rectangle, now time.Time) {
	p.surf.Place(rect)
	p.maskedAt = time.Time{}
	p.paint(now)
	p.surf.Show(rect)
	p.paint(now)
	p.surf.Present(p.target.Picture())
	p.tellPlace()
	p.tellSeen()
}

// paint draws the pose into the window's back buffer and brings the input shape up to date.
func (p *Pet) paint(now time.Time) {
	props := p.props()
	p.surf.Current()
	if err := p.target.Draw(p.scene, p.pose, p.view, props...); err != nil {
		if msg := err.Error(); msg != p.drawErr {
			p.drawErr = msg
			p.loop.Log().Error("draw pet", "pet", p.opt.ID, "error", err)
		}
		return
	}
	p.frames++
	p.seen = p.view
	p.drawnAt = now
	// The outline changes slower than the picture; eleven times a second is finer than a hand can aim.
	if now.Sub(p.maskedAt) < 90*time.Millisecond && p.surf.Composited() {
		return
	}
	p.maskedAt = now
	p.outline()
}

// A pixel counts as hers from a tenth on (docs/rules/avatar.md#picking); where nothing blends, thinner ones than half would show black.
const (
	alphaSeen  = 26
	alphaSolid = 128
)

func (p *Pet) outline() {
	step, seen := 2, byte(alphaSeen)
	if !p.surf.Composited() {
		step, seen = 1, alphaSolid // what is seen is cut along it
	}
	w, h := render.MaskSize(p.view.Width, p.view.Height, step)
	if len(p.mask) < w*h {
		p.mask = make([]byte, w*h)
	}
	ok, err := p.target.Mask(p.mask[:w*h], step)
	if err != nil || !ok {
		return
	}
	rects, changed := render.Outline(p.mask[:w*h], w, h, seen, &p.region)
	if !changed {
		return
	}
	if step > 1 {
		big := make([]image.Rectangle, len(rects))
		for i, r := range rects {
			big[i] = image.Rect(r.Min.X*step, r.Min.Y*step, min(r.Max.X*step, p.view.Width), min(r.Max.Y*step, p.view.Height))
		}
		rects = big
	}
	p.surf.SetOutline(rects)
}

func (p *Pet) props() []render.Prop {
	if p.frame.Bed <= 0 {
		return nil
	}
	bed := p.dress.bedScene()
	if bed == nil {
		return nil
	}
	s := p.bedScale()
	return []render.Prop{{Scene: bed, World: geom.TRS(geom.Vec3{0, -p.bedSink(), 0}, geom.Ident, geom.Vec3{s, s, s}), Opacity: float32(p.frame.Bed)}}
}

// bedScale is how large the bed is: by the study's measure, as the clips are, but no longer than the box that is kept for
// it, with room for its rim. Long legs make that measure large, and the bed of a grown-up body would hide her and leave the window.
func (p *Pet) bedScale() float32 {
	s := p.anat.Unit
	if m := p.dress.bedModel; m != nil && m.Max[0] > m.Min[0] {
		const room = 0.94
		s = min(s, room*2*bedHalf*p.anat.Height/(m.Max[0]-m.Min[0]))
	}
	return s
}

// bedSink is how far the bed stands below her root, so that its surface is where she lies.
func (p *Pet) bedSink() float32 {
	if !p.anat.LiesLow {
		return 0
	}
	return p.dress.bedTop * p.bedScale()
}

// bedDrop is how far the cushion's front edge is seen below the line on which she stands.
func (p *Pet) bedDrop() float64 {
	if p.dress.bedModel == nil || p.frame.Bed <= 0 {
		return 0
	}
	_, front := p.view.Project(geom.Vec3{0, -p.bedSink(), p.dress.bedModel.Max[2] * p.bedScale()})
	return float64(front - p.view.RootY)
}

// tellBody feeds the live points of the drawn pose back to the body.
func (p *Pet) tellBody() {
	p.body.SetSeat(p.point(p.pose.Seat))
	p.body.SetScruff(p.point(p.pose.Scruff))
}

// Snapshot returns the present frame with straight alpha.
func (p *Pet) Snapshot() (image.Image, error) {
	if p.pose == nil {
		return nil, fmt.Errorf("take snapshot of %s: she was never drawn", p.opt.Name)
	}
	p.surf.Current()
	return p.target.Snapshot()
}
