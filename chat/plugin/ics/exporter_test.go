package ics

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// load reads a file as exporters write it: with CRLF.
func load(t testing.TB, name string) *Calendar {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	c := parse(t, string(b))
	for _, err := range c.Troubles() {
		t.Error(err)
	}
	return c
}

func TestGoogle(t *testing.T) {
	c := load(t, "google.ics")
	same(t, between(t, c, "2026-03-01", "2026-04-30", zone(t, "Asia/Tokyo")), `
2026-03-02 19:00 +0900 > 03-02 20:30 合唱の練習
2026-03-09 20:00 +0900 > 03-09 21:30 合唱の練習(時間変更)
2026-03-10 09:30 +0900 > 03-10 10:30 とても長い題名の打ち合わせで、七十五バイトの折り返しが文字の途中に入るもの
2026-03-11 00:00 +0900 > 03-13 00:00 all day 京都旅行
2026-03-12 19:00 +0900 > 03-12 20:30 合唱の練習
2026-03-16 19:00 +0900 > 03-16 20:30 合唱の練習
2026-03-19 19:00 +0900 > 03-19 20:30 合唱の練習
2026-03-23 19:00 +0900 > 03-23 20:30 合唱の練習
2026-03-26 19:00 +0900 > 03-26 20:30 合唱の練習
2026-03-30 19:00 +0900 > 03-30 20:30 合唱の練習
`)
	// A traveller sees the whole days as days, and the rest by the clock where she is.
	list, _ := c.Between(time.Date(2026, 3, 11, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 12, 20, 0, 0, 0, time.UTC), time.UTC)
	same(t, told(list), `
2026-03-11 00:00 +0000 > 03-13 00:00 all day 京都旅行
2026-03-12 10:00 +0000 > 03-12 11:30 合唱の練習
`)
}

// Windows zone names, a zone of the file's own, and the change to summer time on 29 March.
func TestOutlook(t *testing.T) {
	c := load(t, "outlook.ics")
	same(t, between(t, c, "2026-03-01", "2026-04-30", zone(t, "Europe/Berlin")), `
2026-03-26 14:00 +0100 > 03-26 15:00 Lagebesprechung; Raum 4
2026-03-30 14:00 +0200 > 03-30 15:00 Lagebesprechung; Raum 4
2026-03-30 14:30 +0200 > 03-30 15:00 Anruf St. John's
2026-04-01 14:00 +0200 > 04-01 15:00 Lagebesprechung; Raum 4
2026-04-02 14:00 +0200 > 04-02 15:00 Lagebesprechung; Raum 4
`)
	list, _ := c.Between(time.Date(2026, 3, 26, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 27, 0, 0, 0, 0, time.UTC), time.UTC)
	if got := fmt.Sprint(list[0].Alarms); got != fmt.Sprint([]Alarm{{Before: 15 * time.Minute}}) {
		t.Error(got)
	}
}

func TestApple(t *testing.T) {
	c := load(t, "apple.ics")
	seoul := zone(t, "Asia/Seoul")
	same(t, between(t, c, "2026-03-01", "2026-07-30", seoul), `
2026-03-04 10:00 +0900 > 03-04 11:00 치과
2026-03-04 18:00 +0900 > 03-04 19:30 저녁 식사
2026-06-29 00:00 +0900 > 06-30 00:00 all day 할머니 생신
`)
	list, _ := c.Between(time.Date(2026, 3, 1, 0, 0, 0, 0, seoul), time.Date(2026, 7, 1, 0, 0, 0, 0, seoul), seoul)
	want := []Alarm{{Before: 30 * time.Minute}, {At: time.Date(2026, 3, 3, 23, 0, 0, 0, time.UTC)}}
	if got := list[0]; fmt.Sprint(got.Alarms) != fmt.Sprint(want) || !got.HasAlarms {
		t.Error(got.Alarms)
	}
	if list[1].HasAlarms {
		t.Error("an event without an alarm has one")
	}
	if got := list[2]; len(got.Alarms) != 0 || !got.HasAlarms { // ACTION:NONE: she wants none
		t.Error(got)
	}
}

// A zone built from VTIMEZONE is the zone that it describes, in every hour of some years.
func TestZoneOfTheFile(t *testing.T) {
	c := parse(t, strings.Replace(wrap("UID:x\nSUMMARY:x\nDTSTART;TZID=Home:20260302T100000"), "BEGIN:VEVENT", `BEGIN:VTIMEZONE
TZID:Home
BEGIN:STANDARD
DTSTART:16011028T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010325T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT`, 1))
	home, berlin := c.events[0].start.zone, zone(t, "Europe/Berlin")
	if home == nil {
		t.Fatal("the zone is unknown")
	}
	for at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2036; at = at.Add(time.Hour) {
		_, a := at.In(home).Zone()
		_, b := at.In(berlin).Zone()
		if a != b {
			t.Fatalf("%v: %d, not %d", at, a, b)
		}
	}
}

func TestZoneNames(t *testing.T) {
	for id, want := range map[string]string{
		"Europe/Berlin": "Europe/Berlin", "W. Europe Standard Time": "Europe/Berlin", "Korea Standard Time": "Asia/Seoul",
		"/mozilla.org/20050126_1/Asia/Tokyo": "Asia/Tokyo", "/freeassociation.sourceforge.net/America/Argentina/Cordoba": "America/Argentina/Cordoba",
		"UTC": "UTC", "GMT": "UTC", "Local": "", "": "", "Nowhere/Atall": "", "../../etc/passwd": "", "/": "", "//": "", "/a/b/c/d": "",
	} {
		got := ""
		if loc := named(id); loc != nil {
			got = loc.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
	if n := len(windowsZones()); n < 250 {
		t.Errorf("the table has %d names", n)
	}
	for id, iana := range windowsZones() {
		if _, err := time.LoadLocation(iana); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// Readings that the clock skips or shows twice (RFC 5545 3.3.5), night shifts, and days of 23 and 25 hours.
func TestDaylightSaving(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	c := parse(t, wrap(
		"UID:gap\nSUMMARY:gap\nDTSTART;TZID=Europe/Berlin:20260328T023000\nDURATION:PT30M\nRRULE:FREQ=DAILY;COUNT=3",
		"UID:twice\nSUMMARY:twice\nDTSTART;TZID=Europe/Berlin:20261025T023000\nDURATION:PT30M",
		"UID:night\nSUMMARY:night shift\nDTSTART;TZID=Europe/Berlin:20260328T220000\nDTEND;TZID=Europe/Berlin:20260329T060000",
		"UID:day\nSUMMARY:day\nDTSTART;VALUE=DATE:20260329\nDTEND;VALUE=DATE:20260330",
		"UID:flight\nSUMMARY:flight\nDTSTART;TZID=Europe/Berlin:20260301T100000\nDTEND;TZID=Asia/Tokyo:20260302T060000",
		"UID:before\nSUMMARY:ends before it starts\nDTSTART:20260302T100000Z\nDTEND:20260302T090000Z",
	))
	same(t, between(t, c, "2026-03-01", "2026-11-01", berlin), `
2026-03-01 10:00 +0100 > 03-01 22:00 flight
2026-03-02 11:00 +0100 > 03-02 11:00 ends before it starts
2026-03-28 02:30 +0100 > 03-28 03:00 gap
2026-03-28 22:00 +0100 > 03-29 06:00 night shift
2026-03-29 00:00 +0100 > 03-30 00:00 all day day
2026-03-29 03:30 +0200 > 03-29 04:00 gap
2026-03-30 02:30 +0200 > 03-30 03:00 gap
2026-10-25 02:30 +0200 > 10-25 02:00 twice
`)
}

func TestVersionsAndOrphans(t *testing.T) {
	c := parse(t, wrap(
		"UID:a\nSEQUENCE:2\nSUMMARY:new\nDTSTART:20260302T110000Z", "UID:a\nSEQUENCE:1\nSUMMARY:old\nDTSTART:20260302T100000Z",
		"UID:b\nRECURRENCE-ID:20260303T100000Z\nSUMMARY:invited to one of a series\nDTSTART:20260303T120000Z",
		"UID:c\nSUMMARY:off\nSTATUS:CANCELLED\nDTSTART:20260303T100000Z",
		"SUMMARY:without a UID\nDTSTART:20260304T100000Z", "SUMMARY:another\nDTSTART:20260304T100000Z",
		"SUMMARY:whose\nRECURRENCE-ID:20260304T100000Z\nDTSTART:20260305T100000Z",
	))
	same(t, between(t, c, "2026-03-01", "2026-04-01", time.UTC), `
2026-03-02 11:00 +0000 > 03-02 11:00 new
2026-03-03 12:00 +0000 > 03-03 12:00 invited to one of a series
2026-03-04 10:00 +0000 > 03-04 10:00 another
2026-03-04 10:00 +0000 > 03-04 10:00 without a UID
2026-03-05 10:00 +0000 > 03-05 10:00 whose
`)
}

func TestUntilAndDates(t *testing.T) {
	c := parse(t, wrap(
		"UID:a\nSUMMARY:until a day\nDTSTART;TZID=Asia/Tokyo:20260301T080000\nRRULE:FREQ=DAILY;UNTIL=20260303",
		"UID:b\nSUMMARY:until an instant\nDTSTART;TZID=Asia/Tokyo:20260301T090000\nRRULE:FREQ=DAILY;UNTIL=20260302T000000Z",
		"UID:c\nSUMMARY:days\nDTSTART;VALUE=DATE:20260301\nRRULE:FREQ=DAILY;UNTIL=20260302T230000Z\nEXDATE;VALUE=DATE:20260301",
		"UID:d\nSUMMARY:not on a date\nDTSTART;TZID=Asia/Tokyo:20260301T100000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE;VALUE=DATE:20260302",
		"UID:e\nSUMMARY:in UTC\nDTSTART;TZID=Asia/Tokyo:20260301T110000\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260302T020000Z\nRDATE:20260305T020000Z",
		"UID:f\nSUMMARY:period\nDTSTART:20260301T030000Z\nRDATE;VALUE=PERIOD:20260304T030000Z/PT1H,20260305T030000Z/20260305T040000Z",
		"UID:g\nSUMMARY:hourly\nDTSTART:20260301T040000Z",
	))
	same(t, between(t, c, "2026-03-01", "2026-04-01", zone(t, "Asia/Tokyo")), `
2026-03-01 08:00 +0900 > 03-01 08:00 until a day
2026-03-01 09:00 +0900 > 03-01 09:00 until an instant
2026-03-01 10:00 +0900 > 03-01 10:00 not on a date
2026-03-01 11:00 +0900 > 03-01 11:00 in UTC
2026-03-01 12:00 +0900 > 03-01 12:00 period
2026-03-01 13:00 +0900 > 03-01 13:00 hourly
2026-03-02 00:00 +0900 > 03-03 00:00 all day days
2026-03-02 08:00 +0900 > 03-02 08:00 until a day
2026-03-02 09:00 +0900 > 03-02 09:00 until an instant
2026-03-03 08:00 +0900 > 03-03 08:00 until a day
2026-03-03 10:00 +0900 > 03-03 10:00 not on a date
2026-03-03 11:00 +0900 > 03-03 11:00 in UTC
2026-03-04 12:00 +0900 > 03-04 12:00 period
2026-03-05 11:00 +0900 > 03-05 11:00 in UTC
2026-03-05 12:00 +0900 > 03-05 12:00 period
`)
}
