package render

import (
	"errors"
	"fmt"
	"unsafe"

	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/motion"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// Target is one window's side of drawing: vertex arrays and framebuffers, which contexts cannot share. Every method
// wants that window's context current.
type Target struct {
	r       *Renderer
	w, h    int
	quality Quality
	slots   []*wearer // the pet first, then its props
	smooth  *smoother
	reader  reader
	drawn   struct {
		view  View
		pose  *motion.Pose
		scene *Scene
		props []Prop
	}
}

// NewTarget makes the drawing state of a window of w by h framebuffer pixels, in the current context.
func NewTarget(r *Renderer, w, h int) (*Target, error) {
	t := &Target{r: r, quality: r.opt.Quality}
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
	t.w, t.h = w, h
	return nil
}

// SetQuality changes how edges are smoothed from the next frame on.
func (t *Target) SetQuality(q Quality) { t.quality = q }

// Release frees what the target made.
func (t *Target) Release() {
	for _, s := range t.slots {
		s.release()
	}
	t.slots = nil
	t.smooth.release()
	t.smooth = nil
	t.reader.release()
}

// Draw clears the bound framebuffer to nothing and draws the scene in the pose, premultiplied. The pose is read during
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
	var bound int32
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, &bound)
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
	reach := d.scene.mesh.reach
	for i := range d.props {
		if s := d.props[i].Scene; s != nil && !s.released {
			reach = max(reach, s.mesh.reach+d.props[i].World.Pos().Len())
		}
	}
	t.slot(0, d.scene).draw(worldOf(d.pose), d.pose, nil, v, reach, 1)
	for i := range d.props {
		pr := &d.props[i]
		if pr.Scene == nil || pr.Scene.released || pr.Opacity <= 0 {
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

// wearer is one pet's (or prop's) own state of a scene in one context.
type wearer struct {
	scene    *Scene
	shape    *shape
	vao      uint32
	stream   uint32 // buffer: skinned vertices
	block    uint32 // buffer: materials, then the frame
	stride   int    // of a material in block
	values   []materialUniforms
	frame    *frameUniforms // by itself in memory: cgo refuses to pass part of a struct that holds Go pointers
	streamed bool
	placed   geom.Mat4
	vertices []float32
}

func newWearer(s *Scene) *wearer {
	w := &wearer{scene: s, shape: newShape(s.mesh), values: make([]materialUniforms, len(s.mesh.materials)), frame: &frameUniforms{}}
	w.vertices = make([]float32, len(s.mesh.position)*floatsPerVertex)
	gl.GenVertexArrays(1, &w.vao)
	gl.BindVertexArray(w.vao)
	gl.GenBuffers(1, &w.stream)
	gl.BindBuffer(gl.ARRAY_BUFFER, w.stream)
	gl.BufferData(gl.ARRAY_BUFFER, max(4*len(w.vertices), 4), nil, gl.STREAM_DRAW)
	attribute(attrPosition, 3, gl.FLOAT, false, 4*floatsPerVertex, 0)
	attribute(attrNormal, 3, gl.FLOAT, false, 4*floatsPerVertex, 12)
	gl.BindBuffer(gl.ARRAY_BUFFER, s.fixed)
	attribute(attrUVWidth, 3, gl.FLOAT, false, 12, 0)
	if s.mesh.color != nil {
		attribute(attrColor, 4, gl.UNSIGNED_BYTE, true, 4, s.colorAt)
	}
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, s.index)
	gl.BindVertexArray(0)
	w.stride = (materialSize + s.r.align - 1) / s.r.align * s.r.align
	gl.GenBuffers(1, &w.block)
	gl.BindBuffer(gl.UNIFORM_BUFFER, w.block)
	gl.BufferData(gl.UNIFORM_BUFFER, w.stride*len(w.values)+frameSize, nil, gl.DYNAMIC_DRAW)
	for i := range w.values {
		w.setMaterial(i, nil, 0, true)
	}
	return w
}

func attribute(at uint32, size int32, kind uint32, normalised bool, stride int32, offset int) {
	gl.EnableVertexAttribArray(at)
	gl.VertexAttribPointerWithOffset(at, size, kind, normalised, stride, uintptr(offset))
}

func (w *wearer) release() {
	if w == nil {
		return
	}
	gl.DeleteVertexArrays(1, &w.vao)
	gl.DeleteBuffers(1, &w.stream)
	gl.DeleteBuffers(1, &w.block)
}

func (w *wearer) setMaterial(i int, p *motion.Pose, seconds float64, force bool) {
	s := w.scene
	u := uniformsOf(&s.mesh.materials[i], s.looks[i], s.tints[i], p, seconds)
	if !force && u == w.values[i] {
		return
	}
	w.values[i] = u
	gl.BufferSubData(gl.UNIFORM_BUFFER, i*w.stride, materialSize, unsafe.Pointer(&w.values[i]))
}

// update brings vertices and uniforms up to the pose. A prop that has not moved is not skinned again.
func (w *wearer) update(world []geom.Mat4, p *motion.Pose, whole *geom.Mat4, v View, reach, opacity float32) {
	var expressions []float32
	if p != nil {
		expressions = p.Expressions
	}
	changed := w.shape.setMorphs(expressions)
	if whole == nil || !w.streamed || changed || *whole != w.placed {
		if world == nil {
			world = w.scene.mesh.rest
		}
		w.shape.setPalette(world, whole)
		w.shape.skin(w.vertices)
		if len(w.vertices) > 0 {
			gl.BindBuffer(gl.ARRAY_BUFFER, w.stream)
			gl.BufferData(gl.ARRAY_BUFFER, 4*len(w.vertices), gl.Ptr(w.vertices), gl.STREAM_DRAW)
			gl.BindBuffer(gl.ARRAY_BUFFER, 0)
		}
		w.streamed = true
		if whole != nil {
			w.placed = *whole
		}
	}
	gl.BindBuffer(gl.UNIFORM_BUFFER, w.block)
	for i := range w.values {
		if len(w.scene.tints[i]) > 0 || w.scene.looks[i].animated {
			w.setMaterial(i, p, v.Time, false)
		}
	}
	if f := v.uniforms(reach, opacity); f != *w.frame {
		*w.frame = f
		gl.BufferSubData(gl.UNIFORM_BUFFER, w.stride*len(w.values), frameSize, unsafe.Pointer(w.frame))
	}
}

// draw draws all batches.
func (w *wearer) draw(world []geom.Mat4, p *motion.Pose, whole *geom.Mat4, v View, reach, opacity float32) {
	w.update(world, p, whole, v, reach, opacity)
	gl.BindBufferRange(gl.UNIFORM_BUFFER, bindFrame, w.block, w.stride*len(w.values), frameSize)
	gl.BindVertexArray(w.vao)
	if opacity < 1 {
		// Depth first, so that what shows through is the nearest surface alone.
		gl.ColorMask(false, false, false, false)
		w.pass(opacity)
		gl.ColorMask(true, true, true, true)
	}
	w.pass(opacity)
}

// pass draws surfaces, then the outlines of what is not blended, then blended things with theirs.
func (w *wearer) pass(opacity float32) {
	s := w.scene
	blended := len(s.mesh.batches)
	for i, b := range s.mesh.batches {
		if s.looks[b.material].alpha == vrm.Blend {
			blended = i
			break
		}
	}
	st := newState()
	for i := range blended {
		w.batch(&st, i, false, opacity)
	}
	for i := range blended {
		w.batch(&st, i, true, opacity)
	}
	for i := blended; i < len(s.mesh.batches); i++ {
		w.batch(&st, i, false, opacity)
		w.batch(&st, i, true, opacity)
	}
}

// state is the GL state that batches change, to leave out what is set already.
type state struct {
	program, cull, front uint32
	blend, depth         bool
	texture              [unitCount]uint32
}

func newState() state {
	gl.Disable(gl.BLEND)
	gl.DepthMask(true)
	gl.Enable(gl.CULL_FACE)
	gl.CullFace(gl.BACK)
	gl.FrontFace(gl.CCW)
	return state{cull: gl.BACK, front: gl.CCW, depth: true}
}

func (w *wearer) batch(st *state, i int, outline bool, opacity float32) {
	s := w.scene
	b, d := &s.mesh.batches[i], &s.draws[i]
	l := &s.looks[b.material]
	prog, cull := d.surface, uint32(gl.BACK)
	if outline {
		prog, cull = d.outline, gl.FRONT
	} else if l.double {
		cull = 0
	}
	if prog == nil {
		return
	}
	if opacity < 1 {
		faded, err := s.r.program(prog.features | fFade)
		if err == nil {
			prog = faded
		}
	}
	front := uint32(gl.CCW)
	if w.shape.mirrored(b.bone) {
		front = gl.CW
	}
	st.set(prog.id, cull, front, l.alpha == vrm.Blend || opacity < 1, l.depth)
	for unit, t := range d.texture {
		if t != 0 && st.texture[unit] != t {
			gl.ActiveTexture(gl.TEXTURE0 + uint32(unit))
			gl.BindTexture(gl.TEXTURE_2D, t)
			st.texture[unit] = t
		}
	}
	gl.BindBufferRange(gl.UNIFORM_BUFFER, bindMaterial, w.block, b.material*w.stride, materialSize)
	if s.wide {
		gl.DrawElementsWithOffset(gl.TRIANGLES, int32(b.count), gl.UNSIGNED_INT, uintptr(b.first*4))
	} else {
		gl.DrawElementsWithOffset(gl.TRIANGLES, int32(b.count), gl.UNSIGNED_SHORT, uintptr(b.first*2))
	}
}

func (st *state) set(program, cull, front uint32, blend, depth bool) {
	if program != st.program {
		gl.UseProgram(program)
		st.program = program
	}
	if cull != st.cull {
		switch {
		case cull == 0:
			gl.Disable(gl.CULL_FACE)
		case st.cull == 0:
			gl.Enable(gl.CULL_FACE)
			fallthrough
		default:
			gl.CullFace(cull)
		}
		st.cull = cull
	}
	if front != st.front {
		gl.FrontFace(front)
		st.front = front
	}
	if blend != st.blend {
		if blend {
			gl.Enable(gl.BLEND)
		} else {
			gl.Disable(gl.BLEND)
		}
		st.blend = blend
	}
	if depth != st.depth {
		gl.DepthMask(depth)
		st.depth = depth
	}
}
