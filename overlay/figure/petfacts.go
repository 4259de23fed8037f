package figure

import (
	"fmt"
	"image"
	"math"

	"yui/avatar/body"
	"yui/avatar/clips"
)

// Head is where her head is on the desktop.
func (p *Pet) Head() image.Rectangle {
	if p.pose == nil {
		return image.Rectangle{}
	}
	top, scruff := p.art.point(p.pose.HeadTop), p.art.point(p.pose.Scruff)
	mid := body.Point{X: (top.X + scruff.X) / 2, Y: (top.Y + scruff.Y) / 2}
	half := max(math.Hypot(top.X-scruff.X, top.Y-scruff.Y)/2, 0.1*p.opt.Height*p.opt.Scale)
	r := image.Rect(int(mid.X-half*1.15), int(mid.Y-half), int(mid.X+half*1.15), int(mid.Y+half))
	r.Min.Y -= int(float64(p.size.anat.Height-p.size.anat.HeadTop)*p.size.ppm*1.05 + 3*p.opt.Scale) // the ears, which tilt and spring
	return r
}

// Figure is where her outline is on the desktop.
func (p *Pet) Figure() image.Rectangle { return p.art.figure() }

func (p *Pet) tellPlace() {
	p.toldBox = p.Figure()
	if p.OnPlace != nil && p.pose != nil {
		p.OnPlace()
	}
}

// Seat and Feet are what `yui state` tells, in pixels of the root window.
func (p *Pet) Seat() body.Point {
	if p.pose == nil {
		return p.frame.Root
	}
	return p.art.point(p.pose.Seat)
}

// Feet is the root: between the feet.
func (p *Pet) Feet() body.Point { return p.frame.Root }

// Rect is the window's place.
func (p *Pet) Rect() image.Rectangle { return p.surf.At() }

// Motion names what is played.
func (p *Pet) Motion() clips.ID { return p.player.Current() }

// Emotion names what she wears on her face.
func (p *Pet) Emotion() string { return p.player.CurrentEmotion() }

// Busy tells whether a gesture of a cue is still playing.
func (p *Pet) Busy() bool { return p.player.Busy() }

// Frames counts the frames drawn so far.
func (p *Pet) Frames() uint64 { return p.art.frames }

// SetComposited tells whether a compositor blends windows now.
func (p *Pet) SetComposited(yes bool) { p.art.setComposited(yes) }

// Snapshot returns the present frame with straight alpha.
func (p *Pet) Snapshot() (image.Image, error) {
	if p.pose == nil {
		return nil, fmt.Errorf("take snapshot of %s: she was never drawn", p.opt.Name)
	}
	p.surf.Current()
	return p.art.target.Snapshot()
}
