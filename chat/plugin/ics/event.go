package ics

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-ical"
)

// event is one VEVENT: a single event, a series, or one changed instance of a series.
type event struct {
	uid, title string
	start      stamp
	close      *stamp        // DTEND, until finish has measured it
	days       int           // the length has three parts: days by the calendar,
	onClock    time.Duration // what a clock on the wall goes on by,
	length     time.Duration // and what a stop watch counts
	rule       *rule
	also, not  []stamp // RDATE, EXDATE
	instance   *stamp  // RECURRENCE-ID
	cancelled  bool
	sequence   int
	written    time.Time // DTSTAMP; zero where it is missing or broken
	wholeDay   bool      // what Outlook adds to whole days that it writes with times
	alarms     []Alarm
	set        int // how many alarms of any kind the event has: with some, no default one is added
}

// Alarm is when the person wants to hear of an event.
type Alarm struct {
	Before  time.Duration // ahead of the start, or of the end
	FromEnd bool
	At      time.Time // an instant of its own; zero for a relative one
}

const (
	maxTitle = 1 << 10 // how much of a title is kept, in bytes
	maxDays  = 400     // the longest event in days
)

func readEvent(c *ical.Component) (event, error) {
	e := event{title: plainText(value(c, "SUMMARY"), maxTitle), uid: plainText(value(c, "UID"), 256)}
	starts, err := prop(c, "DTSTART")
	if err != nil {
		return e, err
	}
	if len(starts) == 0 {
		return e, errors.New("DTSTART is missing")
	}
	e.start = starts[0]
	if err := e.readLength(c); err != nil {
		return e, err
	}
	if v := value(c, "RRULE"); v != "" {
		if e.rule, err = parseRule(v); err != nil {
			return e, err
		}
	}
	if e.also, err = prop(c, "RDATE"); err != nil {
		return e, err
	}
	if e.not, err = prop(c, "EXDATE"); err != nil {
		return e, err
	}
	ids, err := prop(c, "RECURRENCE-ID")
	if err != nil {
		return e, err
	}
	if len(ids) > 0 {
		e.instance = &ids[0]
	}
	e.cancelled = strings.EqualFold(strings.TrimSpace(value(c, "STATUS")), "CANCELLED")
	e.sequence, _ = strconv.Atoi(strings.TrimSpace(value(c, "SEQUENCE"))) // absent or broken counts as 0
	if s, err := parseStamp(strings.TrimSpace(value(c, "DTSTAMP")), ""); err == nil {
		e.written = s.wall
	}
	for _, mark := range []string{"X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT"} {
		e.wholeDay = e.wholeDay || strings.EqualFold(strings.TrimSpace(value(c, mark)), "TRUE")
	}
	e.readAlarms(c)
	return e, nil
}

// readLength takes DTEND or DURATION. An end before the start is no length: some exporters write it.
func (e *event) readLength(c *ical.Component) error {
	ends, err := prop(c, "DTEND")
	if err != nil {
		return err
	}
	switch v := value(c, "DURATION"); {
	case len(ends) > 0 && e.start.date:
		e.days = int(ends[0].wall.Sub(e.start.wall) / (24 * time.Hour))
	case len(ends) > 0:
		e.close = &ends[0]
	case v != "":
		d, nominal, err := duration(v)
		if err != nil {
			return err
		}
		if d = max(0, d); nominal || e.start.date {
			e.days = int(d / (24 * time.Hour))
			d %= 24 * time.Hour
		}
		e.length = d
	}
	if e.start.date {
		e.days, e.length = min(max(1, e.days), maxDays), 0
	}
	return nil
}

// measure turns DTEND into a length, once the zones are known. Between two readings of one clock it is what that clock
// goes on by, so that a night shift ends at six on the night when the clocks change, too.
func (e *event) measure() {
	c := e.close
	if c == nil {
		return
	}
	e.close = nil
	if c.zone == e.start.zone {
		e.onClock = min(max(0, c.wall.Sub(e.start.wall)), longest)
		return
	}
	e.length = min(max(0, c.at(time.UTC).Sub(e.start.at(time.UTC))), longest)
}

// makeWhole makes whole days of an event from midnight to midnight: it is on its days wherever the person is.
func (e *event) makeWhole() {
	zone := e.start.zone
	lasts := time.Duration(e.days)*wholeDay + e.onClock + e.length
	e.days, e.onClock, e.length = int(min(max(1, (lasts+wholeDay-1)/wholeDay), maxDays)), 0, 0
	for _, list := range [][]stamp{e.also, e.not} {
		for i := range list {
			list[i] = dayOf(list[i].in(zone))
		}
	}
	if e.rule != nil && e.rule.until != nil {
		until := dayOf(e.rule.until.in(zone))
		e.rule.until = &until
	}
	e.start = dayOf(e.start.wall)
}

// readAlarms keeps those that show or sound; mails are not ours to send. An alarm that cannot be read is left out.
func (e *event) readAlarms(c *ical.Component) {
	for _, child := range c.Children {
		action := strings.ToUpper(strings.TrimSpace(value(child, "ACTION")))
		if child.Name != ical.CompAlarm || action == "EMAIL" {
			continue
		}
		if e.set++; action == "NONE" || len(e.alarms) >= maxAlarms {
			continue
		}
		p := child.Props.Get("TRIGGER")
		if p == nil {
			continue
		}
		if strings.EqualFold(p.Params.Get("VALUE"), "DATE-TIME") {
			if s, err := parseStamp(strings.TrimSpace(p.Value), ""); err == nil && s.utc {
				e.alarms = append(e.alarms, Alarm{At: s.wall})
			}
			continue
		}
		if d, _, err := duration(p.Value); err == nil {
			e.alarms = append(e.alarms, Alarm{Before: -d, FromEnd: strings.EqualFold(p.Params.Get("RELATED"), "END")})
		}
	}
}

// end is when an instance is over whose start the clock shows as wall. Days are counted by the calendar, so that a whole
// day has its 23 or 25 hours where the clocks change.
func (e *event) end(wall time.Time, local *time.Location) time.Time {
	return onWall(wall.AddDate(0, 0, e.days).Add(e.onClock), e.start.zone, local).Add(e.length)
}

// span is more than any instance lasts.
func (e *event) span() time.Duration {
	return time.Duration(e.days)*25*time.Hour + e.onClock + e.length
}

// prop reads all stamps of all properties of a name.
func prop(c *ical.Component, name string) ([]stamp, error) {
	var all []stamp
	for _, p := range c.Props[name] {
		list, err := stamps(&p)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		all = append(all, list...)
	}
	return all, nil
}

func value(c *ical.Component, name string) string {
	if p := c.Props.Get(name); p != nil {
		return p.Value
	}
	return ""
}

// plainText undoes the escapes of a TEXT value, a broken one as it stands, and keeps at most n bytes.
func plainText(v string, n int) string {
	var b strings.Builder
	for i := 0; i < len(v) && b.Len() < n; i++ {
		if v[i] != '\\' || i+1 == len(v) {
			b.WriteByte(v[i])
			continue
		}
		switch i++; v[i] {
		case 'n', 'N':
			b.WriteByte('\n')
		default:
			b.WriteByte(v[i])
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
