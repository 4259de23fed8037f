package body

import (
	"math"
	"time"
)

// shaker watches how a host's edge moves: too fast, or back and forth too hard, and she falls off.
type shaker struct {
	past  [32]sample
	count int // samples ever taken; the last 32 are kept
	swing [2]swing
}

type sample struct {
	at time.Time
	p  Point
}

// swing follows one axis from turning point to turning point. Axes count by themselves: a circle turns on both.
type swing struct {
	begun       bool
	way         float64 // -1, 0 not yet known, 1
	from, tip   float64
	fromT, tipT time.Time
	moves       int          // that made up the way from from to tip
	turns       [8]time.Time // of the last hard reversals, newest first
}

// Speed is measured over at least shortest and at most longest, and over more than leastMoves moves, so that neither
// events of one moment nor single leaps (a window put elsewhere by a key or a script) count as shaking.
const (
	leastMoves = 2
	shortest   = 30 * time.Millisecond
	longest    = 100 * time.Millisecond
	thinning   = 4 * time.Millisecond
)

// shaken takes the edge's new place and reports whether she lets go.
func (b *perching) shaken(now time.Time) bool {
	s := &b.host.shake
	scale := b.ground().scale()
	fast := s.speed(b.root, now) > b.cfg.Ride.ShakeSpeed*scale
	s.add(b.root, now)
	hard := false
	for axis, v := range [2]float64{b.root.X, b.root.Y} {
		if s.swing[axis].turned(v, now, b.cfg.Ride.HardTravel*scale, b.cfg.Ride.HardSpeed*scale) {
			turns := &s.swing[axis].turns
			copy(turns[1:], turns[:])
			turns[0] = now
			first := turns[min(max(b.cfg.Ride.ShakeTurns, 1), len(turns))-1]
			hard = hard || !first.IsZero() && now.Sub(first) <= b.cfg.Ride.ShakeWindow
		}
	}
	return fast || hard
}

func (s *shaker) add(p Point, now time.Time) {
	if s.count > 0 && now.Sub(s.past[(s.count-1)%len(s.past)].at) < thinning {
		return
	}
	s.past[s.count%len(s.past)] = sample{now, p}
	s.count++
}

// speed is the mean speed from the oldest sample within longest to p, 0 if that is too short a time.
func (s *shaker) speed(p Point, now time.Time) float64 {
	var old sample
	moves := 0
	for i := s.count - 1; i >= 0 && i >= s.count-len(s.past); i-- {
		c := s.past[i%len(s.past)]
		if now.Sub(c.at) > longest {
			break
		}
		old = c
		moves++
	}
	age := now.Sub(old.at)
	if moves < leastMoves || age < shortest {
		return 0
	}
	return math.Hypot(p.X-old.p.X, p.Y-old.p.Y) / age.Seconds()
}

// turned takes the axis' new value and reports a hard reversal: a leg of at least travel and speed, made of several
// moves, and as much back. A window that a script sets here and there is not shaken.
func (w *swing) turned(v float64, now time.Time, travel, speed float64) bool {
	if !w.begun {
		*w = swing{begun: true, from: v, tip: v, fromT: now, tipT: now}
		return false
	}
	if v != w.tip {
		w.moves++
	}
	if w.way == 0 {
		if math.Abs(v-w.from) >= travel {
			w.way, w.tip, w.tipT = math.Copysign(1, v-w.from), v, now
		}
		return false
	}
	if (v-w.tip)*w.way >= 0 {
		w.tip, w.tipT = v, now
		return false
	}
	back := math.Abs(v - w.tip)
	if back < travel {
		return false
	}
	hard := w.moves > leastMoves && back >= speed*now.Sub(w.tipT).Seconds() &&
		math.Abs(w.tip-w.from) >= speed*w.tipT.Sub(w.fromT).Seconds()
	w.way, w.from, w.fromT, w.tip, w.tipT, w.moves = -w.way, w.tip, w.tipT, v, now, 1
	return hard
}
