package render

import (
	"math"

	"yui/avatar/motion"
	"yui/avatar/vrm"
	"yui/avatar/vrm/geom"
)

// wearer is one pet's (or prop's) own state of a scene at one place of a target.
type wearer struct {
	scene    *Scene
	shape    *shape
	lines    []uint32 // indices of the outline faces that this frame shows
	line     []span   // for each batch, in lines
	mark     []uint8
	values   []materialUniforms
	frame    *frameUniforms // by itself in memory: cgo refuses to pass part of a struct that holds Go pointers
	vertices []float32
	shown    []float32 // the vertices last drawn, nil before that
	ready    bool      // vertices are those of the frame to come
	fresh    bool      // they differ from those shown
	seen     View
	placed   geom.Mat4
	news     news
}

func newWearer(s *Scene) *wearer {
	n := len(s.mesh.materials)
	w := &wearer{scene: s, shape: newShape(s.mesh), values: make([]materialUniforms, n), frame: &frameUniforms{},
		vertices: make([]float32, len(s.mesh.position)*floatsPerVertex), news: news{stale: make([]bool, n)}}
	w.roomForLines()
	for i := range w.values {
		w.setMaterial(i, nil, 0, true)
	}
	return w
}

// roomForLines makes room for the outlines' faces.
func (w *wearer) roomForLines() {
	s, n, longest := w.scene, 0, 0
	for i := range s.hulls {
		n += s.mesh.batches[s.hulls[i].batch].count
		longest = max(longest, len(s.hulls[i].bend))
	}
	w.lines, w.mark, w.line = make([]uint32, 0, n), make([]uint8, longest), make([]span, len(s.mesh.batches))
}

// span is a stretch of indices or vertices.
type span struct{ first, count int }

// chooseLines finds the outline faces that a frame of these vertices may show.
func (w *wearer) chooseLines(vertices []float32, v View) {
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
		w.lines = h.choose(w.lines, s.mesh, vertices, eye, width, w.mark)
		w.line[h.batch] = span{first, len(w.lines) - first}
	}
	w.news.lines = true
}

func (w *wearer) setMaterial(i int, p *motion.Pose, seconds float64, force bool) (changed bool) {
	s := w.scene
	u := uniformsOf(&s.mesh.materials[i], s.tints[i], p, seconds)
	if !force && alike(&u, &w.values[i]) {
		return false
	}
	w.values[i], w.news.stale[i], w.news.colors = u, true, true
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

// tint brings the materials that expressions or time change up to the pose, and reports whether any changed.
func (w *wearer) tint(p *motion.Pose, seconds float64) (changed bool) {
	for i := range w.values {
		if len(w.scene.tints[i]) > 0 || w.scene.animated[i] {
			changed = w.setMaterial(i, p, seconds, false) || changed
		}
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

// prepare brings vertices, colours and outline up to a pose and a view.
func (w *wearer) prepare(world []geom.Mat4, p *motion.Pose, whole *geom.Mat4, v View, u frameUniforms) {
	w.pose(world, p, whole)
	w.tint(p, v.Time)
	if u != *w.frame {
		*w.frame, w.news.frame = u, true
	}
	w.show(v)
}

// show makes the skinned vertices those that are shown, and finds their outline faces.
func (w *wearer) show(v View) {
	if w.fresh && len(w.vertices) > 0 {
		if w.shown == nil {
			w.shown = make([]float32, len(w.vertices))
		}
		w.vertices, w.shown = w.shown, w.vertices
		w.news.vertices = true
		w.chooseLines(w.shown, v)
	} else if !sameView(w.seen, v) { // outlines depend on the view
		w.chooseLines(w.shown, v)
	}
	w.seen = v
	w.fresh, w.ready = false, false
}
