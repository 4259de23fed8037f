package figure

import (
	"image"
	"log/slog"
	"time"

	"yui/avatar/body"
	"yui/avatar/motion"
	"yui/avatar/render"
	"yui/avatar/vrm/geom"
	"yui/overlay/window"
)

// drawing is what is drawn of a pet into her window.
type drawing struct {
	log    *slog.Logger
	surf   *window.Surface
	target *render.Target
	scene  *render.Scene

	view     render.View // of the frame that is being made
	seen     render.View // of the frame on the screen
	stale    bool        // the picture must be drawn although the pose rests
	frames   uint64
	maskedAt time.Time
	mask     []byte
	region   render.Region
	fault    string // that was told last
}

// viewOf is how a frame of the body is seen in a window.
func (s *size) viewOf(rect image.Rectangle, f body.Frame) render.View {
	v := render.View{Width: rect.Dx(), Height: rect.Dy(), PixelsPerMetre: float32(s.ppm),
		RootX: float32(f.Root.X - float64(rect.Min.X)), RootY: float32(f.Root.Y - float64(rect.Min.Y))}
	if f.Cut != nil {
		v.CutX, v.CutSide = float32(f.Cut.X-float64(rect.Min.X)), 1
		if f.Cut.HideLeft {
			v.CutSide = -1
		}
	}
	return v
}

// point is where a point of the model is on the desktop, as the last frame was drawn.
func (d *drawing) point(m geom.Vec3) body.Point {
	x, y := d.view.Project(m)
	return body.Point{X: float64(x) + float64(d.surf.At().Min.X), Y: float64(y) + float64(d.surf.At().Min.Y)}
}

// stillness is how far any point of her may have moved, in pixels, before a frame is drawn anew: breath is slow, and what
// the eye cannot see costs as much as what it can.
const stillness = 0.35

// differs reports whether the frame would differ visibly from the one on the screen.
func (d *drawing) differs(pose *motion.Pose, props []render.Prop) bool {
	if d.stale {
		return true
	}
	if pose.Still && d.view == d.seen {
		return false
	}
	d.surf.Current()
	return d.target.Moved(d.scene, pose, d.view, stillness, props...)
}

// show brings the frame to the screen at rect. It maps a window that is not there yet with its outline already set, so that
// no black or empty box is seen.
func (d *drawing) show(rect image.Rectangle, pose *motion.Pose, props []render.Prop, now time.Time) {
	changed := d.differs(pose, props)
	if !d.surf.Shown() {
		d.surf.Place(rect)
		d.maskedAt = time.Time{}
		d.paint(pose, props, now)
		d.surf.Show(rect)
		changed = true
	}
	if changed {
		d.paint(pose, props, now)
	}
	d.surf.Place(rect)
	if changed {
		d.surf.Present(d.target.Picture())
	}
	d.stale = false
}

// paint draws the pose into the window's back buffer and brings the input shape up to date.
func (d *drawing) paint(pose *motion.Pose, props []render.Prop, now time.Time) {
	d.surf.Current()
	if err := d.target.Draw(d.scene, pose, d.view, props...); err != nil {
		if msg := err.Error(); msg != d.fault {
			d.fault = msg
			d.log.Error("draw pet", "error", err)
		}
		return
	}
	d.frames++
	d.seen = d.view
	// The outline changes slower than the picture; eleven times a second is finer than a hand can aim.
	if now.Sub(d.maskedAt) < 90*time.Millisecond && d.surf.Composited() {
		return
	}
	d.maskedAt = now
	d.outline()
}

// A pixel counts as hers from a tenth on (docs/rules/avatar.md#picking); where nothing blends, thinner ones than half would show black.
const (
	alphaSeen  = 26
	alphaSolid = 128
)

func (d *drawing) outline() {
	step, seen := 2, byte(alphaSeen)
	if !d.surf.Composited() {
		step, seen = 1, alphaSolid // what is seen is cut along it
	}
	w, h := render.MaskSize(d.view.Width, d.view.Height, step)
	if len(d.mask) < w*h {
		d.mask = make([]byte, w*h)
	}
	ok, err := d.target.Mask(d.mask[:w*h], step)
	if err != nil || !ok {
		return
	}
	rects, changed := render.Outline(d.mask[:w*h], w, h, seen, &d.region)
	if !changed {
		return
	}
	if step > 1 {
		big := make([]image.Rectangle, len(rects))
		for i, r := range rects {
			big[i] = image.Rect(r.Min.X*step, r.Min.Y*step, min(r.Max.X*step, d.view.Width), min(r.Max.Y*step, d.view.Height))
		}
		rects = big
	}
	d.surf.SetOutline(rects)
}

// setComposited tells whether a compositor blends windows now.
func (d *drawing) setComposited(yes bool) {
	if d.surf.Composited() != yes {
		d.region = render.Region{}
		d.surf.SetComposited(yes)
		d.maskedAt, d.stale = time.Time{}, true
	}
}

// figure is where her outline is on the desktop.
func (d *drawing) figure() (r image.Rectangle) {
	for _, o := range d.surf.Outline() {
		r = r.Union(o)
	}
	return r.Add(d.surf.At().Min)
}
