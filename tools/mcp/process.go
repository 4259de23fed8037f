package mcp

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"yui/internal/proc"
	"yui/tools/internal/output"
)

// How a program is ended: its stdin closes, then it is asked, then it is killed with all that it started.
const (
	politeWait = 700 * time.Millisecond
	termWait   = 700 * time.Millisecond
	// drain is how long its stderr is still read where a process that it left behind holds it.
	drain = 300 * time.Millisecond
)

// process is a server's program.
type process struct {
	cmd    *proc.Cmd
	pipe   *pipe
	errs   *tail
	exited chan struct{} // closed once it has been waited for
}

// startProcess starts the program of a server; its last words are kept for whoever asks why it ended.
func startProcess(t target) (*process, error) {
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		inRead.Close()
		inWrite.Close()
		return nil, err
	}
	// No context: the end of a program is stop, which gives it time.
	cmd := proc.Command(context.Background(), append(proc.Env(t.hidden...), t.env...), t.command[0], t.command[1:]...)
	cmd.Dir = t.dir
	p := &process{cmd: cmd, errs: &tail{}, exited: make(chan struct{}), pipe: newPipe(outRead, inWrite)}
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = inRead, outWrite, p.errs, drain
	err = cmd.Start()
	inRead.Close()
	outWrite.Close()
	if err != nil {
		p.pipe.shut()
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // how it ended is told by what it said last
		_ = cmd.Kill() // what it started has nobody to serve any more
		close(p.exited)
	}()
	return p, nil
}

// stop ends the program and all that it started, and returns when it is gone.
func (p *process) stop() {
	p.pipe.shut()
	for _, step := range []struct {
		wait time.Duration
		next func() error
	}{{politeWait, p.cmd.Term}, {termWait, p.cmd.Kill}} {
		timer := time.NewTimer(step.wait)
		select {
		case <-p.exited:
			timer.Stop()
			return
		case <-timer.C:
			_ = step.next() // gone in this very moment is as good
		}
	}
	<-p.exited
}

// lastWords is why the program says that it ended; its own words.
func (p *process) lastWords() string { return output.Line(p.errs.String(), 200) }

// tail keeps the end of what is written to it. Safe from any goroutine.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const tailMost = 2 << 10

// Write implements io.Writer; it never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	p = p[max(0, n-tailMost):]
	t.kept = append(t.kept, p...)
	t.kept = append(t.kept[:0], t.kept[max(0, len(t.kept)-tailMost):]...)
	return n, nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}

// within runs f, but waits no longer than ctx lasts for it.
func within(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("the MCP library failed: %v", p)
			}
		}()
		done <- f()
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
