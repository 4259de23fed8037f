package app

import (
	"cmp"
	"sync/atomic"
	"time"
)

// notices are the program's own sentences.
type notices struct {
	warning   string       // to be told in the first bubble. Main thread
	toldUntil atomic.Int64 // when the last one goes, in Unix nanoseconds
}

// warn keeps what is to be told in the first bubble.
func (n *notices) warn(text string) {
	if text != "" && n.warning != "" {
		text = n.warning + "\n" + text
	}
	n.warning = cmp.Or(text, n.warning)
}

// toldFor is how long a sentence of the program's own stays, and no rule has her say something else.
const toldFor = 30 * time.Second

// tells says whether a sentence of the program's own is in a bubble, or about to be. Safe from any goroutine.
func (n *notices) tells() bool { return time.Now().UnixNano() < n.toldUntil.Load() }

// told notes that such a sentence is there.
func (n *notices) told() { n.toldUntil.Store(time.Now().Add(toldFor).UnixNano()) }
