package completions_test

import (
	"net/http/httptest"
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
