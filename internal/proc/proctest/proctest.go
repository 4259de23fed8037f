// Package proctest looks after the processes that tests of tools start.
package proctest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// PID reads the number of a process from a file that it wrote.
func PID(t testing.TB, file string) (pid int) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(string(b), &pid); err != nil {
		t.Fatal(err)
	}
	return pid
}

// Gone waits, at most for limit, until a process has ended or waits to be reaped by whoever inherited it.
func Gone(t testing.TB, pid int, limit time.Duration) {
	t.Helper()
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.HasPrefix(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " Z") {
			return
		}
	}
	t.Errorf("process %d lives", pid)
}
