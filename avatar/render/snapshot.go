package render

import (
	"errors"
	"image"
)

// Snapshot draws the last frame once more, beside the window, and returns it with straight (not premultiplied) alpha
// for a PNG. It needs the pose and scene of the last Draw to be still there, waits for the GPU and allocates: not for
// every frame.
func (t *Target) Snapshot() (*image.NRGBA, error) {
	if !t.there || t.drawn.scene.released {
		return nil, errors.New("take snapshot: nothing is drawn yet")
	}
	t.compose()
	return t.canvas.snapshot(&t.frame)
}

// Picture is the frame last drawn, premultiplied, in the target's own memory: valid until the next call of Draw, Snapshot or
// Release, and not to be written to. Nil before the first frame, and if the renderer is not one of NewSoft.
func (t *Target) Picture() *image.RGBA {
	if !t.there {
		return nil
	}
	return t.canvas.picture()
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
