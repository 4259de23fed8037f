package rules

import (
	"errors"
	"strings"
	"testing"
	"time"

	"yui/internal/fuzzmem"
)

func mustRead(t testing.TB, text string) *Set {
	t.Helper()
	s, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *Set) rule(t testing.TB, name string) *Rule {
	t.Helper()
	for _, r := range s.Rules {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("there is no rule %s", name)
	return nil
}

// TestShipped: what every YUI ships with is there, in three languages.
func TestShipped(t *testing.T) {
	s := mustRead(t, "")
	for _, name := range []string{"morning", "coming_home", "good_night", "news"} {
		r := s.rule(t, name)
		seen := map[string]bool{}
		for _, l := range languages {
			if r.Hint[l] == "" || seen[r.Hint[l]] {
				t.Errorf("%s has no hint of its own in %s", name, l)
			}
			seen[r.Hint[l]] = true
		}
	}
	for _, name := range []string{"greeting_morning", "greeting_lunch", "greeting_evening", "greeting_late_night", "short_break", "long_focus",
		"screen_switched", "screen_long_session", "first_of_the_day", "welcome_back"} {
		for _, l := range languages {
			if s.rule(t, name).Label[l] == "" {
				t.Errorf("%s has no label in %s", name, l)
			}
		}
	}
}

// TestOverlay: a rule of a shipped name changes just the keys that it writes; own rules come first, in their order.
func TestOverlay(t *testing.T) {
	s := mustRead(t, `
per_hour = 2
quiet_hours = ["22:30-07:00", "12:00-13:00"]
[rule.zebra]
when.words = ["zebra"]
[rule.apple]
when.words = ["apple"]
[rule.morning]
hint = "Be brief."
[rule.greeting_lunch]
enabled = false
`)
	if s.Rules[0].Name != "zebra" || s.Rules[1].Name != "apple" || s.Rules[2].Name != "morning" {
		t.Errorf("the order is %s, %s, %s", s.Rules[0].Name, s.Rules[1].Name, s.Rules[2].Name)
	}
	m := s.rule(t, "morning")
	if m.Hint.In("ja") != "Be brief." || len(m.words) < 5 || len(m.Plugins) != 3 {
		t.Errorf("morning is %+v", m)
	}
	if s.rule(t, "greeting_lunch").Enabled || !s.rule(t, "greeting_evening").Enabled || s.PerHour != 2 {
		t.Error("enabled or per_hour was not taken over")
	}
	for at, quiet := range map[string]bool{"22:29": false, "22:30": true, "03:00": true, "07:00": false, "12:30": true} {
		now, err := time.Parse("15:04", at)
		if err != nil {
			t.Fatal(err)
		}
		if s.quietAt(now) != quiet {
			t.Errorf("quiet at %s: %v", at, !quiet)
		}
	}
}

// TestFaults: a broken file is reported with line and column.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		text      string
		line, col int
		says      string
	}{
		{"[rule.x\n", 1, 8, ""},
		{"[rule.x]\nwhen.words = [\"a\"]\nhnit = 3\n", 3, 1, `no key "rule.x.hnit"`},
		{"[rule.x]\nhint = \"a\"\n", 1, 2, "no trigger"},
		{"[rule.x]\nwhen = { }\n", 2, 8, "names no trigger"},
		{"[rule.x]\nwhen.words = [\"a\"]\n  if = \"hour <\"\n", 3, 14, "unexpected token EOF"},
		{"[rule.x]\nwhen.words = [\"a\"]\nif = \"hour < nothing\"\n", 3, 14, "unknown name nothing"},
		{"[rule.x]\nwhen.words = [\"a\"]\nif = \"hour\"\n", 3, 6, "bool"},
		{"[rule.x]\nwhen.at = [\"25:00\"]\n", 2, 1, "25:00"},
		{"[rule.x]\nwhen.at = [\"@every 1s\"]\n", 2, 1, "@every"},
		{"[rule.x]\nwhen.words = [\"a\"]\ncooldown = \"soon\"\n", 3, 12, "soon"},
		{"[rule.x]\nwhen.words = [\"a\"]\neffect = \"fire\"\n", 3, 10, "fire"},
		{"[rule.x]\nwhen = { words = [\"a\"], gesture = [\"hug\"] }\n", 2, 25, "hug"},
		{"[rule.x]\nwhen.words = { de = [\"a\"] }\n", 2, 14, "en, ja and ko"},
		{"[rule.x]\nwhen.words = [\"a\", \"\"]\n", 2, 1, "list of words"},
		{"quiet_hours = \"late\"\n", 1, 15, "late"},
		{"\n\n[rule.\"a b\"]\nwhen.words = [\"a\"]\n", 3, 2, "name"},
		{"[rule.x]\nwhen.words = [\"a\"]\nper_day = 0\n", 3, 11, "1 to 999"},
		{"[rule.x]\nwhen.signal = [\"nothing\"]\n", 2, 1, "pattern"},
		{"[rule.x]\nwhen.words = [\"a\"]\ntools = [{name=\"rate_relation\", args={toward=\"user\", delta=-2, why=\"a rule\"}}]\n", 3, 1, "no rule moves feelings"},
		{"[rule.x]\nwhen.words = [\"a\"]\ntools = [{name=\"look\"}, {name=\"address_character\", args={to=\"Momo\"}}]\n", 3, 1, "address_character is the character's own"},
		{"[rule.x]\nwhen.words = 3\n", 2, 14, "list of words"},
	} {
		_, err := Read([]byte(c.text))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if e.Line != c.line || e.Column != c.col || !strings.Contains(e.Error(), c.says) {
			t.Errorf("%q: %v, want line %d, column %d and %q", c.text, e, c.line, c.col, c.says)
		}
	}
}

func TestWords(t *testing.T) {
	e := NewEngine(mustRead(t, `
[rule.coffee]
when.words = ["coffee", "OK ミラ", "커피"]
[rule.bye]
when.exactly = ["bye"]
`), nil)
	for text, want := range map[string]string{
		"I want COFFEE!": "coffee", "coffees are bad": "", "decoffee": "", "ｃｏｆｆｅｅ please": "coffee", "Googleとcoffeeの話": "coffee",
		"ok ミラさん": "coffee", "look ミラ": "", "커피를 마실래": "coffee",
		"Bye!!": "bye", "bye bye baby": "", "I'm home": "coming_home", "I’m home now": "coming_home", "おはようございます": "morning",
		"tomorrow morning meeting": "", "Morning!": "morning", "오늘 뉴스 알려줘": "news", "Good night, Yui": "good_night", "": "",
	} {
		f, ok := e.Words(Facts{Now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), Text: text})
		got := ""
		if ok {
			got = f.Rule.Name
		}
		if got != want {
			t.Errorf("%q fires %q, want %q", text, got, want)
		}
	}
}

// FuzzRead: no file makes it panic, and an error has a place in the file.
func FuzzRead(f *testing.F) {
	f.Add([]byte("[rule.x]\nwhen.words = [\"a\"]\nif = \"hour < 3\"\n"))
	f.Add(shipped)
	f.Add([]byte("[rule.x]\nwhen = { words = { en = [ \"a\" ] }, at = [ \"0 12 * * mon-fri\" ] }\n[[rule.y]]\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzmem.Watch(t)
		s, err := Read(b)
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Column < 0) {
			t.Fatalf("%v", err)
		}
		if err == nil {
			NewEngine(s, nil).Words(Facts{Text: string(b)})
		}
	})
}

// FuzzState reads what the database holds of the rules that fired, and of the person's limits. Whatever it is, the engine
// goes on, and what it stores can be read again.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"morning":{"at":"2026-03-02T08:00:00Z","days":{"2026-03-02":2}},"x":null}`))
	f.Add([]byte(`{"tier2_max":3,"addressed_chain_max":10,"quiet":["23:00","07:00"]}`))
	set, err := Read(nil)
	if err != nil {
		f.Fatal(err)
	}
	now := time.Date(2026, 3, 2, 21, 5, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, raw []byte) {
		fuzzmem.Watch(t)
		if l, err := ReadLimits(raw); err != nil && l != DefaultLimits() {
			t.Errorf("%+v beside %v", l, err)
		}
		e := NewEngine(set, raw)
		for _, r := range set.Rules {
			e.LastFired(r.Name)
			e.Spent(Fire{Rule: r}, now)
		}
		if got := NewEngine(set, e.State()); got.LastFired(set.Rules[0].Name) != e.LastFired(set.Rules[0].Name) {
			t.Errorf("%v comes back as %v", e.LastFired(set.Rules[0].Name), got.LastFired(set.Rules[0].Name))
		}
	})
}

// TestLimitsOfAddressedTurns: addressed_chain_max goes from 0, none at all, to 10; left out it is 4.
func TestLimitsOfAddressedTurns(t *testing.T) {
	for setting, want := range map[string]int{``: 4, `{}`: 4, `{"tier2_max":3}`: 4, `{"addressed_chain_max":0}`: 0, `{"addressed_chain_max":10}`: 10,
		`{"addressed_chain_max":11}`: -1, `{"addressed_chain_max":-1}`: -1, `{"addressed_chain_max":"3"}`: -1} {
		l, err := ReadLimits([]byte(setting))
		if (err != nil) != (want < 0) || want < 0 && l != DefaultLimits() || want >= 0 && l.Chain != want {
			t.Errorf("%s: %+v, %v", setting, l, err)
		}
	}
}
