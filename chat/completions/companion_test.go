package completions_test

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"yui/chat"
	"yui/chat/companion"
	"yui/chat/completions"
	"yui/chat/internal/wiretest"
)

// The built-in companion is reached by the same client as any server, and its requests fit the schema, too.
func TestAgainstTheCompanion(t *testing.T) {
	inner := httptest.NewServer(companion.New(companion.Options{}))
	defer inner.Close()
	s := newServer(t, wiretest.Proxy(inner.URL))
	r := newRig(t, s, []chat.Tool{wiretest.Express(), lookup(chat.Result{Text: "42"})}, func(w *completions.Config, c *chat.Config) {
		w.Model = companion.ModelID
		c.Instructions = "You are Yui."
	})
	for _, words := range []string{"Hello!", "Who are you?", "こんにちは"} {
		d := r.Ask(t, words)
		if d.Outcome != chat.OK || strings.TrimSpace(d.Text) == "" || d.Cut {
			t.Errorf("%s: %+v", words, d)
		}
	}
	for _, req := range s.Requests(t) {
		if req["model"] != companion.ModelID {
			t.Errorf("model %v", req["model"])
		}
	}
}

// "Cue delivery over a request transport needs an endpoint that serves the declared tool back as a call: on Chat
// Completions as delta.tool_calls fragments" (docs/rules/chat.md#calls-of-the-backend): the companion is one. Its tools take round
// trips like a model's, its face comes beside the words of the last response, and those are not asked for again.
func TestToolsOfTheCompanion(t *testing.T) {
	const picture = "data:image/jpeg;base64,/9j/4AAQ"
	inner := httptest.NewServer(companion.New(companion.Options{Seed: 7}))
	defer inner.Close()
	declare := func(name, parameters string, run func(args string) chat.Result) chat.Tool {
		tool := wiretest.Tool(name, func(c chat.Call) chat.Result { return run(string(c.Args)) })
		tool.Parameters = json.RawMessage(parameters)
		return tool
	}
	for words, want := range map[string]struct {
		calls []string
		trips int
		image bool
	}{
		"sit on the terminal": {[]string{`look {"at":"perch_targets"}`, `body_action {"action":"sit_on_window","app":"XTerm"}`}, 2, false},
		"look at my screen":   {[]string{`look {"at":"screen"}`}, 1, true},
		"hello":               {nil, 0, false},
	} {
		var calls []string
		look := declare("look", `{"type":"object","properties":{"at":{"type":"string","enum":["body","perch_targets","screen"]}},"required":["at"]}`, func(args string) chat.Result {
			calls = append(calls, "look "+args)
			if strings.Contains(args, "screen") {
				return chat.Result{Text: "screenshot of display 0", Images: []string{picture}}
			}
			return chat.Result{Text: `{"windows":[{"app":"XTerm","title":"x","rect":{"x":80,"y":300,"width":500,"height":300}}],"edges":["left","right"]}`}
		})
		act := declare("body_action", `{"type":"object","properties":{"action":{"type":"string","enum":["sit_on_window","peek","move_to","stand","go_to_bed"]},"app":{"type":"string"}},"required":["action"]}`,
			func(args string) chat.Result {
				calls = append(calls, "body_action "+args)
				return chat.Result{Text: "ok"}
			})
		s := newServer(t, wiretest.Proxy(inner.URL))
		r := newRig(t, s, []chat.Tool{wiretest.Express(), look, act})
		d := r.Ask(t, words)
		reqs := s.Requests(t)
		if d.Outcome != chat.OK || d.Text == "" || d.Cut || !slices.Equal(calls, want.calls) || len(reqs) != 1+want.trips {
			t.Errorf("%s: %+v, called %q in %d requests", words, d, calls, len(reqs))
		}
		if cues := wiretest.Told[chat.CueReleased](r); len(cues) > 1 || len(cues) == 1 && cues[0].Cue.EmotionID != "happy" {
			t.Errorf("%s: cues %+v", words, cues)
		}
		last := reqs[len(reqs)-1]["messages"].([]any)
		raw, _ := json.Marshal(last[len(last)-1])
		if strings.Contains(string(raw), picture) != want.image {
			t.Errorf("%s: the last message is %s", words, raw)
		}
	}
}
