// Package slack makes the Go runtime's watch over its threads cheaper. It is a package of its own so that its cgo part is
// built once.
//
// While any thread runs, the runtime wakes another one (sysmon) as often as the system lets it: a sleep of 20 microseconds
// takes about 70, so that a pet's frame of 5 ms is interrupted seventy times, a sixth of what she costs. A thread takes over the
// timer slack of the one that makes it: what is imported here sets it before the runtime starts, so that such a sleep
// may take up to two milliseconds. The watch has to notice calls and goroutines that run for ten.
package slack

// #include <sys/prctl.h>
// __attribute__((constructor)) static void coarse(void) { prctl(PR_SET_TIMERSLACK, 2000000L, 0, 0, 0); }
// static void fine(void) { prctl(PR_SET_TIMERSLACK, 50000L, 0, 0, 0); }
import "C"

// Fine gives the calling thread the slack of 50 microseconds that threads have by default, as a frame clock needs it.
// The goroutine must be locked to its thread.
func Fine() { C.fine() }
