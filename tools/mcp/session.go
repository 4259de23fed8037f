package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"yui/tools/internal/output"
)

const (
	// connectWait bounds the start of a server, a listing of its tools included: some fetch their program first.
	connectWait = 60 * time.Second
	// farewell is how long a server may take to be told that the connection ends.
	farewell = 500 * time.Millisecond
	// pagesMost is how many pages of a list are read.
	pagesMost = 20
)

// versions of the protocol, in the order in which they are tried: nearly everything speaks the first, and some old
// servers never answer what they do not know; "" lets the library choose.
var versions = []string{"2025-11-25", ""}

// session is a connection that works.
type session struct {
	cs      *sdk.ClientSession
	process *process // nil for an address
	changed chan struct{}
	broken  chan struct{} // closed once it is of no use any more
	once    sync.Once
	cause   error // why; read it after broken is closed
	cancel  context.CancelFunc
	release func()
	hide    func(string) string
}

// connect starts a server and greets it. ctx bounds the life of the session; greeting is bounded besides.
func connect(ctx context.Context, t target, version, ours string) (*session, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &session{changed: make(chan struct{}, 1), broken: make(chan struct{}), cancel: cancel, release: func() {}, hide: t.hide}
	var transport sdk.Transport
	if len(t.command) > 0 {
		p, err := startProcess(t)
		if err != nil {
			cancel()
			return nil, fmt.Errorf("start: %w", err)
		}
		s.process, transport = p, p.pipe
	} else {
		client, closing := newWeb(ctx, t)
		s.release = closing
		transport = &sdk.StreamableClientTransport{Endpoint: t.url, HTTPClient: client, MaxRetries: 2, MaxEventSize: frameMost}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "yui", Version: ours}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // no roots, no sampling, no questions: it offers tools, and nothing else
		Logger:       slog.New(slog.DiscardHandler),
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {
			select {
			case s.changed <- struct{}{}:
			default: // it is known already
			}
		},
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	})
	greeting, done := context.WithTimeout(ctx, connectWait)
	defer done()
	var cs *sdk.ClientSession
	err := within(greeting, func() (err error) {
		// The context of the connection outlives the greeting; a transport's end lets go of one that hangs.
		cs, err = client.Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
		return err
	})
	if err != nil {
		err = s.why(fmt.Errorf("greet: %w", err))
		s.end()
		return nil, err
	}
	s.cs = cs
	go func() {
		err := cs.Wait()
		if err == nil {
			err = errors.New("it ended")
		}
		s.fail(err)
	}()
	if s.process != nil {
		go func() {
			<-s.process.exited
			s.fail(errors.New("its program ended"))
		}()
	}
	return s, nil
}

// why adds a program's last words to an error, and takes out what nobody should read.
func (s *session) why(err error) error {
	text := err.Error()
	if s.process != nil {
		select {
		case <-s.process.exited:
		case <-time.After(drain): // it may be about to end
		}
		if last := s.process.lastWords(); last != "" {
			text += ": " + last
		}
	}
	return errors.New(s.hide(output.Line(text, 400)))
}

// hide takes the address's path and the values of headers out of a text.
func (t target) hide(text string) string {
	if u, err := url.Parse(t.url); err == nil && t.url != "" {
		text = strings.ReplaceAll(text, t.url, u.Scheme+"://"+u.Host)
	}
	for _, v := range t.headers {
		if len(v) > 3 {
			text = strings.ReplaceAll(text, string(v), "[secret]")
		}
	}
	return text
}

// fail says that the session is of no use any more.
func (s *session) fail(err error) {
	s.once.Do(func() {
		s.cause = err
		close(s.broken)
	})
}

// end ends the session and the program; it returns when nothing is left of them.
func (s *session) end() {
	s.fail(errors.New("it was ended"))
	closed := make(chan struct{})
	if s.cs != nil && s.process == nil {
		go func() { _ = s.cs.Close(); close(closed) }() // tells the server, which may not listen
		select {
		case <-closed:
		case <-time.After(farewell):
		}
	} else {
		close(closed)
	}
	s.cancel()
	if s.process != nil {
		s.process.stop()
	}
	if s.cs != nil {
		_ = s.cs.Close() // its transport is gone: nothing is waited for
	}
	<-closed
	s.release()
}

// list reads a server's tools.
func (s *session) list(ctx context.Context) ([]*sdk.Tool, error) {
	ctx, cancel := context.WithTimeout(ctx, connectWait)
	defer cancel()
	var all []*sdk.Tool
	cursor := ""
	for range pagesMost {
		var page *sdk.ListToolsResult
		err := within(ctx, func() (err error) {
			page, err = s.cs.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
			return err
		})
		var refused *jsonrpc.Error
		if errors.As(err, &refused) && refused.Code == jsonrpc.CodeMethodNotFound {
			return nil, nil // a server without tools
		}
		if err != nil {
			return nil, s.why(fmt.Errorf("list tools: %w", err))
		}
		all = append(all, page.Tools...)
		if page.NextCursor == "" || page.NextCursor == cursor || len(all) > 20*mostTools {
			break
		}
		cursor = page.NextCursor
	}
	return all, nil
}

// fate is what became of a call.
type fate int

const (
	answered fate = iota
	refused       // the server says that there is no such tool, or that the arguments are wrong
	unsent        // the connection was gone before the call was heard: it may be made again
	died          // the connection ended in the middle of it
	unread        // it was carried out, and its answer cannot be read
	troubled      // a failure of the server's that ends nothing
)

// fateOf reads an error of a call. The caller has looked at its contexts.
func (s *session) fateOf(err error) fate {
	var wire *jsonrpc.Error
	var op *net.OpError
	var web *url.Error
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return answered
	case errors.As(err, &kind), errors.As(err, &syntax):
		return unread
	case errors.Is(err, sdk.ErrSessionMissing), errors.Is(err, errUnheard):
		return unsent
	case errors.As(err, &op) && op.Op == "dial":
		return unsent
	case errors.As(err, &web), errors.Is(err, sdk.ErrConnectionClosed), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, os.ErrClosed), errors.Is(err, errTooLong), errors.Is(err, errJunk):
		return died
	}
	select {
	case <-s.broken:
		return died
	default:
	}
	if errors.As(err, &wire) && (wire.Code > -32003 || wire.Code < -32005) { // between are the library's own
		return refused
	}
	return troubled
}
