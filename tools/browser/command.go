package browser

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"

	"yui/internal/proc"
)

// finished is a command that has exited.
type finished struct {
	code   int // -1 where a signal ended it
	killed bool
	stdout capture
	stderr capture
}

// command runs ego-browser with one argument and input on stdin, until it exits or is killed at the backstop or with
// ctx. Only the command itself is killed: what it started may be ego lite, which goes on. The error says that it could
// not be started.
func (r *Relay) command(ctx context.Context, path, arg, input string, wantStdout bool) (*finished, error) {
	ctx, done := context.WithTimeout(ctx, r.limits.Backstop)
	defer done()
	run := &finished{}
	var killed atomic.Bool
	cmd := proc.Command(ctx, r.env(), path, arg)
	cmd.Stdin = strings.NewReader(input) // closed when it is written; a command that does not read it is no error
	cmd.Stderr = &run.stderr
	if wantStdout {
		cmd.Stdout = &run.stdout // else the null device: it can never block the command
	}
	cmd.Cancel = func() error {
		err := cmd.Process.Kill()
		if err == nil {
			killed.Store(true)
		}
		return err
	}
	// A browser that the command launched may hold its pipes for hours.
	cmd.WaitDelay = r.limits.Drain
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_ = cmd.Wait() // what matters of it is in ProcessState; pipes that are still held are no failure
	run.code = cmd.ProcessState.ExitCode()
	run.killed = killed.Load() && run.code != 0
	run.stdout.end()
	run.stderr.end()
	return run, nil
}

// reason is the cause of an error without the path, which is none of the model's business.
func reason(err error) string {
	var path *fs.PathError
	var start *exec.Error
	var call *os.SyscallError
	var number syscall.Errno
	switch {
	case errors.As(err, &number):
		return number.Error()
	case errors.As(err, &path):
		return path.Err.Error()
	case errors.As(err, &start):
		return start.Err.Error()
	case errors.As(err, &call):
		return call.Err.Error()
	}
	return err.Error()
}
