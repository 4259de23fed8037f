package knowledge

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/chat/plugin"
	"yui/cmd/yui/settings"
	"yui/store"
)

// Without a word in the config there is the clock, and nothing that asks a disk or a network.
func TestPluginsDefault(t *testing.T) {
	k, err := New(lang.In("en"), settings.PluginsConfig{Clock: settings.ClockConfig{Enabled: true}}, nil, plugin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if got := strings.Join(k.Names(), " "); got != "clock" || k.reminders != nil {
		t.Error(got)
	}
	notes := k.Notes(t.Context(), time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	if notes.Heading != "Known today:" || len(notes.Lines) != 1 || notes.Lines[0] != "date: Monday, 2 March 2026, morning" {
		t.Error(notes)
	}
}

// remembering makes the knowledge of a calendar's file, over the database in dir, with what is due at a moment.
func remembering(t *testing.T, dir, file string, now time.Time) *Knowledge {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(dir, "yui.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := settings.PluginsConfig{Calendar: settings.CalendarConfig{File: file, Reminders: true, Lead: 10, Grace: 60}}
	k, err := New(lang.In("en"), c, s, plugin.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.reminders.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if problems := k.Check(t.Context(), now); len(problems) > 0 {
		t.Fatal(problems)
	}
	return k
}

// What is due and done outlives the process in the real data base.
func TestRemindersInTheStore(t *testing.T) {
	dir := t.TempDir()
	now := time.Now().Truncate(time.Minute)
	start := now.Add(5 * time.Minute).UTC()
	ics := fmt.Sprintf("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\nDTSTART:%s\nEND:VEVENT\nEND:VCALENDAR\n", start.Format("20060102T150405Z"))
	file := filepath.Join(dir, "me.ics")
	if err := os.WriteFile(file, []byte(ics), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(done bool) int {
		k := remembering(t, dir, file, now)
		defer k.Close()
		list, err := k.reminders.Due(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			if got := r.Text(lang.In("en"), now); got != `In 5 minutes: "Dentist".` {
				t.Error(got)
			}
			if done {
				if err := k.reminders.Done(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
		}
		return len(list)
	}
	for i, want := range []int{1, 1, 0} { // due; due still, and done; done
		if got := run(i > 0); got != want {
			t.Errorf("run %d: %d due, want %d", i, got, want)
		}
	}
}

// herald is a Herald who is heard a few times.
type herald struct {
	heard int
	said  []string
}

func (h *herald) Seen(context.Context) bool { return h.heard > 0 }
func (h *herald) Say(_ context.Context, text string) bool {
	h.heard--
	h.said = append(h.said, text)
	return h.heard > 0
}

// What could not be said, or nobody would have seen, is due again.
func TestRemindersAreSaidToSomebody(t *testing.T) {
	dir, now := t.TempDir(), time.Now().Truncate(time.Minute)
	var ics strings.Builder
	ics.WriteString("BEGIN:VCALENDAR\n")
	for i, what := range []string{"Dentist", "Tea", "Train"} {
		fmt.Fprintf(&ics, "BEGIN:VEVENT\nUID:%d\nSUMMARY:%s\nDTSTART:%s\nEND:VEVENT\n", i, what, now.Add(time.Duration(5+i)*time.Minute).UTC().Format("20060102T150405Z"))
	}
	ics.WriteString("END:VCALENDAR\n")
	file := filepath.Join(dir, "me.ics")
	if err := os.WriteFile(file, []byte(ics.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	k := remembering(t, dir, file, now)
	defer k.Close()
	for _, c := range []struct{ heard, said, left int }{{0, 0, 3}, {1, 1, 3}, {2, 2, 2}, {9, 2, 0}} {
		due, err := k.reminders.Due(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		h := &herald{heard: c.heard}
		k.tell(t.Context(), h, due)
		left, err := k.reminders.Due(t.Context(), now)
		if err != nil || len(h.said) != c.said || len(left) != c.left {
			t.Errorf("heard %d times: said %q, %d left, %v", c.heard, h.said, len(left), err)
		}
	}
}
