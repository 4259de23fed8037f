package app

import (
	"math"
	"slices"

	"yui/avatar/body"
	"yui/platform"
	"yui/store"
)

// firstPlace is where the pet stood last, else near the right end of the first monitor's floor.
func (a *App) firstPlace(s *platform.Snapshot, at store.Pet) body.Point {
	if at.Placed {
		return body.Point{X: at.X, Y: at.Y}
	}
	w := monitorOf(s, body.Point{}).WorkArea
	return body.Point{X: float64(w.X) + float64(w.W)*0.78 - float64(len(a.pets))*240, Y: float64(w.Y + w.H)}
}

// freePlace is the place on the floor nearest to the wanted one where no other pet stands, and where she does not hide
// the panel by which she was called; the wanted one where there is no such place. Main thread.
func (a *App) freePlace(want body.Point, width float64, m platform.Monitor) body.Point {
	if math.Abs(want.Y-float64(m.WorkArea.Y+m.WorkArea.H)) > 1 {
		return want // she falls, and steps aside below
	}
	var taken []body.Rect
	for _, q := range a.pets {
		taken = append(taken, q.fig.Body().Bounds())
	}
	for _, r := range a.panels.Rects() {
		if !r.Empty() {
			taken = append(taken, body.Rect{X: float64(r.Min.X), Y: float64(r.Min.Y), W: float64(r.Dx()), H: float64(r.Dy())})
		}
	}
	low, high := float64(m.WorkArea.X)+width/2, float64(m.WorkArea.X+m.WorkArea.W)-width/2
	return body.Point{X: clearOf(want.X, width, low, high, taken), Y: want.Y}
}

// clearOf is the place from low to high nearest to want where so wide a pet covers nothing of taken; where there is none,
// the last of those is covered, and so on.
func clearOf(want, width, low, high float64, taken []body.Rect) float64 {
	for ; len(taken) > 0; taken = taken[:len(taken)-1] {
		free := func(x float64) bool {
			return x >= low && x <= high && !slices.ContainsFunc(taken, func(r body.Rect) bool { return x+width/2 > r.X && x-width/2 < r.Right() })
		}
		const step = 4
		for d := 0.0; d <= math.Abs(want-low)+math.Abs(high-want); d += step {
			switch {
			case free(want - d):
				return want - d
			case free(want + d):
				return want + d
			}
		}
	}
	return want
}
