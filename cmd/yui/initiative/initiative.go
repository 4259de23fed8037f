// Package initiative lets pets speak first: the rules, the gate that holds them back, the clock that asks them, and what a
// rule does before its turn. It knows pets and desktop by two small interfaces.
package initiative

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync/atomic"
	"time"

	"yui/chat"
	"yui/chat/rules"
	"yui/cmd/yui/settings"
	"yui/tools"
)

// newcomersStart is how much of the quiet after a start is left out the very first time: somebody who has just met her
// does not know yet that she talks. A longer settle in the person's rules still holds.
const newcomersStart = time.Minute

// firstLook is when the rules are asked for the first time: once she is seen.
const firstLook = 3 * time.Second

// queryWait bounds a question to the world and to the pet.
const queryWait = 2 * time.Second

// Pet is a character who may speak. Safe from any goroutine.
type Pet interface {
	// Bearing is how she is at this moment.
	Bearing(ctx context.Context) (Bearing, error)
	// Background begins a turn that the person has not asked for, once she is free.
	Background(t chat.Trigger)
	// Express shows a face or a motion for a moment, Effect an effect around her.
	Express(c chat.Cue)
	Effect(name string) error
	// Declares reports whether she has a tool now, Run runs it as a model's call would.
	Declares(tool string) bool
	Run(ctx context.Context, tool string, c tools.Call) tools.Result
}

// Bearing is a pet at a moment.
type Bearing struct {
	Posture, On string // On is the application that she perches on
	Band        string // her feelings for the person
	Hidden      bool   // nobody would see her speak
}

// World is what the rules ask of desktop and program. Safe from any goroutine.
type World interface {
	// Main is the pet that speaks first, nil where none is open.
	Main() Pet
	// Facts are what desktop and program say at a moment; those of pet and gate are filled in here.
	Facts(now time.Time) rules.Facts
	// Telling reports whether the person has to read something that the program itself says.
	Telling() bool
	// Refresh asks a plugin for its line.
	Refresh(ctx context.Context, plugin string) error
	// Trouble tells the person what is wrong.
	Trouble(err error)
}

// Switches are the settings that the rules obey.
type Switches interface {
	Enabled(key string) bool
	Get(key string) (json.RawMessage, error)
	Number(key string) float64
}

// Journal keeps what happened. It does not block.
type Journal interface {
	Fired(state json.RawMessage) // over a restart
	Held(r chat.Record)
}

// Options is what an Initiative is made of.
type Options struct {
	File     string          // the person's rules; it need not be there
	Fired    json.RawMessage // what Journal.Fired kept
	Newcomer bool            // the person meets her for the first time
	Language func() string   // at this moment
	World    World
	Switches Switches
	Journal  Journal
	Log      *slog.Logger
}

// Initiative is what lets pets speak first. Safe from any goroutine.
type Initiative struct {
	o      Options
	ctx    context.Context // of the program's run
	engine *rules.Engine
	gate   *rules.Gate
	wake   chan struct{}
	fault  atomic.Pointer[string] // what is wrong with the person's file, nil where nothing is
}

// New reads the rules. A broken file leaves the shipped ones, see Fault. Turns and questions of it end with ctx.
func New(ctx context.Context, o Options) *Initiative {
	began := time.Now()
	if o.Newcomer {
		began = began.Add(-newcomersStart)
	}
	in := &Initiative{o: o, ctx: ctx, gate: rules.NewGate(began), wake: make(chan struct{}, 1)}
	set, err := ReadRules(o.File)
	if err != nil {
		in.broken(err)
		if set, err = rules.Read(nil); err != nil {
			o.Log.Error("read shipped rules", "error", err)
			set = &rules.Set{}
		}
	}
	in.engine = rules.NewEngine(set, o.Fired)
	in.Limits()
	return in
}

// Limits takes over the person's guardrails and pacing gap.
func (in *Initiative) Limits() {
	raw, err := in.o.Switches.Get(settings.KeyGuardrails)
	if err != nil {
		return
	}
	l, err := rules.ReadLimits(raw)
	if err != nil {
		in.o.Log.Warn("guardrails", "error", err)
	}
	in.gate.Use(l, time.Duration(in.o.Switches.Number(settings.KeyPacer))*time.Millisecond)
}

// Chain is how many turns in which characters address each other may follow one another.
func (in *Initiative) Chain() int { return in.gate.Chain() }

// TurnBegan notes a turn of whatever kind: she is not silent.
func (in *Initiative) TurnBegan(now time.Time) { in.gate.Turn(now) }

// Spoke notes a turn of a source that nobody asked the rules for.
func (in *Initiative) Spoke(now time.Time, source string) { in.gate.Began(now, source) }

// Poke has the rules asked at once.
func (in *Initiative) Poke() {
	select {
	case in.wake <- struct{}{}:
	default:
	}
}

// Run asks the rules whenever one may be due, until ctx ends.
func (in *Initiative) Run(ctx context.Context) {
	held := false
	timer := time.NewTimer(firstLook)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-in.wake:
		case <-timer.C:
		}
		if in.o.World.Telling() {
			held = true // what the person must read comes first
		} else if p := in.o.World.Main(); p != nil {
			held = in.look(ctx, p)
		}
		now := time.Now()
		timer.Reset(max(time.Second, in.engine.Next(now, in.o.Switches.Enabled(settings.KeyWatch), held).Sub(now)))
	}
}

// look asks the rules once; held says that one of them waits for a better moment.
func (in *Initiative) look(ctx context.Context, p Pet) (held bool) {
	f, s := in.moment(ctx, p)
	fire, ok, waiting := in.engine.Judge(in.gate, rules.Sighting{Facts: f, Watch: in.o.Switches.Enabled(settings.KeyWatch)}, s)
	for _, h := range waiting {
		in.recordHeld(triggerOf(h.Fire), h.Reason)
	}
	if ok {
		in.begin(p, fire)
	}
	return len(waiting) > 0
}

// triggerOf names a rule's turn.
func triggerOf(f rules.Fire) chat.Trigger {
	return chat.Trigger{Event: f.Event, Source: f.Source, Rule: f.Rule.Name, Why: f.Why}
}

// begin gives a rule its turn, with the sources of what strangers wrote in it.
func (in *Initiative) begin(p Pet, f rules.Fire, marks ...string) {
	in.o.Journal.Fired(in.engine.State())
	t := triggerOf(f)
	t.Line, t.Lines, t.Marks = chat.Clean(f.Line), f.Lines, marks
	t.Ahead = func(ctx context.Context, turn string) chat.Prepared { return in.act(ctx, p, turn, f) }
	p.Background(t)
}

// Propose wants a turn of the main pet that no rule asked for: one of the ingress. It may be held.
func (in *Initiative) Propose(source string, t chat.Trigger) {
	p := in.o.World.Main()
	if p == nil || in.ctx.Err() != nil {
		return
	}
	t.Source = source
	if reason := in.reason(p, source); reason != rules.Free {
		in.recordHeld(t, reason)
		return
	}
	in.gate.Began(time.Now(), source)
	p.Background(t)
}

// Free reports whether a turn of a source might begin now, if the main pet is free.
func (in *Initiative) Free(source string) bool {
	p := in.o.World.Main()
	return p != nil && in.reason(p, source) == rules.Free
}

// reason says why a turn of a source may not begin now.
func (in *Initiative) reason(p Pet, source string) rules.Reason {
	f, s := in.moment(in.ctx, p)
	return in.engine.Reason(in.gate, rules.Fire{Source: source}, rules.Sighting{Facts: f}, s)
}

// Signal gives a rule that fits a signal its turn; false where none fits, or it is held: the signal then waits with the
// others.
func (in *Initiative) Signal(sig rules.Signal) bool {
	p := in.o.World.Main()
	if p == nil || !in.engine.Hears(sig) {
		return false
	}
	f, s := in.moment(in.ctx, p)
	if !f.Present {
		return false // the ingress keeps it
	}
	fire, ok := in.engine.Signal(sig, f)
	if !ok {
		return false
	}
	if reason := in.engine.Reason(in.gate, fire, rules.Sighting{Facts: f}, s); reason != rules.Free {
		in.recordHeld(triggerOf(fire), reason)
		return false
	}
	in.engine.Begin(in.gate, fire, f.Now)
	in.begin(p, fire, tools.FromProgram)
	return true
}

// Gesture gives the person's gesture its turn, with the rule that fits it.
func (in *Initiative) Gesture(p Pet, name string, t chat.Trigger) {
	f, _ := in.moment(in.ctx, p)
	t.Source, t.Why = rules.SourceUser, "the gesture "+name
	fire, ok := in.engine.Gesture(name, f)
	if !ok {
		fire = rules.Fire{Source: rules.SourceUser}
	}
	if reason := in.engine.Reason(in.gate, fire, rules.Sighting{Facts: f}, rules.Situation{}); reason != rules.Free {
		in.recordHeld(t, reason)
		return
	}
	in.gate.Began(f.Now, rules.SourceUser)
	if ok {
		in.spend(fire, f.Now)
		t.Rule = fire.Rule.Name
		t.Ahead = func(ctx context.Context, turn string) chat.Prepared { return in.act(ctx, p, turn, fire) }
	}
	p.Background(t)
}

// Ahead is what a turn of the person's is given by the rules, before the model is asked.
func (in *Initiative) Ahead(ctx context.Context, p Pet, turn, text string) chat.Prepared {
	f, _ := in.moment(ctx, p)
	f.Text = text
	fire, ok := in.engine.Words(f)
	if !ok {
		return chat.Prepared{}
	}
	in.spend(fire, f.Now)
	return in.act(ctx, p, turn, fire)
}

// spend notes that a rule has had its turn.
func (in *Initiative) spend(f rules.Fire, now time.Time) {
	in.engine.Spent(f, now)
	in.o.Journal.Fired(in.engine.State())
}

// recordHeld writes why a turn was not begun.
func (in *Initiative) recordHeld(t chat.Trigger, reason rules.Reason) {
	in.o.Log.Info("turn held", "event", t.Event, "rule", t.Rule, "reason", reason)
	in.o.Journal.Held(chat.Record{Type: "skip", At: time.Now(), Source: t.Source, Reason: string(reason), Event: t.Event, Rule: t.Rule, Why: t.Why})
}

// moment is what is the case now, as far as it can be had, and what keeps her from speaking first.
func (in *Initiative) moment(ctx context.Context, p Pet) (rules.Facts, rules.Situation) {
	now := time.Now()
	f := in.o.World.Facts(now)
	f.Now, f.Silent = now, now.Sub(in.gate.LastTurn()).Minutes()
	ctx, cancel := context.WithTimeout(ctx, queryWait)
	defer cancel()
	b, err := p.Bearing(ctx)
	if err != nil && ctx.Err() == nil {
		in.o.Log.Warn("read body for the rules", "error", err)
	}
	f.Posture, f.On, f.Band = b.Posture, b.On, b.Band
	return f, rules.Situation{Off: !in.o.Switches.Enabled(settings.KeyProactive), Hidden: b.Hidden || err != nil}
}
