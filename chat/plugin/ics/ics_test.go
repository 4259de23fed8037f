package ics

import (
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the tests need zones on any machine
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func parse(t testing.TB, text string) *Calendar {
	t.Helper()
	c, err := Read(strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wrap makes a calendar of VEVENT bodies.
func wrap(events ...string) string {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n")
	for _, e := range events {
		fmt.Fprintf(&b, "BEGIN:VEVENT\n%s\nEND:VEVENT\n", e)
	}
	return b.String() + "END:VCALENDAR\n"
}

// told writes a list as lines: start, end, title.
func told(list []Occurrence) string {
	var b strings.Builder
	for _, o := range list {
		all := ""
		if o.AllDay {
			all = " all day"
		}
		fmt.Fprintf(&b, "%s > %s%s %s\n", o.Start.Format("2006-01-02 15:04 -0700"), o.End.Format("01-02 15:04"), all, o.Title)
	}
	return b.String()
}

func between(t testing.TB, c *Calendar, from, to string, local *time.Location) string {
	t.Helper()
	a, err1 := time.ParseInLocation("2006-01-02", from, local)
	b, err2 := time.ParseInLocation("2006-01-02", to, local)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	list, errs := c.Between(a, b, local)
	for _, err := range errs {
		t.Error(err)
	}
	return told(list)
}

func same(t *testing.T, got, want string) {
	t.Helper()
	want = strings.TrimLeft(want, "\n")
	if got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestSeriesWithExceptions(t *testing.T) {
	c := parse(t, wrap(`UID:a
SUMMARY:Stand-up
DTSTART;TZID=Europe/Berlin:20260323T090000
DTEND;TZID=Europe/Berlin:20260323T091500
RRULE:FREQ=DAILY;COUNT=10
EXDATE;TZID=Europe/Berlin:20260325T090000,20260326T090000
RDATE;TZID=Europe/Berlin:20260324T170000`, `UID:a
RECURRENCE-ID;TZID=Europe/Berlin:20260327T090000
SUMMARY:Stand-up (moved)
DTSTART;TZID=Europe/Berlin:20260327T110000
DTEND;TZID=Europe/Berlin:20260327T113000`, `UID:a
RECURRENCE-ID:20260328T080000Z
STATUS:CANCELLED
SUMMARY:Stand-up
DTSTART;TZID=Europe/Berlin:20260328T090000`))
	same(t, between(t, c, "2026-03-01", "2026-04-30", zone(t, "Europe/Berlin")), `
2026-03-23 09:00 +0100 > 03-23 09:15 Stand-up
2026-03-24 09:00 +0100 > 03-24 09:15 Stand-up
2026-03-24 17:00 +0100 > 03-24 17:15 Stand-up
2026-03-27 11:00 +0100 > 03-27 11:30 Stand-up (moved)
2026-03-29 09:00 +0200 > 03-29 09:15 Stand-up
2026-03-30 09:00 +0200 > 03-30 09:15 Stand-up
2026-03-31 09:00 +0200 > 03-31 09:15 Stand-up
2026-04-01 09:00 +0200 > 04-01 09:15 Stand-up
`)
}
