package responses_test

import (
	"path/filepath"
	"strings"
	"testing"

	"yui/chat"
	"yui/chat/internal/wiretest"
	"yui/chat/responses"
)

// A counterpart that this project did not write: llmock of @copilotkit/aimock.
func TestAgainstLLMock(t *testing.T) {
	base := wiretest.StartLLMock(t, filepath.Join("testdata", "llmock.json"))
	s := wiretest.NewServer(t, schema, wiretest.Proxy(base))
	transport, err := responses.New(responses.Config{BaseURL: s.URL, Model: "gpt-5"})
	if err != nil {
		t.Fatal(err)
	}
	r := wiretest.NewRig(t, transport, []chat.Tool{wiretest.Express(), wiretest.Says("lookup", "42")})
	for _, c := range []struct {
		words, text string
		outcome     chat.Outcome
	}{
		{"hello there", "Good evening. How are you?", chat.OK},
		{"the answer", "Let me check. It is 42.", chat.OK},
		{"smile", "With pleasure.", chat.OK},
		{"hello there", "Good evening. How are you?", chat.OK},
		{"think hard", "I have thought.", chat.OK},
		{"think and look", "Seen.", chat.OK},
		{"refuse me", "", chat.NetworkDrop},
	} {
		if d := r.Ask(t, c.words); d.Outcome != c.outcome || d.Text != c.text {
			t.Errorf("%s: %+v", c.words, d)
		}
	}
	if d := r.Ask(t, "break off"); d.Outcome != chat.ParseError || !d.Cut || !strings.HasPrefix(d.Text, "This") {
		t.Errorf("break off: %+v", d)
	}
	reqs := s.Requests(t)
	var chained, reasoned, owed int
	for _, req := range reqs {
		all := input(req)
		if id, _ := req["previous_response_id"].(string); strings.HasPrefix(id, "resp") {
			chained++
		}
		if strings.Contains(all, `"reasoning"`) {
			reasoned++
		}
		if strings.HasPrefix(all, `{"call_id"`) {
			owed++
		}
	}
	if len(reqs) != 10 || chained != 9 || reasoned != 1 || owed != 1 {
		t.Errorf("%d requests, %d with an id, %d with reasoning items, %d with owed outputs", len(reqs), chained, reasoned, owed)
	}
	if n := len(wiretest.Told[chat.CueReleased](r)); n != 1 {
		t.Errorf("%d cues", n)
	}
	if n := len(wiretest.Told[chat.Thought](r)); n == 0 {
		t.Error("no thoughts came")
	}
}
