package fuzzmem

import (
	"runtime"
	"testing"
)

const mib = 1 << 20

// growing is a size that what is free already cannot hold: the heap must grow by at least 64 MiB.
func growing() int {
	held, most := heap()
	return int(most-held) + 64*mib
}

func TestAReaderThatTakesMoreThanTheBoundIsSeen(t *testing.T) {
	w := watch(64*mib, func(uint64) {})
	b := make([]byte, growing())
	if grown := w.stop(); grown < uint64(len(b)) {
		t.Fatalf("the heap grew by %d MiB; %d were taken", grown/mib, len(b)/mib)
	}
	runtime.KeepAlive(b)
}

func TestAPeakThatIsGoneAgainIsSeen(t *testing.T) {
	size := growing()
	w := watch(64*mib, func(uint64) {})
	runtime.KeepAlive(make([]byte, size))
	runtime.GC()
	if grown := w.stop(); grown < 64*mib {
		t.Fatalf("the heap grew by %d MiB; %d were taken", grown/mib, size/mib)
	}
}

func TestAReaderThatGoesOnIsStoppedMeanwhile(t *testing.T) {
	stopped := make(chan uint64, 1)
	w := watch(mib, func(grown uint64) {
		select {
		case stopped <- grown:
		default:
		}
	})
	b := make([]byte, growing())
	<-stopped // if nothing looks, the test's own deadline ends it
	runtime.KeepAlive(b)
	w.stop()
}

func TestWhatStaysWithinTheBoundPasses(t *testing.T) {
	before := make([]byte, 32*mib) // not this input's
	w := watch(64*mib, func(uint64) { t.Error("stopped") })
	for range 100 {
		runtime.KeepAlive(make([]byte, mib))
		runtime.GC()
	}
	if grown := w.stop(); grown > 64*mib {
		t.Fatalf("the heap grew by %d MiB", grown/mib)
	}
	runtime.KeepAlive(before)
}
