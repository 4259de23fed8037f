package render

import (
	"image"

	gl "github.com/go-gl/gl/v3.1/gles2"
)

// glCanvas is a window's side of drawing by GL: vertex arrays and framebuffers, which contexts cannot share.
type glCanvas struct {
	b      *glBackend
	garbs  []*glGarb // for each place of a frame
	smooth *smoother
	reader reader
	bound  *int32 // by itself, so that no frame allocates it for cgo
}

func (b *glBackend) canvas() canvas { return &glCanvas{b: b, bound: new(int32)} }

func (c *glCanvas) draw(f *frame) error {
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, c.bound)
	to := uint32(*c.bound)
	if f.quality == Off {
		c.paint(f, 1)
		return nil
	}
	if err := c.smoothBegin(f.view.Width, f.view.Height); err != nil {
		f.quality = Off // better stepped edges than no pet
		gl.BindFramebuffer(gl.FRAMEBUFFER, to)
		c.paint(f, 1)
		return err
	}
	c.paint(f, c.smooth.scale)
	c.smooth.end(to, f.view.Width, f.view.Height)
	return nil
}

// paint draws a frame into the bound framebuffer, scale framebuffer pixels for each of the view.
func (c *glCanvas) paint(f *frame, scale int) {
	v := f.view
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
	for i, l := range f.layers {
		if l.w != nil {
			c.garb(i, l.w).draw(l.opacity)
		}
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

// garb is the wearer's state at a place of the frame.
func (c *glCanvas) garb(place int, w *wearer) *glGarb {
	for len(c.garbs) <= place {
		c.garbs = append(c.garbs, nil)
	}
	if g := c.garbs[place]; g == nil || g.w != w {
		g.release()
		c.garbs[place] = newGarb(c.b, w)
	}
	return c.garbs[place]
}

func (c *glCanvas) snapshot(f *frame) (*image.NRGBA, error) {
	w, h := f.view.Width, f.view.Height
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, c.bound)
	bound := uint32(*c.bound)
	defer gl.BindFramebuffer(gl.FRAMEBUFFER, bound)
	page, err := newSmoother(w, h, 1, 0)
	if err != nil {
		return nil, err
	}
	defer page.release()
	if err := c.draw(f); err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	gl.PixelStorei(gl.PACK_ALIGNMENT, 4)
	gl.ReadPixels(0, 0, int32(w), int32(h), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(img.Pix))
	upsideDown(img)
	straightAlpha(img)
	return img, glError("take snapshot")
}

func (c *glCanvas) mask(f *frame, dst []byte, step int) (ok bool, err error) {
	return c.reader.mask(c.b.facts, dst, f.view.Width, f.view.Height, step)
}

// picture is nil: frames are in the GPU's memory.
func (c *glCanvas) picture() *image.RGBA { return nil }

func (c *glCanvas) release() {
	for _, g := range c.garbs {
		g.release()
	}
	c.garbs = nil
	c.smooth.release()
	c.smooth = nil
	c.reader.release()
}

// upsideDown turns a picture whose first row is at the bottom.
func upsideDown(img *image.NRGBA) {
	h, stride := img.Rect.Dy(), img.Stride
	for y := range h / 2 {
		a, b := img.Pix[y*stride:(y+1)*stride], img.Pix[(h-1-y)*stride:(h-y)*stride]
		for i := range a {
			a[i], b[i] = b[i], a[i]
		}
	}
}
