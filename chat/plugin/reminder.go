package plugin

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"yui/chat/plugin/ics"
)

const (
	keyReminders = "plugin.reminders"
	// defaultLead and defaultGrace: see ReminderOptions.
	defaultLead, defaultGrace = 10 * time.Minute, time.Hour
	// remindAhead is how far ahead events are kept over a restart, in case the calendar cannot be had then.
	remindAhead = 48 * time.Hour
	// remindBack is how far back a missed one is still worth a word.
	remindBack = 7 * 24 * time.Hour
	// maxKept bounds what is stored of either kind.
	maxKept = 500
	// seenStep is how often the time of the last look is stored while nothing else changes.
	seenStep = 5 * time.Minute
)

// ReminderOptions says when to remind.
type ReminderOptions struct {
	Lead  time.Duration // ahead of events that have no alarm of their own; 10 minutes where 0
	Grace time.Duration // how long after its start an event is still worth a reminder; 60 minutes where 0
	// Source names the calendar, so that the past of another one is not told as missed. Not shown, not stored as it is.
	Source string
}

// Reminders tells of the calendar's events at the time that their alarms ask for: each once, whatever restarts or
// clocks do in between. One that nobody could be told of stays due, until its event has begun longer than the grace
// ago; then it is told as missed, once, together with the others. Safe from any goroutine.
type Reminders struct {
	calendar *Calendar
	store    Store
	lead     time.Duration
	grace    time.Duration
	source   string

	mu     sync.Mutex
	state  remembered
	loaded bool
	saved  []byte
}

// remembered is what outlives the process.
type remembered struct {
	Source string            `json:"source"`
	First  time.Time         `json:"first"` // of the first look at this calendar: what began before is none of ours
	Seen   time.Time         `json:"seen"`  // of the last one
	Coming []entry           `json:"coming"`
	Done   map[string]ending `json:"done"`
}

// entry is one reminder that is to be given.
type entry struct {
	ID     string    `json:"id"`
	Title  string    `json:"title"`
	Start  time.Time `json:"start"`
	AllDay bool      `json:"all_day,omitempty"`
	At     time.Time `json:"at"`            // when to tell of it
	All    []string  `json:"all,omitempty"` // ids of earlier alarms of the same event, which go with it
}

// ending is how a reminder ended.
type ending struct {
	At     time.Time `json:"at"`
	Start  time.Time `json:"start"`
	Missed bool      `json:"missed,omitempty"`
}

// NewReminders ties reminders to a calendar. Call Load before the first Due.
func NewReminders(c *Calendar, s Store, o ReminderOptions) *Reminders {
	if o.Lead == 0 {
		o.Lead = defaultLead
	}
	if o.Grace == 0 {
		o.Grace = defaultGrace
	}
	return &Reminders{calendar: c, store: s, lead: o.Lead, grace: o.Grace, source: digest(o.Source), state: remembered{Done: map[string]ending{}}}
}

// Load reads what was due and done before the restart. What cannot be read counts as nothing, and comes as an error.
func (r *Reminders) Load(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.loaded = true
	raw, ok, err := r.store.Get(ctx, keyReminders)
	if err != nil {
		return fmt.Errorf("read reminders: %w", err)
	}
	if !ok {
		return nil
	}
	var s remembered
	if err := json.Unmarshal(raw, &s); err != nil {
		return fmt.Errorf("read reminders: %w", err)
	}
	if s.Source != r.source {
		return nil // of another calendar
	}
	if s.Done == nil {
		s.Done = map[string]ending{}
	}
	r.state, r.saved = s, raw
	return nil
}

// Due lists what is to be said now, the earliest event first: a Reminder for each event, and at most one for all that
// were missed, which comes first. They stay due until Done. It looks at the calendar as it was fetched last; call
// Set.Refresh before. What must outlive a restart is stored before it returns; the error says that this failed, and the
// list holds all the same.
func (r *Reminders) Due(ctx context.Context, now time.Time) ([]Reminder, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.loaded {
		return nil, nil
	}
	r.read(now)
	var due []Reminder
	var missed Reminder
	for _, e := range r.state.Coming {
		switch {
		case e.At.After(now):
		case r.over(e, now):
			missed.Missed = append(missed.Missed, Event{e.Title, e.Start.In(now.Location()), e.AllDay})
			missed.entries = append(missed.entries, e)
		default:
			due = append(due, Reminder{ID: e.ID, Event: Event{e.Title, e.Start.In(now.Location()), e.AllDay}, entries: []entry{e}})
		}
	}
	if len(missed.entries) > 0 {
		missed.ID = "missed:" + missed.entries[0].ID
		due = append([]Reminder{missed}, due...)
	}
	return due, r.save(ctx, now)
}

// Next is when the next reminder becomes due by what is known now; zero where none is. One that is due already gives its
// own past time.
func (r *Reminders) Next() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	var next time.Time
	for _, e := range r.state.Coming {
		if next.IsZero() || e.At.Before(next) {
			next = e.At
		}
	}
	return next
}

// Done remembers that a reminder was given, and stores it: call it when the words are on the screen. It is not due
// again, whatever happens to the process after Done has returned.
func (r *Reminders) Done(ctx context.Context, given Reminder) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range given.entries {
		end := ending{At: e.At, Start: e.Start, Missed: len(given.Missed) > 0}
		for _, id := range append([]string{e.ID}, e.All...) {
			r.state.Done[id] = end
		}
		r.state.Coming = slices.DeleteFunc(r.state.Coming, func(c entry) bool { return c.ID == e.ID })
	}
	return r.save(ctx, time.Time{})
}

// over tells whether a reminder came too late. A whole day is over with the day.
func (r *Reminders) over(e entry, now time.Time) bool {
	if e.AllDay {
		return !now.Before(dayStart(e.Start.In(now.Location()), 1))
	}
	return now.Sub(e.Start) > r.grace
}

// read brings the list up to date with the calendar, where there is one.
func (r *Reminders) read(now time.Time) {
	s := &r.state
	if s.First.IsZero() || s.First.After(now) {
		s.Source, s.First = r.source, now
	}
	for id, end := range s.Done {
		// The clock ran ahead when this was called missed, and is right again: the event is still to come.
		if end.Missed && now.Before(end.Start) {
			delete(s.Done, id)
		}
	}
	list, ok := r.calendar.Occurrences()
	if !ok {
		return // what was stored must do
	}
	known := map[string]bool{}
	for _, e := range s.Coming {
		known[e.ID] = true
	}
	var coming []entry
	for _, o := range list {
		e, ok := r.entryOf(o, now)
		if !ok || e.At.After(now.Add(remindAhead)) || e.Start.Before(now.Add(-remindBack)) {
			continue
		}
		if e.Start.Before(s.First) && !e.AllDay || e.At.Before(s.First) && e.AllDay {
			continue
		}
		// An event that was written into the past afterwards was not missed.
		if r.over(e, now) && !known[e.ID] && e.At.Before(s.Seen) {
			continue
		}
		coming = append(coming, e)
	}
	slices.SortStableFunc(coming, func(a, b entry) int { return a.Start.Compare(b.Start) })
	s.Coming = coming[:min(len(coming), maxKept)]
	if !s.Seen.After(now) || s.Seen.Sub(now) > time.Hour { // a small step back of the clock changes nothing
		s.Seen = now
	}
}

// entryOf is the reminder that an event needs at now: its latest alarm that is due, else its next one. ok is false where
// it needs none, or all were given.
func (r *Reminders) entryOf(o ics.Occurrence, now time.Time) (e entry, ok bool) {
	type alarm struct {
		at   time.Time
		name string
	}
	var alarms []alarm
	for _, a := range o.Alarms {
		at := o.Start.Add(-a.Before)
		switch {
		case !a.At.IsZero():
			at = a.At
		case a.FromEnd:
			at = o.End.Add(-a.Before)
		}
		alarms = append(alarms, alarm{at, at.UTC().Format(time.RFC3339)})
	}
	if !o.HasAlarms && !o.AllDay {
		alarms = append(alarms, alarm{o.Start.Add(-r.lead), "lead"}) // another lead in the config is no other alarm
	}
	slices.SortFunc(alarms, func(a, b alarm) int { return a.at.Compare(b.at) })
	event := o.UID
	if event == "" {
		event = o.Title
	}
	event += "\x00" + o.Start.UTC().Format(time.RFC3339) + "\x00"
	var passed []string
	for _, a := range alarms {
		id := digest(event + a.name)
		if _, done := r.state.Done[id]; done {
			continue
		}
		if ok && a.at.After(now) {
			break
		}
		if ok {
			passed = append(passed, e.ID)
		}
		e, ok = entry{ID: id, Title: o.Title, Start: o.Start, AllDay: o.AllDay, At: a.at}, true
	}
	e.All = passed
	return e, ok
}

// save stores the state where it changed. now is zero where the time of the look does not matter.
func (r *Reminders) save(ctx context.Context, now time.Time) error {
	r.forget()
	var last remembered
	if !now.IsZero() && json.Unmarshal(r.saved, &last) == nil {
		// The time alone is worth a write only now and then.
		if seen := r.state.Seen; seen.Sub(last.Seen).Abs() < seenStep {
			r.state.Seen = last.Seen
			defer func() { r.state.Seen = seen }()
		}
	}
	raw, err := json.Marshal(r.state)
	if err != nil {
		return fmt.Errorf("store reminders: %w", err)
	}
	if string(raw) == string(r.saved) {
		return nil
	}
	if err := r.store.Set(ctx, keyReminders, raw); err != nil {
		return fmt.Errorf("store reminders: %w", err)
	}
	r.saved = raw
	return nil
}

// forget drops the oldest of what is done. It goes by number, not by age: a clock that runs wild must not make a
// reminder come twice.
func (r *Reminders) forget() {
	if len(r.state.Done) <= 2*maxKept {
		return
	}
	ids := make([]string, 0, len(r.state.Done))
	for id := range r.state.Done {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return r.state.Done[a].At.Compare(r.state.Done[b].At) })
	for _, id := range ids[:len(ids)-maxKept] {
		delete(r.state.Done, id)
	}
}

// digest is a short name for something that is longer or secret.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}
