package companion

import (
	"slices"
	"strings"
	"testing"

	"yui/internal/protocol"
)

// TestScenesAreFit checks the writing of all scenes, and that each line is known again when it is heard.
func TestScenesAreFit(t *testing.T) {
	lib := readTestLibrary(t)
	count := map[string]int{}
	for i := range lib.scenes {
		s := &lib.scenes[i]
		count[s.Lang]++
		if !slices.Contains([]string{"", "greet", "ask"}, s.Kind) || (s.From == "") != (s.To == "") || s.From != "" && (display[s.From] == "" || display[s.To] == "") {
			t.Errorf("scene %q: kind %q, from %q, to %q", s.Line[0], s.Kind, s.From, s.To)
		}
		for at, text := range s.Line {
			checkLine(t, s.Lang, "scene", text)
			if !slices.Contains(faces, s.Face[at]) {
				t.Errorf("%q: unknown face %q", text, s.Face[at])
			}
			said, ok := fill(text, map[string]string{"other": "Momo"})
			if found, n := lib.scened(said); !ok || found != s || n != at {
				t.Errorf("%q is not known again", said)
			}
		}
	}
	if count[langEN] < 12 || count[langJA] != count[langEN] {
		t.Errorf("scenes by language: %v", count)
	}
	for _, text := range []string{"", "Hello.", "Nice weather today, and I wonder where it comes from.", "Momo"} {
		if s, _ := lib.scened(text); s != nil {
			t.Errorf("%q is taken for a line of a scene", text)
		}
	}
}

// exchange lets two companions talk as the app does: who is addressed in a reply hears it.
func exchange(t *testing.T, a, b *session, names [2]string, words string) (lines []string) {
	t.Helper()
	return exchangeOn(t, a, b, names, words, "user message")
}

// exchangeOn is exchange with the first one's trigger.
func exchangeOn(t *testing.T, a, b *session, names [2]string, words, trigger string) (lines []string) {
	t.Helper()
	sides := [2]*session{a, b}
	a.context = func() []string { return []string{"trigger: " + trigger} }
	said := a.say(words)
	for at := 0; len(lines) < 12; at = 1 - at {
		if said != protocol.Silent {
			lines = append(lines, said)
		}
		if said == protocol.Silent || !slices.Contains(sides[at].calls, `address_character {"to":"`+names[1-at]+`"}`) {
			return lines
		}
		next, from := sides[1-at], names[at]
		next.context = func() []string { return []string{"trigger: addressed by " + from} }
		said = next.say("(" + from + " says to you) " + said)
	}
	return lines
}

// TestScenes sends one to the other, many times in two languages: each talk is whole, another one than before, and ends.
func TestScenes(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		words []string
	}{
		{"Yui", "Momo", []string{"say hi to Momo", "talk to Momo", "ask Momo how she is", "chat with Momo", "greet Momo", "talk to Momo"}},
		{"Momo", "Sora", []string{"そらと話して", "そらによろしく", "そらに聞いてみて", "そらと話して"}},
		{"Sora", "Yui", []string{"talk to Yui", "ゆいと話して", "say hello to Yui"}},
	} {
		a, b := newSession(t, c.a), newSession(t, c.b)
		a.tools, b.tools = allTools(c.b), allTools(c.a)
		seen := map[string]bool{}
		for _, words := range c.words {
			lines := exchange(t, a, b, [2]string{c.a, c.b}, words)
			t.Logf("%s, %s: %s\n\t%s", c.a, c.b, words, strings.Join(lines, "\n\t"))
			if len(lines) != sceneLines {
				t.Errorf("%s: %d lines", words, len(lines))
				continue
			}
			if seen[lines[0]] {
				t.Errorf("%s: the same talk again", words)
			}
			seen[lines[0]] = true
		}
	}
}

// TestSmallTalk leaves two alone: now and then they talk, each time otherwise, and now and then one says something to
// the person, or nothing.
func TestSmallTalk(t *testing.T) {
	a, b := newSession(t, "Yui"), newSession(t, "Momo")
	a.tools, b.tools = allTools("Momo"), allTools("Yui")
	seen := map[string]bool{}
	talks, others := 0, 0
	for range 16 {
		lines := exchangeOn(t, a, b, [2]string{"Yui", "Momo"}, "(Nobody has said anything for a while.)", `proactive "a short break" (user idle 5min)`)
		if len(lines) < 2 {
			others++
			continue
		}
		talks++
		if len(lines) != sceneLines || seen[lines[0]] {
			t.Errorf("%q", lines)
		}
		seen[lines[0]] = true
	}
	if talks < 3 || others < 3 {
		t.Errorf("%d talks among themselves, %d times none", talks, others)
	}
}

// TestMessages has one carry words to the other.
func TestMessages(t *testing.T) {
	for words, want := range map[string]string{
		"tell Momo that dinner is ready":       "dinner is ready",
		"Please tell momo: the train is late!": "the train is late",
		"let Momo know I am home":              "I am home",
		"tell Momo something":                  "",
		"tell Momo to come here":               "",
		"ももにごはんできたよって伝えて":                      "ごはんできたよ",
		"もも に 「先に寝るね」 と 言って":                   "先に寝るね",
		"ももによろしくって言って":                         "",
	} {
		a, b := newSession(t, "Yui"), newSession(t, "Momo")
		a.tools, b.tools = allTools("Momo"), allTools("Yui")
		lines := exchange(t, a, b, [2]string{"Yui", "Momo"}, words)
		t.Logf("%s\n\t%s", words, strings.Join(lines, "\n\t"))
		switch {
		case want == "" && len(lines) != sceneLines:
			t.Errorf("%s: %q", words, lines)
		case want != "" && (len(lines) != 2 || !strings.Contains(lines[0], want)):
			t.Errorf("%s: %q, want %q", words, lines, want)
		}
	}
}
