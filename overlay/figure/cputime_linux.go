package figure

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time of the calling thread, the main one, which also runs package raster: what else the
// machine is busy with does not count.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0 // no such clock: then nothing is too slow
	}
	return time.Duration(t.Nano())
}
