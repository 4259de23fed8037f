// Package proc starts the programs that tools run: in a process group of their own, which is ended as a whole.
package proc

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// keys are the secrets of YUI's own .env: no program that a tool starts has a use for them.
var keys = []string{"YUI_CHAT_KEY", "OLLAMA_API_KEY", "DISCORD_WEBHOOK_URL"}

// Env is this process's environment without YUI's keys and without the names that drop holds.
func Env(drop ...string) []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(keys, name) || slices.Contains(drop, name)
	})
}

// Own keeps a command apart from this process's terminal, in a group of its own. Its end by ctx is that of the command
// alone.
func Own(cmd *exec.Cmd) { own(cmd) }

// Group is Own, and lets the end by ctx be that of the whole group. lastBreath is how long its output may stay open
// after that, should a child of it have left the group.
func Group(cmd *exec.Cmd, lastBreath time.Duration) {
	own(cmd)
	cmd.Cancel = func() error { return KillGroup(cmd) }
	cmd.WaitDelay = lastBreath
}

// KillGroup ends what is left of a started command's group, also when the command itself has exited. An error says that
// there was nothing left.
func KillGroup(cmd *exec.Cmd) error { return killGroup(cmd) }

// TermGroup asks what is left of a started command's group to end.
func TermGroup(cmd *exec.Cmd) error { return termGroup(cmd) }

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

// Cut tells whether more was written than kept.
func (l *Limited) Cut() bool { return l.Total > int64(len(l.Kept)) }

var _ io.Writer = (*Limited)(nil)
