package ics

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-ical"
)

// stamp is a DATE or DATE-TIME: a reading of the wall clock and the zone that it hangs in.
type stamp struct {
	wall time.Time // the reading, held in UTC
	date bool      // a whole day
	utc  bool
	tzid string         // as written; "" floats
	zone *time.Location // set by finish; nil floats: it is that time wherever the person is
}

// at is the instant, for a person whose zone is local.
func (s stamp) at(local *time.Location) time.Time {
	return onWall(s.wall, s.zone, local)
}

// in is the reading that a clock in zone shows then; nil is any zone, and so is that of a stamp that floats.
func (s stamp) in(zone *time.Location) time.Time {
	if s.date || s.zone == nil && !s.utc || zone == nil {
		return s.wall
	}
	t := s.at(time.UTC).In(zone)
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).UTC()
}

const wholeDay = 24 * time.Hour

func midnight(wall time.Time) bool { return wall.Equal(wall.Truncate(wholeDay)) }

// dayOf is the whole day of a reading.
func dayOf(wall time.Time) stamp { return stamp{wall: wall.Truncate(wholeDay), date: true} }

// onWall is the instant at which a clock in zone (local where nil) shows wall. As RFC 5545 3.3.5 wants it, a time that
// the clock shows twice is the first one, and a time that it skips is counted with the offset before the gap.
func onWall(wall time.Time, zone, local *time.Location) time.Time {
	if zone == nil {
		zone = local
	}
	y, mo, d := wall.Date()
	h, mi, s := wall.Clock()
	t := time.Date(y, mo, d, h, mi, s, 0, zone)
	_, before := t.Add(-24 * time.Hour).Zone()
	early := wall.Add(-time.Duration(before) * time.Second).In(zone)
	if !sameWall(t, wall) || sameWall(early, wall) && early.Before(t) {
		return early
	}
	return t
}

func sameWall(t, wall time.Time) bool {
	return t.Hour() == wall.Hour() && t.Minute() == wall.Minute() && t.Day() == wall.Day()
}

// stamps reads the values of a property; RDATE's periods count by their start.
func stamps(p *ical.Prop) ([]stamp, error) {
	values := strings.Split(p.Value, ",")
	list := make([]stamp, 0, len(values))
	for _, v := range values {
		v, _, _ = strings.Cut(strings.TrimSpace(v), "/")
		if v == "" {
			continue
		}
		s, err := parseStamp(v, p.Params.Get("TZID"))
		if err != nil {
			return list, err
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no value", p.Name)
	}
	return list, nil
}

// parseStamp reads 20260302, 20260302T210500 or 20260302T210500Z.
func parseStamp(v, tzid string) (stamp, error) {
	s := stamp{tzid: tzid}
	var err error
	switch v = strings.ToUpper(v); {
	case len(v) == 8:
		s.date = true
		s.wall, err = time.Parse("20060102", v)
	case strings.HasSuffix(v, "Z"):
		s.utc = true
		s.wall, err = time.Parse("20060102T150405Z", leap(v))
	default:
		s.wall, err = time.Parse("20060102T150405", leap(v))
	}
	if err != nil {
		return stamp{}, errors.New("a date or time is malformed")
	}
	if y := s.wall.Year(); y < 1 || y > 9000 {
		return stamp{}, errors.New("a year is out of range")
	}
	return s, nil
}

// leap counts the 60th second, which Go has not, as the 59th.
func leap(v string) string {
	if len(v) >= 15 && v[13:15] == "60" {
		return v[:13] + "59" + v[15:]
	}
	return v
}

// longest bounds a duration: what lasts longer or warns earlier is a mistake.
const longest = 400 * 24 * time.Hour

// duration reads a DURATION: PT15M, -P1DT2H, P2W. Days and weeks are counted as 24 hours; nominal reports whether there
// are only those, which a change of the clocks does not alter.
func duration(v string) (d time.Duration, nominal bool, err error) {
	p := ical.Prop{Name: "DURATION", Params: ical.Params{}, Value: strings.TrimSpace(v)}
	if len(v) > 24 {
		return 0, false, errors.New("a duration is malformed")
	}
	d, err = p.Duration()
	if err != nil || d > longest || d < -longest {
		return 0, false, errors.New("a duration is malformed")
	}
	return d, !strings.Contains(strings.ToUpper(v), "T"), nil
}
