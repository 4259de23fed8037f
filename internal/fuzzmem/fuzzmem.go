// Package fuzzmem bounds the memory that one input of a fuzz target may take. A reader of foreign bytes that does not
// panic but takes gigabytes for a few hundred bytes ends the program just as well.
//
// A target calls Watch first, and is then a failure with its input, which the fuzzing engine keeps in testdata, where
// the heap grew by over Limit:
//
//	f.Fuzz(func(t *testing.T, data []byte) {
//		fuzzmem.Watch(t)
//		Read(data)
//	})
//
// make soak also bounds the whole process, for what the Go heap does not show (C code), and lets the collector keep the
// heap small (GOMEMLIMIT), so that what grows is what the reader holds.
package fuzzmem

import (
	"fmt"
	"runtime/metrics"
	"sync"
	"testing"
	"time"
)

// Limit is how many bytes the heap may grow while one input is read.
const Limit = 1 << 30

// every is how often the heap is looked at while an input is read.
const every = 20 * time.Millisecond

// Watch fails t when the heap grows by over Limit bytes from now to the end of t. An input that goes on growing ends the
// process at once, before it has taken the machine's memory: the engine names and keeps that input, too.
func Watch(t *testing.T) {
	t.Helper()
	w := watch(Limit, func(grown uint64) { panic(trouble(grown)) })
	t.Cleanup(func() {
		if grown := w.stop(); grown > Limit {
			t.Error(trouble(grown))
		}
	})
}

func trouble(grown uint64) string {
	return fmt.Sprintf("the heap grew by %d MiB; the bound is %d MiB", grown>>20, Limit>>20)
}

// watcher compares the most that the heap has been with what it held at the beginning.
type watcher struct {
	limit      uint64
	over       func(grown uint64)
	held, most uint64

	mu    sync.Mutex
	timer *time.Timer // nil once stopped
}

func watch(limit uint64, over func(grown uint64)) *watcher {
	w := &watcher{limit: limit, over: over}
	w.held, w.most = heap()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(every, w.look)
	return w
}

func (w *watcher) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer == nil {
		return
	}
	if grown := w.grown(); grown > w.limit {
		w.over(grown)
	}
	w.timer.Reset(every)
}

// grown is by how much the heap has been larger than it was at the beginning. It sees only what raised the mark of the
// whole process: a smaller heap than there was before is within the bound anyway.
func (w *watcher) grown() uint64 {
	_, most := heap()
	if most <= w.most || most <= w.held {
		return 0
	}
	return most - w.held
}

func (w *watcher) stop() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
	w.timer = nil
	return w.grown()
}

// heap returns the bytes that the heap holds, and the most that it has been: address space once got from the system
// stays counted when it is given back, so that no peak is missed between two looks.
func heap() (held, most uint64) {
	s := [...]metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(s[:])
	for _, one := range s {
		most += one.Value.Uint64()
	}
	return s[0].Value.Uint64(), most
}
