package rules

import "time"

// Situation is what keeps a pet from speaking first, whatever the rules say.
type Situation struct {
	// Off says that the person wants no turns that start by themselves (setting yui.proactive).
	Off bool
	// Hidden says that nobody would see her: hidden, or a program fills the screen.
	Hidden bool
}

// Held is a Fire that did not get its turn, and why.
type Held struct {
	Fire   Fire
	Reason Reason
}

// Judge looks at the clock and the person and gives the one Fire that gets a turn now, ok is false where none does.
// held are the others, each named once for a reason: one that is Lasting is looked at again with the next call.
func (e *Engine) Judge(g *Gate, l Sighting, s Situation) (fire Fire, ok bool, held []Held) {
	for _, f := range e.Tick(l) {
		reason := GlobalGap // one at a time
		if !ok {
			reason = e.Reason(g, f, l, s)
		}
		if reason == Free {
			fire, ok = f, true
			e.Begin(g, f, l.Now)
			continue
		}
		if !f.Lasting {
			e.Dropped(f, l.Now)
		}
		if e.unheard(f, reason) {
			held = append(held, Held{f, reason})
		}
	}
	return fire, ok, held
}

// Reason says why a Fire may not have its turn now. One without a Rule asks for something else: a gesture, the ingress.
func (e *Engine) Reason(g *Gate, f Fire, l Sighting, s Situation) Reason {
	ofRule := f.Rule != nil && f.Source != SourceUser
	switch {
	case s.Off && ofRule: // the ingress has a switch of its own
		return Disabled
	case s.Hidden:
		return Hidden
	case ofRule && g.Age(l.Now) < e.Set().Settle:
		return Starting
	case f.Source != SourceUser && e.Quiet(l.Now):
		return QuietHours
	case f.Source != SourceUser && e.Full(l.Now):
		return HourlyCap
	}
	return g.Ask(l.Now, f.Source, l.Present)
}

// Begin notes that a Fire has its turn.
func (e *Engine) Begin(g *Gate, f Fire, now time.Time) {
	e.Spent(f, now)
	g.Began(now, f.Source)
}

// unheard says that this is news: the same Fire was not held for the same reason the last time.
func (e *Engine) unheard(f Fire, reason Reason) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	what := f.key + " " + string(reason)
	if e.told[f.Rule.Name] == what {
		return false
	}
	e.told[f.Rule.Name] = what
	return true
}
