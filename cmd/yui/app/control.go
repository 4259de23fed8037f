package app

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// The control socket: one JSON request a connection, answered by JSON lines, the last of which holds the exit code.
// It lies in a folder that only its owner can enter. Closing the connection stops what it asked for. A connection that
// begins like HTTP is a request of the ingress.

const (
	requestLimit = 8 << 20 // tool arguments may be large; nothing else is
	requestWait  = 5 * time.Second
)

// Request is one command of the command line.
type Request struct {
	Command string   `json:"command"`
	Preset  string   `json:"preset,omitempty"`
	Args    []string `json:"args,omitempty"`
	Log     bool     `json:"log,omitempty"`
}

// answer is one line from the app.
type answer struct {
	Out  *string `json:"out,omitempty"`
	Err  *string `json:"err,omitempty"`
	Exit *int    `json:"exit,omitempty"`
}

// Exit codes of the command line (docs/rules/desktop.md#command-line).
const (
	ExitOK         = 0
	ExitFailed     = 1
	ExitUsage      = 2
	ExitNotRunning = 3
)

// ErrNotRunning says that no instance listens.
var ErrNotRunning = errors.New("YUI is not running: start it with yui")

// Reply writes what a command answers. Safe from any goroutine.
type Reply struct {
	mu  sync.Mutex
	enc *json.Encoder
}

func (r *Reply) line(a answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// A client that has gone is noticed by the reader of its connection, which cancels the command.
	_ = r.enc.Encode(a)
}

// Out prints a line on the client's stdout.
func (r *Reply) Out(s string) { r.line(answer{Out: &s}) }

// Err prints a line on the client's stderr.
func (r *Reply) Err(s string) { r.line(answer{Err: &s}) }

// Handler runs one command and returns its exit code.
type Handler func(ctx context.Context, req Request, reply *Reply) int

// control listens on the socket until ctx ends.
type control struct {
	listener net.Listener
	log      *slog.Logger
	handle   Handler
	// visit takes a connection that speaks HTTP, and closes it.
	visit func(c *net.UnixConn, in *bufio.Reader)
	wg    sync.WaitGroup
}

// listen opens the socket. A socket file that nobody listens on is left over and is replaced; the caller holds the
// instance lock, so no other instance can be between the two steps.
func listen(path string, handle Handler, visit func(*net.UnixConn, *bufio.Reader), log *slog.Logger) (*control, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	old := syscall.Umask(0o177) // readable by its owner alone, from its first instant
	l, err := net.Listen("unix", path)
	syscall.Umask(old)
	if err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	return &control{listener: l, log: log, handle: handle, visit: visit}, nil
}

func (c *control) serve(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { c.listener.Close() })
	defer stop()
	for {
		conn, err := c.listener.Accept()
		if err != nil {
			if ctx.Err() == nil {
				c.log.Error("control socket ended", "error", err)
			}
			break
		}
		c.wg.Go(func() { c.meet(ctx, conn.(*net.UnixConn)) })
	}
	c.wg.Wait()
}

// meet tells by the first byte what a connection wants.
func (c *control) meet(ctx context.Context, conn *net.UnixConn) {
	if err := conn.SetReadDeadline(time.Now().Add(requestWait)); err != nil {
		conn.Close()
		return
	}
	in := bufio.NewReader(conn)
	if first, err := in.Peek(1); err == nil && first[0] >= 'A' && first[0] <= 'Z' {
		c.visit(conn, in)
		return
	}
	c.answer(ctx, conn, in)
}

func (c *control) answer(ctx context.Context, conn net.Conn, in io.Reader) {
	defer conn.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reply := &Reply{enc: json.NewEncoder(conn)}
	code := ExitFailed
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("control command failed", "panic", p)
			reply.Err(fmt.Sprint("internal error: ", p))
			code = ExitFailed
		}
		reply.line(answer{Exit: &code})
	}()
	var req Request
	if err := json.NewDecoder(io.LimitReader(in, requestLimit)).Decode(&req); err != nil {
		reply.Err("read request: " + err.Error())
		code = ExitUsage
		return
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		return
	}
	go func() {
		// The client sends nothing more: an end of file is its Ctrl-C.
		var one [1]byte
		_, _ = conn.Read(one[:])
		cancel()
	}()
	code = c.handle(ctx, req, reply)
}

// exitStopped is the exit code of a command that Ctrl-C ended, as shells count it.
const exitStopped = 130

// stopWait bounds what a command that Ctrl-C has ended may still tell.
const stopWait = 3 * time.Second

// Ask sends a request to the running instance and copies what it answers. It returns the exit code, and ErrNotRunning
// where no instance listens.
func Ask(ctx context.Context, socket string, req Request, stdout, stderr io.Writer) (int, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return ExitNotRunning, ErrNotRunning
	}
	defer conn.Close()
	// Ctrl-C ends what was asked for, not the answer: the other side still tells what came of it.
	stop := context.AfterFunc(ctx, func() {
		if half, ok := conn.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite() // nothing helps where it fails, but the deadline
		}
		_ = conn.SetReadDeadline(time.Now().Add(stopWait))
	})
	defer stop()
	if err := json.NewEncoder(conn).Encode(req); err != nil {
		return ExitFailed, fmt.Errorf("send request: %w", err)
	}
	dec := json.NewDecoder(conn)
	for {
		var a answer
		if err := dec.Decode(&a); err != nil {
			if ctx.Err() != nil {
				return exitStopped, nil
			}
			return ExitFailed, fmt.Errorf("read answer: YUI ended in the middle: %w", err)
		}
		switch {
		case a.Out != nil:
			fmt.Fprintln(stdout, *a.Out)
		case a.Err != nil:
			fmt.Fprintln(stderr, *a.Err)
		case a.Exit != nil && ctx.Err() != nil:
			return exitStopped, nil
		case a.Exit != nil:
			return *a.Exit, nil
		}
	}
}
