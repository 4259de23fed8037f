package ics

import (
	"strings"
	"testing"
)

func TestWindowsZoneNames(t *testing.T) {
	for id, want := range map[string]string{
		"Central Brazilian Standard Time": "America/Cuiaba", "N. Central Asia Standard Time": "Asia/Novosibirsk", "Ulaanbaatar Standard Time": "Asia/Ulaanbaatar",
		"Syria Standard Time": "Asia/Damascus", "Bahia Standard Time": "America/Bahia", "Russia Time Zone 11": "Asia/Kamchatka", "UTC-11": "Etc/GMT+11", "UTC+13": "Etc/GMT-13",
		"Eastern Standard Time 1": "America/New_York", "Tokyo Standard Time 12": "Asia/Tokyo", "Mexico Standard Time 2": "America/Mazatlan",
		"Pacific Standard Time (Mexico) 3": "America/Tijuana", "eastern standard time": "America/New_York",
		"tzone://Microsoft/Utc": "UTC", "tzone://microsoft/UTC": "UTC", "tzone://Microsoft/Tokyo Standard Time": "Asia/Tokyo", "tzone://Microsoft/Tokyo%20Standard%20Time": "Asia/Tokyo",
		"tzone://Microsoft/Europe/Berlin":        "Europe/Berlin",
		"(UTC-05:00) Eastern Time (US & Canada)": "America/New_York", "(GMT-05:00) Eastern Time (US & Canada)": "America/New_York",
		"Eastern Time (US & Canada)": "America/New_York", "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna": "Europe/Berlin",
		`(UTC+01:00) Amsterdam\, Berlin\, Bern\, Rome\, Stockholm\, Vienna`: "Europe/Berlin", "(UTC) Coordinated Universal Time": "UTC",
		"(UTC+08:00) Beijing, Chongqing, Hong Kong, Urumqi": "Asia/Shanghai",
		"tzone://Microsoft/Custom":                          "", "tzone://Microsoft/": "", "tzone://Microsoft/../../etc/passwd": "", "tzone://Microsoft/Local": "", "Russia Time Zone 9": "", "1": "", " 1": "",
		"(UTC-05:00)": "", "(UTC-05:00) Atlantis": "", "(UTC": "",
	} {
		got := ""
		if loc := named(id); loc != nil {
			got = loc.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}

func TestExchangeZones(t *testing.T) {
	c := parse(t, wrap("UID:a\nSUMMARY:utc\nDTSTART;TZID=\"tzone://Microsoft/Utc\":20261130T203000\nDTEND;TZID=\"tzone://Microsoft/Utc\":20261130T210000",
		"UID:b\nSUMMARY:list\nDTSTART;TZID=\"(UTC-05:00) Eastern Time (US & Canada)\":20261130T203000\nDTEND;TZID=\"(UTC-05:00) Eastern Time (US & Canada)\":20261130T210000"))
	same(t, between(t, c, "2026-11-30", "2026-12-02", zone(t, "Asia/Tokyo")), `
2026-12-01 05:30 +0900 > 12-01 06:00 utc
2026-12-01 10:30 +0900 > 12-01 11:00 list
`)
	if got := c.Troubles(); len(got) != 0 {
		t.Error(got)
	}
	c = parse(t, wrap("UID:a\nSUMMARY:own\nDTSTART;TZID=\"tzone://Microsoft/Custom\":20261130T203000"))
	same(t, between(t, c, "2026-11-30", "2026-12-02", zone(t, "Asia/Tokyo")), "2026-11-30 20:30 +0900 > 11-30 20:30 own\n")
	if got := c.Troubles(); len(got) != 1 || !strings.Contains(got[0].Error(), "Custom") {
		t.Error(got)
	}
}

// A series that its publisher wrote out has one UID for all of its events.
func TestOneUIDForMany(t *testing.T) {
	event := func(title, more string) string { return "UID:class\nSUMMARY:" + title + "\n" + more }
	for _, c := range []struct {
		name, want string
		events     []string
	}{
		{"written out", "2026-12-01 Yoga, 2026-12-03 Yoga, 2026-12-05 Yoga", []string{event("Yoga", "DTSTAMP:20261101T000000Z\nDTSTART:20261201T090000Z"),
			event("Yoga", "DTSTAMP:20261101T000000Z\nDTSTART:20261203T090000Z"), event("Yoga", "DTSTAMP:20261101T000000Z\nDTSTART:20261205T090000Z")}},
		{"whole days, without a DTSTAMP", "2026-12-01 a, 2026-12-02 b", []string{event("a", "DTSTART;VALUE=DATE:20261201"), event("b", "DTSTART;VALUE=DATE:20261202")}},
		{"one of them twice", "2026-12-01 new, 2026-12-03 Yoga", []string{event("old", "DTSTART:20261201T090000Z"), event("Yoga", "DTSTART:20261203T090000Z"),
			event("new", "DTSTART;TZID=Europe/Berlin:20261201T100000")}},
		{"moved: a higher SEQUENCE", "2026-12-03 Yoga", []string{event("Yoga", "SEQUENCE:1\nDTSTART:20261203T090000Z"), event("Yoga", "SEQUENCE:0\nDTSTART:20261201T090000Z")}},
		{"moved: a later DTSTAMP", "2026-12-03 Yoga", []string{event("Yoga", "DTSTAMP:20261102T000000Z\nDTSTART:20261203T090000Z"),
			event("Yoga", "DTSTAMP:20261101T000000Z\nDTSTART:20261201T090000Z")}},
		{"called off", "", []string{event("Yoga", "SEQUENCE:0\nDTSTART:20261201T090000Z"), event("Yoga", "SEQUENCE:0\nDTSTART:20261203T090000Z"),
			event("Yoga", "SEQUENCE:1\nSTATUS:CANCELLED\nDTSTART:20261201T090000Z")}},
		{"a series that was changed", "2026-12-02 new, 2026-12-03 new", []string{event("old", "DTSTART:20261201T090000Z\nRRULE:FREQ=DAILY;COUNT=2"),
			event("new", "DTSTART:20261202T090000Z\nRRULE:FREQ=DAILY;COUNT=2")}},
	} {
		cal := parse(t, wrap(c.events...))
		var got []string
		for line := range strings.Lines(between(t, cal, "2026-11-30", "2026-12-31", zone(t, "UTC"))) {
			got = append(got, line[:10]+line[strings.LastIndex(line, " "):len(line)-1])
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}

// Outlook writes some whole days with times, and a mark; they are whole days wherever the person is.
func TestOutlookWholeDays(t *testing.T) {
	const mark = "\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE"
	at := func(name, v string) string { return "\n" + name + ";TZID=W. Europe Standard Time:" + v }
	c := parse(t, wrap(
		"UID:a\nSUMMARY:holiday"+at("DTSTART", "20261201T000000")+at("DTEND", "20261202T000000")+mark,
		"UID:b\nSUMMARY:trip"+at("DTSTART", "20261203T000000")+at("DTEND", "20261205T235900")+"\nX-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:true",
		"UID:c\nSUMMARY:open end\nDTSTART:20261206T000000Z"+mark,
		"UID:d\nSUMMARY:not whole"+at("DTSTART", "20261207T090000")+at("DTEND", "20261207T100000")+mark,
		"UID:e\nSUMMARY:not marked"+at("DTSTART", "20261208T000000")+at("DTEND", "20261208T010000")+"\nX-MICROSOFT-CDO-ALLDAYEVENT:FALSE",
		"UID:f\nSUMMARY:series"+at("DTSTART", "20261210T000000")+at("DTEND", "20261211T000000")+"\nRRULE:FREQ=DAILY;UNTIL=20261212T230000Z"+at("EXDATE", "20261211T000000")+mark,
		"UID:f\nSUMMARY:moved"+at("RECURRENCE-ID", "20261212T000000")+at("DTSTART", "20261212T150000")+at("DTEND", "20261212T160000"),
	))
	same(t, between(t, c, "2026-11-30", "2026-12-20", zone(t, "America/New_York")), `
2026-12-01 00:00 -0500 > 12-02 00:00 all day holiday
2026-12-03 00:00 -0500 > 12-06 00:00 all day trip
2026-12-06 00:00 -0500 > 12-07 00:00 all day open end
2026-12-07 03:00 -0500 > 12-07 04:00 not whole
2026-12-07 18:00 -0500 > 12-07 19:00 not marked
2026-12-10 00:00 -0500 > 12-11 00:00 all day series
2026-12-12 09:00 -0500 > 12-12 10:00 moved
2026-12-13 00:00 -0500 > 12-14 00:00 all day series
`)
}
