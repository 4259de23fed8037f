package render

import (
	"math"
	"unsafe"

	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/motion"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// wearer is one pet's (or prop's) own state of a scene in one context.
type wearer struct {
	scene    *Scene
	shape    *shape
	vao      uint32
	vertex   uint32 // buffer: skinned vertices
	block    uint32 // buffer: materials, then the frame
	stride   int    // of a material in block
	hullVAO  uint32 // as vao, with the frame's own outline indices
	hull     uint32 // buffer: those indices
	lines    []uint32
	mark     []uint8
	line     []span // for each batch, in lines
	values   []materialUniforms
	frame    *frameUniforms // by itself in memory: cgo refuses to pass part of a struct that holds Go pointers
	vertices []float32
	shown    []float32 // the vertices last drawn, nil before that
	ready    bool      // vertices are those of the frame to come
	fresh    bool      // they differ from those GL has
	seen     View
	placed   geom.Mat4
	brush    *brush // where package raster draws; GL's objects are not made then
}

func newWearer(s *Scene) *wearer {
	w := &wearer{scene: s, shape: newShape(s.mesh), values: make([]materialUniforms, len(s.mesh.materials)), frame: &frameUniforms{}}
	w.vertices = make([]float32, len(s.mesh.position)*floatsPerVertex)
	if s.r.soft {
		w.brush = newBrush(s)
		w.roomForLines()
		for i := range w.values {
			w.setMaterial(i, nil, 0, true)
		}
		return w
	}
	gl.GenBuffers(1, &w.vertex)
	gl.BindBuffer(gl.ARRAY_BUFFER, w.vertex)
	gl.BufferData(gl.ARRAY_BUFFER, max(4*len(w.vertices), 4), nil, gl.STREAM_DRAW)
	w.vao = w.arrays(s.index)
	if len(s.hulls) > 0 {
		n := w.roomForLines()
		gl.GenBuffers(1, &w.hull)
		gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, w.hull)
		gl.BufferData(gl.ELEMENT_ARRAY_BUFFER, 4*n, nil, gl.STREAM_DRAW)
		w.hullVAO = w.arrays(w.hull)
	}
	w.stride = (materialSize + s.r.align - 1) / s.r.align * s.r.align
	gl.GenBuffers(1, &w.block)
	gl.BindBuffer(gl.UNIFORM_BUFFER, w.block)
	gl.BufferData(gl.UNIFORM_BUFFER, w.stride*len(w.values)+frameSize, nil, gl.DYNAMIC_DRAW)
	for i := range w.values {
		w.setMaterial(i, nil, 0, true)
	}
	return w
}

// roomForLines makes room for the outline's faces and returns how many indices they may be.
func (w *wearer) roomForLines() (n int) {
	s, longest := w.scene, 0
	for i := range s.hulls {
		n += s.mesh.batches[s.hulls[i].batch].count
		longest = max(longest, len(s.hulls[i].bend))
	}
	w.lines, w.mark, w.line = make([]uint32, 0, n), make([]uint8, longest), make([]span, len(s.mesh.batches))
	return n
}

// span is a stretch of indices or vertices.
type span struct{ first, count int }

// arrays makes a vertex array of the wearer's vertices with the given index buffer.
func (w *wearer) arrays(index uint32) (vao uint32) {
	gl.GenVertexArrays(1, &vao)
	gl.BindVertexArray(vao)
	gl.BindBuffer(gl.ARRAY_BUFFER, w.vertex)
	attribute(attrPosition, 3, gl.FLOAT, false, 4*floatsPerVertex, 0)
	attribute(attrNormal, 3, gl.FLOAT, false, 4*floatsPerVertex, 12)
	gl.BindBuffer(gl.ARRAY_BUFFER, w.scene.fixed)
	attribute(attrUV, 2, gl.FLOAT, false, int32(fixedSize), 0)
	attribute(attrLit, 4, gl.UNSIGNED_BYTE, true, int32(fixedSize), 8)
	attribute(attrShade, 4, gl.UNSIGNED_BYTE, true, int32(fixedSize), 12)
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, index)
	gl.BindVertexArray(0)
	return vao
}

// chooseLines finds the outline faces that this frame may show.
func (w *wearer) chooseLines(v View) {
	s := w.scene
	if len(s.hulls) == 0 {
		return
	}
	eye := v.eye()
	w.lines = w.lines[:0]
	for i := range s.hulls {
		h := &s.hulls[i]
		mat := &s.mesh.materials[s.mesh.batches[h.batch].material]
		width := max(mat.OutlineWidth, mat.ExtrasMinWidth/v.PixelsPerMetre)
		if mat.Outline == vrm.OutlineScreen {
			width = max(mat.OutlineWidth*float32(v.Height), mat.ExtrasMinWidth) / v.PixelsPerMetre
		}
		first := len(w.lines)
		w.lines = h.choose(w.lines, s.mesh, w.vertices, eye, width, w.mark)
		w.line[h.batch] = span{first, len(w.lines) - first}
	}
	if w.brush != nil {
		return
	}
	gl.BindVertexArray(0)
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, w.hull)
	if len(w.lines) > 0 {
		w.scene.r.refill(gl.ELEMENT_ARRAY_BUFFER, 4*len(w.lines), unsafe.Pointer(unsafe.SliceData(w.lines)))
	}
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, 0)
}

func attribute(at uint32, size int32, kind uint32, normalised bool, stride int32, offset int) {
	gl.EnableVertexAttribArray(at)
	gl.VertexAttribPointerWithOffset(at, size, kind, normalised, stride, uintptr(offset))
}

func (w *wearer) release() {
	if w == nil {
		return
	}
	if w.brush != nil {
		w.brush.release()
		return
	}
	gl.DeleteVertexArrays(1, &w.vao)
	gl.DeleteVertexArrays(1, &w.hullVAO)
	gl.DeleteBuffers(1, &w.hull)
	gl.DeleteBuffers(1, &w.vertex)
	gl.DeleteBuffers(1, &w.block)
}

func (w *wearer) setMaterial(i int, p *motion.Pose, seconds float64, force bool) (changed bool) {
	s := w.scene
	u := uniformsOf(&s.mesh.materials[i], s.tints[i], p, seconds)
	if !force && alike(&u, &w.values[i]) {
		return false
	}
	w.values[i] = u
	if w.brush != nil {
		w.brush.stale[i] = true
		return true
	}
	gl.BufferSubData(gl.UNIFORM_BUFFER, i*w.stride, materialSize, unsafe.Pointer(&w.values[i]))
	return true
}

// pose skins the model for a pose, unless it has been done since the last frame. A prop that has not moved stays.
func (w *wearer) pose(world []geom.Mat4, p *motion.Pose, whole *geom.Mat4) {
	if w.ready {
		return
	}
	w.ready = true
	var expressions []float32
	if p != nil {
		expressions = p.Expressions
	}
	changed := w.shape.setMorphs(expressions)
	if whole != nil && w.shown != nil && !changed && *whole == w.placed {
		return
	}
	if whole != nil {
		w.placed = *whole
	}
	if world == nil {
		world = w.scene.mesh.rest
	}
	w.shape.setPalette(world, whole)
	w.shape.skin(w.vertices)
	w.fresh = true
}

// tint brings the materials that expressions or time change up to the pose, and tells whether any changed.
func (w *wearer) tint(p *motion.Pose, seconds float64) (changed bool) {
	bound := false
	for i := range w.values {
		if len(w.scene.tints[i]) == 0 && !w.scene.animated[i] {
			continue
		}
		if !bound && w.brush == nil {
			gl.BindBuffer(gl.UNIFORM_BUFFER, w.block)
			bound = true
		}
		changed = w.setMaterial(i, p, seconds, false) || changed
	}
	return changed
}

// moved returns how far in metres any vertex has gone, along x or y, since it was last drawn.
func (w *wearer) moved() float32 {
	if !w.fresh {
		return 0
	}
	if w.shown == nil {
		return float32(math.Inf(1))
	}
	var most float32
	a, b := w.vertices, w.shown[:len(w.vertices)]
	for i := 0; i+1 < len(a); i += floatsPerVertex {
		dx, dy := a[i]-b[i], a[i+1]-b[i+1]
		most = max(most, dx, -dx, dy, -dy)
	}
	return most
}

// stream hands the skinned vertices and the outline faces to GL.
func (w *wearer) stream(v View) {
	if w.fresh && len(w.vertices) > 0 {
		if w.brush == nil {
			gl.BindBuffer(gl.ARRAY_BUFFER, w.vertex)
			w.scene.r.refill(gl.ARRAY_BUFFER, 4*len(w.vertices), unsafe.Pointer(unsafe.SliceData(w.vertices)))
			gl.BindBuffer(gl.ARRAY_BUFFER, 0)
		}
		w.chooseLines(v)
		if w.shown == nil {
			w.shown = make([]float32, len(w.vertices))
		}
		w.vertices, w.shown = w.shown, w.vertices
		w.seen = v
	} else if !sameView(w.seen, v) { // outlines depend on the view
		w.vertices, w.shown = w.shown, w.vertices
		w.chooseLines(v)
		w.vertices, w.shown = w.shown, w.vertices
		w.seen = v
	}
	w.fresh, w.ready = false, false
}

// prepare brings vertices, colours and outline up to a pose.
func (w *wearer) prepare(world []geom.Mat4, p *motion.Pose, whole *geom.Mat4, v View) {
	w.pose(world, p, whole)
	w.tint(p, v.Time)
	w.stream(v)
}

// draw draws all batches.
func (w *wearer) draw(world []geom.Mat4, p *motion.Pose, whole *geom.Mat4, v View, reach, opacity float32) {
	w.prepare(world, p, whole, v)
	if f := v.uniforms(reach, opacity); f != *w.frame {
		*w.frame = f
		gl.BindBuffer(gl.UNIFORM_BUFFER, w.block)
		gl.BufferSubData(gl.UNIFORM_BUFFER, w.stride*len(w.values), frameSize, unsafe.Pointer(w.frame))
	}
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
