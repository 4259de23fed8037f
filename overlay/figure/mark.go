package figure

import (
	"image"
	"time"
)

// cameraMark is the name of the mark among the effects, forever the life of what somebody else ends.
const (
	cameraMark = "camera"
	forever    = 24 * time.Hour
)

// markLeast is how long a mark is seen at least: a camera that is quick must be noticed too.
const markLeast = 1200 * time.Millisecond

// Mark is a small sign beside a pet. Main thread only.
type Mark struct{ burst *burst }

// CameraMark shows that a camera is open: a small camera at a place, until End. It needs no fonts.
// Place.Size is half its width.
func (e *Effects) CameraMark(at Place) (*Mark, error) {
	b, err := e.add(cameraMark, at)
	if err != nil {
		return nil, err
	}
	b.Tick(e.loop.Now()) // seen before anything is opened
	return &Mark{b}, nil
}

// Move brings the mark to where its pet is now.
func (m *Mark) Move(to image.Point) {
	b := m.burst
	if b.over {
		return // over
	}
	corner := to.Sub(b.At().Size().Div(2))
	b.Place(image.Rectangle{Min: corner, Max: corner.Add(b.At().Size())})
}

// End takes the mark away, as soon as it could have been noticed.
func (m *Mark) End() {
	m.burst.life = max(m.burst.owner.loop.Now().Sub(m.burst.began), markLeast)
}
