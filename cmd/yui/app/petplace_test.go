package app

import (
	"fmt"
	"math"
	"testing"

	"yui/avatar/body"
)

func TestClearOf(t *testing.T) {
	at := func(x, w float64) body.Rect { return body.Rect{X: x, Y: 500, W: w, H: 240} }
	panel := body.Rect{X: 600, Y: 100, W: 500, H: 560}
	for _, c := range []struct {
		want  float64
		taken []body.Rect
		near  float64
	}{
		{1000, nil, 1000},
		{1000, []body.Rect{at(100, 140)}, 1000},
		{1000, []body.Rect{at(930, 140)}, 860},
		{1000, []body.Rect{at(930, 140), at(790, 140)}, 1140},
		{1000, []body.Rect{panel}, 1170},
		{-440, []body.Rect{at(930, 140)}, 70},
		{1000, []body.Rect{at(930, 140), {X: 0, W: 1280, Y: 0, H: 800}}, 860}, // rather over a panel than over a friend
	} {
		got := clearOf(c.want, 140, 70, 1210, c.taken)
		if math.Abs(got-c.near) > 4 {
			t.Error(fmt.Sprint(c.want, c.taken), got, "want", c.near)
		}
	}
}
