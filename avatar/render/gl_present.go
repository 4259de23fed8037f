package render

import (
	"fmt"
	"image"

	gl "github.com/go-gl/gl/v3.1/gles2"

	"yui/avatar/render/raster"
)

// newSoftOnGL is the processor as the back end where GL brings its pages to the windows. Main thread.
func newSoftOnGL() *softBackend {
	bgra := tryBGRA()
	return &softBackend{bgra: bgra, screen: func() screen { return &presenter{bgra: bgra, bound: new(int32)} }}
}

// presenter brings pages to a framebuffer. No program runs for that: if the formats agree the driver copies memory.
type presenter struct {
	bgra           bool
	bound          *int32 // by itself, so that no frame allocates it for cgo
	w, h           int
	texture, frame uint32
	was            image.Rectangle // what the texture may hold of the frame before
}

// fit makes the texture of w by h pixels.
func (p *presenter) fit(w, h int) error {
	if p.texture != 0 && p.w == w && p.h == h {
		return nil
	}
	p.release()
	p.w, p.h = w, h
	gl.GenTextures(1, &p.texture)
	gl.BindTexture(gl.TEXTURE_2D, p.texture)
	inside, format := int32(gl.RGBA8), uint32(gl.RGBA)
	if p.bgra {
		inside, format = bgraFormat, bgraFormat
	}
	empty := make([]byte, 4*w*h)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
	gl.TexImage2D(gl.TEXTURE_2D, 0, inside, int32(w), int32(h), 0, format, gl.UNSIGNED_BYTE, gl.Ptr(empty))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.BindTexture(gl.TEXTURE_2D, 0)
	gl.GenFramebuffers(1, &p.frame)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, p.frame)
	gl.FramebufferTexture2D(gl.READ_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, p.texture, 0)
	if st := gl.CheckFramebufferStatus(gl.READ_FRAMEBUFFER); st != gl.FRAMEBUFFER_COMPLETE {
		p.release()
		_ = glError("make picture") // as in newSmoother
		return fmt.Errorf("make picture of %d by %d pixels: status %#x", w, h, st)
	}
	return glError("make picture")
}

func (p *presenter) show(page *raster.Page) error {
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, p.bound)
	to := uint32(*p.bound)
	defer gl.BindFramebuffer(gl.FRAMEBUFFER, to)
	w, h := page.Size()
	if err := p.fit(w, h); err != nil {
		return err
	}
	if r := p.was.Union(page.Used()); !r.Empty() {
		format := uint32(gl.RGBA)
		if p.bgra {
			format = bgraFormat
		}
		gl.BindTexture(gl.TEXTURE_2D, p.texture)
		gl.PixelStorei(gl.UNPACK_ALIGNMENT, 4)
		gl.PixelStorei(gl.UNPACK_ROW_LENGTH, int32(page.Stride()))
		gl.TexSubImage2D(gl.TEXTURE_2D, 0, int32(r.Min.X), int32(r.Min.Y), int32(r.Dx()), int32(r.Dy()), format, gl.UNSIGNED_BYTE, page.Pixels(r.Min.X, r.Min.Y))
		gl.PixelStorei(gl.UNPACK_ROW_LENGTH, 0)
		gl.BindTexture(gl.TEXTURE_2D, 0)
		p.was = page.Used()
	}
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, p.frame)
	gl.BindFramebuffer(gl.DRAW_FRAMEBUFFER, to)
	gl.Disable(gl.SCISSOR_TEST)
	// The page's first row is the window's top, as it is in the window's own memory: upside down twice is a plain copy.
	gl.BlitFramebuffer(0, 0, int32(w), int32(h), 0, int32(h), int32(w), 0, gl.COLOR_BUFFER_BIT, gl.NEAREST)
	return nil
}

func (p *presenter) release() {
	if p.texture != 0 {
		gl.DeleteTextures(1, &p.texture)
	}
	if p.frame != 0 {
		gl.DeleteFramebuffers(1, &p.frame)
	}
	*p = presenter{bgra: p.bgra, bound: p.bound}
}

// tryBGRA reports whether a texture with blue first can be shown.
func tryBGRA() bool {
	if !hasExtension("GL_EXT_texture_format_BGRA8888") {
		return false
	}
	p := presenter{bgra: true}
	defer p.release()
	var bound int32
	gl.GetIntegerv(gl.READ_FRAMEBUFFER_BINDING, &bound)
	defer gl.BindFramebuffer(gl.READ_FRAMEBUFFER, uint32(bound))
	return p.fit(8, 8) == nil
}
