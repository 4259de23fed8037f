// Package proc starts the programs that YUI starts: each with an environment that its caller chose, in a process group of
// its own, with the timer slack that programs have by default, and marked, so that all that came of it can be ended. No
// other package of the program starts one.
package proc

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// keys are the secrets that YUI itself asks the environment for: no program that it starts has a use for them.
var keys = []string{"YUI_CHAT_KEY", "OLLAMA_API_KEY", "DISCORD_WEBHOOK_URL"}

// Env is this process's environment without YUI's keys and without the names that drop holds.
func Env(drop ...string) []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(keys, name) || slices.Contains(drop, name)
	})
}

// markName is the variable by which what a program starts is known, whatever session or parent it has by then.
const markName = "YUI_PROGRAM"

// Cmd is a program to be started. Start and Run are those of this type; the rest is as in package exec.
type Cmd struct {
	*exec.Cmd
	mark string
}

// Command is a program with its whole environment, of which nothing is added but a mark. It is kept apart from this
// process's terminal, in a group of its own. Its end by ctx is that of the program alone.
func Command(ctx context.Context, env []string, program string, args ...string) *Cmd {
	c := &Cmd{Cmd: exec.CommandContext(ctx, program, args...), mark: markName + "=" + rand.Text()}
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, markName+"=") })
	c.Env = append(env, c.mark)
	own(c.Cmd)
	return c
}

// Whole lets the end by ctx be that of the program and of all that it started. lastBreath is how long its output may stay
// open after that.
func (c *Cmd) Whole(lastBreath time.Duration) {
	c.Cancel = c.Kill
	c.WaitDelay = lastBreath
}

// Start starts the program.
func (c *Cmd) Start() (err error) {
	ordinary(func() { err = c.Cmd.Start() })
	return err
}

// Run starts the program and waits for its end.
func (c *Cmd) Run() error {
	if err := c.Start(); err != nil {
		return err
	}
	return c.Wait()
}

// killRounds is how often is looked for what a program started while it was being killed.
const killRounds = 5

// Kill ends what is left of a started program and of all that it started, also when the program itself has exited. What
// has cleared its environment and lost its parents, and what another program started for it, is not found. An error
// says that nothing of the program's group was left.
func (c *Cmd) Kill() error {
	err := killGroup(c.Cmd)
	for range killRounds {
		left := marked(c.mark)
		if len(left) == 0 {
			break
		}
		for _, pid := range left {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill() // gone in this very moment is as good
				_ = p.Release()
			}
		}
	}
	return err
}

// Term asks what is left of a started program's group to end.
func (c *Cmd) Term() error { return termGroup(c.Cmd) }

// Open shows a file or a page in the program that the desktop has for it, which keeps none of our pipes.
func Open(ctx context.Context, what string) error { return Command(ctx, Env(), "xdg-open", what).Run() }

// Limited keeps the beginning of what is written to it, and takes the rest without keeping it: a command that prints
// without end is held up by nothing and costs nothing. It is written by one goroutine and read after that one is done.
type Limited struct {
	// Max is how many bytes are kept.
	Max int
	// Total is how many were written.
	Total int64
	// Kept is the beginning.
	Kept []byte
}

// Write implements io.Writer; it never fails.
func (l *Limited) Write(p []byte) (int, error) {
	l.Total += int64(len(p))
	l.Kept = append(l.Kept, p[:min(len(p), max(0, l.Max-len(l.Kept)))]...)
	return len(p), nil
}

// Cut reports whether more was written than kept.
func (l *Limited) Cut() bool { return l.Total > int64(len(l.Kept)) }

var _ io.Writer = (*Limited)(nil)
