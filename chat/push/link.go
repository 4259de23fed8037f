package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"yui/chat"
)

// link is one connection.
type link struct {
	conn     *websocket.Conn
	raw      net.Conn        // below conn, to cut off a peer that does not let go
	ctx      context.Context // its life
	drop     context.CancelCauseFunc
	told     Vocabulary // what the backend knows; guarded by Transport.vocabulary
	greeting greeting   // of its hello; the calls that come by it run by what that has declared
	up       bool       // ready has come; guarded by Transport.mu

	out     chan []byte   // frames on their way, in order
	waiting atomic.Int64  // their bytes
	heard   atomic.Int64  // messages that have come
	last    chan struct{} // closed: nothing follows what is in out
	flushed chan struct{} // closed: all of it is written

	complaints int // of the reading goroutine
}

// What waits to be taken by the network; a peer that lets more pile up is given up.
const (
	mostOut      = 1024
	mostOutBytes = 4 * MaxToolResult
)

// ready gives the connection where turns may be sent over it. t.mu is held.
func (t *Transport) ready() *link {
	if t.link != nil && t.link.up {
		return t.link
	}
	return nil
}

func (t *Transport) setState(s State) {
	t.mu.Lock()
	if s.Err == nil && s.Phase == Connecting {
		s.Err = t.state.Err // still the reason why nothing is connected
	}
	t.state = s
	close(t.moved)
	t.moved = make(chan struct{})
	t.mu.Unlock()
	switch {
	case s.Phase == Reconnecting:
		t.log.Info("push reconnecting", "delay_ms", s.Delay.Milliseconds(), "err", s.Err)
	default:
		t.log.Info("push "+string(s.Phase), "chat_id", s.ChatID, "code", s.Code)
	}
	if t.cfg.OnState != nil {
		t.cfg.OnState(s)
	}
}

// keep is the goroutine of the connection: it connects again and again.
func (t *Transport) keep() {
	defer close(t.done)
	delay := t.waits.First
	for {
		t.mu.Lock()
		server, changed := t.server, t.changed
		t.mu.Unlock()
		t.setState(State{Phase: Connecting})
		wasReady, err := t.connect(server, changed)
		if wasReady {
			delay = t.waits.First
		}
		if t.ctx.Err() != nil {
			t.setState(State{Phase: Disconnected})
			return
		}
		select {
		case <-changed:
			delay = t.waits.First
			continue
		default:
		}
		failure := asFailure(server, err)
		again := time.NewTimer(delay)
		if websocket.CloseStatus(err) == CloseWrongKey {
			again.Stop() // only settings help
			t.setState(State{Phase: Failed, Code: CloseWrongKey, Err: failure})
		} else {
			t.setState(State{Phase: Reconnecting, Delay: delay, Err: failure})
		}
		delay = min(2*delay, t.waits.Most)
		select {
		case <-again.C:
		case <-changed:
			delay = t.waits.First
		case <-t.ctx.Done():
		}
		again.Stop()
		if t.ctx.Err() != nil {
			t.setState(State{Phase: Disconnected})
			return
		}
	}
}

// The causes by which a connection ends from this side.
var (
	errNoReady  = errors.New("no ready came after hello")
	errSettings = errors.New("the settings changed")
)

// connect makes one connection and lives it to its end. wasReady says that it came as far as ready.
func (t *Transport) connect(s server, changed <-chan struct{}) (wasReady bool, err error) {
	ctx, cancel := context.WithCancelCause(t.ctx)
	defer cancel(nil)
	conn, raw, err := t.dial(ctx, s)
	if err != nil {
		return false, err
	}
	conn.SetReadLimit(-1) // the reader counts, and goes on behind a frame that is too large
	// Reading outlives t.ctx by the closing handshake.
	reading, drop := context.WithCancelCause(context.Background())
	defer drop(nil)
	l := &link{
		conn: conn, raw: raw, ctx: reading, drop: drop, out: make(chan []byte, mostOut),
		last: make(chan struct{}), flushed: make(chan struct{}),
	}
	var side sync.WaitGroup
	side.Go(func() { t.write(l) })
	side.Go(func() { t.part(ctx, l, changed) })
	defer side.Wait()
	defer cancel(nil)
	defer t.unlink(l)
	if err := t.hello(l, s); err != nil {
		return false, err
	}
	impatience := time.AfterFunc(t.waits.Ready, func() { drop(errNoReady) })
	defer impatience.Stop()
	err = t.read(l, func(chatID string) {
		impatience.Stop()
		wasReady = true
		side.Go(func() { t.ping(reading, l) })
		t.begin(l, chatID)
	})
	if cause := context.Cause(reading); cause != nil {
		err = cause
	}
	drop(err)
	return wasReady, err
}

// part ends the connection: politely where the transport closes or the settings change.
func (t *Transport) part(ctx context.Context, l *link, changed <-chan struct{}) {
	cause := errClosed
	select {
	case <-changed:
		cause = errSettings
	case <-ctx.Done():
	}
	rude := time.AfterFunc(t.waits.Leave, func() { _ = l.raw.Close() })
	defer rude.Stop()
	close(l.last)
	<-l.flushed
	_ = l.conn.Close(websocket.StatusNormalClosure, "") // it may be lost already
	l.drop(cause)
}

// dial makes the connection. The failure names what the server answered.
func (t *Transport) dial(ctx context.Context, s server) (*websocket.Conn, net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, t.waits.Dial)
	defer cancel()
	var raw net.Conn
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { raw = c.Conn }})
	conn, resp, err := websocket.Dial(ctx, s.address, &websocket.DialOptions{HTTPClient: t.cfg.HTTP})
	if err == nil {
		return conn, raw, nil
	}
	if resp == nil || resp.StatusCode == http.StatusSwitchingProtocols {
		return nil, nil, err
	}
	var body []byte
	if resp.Body != nil {
		body, _ = io.ReadAll(io.LimitReader(resp.Body, 4<<10)) // the library has read it already
	}
	f := s.client.Status(resp, body)
	switch {
	case resp.StatusCode < 300:
		f = s.client.NotAnAPI(body)
	case f.Reason == chat.NotFound:
		f.Reason, f.Detail = chat.NoSocket, "" // a page's words would only mislead
	}
	f.Outcome = chat.NetworkDrop
	return nil, nil, f
}

// asFailure says to the person why the connection ended.
func asFailure(s server, err error) *chat.Failure {
	var f *chat.Failure
	if errors.As(err, &f) {
		return f
	}
	var closed websocket.CloseError
	switch {
	case websocket.CloseStatus(err) == CloseWrongKey:
		f = s.client.Broken(err)
		f.Reason, f.Detail = chat.WrongKey, ""
	case errors.As(err, &closed):
		f = s.client.CutOff(fmt.Errorf("close code %d %s", closed.Code, closed.Reason))
	case errors.Is(err, errNoReady), errors.Is(err, errDead), errors.Is(err, errClogged):
		f = s.client.Broken(err)
		f.Reason = chat.Stalled
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		f = s.client.CutOff(nil)
	case errors.Is(err, errOversize):
		f = s.client.Broken(err)
		f.Reason, f.Detail = chat.Other, "its tools and vocabulary do not fit into hello"
	default:
		f = s.client.Broken(err)
	}
	f.Outcome = chat.NetworkDrop
	return f
}
