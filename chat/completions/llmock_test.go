package completions_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"yui/chat"
	"yui/chat/completions"
	"yui/chat/internal/wiretest"
)

// A counterpart that this project did not write.
func TestAgainstLLMock(t *testing.T) {
	base := wiretest.StartLLMock(t, filepath.Join("testdata", "llmock.json"))
	s := newServer(t, wiretest.Proxy(base))
	r := newRig(t, s, []chat.Tool{wiretest.Express(), lookup(chat.Result{Text: "42"})}, func(w *completions.Config, c *chat.Config) { w.Model = "gpt-4o" })
	for words, want := range map[string]struct {
		outcome chat.Outcome
		text    string
	}{
		"hello there": {chat.OK, "Good evening. How are you?"},
		"the answer":  {chat.OK, "Let me check. It is 42."},
		"refuse me":   {chat.NetworkDrop, ""},
	} {
		d := r.Ask(t, words)
		if d.Outcome != want.outcome || d.Text != want.text {
			t.Errorf("%s: %+v", words, d)
		}
	}
	if d := r.Ask(t, "break off"); d.Outcome != chat.ParseError || !d.Cut || !strings.HasPrefix(d.Text, "This") {
		t.Errorf("break off: %+v", d)
	}
	s.Requests(t)
	direct, err := completions.New(completions.Config{BaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	if models, err := direct.Client().Models(context.Background()); err != nil || len(models) == 0 {
		t.Errorf("models %v, %v", models, err)
	}
}
