package body

import (
	"math/rand/v2"
	"time"
)

// dice is what decides where the person and the desktop leave her the choice.
type dice struct{ *rand.Rand }

// span is a time between the two of span.
func (d dice) span(span [2]time.Duration) time.Duration {
	return span[0] + time.Duration(d.Float64()*float64(span[1]-span[0]))
}

// within is a number of s.
func (d dice) within(s Span) float64 { return s.Min + d.Float64()*max(0, s.Max-s.Min) }

// either is left (-1) or right (1) with equal chance.
func (d dice) either() float64 {
	if d.Float64() < 0.5 {
		return -1
	}
	return 1
}
