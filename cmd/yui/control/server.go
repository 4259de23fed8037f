package control

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
	"time"
)

// The bounds of one connection to the socket.
const (
	// MostRequest is how many bytes a request may have: tool arguments may be large, nothing else is.
	MostRequest = 8 << 20
	// RequestWait is how long a request may take to arrive.
	RequestWait = 5 * time.Second
	// mostAtOnce is how many commands run at once; each holds a goroutine and what it asked for.
	mostAtOnce = 64
	// lineWait is how long a client may take to read a line.
	lineWait = 30 * time.Second
)

// Server answers commands on a Unix socket.
type Server struct {
	listener net.Listener
	log      *slog.Logger
	handlers Handlers
	visit    func(c *net.UnixConn, in *bufio.Reader)
	wg       sync.WaitGroup
	places   chan struct{}
}

// Listen opens the socket. A socket file that nobody listens on is left over and is replaced; the caller holds the
// instance's lock, so no other instance can be between the two steps. A connection that begins like HTTP goes to visit,
// which closes it.
func Listen(path string, handlers Handlers, visit func(c *net.UnixConn, in *bufio.Reader), log *slog.Logger) (*Server, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	l, err := listenOwner(path)
	if err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	return newServer(l, handlers, visit, log), nil
}

func newServer(l net.Listener, handlers Handlers, visit func(*net.UnixConn, *bufio.Reader), log *slog.Logger) *Server {
	return &Server{listener: l, log: log, handlers: handlers, visit: visit, places: make(chan struct{}, mostAtOnce)}
}

// Serve answers until ctx ends, and returns when every command has.
func (s *Server) Serve(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { s.listener.Close() })
	defer stop()
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			if ctx.Err() == nil {
				s.log.Error("control socket ended", "error", err)
			}
			break
		}
		s.wg.Go(func() { s.meet(ctx, conn.(*net.UnixConn)) })
	}
	s.wg.Wait()
}

// meet tells by the first byte what a connection wants.
func (s *Server) meet(ctx context.Context, conn *net.UnixConn) {
	if err := conn.SetReadDeadline(time.Now().Add(RequestWait)); err != nil {
		conn.Close()
		return
	}
	in := bufio.NewReader(conn)
	if first, err := in.Peek(1); err == nil && first[0] >= 'A' && first[0] <= 'Z' {
		s.visit(conn, in)
		return
	}
	s.answer(ctx, conn, in)
}

// answer reads a request and carries it out. The exit code is the last line, whatever happens.
func (s *Server) answer(ctx context.Context, conn net.Conn, in io.Reader) {
	defer conn.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reply := &Reply{w: patient{conn}}
	code := exitFailed
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("control command failed", "panic", p)
			reply.Err(fmt.Sprint("internal error: ", p))
			code = exitFailed
		}
		reply.line(answer{Exit: &code})
	}()
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	default:
		reply.Err(fmt.Sprintf("busy: %d commands are running already", mostAtOnce))
		return
	}
	var req Request
	if err := json.NewDecoder(io.LimitReader(in, MostRequest)).Decode(&req); err != nil {
		code = Finish(BadUsage("read request: %w", err), reply.Err)
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
	code = Finish(s.handlers.run(ctx, req, reply), reply.Err)
}

// patient writes to a connection and waits for its reader, but not for ever.
type patient struct{ net.Conn }

// Write implements io.Writer.
func (p patient) Write(b []byte) (int, error) {
	if err := p.SetWriteDeadline(time.Now().Add(lineWait)); err != nil {
		return 0, err
	}
	return p.Conn.Write(b)
}
