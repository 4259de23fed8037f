package render

import (
	"image"
	"slices"
)

// Region remembers the last outline, so that Outline can tell whether it changed, and the memory it lay in.
type Region struct {
	rects, spare []image.Rectangle
	w, h         int
	known        bool
}

// Outline makes the rectangles that cover every pixel of alpha (w by h, top row first) above threshold: sorted by y and
// then x, no two overlapping, those of one band equal in height (X11's YXBanded), neighbouring rows with the same
// spans merged. changed reports whether they differ from those of the call before with the same prev, which may be nil;
// then it is always true. The result belongs to prev and is valid until its next but one use.
func Outline(alpha []byte, w, h int, threshold byte, prev *Region) (rects []image.Rectangle, changed bool) {
	if prev == nil {
		prev = &Region{}
	}
	out := prev.spare[:0]
	band := 0 // where the last band begins in out
	for y := 0; y < h && (y+1)*w <= len(alpha); y++ {
		start := len(out)
		out = spans(out, alpha[y*w:(y+1)*w], y, threshold)
		if sameBand(out[band:start], out[start:], y) {
			for i := band; i < start; i++ {
				out[i].Max.Y = y + 1
			}
			out = out[:start]
			continue
		}
		band = start
	}
	changed = !prev.known || prev.w != w || prev.h != h || !slices.Equal(out, prev.rects)
	prev.spare, prev.rects = prev.rects, out
	prev.w, prev.h, prev.known = w, h, true
	return out, changed
}

func spans(out []image.Rectangle, row []byte, y int, threshold byte) []image.Rectangle {
	for x := 0; x < len(row); x++ {
		if row[x] <= threshold {
			continue
		}
		from := x
		for x < len(row) && row[x] > threshold {
			x++
		}
		out = append(out, image.Rect(from, y, x, y+1))
	}
	return out
}

// sameBand reports whether row y has the spans of the band that ends just above it.
func sameBand(above, row []image.Rectangle, y int) bool {
	if len(above) == 0 || len(above) != len(row) || above[0].Max.Y != y {
		return false
	}
	for i := range row {
		if above[i].Min.X != row[i].Min.X || above[i].Max.X != row[i].Max.X {
			return false
		}
	}
	return true
}
