package render

import (
	"unsafe"

	gl "github.com/go-gl/gl/v3.1/gles2"
)

// glGarb is a wearer's state in one context.
type glGarb struct {
	b       *glBackend
	w       *wearer
	stock   *glStock
	vao     uint32
	vertex  uint32 // buffer: skinned vertices
	block   uint32 // buffer: materials, then the frame
	stride  int    // of a material in block
	hullVAO uint32 // as vao, with the frame's own outline indices
	hull    uint32 // buffer: those indices
}

func newGarb(b *glBackend, w *wearer) *glGarb {
	s := w.scene
	g := &glGarb{b: b, w: w, stock: s.stock.(*glStock)}
	gl.GenBuffers(1, &g.vertex)
	gl.BindBuffer(gl.ARRAY_BUFFER, g.vertex)
	gl.BufferData(gl.ARRAY_BUFFER, max(4*len(w.vertices), 4), nil, gl.STREAM_DRAW)
	g.vao = g.arrays(g.stock.index)
	if n := cap(w.lines); n > 0 {
		gl.GenBuffers(1, &g.hull)
		gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, g.hull)
		gl.BufferData(gl.ELEMENT_ARRAY_BUFFER, 4*n, nil, gl.STREAM_DRAW)
		g.hullVAO = g.arrays(g.hull)
	}
	g.stride = (materialSize + b.facts.align - 1) / b.facts.align * b.facts.align
	gl.GenBuffers(1, &g.block)
	gl.BindBuffer(gl.UNIFORM_BUFFER, g.block)
	gl.BufferData(gl.UNIFORM_BUFFER, g.stride*len(w.values)+frameSize, nil, gl.DYNAMIC_DRAW)
	return g
}

// arrays makes a vertex array of the wearer's vertices with the given index buffer.
func (g *glGarb) arrays(index uint32) (vao uint32) {
	gl.GenVertexArrays(1, &vao)
	gl.BindVertexArray(vao)
	gl.BindBuffer(gl.ARRAY_BUFFER, g.vertex)
	attribute(attrPosition, 3, gl.FLOAT, false, 4*floatsPerVertex, 0)
	attribute(attrNormal, 3, gl.FLOAT, false, 4*floatsPerVertex, 12)
	gl.BindBuffer(gl.ARRAY_BUFFER, g.stock.fixed)
	attribute(attrUV, 2, gl.FLOAT, false, int32(fixedSize), 0)
	attribute(attrLit, 4, gl.UNSIGNED_BYTE, true, int32(fixedSize), 8)
	attribute(attrShade, 4, gl.UNSIGNED_BYTE, true, int32(fixedSize), 12)
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, index)
	gl.BindVertexArray(0)
	return vao
}

func attribute(at uint32, size int32, kind uint32, normalised bool, stride int32, offset int) {
	gl.EnableVertexAttribArray(at)
	gl.VertexAttribPointerWithOffset(at, size, kind, normalised, stride, uintptr(offset))
}

func (g *glGarb) release() {
	if g == nil {
		return
	}
	gl.DeleteVertexArrays(1, &g.vao)
	gl.DeleteVertexArrays(1, &g.hullVAO)
	gl.DeleteBuffers(1, &g.hull)
	gl.DeleteBuffers(1, &g.vertex)
	gl.DeleteBuffers(1, &g.block)
}

// take hands GL what is new of the wearer.
func (g *glGarb) take() {
	w, n := g.w, &g.w.news
	if n.colors || n.frame {
		gl.BindBuffer(gl.UNIFORM_BUFFER, g.block)
	}
	for i, stale := range n.stale {
		if stale {
			gl.BufferSubData(gl.UNIFORM_BUFFER, i*g.stride, materialSize, unsafe.Pointer(&w.values[i]))
		}
	}
	if n.frame {
		gl.BufferSubData(gl.UNIFORM_BUFFER, g.stride*len(w.values), frameSize, unsafe.Pointer(w.frame))
	}
	if n.vertices {
		gl.BindBuffer(gl.ARRAY_BUFFER, g.vertex)
		g.b.refill(gl.ARRAY_BUFFER, 4*len(w.shown), unsafe.Pointer(unsafe.SliceData(w.shown)))
		gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	}
	if n.lines && len(w.lines) > 0 {
		gl.BindVertexArray(0)
		gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, g.hull)
		g.b.refill(gl.ELEMENT_ARRAY_BUFFER, 4*len(w.lines), unsafe.Pointer(unsafe.SliceData(w.lines)))
		gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, 0)
	}
	n.seen()
}

// draw draws all batches.
func (g *glGarb) draw(opacity float32) {
	g.take()
	gl.BindBufferRange(gl.UNIFORM_BUFFER, bindFrame, g.block, g.stride*len(g.w.values), frameSize)
	gl.BindVertexArray(g.vao)
	if opacity < 1 {
		// Depth first, so that what shows through is the nearest surface alone.
		gl.ColorMask(false, false, false, false)
		g.pass(opacity)
		gl.ColorMask(true, true, true, true)
	}
	g.pass(opacity)
}
