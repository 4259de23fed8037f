package plugin

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"yui/assets/lang"
	"yui/internal/fuzzmem"
)

// FuzzPlace reads what a geocoder answers: a place that can be asked for and stored, whose name is a few plain words.
func FuzzPlace(f *testing.F) {
	f.Add([]byte(`{"results":[{"id":2950159,"name":"Berlin","latitude":52.52437,"longitude":13.41053,"country":"Germany"}],"generationtime_ms":0.6}`))
	f.Add([]byte(`{"results":[{"name":"a\nb\u202e","latitude":-90,"longitude":1.8e2}]}`))
	f.Add([]byte(`{"results":[{"name":"","latitude":91,"longitude":null}]}`))
	f.Add([]byte(`{"results":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		fuzzmem.Watch(t)
		p, err := readPlace(body, "here")
		if err != nil {
			return
		}
		if p.Name == "" || utf8.RuneCountInString(p.Name) > 40 || !utf8.ValidString(p.Name) || strings.ContainsFunc(p.Name, unicode.IsControl) {
			t.Errorf("name %q", p.Name)
		}
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		w := newWeather(t, "en", WeatherConfig{Place: "here"}, &memory{m: map[string]json.RawMessage{keyPlace: raw}})
		if again, ok := w.stored(t.Context()); !ok || again != p {
			t.Errorf("%+v comes back as %+v, %v", p, again, ok)
		}
	})
}

// FuzzStored reads what the database holds of the plugins: the place that was looked up, and the reminders. What cannot
// be used counts as nothing; the rest can be listed, given, and stored again.
func FuzzStored(f *testing.F) {
	f.Add([]byte(`{"asked":"here","name":"Berlin","latitude":52.5,"longitude":13.4}`), int64(0))
	f.Add([]byte(`{"source":"","first":"2026-03-02T08:00:00Z","coming":[{"id":"a","title":"Choir","start":"2026-03-02T13:00:00Z","at":"2026-03-02T12:50:00Z","all":["b"]},`+
		`{"id":"c","title":"x\ny","start":"9999-12-31T23:59:59Z","all_day":true,"at":"0001-01-01T00:00:00Z"}],"done":{"d":{"at":"2026-03-01T00:00:00Z","start":"2026-03-03T00:00:00Z","missed":true}}}`), int64(3600))
	f.Add([]byte(`{"coming":null,"done":null}`), int64(-1))
	f.Fuzz(func(t *testing.T, raw []byte, later int64) {
		fuzzmem.Watch(t)
		if !json.Valid(raw) {
			return // the database takes nothing else
		}
		kept := &memory{m: map[string]json.RawMessage{keyPlace: raw, keyReminders: raw}}
		if p, ok := newWeather(t, "en", WeatherConfig{Place: "here"}, kept).stored(t.Context()); ok && (p.Asked != "here" || !valid(p.Latitude, 90) || !valid(p.Longitude, 180)) {
			t.Errorf("%+v", p)
		}
		c, err := NewCalendar(lang.In("ja"), CalendarConfig{File: "/nowhere/me.ics"})
		if err != nil {
			t.Fatal(err)
		}
		r := NewReminders(c, kept, ReminderOptions{})
		if err := r.Load(t.Context()); err != nil {
			return
		}
		now := noon.Add(time.Duration(later%(400*24*3600)) * time.Second)
		due, err := r.Due(t.Context(), now)
		if err != nil {
			t.Fatalf("list: %v", err)
		}
		for _, d := range due {
			if err := r.Done(t.Context(), d); err != nil {
				t.Fatalf("store: %v", err)
			}
		}
		if again, err := r.Due(t.Context(), now); err != nil || len(again) > 0 {
			t.Errorf("given, and due again: %+v, %v", again, err)
		}
	})
}
