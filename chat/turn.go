package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"yui/assets/lang"
	"yui/internal/readable"
)

// Turn is one exchange from its trigger to the end of its answer. Its playback may go on after it.
type Turn struct {
	s       *Session
	id      string
	user    bool
	first   bool // the first of the process: the stored previous turn is its own
	event   string
	text    string
	images  []string
	line    string // the trigger line
	trigger Trigger
	ahead   func(ctx context.Context, turn string) Prepared // nil where nothing has to be done before
	at      time.Time
	token   int
	backend Backend
	ctx     context.Context
	cancel  context.CancelCauseFunc
	done    chan struct{}

	// Of the turn's goroutine.
	tools    map[string]Tool
	context  string
	executed []*execution
	sent     int // tokens of history in the request, by the estimate
	silent   bool
	full     bool   // it has said all that a turn may say
	enough   func() // ends the stream of such a turn
	thought  bool   // the model thought
	played   bool   // a cue came
	notice   string // the last thing that the person was told beside the answer
	unknown  string // a tool that was asked for and that nobody here has
	request  *Request
	chained  bool // the request began with a chain
	prepared Prepared
	fixed    bool   // its words are no backend's
	told     int    // lines of what was said aside in the request
	ends     string // the turn whose playback ended unseen as this one took its place

	emitting sync.Mutex // one event at a time, none after the end
	over     bool

	mu      sync.Mutex // guards what follows
	said    strings.Builder
	play    Playback
	ended   time.Time
	settled bool
	prev    *previousTurn
	result  TurnDone
	watch   watchdog
}

// ID is the turn's identity: wall clock milliseconds, counted up.
func (t *Turn) ID() string { return t.id }

// Done is closed when the turn is over.
func (t *Turn) Done() <-chan struct{} { return t.done }

// Wait gives how the turn ended, or ctx's error where that comes first.
func (t *Turn) Wait(ctx context.Context) (TurnDone, error) {
	select {
	case <-t.done:
		return t.result, nil
	case <-ctx.Done():
		return TurnDone{}, ctx.Err()
	}
}

// running says whether the turn has no result yet.
func (t *Turn) running() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.result.Turn == ""
}

func (t *Turn) step(now time.Time) Playing {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.play.Step(now)
}

// playing says whether speech is still owed at now, without taking the end away from Step.
func (t *Turn) playing(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.play.over(now)
}

// owed is how long the speech goes on after now.
func (t *Turn) owed(now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(0, t.play.finish().Sub(now))
}

// takeEnd says whether the playback has reached its end at now without any Step that found it, and takes that end.
func (t *Turn) takeEnd(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.result.Turn != "" && t.play.over(now) && t.play.Step(now).Ended
}

// settle cuts what still plays and says what the next turn is told of this one: nil where it ended well and was
// spoken to its end. The first answer stays.
func (t *Turn) settle(now time.Time) *previousTurn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.settled {
		return t.prev
	}
	t.settled = true
	running := t.result.Turn == ""
	spoken, unspoken := t.play.Cut(now)
	switch {
	case !running && t.result.Failure != nil:
		t.prev = &previousTurn{t.event, "failed", t.ended, spoken, unspoken}
	case running || unspoken != "": // a last sentence that had begun was read
		t.prev = &previousTurn{t.event, "interrupted", now, spoken, unspoken}
	}
	return t.prev
}

// forget makes the turn leave nothing to a new session.
func (t *Turn) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settled, t.prev = true, nil
}

// emit tells the observer, in order and only while the turn lives.
func (t *Turn) emit(e Event) {
	t.emitting.Lock()
	defer t.emitting.Unlock()
	if !t.over {
		t.s.cfg.Observer(e)
	}
}

// notify tells the person something beside the answer. On the turn's goroutine.
func (t *Turn) notify(text string) {
	t.notice = text
	t.emit(Notice{t.id, text})
}

// run is the turn's goroutine.
func (t *Turn) run(before *Turn) {
	defer close(t.done)
	defer t.cancel(nil)
	if before != nil {
		<-before.done
	}
	if t.ends != "" {
		t.emit(Played{t.ends})
	}
	began := t.s.cfg.Now()
	shown := t.text
	if !t.user {
		shown = ""
	}
	t.emit(TurnStarted{Turn: t.id, User: t.user, Name: t.event, Text: shown})
	var reply *Reply
	err := t.ctx.Err() // it may have been superseded before it began
	if err == nil {
		reply, err = t.exchange()
	}
	t.finish(began, reply, err)
	if r, ok := t.backend.Transport.(Rester); ok {
		r.Rest()
	}
}

// exchange runs the requests of the turn: the first, and one for each round trip.
func (t *Turn) exchange() (*Reply, error) {
	if begins := t.s.cfg.Begins; begins != nil {
		begins(t.user, t.trigger.Marks)
	}
	t.prepareAhead()
	if err := t.ctx.Err(); err != nil {
		return nil, err
	}
	if t.prepared.Say != "" {
		t.backend.Transport, t.fixed = fixedLine(printable(t.prepared.Say)), true
	}
	if t.backend.Transport == nil {
		return nil, cmp.Or(t.backend.Missing, &Failure{Outcome: NotConfigured, Reason: NoServer})
	}
	req := t.prepare()
	t.request, t.chained = req, len(req.Chain) > 0
	for round := 0; ; round++ {
		r, reply, err := t.stream(req)
		if err != nil {
			return nil, err
		}
		if t.full || !r.answered(reply) {
			return r.closed(reply), nil
		}
		if round == MaxRoundTrips {
			return t.lastWord(req, r, reply)
		}
		req.Rounds = append(req.Rounds, Round{Text: r.spoken.String(), Calls: r.answers(), Extra: reply.Extra})
	}
}

// prepareAhead does what has to be done before the model is asked. A panic in it costs its lines alone.
func (t *Turn) prepareAhead() {
	if t.ahead == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			t.s.cfg.Log.Error("prepare turn", "turn", t.id, "panic", p)
		}
	}()
	t.prepared = t.ahead(t.ctx, t.id)
}

// extraLines are those behind the trigger line.
func (t *Turn) extraLines() []string {
	lines := t.trigger.Lines[:len(t.trigger.Lines):len(t.trigger.Lines)]
	for _, l := range t.prepared.Lines {
		lines = append(lines, readable.Clip(l, maxRule))
	}
	return lines
}

// lastWord closes a turn whose calls have used up the round trips: with the text it has, or, where it has none, with
// the last request once more without calls (docs/rules/chat.md#round-trips).
func (t *Turn) lastWord(req *Request, r *response, reply *Reply) (*Reply, error) {
	if t.said.Len() > 0 || t.silent {
		return r.closed(reply), nil
	}
	req.NoCalls = true
	r, reply, err := t.stream(req)
	if err != nil {
		return nil, err
	}
	return r.closed(reply), nil
}

// closed ends the turn on a reply: its calls stay unanswered, and the next turn may owe the server their outputs.
func (r *response) closed(reply *Reply) *Reply {
	if reply.Owe != nil {
		reply.Chain = reply.Owe(r.answers())
	}
	return reply
}

// stream sends one request and waits for its calls.
func (t *Turn) stream(req *Request) (*response, *Reply, error) {
	ctx, cancel := context.WithCancelCause(t.ctx)
	defer cancel(nil)
	r := newResponse(t, req.NoCalls)
	t.enough = func() { cancel(errEnough) }
	t.watch.start(t.s.cfg.Limits, func() { cancel(ErrStalled) })
	reply, err := t.backend.Transport.Stream(ctx, req, r)
	t.watch.stop()
	if t.ctx.Err() == nil { // what is held back after a stop is not spoken any more
		r.end()
	}
	if t.full && t.ctx.Err() == nil {
		reply, err = shortened(reply), nil
	}
	if err == nil {
		err = r.wait()
		t.count(req, reply)
	}
	switch {
	case t.ctx.Err() != nil:
		return r, nil, context.Cause(t.ctx)
	case err != nil && errors.Is(context.Cause(ctx), ErrStalled):
		return r, nil, t.stalled(err)
	case err != nil:
		return r, nil, err
	}
	return r, reply, nil
}

// errEnough ends the stream of a turn that has said all it may.
var errEnough = errors.New("the turn has said all that a turn may say")

// shortened is the end of an answer that goes on beyond the bound: complete or not, it counts as cut.
func shortened(reply *Reply) *Reply {
	if reply == nil {
		reply = &Reply{}
	}
	reply.Short = "length"
	return reply
}

// whyEmpty says why the person's own words got an empty bubble, "" where she chose silence or answered with a cue.
func (t *Turn) whyEmpty(reply *Reply) string {
	w := t.s.cfg.Words
	switch {
	case !t.user || t.silent || reply == nil:
		return ""
	case reply.Short == "content_filter":
		return w.Text("chat.notice.filtered")
	case reply.Short != "":
		return w.Text("chat.notice.limit")
	case t.played || t.showed():
		return ""
	case t.unknown != "":
		return w.Text("chat.notice.unknown_tool", lang.Args{"tool": readable.Line(t.unknown, maxName)})
	case len(t.executed) > 0:
		return w.Text("chat.notice.acted")
	case t.thought:
		return w.Text("chat.notice.thoughts")
	}
	return w.Text("chat.notice.empty")
}

// showed says whether a tool did something that the person has seen.
func (t *Turn) showed() bool {
	return slices.ContainsFunc(t.executed, func(e *execution) bool { return e.tool.Shows && !e.tool.failed(e.outcome().Text) })
}

func (t *Turn) stalled(err error) error {
	f := &Failure{Outcome: NetworkStall, Reason: Stalled, Err: ErrStalled}
	var cause *Failure
	if errors.As(err, &cause) {
		f.Host, f.Model = cause.Host, cause.Model
	}
	t.s.cfg.Log.Warn("turn stalled", "turn", t.id, "stage", t.watch.stage())
	return f
}

// request collects what every request of the turn carries, from one clock reading.
func (t *Turn) prepare() *Request {
	s := t.s
	s.load()
	var declared []Tool
	var switches []SwitchState
	if s.cfg.Tools != nil {
		declared = s.cfg.Tools.Declared()
		switches = s.cfg.Tools.Switches()
	}
	t.tools = make(map[string]Tool, len(declared))
	for _, tool := range declared {
		t.tools[tool.Name] = tool
	}
	shot := t.takeShot()
	now := s.cfg.Now()
	var moment Moment
	if s.cfg.Facts != nil {
		moment = s.cfg.Facts.Moment(now)
	}
	if len(shot.Images) > 0 {
		t.images = append(t.images[:len(t.images):len(t.images)], shot.Images...)
		moment.Screenshot = shot.Label
	}
	s.mu.Lock()
	window := t.backend.Window
	if limit := s.history.limit; limit > 0 && (window <= 0 || limit < window) {
		window = limit
	}
	history := History(s.history.past(), window, s.history.scale)
	chain, prev := s.history.chain, s.prev
	s.mu.Unlock()
	for _, m := range history {
		t.sent += EstimateTokens(m.Text)
	}
	s.savePrevious(prev)
	t.context = contextLines(now, moment, prev, switches, t.line, append(t.untold(), t.extraLines()...)...)
	return &Request{
		Turn: t.id, Event: t.event, Instructions: t.backend.Instructions, History: history, Context: t.context,
		Text: t.text, Images: t.images, Tools: declared, Chain: chain,
	}
}

// finish writes down how the turn ended and tells the observer last.
func (t *Turn) finish(began time.Time, reply *Reply, err error) {
	now := t.s.cfg.Now()
	t.mu.Lock()
	t.play.End(now)
	done := TurnDone{Turn: t.id, User: t.user, Outcome: OK, Text: t.said.String()}
	t.mu.Unlock()
	switch {
	case t.ctx.Err() != nil:
		done.Outcome, done.Cut = Superseded, true
		done.Stopped = !errors.Is(context.Cause(t.ctx), errSuperseded)
	case err != nil:
		done.Failure = asFailure(err)
		done.Outcome, done.Error, done.Cut = done.Failure.Outcome, done.Failure.Plain(t.s.cfg.Words), done.Text != ""
	default:
		done.Silent = done.Text == ""
		done.Cut, done.More = reply != nil && reply.Short != "", reply != nil && reply.More
	}
	if done.Silent && t.notice == "" {
		if why := t.whyEmpty(reply); why != "" {
			t.notify(why)
		}
	}
	t.cancel(nil) // tools that still run after a failure stop now
	t.mu.Lock()
	t.result, t.ended = done, now
	t.mu.Unlock()
	t.remember(now, done, reply)
	done.Notice = t.notice
	t.mu.Lock()
	t.result.Notice = t.notice
	t.mu.Unlock()
	t.s.record(t.recordOf(done))
	t.s.cfg.Log.Info("turn", "id", t.id, "trigger", t.event, "outcome", done.Outcome,
		"duration_ms", now.Sub(began).Milliseconds(), "spoke", done.Text != "")
	if done.Failure != nil {
		t.s.cfg.Log.Warn("turn failed", "id", t.id, "err", done.Failure)
	}
	t.emitting.Lock()
	t.over = true
	t.s.cfg.Observer(done)
	t.emitting.Unlock()
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	t.s.startPending()
}

func (t *Turn) recordOf(done TurnDone) Record {
	kind := "background"
	if t.user {
		kind = "user"
	}
	r := Record{Type: "turn", At: t.at, Event: t.event, Trigger: kind, Context: t.context, SpokeText: done.Text, Outcome: done.Outcome,
		Source: t.trigger.Source, Rule: t.trigger.Rule, Why: t.trigger.Why}
	if t.prepared.Rule != "" {
		r.Rule, r.Why = t.prepared.Rule, t.prepared.Why
	}
	for _, e := range t.executed {
		result := e.outcome()
		r.Calls = append(r.Calls, CallRecord{e.call.Name, readable.Clip(result.Text, 1000), len(result.Images)})
	}
	return r
}

// remember appends the turn to the transcript, unless a new session began meanwhile.
func (t *Turn) remember(now time.Time, done TurnDone, reply *Reply) {
	s := t.s
	items := []Item{{Role: "user", Text: t.text, At: t.at, Guide: !t.user}}
	items[0].NotSent = done.Failure != nil && done.Text == ""
	if done.Text != "" {
		items = append(items, Item{Role: "assistant", Text: done.Text, At: now, Cut: done.Cut})
	}
	if !t.user && done.Text == "" {
		items = nil // nobody said anything
	}
	s.store.Lock()
	defer s.store.Unlock()
	s.mu.Lock()
	kept := t.token == s.token
	fresh, unchained := s.learn(t, done, now)
	chain := s.history.chain
	if kept {
		s.history.items = append(s.history.items, items...)
		if unchained {
			chain = nil
		}
		if done.Outcome == OK && reply != nil && reply.Chain != nil {
			chain = reply.Chain
		}
	}
	changed := kept && string(chain) != string(s.history.chain)
	s.history.chain = chain
	beside := kept && t.stepAside(done)
	aside := append([]string(nil), s.history.aside...)
	s.mu.Unlock()
	if !kept {
		return
	}
	if fresh {
		s.saveFrom(now)
		t.notify(s.cfg.Words.Text(NoticeFresh))
	}
	if len(items) > 0 {
		if err := s.keep(items...); err != nil {
			s.warn("append transcript", err)
			t.notify(s.cfg.Words.Text(NoticeUnkept))
		}
	}
	if changed {
		s.warn("save response chain", s.cfg.Store.SetValue(keyChain, chain))
	}
	if beside {
		s.saveAside(aside)
	}
	if done.Failure != nil {
		raw, _ := json.Marshal(previousTurn{Event: t.event, State: "failed", At: now, Spoken: done.Text})
		s.warn("save previous turn", s.cfg.Store.SetValue(keyPrevious, raw))
	}
}

// savePrevious keeps the previous line over a restart; a turn that starts well takes its place.
func (s *Session) savePrevious(prev *previousTurn) {
	s.store.Lock()
	defer s.store.Unlock()
	var raw json.RawMessage
	if prev != nil {
		raw, _ = json.Marshal(prev) // a struct of strings always encodes
	}
	s.warn("save previous turn", s.cfg.Store.SetValue(keyPrevious, raw))
}
