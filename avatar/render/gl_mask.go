package render

import (
	"unsafe"

	gl "github.com/go-gl/gl/v3.1/gles2"
)

// reader reads frames back. Software drivers hand over memory at once; hardware is asked through a buffer and answers
// at the next call, so that nothing waits for the GPU.
type reader struct {
	buffer  [2]uint32
	size    int
	w, h    [2]int
	filled  [2]bool
	next    int
	pixels  []byte
	format  uint32
	decided bool
	direct  bool
}

// mask reads the alpha of the bound framebuffer.
func (r *reader) mask(of glFacts, dst []byte, w, h, step int) (ok bool, err error) {
	if !r.decided {
		r.decide(of)
	}
	gl.PixelStorei(gl.PACK_ALIGNMENT, 4)
	if r.direct {
		if len(r.pixels) != 4*w*h {
			r.pixels = make([]byte, 4*w*h)
		}
		gl.ReadPixels(0, 0, int32(w), int32(h), r.format, gl.UNSIGNED_BYTE, unsafe.Pointer(unsafe.SliceData(r.pixels)))
		reduceAlpha(dst, r.pixels, w, h, step)
		return true, nil
	}
	return r.exchange(dst, w, h, step)
}

func (r *reader) decide(of glFacts) {
	r.decided = true
	r.direct = of.software
	r.format = gl.RGBA
	var format, kind int32
	gl.GetIntegerv(gl.IMPLEMENTATION_COLOR_READ_FORMAT, &format)
	gl.GetIntegerv(gl.IMPLEMENTATION_COLOR_READ_TYPE, &kind)
	if of.bgra && format == bgraFormat && kind == gl.UNSIGNED_BYTE {
		r.format = bgraFormat
	}
}

// bgraFormat is GL_BGRA_EXT: the order in which X11 windows keep their pixels, read without shuffling.
const bgraFormat = 0x80E1

// exchange asks for this frame and takes the answer to the one before.
func (r *reader) exchange(dst []byte, w, h, step int) (ok bool, err error) {
	size := 4 * w * h
	if size != r.size {
		if r.buffer[0] == 0 {
			gl.GenBuffers(2, &r.buffer[0])
		}
		for i := range r.buffer {
			gl.BindBuffer(gl.PIXEL_PACK_BUFFER, r.buffer[i])
			gl.BufferData(gl.PIXEL_PACK_BUFFER, size, nil, gl.STREAM_READ)
			r.filled[i] = false
		}
		r.size = size
	}
	i := r.next
	r.next ^= 1
	gl.BindBuffer(gl.PIXEL_PACK_BUFFER, r.buffer[i])
	gl.ReadPixels(0, 0, int32(w), int32(h), r.format, gl.UNSIGNED_BYTE, nil)
	r.filled[i], r.w[i], r.h[i] = true, w, h
	defer gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
	o := i ^ 1
	if !r.filled[o] || r.w[o] != w || r.h[o] != h {
		return false, nil
	}
	gl.BindBuffer(gl.PIXEL_PACK_BUFFER, r.buffer[o])
	p := gl.MapBufferRange(gl.PIXEL_PACK_BUFFER, 0, size, gl.MAP_READ_BIT)
	if p == nil {
		return false, glError("read mask")
	}
	reduceAlpha(dst, unsafe.Slice((*byte)(p), size), w, h, step)
	gl.UnmapBuffer(gl.PIXEL_PACK_BUFFER)
	return true, nil
}

func (r *reader) release() {
	if r.buffer[0] != 0 {
		gl.DeleteBuffers(2, &r.buffer[0])
	}
	*r = reader{}
}
