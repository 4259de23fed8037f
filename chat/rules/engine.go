package rules

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"strings"
	"sync"
	"time"
)

// The sources of turns that nobody typed (docs/rules/chat.md#turns).
const (
	SourceTimer  = "timer_scheduler"
	SourceSystem = "os_event_watcher"
	SourceUser   = "user_input_source"
	SourceScreen = "screen_watcher"
	SourcePush   = "backend_push_source"
)

// Fire is a rule that applies now.
type Fire struct {
	Rule *Rule
	// Event, Line and Lines are those of chat.Trigger. Names of applications in them are as they came: whoever writes
	// them into a context cleans them.
	Event, Line string
	Lines       []string
	Source      string
	// Why says to people what made it fire: "at 09:00".
	Why string
	// Lasting says that it comes again with the next Tick while it still makes sense, so that it may be held now.
	Lasting bool

	key string // the occurrence, for what happens once
}

// Key names the occurrence: two Fires of one key are about the same thing.
func (f Fire) Key() string { return f.Rule.Name + " " + f.key }

// Signal is one signal of the ingress.
type Signal struct{ Source, Type, Text string }

// fired is what is remembered of a rule over a restart.
type fired struct {
	At    time.Time `json:"at"`
	Key   string    `json:"key,omitempty"`
	Day   string    `json:"day"`
	Today int       `json:"today"`
}

// Engine says which rules fire. Its zero value is not ready: use NewEngine.
type Engine struct {
	mu    sync.Mutex
	set   *Set
	fired map[string]*fired
	hours map[string][]time.Time // of the last hour, by rule; "" for all that started by themselves
	scene scene
	told  map[string]string // why a rule was held last, so that it is recorded once
}

// NewEngine returns an engine over a set, with what State gave before; a state that does not read is forgotten.
func NewEngine(set *Set, state json.RawMessage) *Engine {
	e := &Engine{set: set, fired: map[string]*fired{}, hours: map[string][]time.Time{}, told: map[string]string{}}
	if len(state) > 0 {
		var old map[string]*fired
		if json.Unmarshal(state, &old) == nil {
			for name, f := range old {
				if f != nil {
					e.fired[name] = f
				}
			}
		}
	}
	return e
}

// Use puts another set in the place of the present one. What has fired stays known by its name.
func (e *Engine) Use(set *Set) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.set = set
}

// Set is the present one.
func (e *Engine) Set() *Set {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.set
}

// State is what NewEngine takes after a restart.
func (e *Engine) State() json.RawMessage {
	e.mu.Lock()
	defer e.mu.Unlock()
	b, err := json.Marshal(e.fired)
	if err != nil {
		return json.RawMessage("{}") // times of years past 9999 alone
	}
	return b
}

// LastFired is when a rule last fired, zero for never.
func (e *Engine) LastFired(rule string) time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f := e.fired[rule]; f != nil {
		return f.At
	}
	return time.Time{}
}

// Words finds the first rule that the person's words set off. It costs well under a millisecond for a thousand rules.
func (e *Engine) Words(f Facts) (Fire, bool) {
	f = f.at()
	e.mu.Lock()
	defer e.mu.Unlock()
	text := fold(f.Text)
	whole, in := bare(text), pairsOf(text)
	for _, r := range e.set.Rules {
		word := r.spoken(text, whole, in)
		if word == "" || !e.free(r, &f) {
			continue
		}
		return Fire{Rule: r, Source: SourceUser, Why: fmt.Sprintf("the words %q", word)}, true
	}
	return Fire{}, false
}

// spoken gives the word of a rule that the text holds, "" for none.
func (r *Rule) spoken(text, whole string, in *pairs) string {
	for _, w := range r.words {
		if in.may(w) && hasWord(text, w) {
			return w
		}
	}
	for _, w := range r.exactly {
		if w == whole {
			return w
		}
	}
	return ""
}

// Gesture finds the first rule for a gesture (touch, pat, tap, drag, drop, sit, peek).
func (e *Engine) Gesture(gesture string, f Facts) (Fire, bool) {
	f = f.at()
	f.Gesture = gesture
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range e.set.Rules {
		for _, g := range r.gestures {
			if g == gesture && e.free(r, &f) {
				return Fire{Rule: r, Source: SourceUser, Why: "the gesture " + g}, true
			}
		}
	}
	return Fire{}, false
}

// Signal finds the first rule for a signal of the ingress; patterns are of the form "source/type".
func (e *Engine) Signal(s Signal, f Facts) (Fire, bool) {
	f = f.at()
	f.Source, f.Type, f.Text = s.Source, s.Type, s.Text
	subject := s.Source + "/" + s.Type
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range e.set.Rules {
		for _, p := range r.signals {
			if ok, err := path.Match(p, subject); err == nil && ok && e.free(r, &f) {
				return Fire{Rule: r, Event: "signals.push", Line: "signals (1 signals)", Source: SourcePush, Why: "the signal " + p,
					Lines: []string{"signal: " + strings.TrimSpace(s.Source+" "+s.Type) + ": " + s.Text}}, true
			}
		}
	}
	return Fire{}, false
}

// Hears says that some rule's pattern fits a signal, whatever its condition.
func (e *Engine) Hears(s Signal) bool {
	subject := s.Source + "/" + s.Type
	for _, r := range e.Set().Rules {
		for _, p := range r.signals {
			if ok, err := path.Match(p, subject); r.Enabled && err == nil && ok {
				return true
			}
		}
	}
	return false
}

func validPattern(p string) bool {
	_, err := path.Match(p, "")
	return err == nil && strings.Count(p, "/") == 1
}

// free says that nothing of its own keeps a rule from firing. e.mu is held.
func (e *Engine) free(r *Rule, f *Facts) bool {
	if !r.Enabled {
		return false
	}
	f.Today = 0
	if old := e.fired[r.Name]; old != nil {
		since := f.Now.Sub(old.At)
		if since >= 0 && since < r.Cooldown { // a clock that was set back does not lock a rule for ever
			return false
		}
		if old.Day == dayOf(f.Now) {
			f.Today = old.Today
		}
	}
	if r.PerDay > 0 && f.Today >= r.PerDay || r.PerHour > 0 && e.lastHour(r.Name, f.Now) >= r.PerHour {
		return false
	}
	ok, err := holds(r.condition, f)
	return ok && err == nil
}

func (e *Engine) lastHour(name string, now time.Time) int {
	list := e.hours[name]
	for len(list) > 0 && (now.Sub(list[0]) >= time.Hour || now.Before(list[0])) {
		list = list[1:]
	}
	e.hours[name] = list
	return len(list)
}

// Full says that the cap on all rules that start by themselves is reached.
func (e *Engine) Full(now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.lastHour("", now) >= e.set.PerHour
}

// Quiet says that now is one of the file's quiet hours.
func (e *Engine) Quiet(now time.Time) bool { return e.Set().quietAt(now) }

// Spent notes that a Fire was acted upon.
func (e *Engine) Spent(f Fire, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.note(f, now, true)
}

// Dropped notes that a Fire was given up: what happens once does not come again, but nothing counts as fired.
func (e *Engine) Dropped(f Fire, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.note(f, now, false)
}

func (e *Engine) note(f Fire, now time.Time, spent bool) {
	old := e.fired[f.Rule.Name]
	if old == nil {
		old = &fired{}
		e.fired[f.Rule.Name] = old
	}
	if f.key != "" {
		old.Key = f.key
	}
	if !spent {
		return
	}
	day := dayOf(now)
	if old.Day != day {
		old.Day, old.Today = day, 0
	}
	old.At, old.Today = now, old.Today+1
	e.hours[f.Rule.Name] = append(e.hours[f.Rule.Name], now)
	if f.Source != SourceUser {
		e.hours[""] = append(e.hours[""], now)
	}
}

// seen says that an occurrence is over for a rule. e.mu is held.
func (e *Engine) seen(r *Rule, key string) bool {
	f := e.fired[r.Name]
	return f != nil && f.Key == key
}

func whole(minutes float64) int { return int(math.Round(max(0, minutes))) }
