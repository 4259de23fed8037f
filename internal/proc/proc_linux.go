package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// defaultSlack is the timer slack that the system gives a program, in nanoseconds.
const defaultSlack = 50_000

// ordinary runs f, which starts a program, on a thread with the default timer slack: a program takes over that of the
// thread that starts it, and package slack makes ours coarse.
func ordinary(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if was, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0); err == nil && was != defaultSlack {
		if unix.Prctl(unix.PR_SET_TIMERSLACK, defaultSlack, 0, 0, 0) == nil {
			defer func() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(was), 0, 0, 0) }()
		}
	}
	f()
}

// marked finds the processes whose environment holds a mark, and all that descend from them.
func marked(mark string) (found []int) {
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	of := map[int][]int{} // by parent
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil || pid == os.Getpid() {
			continue
		}
		above := parent(folder)
		of[above] = append(of[above], pid)
		environ, err := os.ReadFile(filepath.Join(folder, "environ")) // empty for one that has ended
		if err == nil && (bytes.HasPrefix(environ, []byte(mark+"\x00")) || bytes.Contains(environ, []byte("\x00"+mark+"\x00"))) {
			found = append(found, pid)
		}
	}
	seen := map[int]bool{}
	for i := 0; i < len(found); i++ {
		if !seen[found[i]] {
			seen[found[i]] = true
			found = append(found, of[found[i]]...)
		}
	}
	return found
}

// parent reads the parent's id of a process, 0 if it is gone.
func parent(folder string) int {
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return 0
	}
	// pid (name) state ppid …; the name may hold anything
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	pid, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return 0
	}
	return pid
}
