package render

import (
	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/vrm"
)

// pass draws surfaces, then the outlines of what is not blended, then blended things with theirs.
func (w *wearer) pass(opacity float32) {
	s := w.scene
	blended := s.blended()
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

// blended is the first batch that is blended; all behind it are.
func (s *Scene) blended() int {
	for i := range s.looks {
		if s.looks[i].alpha == vrm.Blend {
			return i
		}
	}
	return len(s.looks)
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
	l := &s.looks[i]
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
	if outline {
		n := w.line[i]
		gl.BindVertexArray(w.hullVAO)
		gl.DrawElementsWithOffset(gl.TRIANGLES, int32(n.count), gl.UNSIGNED_INT, uintptr(n.first*4))
		gl.BindVertexArray(w.vao)
	} else if s.wide {
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
