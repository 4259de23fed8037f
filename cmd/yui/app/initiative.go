package app

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"yui/chat"
	"yui/chat/rules"
	"yui/cmd/yui/settings"
	"yui/store"
	"yui/tools"
)

// firedKey is where the rules keep what has fired.
const firedKey = "rules.fired"

// newcomersStart is how much of the quiet after a start is left out the very first time: somebody who has just met her
// does not know yet that she talks. A longer settle in the person's rules still holds.
const newcomersStart = time.Minute

// rulesSettle is how long the file must rest before it is read: editors write more than once.
const rulesSettle = 700 * time.Millisecond

// firstLook is when the rules are asked for the first time: once she is seen.
const firstLook = 3 * time.Second

// initiative is what lets pets speak first: the rules, the gate, and the clock that asks them. Safe from any goroutine.
type initiative struct {
	app    *App
	engine *rules.Engine
	gate   *rules.Gate
	wake   chan struct{}
	fault  atomic.Pointer[string] // what is wrong with the person's file, nil where nothing is
}

// newInitiative reads the rules and what has fired before. A broken file leaves the shipped rules.
func (a *App) newInitiative(ctx context.Context, s *store.Store) *initiative {
	state, lived, err := s.Get(ctx, firedKey)
	if err != nil {
		a.log.Warn("read fired rules", "error", err)
	}
	began := time.Now()
	if err == nil && !lived && a.closed == nil {
		began = began.Add(-newcomersStart)
	}
	in := &initiative{app: a, gate: rules.NewGate(began), wake: make(chan struct{}, 1)}
	set, err := readRules(a.paths.Rules)
	if err != nil {
		in.broken(err)
		if set, err = rules.Read(nil); err != nil {
			a.log.Error("read shipped rules", "error", err)
			set = &rules.Set{}
		}
	}
	in.engine = rules.NewEngine(set, state)
	return in
}

// readRules reads the person's rules over the shipped ones; a missing file is an empty one.
func readRules(file string) (*rules.Set, error) {
	st, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return rules.Read(nil)
	}
	if err != nil {
		return nil, err
	}
	if st.Size() > rules.MaxFile {
		return nil, errors.New("the file is too long")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return rules.Read(b)
}

func (in *initiative) broken(err error) {
	why := in.app.paths.Rules + ": " + err.Error()
	in.fault.Store(&why)
	in.app.log.Warn("rules are not read; those before stay", "error", why)
}

// limits takes over the person's guardrails and pacing gap.
func (in *initiative) limits() {
	s := in.app.switches
	raw, err := s.Get(settings.KeyGuardrails)
	if err != nil {
		return
	}
	l, err := rules.ReadLimits(raw)
	if err != nil {
		in.app.log.Warn("guardrails", "error", err)
	}
	in.gate.Use(l, time.Duration(s.Number(settings.KeyPacer, 0, 10_800_000))*time.Millisecond)
}

// poke has the rules asked at once.
func (in *initiative) poke() {
	select {
	case in.wake <- struct{}{}:
	default:
	}
}

// run asks the rules whenever one may be due, until ctx ends.
func (in *initiative) run(ctx context.Context) {
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
		if in.app.tells() {
			held = true // what the person must read comes first
		} else if p := in.app.mainPet.Load(); p != nil {
			held = in.look(ctx, p)
		}
		now := time.Now()
		timer.Reset(max(time.Second, in.engine.Next(now, in.app.switches.Enabled(settings.KeyWatch), held).Sub(now)))
	}
}

// look asks the rules once; held says that one of them waits for a better moment.
func (in *initiative) look(ctx context.Context, p *pet) (held bool) {
	l := rules.Look{Facts: in.facts(ctx, p), Watch: in.app.switches.Enabled(settings.KeyWatch)}
	fire, ok, waiting := in.engine.Judge(in.gate, l, in.situation(ctx, p))
	for _, h := range waiting {
		in.recordHeld(chat.Trigger{Event: h.Fire.Event, Source: h.Fire.Source, Rule: h.Fire.Rule.Name, Why: h.Fire.Why}, h.Reason)
	}
	if ok {
		in.begin(p, fire)
	}
	return len(waiting) > 0
}

// begin gives a rule its turn, with the sources of what strangers wrote in it.
func (in *initiative) begin(p *pet, f rules.Fire, marks ...string) {
	in.remember()
	p.session.Background(in.app.ctx, chat.Trigger{
		Event: f.Event, Line: chat.Clean(f.Line), Lines: f.Lines, Source: f.Source, Rule: f.Rule.Name, Why: f.Why, Marks: marks,
		Ahead: func(ctx context.Context, turn string) chat.Prepared { return in.act(ctx, p, turn, f) },
	})
}

// propose wants a turn of the main pet that no rule asked for: one of the ingress. It may be held.
func (in *initiative) propose(source string, t chat.Trigger) {
	p := in.app.mainPet.Load()
	if p == nil || in.app.ctx.Err() != nil {
		return
	}
	t.Source = source
	if reason := in.reason(p, source); reason != rules.Free {
		in.recordHeld(t, reason)
		return
	}
	in.gate.Began(time.Now(), source)
	p.session.Background(in.app.ctx, t)
}

// reason says why a turn of a source may not begin now.
func (in *initiative) reason(p *pet, source string) rules.Reason {
	ctx, cancel := context.WithTimeout(in.app.ctx, queryWait)
	defer cancel()
	l := rules.Look{Facts: in.facts(ctx, p)}
	return in.engine.Reason(in.gate, rules.Fire{Source: source}, l, in.situation(ctx, p))
}

// signal gives a rule that fits a signal its turn; false where none fits, or it is held: the signal then waits with the
// others.
func (in *initiative) signal(p *pet, s rules.Signal) bool {
	ctx, cancel := context.WithTimeout(in.app.ctx, queryWait)
	defer cancel()
	l := rules.Look{Facts: in.facts(ctx, p)}
	if !l.Present {
		return false // the ingress keeps it
	}
	fire, ok := in.engine.Signal(s, l.Facts)
	if !ok {
		return false
	}
	if reason := in.engine.Reason(in.gate, fire, l, in.situation(ctx, p)); reason != rules.Free {
		in.recordHeld(chat.Trigger{Event: fire.Event, Source: fire.Source, Rule: fire.Rule.Name, Why: fire.Why}, reason)
		return false
	}
	in.engine.Begin(in.gate, fire, l.Now)
	in.begin(p, fire, tools.FromProgram)
	return true
}

// gesture gives the person's gesture its turn, with the rule that fits it. Main thread.
func (in *initiative) gesture(p *pet, name string, t chat.Trigger) {
	in.app.writes.Go(func() {
		ctx, cancel := context.WithTimeout(in.app.ctx, queryWait)
		defer cancel()
		l := rules.Look{Facts: in.facts(ctx, p)}
		t.Source, t.Why = rules.SourceUser, "the gesture "+name
		fire, ok := in.engine.Gesture(name, l.Facts)
		if !ok {
			fire = rules.Fire{Source: rules.SourceUser}
		}
		if reason := in.engine.Reason(in.gate, fire, l, rules.Situation{}); reason != rules.Free {
			in.recordHeld(t, reason)
			return
		}
		in.gate.Began(l.Now, rules.SourceUser)
		if ok {
			in.engine.Spent(fire, l.Now)
			in.remember()
			t.Rule = fire.Rule.Name
			t.Ahead = func(ctx context.Context, turn string) chat.Prepared { return in.act(ctx, p, turn, fire) }
		}
		p.session.Background(in.app.ctx, t)
	})
}

// ahead is what a turn of the person's is given by the rules. It runs on the turn's goroutine.
func (in *initiative) ahead(ctx context.Context, p *pet, turn, text string) chat.Prepared {
	f := in.facts(ctx, p)
	f.Text = text
	fire, ok := in.engine.Words(f)
	if !ok {
		return chat.Prepared{}
	}
	in.engine.Spent(fire, f.Now)
	in.remember()
	return in.act(ctx, p, turn, fire)
}

// remember keeps what has fired over a restart.
func (in *initiative) remember() {
	state := in.engine.State()
	in.app.save("fired rules", func(ctx context.Context) error { return in.app.store.Set(ctx, firedKey, state) })
}

// recordHeld writes why a turn was not begun.
func (in *initiative) recordHeld(t chat.Trigger, reason rules.Reason) {
	r := chat.Record{Type: "skip", At: time.Now(), Source: t.Source, Reason: string(reason), Event: t.Event, Rule: t.Rule, Why: t.Why}
	in.app.log.Info("turn held", "event", t.Event, "rule", t.Rule, "reason", reason)
	in.app.save("turn record", func(context.Context) error { return in.app.records.Record(r) })
}

// facts are those of this moment, as far as they can be had.
func (in *initiative) facts(ctx context.Context, p *pet) rules.Facts {
	a, now := in.app, time.Now()
	f := rules.Facts{Now: now, Silent: now.Sub(in.gate.LastTurn()).Minutes(), API: a.backend.API, Pets: len(a.openPresets())}
	idle, err := a.desk.Idle()
	if err != nil {
		a.log.Debug("read idle time", "error", err)
	}
	f.Idle = idle.Minutes()
	f.Present = idle <= a.presence()
	if w := a.desk.Snapshot(); w.Active != nil {
		f.App, f.Title, f.InApp = w.Active.App, w.Active.Title, now.Sub(w.ActiveSince).Minutes()
	}
	ctx, cancel := context.WithTimeout(ctx, queryWait)
	defer cancel()
	err = a.loop.Call(ctx, func() {
		s := p.fig.Body().State(now)
		f.Posture = string(s.Posture)
		if s.Perch != nil {
			f.On = s.Perch.App
		}
		f.Band = tools.Band(a.bands[p.preset.ID])
	})
	if err != nil && ctx.Err() == nil {
		a.log.Warn("read body for the rules", "error", err)
	}
	return f
}

// situation is what keeps her from speaking first.
func (in *initiative) situation(ctx context.Context, p *pet) rules.Situation {
	s := rules.Situation{Off: !in.app.switches.Enabled(settings.KeyProactive), Hidden: true}
	ctx, cancel := context.WithTimeout(ctx, queryWait)
	defer cancel()
	err := in.app.loop.Call(ctx, func() {
		full := monitorOf(in.app.desk.Snapshot(), p.fig.Feet()).Fullscreen
		s.Hidden = !p.fig.Visible() || full
	})
	s.Hidden = s.Hidden || err != nil
	return s
}

// watchRules reads the file anew when it changes. One that is broken is told, and the last good rules stay.
func (in *initiative) watchRules(ctx context.Context) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		in.app.log.Warn("watch rules", "error", err)
		return
	}
	defer w.Close()
	if err := w.Add(filepath.Dir(in.app.paths.Rules)); err != nil { // editors replace files
		in.app.log.Warn("watch rules", "error", err)
		return
	}
	settled := time.NewTimer(time.Hour)
	defer settled.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-w.Events:
			if !open {
				return
			}
			if e.Name == in.app.paths.Rules {
				settled.Reset(rulesSettle)
			}
		case err := <-w.Errors:
			in.app.log.Warn("watch rules", "error", err)
		case <-settled.C:
			in.reload()
		}
	}
}

func (in *initiative) reload() {
	set, err := readRules(in.app.paths.Rules)
	if err != nil {
		in.broken(err)
		in.app.tellTrouble(errors.New(*in.fault.Load()))
		return
	}
	in.fault.Store(nil)
	in.engine.Use(set)
	in.app.log.Info("rules read", "rules", len(set.Rules))
	in.poke()
}

// rulesJSON is what `yui rules` prints: every rule, in the order in which they are tried.
func (in *initiative) rulesJSON() (json.RawMessage, error) {
	type row struct {
		Name        string     `json:"name"`
		Enabled     bool       `json:"enabled"`
		Description string     `json:"description"`
		LastFired   *time.Time `json:"last_fired"`
	}
	list := []row{}
	for _, r := range in.engine.Set().Rules {
		v := row{Name: r.Name, Enabled: r.Enabled, Description: r.Description.In(in.app.cfg.Language)}
		if at := in.engine.LastFired(r.Name); !at.IsZero() {
			v.LastFired = &at
		}
		list = append(list, v)
	}
	fault := ""
	if why := in.fault.Load(); why != nil {
		fault = *why
	}
	return marshal(map[string]any{"file": in.app.paths.Rules, "error": fault, "rules": list}), nil
}
