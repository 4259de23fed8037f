package ics

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"yui/internal/fuzzmem"
)

// endless gives one byte sequence again and again.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e.text[(e.at+i)%len(e.text)]
	}
	e.at += len(b)
	return len(b), nil
}

func TestSizeIsBounded(t *testing.T) {
	for _, text := range []string{"x", "\n", "BEGIN:VCALENDAR\n", " ", "BEGIN:VEVENT\nDTSTART:20260302T100000\nEND:VEVENT\n", "END:\n", "\"", ";:"} {
		if _, err := Read(io.MultiReader(strings.NewReader("BEGIN:VCALENDAR\n"), &endless{text: text})); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestNoCalendar(t *testing.T) {
	for _, text := range []string{"", "<!DOCTYPE html><html>…", "BEGIN:VCARD\nEND:VCARD\n", "\x00\x01\x02", "BEGIN:VEVENT\nEND:VEVENT\n", "{}"} {
		if _, err := Read(strings.NewReader(text)); !errors.Is(err, ErrNoCalendar) {
			t.Errorf("%q: %v", text, err)
		}
	}
	broken := errors.New("cable cut")
	if _, err := Read(io.MultiReader(strings.NewReader("BEGIN:VCALENDAR\n"), &failing{broken})); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// One event that cannot be read does not spoil the others, and is told.
func TestBrokenEventsAreLeftOut(t *testing.T) {
	c := parse(t, wrap("UID:1\nSUMMARY:no start", "UID:2\nSUMMARY:bad start\nDTSTART:tomorrow", "UID:3\nSUMMARY:bad rule\nDTSTART:20260302T100000Z\nRRULE:FREQ=NEVER",
		"UID:4\nSUMMARY:good\nDTSTART:20260302T100000Z\nno colon here\n:empty name\nX-A;B=c\nDTSTAMP;=x:y",
		"UID:5\nSUMMARY:bad zone\nDTSTART;TZID=Mars/Olympus:20260303T100000", "UID:6\nSUMMARY:param\nDTSTART;A=b", "UID:7\nSUMMARY:quote\nDTSTART;TZID=a\"b:20260302T100000"))
	same(t, between(t, c, "2026-03-01", "2026-04-01", time.UTC), `
2026-03-02 10:00 +0000 > 03-02 10:00 good
2026-03-03 10:00 +0000 > 03-03 10:00 bad zone
`)
	told := fmt.Sprint(c.Troubles())
	for _, want := range []string{"DTSTART is missing", "DTSTART: a date or time is malformed", "RRULE", "Mars/Olympus"} {
		if !strings.Contains(told, want) {
			t.Errorf("no word of %q in %s", want, told)
		}
	}
	cut, err := Read(strings.NewReader("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260302T100000Z\nEND:VEVENT\nBEGIN:VEVENT\nDTST"))
	if err != nil || cut.Events() != 1 || !strings.Contains(fmt.Sprint(cut.Troubles()), "cut short") {
		t.Error(err, cut.Events(), cut.Troubles())
	}
	many, err := Read(strings.NewReader(wrap(strings.Split(strings.Repeat("SUMMARY:x|", 500), "|")...)))
	if err != nil || len(many.Troubles()) != maxTroubles+1 {
		t.Error(err, len(many.Troubles()))
	}
}

// The worst files that we could think of are read and asked within bounds of memory; the times are in the benchmark.
func TestHostileFiles(t *testing.T) {
	for name, text := range hostile(256 << 10) {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			c, err := Read(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
			list, _ := c.Between(now.AddDate(0, 0, -8), now.AddDate(0, 0, 62), time.UTC)
			if len(list) > maxOccurrences {
				t.Errorf("%d occurrences", len(list))
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 16<<20 {
				t.Errorf("%d MB are held", grown>>20)
			}
			for _, o := range list {
				if !utf8.ValidString(o.Title) || len(o.Title) > maxTitle+utf8.UTFMax {
					t.Fatalf("title %q", o.Title)
				}
			}
			runtime.KeepAlive(c)
		})
	}
}

// hostile are files of about size bytes that try to cost time or memory.
func hostile(size int) map[string]string {
	fill := func(head, one, tail string) string {
		n := (size - len(head) - len(tail)) / len(one)
		return head + strings.Repeat(one, n) + tail
	}
	event := func(body string) string { return "BEGIN:VEVENT\n" + body + "\nEND:VEVENT\n" }
	const head, tail = "BEGIN:VCALENDAR\n", "END:VCALENDAR\n"
	return map[string]string{
		"secondly":     fill(head, event("DTSTART:19700101T000000Z\nRRULE:FREQ=SECONDLY;COUNT=1000000000"), tail),
		"counted":      fill(head, event("DTSTART:00010101T000000Z\nRRULE:FREQ=DAILY;COUNT=1000000000"), tail),
		"never":        fill(head, event("DTSTART:19700101T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), tail),
		"many times":   fill(head, event("DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11;BYMINUTE=0,5,10,15,20,25,30,35"), tail),
		"folded":       fill(head+"BEGIN:VEVENT\nDTSTART:20260302T100000Z\nSUMMARY:", "x\n ", "\nEND:VEVENT\n"+tail),
		"nested":       fill(head, "BEGIN:VEVENT\n", tail),
		"nested pairs": head + strings.Repeat("BEGIN:A\n", size/20) + strings.Repeat("END:A\n", size/20) + tail,
		"one line":     fill(head+"BEGIN:VEVENT\nDTSTART:20260302T100000Z\nSUMMARY:", "あ", "\nEND:VEVENT\n"+tail),
		"params":       fill(head+"BEGIN:VEVENT\nDTSTART;TZID=", "a", ":20260302T100000\nEND:VEVENT\n"+tail),
		"exdates":      fill(head+"BEGIN:VEVENT\nDTSTART:20260101T100000Z\nRRULE:FREQ=DAILY\n", "EXDATE:20200101T100000Z\n", "END:VEVENT\n"+tail),
		"overrides":    fill(head+event("UID:a\nDTSTART:20260101T100000Z\nRRULE:FREQ=DAILY"), event("UID:a\nRECURRENCE-ID:20260302T100000Z\nDTSTART:20260302T100000Z"), tail),
		"rdates":       fill(head+"BEGIN:VEVENT\nDTSTART:20260101T100000Z\n", "RDATE:20260302T100000Z\n", "END:VEVENT\n"+tail),
		"alarms":       fill(head+"BEGIN:VEVENT\nDTSTART:20260302T100000Z\n", "BEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM\n", "END:VEVENT\n"+tail),
		"zones":        fill(head, "BEGIN:VTIMEZONE\nTZID:Z\nBEGIN:STANDARD\nDTSTART:00010101T000000\nRRULE:FREQ=DAILY\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:STANDARD\nEND:VTIMEZONE\n", tail),
		"bytes":        fill(head+"BEGIN:VEVENT\nDTSTART:20260302T100000Z\nSUMMARY:", "\xff\xfe\x00\xc3", "\nEND:VEVENT\n"+tail),
		"long events":  fill(head, event("DTSTART:20250101T100000Z\nDURATION:P390D\nRRULE:FREQ=DAILY"), tail),
		"many zones":   head + manyZones(maxZones) + tail,
	}
}

// manyZones are events in zones of the file's own.
func manyZones(n int) string {
	var b strings.Builder
	for i := range 10 * n { // names that fill a cache
		fmt.Fprintf(&b, "BEGIN:VEVENT\nDTSTART;TZID=N%d:20260302T100000\nEND:VEVENT\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "BEGIN:VTIMEZONE\nTZID:Z%d\nBEGIN:STANDARD\nDTSTART:00010101T000000\nRRULE:FREQ=DAILY\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:STANDARD\nEND:VTIMEZONE\n", i)
		fmt.Fprintf(&b, "BEGIN:VEVENT\nDTSTART;TZID=Z%d:20260302T100000\nEND:VEVENT\n", i)
	}
	for i := range 10 * n {
		fmt.Fprintf(&b, "BEGIN:VEVENT\nDTSTART;TZID=Z%d:20260302T100000\nEND:VEVENT\n", i%n)
	}
	return b.String()
}

func BenchmarkHostile(b *testing.B) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, text := range hostile(MaxSize) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c, err := Read(strings.NewReader(text))
				if err != nil {
					b.Fatal(err)
				}
				c.Between(now.AddDate(0, 0, -8), now.AddDate(0, 0, 62), time.UTC)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.ics")
	if err != nil || len(files) == 0 {
		f.Fatal(err, files)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(wrap("DTSTART:20260302T100000Z\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;BYSETPOS=-1\nEXDATE;VALUE=DATE:20260302\nRDATE:20260302T100000Z/PT1H")))
	berlin := zone(f, "Europe/Berlin")
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzmem.Watch(t)
		c, err := Read(strings.NewReader(string(b)))
		if err != nil {
			return
		}
		from, to := now.AddDate(0, 0, -8), now.AddDate(0, 0, 62)
		list, _ := c.Between(from, to, berlin)
		for i, o := range list {
			if o.End.Before(o.Start) || !o.Start.Before(to) || o.End.Before(from) || !utf8.ValidString(o.Title) || i > 0 && o.Start.Before(list[i-1].Start) {
				t.Fatalf("%+v", o)
			}
		}
	})
}
