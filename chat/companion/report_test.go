package companion

import (
	"encoding/json"
	"strings"
	"testing"

	"yui/internal/protocol"
)

// What programs report is passed on in the person's language, by name where the trigger line has one, and a second
// report is no repetition.
func TestReports(t *testing.T) {
	lib := readTestLibrary(t)
	for lang, marker := range map[string]string{
		langEN: "(A program that works for the user has finished.)",
		langJA: "（ユーザーのために働くプログラムが終わった。）",
		langKO: "(사용자를 위해 일하는 프로그램이 끝났다.)",
	} {
		for trigger, id := range map[string]string{
			`agent Claude Code done (ok), project "kettle" (1min ago)`: "bg.agent_done",
			`agent codex done (0min ago)`:                              "bg.agent_done",
			`agent codex needs_input, project "kettle" (0min ago)`:     "bg.agent_input",
			"agent catchup (3 events, 2 more dropped)":                 "bg.catchup",
			"signals (1 signals)":                                      "bg.signals",
		} {
			named, silence := false, 0
			for seed := range uint64(40) {
				msgs := []any{
					map[string]any{"role": "user", "content": marker}, map[string]any{"role": "assistant", "content": lib.books[lang].byID[id].Say[0]},
					map[string]any{"role": "system", "content": "client_context:\ntrigger: " + trigger + "\nagent note: trigger words"},
					map[string]any{"role": "user", "content": marker},
				}
				body, _ := json.Marshal(map[string]any{"messages": msgs})
				req, bad := parseRequest(body)
				if bad != nil {
					t.Fatal(bad)
				}
				turn := readTurn(lib, req, seed, fixedNow)
				if got := turn.event(); got != id || turn.book.Lang != lang {
					t.Fatalf("%s %s: %s in %s", lang, trigger, got, turn.book.Lang)
				}
				a, bad := turn.answer()
				if bad != nil || a.text == "" || strings.ContainsAny(a.text, "{}[") && a.text != protocol.Silent {
					t.Fatalf("%s %s: %+v, %v", lang, trigger, a, bad)
				}
				if a.text == protocol.Silent {
					silence++
				}
				named = named || strings.Contains(a.text, "Claude Code") || strings.Contains(strings.ToLower(a.text), "codex")
			}
			if agent := strings.HasPrefix(id, "bg.agent"); named != agent || agent && silence > 0 {
				t.Errorf("%s %s: named %v, silent %d times", lang, trigger, named, silence)
			}
		}
	}
	for trigger, want := range map[string]string{
		`agent a b done (ok), project "p q" (3min ago)`: "a b|p q", "agent x needs_input (0min ago)": "x|", "agent catchup (3 events)": "|",
		"agent done done (1min ago)": "done|", `agent x done (failed) (1min ago)`: "x|",
	} {
		if f := readFacts("trigger: "+trigger, fixedNow); f.tool+"|"+f.project != want {
			t.Errorf("%s: %q, %q", trigger, f.tool, f.project)
		}
	}
}

// A marker of another language in the transcript is no word of the person's: it does not choose the language.
func TestMarkersAreNobodysWords(t *testing.T) {
	for _, m := range []string{"(The user is patting your head.)", "（ユーザーがあなたの頭をなでている。）", "(사용자가 당신의 머리를 쓰다듬고 있다.)", "[頭をなでた]"} {
		if pastKind(m) != background {
			t.Errorf("%s counts as typed", m)
		}
	}
	if pastKind("（笑）すごいね") != typed || pastKind("hi (you)") != typed {
		t.Error("words with brackets are no marker")
	}
}
