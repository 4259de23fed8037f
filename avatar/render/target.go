package render

import (
	"errors"
	"fmt"

	"yui/avatar/motion"
)

// Target is one window's side of drawing. With a renderer of New, every method wants that window's context current.
type Target struct {
	r        *Renderer
	canvas   canvas
	quality  Quality
	slots    []*wearer // the pet first, then its props
	frame    frame     // the last one
	there    bool      // it was drawn
	changed  bool      // quality or size, since the last frame
	released bool
	drawn    struct {
		pose  *motion.Pose
		scene *Scene
		props []Prop
	}
}

// maxSide is how many pixels a window may be wide or high.
const maxSide = 16384

// NewTarget makes the drawing state of a window of w by h framebuffer pixels, in the current context.
func NewTarget(r *Renderer, w, h int) (*Target, error) {
	if r.released {
		return nil, errors.New("make target: the renderer is released")
	}
	t := &Target{r: r, canvas: r.back.canvas(), quality: r.opt.Quality}
	if err := t.Resize(w, h); err != nil {
		return nil, err
	}
	return t, nil
}

// Resize tells the window's new size in framebuffer pixels.
func (t *Target) Resize(w, h int) error {
	if w <= 0 || h <= 0 || w > maxSide || h > maxSide {
		return fmt.Errorf("resize target: %d by %d pixels", w, h)
	}
	t.changed = true
	return nil
}

// SetQuality changes how edges are smoothed from the next frame on.
func (t *Target) SetQuality(q Quality) { t.changed, t.quality = t.changed || q != t.quality, q }

// Release frees what the target made. Nothing can be drawn after it. Twice is fine.
func (t *Target) Release() {
	t.released, t.there, t.slots = true, false, nil
	t.canvas.release()
}

// Moved reports whether the frame would differ visibly from the one that this target drew last: another scene, view,
// colour, or any vertex farther than still pixels from where it was drawn. If it is false the caller may leave out
// Draw and the swap; slow drifts add up and are drawn in time. Draw with the same arguments, if it follows, reuses the
// skinning done here; the pose must not change in between. 0.25 is below what the eye sees.
func (t *Target) Moved(s *Scene, p *motion.Pose, v View, still float32, props ...Prop) bool {
	d := &t.drawn
	if !t.there || t.changed || t.r.owns(s) != nil || !v.valid() || d.scene != s || !sameView(t.frame.view, v) || len(props) != len(d.props) {
		return true
	}
	for i := range props {
		if props[i] != d.props[i] {
			return true
		}
	}
	w := t.slot(0, s)
	w.ready = false
	w.pose(worldOf(p), p, nil)
	w.ready = w.tint(p, v.Time) || w.moved()*v.PixelsPerMetre > still // else Draw skins again, for a later pose
	return w.ready
}

// sameView compares views but for the time, which tint looks after.
func sameView(a, b View) bool {
	a.Time = b.Time
	return a == b
}

// Draw clears the bound framebuffer to nothing and draws the scene in the pose, premultiplied; with NewSoft it draws into
// memory, see Picture. The pose is read during the call only, but Snapshot reads it again. It allocates nothing once a
// scene has been drawn before.
func (t *Target) Draw(s *Scene, p *motion.Pose, v View, props ...Prop) error {
	if t.released {
		return errors.New("draw scene: the target is released")
	}
	if err := t.r.owns(s); err != nil {
		return err
	}
	if !v.valid() {
		return fmt.Errorf("draw scene: view of %d by %d pixels at %g a metre", v.Width, v.Height, v.PixelsPerMetre)
	}
	t.drawn.scene, t.drawn.pose, t.frame.view = s, p, v
	t.drawn.props = append(t.drawn.props[:0], props...)
	t.changed = false
	t.compose()
	err := t.canvas.draw(&t.frame)
	t.there, t.quality = err == nil, t.frame.quality
	if err != nil {
		return fmt.Errorf("draw scene: %w", err)
	}
	return nil
}

// compose brings everything that is drawn up to the remembered pose.
func (t *Target) compose() {
	d, f := &t.drawn, &t.frame
	f.quality, f.layers = t.quality, f.layers[:0]
	reach := t.reach()
	w := t.slot(0, d.scene)
	w.prepare(worldOf(d.pose), d.pose, nil, f.view, f.view.uniforms(reach, 1))
	f.layers = append(f.layers, layer{w, 1})
	for i := range d.props {
		pr := &d.props[i]
		l := layer{opacity: min(pr.Opacity, 1)}
		if t.drawable(pr) {
			l.w = t.slot(i+1, pr.Scene)
			l.w.prepare(nil, nil, &pr.World, f.view, f.view.uniforms(reach, l.opacity))
		}
		f.layers = append(f.layers, l)
	}
}

// reach is how far anything of the frame is from the origin.
func (t *Target) reach() float32 {
	d := &t.drawn
	reach := d.scene.mesh.reach
	for i := range d.props {
		if p := &d.props[i]; t.r.owns(p.Scene) == nil {
			reach = max(reach, p.Scene.mesh.reach+p.World.Pos().Len())
		}
	}
	return reach
}

func (t *Target) drawable(p *Prop) bool { return p.Opacity > 0 && t.r.owns(p.Scene) == nil }

func (t *Target) slot(i int, s *Scene) *wearer {
	for len(t.slots) <= i {
		t.slots = append(t.slots, nil)
	}
	if w := t.slots[i]; w == nil || w.scene != s {
		t.slots[i] = newWearer(s)
	}
	return t.slots[i]
}
