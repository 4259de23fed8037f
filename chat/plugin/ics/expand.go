package ics

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/teambition/rrule-go"
)

const (
	// maxWork bounds the days that the rules of a file may look at in one question, some tenths of a second. What they
	// find costs more: costFound each.
	maxWork   = 1_000_000
	costFound = 20
	// maxOfSeries and maxOccurrences bound the instances of one event and of all in one question.
	maxOfSeries, maxOccurrences = 400, 4000
)

// Occurrence is one thing that happens.
type Occurrence struct {
	UID, Title string
	Start, End time.Time // in the zone that was asked for
	AllDay     bool
	Alarms     []Alarm
	// HasAlarms tells whether the event says itself when to be reminded of, be it by mail or never.
	HasAlarms bool
}

// Between lists what happens in part or whole from from to to, sorted by its start. Times that float and whole days are
// read in local. What is left out because it is too much comes as an error beside the list.
func (c *Calendar) Between(from, to time.Time, local *time.Location) ([]Occurrence, []error) {
	changed := c.changed(local)
	budget := maxWork
	var list []Occurrence
	var errs []error
	for i := range c.events {
		e := &c.events[i]
		found, err := e.between(from, to, local, changed[e.uid], &budget)
		if err != nil && len(errs) < maxTroubles {
			errs = append(errs, fmt.Errorf("repeat event %d: %w", i+1, err))
		}
		if list = append(list, found...); len(list) > 2*maxOccurrences {
			list = earliest(list)
		}
	}
	if list = earliest(list); len(list) == maxOccurrences {
		errs = append(errs, errors.New("read calendar: too much happens; the latest is left out"))
	}
	return list, errs
}

func earliest(list []Occurrence) []Occurrence {
	slices.SortStableFunc(list, func(a, b Occurrence) int {
		return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End), cmp.Compare(a.Title, b.Title), cmp.Compare(a.UID, b.UID))
	})
	return list[:min(len(list), maxOccurrences)]
}

// changed collects, for each series, the instances that an event of their own replaces.
func (c *Calendar) changed(local *time.Location) map[string][]instant {
	m := map[string][]instant{}
	for i := range c.events {
		if e := &c.events[i]; e.instance != nil && e.uid != "" { // without a UID nobody knows of which series
			m[e.uid] = append(m[e.uid], instantOf(*e.instance, local))
		}
	}
	return m
}

// instant is how EXDATE and RECURRENCE-ID name an instance: by a moment, or by a day.
type instant struct {
	at   time.Time
	date bool
	wall time.Time
}

func instantOf(s stamp, local *time.Location) instant {
	return instant{s.at(local), s.date, s.wall}
}

// names tells whether it means the instance that starts at at, shown as wall. A mere date means all of that day.
func (n instant) names(at, wall time.Time) bool {
	if n.date {
		return n.wall.YearDay() == wall.YearDay() && n.wall.Year() == wall.Year()
	}
	return n.at.Equal(at)
}

func (e *event) between(from, to time.Time, local *time.Location, changed []instant, budget *int) ([]Occurrence, error) {
	if e.cancelled {
		return nil, nil
	}
	if e.instance != nil {
		changed = nil
	}
	out := make([]instant, 0, len(e.not)+len(changed))
	for _, s := range e.not {
		out = append(out, instantOf(s, local))
	}
	out = append(out, changed...)
	var list []Occurrence
	add := func(wall time.Time) bool {
		at := onWall(wall, e.start.zone, local)
		end := e.end(wall, local)
		if !at.Before(to) {
			return true
		}
		if end.Before(from) || end.Equal(from) && !at.Equal(from) {
			return true
		}
		*budget -= costFound + len(out)/16
		if slices.ContainsFunc(out, func(n instant) bool { return n.names(at, wall) }) {
			return true
		}
		list = append(list, Occurrence{UID: e.uid, Title: e.title, Start: at.In(local), End: end.In(local), AllDay: e.start.date,
			Alarms: e.alarms, HasAlarms: e.set > 0})
		return len(list) < maxOfSeries && *budget > 0
	}
	err := e.walls(from, to, local, budget, add)
	if err == nil && *budget <= 0 {
		err = errBudget
	}
	return list, err
}

// walls yields the start readings of all instances that may touch the time from from to to, each once.
func (e *event) walls(from, to time.Time, local *time.Location, budget *int, yield func(time.Time) bool) error {
	had := make(map[int64]bool, len(e.also))
	once := func(wall time.Time) bool {
		if had[wall.Unix()] {
			return true
		}
		if len(e.also) > 0 { // a rule alone never says one twice
			had[wall.Unix()] = true
		}
		return yield(wall)
	}
	for _, s := range e.also {
		if !once(e.reading(s, local)) {
			return nil
		}
	}
	if e.rule == nil || e.instance != nil {
		once(e.start.wall)
		return nil
	}
	if e.rule.Freq > rrule.DAILY {
		once(e.start.wall)
		return errTooOften
	}
	// A day more on either side: wall clocks differ from UTC by up to 14 hours.
	const slack = 25 * time.Hour
	return e.rule.each(e.start.wall, from.UTC().Add(-e.span()-slack), to.UTC().Add(slack), e.ended(local), budget, once)
}

// ended tells whether a reading is past the rule's UNTIL.
func (e *event) ended(local *time.Location) func(time.Time) bool {
	u := e.rule.until
	switch {
	case u == nil:
		return func(time.Time) bool { return false }
	case u.date:
		next := u.wall.AddDate(0, 0, 1)
		return func(t time.Time) bool { return !t.Before(next) }
	case u.utc && !e.start.date:
		return func(t time.Time) bool { return onWall(t, e.start.zone, local).After(u.wall) }
	}
	return func(t time.Time) bool { return t.After(u.wall) }
}

// reading is a stamp as the event's own clock shows it: an RDATE may be written in UTC.
func (e *event) reading(s stamp, local *time.Location) time.Time {
	if s.date || !s.utc && s.tzid == e.start.tzid {
		if s.date && !e.start.date {
			return s.wall.Add(time.Duration(e.start.wall.Hour())*time.Hour + time.Duration(e.start.wall.Minute())*time.Minute)
		}
		return s.wall
	}
	zone := e.start.zone
	if zone == nil {
		zone = local
	}
	t := s.at(local).In(zone)
	y, mo, d := t.Date()
	h, mi, sec := t.Clock()
	return time.Date(y, mo, d, h, mi, sec, 0, time.UTC)
}
