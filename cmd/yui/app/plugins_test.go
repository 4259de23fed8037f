package app

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
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
	k, err := newKnowledge(lang.In("en"), settings.PluginsConfig{}, nil, plugin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if got := strings.Join(k.Names(), " "); got != "clock" || k.reminders != nil {
		t.Error(got)
	}
	notes := k.notes(t.Context(), time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	if notes.Heading != "Known today:" || len(notes.Lines) != 1 || notes.Lines[0] != "date: Monday, 2 March 2026, morning" {
		t.Error(notes)
	}
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
		s, err := store.Open(t.Context(), filepath.Join(dir, "yui.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		k, err := newKnowledge(lang.In("en"), settings.PluginsConfig{Calendar: settings.CalendarConfig{File: file}}, s, plugin.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer k.Close()
		if err := k.reminders.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		if problems := k.Check(t.Context(), now); len(problems) > 0 {
			t.Fatal(problems)
		}
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

func TestDoctorOnPlugins(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }))
	defer srv.Close()
	file := filepath.Join(t.TempDir(), "me.ics")
	if err := os.WriteFile(file, []byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\nEND:VCALENDAR\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := &checkup{out: &out}
	lat := 1.0
	c.plugins(t.Context(), settings.Config{Language: "en", Plugins: settings.PluginsConfig{Weather: settings.WeatherConfig{Latitude: &lat, Longitude: &lat, BaseURL: srv.URL},
		Calendar: settings.CalendarConfig{File: file}}})
	for _, want := range []string{"ok    clock           date: ", "warn  weather         ask weather at 127.0.0.1", "500 Internal Server Error",
		"warn  calendar        read event 1: DTSTART is missing"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if c.failed || strings.Contains(out.String(), "latitude") {
		t.Error(out.String())
	}
}
