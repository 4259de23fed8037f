package proc

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"yui/internal/proc/proctest"
)

// A program gets the timer slack that programs have by default, whatever its thread's is, which keeps its own.
func TestSlackIsNotInherited(t *testing.T) {
	if _, err := os.Stat("/proc/self/timerslack_ns"); err != nil {
		t.Skip("this system does not tell a program's slack:", err)
	}
	runtime.LockOSThread() // never unlocked: the thread ends with the test
	const coarse = 2_000_000
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, coarse, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	cmd := Command(t.Context(), Env(), "cat", "/proc/self/timerslack_ns")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil || strings.TrimSpace(out.String()) != fmt.Sprint(defaultSlack) {
		t.Errorf("%q %v", out.String(), err)
	}
	if got, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0); err != nil || got != coarse {
		t.Errorf("the thread's own: %d %v", got, err)
	}
}

// All that a program started ends with it: in a session of its own, orphaned, with an environment of its own.
func TestKillFindsWhatHasLeft(t *testing.T) {
	for _, tool := range []string{"setsid", "env"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	script := fmt.Sprintf(`cd %s
setsid sh -c 'echo $$ > session; exec sleep 300' &
(setsid sh -c 'echo $$ > orphan; exec sleep 300' &)
setsid sh -c 'env -i sh -c "echo \$\$ > bare; exec sleep 300"; true' &
until [ -s session ] && [ -s orphan ] && [ -s bare ]; do sleep 0.01; done
echo begun
wait`, dir)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := Command(ctx, Env(), "sh", "-c", script)
	cmd.Whole(time.Second)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 6)
	if _, err := out.Read(line); err != nil || string(line) != "begun\n" {
		t.Fatalf("%q %v", line, err)
	}
	// A program of ours with a mark of its own is none of its business.
	other := Command(t.Context(), append(Env(), cmd.mark), "sleep", "300")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	cancel()
	_ = cmd.Wait()
	for _, name := range []string{"session", "orphan", "bare"} {
		proctest.Gone(t, proctest.PID(t, filepath.Join(dir, name)), 30*time.Second)
	}
	if len(marked(other.mark)) != 1 {
		t.Error("another program was ended, too")
	}
	_ = other.Kill()
	_ = other.Wait()
}
