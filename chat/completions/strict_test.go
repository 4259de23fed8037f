package completions_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"yui/chat"
	"yui/chat/internal/wiretest"
)

// alternates says whether messages are one system message at most, at the head, and then user and assistant in turn.
func alternates(t *testing.T, body string) bool {
	t.Helper()
	var req struct {
		Messages []struct{ Role string } `json:"messages"`
	}
	if err := json.Unmarshal([]byte(body), &req); err != nil {
		t.Error(err)
	}
	list := req.Messages
	if len(list) > 0 && list[0].Role == "system" {
		list = list[1:]
	}
	for i, m := range list {
		if m.Role != []string{"user", "assistant"}[i%2] {
			return false
		}
	}
	return len(list) > 0
}

// docs/rules/chat.md#retries: "a 400 that refuses a system message after the first position, with the context block folded into the
// user message, remembered per model": what goes to such a template alternates from then on, whatever the transcript
// holds: an answer that was silence, words that nobody typed, pictures.
func TestStrictTemplate(t *testing.T) {
	answers := []string{"[SILENT]", "Hello.", "[SILENT]", "I see.", "Good."}
	n := 0
	s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		if !alternates(t, wiretest.Body(r)) {
			wiretest.Status(400, "application/json", `{"error":{"message":"Conversation roles must alternate user/assistant/user/assistant/..."}}`)(w, r)
			return
		}
		wiretest.SSE(text(answers[n]), finish("stop"), done)(w, r)
		n++
	})
	r := newRig(t, s, nil)
	for i, ask := range []struct {
		words  string
		images []string
	}{{"Hi", nil}, {"Again", nil}, {"Look", nil}, {"Look here", []string{"data:image/png;base64,AA=="}}, {"Thanks", nil}} {
		if d := r.Ask(t, ask.words, ask.images...); d.Outcome != chat.OK || d.Silent != (answers[i] == "[SILENT]") {
			t.Errorf("turn %d: %+v", i, d)
		}
	}
	if got := len(s.Requests(t)); got != len(answers)+1 {
		t.Errorf("%d requests, want one refused and %d good ones", got, len(answers))
	}
}
