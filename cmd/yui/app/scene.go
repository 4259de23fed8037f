package app

import (
	"context"
	"encoding/json"
	"time"

	"yui/chat"
	"yui/chat/rules"
	"yui/cmd/yui/doorway"
	"yui/cmd/yui/initiative"
	"yui/cmd/yui/memory"
	"yui/cmd/yui/settings"
	"yui/tools"
)

// queryWait bounds a question to the main thread.
const queryWait = 2 * time.Second

// firedKey is where the rules keep what has fired.
const firedKey = "rules.fired"

// newInitiative ties who speaks first to the pets. What has fired before comes from the store.
func (a *App) newInitiative(ctx context.Context, s *memory.Memory) *initiative.Initiative {
	fired, lived, err := s.Get(ctx, firedKey)
	if err != nil {
		a.log.Warn("read fired rules", "error", err)
	}
	return initiative.New(a.ctx, initiative.Options{
		File: a.paths.Rules, Fired: fired, Newcomer: err == nil && !lived && s.Closed == nil, Language: func() string { return a.cfg().Language },
		World: scene{a}, Switches: a.settings, Journal: journal{a}, Log: a.log,
	})
}

// scene is what speaks first, the doorway and the reminders know of desktop and program: initiative.World, doorway.House
// and knowledge.Herald. Safe from
// any goroutine.
type scene struct{ app *App }

// Main implements initiative.World.
func (s scene) Main() initiative.Pet {
	if p := s.app.mainPet.Load(); p != nil {
		return speaker{p}
	}
	return nil
}

// Facts implements initiative.World.
func (s scene) Facts(now time.Time) rules.Facts {
	a := s.app
	f := rules.Facts{API: a.backends.Load().Shared.API, Pets: len(a.openPresets())}
	idle, err := a.desk.Idle()
	if err != nil {
		a.log.Debug("read idle time", "error", err)
	}
	f.Idle, f.Present = idle.Minutes(), idle <= a.presence()
	if w := a.desk.Snapshot(); w.Active != nil {
		f.App, f.Title, f.InApp = w.Active.App, w.Active.Title, now.Sub(w.ActiveSince).Minutes()
	}
	return f
}

// Telling implements initiative.World.
func (s scene) Telling() bool { return s.app.tells() }

// Refresh implements initiative.World.
func (s scene) Refresh(ctx context.Context, plugin string) error {
	_, err := s.app.know.now.Load().Line(ctx, time.Now(), plugin)
	return err
}

// Trouble implements initiative.World.
func (s scene) Trouble(err error) { s.app.tellTrouble(err) }

// Seen implements knowledge.Herald.
func (s scene) Seen(ctx context.Context) bool {
	p := s.Main()
	if p == nil || s.Away() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, queryWait)
	defer cancel()
	b, err := p.Bearing(ctx)
	return err == nil && !b.Hidden
}

// Say implements knowledge.Herald.
func (s scene) Say(ctx context.Context, text string) bool {
	p := s.app.mainPet.Load()
	if p == nil || !p.session.Speak(ctx, "schedule.reminder", text) {
		return false
	}
	s.app.first.Spoke(time.Now(), rules.SourceSystem)
	return true
}

// Away implements doorway.House.
func (s scene) Away() bool {
	idle, err := s.app.desk.Idle()
	return err == nil && idle > s.app.presence()
}

// Speaking implements doorway.House.
func (s scene) Speaking() bool {
	p := s.app.mainPet.Load()
	return p == nil || p.session.Busy()
}

// Body implements doorway.House.
func (s scene) Body() doorway.Body {
	if p := s.app.mainPet.Load(); p != nil {
		return p.senses
	}
	return nil
}

// journal is initiative.Journal over the database and the turn records.
type journal struct{ app *App }

// Fired implements initiative.Journal.
func (j journal) Fired(state json.RawMessage) {
	j.app.memory.Save("fired rules", func(ctx context.Context) error { return j.app.memory.Set(ctx, firedKey, state) })
}

// Held implements initiative.Journal.
func (j journal) Held(r chat.Record) {
	j.app.memory.Save("turn record", func(context.Context) error { return j.app.records.Record(r) })
}

// speaker is initiative.Pet over an open pet.
type speaker struct{ pet *pet }

// Bearing implements initiative.Pet.
func (s speaker) Bearing(ctx context.Context) (b initiative.Bearing, err error) {
	p, a := s.pet, s.pet.app
	err = a.loop.Call(ctx, func() {
		st := p.fig.Body().State(time.Now())
		b.Posture = string(st.Posture)
		if st.Perch != nil {
			b.On = st.Perch.App
		}
		b.Band = tools.Band(a.panels.Feels(p.id))
		b.Hidden = !p.fig.Visible() || monitorOf(a.desk.Snapshot(), p.fig.Feet()).Fullscreen
	})
	return b, err
}

// Background implements initiative.Pet.
func (s speaker) Background(t chat.Trigger) { s.pet.session.Background(s.pet.app.ctx, t) }

// Express implements initiative.Pet.
func (s speaker) Express(c chat.Cue) {
	s.pet.app.loop.Do(func() { s.pet.expressFor(c, 4*time.Second) })
}

// Effect implements initiative.Pet.
func (s speaker) Effect(name string) error { return s.pet.senses.Show(name) }

// Declares implements initiative.Pet.
func (s speaker) Declares(tool string) bool { return s.pet.tools.Registry().Has(tool) }

// Run implements initiative.Pet.
func (s speaker) Run(ctx context.Context, tool string, c tools.Call) tools.Result {
	return s.pet.tools.Registry().Run(ctx, tool, c)
}

// presence is how long the person may be still before they count as away (docs/rules/chat.md#guardrails).
func (a *App) presence() time.Duration {
	return time.Duration(a.settings.Number(settings.KeyPresence)) * time.Millisecond
}
