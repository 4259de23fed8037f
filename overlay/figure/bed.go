package figure

import (
	"yui/avatar/motion"
	"yui/avatar/render"
	"yui/avatar/vrm/geom"
)

// bedHalf is half of the bed's length with its rim, in heights of the pet.
const bedHalf = 0.74

// bedProps is the bed under a pet; none where she is not in it.
func (w *Wardrobe) bedProps(a motion.Anatomy, opacity float64) []render.Prop {
	if opacity <= 0 {
		return nil
	}
	bed := w.bedScene()
	if bed == nil {
		return nil
	}
	s := w.bedScale(a)
	return []render.Prop{{Scene: bed, World: geom.TRS(geom.Vec3{0, -w.bedSink(a), 0}, geom.Ident, geom.Vec3{s, s, s}), Opacity: float32(opacity)}}
}

// bedScale is how large the bed is: by the study's measure, as the clips are, but no longer than the box that is kept for
// it, with room for its rim. Long legs make that measure large, and the bed of a grown-up body would hide her and leave the window.
func (w *Wardrobe) bedScale(a motion.Anatomy) float32 {
	s := a.Unit
	if m := w.bedModel; m != nil && m.Max[0] > m.Min[0] {
		const room = 0.94
		s = min(s, room*2*bedHalf*a.Height/(m.Max[0]-m.Min[0]))
	}
	return s
}

// bedSink is how far the bed stands below her root, so that its surface is where she lies.
func (w *Wardrobe) bedSink(a motion.Anatomy) float32 {
	if !a.LiesLow {
		return 0
	}
	return w.bedTop * w.bedScale(a)
}

// bedDrop is how far the cushion's front edge is seen below the line on which she stands, in pixels.
func (w *Wardrobe) bedDrop(a motion.Anatomy, view render.View) float64 {
	if w.bedModel == nil {
		return 0
	}
	_, front := view.Project(geom.Vec3{0, -w.bedSink(a), w.bedModel.Max[2] * w.bedScale(a)})
	return float64(front - view.RootY)
}
