package ics

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// rule is an RRULE. rrule-go reads it, and is the oracle of our tests; walking it is our own work, because that library
// starts at DTSTART and looks on to the year 9999 for a day that may never come, and cannot be stopped.
type rule struct {
	rrule.ROption
	until *stamp
}

// maxTimes bounds the times of day of one rule.
const maxTimes = 96

// errTooOften is told of a series of hours, minutes or seconds: only its first instance is kept.
var errTooOften = errors.New("it repeats more often than daily")

// parseRule reads the value of an RRULE.
func parseRule(v string) (*rule, error) {
	var r rule
	var kept []string
	for _, part := range strings.Split(strings.ToUpper(strings.TrimSpace(v)), ";") {
		key, val, ok := strings.Cut(strings.TrimSpace(part), "=")
		switch {
		case !ok || val == "" || strings.HasPrefix(key, "X-"):
			continue
		case key == "UNTIL": // a date or a time, which the library does not keep apart
			s, err := parseStamp(val, "")
			if err != nil {
				return nil, fmt.Errorf("read RRULE: %w", err)
			}
			r.until = &s
		case key == "DTSTART" || key == "BYEASTER" || key == "RSCALE" || key == "SKIP":
			return nil, fmt.Errorf("read RRULE: %s is not supported", key)
		default:
			kept = append(kept, key+"="+val)
		}
	}
	o, err := rrule.StrToROption(strings.Join(kept, ";"))
	if err != nil {
		return nil, errors.New("read RRULE: it is malformed")
	}
	r.ROption = *o
	if _, err := rrule.NewRRule(r.ROption); err != nil { // the library knows the bounds of each part
		return nil, errors.New("read RRULE: a part is out of range")
	}
	r.Interval = max(1, r.Interval)
	if r.Interval > 10_000 {
		return nil, errors.New("read RRULE: INTERVAL is out of range")
	}
	if max(1, len(r.Byhour))*max(1, len(r.Byminute))*max(1, len(r.Bysecond)) > maxTimes {
		return nil, errors.New("read RRULE: too many times of day")
	}
	return &r, nil
}

// walk is one rule on its way from a first day to a last one.
type walk struct {
	*rule
	start  time.Time // DTSTART's wall clock reading
	month  []int
	mday   []int
	days   []rrule.Weekday
	times  []time.Duration // of day
	budget *int            // days that may still be looked at, by all rules together
}

// each calls yield with the wall clock readings of the rule from the day of from on, until yield says no, the rule
// ends, or to is passed. ended tells instants past UNTIL. The error is errBudget where the rules are too much work.
func (r *rule) each(start, from, to time.Time, ended func(time.Time) bool, budget *int, yield func(time.Time) bool) error {
	w := walk{rule: r, start: start, month: r.Bymonth, mday: r.Bymonthday, days: r.Byweekday, budget: budget}
	w.fill()
	left, p := r.Count, 0
	if r.Count == 0 { // else each instance counts, from the first on
		p = w.first(from)
	}
	var readings []time.Time
	for ; ; p++ {
		begin, n := w.period(p)
		if begin.After(to) || begin.Year() > 9000 {
			return nil
		}
		if *budget -= n; *budget < 0 {
			return errBudget
		}
		readings = w.readings(readings[:0], begin, n)
		*budget -= len(readings) / 2
		for _, t := range readings {
			if t.Before(start) {
				continue
			}
			if t.After(to) || ended(t) {
				return nil
			}
			if !t.Before(from) && !yield(t) {
				return nil
			}
			if left--; left == 0 {
				return nil
			}
		}
	}
}

// errBudget is told where the recurrence rules of a file together are more work than we do.
var errBudget = errors.New("its repetitions are too much work")

// fill adds what DTSTART says where the rule is silent.
func (w *walk) fill() {
	if len(w.Byweekno)+len(w.Byyearday)+len(w.Bymonthday)+len(w.Byweekday) == 0 {
		switch w.Freq {
		case rrule.YEARLY:
			if len(w.month) == 0 {
				w.month = []int{int(w.start.Month())}
			}
			w.mday = []int{w.start.Day()}
		case rrule.MONTHLY:
			w.mday = []int{w.start.Day()}
		case rrule.WEEKLY:
			w.days = []rrule.Weekday{weekdays[mondayBased(w.start)]}
		}
	}
	or := func(list []int, one int) []int {
		if len(list) == 0 {
			return []int{one}
		}
		return list
	}
	for _, h := range or(w.Byhour, w.start.Hour()) {
		for _, m := range or(w.Byminute, w.start.Minute()) {
			for _, s := range or(w.Bysecond, w.start.Second()) {
				w.times = append(w.times, time.Duration(h)*time.Hour+time.Duration(m)*time.Minute+time.Duration(s)*time.Second)
			}
		}
	}
	slices.Sort(w.times)
	w.times = slices.Compact(w.times)
}

var weekdays = [7]rrule.Weekday{rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA, rrule.SU}

// mondayBased counts weekdays from Monday, as the library does.
func mondayBased(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

// first is the number of the last period that begins at or before from, DTSTART's own being 0.
func (w *walk) first(from time.Time) int {
	if !from.After(w.start) {
		return 0
	}
	var gone int
	switch w.Freq {
	case rrule.YEARLY:
		gone = from.Year() - w.start.Year()
	case rrule.MONTHLY:
		gone = (from.Year()-w.start.Year())*12 + int(from.Month()) - int(w.start.Month())
	case rrule.WEEKLY:
		gone = daysBetween(w.start, from) / 7
	default:
		gone = daysBetween(w.start, from)
	}
	return max(0, gone/w.Interval)
}

func daysBetween(a, b time.Time) int { return int((b.Unix() - a.Unix()) / 86400) }

// period gives the first day of a period and how many days it has.
func (w *walk) period(n int) (time.Time, int) {
	y, m, d := w.start.Date()
	switch n *= w.Interval; w.Freq {
	case rrule.YEARLY:
		first := day(y+n, 1, 1)
		return first, daysBetween(first, day(y+n+1, 1, 1))
	case rrule.MONTHLY:
		first := day(y, int(m)+n, 1)
		return first, daysBetween(first, first.AddDate(0, 1, 0))
	case rrule.WEEKLY:
		back := (mondayBased(w.start) - w.Wkst.Day() + 7) % 7
		return day(y, int(m), d-back+7*n), 7
	}
	return day(y, int(m), d+n), 1
}

func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

// readings appends the instances of one period in order.
func (w *walk) readings(list []time.Time, begin time.Time, n int) []time.Time {
	for i := range n {
		d := begin.AddDate(0, 0, i)
		if !w.has(d) {
			continue
		}
		for _, t := range w.times {
			list = append(list, d.Add(t))
		}
	}
	if len(w.Bysetpos) == 0 || len(list) == 0 {
		return list
	}
	var picked []time.Time
	for _, pos := range w.Bysetpos {
		if pos < 0 {
			pos += len(list) + 1
		}
		if pos >= 1 && pos <= len(list) {
			picked = append(picked, list[pos-1])
		}
	}
	slices.SortFunc(picked, time.Time.Compare)
	return slices.CompactFunc(picked, time.Time.Equal)
}

// has tells whether a day passes all BY parts.
func (w *walk) has(d time.Time) bool {
	if len(w.month) > 0 && !slices.Contains(w.month, int(d.Month())) {
		return false
	}
	if len(w.Byweekno) > 0 && w.Freq == rrule.YEARLY && !w.inWeeks(d) {
		return false
	}
	if len(w.mday) > 0 {
		last := day(d.Year(), int(d.Month())+1, 0).Day()
		if !slices.Contains(w.mday, d.Day()) && !slices.Contains(w.mday, d.Day()-last-1) {
			return false
		}
	}
	if len(w.Byyearday) > 0 {
		last := day(d.Year()+1, 1, 0).YearDay()
		if !slices.Contains(w.Byyearday, d.YearDay()) && !slices.Contains(w.Byyearday, d.YearDay()-last-1) {
			return false
		}
	}
	return len(w.days) == 0 || slices.ContainsFunc(w.days, func(wd rrule.Weekday) bool { return w.isDay(d, wd) })
}

// isDay tells whether d is a weekday of BYDAY: any Monday, or the first, or the last one but one of month or year.
func (w *walk) isDay(d time.Time, wd rrule.Weekday) bool {
	if mondayBased(d) != wd.Day() {
		return false
	}
	if wd.N() == 0 || w.Freq > rrule.MONTHLY {
		return true
	}
	at, last := d.Day(), day(d.Year(), int(d.Month())+1, 0).Day()
	if w.Freq == rrule.YEARLY && len(w.month) == 0 {
		at, last = d.YearDay(), day(d.Year()+1, 1, 0).YearDay()
	}
	return wd.N() == (at-1)/7+1 || wd.N() == -((last-at)/7+1)
}

// inWeeks tells whether d lies in a week of BYWEEKNO. Week 1 is the first that has four days in the year.
func (w *walk) inWeeks(d time.Time) bool {
	middle := d.AddDate(0, 0, 3-(mondayBased(d)-w.Wkst.Day()+7)%7)
	n := (middle.YearDay()-1)/7 + 1
	// 28 December always lies in the last week where weeks begin on Monday; count for any first day.
	lastDay := day(middle.Year(), 12, 31)
	lastMiddle := lastDay.AddDate(0, 0, 3-(mondayBased(lastDay)-w.Wkst.Day()+7)%7)
	if lastMiddle.Year() != middle.Year() {
		lastMiddle = lastMiddle.AddDate(0, 0, -7)
	}
	total := (lastMiddle.YearDay()-1)/7 + 1
	return slices.Contains(w.Byweekno, n) || slices.Contains(w.Byweekno, n-total-1)
}
