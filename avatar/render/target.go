package render

import (
	"errors"
	"fmt"

	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/motion"
	"yui/avatar/render/raster"
)

// Target is one window's side of drawing: vertex arrays and framebuffers, which contexts cannot share. Every method
// wants that window's context current.
type Target struct {
	r       *Renderer
	quality Quality
	slots   []*wearer // the pet first, then its props
	smooth  *smoother
	page    *raster.Page // the last frame, where package raster draws
	large   *raster.Page // before it is averaged into page
	shower  presenter
	reader  reader
	bound   *int32 // by itself, so that no frame allocates it for cgo
	changed bool   // quality or size, since the last frame
	drawn   struct {
		view  View
		pose  *motion.Pose
		scene *Scene
		props []Prop
	}
}

// NewTarget makes the drawing state of a window of w by h framebuffer pixels, in the current context.
func NewTarget(r *Renderer, w, h int) (*Target, error) {
	t := &Target{r: r, quality: r.opt.Quality, bound: new(int32)}
	if err := t.Resize(w, h); err != nil {
		return nil, err
	}
	return t, nil
}

// Resize tells the window's new size in framebuffer pixels.
func (t *Target) Resize(w, h int) error {
	if w <= 0 || h <= 0 || w > 16384 || h > 16384 {
		return fmt.Errorf("resize target: %d by %d pixels", w, h)
	}
	t.changed = true
	return nil
}

// SetQuality changes how edges are smoothed from the next frame on.
func (t *Target) SetQuality(q Quality) { t.changed, t.quality = t.changed || q != t.quality, q }

// Release frees what the target made.
func (t *Target) Release() {
	for _, s := range t.slots {
		s.release()
	}
	t.slots = nil
	t.smooth.release()
	t.smooth = nil
	t.page.Release()
	t.large.Release()
	t.page, t.large = nil, nil
	t.shower.release()
	t.reader.release()
}

// Moved tells whether the frame would differ visibly from the one that this target drew last: another scene, view,
// colour, or any vertex farther than still pixels from where it was drawn. Where it is false the caller may leave out
// Draw and the swap; slow drifts add up and are drawn in time. Draw with the same arguments, if it follows, reuses the
// skinning done here; the pose must not change in between. 0.25 is below what the eye sees.
func (t *Target) Moved(s *Scene, p *motion.Pose, v View, still float32, props ...Prop) bool {
	d := &t.drawn
	if s == nil || s.released || !v.valid() || d.scene != s || !sameView(d.view, v) || len(props) != len(d.props) || t.changed {
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
	w.ready = w.tint(p, v.Time) || w.moved()*v.PixelsPerMetre > still // else Draw skins anew, for a later pose
	return w.ready
}

// sameView compares views but for the time, which tint looks after.
func sameView(a, b View) bool {
	a.Time = b.Time
	return a == b
}

// Draw clears the bound framebuffer to nothing and draws the scene in the pose, premultiplied; with NewSoft it draws into
// memory, see Picture. The pose is read during
// the call only, but Snapshot reads it again. It allocates nothing once a scene has been drawn before.
func (t *Target) Draw(s *Scene, p *motion.Pose, v View, props ...Prop) error {
	if s == nil || s.released {
		return errors.New("draw scene: it is released or missing")
	}
	if !v.valid() {
		return fmt.Errorf("draw scene: view of %d by %d pixels at %g a metre", v.Width, v.Height, v.PixelsPerMetre)
	}
	t.drawn.scene, t.drawn.pose, t.drawn.view = s, p, v
	t.drawn.props = append(t.drawn.props[:0], props...)
	t.changed = false
	if t.r.memory {
		return t.softly()
	}
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, t.bound)
	bound := *t.bound
	if t.r.soft {
		if err := t.softly(); err != nil {
			return err
		}
		return t.shower.show(t.page, uint32(bound), t.r.bgraTexture)
	}
	if t.quality == Off {
		t.paint(1)
		return nil
	}
	if err := t.smoothBegin(v.Width, v.Height); err != nil {
		t.quality = Off // better stepped edges than no pet
		gl.BindFramebuffer(gl.FRAMEBUFFER, uint32(bound))
		t.paint(1)
		return fmt.Errorf("draw scene: %w", err)
	}
	t.paint(t.smooth.scale)
	t.smooth.end(uint32(bound), v.Width, v.Height)
	return nil
}

// paint draws the remembered frame into the bound framebuffer, scale framebuffer pixels for each of the view.
func (t *Target) paint(scale int) {
	d := &t.drawn
	v := d.view
	begin(v, scale)
	x, y, w, h, ok := v.cut()
	if !ok {
		return
	}
	if v.CutSide != 0 {
		k := int32(scale)
		gl.Enable(gl.SCISSOR_TEST)
		gl.Scissor(x*k, y*k, w*k, h*k)
	}
	reach := t.reach()
	t.slot(0, d.scene).draw(worldOf(d.pose), d.pose, nil, v, reach, 1)
	for i := range d.props {
		pr := &d.props[i]
		if !pr.drawable() {
			continue
		}
		t.slot(i+1, pr.Scene).draw(nil, nil, &pr.World, v, reach, min(pr.Opacity, 1))
	}
	gl.BindVertexArray(0)
	gl.Disable(gl.SCISSOR_TEST)
	gl.DepthMask(true)
	gl.Disable(gl.DEPTH_TEST)
	gl.Disable(gl.CULL_FACE)
	gl.FrontFace(gl.CCW)
}

// reach is how far anything of the frame is from the origin.
func (t *Target) reach() float32 {
	d := &t.drawn
	reach := d.scene.mesh.reach
	for i := range d.props {
		if s := d.props[i].Scene; s != nil && !s.released {
			reach = max(reach, s.mesh.reach+d.props[i].World.Pos().Len())
		}
	}
	return reach
}

func (p *Prop) drawable() bool { return p.Scene != nil && !p.Scene.released && p.Opacity > 0 }

// begin sets the state that a frame relies on and clears.
func begin(v View, scale int) {
	gl.Viewport(0, 0, int32(v.Width*scale), int32(v.Height*scale))
	gl.Disable(gl.SCISSOR_TEST)
	gl.Disable(gl.STENCIL_TEST)
	gl.ColorMask(true, true, true, true)
	gl.DepthMask(true)
	gl.ClearColor(0, 0, 0, 0)
	gl.ClearDepthf(1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LEQUAL)
	gl.BlendEquation(gl.FUNC_ADD)
	gl.BlendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
}

func (t *Target) slot(i int, s *Scene) *wearer {
	for len(t.slots) <= i {
		t.slots = append(t.slots, nil)
	}
	if w := t.slots[i]; w == nil || w.scene != s {
		w.release()
		t.slots[i] = newWearer(s)
	}
	return t.slots[i]
}
