package slack

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func slackOf(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(unix.Gettid()) + "/timerslack_ns")
	if os.IsNotExist(err) {
		b, err = os.ReadFile("/proc/" + strconv.Itoa(unix.Gettid()) + "/timerslack_ns")
	}
	if err != nil {
		t.Skip("this system does not tell a thread's slack:", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The constructor ran before the runtime made its threads, or the watch would be as frequent as ever.
func TestThreadsAreCoarseUntilFine(t *testing.T) {
	runtime.LockOSThread() // never unlocked: the thread ends with the test
	if got := slackOf(t); got != 2_000_000 {
		t.Errorf("slack at the start: %d ns", got)
	}
	Fine()
	if got := slackOf(t); got != 50_000 {
		t.Errorf("slack after Fine: %d ns", got)
	}
}
