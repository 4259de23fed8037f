package rules

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// Reason is why a turn that nobody typed was held; "" where it was not. The words stand in the turn record.
type Reason string

// The reasons (docs/rules/chat.md#turns, 6.11).
const (
	Free       Reason = ""
	Disabled   Reason = "disabled"
	NotPresent Reason = "not_present"
	Hidden     Reason = "hidden"
	QuietHours Reason = "quiet_hours"
	HourlyCap  Reason = "hourly_cap"
	GlobalGap  Reason = "global_gap"
	Cooldown   Reason = "cooldown"
	Debounced  Reason = "debounce"
	Tier2Cap   Reason = "tier2_cap"
	OverallCap Reason = "overall_cap"
	Starting   Reason = "starting"
)

// debounce is the least time between two turns of one source (docs/rules/chat.md#guardrails).
var debounce = map[string]time.Duration{
	SourceTimer: 30 * time.Second, SourceSystem: 5 * time.Second, SourcePush: 10 * time.Second, SourceScreen: 5 * time.Second,
}

// Limits are the guardrails of turns that nobody typed (docs/rules/chat.md#guardrails).
type Limits struct {
	// Window is what the caps count over.
	Window time.Duration
	// Tier2 caps the turns that nobody typed, Overall all turns; one more than Overall begins a Cooldown.
	Tier2, Overall int
	Cooldown       time.Duration
	// Chain is how many addressed turns may follow one another without the person; 0 for none.
	Chain int
}

// DefaultLimits are those of docs/rules/chat.md#guardrails.
func DefaultLimits() Limits {
	return Limits{Window: time.Hour, Tier2: 24, Overall: 40, Cooldown: 5 * time.Minute, Chain: 4}
}

// ReadLimits reads the person's own caps (setting yui.guardrails): numbers from 0 to 999, 0 for the default; of addressed
// turns from 0 to 10, where 0 means none.
func ReadLimits(setting json.RawMessage) (Limits, error) {
	l := DefaultLimits()
	var own struct {
		Tier2    int `json:"tier2_max"`
		Overall  int `json:"overall_max"`
		Cooldown int `json:"cooldown_ms"`
		Chain    int `json:"addressed_chain_max"`
	}
	if len(setting) == 0 {
		return l, nil
	}
	own.Chain = l.Chain
	if err := json.Unmarshal(setting, &own); err != nil {
		return l, fmt.Errorf("read guardrails: %w", err)
	}
	if own.Tier2 < 0 || own.Tier2 > 999 || own.Overall < 0 || own.Overall > 999 || own.Cooldown < 0 || own.Cooldown > 3_600_000 {
		return l, fmt.Errorf("read guardrails: tier2_max and overall_max go from 0 to 999, cooldown_ms to 3600000")
	}
	if own.Chain < 0 || own.Chain > 10 {
		return l, fmt.Errorf("read guardrails: addressed_chain_max goes from 0 to 10")
	}
	l.Chain = own.Chain
	if own.Tier2 > 0 {
		l.Tier2 = own.Tier2
	}
	if own.Overall > 0 {
		l.Overall = own.Overall
	}
	if own.Cooldown > 0 {
		l.Cooldown = time.Duration(own.Cooldown) * time.Millisecond
	}
	return l, nil
}

// DefaultGap is how long nothing paced starts after a turn (setting yui.proactive-pacer-gap): a person at the keyboard
// is not interrupted twice within it.
const DefaultGap = 10 * time.Minute

// Gate says whether now is a moment for a turn that nobody typed. Its zero value has no limits: use NewGate.
type Gate struct {
	mu        sync.Mutex
	limits    Limits
	gap       time.Duration
	began     time.Time
	turn      time.Time // the newest turn of any kind
	proactive time.Time // the newest one that the program began by itself
	sources   map[string]time.Time
	tier2     []time.Time
	all       []time.Time
	cool      time.Time
}

// NewGate returns the gate of a program that started at began.
func NewGate(began time.Time) *Gate {
	return &Gate{limits: DefaultLimits(), gap: DefaultGap, began: began, sources: map[string]time.Time{}}
}

// Chain is how many addressed turns may follow one another.
func (g *Gate) Chain() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.limits.Chain
}

// Use sets the limits and the gap (0 for none).
func (g *Gate) Use(l Limits, gap time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limits, g.gap = l, gap
}

// Ask says why a turn of a source may not start now; Free where it may. present says that the person is at the
// keyboard.
func (g *Gate) Ask(now time.Time, source string, present bool) Reason {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget(now)
	last, d := g.sources[source], debounce[source]
	switch {
	case now.Before(g.cool):
		return Cooldown
	case d > 0 && now.Sub(last) < d:
		return Debounced
	case g.within(now, source, present):
		return GlobalGap
	case len(g.tier2) >= g.limits.Tier2:
		return Tier2Cap
	case len(g.all) >= g.limits.Overall:
		g.cool = now.Add(g.limits.Cooldown)
		return OverallCap
	}
	return Free
}

// within says that the gap holds a source: timers and the screen watch after any turn (the pacer of
// docs/rules/chat.md#guardrails), the others after one that the program began by itself while the person is there. What the person does is
// never held.
func (g *Gate) within(now time.Time, source string, present bool) bool {
	since := func(t time.Time) bool { return !t.IsZero() && now.Sub(t) >= 0 && now.Sub(t) < g.gap }
	switch source {
	case SourceUser:
		return false
	case SourceTimer, SourceScreen:
		return since(g.turn)
	}
	return present && since(g.proactive)
}

// Turn notes that a turn began: the person's own, or an answer to one.
func (g *Gate) Turn(now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.turn = now
	g.all = append(g.all, now)
	g.forget(now)
}

// Began notes that a turn of a source was given the floor. Its Turn is noted by itself.
func (g *Gate) Began(now time.Time, source string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sources[source] = now
	g.tier2 = append(g.tier2, now)
	if source != SourceUser {
		g.proactive = now
	}
}

// Age is how long the program has run.
func (g *Gate) Age(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return now.Sub(g.began)
}

// LastTurn is when the newest turn began, or the program itself.
func (g *Gate) LastTurn() time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.turn.IsZero() {
		return g.began
	}
	return g.turn
}

func (g *Gate) forget(now time.Time) {
	for _, list := range []*[]time.Time{&g.tier2, &g.all} {
		for len(*list) > 0 && (now.Sub((*list)[0]) >= g.limits.Window || now.Before((*list)[0])) {
			*list = (*list)[1:]
		}
	}
}
