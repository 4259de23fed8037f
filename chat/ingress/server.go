package ingress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// Port is where the ingress listens unless the person says otherwise. Any port from MinPort to MaxPort may be set.
const (
	Port    = 8770
	MinPort = 1024
	MaxPort = 65535
)

// Binding is tried eight times, half a second apart: a restart may find its own port still taken.
const (
	bindTries = 8
	bindEvery = 500 * time.Millisecond
)

// How long a peer may take, and how many there may be. A hook script sends its few bytes at once.
const (
	headWait    = 2 * time.Second
	bodyWait    = 3 * time.Second
	idleWait    = 10 * time.Second
	answerWait  = commandWait + 5*time.Second
	maxHead     = 8 << 10
	maxPeers    = 64
	closingWait = 500 * time.Millisecond
)

// pollEvery is how often the presence is looked at while something waits, lookGap the least time between two looks,
// whatever arrives, and turnGap between a turn and the next look: a turn needs a moment to make the pet busy.
const (
	pollEvery = 2 * time.Second
	lookGap   = 50 * time.Millisecond
	turnGap   = time.Second
)

// Avatar is the pet's body. Its methods are called from any goroutine and end with their context.
type Avatar interface {
	// State is where the pet is (docs/rules/body.md#state); false where nobody answers.
	State(ctx context.Context) (json.RawMessage, bool)
	// PerchTargets lists the windows she may sit on (docs/rules/body.md#perch-targets); false where nobody answers.
	PerchTargets(ctx context.Context) (json.RawMessage, bool)
	// Command runs a command of body_action, whose shape was checked, and gives its one word (docs/rules/body.md#results):
	// "ok" or why not. "timeout" or "" say that nobody answered.
	Command(ctx context.Context, command json.RawMessage) string
}

// Turns takes what wants to be said. It must not block for long, and may drop a turn.
type Turns interface {
	Give(t Turn)
}

// Presence says whether somebody can be told. It is asked from one goroutine, only while something waits to be told.
type Presence interface {
	// Away says that the person has left the computer.
	Away() bool
	// Busy says that the pet has a turn running or speech to end.
	Busy() bool
}

// Options is what a Server is made of.
type Options struct {
	// Port on 127.0.0.1; 0 takes any free one.
	Port     int
	Avatar   Avatar   // nil: the paths under /avatar/ answer 503
	Turns    Turns    // nil: nothing is said
	Presence Presence // nil: the person is there and the pet is idle
	// OnSignal is told each signal as it arrives, from the goroutine that gives the turns; true keeps it for itself,
	// so that it gets no turn. It must not block. nil is told nothing.
	OnSignal func(Signal) bool
	Log      *slog.Logger     // nil: silent
	Now      func() time.Time // nil: time.Now
}

// Status is how a Server fares.
type Status struct {
	// Address is where it listens, "127.0.0.1:8770"; "" while it does not.
	Address string
	// Error is why it does not listen, "" while it does or still tries.
	Error string
}

// Server is the listener and what it has heard. Its methods may be called from any goroutine.
type Server struct {
	opt     Options
	http    *http.Server
	handed  *handed
	proc    fs.FS // /proc, which knows whose a connection is
	wake    chan struct{}
	ready   chan struct{}
	stop    context.CancelFunc
	running sync.WaitGroup

	mu      sync.Mutex // guards what follows; never held while anybody else is called
	status  Status
	agents  []AgentEvent // arrived and not looked at yet
	signals []Signal
	dropped [2]int // of agents and of signals, before they could be looked at
	inbox   inbox
	warned  bool
}

// New makes a Server that does not listen yet.
func New(opt Options) *Server {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{opt: opt, handed: newHanded(), proc: os.DirFS("/proc"), wake: make(chan struct{}, 1), ready: make(chan struct{}), stop: func() {}}
	s.http = &http.Server{
		Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: headWait, ReadTimeout: bodyWait, WriteTimeout: answerWait,
		IdleTimeout: idleWait, MaxHeaderBytes: maxHead, DisableGeneralOptionsHandler: true, ConnContext: known,
		ErrorLog: slog.NewLogLogger(opt.Log.Handler(), slog.LevelDebug),
	}
	return s
}

// Start begins to listen, at once or with the retries of docs/rules/chat.md#ingress, and returns without waiting for it;
// see Ready and Status. ctx is the life of the server. Start is called once.
func (s *Server) Start(ctx context.Context) {
	ctx, s.stop = context.WithCancel(ctx)
	s.running.Go(func() { s.listen(ctx) })
	s.running.Go(func() { s.serveUntil(ctx, s.handed) })
	s.running.Go(func() { s.tell(ctx) })
}

// Ready is closed once it listens, or has given up.
func (s *Server) Ready() <-chan struct{} { return s.ready }

// Status says how it fares.
func (s *Server) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// Close ends the listener and every connection, and waits for its goroutines. What waits to be told is lost.
func (s *Server) Close() {
	s.stop()
	s.running.Wait()
}

// listen binds and serves until ctx ends.
func (s *Server) listen(ctx context.Context) {
	l, err := s.bind(ctx)
	s.mu.Lock()
	if err != nil {
		s.status = Status{Error: err.Error()}
	} else {
		s.status = Status{Address: l.Addr().String()}
	}
	s.mu.Unlock()
	close(s.ready)
	if err != nil {
		if ctx.Err() == nil {
			s.opt.Log.Warn("the ingress does not listen", "error", err)
		}
		return
	}
	s.opt.Log.Info("the ingress listens", "address", l.Addr())
	s.serveUntil(ctx, l)
}

// serveUntil answers the peers of a listener until ctx ends.
func (s *Server) serveUntil(ctx context.Context, l net.Listener) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := s.http.Serve(newGate(l, maxPeers)); err != nil && !errors.Is(err, http.ErrServerClosed) {
			s.fail(fmt.Errorf("serve: %w", err))
		}
	}()
	select {
	case <-ctx.Done():
	case <-ended:
	}
	quiet, cancel := context.WithTimeout(context.Background(), closingWait)
	defer cancel()
	if s.http.Shutdown(quiet) != nil {
		s.http.Close()
	}
	<-ended
}

func (s *Server) bind(ctx context.Context) (net.Listener, error) {
	var config net.ListenConfig
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(s.opt.Port))
	for try := 1; ; try++ {
		l, err := config.Listen(ctx, "tcp4", address)
		if err == nil {
			return l, nil
		}
		if try == bindTries {
			return nil, fmt.Errorf("listen on %s: %w", address, err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(bindEvery):
		}
	}
}

func (s *Server) fail(err error) {
	s.opt.Log.Warn("the ingress has ended", "error", err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = Status{Error: err.Error()}
}

// Stir has it look again whether somebody can be told: the person is back, or the pet has become idle.
func (s *Server) Stir() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Drain takes the signals that wait, as lines of a turn that begins for another reason: proactive.tap_bored
// (docs/rules/body.md#touch).
func (s *Server) Drain() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inbox.drain(s.opt.Now())
}

// heardAgent and heardSignals keep what came until tell looks at it. A flood drops its own oldest.
func (s *Server) heardAgent(e AgentEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lost int
	s.agents, lost = keep(append(s.agents, e), maxArrived)
	s.dropped[0] += lost
	s.Stir()
}

func (s *Server) heardSignals(b batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(b.signals) > 0 && s.inbox.repeated(b.signals[0].Source, b.signals[0].ID) {
		return
	}
	var lost int
	s.signals, lost = keep(append(s.signals, b.signals...), maxArrived)
	s.dropped[1] += lost + b.dropped
	s.Stir()
}

// warnOnce tells the first invalid envelope; a program that sends one sends many.
func (s *Server) warnOnce(warning string) {
	s.mu.Lock()
	first := !s.warned
	s.warned = true
	s.mu.Unlock()
	if first {
		s.opt.Log.Warn("a signal's envelope is left out", "why", warning)
	}
}

// tell gives turns until ctx ends: when something arrives, when Stir is called, and while something waits.
func (s *Server) tell(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var rest time.Time // until when nobody looks; by the wall
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-timer.C:
		}
		if wait := time.Until(rest); wait > 0 {
			timer.Reset(wait)
			continue
		}
		gave, next := s.pass()
		rest = time.Now().Add(lookGap)
		if gave {
			rest = time.Now().Add(turnGap)
		}
		timer.Reset(next)
	}
}

// pass looks once: at most one turn. It says after how long to look again.
func (s *Server) pass() (gave bool, next time.Duration) {
	s.look()
	s.mu.Lock()
	empty := s.inbox.empty()
	s.mu.Unlock()
	if empty {
		return false, time.Hour
	}
	free := s.opt.Presence == nil || !s.opt.Presence.Away() && !s.opt.Presence.Busy()
	now := s.opt.Now()
	s.mu.Lock()
	turn, gave := s.inbox.take(now, free)
	next = time.Hour
	if at := s.inbox.next(now, pollEvery); !at.IsZero() {
		next = max(at.Sub(now), time.Millisecond)
	}
	s.mu.Unlock()
	if gave && s.opt.Turns != nil {
		s.opt.Turns.Give(turn)
	}
	return gave, next
}

// look moves what has arrived into the buffers, past the one who is told each signal.
func (s *Server) look() {
	s.mu.Lock()
	agents, signals := s.agents, s.signals
	s.agents, s.signals = nil, nil
	now := s.opt.Now()
	for _, e := range agents {
		s.inbox.addAgent(e)
	}
	s.inbox.agentsDropped += s.dropped[0]
	s.inbox.signalsDropped += s.dropped[1]
	s.dropped = [2]int{}
	s.mu.Unlock()
	for _, sig := range signals {
		if s.opt.OnSignal != nil && s.opt.OnSignal(sig) {
			continue
		}
		s.mu.Lock()
		s.inbox.addSignal(sig, now)
		s.mu.Unlock()
	}
}
