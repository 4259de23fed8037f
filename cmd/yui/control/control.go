// Package control is how the command line reaches the running instance: a Unix socket in a folder that only its owner can
// enter. One connection carries one request, a JSON object, and its answer, JSON lines of which the last holds the exit
// code. Closing the connection stops what it asked for.
package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Request is one command as the command line sends it.
type Request struct {
	Command string   `json:"command"`
	Preset  string   `json:"preset,omitempty"` // an id or a name; "" is the main pet's
	Args    []string `json:"args,omitempty"`
	Log     bool     `json:"log,omitempty"`
}

// Arg returns the argument i, counted from 0, or "" where there are fewer.
func (r Request) Arg(i int) string {
	if i < len(r.Args) {
		return r.Args[i]
	}
	return ""
}

// answer is one line from the running instance.
type answer struct {
	Out  *string `json:"out,omitempty"`
	Err  *string `json:"err,omitempty"`
	Exit *int    `json:"exit,omitempty"`
}

// Exit codes of the command line (docs/rules/desktop.md#command-line).
const (
	exitOK         = 0
	exitFailed     = 1
	exitUsage      = 2
	exitNotRunning = 3
	exitStopped    = 130 // Ctrl-C, as shells count it
)

// Exit is the error of a command that has told everything itself: all that is left of it is its exit code.
type Exit int

// Failed is the Exit of a command that did not do what was asked.
const Failed = Exit(exitFailed)

// Error implements error.
func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// ErrNotRunning says that no instance listens.
var ErrNotRunning = errors.New("YUI is not running: start it with yui")

// usageError is a command that was written wrongly.
type usageError struct{ error }

// Unwrap returns what is wrong with the command.
func (u usageError) Unwrap() error { return u.error }

// BadUsage marks what is wrong with how a command was written.
func BadUsage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Finish returns the exit code of a command that ended with err, which it writes to stderr unless that has been told.
func Finish(err error, stderr func(string)) int {
	var exit Exit
	if errors.As(err, &exit) {
		return int(exit)
	}
	if err == nil {
		return exitOK
	}
	stderr(err.Error())
	var usage usageError
	switch {
	case errors.Is(err, ErrNotRunning):
		return exitNotRunning
	case errors.As(err, &usage):
		return exitUsage
	}
	return exitFailed
}

// Handler runs one command in the running instance. It is called on a goroutine of its own; ctx ends when the client
// goes or the instance does.
type Handler func(ctx context.Context, req Request, reply *Reply) error

// Handlers are the commands that an instance answers, by their names.
type Handlers map[string]Handler

// run carries out req; an unknown command is bad usage.
func (h Handlers) run(ctx context.Context, req Request, reply *Reply) error {
	handler, ok := h[req.Command]
	if !ok {
		return BadUsage("there is no command %q", req.Command)
	}
	return handler(ctx, req, reply)
}

// Reply writes what a command answers. Safe from any goroutine.
type Reply struct {
	mu sync.Mutex
	w  io.Writer
}

// line writes one line. A client that has gone is noticed by the reader of its connection, which ends the command.
func (r *Reply) line(a answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = json.NewEncoder(r.w).Encode(a)
}

// Out prints a line on the client's stdout.
func (r *Reply) Out(s string) { r.line(answer{Out: &s}) }

// Err prints a line on the client's stderr.
func (r *Reply) Err(s string) { r.line(answer{Err: &s}) }

// Value prints a JSON value, or returns the error there is instead of it.
func (r *Reply) Value(v json.RawMessage, err error) error {
	if err != nil {
		return err
	}
	r.Out(string(v))
	return nil
}
