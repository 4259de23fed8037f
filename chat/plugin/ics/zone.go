package ics

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-ical"
)

// zones finds a time.Location for each TZID of a file.
type zones struct {
	defined map[string]definition
	known   map[string]*time.Location
}

// definition is what a VTIMEZONE says.
type definition struct {
	location string // X-LIC-LOCATION, an IANA name
	comp     *ical.Component
}

func (z *zones) define(c *ical.Component) {
	if id := strings.TrimSpace(value(c, "TZID")); id != "" {
		z.defined[id] = definition{strings.TrimSpace(value(c, "X-LIC-LOCATION")), c}
	}
}

// find gives the zone of a TZID. A name of the IANA data base or of Windows wins over the file's own definition, which
// may be old or cut short; nil where nobody knows it: then the time floats.
func (z *zones) find(tzid string) *time.Location {
	tzid = strings.TrimSpace(tzid)
	if loc, ok := z.known[tzid]; ok {
		return loc
	}
	loc := named(tzid)
	if d, ok := z.defined[tzid]; loc == nil && ok {
		if loc = named(d.location); loc == nil {
			loc = build(tzid, d.comp)
		}
	}
	if z.known == nil {
		z.known = map[string]*time.Location{}
	}
	if _, own := z.defined[tzid]; own || len(z.known) < 10*maxZones { // to build one is work: once each
		z.known[tzid] = loc
	}
	return loc
}

// named knows zones by name: "Europe/Berlin", "/mozilla.org/20050126_1/Europe/Berlin", "W. Europe Standard Time" and what
// else fromWindows reads.
func named(tzid string) *time.Location {
	tzid = strings.Trim(tzid, `"`)
	if len(tzid) > 128 {
		return nil
	}
	if tzid = fromWindows(tzid); tzid == "" || tzid == "Local" {
		return nil
	}
	if strings.EqualFold(tzid, "GMT") || strings.EqualFold(tzid, "Etc/UTC") {
		return time.UTC
	}
	if strings.HasPrefix(tzid, "/") {
		parts := strings.Split(tzid, "/")
		for n := 3; n >= 2; n-- {
			if len(parts) > n {
				if loc := named(strings.Join(parts[len(parts)-n:], "/")); loc != nil {
					return loc
				}
			}
		}
		return nil
	}
	loc, err := time.LoadLocation(tzid)
	if err != nil {
		return nil
	}
	return loc
}

// finish gives every stamp its zone and drops what a later version of the same event replaces.
func (c *Calendar) finish(z *zones) {
	unknown := map[string]bool{}
	set := func(s *stamp) {
		switch {
		case s.utc:
			s.zone = time.UTC
		case s.date || s.tzid == "":
		default:
			if s.zone = z.find(s.tzid); s.zone == nil && !unknown[s.tzid] && len(unknown) < maxTroubles {
				unknown[s.tzid] = true
				c.trouble(fmt.Errorf("read calendar: the time zone %.40q is unknown; its times are read as local ones", s.tzid))
			}
		}
	}
	whole := map[string]bool{} // series that a mark makes whole days
	for i := range c.events {
		e := &c.events[i]
		set(&e.start)
		for _, list := range [][]stamp{e.also, e.not} {
			for j := range list {
				set(&list[j])
			}
		}
		for _, s := range []*stamp{e.instance, e.close} {
			if s != nil {
				set(s)
			}
		}
		e.measure()
		if e.wholeDay && midnight(e.start.wall) {
			e.makeWhole()
			whole[e.uid] = true
		}
	}
	for i := range c.events {
		if e := &c.events[i]; e.instance != nil && whole[e.uid] { // a changed one may have times of its own
			*e.instance = dayOf(e.instance.in(e.start.zone))
		}
	}
	c.newest()
}

// newest keeps of each event and instance those of the highest SEQUENCE and the latest DTSTAMP. Where these are equal and
// all are single events they are a series that was written out, one event for each start; else the last one counts.
// Events without a UID are all kept.
func (c *Calendar) newest() {
	type key struct {
		uid  string
		at   int64 // of the instance
		date bool
	}
	keyOf := func(e *event) key {
		k := key{uid: e.uid}
		if e.instance != nil {
			k.at, k.date = e.instance.at(time.UTC).Unix()|1<<62, e.instance.date
		}
		return k
	}
	type group struct {
		newest *event
		series bool
		starts map[int64]int // where each stands in the file
	}
	groups := map[key]*group{}
	for i := range c.events {
		e := &c.events[i]
		if e.uid == "" {
			continue
		}
		g := groups[keyOf(e)]
		if g == nil || g.newest.version(e) < 0 {
			g = &group{newest: e, starts: map[int64]int{}}
			groups[keyOf(e)] = g
		}
		if g.newest.version(e) > 0 {
			continue
		}
		if g.series = g.series || e.rule != nil || len(e.also) > 0 || e.instance != nil; g.series {
			clear(g.starts)
		}
		g.starts[e.start.at(time.UTC).Unix()] = i
	}
	kept := make([]event, 0, len(c.events))
	for i := range c.events {
		e := &c.events[i]
		if e.uid != "" {
			if at, ok := groups[keyOf(e)].starts[e.start.at(time.UTC).Unix()]; !ok || at != i {
				continue
			}
		}
		kept = append(kept, *e)
	}
	c.events = kept
}

// version compares two writings of an event: above 0 where e is the newer one.
func (e *event) version(other *event) int {
	return cmp.Or(cmp.Compare(e.sequence, other.sequence), e.written.Compare(other.written))
}

// transition is when a zone's clocks change, and to what.
type transition struct {
	at     int64
	offset int
	summer bool
}

// zoneBegin and zoneEnd are how far a zone is built. Exporters write rules from 1601 on; the 32-bit times of the format
// end a little after zoneEnd.
var (
	zoneBegin = time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC)
	zoneEnd   = time.Date(2037, 12, 31, 0, 0, 0, 0, time.UTC)
)

// maxZoneWork bounds the days that the rules of one zone may look at, maxTransitions what they may find: real zones
// change twice a year.
const maxZoneWork, maxTransitions = 200_000, 600

// build makes a Location of a VTIMEZONE: its observances are written out in the format of the time zone data base, which
// package time reads. nil where the definition says nothing.
func build(name string, c *ical.Component) *time.Location {
	var list []transition
	budget := maxZoneWork
	var before []transition // what holds before the first change: its offset from
	for _, o := range c.Children[:min(len(c.Children), 200)] {
		to, ok1 := offset(value(o, "TZOFFSETTO"))
		from, ok2 := offset(value(o, "TZOFFSETFROM"))
		start, err := prop(o, "DTSTART")
		if !ok1 || !ok2 || err != nil || len(start) == 0 {
			continue
		}
		add := func(wall time.Time) bool {
			t := transition{wall.Unix() - int64(from), to, o.Name == "DAYLIGHT"}
			if int64(int32(t.at)) == t.at {
				list = append(list, t)
			}
			return len(list) < maxTransitions
		}
		before = append(before, transition{start[0].wall.Unix(), from, o.Name != "DAYLIGHT"})
		add(start[0].wall)
		dates, _ := prop(o, "RDATE") // a broken one leaves the rest standing
		for _, d := range dates {
			add(d.wall)
		}
		if r, err := parseRule(value(o, "RRULE")); err == nil {
			ended := func(time.Time) bool { return false }
			if u := r.until; u != nil {
				ended = func(wall time.Time) bool {
					if u.utc {
						wall = wall.Add(-time.Duration(from) * time.Second)
					}
					return wall.After(u.wall)
				}
			}
			_ = r.each(start[0].wall, zoneBegin, zoneEnd, ended, &budget, add) // too much work: what came so far holds
		}
	}
	if len(before) == 0 {
		return nil
	}
	slices.SortFunc(before, func(a, b transition) int { return cmp.Compare(a.at, b.at) })
	slices.SortStableFunc(list, func(a, b transition) int { return cmp.Compare(a.at, b.at) })
	list = slices.CompactFunc(list, func(a, b transition) bool { return a.at == b.at })
	loc, err := time.LoadLocationFromTZData(fmt.Sprintf("%.64s", name), tzif(before[0].offset, list))
	if err != nil {
		return nil
	}
	return loc
}

// offset reads +0100, -033000.
func offset(v string) (seconds int, ok bool) {
	v = strings.TrimSpace(v)
	if len(v) != 5 && len(v) != 7 || v[0] != '+' && v[0] != '-' {
		return 0, false
	}
	n := [3]int{}
	for i := 1; i < len(v); i++ {
		if v[i] < '0' || v[i] > '9' {
			return 0, false
		}
		n[(i-1)/2] = n[(i-1)/2]*10 + int(v[i]-'0')
	}
	seconds = n[0]*3600 + n[1]*60 + n[2]
	if seconds > 26*3600 {
		return 0, false
	}
	if v[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// tzif writes version 1 of the time zone format (RFC 8536): transitions, and types of an offset each.
func tzif(first int, list []transition) []byte {
	type kind struct {
		offset int
		summer bool
	}
	kinds := []kind{{first, false}}
	index := make([]byte, len(list))
	for i, t := range list {
		k := kind{t.offset, t.summer}
		n := slices.Index(kinds, k)
		if n < 0 {
			if len(kinds) == 250 {
				list, index = list[:i], index[:i]
				break
			}
			kinds, n = append(kinds, k), len(kinds)
		}
		index[i] = byte(n)
	}
	var b bytes.Buffer
	b.WriteString("TZif")
	b.Write(make([]byte, 16))
	word := func(n int) { _ = binary.Write(&b, binary.BigEndian, int32(n)) } // into memory: cannot fail
	for _, n := range []int{0, 0, 0, len(list), len(kinds), 4} {
		word(n)
	}
	for _, t := range list {
		word(int(t.at))
	}
	b.Write(index)
	for _, k := range kinds {
		word(k.offset)
		b.WriteByte(map[bool]byte{true: 1}[k.summer])
		b.WriteByte(0)
	}
	b.WriteString("LT \x00")
	return b.Bytes()
}
