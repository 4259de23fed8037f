package vrm

import (
	"fmt"
	"runtime"
	"sync"
)

// errMemory says that a file asks for more than one load may hold. Who returns it says which part did.
var errMemory = fmt.Errorf("with all before it the model takes more than %d MB of memory", maxMemory>>20)

// budget is the memory that one load may still take, of maxMemory in all: for the file, what its JSON and its accessors
// unfold to, and its pictures (docs/rules/avatar.md#bounds-of-a-model). Each stage takes what it is about to allocate,
// before it does. Safe for several goroutines.
type budget struct {
	mu   sync.Mutex
	left int64
	lent int64         // of what is taken, what is given back soon
	back chan struct{} // closed when some of that is
}

func newBudget(n int64) *budget { return &budget{left: n, back: make(chan struct{})} }

// take takes n bytes for as long as the load lasts, or longer.
func (b *budget) take(n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n < 0 || n > b.left {
		return errMemory
	}
	b.left -= n
	return nil
}

// borrow takes n bytes that repay gives back. It waits while others have them on loan, and fails if they are
// not there at all.
func (b *budget) borrow(n int64) error {
	for {
		b.mu.Lock()
		if n >= 0 && n <= b.left {
			b.left -= n
			b.lent += n
			b.mu.Unlock()
			return nil
		}
		hopeless, back := n < 0 || b.lent == 0, b.back
		b.mu.Unlock()
		if hopeless {
			return errMemory
		}
		<-back
	}
}

// collected is the loan from which on its memory is collected before it may be lent again.
const collected = 32 << 20

// repay gives back n borrowed bytes, which nothing may point to any more.
func (b *budget) repay(n int64) {
	if n >= collected {
		runtime.GC()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
	b.lent -= n
	close(b.back)
	b.back = make(chan struct{})
}
