package rules

import (
	"fmt"
	"strings"
	"time"

	"yui/internal/protocol"
)

// The figures of the screen watch (docs/rules/chat.md#guardrails).
const (
	prevDwell   = 10 * time.Minute
	settle      = 90 * time.Second
	screenGap   = 5 * time.Minute
	afterTurn   = 3 * time.Minute
	recentCap   = 5
	recentLeast = time.Minute
)

// Ticks of rules that look at the person, and the longest wait of all.
const (
	lookEvery = 30 * time.Second
	waitMost  = time.Hour
	// asleep is how long a gap between two looks means that the computer slept.
	asleep = 5 * time.Minute
)

// Sighting is what Tick and Next are told beside the facts.
type Sighting struct {
	Facts
	// Watch says that the screen watch is on.
	Watch bool
}

// scene is what the engine has seen of the person and the screen.
type scene struct {
	at       time.Time
	away     time.Duration // the longest idle time of the present absence
	absence  time.Time     // when the last absence ended
	back     time.Duration // how long it was
	first    string        // the day whose first activity was seen
	firstAt  time.Time
	here     time.Time // since when the person is present
	app      string
	appAt    time.Time
	left     string // the last application that was long in front
	leftFor  time.Duration
	leftAt   time.Time
	recent   []string
	screenAt time.Time // of the last fire of the screen watch
}

// Tick looks at the clock, the person and the screen, and gives the rules that apply, in their order. A Fire that is
// Lasting comes again until Spent or Dropped is called or its time is over; call one of them for the others at once.
func (e *Engine) Tick(l Sighting) []Fire {
	l.Facts = l.Facts.at()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scene.look(&l)
	var fires []Fire
	for _, r := range e.set.Rules {
		if f, ok := e.due(r, &l); ok && (f.key == "" || !e.seen(r, f.key)) && e.free(r, &l.Facts) {
			f.Rule = r
			fires = append(fires, f)
		}
	}
	return fires
}

// look takes in what has changed since the last time.
func (s *scene) look(l *Sighting) {
	now, idle := l.Now, minutes(l.Idle)
	if gap := now.Sub(s.at); !s.at.IsZero() && gap > asleep {
		s.away = max(s.away, gap) // the computer slept
	}
	s.at = now
	if l.Present {
		if s.here.IsZero() || s.away >= asleep {
			s.here = now.Add(-idle)
		}
		if s.away >= asleep {
			s.absence, s.back = now, s.away
		}
		s.away = 0
		if day := dayOf(now); s.first != day {
			s.first, s.firstAt = day, now
		}
	} else {
		s.away = max(s.away, idle)
	}
	if l.App != s.app {
		s.change(l)
	}
}

func minutes(m float64) time.Duration { return time.Duration(m * float64(time.Minute)) }

// change takes in another application in front.
func (s *scene) change(l *Sighting) {
	since := l.Now.Add(-minutes(l.InApp))
	if dwell := since.Sub(s.appAt); s.app != "" && dwell >= recentLeast {
		s.recent = append(s.recent, fmt.Sprintf("%s %dmin", s.app, whole(dwell.Minutes())))
		s.recent = s.recent[max(0, len(s.recent)-recentCap):]
		if dwell >= prevDwell {
			s.left, s.leftFor, s.leftAt = s.app, dwell, since
		}
	}
	s.app, s.appAt = l.App, since
	if s.app == s.left {
		s.left = "" // back where one was
	}
}

// due gives what sets a rule off now by itself.
func (e *Engine) due(r *Rule, l *Sighting) (Fire, bool) {
	s := &e.scene
	for _, m := range r.at {
		if at, ok := m.last(l.Now, r.grace); ok && l.Present {
			f := Fire{Event: "schedule." + r.Name, Line: fmt.Sprintf("schedule %q", r.label()), Source: SourceTimer,
				Why: "at " + m.text, Lasting: true, key: name(at)}
			if !e.seen(r, f.key) {
				return f, true
			}
		}
	}
	switch {
	case r.first && l.Present && l.Now.Sub(s.firstAt) < r.grace:
		return Fire{Event: "time_milestone.first_activity", Line: "milestone first_activity (" + s.firstAt.Format("15:04") + ")",
			Source: SourceSystem, Why: "the first activity of the day", Lasting: true, key: "first " + s.first}, true
	case r.idle > 0 && minutes(l.Idle) >= r.idle:
		began := l.Now.Add(-minutes(l.Idle)).Round(time.Minute)
		return e.proactive(r, l, fmt.Sprintf("%d minutes without mouse and keyboard", whole(l.Idle)), "idle "+name(began)), true
	case r.silent > 0 && l.Present && min(minutes(l.Silent), l.Now.Sub(s.here)) >= r.silent:
		f := e.proactive(r, l, fmt.Sprintf("%v without a word", r.silent), "")
		f.Lasting = true
		return f, true
	case r.backAfter > 0 && l.Present && s.back >= r.backAfter && l.Now.Sub(s.absence) < r.grace && !s.absence.IsZero():
		f := e.proactive(r, l, fmt.Sprintf("back after %d minutes", whole(s.back.Minutes())), "back "+name(s.absence))
		f.Lines = append(f.Lines, fmt.Sprintf("away: %dmin", whole(s.back.Minutes())))
		f.Lasting = true
		return f, true
	case l.Watch && (r.switched || r.held > 0):
		return e.screen(r, l)
	}
	return Fire{}, false
}

func (r *Rule) label() string {
	if label := r.Label.In("en"); label != "" {
		return label
	}
	return strings.ReplaceAll(r.Name, "_", " ")
}

func (e *Engine) proactive(r *Rule, l *Sighting, why, key string) Fire {
	return Fire{Event: protocol.Proactive + r.Name, Line: fmt.Sprintf("proactive %q (user idle %dmin)", r.label(), whole(l.Idle)),
		Source: SourceTimer, Why: why, key: key}
}

// screen is the screen watch: what is in front, and for how long.
func (e *Engine) screen(r *Rule, l *Sighting) (Fire, bool) {
	s, here := &e.scene, minutes(l.InApp)
	if !l.Present || l.App == "" || !s.screenAt.IsZero() && l.Now.Sub(s.screenAt) < screenGap || minutes(l.Silent) < afterTurn {
		return Fire{}, false
	}
	f := Fire{Source: SourceScreen}
	if len(s.recent) > 0 {
		f.Lines = []string{"recent: " + strings.Join(s.recent, "; ")}
	}
	switch {
	case r.switched && s.left != "" && here >= settle && l.Now.Sub(s.leftAt) < prevDwell:
		f.Event, f.Why, f.key = protocol.AppSwitched, "another application", "left "+name(s.leftAt)
		f.Line = fmt.Sprintf("screen app_switched, left %s after %dmin, in current app %dmin", s.left, whole(s.leftFor.Minutes()), whole(l.InApp))
	case r.held > 0 && here >= r.held:
		f.Event, f.Why, f.key = protocol.LongSession, "long in one application", "held "+name(s.appAt)
		f.Line = fmt.Sprintf("screen long_session, in current app %dmin", whole(l.InApp))
	default:
		return Fire{}, false
	}
	if e.seen(r, f.key) {
		return Fire{}, false
	}
	s.screenAt = l.Now
	return f, true
}

// Next is when Tick should be called again: at the next time of the day that a rule waits for, and every half minute
// while rules look at the person or a Fire was held.
func (e *Engine) Next(now time.Time, watch, held bool) time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	next := now.Add(waitMost)
	for _, r := range e.set.Rules {
		if !r.Enabled {
			continue
		}
		if held || r.first || r.idle+r.silent+r.backAfter > 0 || watch && (r.switched || r.held > 0) {
			next = earlier(next, now.Add(lookEvery))
		}
		for _, m := range r.at {
			next = earlier(next, m.next(now))
		}
	}
	return next
}

func earlier(a, b time.Time) time.Time {
	if b.IsZero() || a.Before(b) {
		return a
	}
	return b
}
