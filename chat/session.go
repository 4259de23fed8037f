package chat

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"yui/assets/lang"
	"yui/internal/readable"
)

// MaxRoundTrips is how often the results of calls go back to the model within one turn (docs/rules/chat.md#round-trips).
const MaxRoundTrips = 3

// degradedAfter failed turns in a row, turns that nobody typed are dropped until one succeeds (docs/rules/chat.md#turns).
const degradedAfter = 3

// ErrStalled is the cause by which a stream's context ends where the backend has been silent for too long.
var ErrStalled = errors.New("the backend fell silent")

// The causes by which a turn's context ends.
var (
	errSuperseded = errors.New("superseded by the user")
	errStopped    = errors.New("stopped by the user")
)

// Backend is the part of a Session's configuration that settings may change while it lives.
type Backend struct {
	// Transport reaches the backend; nil ends every turn as not_configured.
	Transport Transport
	// Missing is why there is no Transport; nil says that none is set up.
	Missing *Failure
	// Instructions is the persona.
	Instructions string
	// Window is the model's context window in tokens, DefaultWindow where it is 0.
	Window int
}

// Limits are the waits of a turn. They count silence, never the whole turn.
type Limits struct {
	// AfterSpeech is how long the stream may be silent after a piece of speech: 45 s.
	AfterSpeech time.Duration
	// Otherwise is how long it may be silent before speech and between other events: 240 s.
	Otherwise time.Duration
}

// Config is what a Session is made of. Everything but Backend is fixed for its life; every field may be empty.
type Config struct {
	Backend
	Tools Toolbox
	Facts Facts
	Store Store // nil: MemoryStore
	// Observer is told the events, from the turn's goroutine, one at a time. It must not block: an overlay hands
	// them to its main thread.
	Observer func(Event)
	Records  Recorder
	Log      *slog.Logger
	Now      func() time.Time // nil: time.Now
	Limits   Limits           // zero fields take the defaults
	// Words are what failures, notices and markers are written in; nil: English.
	Words *lang.Words
	// Shot takes the picture that goes with a turn of the person's (docs/rules/chat.md#screenshots). It is called from the turn's
	// goroutine, nil where there is none; ctx ends after five seconds, and the turn goes on without it then.
	Shot func(ctx context.Context) (Shot, error)
	// Ahead does for a turn of the person's what Trigger.Ahead does for one that nobody typed. It runs on the turn's
	// goroutine, must end with ctx, and may be nil.
	Ahead func(ctx context.Context, turn, text string) Prepared
	// Begins is told of each turn whose time has come, before anything else of it is done: whether it is the person's
	// own, and what its trigger brings along. It is called on the turn's goroutine, one turn after the other; nil for
	// nobody.
	Begins func(person bool, marks []string)
}

// Session is the conversation of one pet. Its methods may be called from any goroutine; those that start or stop
// turns return at once. At most one turn runs.
type Session struct {
	cfg Config
	ids turnIDs

	mu       sync.Mutex // guards what follows; never held over the network or the disk
	backend  Backend
	cur      *Turn // the newest turn, running or not
	pending  *pendingTurn
	waiting  *time.Timer // for the end of speech, on behalf of pending
	prev     *previousTurn
	failures int
	token    int // counts new sessions: a turn that began in an older one leaves no trace
	history  memory

	store  sync.Mutex // one access to the Store at a time
	unkept []Item     // what the Store did not take yet; guarded by store
}

// memory is the part of the store that a session works with.
type memory struct {
	loaded bool
	items  []Item
	chain  json.RawMessage
	scale  float64   // tokens counted by servers per token of the estimate
	limit  int       // a window that a server has shown us by refusing, 0 for none
	from   time.Time // nothing older is sent; see learn
	blame  int       // weight of the refusals in a row
	aside  []string  // what a server that keeps the conversation has not been told
}

type pendingTurn struct {
	ctx     context.Context
	trigger Trigger
	since   time.Time
}

// pendingLife is how long a turn that nobody typed may wait for the end of another: what it wanted to say is old then.
const pendingLife = 2 * time.Minute

// NewSession makes the conversation of one pet. It reads nothing yet: the store is loaded with the first turn.
func NewSession(cfg Config) *Session {
	if cfg.Store == nil {
		cfg.Store = &MemoryStore{}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Observer == nil {
		cfg.Observer = func(Event) {}
	}
	if cfg.Limits.AfterSpeech <= 0 {
		cfg.Limits.AfterSpeech = 45 * time.Second
	}
	if cfg.Limits.Otherwise <= 0 {
		cfg.Limits.Otherwise = 240 * time.Second
	}
	s := &Session{cfg: cfg, backend: cfg.Backend}
	s.history.scale = 1
	return s
}

// SetBackend changes where the next turns go; a running one ends where it began.
func (s *Session) SetBackend(b Backend) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.backend = b
}

// Say starts the person's turn. It supersedes a running turn, drops one that waits, and cuts the speech that is
// still playing. ctx is the life of the turn; ending it stops the turn.
func (s *Session) Say(ctx context.Context, text string, images []string) *Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending != nil {
		s.skip(s.pending.trigger, Superseded)
		s.pending = nil
	}
	t := &Turn{user: true, event: EventUserText, text: printable(text), images: images, line: "user message"}
	if ahead := s.cfg.Ahead; ahead != nil {
		t.ahead = func(ctx context.Context, turn string) Prepared { return ahead(ctx, turn, t.text) }
	}
	return s.begin(ctx, t)
}

// Background starts a turn that nobody typed, once no turn runs and no speech plays. One may wait; a newer one
// drops it. While the backend fails again and again such turns are dropped.
func (s *Session) Background(ctx context.Context, trigger Trigger) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failures >= degradedAfter {
		s.skip(trigger, DegradedDrop)
		return
	}
	if s.pending != nil {
		s.skip(s.pending.trigger, StalePending)
	}
	s.pending = &pendingTurn{ctx, trigger, s.cfg.Now()}
	s.startPending()
}

// startPending begins the waiting turn where nothing is in its way; where speech is, it looks again at its end, so
// that a pet whose window is hidden, which nobody steps, goes on too. s.mu is held.
func (s *Session) startPending() {
	p := s.pending
	if p == nil || s.cur != nil && s.cur.running() {
		return
	}
	now := s.cfg.Now()
	if now.Sub(p.since) > pendingLife {
		s.pending = nil
		s.skip(p.trigger, StalePending)
		return
	}
	if s.cur != nil && s.cur.playing(now) {
		if s.waiting == nil {
			s.waiting = time.AfterFunc(s.cur.owed(now), s.waited)
		}
		return
	}
	s.pending = nil
	line, text := p.trigger.Line, p.trigger.Text
	if line == "" {
		line = clean(p.trigger.Event)
	}
	if text == "" {
		text = marker(s.cfg.Words, p.trigger.Event, p.trigger.Names...)
	}
	s.begin(p.ctx, &Turn{event: p.trigger.Event, text: text, line: line, trigger: p.trigger, ahead: p.trigger.Ahead})
}

// waited looks again after the speech that was owed.
func (s *Session) waited() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = nil
	s.startPending()
}

// begin makes t the current turn and starts its goroutine. s.mu is held.
func (s *Session) begin(ctx context.Context, t *Turn) *Turn {
	now := s.cfg.Now()
	if s.cur != nil {
		s.cur.cancel(errSuperseded)
	}
	t.id, t.backend = s.ids.next(now), s.backend
	return s.follow(ctx, t, now)
}

// follow puts t in the place of the turn before it and starts its goroutine. An end of the playback that nobody has
// seen yet is taken along, so that it is told exactly once. s.mu is held.
func (s *Session) follow(ctx context.Context, t *Turn, now time.Time) *Turn {
	before := s.cur
	if before != nil {
		if before.takeEnd(now) {
			t.ends = before.id
		}
		s.prev = before.settle(now)
	}
	t.s, t.first, t.at, t.token, t.done = s, before == nil, now, s.token, make(chan struct{})
	t.ctx, t.cancel = context.WithCancelCause(ctx)
	s.cur = t
	go t.run(before)
	return t
}

// skip records a turn that never began.
func (s *Session) skip(trigger Trigger, reason Outcome) {
	s.cfg.Log.Info("turn skipped", "event", trigger.Event, "reason", reason)
	if s.cfg.Records == nil {
		return
	}
	r := Record{Type: "skip", At: s.cfg.Now(), Source: "dispatcher", Reason: string(reason), Event: trigger.Event,
		Rule: trigger.Rule, Why: trigger.Why}
	go s.record(r) // the caller may be the main thread
}

func (s *Session) record(r Record) {
	if s.cfg.Records == nil {
		return
	}
	if err := s.cfg.Records.Record(r); err != nil {
		s.cfg.Log.Warn("turn record", "err", err)
	}
}

// Stop ends the running turn and cuts the speech. What was said stays in the transcript, marked as cut.
func (s *Session) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cur == nil {
		return
	}
	s.cur.cancel(errStopped)
	s.prev = s.cur.settle(s.cfg.Now())
}

// Close stops the running turn, drops one that waits, and waits until what was said is stored, or until ctx ends.
func (s *Session) Close(ctx context.Context) error {
	s.mu.Lock()
	s.pending = nil
	if s.waiting != nil {
		s.waiting.Stop()
		s.waiting = nil
	}
	turn := s.cur
	s.mu.Unlock()
	if turn == nil {
		return nil
	}
	s.Stop()
	_, err := turn.Wait(ctx)
	return err
}

// Running says whether a turn is with its backend.
func (s *Session) Running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cur != nil && s.cur.running()
}

// Step moves the playback of the newest turn to now and gives what to show: the frame clock calls it while Active,
// or at Next. Turn is the turn's identity, "" before the first. It also starts a turn that waited for the end.
func (s *Session) Step(now time.Time) (turn string, p Playing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cur == nil {
		s.startPending()
		return "", Playing{Sentence: -1}
	}
	turn = s.cur.id
	p = s.cur.step(now)
	if !p.Active {
		s.startPending()
	}
	return turn, p
}

// NewSession begins a new session: a boundary in the transcript, no history, no chain, no previous line. A turn that
// runs goes on and leaves no trace. It writes to the store: not for the main thread.
func (s *Session) NewSession() error {
	s.store.Lock()
	defer s.store.Unlock()
	s.mu.Lock()
	s.token++
	s.history = memory{loaded: true, scale: s.history.scale, limit: s.history.limit}
	s.prev = nil
	if s.cur != nil {
		s.cur.forget()
	}
	s.mu.Unlock()
	err := s.keep(Item{Kind: KindBoundary, At: s.cfg.Now()})
	for _, key := range []string{keyChain, keyPrevious, keyFrom, keyAside} {
		err = errors.Join(err, s.cfg.Store.SetValue(key, nil))
	}
	return err
}

// Transcript gives the items of the present session, oldest first. The first call reads the store.
func (s *Session) Transcript() []Item {
	s.load()
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Item(nil), s.history.items...)
}

// mostUnkept is how many items wait for a store that takes nothing.
const mostUnkept = 1000

// keep appends to the transcript, and before that what it did not take earlier: a database that was locked for a while,
// or a full disk, loses nothing that was said. s.store is held.
func (s *Session) keep(items ...Item) error {
	s.unkept = append(s.unkept, items...)
	s.unkept = s.unkept[max(0, len(s.unkept)-mostUnkept):]
	err := s.cfg.Store.Append(s.unkept...)
	if err == nil {
		s.unkept = nil
	}
	return err
}

// load reads the store once. What could not be read is tried again with the next turn.
func (s *Session) load() {
	s.store.Lock()
	defer s.store.Unlock()
	s.mu.Lock()
	loaded := s.history.loaded
	s.mu.Unlock()
	if loaded {
		return
	}
	items, err := s.cfg.Store.Load()
	if err != nil {
		s.warn("load transcript", err)
		return
	}
	items = append(items, s.unkept...)
	chain, err := s.cfg.Store.Value(keyChain)
	s.warn("load response chain", err)
	raw, err := s.cfg.Store.Value(keyPrevious)
	s.warn("load previous turn", err)
	var prev *previousTurn
	if len(raw) > 0 {
		s.warn("decode previous turn", json.Unmarshal(raw, &prev))
	}
	raw, err = s.cfg.Store.Value(keyFrom)
	s.warn("load history beginning", err)
	var from time.Time
	if len(raw) > 0 {
		s.warn("decode history beginning", json.Unmarshal(raw, &from))
	}
	raw, err = s.cfg.Store.Value(keyAside)
	s.warn("load what was said aside", err)
	var aside []string
	if len(raw) > 0 {
		s.warn("decode what was said aside", json.Unmarshal(raw, &aside))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range aside[max(0, len(aside)-mostAside):] {
		s.history.aside = append(s.history.aside, readable.OneLine(line))
	}
	s.history.loaded, s.history.items, s.history.chain, s.history.from = true, items, chain, from
	if s.prev == nil && s.cur != nil && s.cur.first {
		s.prev = prev
	}
}

func (s *Session) warn(what string, err error) {
	if err != nil {
		s.cfg.Log.Warn(what, "err", err)
	}
}
