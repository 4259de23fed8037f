package plugin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"yui/assets/lang"
)

// desk is a person's day: a calendar file, a store and reminders that may restart.
type desk struct {
	t        testing.TB
	name     string
	calendar *Calendar
	store    *memory
	*Reminders
	written int
}

func newDesk(t testing.TB, now time.Time, lines ...string) *desk {
	d := &desk{t: t, name: filepath.Join(t.TempDir(), "me.ics"), store: &memory{}}
	d.write(events(lines...))
	d.start()
	d.due(now)
	return d
}

func (d *desk) write(text string) {
	d.written++
	write(d.t, d.name, text, noon.Add(time.Duration(d.written)*time.Second))
}

// start is a restart of the program.
func (d *desk) start() {
	d.t.Helper()
	cal, err := NewCalendar(lang.In("en"), CalendarConfig{File: d.name})
	if err != nil {
		d.t.Fatal(err)
	}
	d.calendar = cal
	d.Reminders = NewReminders(cal, d.store, ReminderOptions{Source: d.name})
	if err := d.Load(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

// due looks at the calendar, where it can be had, and lists what is due.
func (d *desk) due(now time.Time) []Reminder {
	d.t.Helper()
	if _, err := os.Stat(d.name); err == nil {
		fetch(d.t, d.calendar, now)
	}
	list, err := d.Due(d.t.Context(), now)
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

// say tells everything that is due.
func (d *desk) say(now time.Time) string {
	d.t.Helper()
	var said []string
	for _, r := range d.due(now) {
		said = append(said, r.Text(lang.In("en"), now))
		if err := d.Done(d.t.Context(), r); err != nil {
			d.t.Fatal(err)
		}
	}
	return strings.Join(said, " ")
}

func (d *desk) want(now time.Time, want string) {
	d.t.Helper()
	if got := d.say(now); got != want {
		d.t.Errorf("%s: got %q, want %q", now.Format("15:04"), got, want)
	}
}

func clock(h, m int) time.Time { return time.Date(2026, 3, 2, h, m, 0, 0, time.UTC) }

func TestReminderIsToldOnce(t *testing.T) {
	d := newDesk(t, clock(12, 0), "20260302T140000 Dentist", "20260302T160000 Call", "20260302 Fair", "20260302T110000 Past")
	if got := d.Next(); !got.Equal(clock(13, 50)) {
		t.Error(got)
	}
	d.want(clock(13, 49), "")
	d.want(clock(13, 50), `In 10 minutes: "Dentist".`)
	d.want(clock(13, 51), "")
	d.start()
	d.want(clock(13, 52), "")
	d.want(clock(16, 20), `"Call" began 20 min ago.`)
	d.start()
	d.want(clock(16, 21), "")
	if !d.Next().IsZero() {
		t.Error(d.Next())
	}
}

// A reminder that nobody could be told of stays due over a restart, and is told in the words of the moment.
func TestReminderIsKept(t *testing.T) {
	d := newDesk(t, clock(12, 0), "20260302T140000 Dentist")
	for m := 50; m < 59; m++ { // busy
		if got := d.due(clock(13, m)); len(got) != 1 {
			t.Fatal(got)
		}
	}
	d.start()
	d.want(clock(13, 59), `In one minute: "Dentist".`)
	d.want(clock(14, 0), "")
}

// The calendar cannot be had after the restart: what was known is told all the same.
func TestReminderOutlivesTheCalendar(t *testing.T) {
	d := newDesk(t, clock(12, 0), "20260302T140000 Dentist", "20260305T140000 Too far ahead to be kept")
	if err := os.Remove(d.name); err != nil {
		t.Fatal(err)
	}
	d.start()
	d.want(clock(13, 55), `In 5 minutes: "Dentist".`)
	d.start()
	d.want(clock(14, 0), "")
}

func TestMissedAreToldInOneLine(t *testing.T) {
	d := newDesk(t, clock(8, 0), "20260302T090000 A", "20260302T100000 B", "20260302T110000 C", "20260302T120000 D", "20260302T190000 E", "20260302T193000 F")
	d.start()
	d.want(clock(19, 5), `Missed in the meantime: "A" (Today, 09:00), "B" (Today, 10:00), "C" (Today, 11:00) and 1 more. "E" began 5 min ago.`)
	d.want(clock(19, 6), "")
	d.start()
	d.want(clock(19, 25), `In 5 minutes: "F".`)
	// Events that were written into the past afterwards were not missed.
	d.write(events("20260302T140000 Entered late", "20260302T210000 New"))
	d.want(clock(20, 50), `In 10 minutes: "New".`)
}

// Weeks away: what is older than a week is not worth a word.
func TestLongAway(t *testing.T) {
	d := newDesk(t, clock(8, 0), "20260302T090000 A", "20260303T090000 B", "20260320T090000 C")
	d.start()
	d.want(clock(10, 0).AddDate(0, 0, 19), `Missed in the meantime: "C" (Yesterday, 09:00).`)
	d.want(clock(10, 0).AddDate(0, 0, 19), "")
}

func TestChangedEvents(t *testing.T) {
	d := newDesk(t, clock(8, 0), "20260302T140000 Dentist", "20260302T150000 Tea")
	if got := d.due(clock(13, 50)); len(got) != 1 {
		t.Fatal(got)
	}
	d.write(events("20260302T170000 Dentist", "20260302T150000 Coffee")) // put off, and renamed
	d.want(clock(13, 51), "")
	d.want(clock(14, 50), `In 10 minutes: "Coffee".`)
	d.write(events("20260302T170000 Dentist", "20260302T150000 Cocoa"))
	d.want(clock(14, 51), "") // another name is no other event
	// An event that is entered shortly before it begins.
	d.write(events("20260302T170000 Dentist", "20260302T150000 Cocoa", "20260302T145500 Quick one"))
	d.want(clock(14, 52), `In 3 minutes: "Quick one".`)
	d.write(events()) // all cancelled
	d.want(clock(16, 55), "")
}

func TestAnotherCalendarHasNoPast(t *testing.T) {
	d := newDesk(t, clock(8, 0), "20260302T140000 Dentist")
	d.name = filepath.Join(t.TempDir(), "other.ics")
	d.write(events("20260302T090000 Old", "20260302T180000 New"))
	d.start()
	d.want(clock(12, 0), "")
	d.want(clock(17, 50), `In 10 minutes: "New".`)
}

func TestAlarmsOfTheEvent(t *testing.T) {
	alarm := func(lines string) string { return "BEGIN:VALARM\r\n" + lines + "\r\nEND:VALARM\r\n" }
	d := newDesk(t, clock(8, 0))
	d.write("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Flight\r\nDTSTART:20260303T140000Z\r\nDTEND:20260303T150000Z\r\n" +
		alarm("ACTION:DISPLAY\r\nTRIGGER:-P1D") + alarm("ACTION:AUDIO\r\nTRIGGER;VALUE=DATE-TIME:20260303T100000Z") + alarm("ACTION:DISPLAY\r\nTRIGGER;RELATED=END:-PT5M") +
		alarm("ACTION:EMAIL\r\nTRIGGER:-PT2H") + "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:2\r\nSUMMARY:Silent\r\nDTSTART:20260302T150000Z\r\n" + alarm("ACTION:NONE\r\nTRIGGER:-PT5M") +
		"END:VEVENT\r\nBEGIN:VEVENT\r\nUID:3\r\nSUMMARY:Birthday\r\nDTSTART;VALUE=DATE:20260304\r\n" + alarm("ACTION:DISPLAY\r\nTRIGGER:-PT15H") +
		alarm("ACTION:DISPLAY\r\nTRIGGER:PT9H") + "END:VEVENT\r\nEND:VCALENDAR\r\n")
	d.want(clock(13, 59), "")
	d.want(clock(14, 0), `Tomorrow, 14:00: "Flight".`)
	d.want(clock(14, 50), "")
	tomorrow := func(h, m int) time.Time { return clock(h, m).AddDate(0, 0, 1) }
	d.want(tomorrow(9, 0), `Tomorrow: "Birthday".`)
	d.want(tomorrow(10, 0), `Today, 14:00: "Flight".`)
	d.want(tomorrow(14, 55), `"Flight" began 55 min ago.`)
	d.want(tomorrow(33, 0), `Today: "Birthday".`)
	// All alarms of one event that are due at once are one reminder.
	d = newDesk(t, clock(8, 0))
	d.write("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Flight\r\nDTSTART:20260302T140000Z\r\n" +
		alarm("TRIGGER:-PT3H") + alarm("TRIGGER:-PT1H") + alarm("TRIGGER:-PT5M") + "END:VEVENT\r\nEND:VCALENDAR\r\n")
	d.want(clock(13, 10), `In 50 minutes: "Flight".`)
	d.start()
	d.want(clock(13, 54), "")
	d.want(clock(13, 55), `In 5 minutes: "Flight".`)
}

// The computer's clock runs a day or a year ahead for a while: nothing is lost, nothing comes twice.
func TestClockJumps(t *testing.T) {
	for _, jump := range []time.Duration{24 * time.Hour, 365 * 24 * time.Hour, -24 * time.Hour, -365 * 24 * time.Hour} {
		d := newDesk(t, clock(12, 0), "20260302T123000 Told", "20260302T140000 Dentist")
		d.want(clock(12, 25), `In 5 minutes: "Told".`)
		wrong := d.say(clock(12, 26).Add(jump))
		if strings.Contains(wrong, "Told") {
			t.Errorf("%v: %s", jump, wrong)
		}
		d.start()
		d.want(clock(12, 27), "")
		d.want(clock(13, 50), `In 10 minutes: "Dentist".`)
		d.want(clock(13, 51), "")
	}
}

// On the night when the clocks change, ten minutes stay ten minutes.
func TestReminderOverDaylightSaving(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	start := time.Date(2026, 3, 28, 12, 0, 0, 0, berlin)
	d := newDesk(t, start, "20260329T030500 Early train")
	d.want(time.Date(2026, 3, 29, 1, 54, 0, 0, berlin), "")
	d.want(time.Date(2026, 3, 29, 1, 55, 0, 0, berlin), `In 10 minutes: "Early train".`) // 03:05 comes ten minutes after 01:55
}

func TestReminderStoreFails(t *testing.T) {
	d := newDesk(t, clock(12, 0), "20260302T140000 Dentist")
	d.store.err = errors.New("disk full")
	list, err := d.Due(t.Context(), clock(13, 50))
	if len(list) != 1 || err == nil { // it is due all the same
		t.Error(list, err)
	}
	if err := d.Done(t.Context(), list[0]); err == nil {
		t.Error("a failure to store is not told")
	}
	d.store.err = nil
	d.want(clock(13, 51), "") // in this run it is done all the same, and now it is stored
	d.start()
	d.want(clock(13, 52), "")
	d.store.m[keyReminders] = []byte(`{"done":3}`)
	if err := NewReminders(d.calendar, d.store, ReminderOptions{}).Load(t.Context()); err == nil {
		t.Error("broken state is not told")
	}
	fresh := NewReminders(d.calendar, d.store, ReminderOptions{})
	if list, err := fresh.Due(t.Context(), clock(13, 55)); len(list) != 0 || err != nil {
		t.Error("due before Load", list, err)
	}
}

// While nothing happens, the disk rests.
func TestReminderWritesLittle(t *testing.T) {
	d := newDesk(t, clock(0, 0), "20260302T140000 Dentist")
	before := d.store.sets
	for m := range 12 * 60 {
		d.due(clock(0, m))
	}
	if n := d.store.sets - before; n > 12*60/5+2 {
		t.Errorf("%d writes in half a day", n)
	}
}

func TestReminderWords(t *testing.T) {
	at := clock(12, 0)
	r := func(d time.Duration, all bool) Reminder { return Reminder{Event: Event{"歯医者", at.Add(d), all}} }
	for _, c := range []struct {
		r          Reminder
		en, ja, ko string
	}{
		{r(10*time.Minute, false), `In 10 minutes: "歯医者".`, "あと10分で「歯医者」です。", `10분 뒤: "歯医者".`},
		{r(time.Minute, false), `In one minute: "歯医者".`, "あと1分で「歯医者」です。", `1분 뒤: "歯医者".`},
		{r(0, false), `"歯医者" begins now.`, "「歯医者」の時間です。", `"歯医者" 시작할 시간이에요.`},
		{r(-5*time.Minute, false), `"歯医者" began 5 min ago.`, "「歯医者」は5分前に始まりました。", `"歯医者" 일정이 5분 전에 시작됐어요.`},
		{r(26*time.Hour, false), `Tomorrow, 14:00: "歯医者".`, "明日 14:00は「歯医者」です。", `내일 14:00: "歯医者".`},
		{r(12*time.Hour, true), `Tomorrow: "歯医者".`, "明日は「歯医者」です。", `내일: "歯医者".`},
		{r(-12*time.Hour, true), `Today: "歯医者".`, "今日は「歯医者」です。", `오늘: "歯医者".`},
		{Reminder{Missed: []Event{{"", at.Add(-24 * time.Hour), false}}}, `Missed in the meantime: "untitled" (Yesterday, 12:00).`,
			"この間に過ぎた予定: 「無題」(昨日 12:00)。", `그 사이 지나간 일정: "제목 없음"(어제 12:00).`},
	} {
		for language, want := range map[string]string{"en": c.en, "ja": c.ja, "ko": c.ko} {
			if got := c.r.Text(lang.In(language), at); got != want {
				t.Errorf("%s: got %s, want %s", language, got, want)
			}
		}
	}
}

// Some days of events, of restarts, of hours when she is busy or switched off, of a calendar that comes and goes: each
// event is told exactly once, in time or as missed.
func TestEachReminderIsToldExactlyOnce(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		begin := clock(0, 0)
		var lines []string
		count := rapid.IntRange(1, 15).Draw(r, "events")
		for i := range count {
			start := begin.Add(time.Duration(rapid.IntRange(11, 4*24*60-120).Draw(r, "start")) * time.Minute)
			lines = append(lines, start.Format("20060102T150405Z")+fmt.Sprintf(" E%d;", i))
		}
		d := &desk{t: t, name: filepath.Join(dir, fmt.Sprint(n)), store: &memory{}}
		text := events(lines...)
		d.write(text)
		d.start()
		told := map[string]int{}
		hear := func(rs []Reminder) {
			for _, rem := range rs {
				list := rem.Missed
				if len(list) == 0 {
					list = []Event{rem.Event}
				}
				for _, e := range list {
					told[e.Title]++
				}
				if err := d.Done(t.Context(), rem); err != nil {
					r.Fatal(err)
				}
			}
		}
		d.due(begin)
		for now, end := begin, begin.AddDate(0, 0, 5); now.Before(end); {
			switch rapid.IntRange(0, 9).Draw(r, "step") {
			case 0: // a restart, or a night switched off, after which the calendar is at hand
				d.start()
				now = now.Add(time.Duration(rapid.IntRange(0, 20*60).Draw(r, "off")) * time.Minute)
				d.due(now)
			case 1: // busy: it is due, but nobody is told
				d.due(now)
			case 2: // the calendar is gone for a while
				if err := os.Remove(d.name); err == nil {
					d.due(now)
					d.write(text)
				}
			default:
				hear(d.due(now))
			}
			now = now.Add(time.Duration(rapid.IntRange(1, 4*60).Draw(r, "minutes")) * time.Minute)
		}
		hear(d.due(begin.AddDate(0, 0, 5)))
		for i := range count {
			if got := told[fmt.Sprintf("E%d;", i)]; got != 1 {
				r.Fatalf("event %d was told %d times", i, got)
			}
		}
	})
}
