package rules

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// moment is a time that comes again: a time of the day, or the five fields of cron.
type moment struct {
	text  string
	hour  int
	min   int
	every cron.Schedule // nil for a time of the day
}

// readMoment reads "09:00" or "0 12 * * mon-fri".
func readMoment(s string) (moment, error) {
	h, m, isTime := strings.Cut(s, ":")
	if isTime && len(m) == 2 && len(h) <= 2 {
		hour, err1 := strconv.Atoi(h)
		minute, err2 := strconv.Atoi(m)
		if err1 == nil && err2 == nil && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 {
			return moment{text: s, hour: hour, min: minute}, nil
		}
	}
	if strings.ContainsAny(s, "=@") { // cron's TZ= and @every are not for people's days
		return moment{}, fmt.Errorf("%q is neither a time like 09:00 nor five cron fields", s)
	}
	every, err := cron.ParseStandard(s)
	if err != nil {
		return moment{}, fmt.Errorf("%q is neither a time like 09:00 nor five cron fields", s)
	}
	return moment{text: s, every: every}, nil
}

// last is the newest occurrence in (now-grace, now], ok is false where there is none. Times that a change to summer time
// leaves out come an hour later; those that come twice in autumn count once, for they have one name.
func (m moment) last(now time.Time, grace time.Duration) (at time.Time, ok bool) {
	if m.every == nil {
		for _, day := range []time.Time{now, now.AddDate(0, 0, -1)} {
			at = time.Date(day.Year(), day.Month(), day.Day(), m.hour, m.min, 0, 0, now.Location())
			if at.Hour() != m.hour { // inside the gap: Go gives the time before or after it
				at = time.Date(day.Year(), day.Month(), day.Day(), m.hour+1, m.min, 0, 0, now.Location())
			}
			if !at.After(now) {
				return at, now.Sub(at) < grace
			}
		}
		return at, false
	}
	for t := m.every.Next(now.Add(-grace)); !t.IsZero() && !t.After(now); t = m.every.Next(t) {
		at, ok = t, true
	}
	return at, ok
}

// next is the first occurrence after now.
func (m moment) next(now time.Time) time.Time {
	if m.every != nil {
		return m.every.Next(now)
	}
	for d := range 3 {
		at := time.Date(now.Year(), now.Month(), now.Day()+d, m.hour, m.min, 0, 0, now.Location())
		if at.After(now) {
			return at
		}
	}
	return now.Add(24 * time.Hour)
}

// name is what an occurrence is called: its time on the wall, so that an hour that comes twice has one name.
func name(at time.Time) string { return at.Format("2006-01-02T15:04") }

// span is a part of the day, "22:30-07:00". It may go over midnight.
type span struct{ from, to int } // minutes of the day

func readSpan(s string) (span, error) {
	a, b, ok := strings.Cut(s, "-")
	from, err1 := readMoment(strings.TrimSpace(a))
	to, err2 := readMoment(strings.TrimSpace(b))
	if !ok || err1 != nil || err2 != nil || from.every != nil || to.every != nil {
		return span{}, fmt.Errorf("%q is no part of the day like 22:30-07:00", s)
	}
	return span{from.hour*60 + from.min, to.hour*60 + to.min}, nil
}

func (s span) holds(now time.Time) bool {
	m := now.Hour()*60 + now.Minute()
	if s.from <= s.to {
		return m >= s.from && m < s.to
	}
	return m >= s.from || m < s.to
}

// dayTurn is when a day of the person's begins: who works past midnight has not begun a new one.
const dayTurn = 5 * time.Hour

// dayOf names the day that a moment belongs to.
func dayOf(now time.Time) string {
	if now.Hour() < int(dayTurn/time.Hour) {
		now = now.AddDate(0, 0, -1)
	}
	return now.Format("2006-01-02")
}
