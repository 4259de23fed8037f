package render

import (
	"fmt"

	gl "github.com/go-gl/gl/v3.1/gles2"
)

// smoother is a framebuffer of its own that a frame is drawn into and then averaged into the window.
// Two by two supersampling by a blit that filters linearly is exactly a box of four; it smooths the toon edge and the
// texture too, which multisampling does not.
type smoother struct {
	scale        int
	w, h         int
	samples      int32
	frame        uint32
	color, depth uint32
}

func (c *glCanvas) smoothBegin(w, h int) error {
	scale, samples := 2, int32(0)
	if c.b.samples > 0 {
		scale, samples = 1, int32(c.b.samples)
	}
	if c.smooth == nil || c.smooth.w != w*scale || c.smooth.h != h*scale {
		c.smooth.release()
		s, err := newSmoother(w*scale, h*scale, scale, samples)
		if err != nil {
			c.smooth = nil
			return err
		}
		c.smooth = s
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, c.smooth.frame)
	return nil
}

func newSmoother(w, h, scale int, samples int32) (*smoother, error) {
	s := &smoother{scale: scale, w: w, h: h, samples: samples}
	gl.GenFramebuffers(1, &s.frame)
	gl.BindFramebuffer(gl.FRAMEBUFFER, s.frame)
	gl.GenRenderbuffers(1, &s.color)
	gl.BindRenderbuffer(gl.RENDERBUFFER, s.color)
	gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, samples, gl.RGBA8, int32(w), int32(h))
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, s.color)
	gl.GenRenderbuffers(1, &s.depth)
	gl.BindRenderbuffer(gl.RENDERBUFFER, s.depth)
	gl.RenderbufferStorageMultisample(gl.RENDERBUFFER, samples, gl.DEPTH_COMPONENT24, int32(w), int32(h))
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, s.depth)
	gl.BindRenderbuffer(gl.RENDERBUFFER, 0)
	if st := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); st != gl.FRAMEBUFFER_COMPLETE {
		s.release()
		_ = glError("make framebuffer") // the status says enough: nobody else is to find the error
		return nil, fmt.Errorf("make framebuffer of %d by %d pixels: status %#x", w, h, st)
	}
	if err := glError("make framebuffer"); err != nil {
		s.release()
		return nil, err
	}
	return s, nil
}

// end averages into the framebuffer to and binds it.
func (s *smoother) end(to uint32, w, h int) {
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, s.frame)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, to)
	filter := uint32(gl.LINEAR)
	if s.scale == 1 {
		filter = gl.NEAREST
	}
	gl.BlitFramebuffer(0, 0, int32(s.w), int32(s.h), 0, 0, int32(w), int32(h), gl.COLOR_BUFFER_BIT, filter)
	drop := [2]uint32{gl.COLOR_ATTACHMENT0, gl.DEPTH_ATTACHMENT}
	gl.InvalidateFramebuffer(gl.READ_FRAMEBUFFER, 2, &drop[0])
	gl.BindFramebuffer(gl.FRAMEBUFFER, to)
}

func (s *smoother) release() {
	if s == nil {
		return
	}
	gl.DeleteFramebuffers(1, &s.frame)
	gl.DeleteRenderbuffers(1, &s.color)
	gl.DeleteRenderbuffers(1, &s.depth)
}
