//go:build !windows && !darwin

package platform

import (
	"sync"
	"time"
)

// idleWatch is the last resort for idle time: how long the pointer has not moved, as far as it was asked.
type idleWatch struct {
	mu    sync.Mutex
	x, y  int
	since time.Time
}

func (w *idleWatch) at(x, y int, now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if x != w.x || y != w.y || w.since.IsZero() {
		w.x, w.y, w.since = x, y, now
	}
	return now.Sub(w.since)
}
