package render

import (
	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/vrm"
)

// pass draws every batch in the scene's order.
func (g *glGarb) pass(opacity float32) {
	st := newState()
	for _, o := range g.w.scene.order {
		g.batch(&st, o.batch, o.outline, opacity)
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

func (g *glGarb) batch(st *state, i int, outline bool, opacity float32) {
	s := g.w.scene
	b, d := &s.mesh.batches[i], &g.stock.draws[i]
	l := &s.looks[i]
	prog, cull := d.surface, uint32(gl.BACK)
	if outline {
		prog, cull = d.outline, gl.FRONT
	} else if l.double {
		cull = 0
	}
	if opacity < 1 {
		faded, err := g.b.program(prog.features | fFade)
		if err == nil {
			prog = faded
		}
	}
	front := uint32(gl.CCW)
	if g.w.shape.mirrored(b.bone) {
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
	gl.BindBufferRange(gl.UNIFORM_BUFFER, bindMaterial, g.block, b.material*g.stride, materialSize)
	if outline {
		n := g.w.line[i]
		gl.BindVertexArray(g.hullVAO)
		gl.DrawElementsWithOffset(gl.TRIANGLES, int32(n.count), gl.UNSIGNED_INT, uintptr(n.first*4))
		gl.BindVertexArray(g.vao)
	} else if g.stock.wide {
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
