package render

import (
	"errors"
	"fmt"
)

// MaskSize returns the size of a mask of a w by h window when each of its pixels stands for step by step of the window.
func MaskSize(w, h, step int) (mw, mh int) { return (w + step - 1) / step, (h + step - 1) / step }

// Mask reads the alpha of the frame in the bound framebuffer, after Draw and before the buffers are swapped. Each byte
// of dst, top row first, is the greatest alpha found in step by step pixels (1, 2 or 4; at 4 every other pixel is
// looked at). dst must hold MaskSize pixels of the last view. ok is false while there is no answer yet: on hardware the
// mask is that of the frame before.
func (t *Target) Mask(dst []byte, step int) (ok bool, err error) {
	w, h := t.frame.view.Width, t.frame.view.Height
	if !t.there {
		return false, errors.New("read mask: nothing is drawn yet")
	}
	if step != 1 && step != 2 && step != 4 {
		return false, fmt.Errorf("read mask: step %d", step)
	}
	if mw, mh := MaskSize(w, h, step); len(dst) < mw*mh {
		return false, fmt.Errorf("read mask: %d bytes for %d by %d", len(dst), mw, mh)
	}
	return t.canvas.mask(&t.frame, dst, step)
}

// reduceAlpha takes the greatest alpha of each step by step pixels of a bottom-up picture of 4 bytes a pixel.
func reduceAlpha(dst, pixels []byte, w, h, step int) {
	mw, mh := MaskSize(w, h, step)
	skip := max(step/2, 1)
	for my := range mh {
		row := dst[my*mw : (my+1)*mw]
		clear(row)
		for y := my * step; y < min((my+1)*step, h); y += skip {
			line := pixels[4*(h-1-y)*w : 4*(h-y)*w]
			for mx := range row {
				a := row[mx]
				for x := mx * step; x < min((mx+1)*step, w); x += skip {
					a = max(a, line[4*x+3])
				}
				row[mx] = a
			}
		}
	}
}
