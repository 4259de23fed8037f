package completions_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yui/chat"
	"yui/chat/completions"
	"yui/chat/internal/wiretest"
)

func asJSON(t *testing.T, s string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// appended gives the messages that request n adds to those of the request before.
func appended(t *testing.T, reqs []map[string]any, n int) []any {
	t.Helper()
	if len(reqs) <= n {
		t.Fatalf("%d requests, want more than %d", len(reqs), n)
	}
	before, after := reqs[n-1]["messages"].([]any), reqs[n]["messages"].([]any)
	if diff := cmp.Diff(before, after[:len(before)]); diff != "" {
		t.Errorf("request %d must repeat the messages before it:\n%s", n+1, diff)
	}
	if diff := cmp.Diff(reqs[n-1]["tools"], reqs[n]["tools"]); diff != "" {
		t.Errorf("request %d must repeat tools[]:\n%s", n+1, diff)
	}
	return after[len(before):]
}

// docs/rules/chat.md#on-the-wire: the example, in its meaning.
func TestRoundTripOnTheWire(t *testing.T) {
	s := newServer(t,
		wiretest.SSE(text("Let me check."), toolCall(0, "call_1", "lookup", `{"q":"answer"}`), finish("tool_calls"), done),
		wiretest.SSE(text("It is 42."), finish("stop"), done))
	r := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "42"})})
	d := r.Ask(t, "What is the answer?")
	if d.Outcome != chat.OK || d.Text != "Let me check. It is 42." {
		t.Fatalf("got %+v", d)
	}
	want := asJSON(t, `[{"role":"assistant","content":"Let me check.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"lookup","arguments":"{\"q\":\"answer\"}"}}]},
		{"role":"tool","tool_call_id":"call_1","content":"42"}]`)
	if diff := cmp.Diff(want, any(appended(t, s.Requests(t), 1))); diff != "" {
		t.Errorf("what is appended:\n%s", diff)
	}
	if got := wiretest.Spoken(r); got != d.Text {
		t.Errorf("shown %q", got)
	}
	states := wiretest.Told[chat.ToolStatus](r)
	if len(states) != 2 || !states[0].Running || states[1].Running || states[0].Tool != "lookup" {
		t.Errorf("tool status %+v", states)
	}
}

// "content: null when the response said nothing", and the image rule: text and a note in the tool message, then one
// image-only user message after all tool messages of the round.
func TestImagesFollowTheToolMessages(t *testing.T) {
	const picture = "data:image/png;base64,iVBORw0KGgo="
	s := newServer(t,
		wiretest.SSE(toolCall(0, "a", "lookup", `{}`), toolCall(1, "b", "other", `{}`), finish("tool_calls"), done),
		wiretest.SSE(text("Seen."), finish("stop"), done))
	other := lookup(chat.Result{Text: "plain"})
	other.Name = "other"
	r := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "screenshot of display 0", Images: []string{picture}}), other})
	r.Ask(t, "Look.")
	got := appended(t, s.Requests(t), 1)
	if len(got) != 4 {
		t.Fatalf("appended %v", got)
	}
	if got[0].(map[string]any)["content"] != nil {
		t.Errorf("content of a silent response: %v", got[0])
	}
	note := got[1].(map[string]any)["content"].(string)
	if !strings.HasPrefix(note, "screenshot of display 0") || !strings.Contains(note, "next user message") {
		t.Errorf("tool message %q", note)
	}
	if got[2].(map[string]any)["content"] != "plain" {
		t.Errorf("second tool message %v", got[2])
	}
	want := asJSON(t, `{"role":"user","content":[{"type":"image_url","image_url":{"url":"`+picture+`"}}]}`)
	if diff := cmp.Diff(want, got[3]); diff != "" {
		t.Errorf("image message:\n%s", diff)
	}
}

// docs/rules/chat.md#answer-or-not.
func TestWhenResultsGoBack(t *testing.T) {
	happy := toolCall(0, "e", "generate_express", `{"emotion_id":"happy"}`)
	cases := []struct {
		name     string
		answer   []string
		requests int
		text     string
	}{
		{"a cue beside speech is a complete turn", []string{text("Hello."), happy, finish("tool_calls"), done}, 1, "Hello."},
		{"a cue alone that ended on stop is a deliberate silence", []string{happy, finish("stop"), done}, 1, ""},
		{"a cue alone whose model waits is answered", []string{happy, finish("tool_calls"), done}, 2, "Back."},
		{"a tool that answers a question, whatever the finish_reason (docs/rules/servers.md#a9)", []string{toolCall(0, "l", "lookup", `{}`), finish("stop"), done}, 2, "Back."},
		{"a tool beside a cue and speech", []string{text("Hm."), happy, toolCall(1, "l", "lookup", `{}`), finish("tool_calls"), done}, 2, "Hm. Back."},
		{"a tool of the backend is not answered", []string{text("Hm."), toolCall(0, "x", "server_side", `{}`), finish("tool_calls"), done}, 1, "Hm."},
		{"a cue registered elsewhere plays and is not answered", []string{toolCall(0, "x", "mcp_y_generate_express", `{"emotion_id":"happy"}`), finish("tool_calls"), done}, 1, ""},
		{"the silence token beside a waiting cue is an answer", []string{text("[SILENT]"), happy, finish("tool_calls"), done}, 1, ""},
		{"unparseable cue arguments beside speech", []string{text("Hi."), toolCall(0, "e", "generate_express", `{"emo`), finish("tool_calls"), done}, 1, "Hi."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, wiretest.SSE(c.answer...), wiretest.SSE(text("Back."), finish("stop"), done))
			r := newRig(t, s, []chat.Tool{wiretest.Express(), lookup(chat.Result{Text: "42"})})
			d := r.Ask(t, "Hi")
			if d.Outcome != chat.OK || d.Text != c.text || d.Silent != (c.text == "") {
				t.Errorf("got %+v", d)
			}
			reqs := s.Requests(t)
			if len(reqs) != c.requests {
				t.Fatalf("%d requests, want %d", len(reqs), c.requests)
			}
			for _, req := range reqs {
				for _, m := range req["messages"].([]any) {
					raw, _ := json.Marshal(m)
					if strings.Contains(string(raw), "server_side") {
						t.Errorf("a call of the backend's tool was sent back: %s", raw)
					}
				}
			}
			wantCue := strings.Contains(strings.Join(c.answer, ""), `happy`)
			if cues := wiretest.Told[chat.CueReleased](r); (len(cues) == 1 && cues[0].Cue.EmotionID == "happy") != wantCue {
				t.Errorf("cues %+v", cues)
			}
		})
	}
}

// "up to three round trips per turn. Past three the client closes the turn with the text it has", and docs/rules/chat.md#round-trips
// where it has none.
func TestRoundTripCap(t *testing.T) {
	call := func(words ...string) wiretest.Script {
		return wiretest.SSE(append(words, toolCall(0, "same", "lookup", `{}`), finish("tool_calls"), done)...)
	}
	t.Run("with text", func(t *testing.T) {
		s := newServer(t, call(text("One.")), call(text("Two.")), call(), call(text("Four.")), wiretest.SSE(text("never")))
		r := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "1"})})
		if d := r.Ask(t, "Go"); d.Text != "One. Two. Four." || d.Outcome != chat.OK {
			t.Errorf("got %+v", d)
		}
		if n := len(s.Requests(t)); n != 4 {
			t.Errorf("%d requests", n)
		}
	})
	t.Run("who chose silence is not asked again", func(t *testing.T) {
		s := newServer(t, call(text("[SILENT]")), call(), call(), call(), wiretest.SSE(text("never")))
		r := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "1"})})
		if d := r.Ask(t, "Go"); !d.Silent || d.Outcome != chat.OK {
			t.Errorf("got %+v", d)
		}
		if n := len(s.Requests(t)); n != 4 {
			t.Errorf("%d requests", n)
		}
	})
	t.Run("without text the last request is repeated with tool_choice none", func(t *testing.T) {
		s := newServer(t, call(), call(), call(), call(), wiretest.SSE(text("Enough."), toolCall(0, "x", "lookup", `{}`), finish("tool_calls"), done))
		runs := 0
		tool := lookup(chat.Result{})
		tool.Run = func(context.Context, chat.Call) chat.Result { runs++; return chat.Result{Text: "1"} }
		r := newRig(t, s, []chat.Tool{tool})
		if d := r.Ask(t, "Go"); d.Text != "Enough." || d.Outcome != chat.OK {
			t.Errorf("got %+v", d)
		}
		reqs := s.Requests(t)
		if len(reqs) != 5 || reqs[4]["tool_choice"] != "none" || reqs[3]["tool_choice"] != nil {
			t.Fatalf("%d requests", len(reqs))
		}
		if diff := cmp.Diff(reqs[3]["messages"], reqs[4]["messages"]); diff != "" {
			t.Errorf("repeated as it was:\n%s", diff)
		}
		if runs != 4 {
			t.Errorf("%d runs: calls of the last answer are neither run nor sent", runs)
		}
	})
}

// A thrown error and arguments that are no JSON are results (docs/rules/chat.md#results), and the repeated arguments are repaired, so
// that they do not poison the request (docs/rules/servers.md#a17, A18).
func TestFailuresAreResults(t *testing.T) {
	tool := lookup(chat.Result{})
	tool.Run = func(context.Context, chat.Call) chat.Result { panic("out of order") }
	s := newServer(t,
		wiretest.SSE(toolCall(0, "a", "lookup", `{"path":"/ho`), toolCall(1, "b", "lookup", `{}`), finish("length"), done),
		wiretest.SSE(text("Sorry."), finish("stop"), done))
	r := newRig(t, s, []chat.Tool{tool})
	if d := r.Ask(t, "Go"); d.Text != "Sorry." {
		t.Errorf("got %+v", d)
	}
	got := appended(t, s.Requests(t), 1)
	results := map[string]string{}
	for _, m := range got[1:] {
		results[m.(map[string]any)["tool_call_id"].(string)] = m.(map[string]any)["content"].(string)
	}
	if !strings.HasPrefix(results["a"], "error: arguments JSON parse failed: ") || results["b"] != "error: out of order" {
		t.Errorf("results %v", results)
	}
	calls := got[0].(map[string]any)["tool_calls"].([]any)
	if a := calls[0].(map[string]any)["function"].(map[string]any)["arguments"]; a != "{}" {
		t.Errorf("broken arguments were repeated: %v", a)
	}
}

// The messages of a first request: instructions, transcript, context, user with its images before the text.
func TestRequestShape(t *testing.T) {
	s := newServer(t, wiretest.SSE(text("Hi."), finish("stop"), done))
	r := newRig(t, s, nil, func(w *completions.Config, c *chat.Config) {
		c.Instructions = "You are Yui."
		w.ReasoningEffort = "low"
		w.Key = "sk-secret"
		c.Now = func() time.Time { return time.Date(2026, 3, 2, 21, 5, 0, 0, time.FixedZone("", 3600)) }
	})
	r.Ask(t, "One")
	turn := r.Say(context.Background(), "Two", []string{"data:image/jpeg;base64,AA=="})
	<-turn.Done()
	reqs := s.Requests(t)
	want := asJSON(t, `[{"role":"system","content":"You are Yui."},{"role":"user","content":"One"},{"role":"assistant","content":"Hi."},
		{"role":"system","content":"client_context:\nContext from the desktop, not typed by the user.\ntime: 2026-03-02T21:05:00+01:00\ntrigger: user message"},
		{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,AA=="}},{"type":"text","text":"Two"}]}]`)
	if diff := cmp.Diff(want, reqs[1]["messages"]); diff != "" {
		t.Errorf("messages:\n%s", diff)
	}
	if _, ok := reqs[0]["tools"]; ok {
		t.Error("a request with an empty registry carries no tools key")
	}
	if reqs[0]["reasoning_effort"] != "low" || reqs[0]["model"] != "m" {
		t.Errorf("request %v", reqs[0])
	}
	if got := s.Header(0).Get("Authorization"); got != "Bearer sk-secret" {
		t.Errorf("authorization %q", got)
	}
	plain := newServer(t, wiretest.SSE(text("Hi."), finish("stop"), done))
	newRig(t, plain, nil).Ask(t, "One")
	if _, ok := plain.Header(0)["Authorization"]; ok {
		t.Error("no key, no Authorization header")
	}
}

// "Speech from consecutive responses of a turn is joined with one space, unless …"
func TestJoining(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"Let me check.", "It is 42.", "Let me check. It is 42."},
		{"待って。", "はい", "待って。はい"},
		{"本当！", "はい", "本当！はい"},
		{"本当？", "はい", "本当？はい"},
		{"Wait ", "here", "Wait here"},
		{"Wait", "\nhere", "Wait\nhere"},
		{"", "here", "here"},
		{"<think>hm</think>", "here", "here"},
	} {
		s := newServer(t, wiretest.SSE(text(c.first), toolCall(0, "a", "lookup", `{}`), finish("tool_calls"), done), wiretest.SSE(text(c.second), finish("stop"), done))
		r := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "1"})})
		if d := r.Ask(t, "Go"); d.Text != c.want || wiretest.Spoken(r) != c.want {
			t.Errorf("%q + %q = %q", c.first, c.second, d.Text)
		}
	}
}

// docs/rules/chat.md#retries: a model that takes no tools gets exactly one retry, remembered per model, and the person is told
// once; a template that wants the system message first gets the context folded into the user message.
func TestRetriesWithAnotherShape(t *testing.T) {
	refuse := func(status int, words string, when func(body string) bool, otherwise wiretest.Script) wiretest.Script {
		return func(w http.ResponseWriter, r *http.Request) {
			if when(wiretest.Body(r)) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				raw, _ := json.Marshal(map[string]any{"error": map[string]any{"message": words}})
				_, _ = w.Write(raw)
				return
			}
			otherwise(w, r)
		}
	}
	hello := wiretest.SSE(text("Hello."), finish("stop"), done)
	withTools := func(b string) bool { return strings.Contains(b, `"tools"`) }
	lateSystem := func(b string) bool { return strings.Contains(b, "client_context:") }
	for _, words := range []string{
		"registry.ollama.ai/library/gemma:2b does not support tools",
		`"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`,
		"tools param requires --jinja flag",
		"This model does not support function calling.",
		"Tool use is not supported for this model",
	} {
		s := newServer(t, refuse(400, words, withTools, hello))
		r := newRig(t, s, []chat.Tool{wiretest.Express()})
		for range 2 {
			if d := r.Ask(t, "Hi"); d.Text != "Hello." {
				t.Errorf("%s: got %+v", words, d)
			}
		}
		if n := len(s.Requests(t)); n != 3 {
			t.Errorf("%s: %d requests, want a refused one and two good ones", words, n)
		}
		if n := len(wiretest.Told[chat.Notice](r)); n != 1 {
			t.Errorf("%s: %d notices", words, n)
		}
	}
	for _, words := range []string{
		"System message must be at the beginning.",
		"Conversation roles must alternate user/assistant/user/assistant/...",
		"After the optional system message, conversation roles must alternate",
	} {
		s := newServer(t, refuse(400, words, lateSystem, hello))
		r := newRig(t, s, nil)
		for range 2 {
			if d := r.Ask(t, "Hi"); d.Text != "Hello." {
				t.Errorf("%s: got %+v", words, d)
			}
		}
		reqs := s.Requests(t)
		if len(reqs) != 3 {
			t.Fatalf("%s: %d requests", words, len(reqs))
		}
		last := reqs[1]["messages"].([]any)
		user := last[len(last)-1].(map[string]any)["content"].(string)
		if !strings.HasPrefix(user, "<client_context>\n") || !strings.HasSuffix(user, "\n</client_context>\n\nHi") {
			t.Errorf("%s: user message %q", words, user)
		}
	}
	for _, words := range []string{"temperature must be positive", "tools[3].function.parameters: unsupported keyword", "Invalid schema for function 'look': not supported"} {
		s := newServer(t, refuse(400, words, withTools, hello))
		if d := newRig(t, s, []chat.Tool{wiretest.Express()}).Ask(t, "Hi"); d.Outcome != chat.NetworkDrop || !strings.Contains(d.Error, words) {
			t.Errorf("got %+v", d)
		}
		if n := len(s.Requests(t)); n != 1 {
			t.Errorf("%s: %d requests, but nothing else is retried", words, n)
		}
	}
}
