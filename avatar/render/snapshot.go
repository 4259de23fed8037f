package render

import (
	"errors"
	"image"
	"unsafe"

	gl "github.com/go-gl/gl/v3.1/gles2"
)

// Snapshot draws the last frame once more, beside the window, and returns it with straight (not premultiplied) alpha
// for a PNG. It needs the pose and scene of the last Draw to be still there, waits for the GPU and allocates: not for
// every frame.
func (t *Target) Snapshot() (*image.NRGBA, error) {
	d := &t.drawn
	if d.scene == nil || d.scene.released {
		return nil, errors.New("take snapshot: nothing is drawn yet")
	}
	w, h := d.view.Width, d.view.Height
	if t.r.soft {
		if err := t.softly(); err != nil {
			return nil, err
		}
		img := image.NewNRGBA(image.Rect(0, 0, w, h))
		t.softPicture(img)
		straightAlpha(img)
		return img, nil
	}
	var bound int32
	gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, &bound)
	defer gl.BindFramebuffer(gl.FRAMEBUFFER, uint32(bound))
	page, err := newSmoother(w, h, 1, 0)
	if err != nil {
		return nil, err
	}
	defer page.release()
	if t.quality == Off {
		t.paint(1)
	} else {
		if err := t.smoothBegin(w, h); err != nil {
			return nil, err
		}
		t.paint(t.smooth.scale)
		t.smooth.end(page.frame, w, h)
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	gl.PixelStorei(gl.PACK_ALIGNMENT, 4)
	gl.ReadPixels(0, 0, int32(w), int32(h), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(img.Pix))
	straighten(img)
	return img, glError("take snapshot")
}

// Picture is the frame last drawn, premultiplied, in the target's own memory: valid until the next call of Draw, Snapshot or
// Release, and not to be written to. Nil before the first frame, and where the renderer is not one of NewSoft.
func (t *Target) Picture() *image.RGBA {
	if !t.r.memory || t.page == nil {
		return nil
	}
	w, h := t.page.Size()
	stride := 4 * t.page.Stride()
	pix := unsafe.Slice((*byte)(t.page.Pixels(0, 0)), stride*(h-1)+4*w)
	return &image.RGBA{Pix: pix, Stride: stride, Rect: image.Rect(0, 0, w, h)}
}

// straighten turns a bottom-up premultiplied picture into a top-down straight one.
func straighten(img *image.NRGBA) {
	h, stride := img.Rect.Dy(), img.Stride
	for y := range h / 2 {
		a, b := img.Pix[y*stride:(y+1)*stride], img.Pix[(h-1-y)*stride:(h-y)*stride]
		for i := range a {
			a[i], b[i] = b[i], a[i]
		}
	}
	straightAlpha(img)
}

// straightAlpha divides colours by their alpha.
func straightAlpha(img *image.NRGBA) {
	for i := 0; i < len(img.Pix); i += 4 {
		p := img.Pix[i : i+4]
		a := uint32(p[3])
		if a == 0 || a == 255 {
			continue
		}
		for c := range 3 {
			p[c] = uint8(min((uint32(p[c])*255+a/2)/a, 255))
		}
	}
}
