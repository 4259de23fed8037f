package push

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"yui/chat"
	"yui/chat/api"
)

// Receiver plays replies that arrive without a request; a *chat.Session is one. Unasked returns when the reply's
// stream is over, or early with ctx's error.
type Receiver interface {
	Unasked(ctx context.Context, reply chat.Unasked) error
}

// Waits are the durations of docs/rules/chat.md#push-turns. Zero fields take the defaults.
type Waits struct {
	First time.Duration // before the first new try to connect: 1 s, doubled with each further one
	Most  time.Duration // the longest between two tries: 30 s
	Dial  time.Duration // for the connection itself: 10 s
	Ready time.Duration // from hello to ready: 10 s
	Frame time.Duration // for a turn's next frame: 240 s
	Write time.Duration // for one frame to be taken by the network: 60 s, for 4 MiB over a slow line
	Ping  time.Duration // between two pings: 30 s, below what proxies take for a dead connection
	Calls time.Duration // for a reply's time to come before its calls are run outside of it: 200 ms
	Leave time.Duration // for the peer to answer the closing handshake: 1 s
}

func (w Waits) filled() Waits {
	fill := func(d *time.Duration, standard time.Duration) {
		if *d <= 0 {
			*d = standard
		}
	}
	fill(&w.First, time.Second)
	fill(&w.Most, 30*time.Second)
	fill(&w.Dial, 10*time.Second)
	fill(&w.Ready, 10*time.Second)
	fill(&w.Frame, 240*time.Second)
	fill(&w.Write, 60*time.Second)
	fill(&w.Ping, 30*time.Second)
	fill(&w.Calls, 200*time.Millisecond)
	fill(&w.Leave, time.Second)
	return w
}

// Config is what a Transport is made of. All callbacks may be nil; they are called from goroutines of the Transport,
// one at a time each, and must not block.
type Config struct {
	// BaseURL is where the backend is; see Address.
	BaseURL string
	// Key goes into hello; "" where the backend wants none. It is never logged.
	Key string
	// ChatID names the conversation to the backend: one per installation, like "yui-3f9a2c1d". See NewChatID.
	ChatID string
	// Tools are declared in hello; they are asked again at each hello, so that enums are those of that moment. Calls run
	// by what the hello of their connection has declared.
	Tools chat.Toolbox
	// Company gives the ids of the open characters, in a fixed order: where others are open than at hello, the backend is
	// greeted anew before the next turn. It may be called from any goroutine.
	Company func() []string
	// Vocabulary gives what the pet can express now, at each hello and each VocabularyChanged.
	Vocabulary func() Vocabulary
	// OnState is told every change of the connection.
	OnState func(State)
	// OnDelegations is told the backend's list of tasks, at most 50.
	OnDelegations func([]Delegation)
	// OnRender is told every render, for the turn record log.
	OnRender func(RenderRecord)
	// OnEnd is told the identity of a reply that nobody asked for, of which parts were played as turns that ended with
	// More, where it ends well without a further one.
	OnEnd func(turn string)
	// HTTP replaces the client of the handshake, in tests; nil makes one that heeds the proxy environment.
	HTTP  *http.Client
	Waits Waits
	Log   *slog.Logger
}

// Phase is the state of the socket.
type Phase string

// The phases.
const (
	Disconnected Phase = "disconnected"
	Connecting   Phase = "connecting"
	Ready        Phase = "ready"
	Reconnecting Phase = "reconnecting"
	Failed       Phase = "failed"
)

// State is the state of the socket with what belongs to it.
type State struct {
	Phase  Phase
	ChatID string        // of Ready: what the backend calls the conversation
	Delay  time.Duration // of Reconnecting: until the next try
	Code   int           // of Failed: the close code
	// Err says why the last connection ended or did not come about; nil before there was a reason. No key is in it.
	Err *chat.Failure
}

// Transport is a connection to one backend. It is safe for use by several goroutines.
type Transport struct {
	cfg      Config
	waits    Waits
	log      *slog.Logger
	ctx      context.Context
	cancel   context.CancelFunc
	receiver Receiver
	done     chan struct{} // closed when the connection's goroutine has ended; nil before Open
	work     sync.WaitGroup

	vocabulary sync.Mutex // one vocabulary frame at a time, in the order of the vocabularies

	mu      sync.Mutex // guards what follows; never held over the network or a callback
	server  server
	changed chan struct{} // closed when server is replaced, or is to be greeted anew
	state   State
	moved   chan struct{} // closed when state is replaced
	link    *link         // the connection, from its hello on
	resets  bool          // a reset is owed to the next connection
	closed  bool
	turns
}

// server is what settings may change.
type server struct {
	address, key string
	client       *api.Client // for what failures are called
}

// New reads the address; a failure to do so is a *chat.Failure of BadAddress. It does not connect yet.
func New(cfg Config) (*Transport, error) {
	s, err := newServer(cfg.BaseURL, cfg.Key)
	if err != nil {
		return nil, err
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Vocabulary == nil {
		cfg.Vocabulary = func() Vocabulary { return Vocabulary{} }
	}
	if cfg.HTTP == nil {
		plain := http.DefaultTransport.(*http.Transport).Clone()
		plain.DisableKeepAlives = true // a handshake that fails leaves nothing behind
		cfg.HTTP = &http.Client{Transport: plain}
	}
	if cfg.HTTP.CheckRedirect == nil {
		own := *cfg.HTTP
		own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		cfg.HTTP = &own // the key must not follow a redirect
	}
	t := &Transport{cfg: cfg, waits: cfg.Waits.filled(), log: cfg.Log, server: s, changed: make(chan struct{}), moved: make(chan struct{})}
	t.state = State{Phase: Disconnected}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t, nil
}

func newServer(base, key string) (server, error) {
	address, err := Address(base)
	if err != nil {
		return server{}, &chat.Failure{Outcome: chat.NotConfigured, Reason: chat.BadAddress, Detail: err.Error(), Err: err}
	}
	client, err := api.New(api.Config{BaseURL: "http" + address[len("ws"):], Key: key})
	if err != nil {
		return server{}, err
	}
	return server{address, key, client}, nil
}

// Open connects, and keeps connected until Close. Replies without a request go to receiver; nil drops them. A second
// call does nothing.
func (t *Transport) Open(receiver Receiver) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done != nil || t.closed {
		return
	}
	t.receiver = receiver
	t.done = make(chan struct{})
	go t.keep()
}

// Close ends the connection, running turns and queued replies, and waits until all of it is over.
func (t *Transport) Close() {
	t.mu.Lock()
	t.closed = true
	done := t.done
	t.mu.Unlock()
	t.cancel()
	if done != nil {
		<-done
	}
	t.work.Wait()
	if plain, ok := t.cfg.HTTP.Transport.(*http.Transport); ok {
		plain.CloseIdleConnections()
	}
}

// State gives the state of the socket.
func (t *Transport) State() State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state
}

// Settings changes where the backend is and the key, and connects anew, also where the key was refused before. On an
// error everything stays as it was.
func (t *Transport) Settings(base, key string) error {
	s, err := newServer(base, key)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.server = s
	t.anew()
	return nil
}

// anew ends the connection politely, and another one begins at once. t.mu is held.
func (t *Transport) anew() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// VocabularyChanged tells the backend the vocabulary where it is not what it was told before. While nothing is
// connected there is nothing to do: hello tells it.
func (t *Transport) VocabularyChanged() {
	t.mu.Lock()
	l := t.ready()
	t.mu.Unlock()
	if l != nil {
		t.tellVocabulary(l)
	}
}

// Reset tells the backend that a new session begins, now or with the next connection.
func (t *Transport) Reset() {
	t.mu.Lock()
	l := t.ready()
	t.resets = l == nil
	t.mu.Unlock()
	if l == nil {
		return
	}
	if err := t.send(l, resetFrame{"reset"}, MaxFrame); err != nil {
		t.log.Warn("push reset", "err", err)
	}
}

// errClosed is the cause of waits that Close ends.
var errClosed = errors.New("the transport is closed")
