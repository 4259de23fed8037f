package responses_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"yui/chat"
	"yui/chat/internal/wiretest"
	"yui/chat/responses"
)

var quick = change{chat: func(c *chat.Config) {
	c.Limits = chat.Limits{AfterSpeech: 300 * time.Millisecond, Otherwise: 600 * time.Millisecond}
}}

// Servers as they are: each fault gives its outcome, one sentence with the cause, and never the key.
// docs/rules/chat.md#responses-events: "error, response.failed, response.incomplete -> error (message or event type)"; 6.6: "no completed
// event -> parse_error"; 6.7 for the outcomes.
func TestFaults(t *testing.T) {
	failed := func(kind, rest string) string {
		return `{"type":"response.` + kind + `","response":{"id":"r","object":"response","status":"` + kind + `",` + rest + `}}`
	}
	cases := append(wiretest.Faults(),
		wiretest.Fails("a redirect", wiretest.Status(307, "text/html", "", "Location", "https://elsewhere.example/v1/responses"), chat.NetworkDrop, chat.Redirected, "elsewhere.example"),
		wiretest.Fails("nonsense in the stream", wiretest.SSE(delta("Half"), `{"type":`), chat.ParseError, chat.Garbled, "could not be read").After("Half"),
		wiretest.Fails("an error event", wiretest.SSE(delta("Half"), `{"type":"error","code":"server_error","message":"The engine has died.","param":null,"sequence_number":2}`), chat.NetworkDrop, chat.ProviderError, "The engine has died.").After("Half"),
		wiretest.Fails("an error event by its name", wiretest.Raw([]byte("event: error\ndata: {\"message\":\"boom\"}\n\n"), 100), chat.NetworkDrop, chat.ProviderError, "boom"),
		wiretest.Fails("an error without a type (docs/rules/servers.md#a28)", wiretest.SSE(delta("Half"), `{"error":{"message":"tool call validation failed","code":"tool_use_failed"}}`), chat.NetworkDrop, chat.ProviderError, "tool call validation failed").After("Half"),
		wiretest.Fails("failed", wiretest.SSE(delta("Half"), failed("failed", `"error":{"code":"server_error","message":"The model could not go on."}`)), chat.NetworkDrop, chat.ProviderError, "The model could not go on.").After("Half"),
		wiretest.Fails("failed without a word", wiretest.SSE(failed("failed", `"error":null`)), chat.NetworkDrop, chat.ProviderError, "response.failed"),
		wiretest.Fails("failed because of its length", wiretest.SSE(failed("failed", `"error":{"code":"context_length_exceeded","message":"Your input exceeds the context window."}`)), chat.NetworkDrop, chat.TooLong, "longer than the model"),
		wiretest.Fails("incomplete", wiretest.SSE(delta("Long"), failed("incomplete", `"incomplete_details":{"reason":"max_output_tokens"}`)), chat.NetworkDrop, chat.ProviderError, "max_output_tokens").After("Long"),
		wiretest.Fails("completed that says failed", wiretest.SSE(`{"type":"response.completed","response":{"id":"r","status":"failed","error":{"message":"no luck"}}}`), chat.NetworkDrop, chat.ProviderError, "no luck"),
		wiretest.Fails("a whole answer that failed", wiretest.Status(200, "application/json", `{"id":"r","object":"response","status":"failed","output":[],"error":{"message":"quota exceeded"}}`), chat.NetworkDrop, chat.ProviderError, "quota exceeded"),
		wiretest.Fails("an end without completed (docs/rules/servers.md#a20)", wiretest.SSE(delta("Half "), delta("an answer")), chat.ParseError, chat.CutOff, "ended before").After("Half an answer"),
		wiretest.Fails("[DONE] without completed", wiretest.SSE(delta("Half"), "[DONE]"), chat.ParseError, chat.CutOff, "ended before").After("Half"),
		wiretest.Fails("a socket closed in the middle", wiretest.HangUp(delta("Half")), chat.ParseError, chat.CutOff, "ended before").After("Half"),
		wiretest.Fails("a socket closed at once", wiretest.Script(hangUpAtOnce), chat.NetworkDrop, chat.Unreachable, "Nobody answers"),
		wiretest.Fails("an empty answer", wiretest.Status(200, "text/event-stream", ""), chat.ParseError, chat.CutOff, "ended before"),
		wiretest.Fails("Chat Completions instead", wiretest.SSE(`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hello"}}]}`, "[DONE]"), chat.ParseError, chat.Garbled, "names what the server speaks"),
		wiretest.Fails("noise", wiretest.Raw([]byte("\x1f\x8b\x08 what is this\nno event at all\n\n"), 9), chat.ParseError, chat.Garbled, "could not be read"),
		wiretest.Fails("pings and then an end", wiretest.SSE(`{"type":"ping"}`, `{}`), chat.ParseError, chat.CutOff, "ended before"),
		wiretest.Fails("an event that the end has cut", wiretest.Raw([]byte("data: "+delta("Half")+"\n\ndata: {\"type\":\"respon"), 1000), chat.ParseError, chat.CutOff, "ended before").After("Half"),
		wiretest.Fails("a body of another form", wiretest.Status(200, "application/json", `{"type":7}`), chat.ParseError, chat.Garbled, "could not be read"),
		wiretest.Fails("silence before speech", wiretest.Hang(created("r")), chat.NetworkStall, chat.Stalled, "fell silent"),
		wiretest.Fails("silence after speech", wiretest.Hang(delta("Half")), chat.NetworkStall, chat.Stalled, "fell silent").After("Half"),
		wiretest.Well("a socket closed after completed (docs/rules/servers.md#a21)", wiretest.HangUp(delta("Whole."), completed("r")), "Whole."),
		wiretest.Well("silence after completed", wiretest.Hang(delta("Whole."), completed("r")), "Whole."),
		wiretest.Well("a whole answer without a stream", wiretest.Status(200, "application/json", `{"id":"r","object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Whole."}]}]}`), "Whole."),
		wiretest.Well("the same, printed prettily and called plain", wiretest.Status(200, "text/plain", "{\n \"object\": \"response\",\n \"output\": [\n  {\"type\": \"message\", \"content\": [{\"type\":\"output_text\",\"text\":\"Whole.\"}]}]}\n"), "Whole."),
	)
	wiretest.RunFaults(t, cases, func(t *testing.T, answer wiretest.Script, log *slog.Logger) (*wiretest.Rig, *wiretest.Server) {
		r := newRig(t, []chat.Tool{wiretest.Says("lookup", "1")}, []change{quick, {
			wire: func(c *responses.Config) { c.Key, c.Log = wiretest.Key, log },
			chat: func(c *chat.Config) { c.Log = log },
		}}, answer)
		return r.Rig, r.server
	})
}

func hangUpAtOnce(w http.ResponseWriter, r *http.Request) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// docs/rules/chat.md#timeouts: "45 s after a speech event (delta or done), 240 s otherwise": a sign of life gives the longer wait.
func TestWatchdog(t *testing.T) {
	slow := func(w http.ResponseWriter, r *http.Request) {
		wiretest.SSE(delta("One. "))(w, r)
		wiretest.SSE(`{"type":"response.web_search_call.searching"}`)(w, r)
		select {
		case <-time.After(250 * time.Millisecond): // longer than the wait after speech
		case <-r.Context().Done():
		}
		wiretest.SSE(delta("Two."), completed("r"))(w, r)
	}
	r := newRig(t, nil, []change{{chat: func(c *chat.Config) {
		c.Limits = chat.Limits{AfterSpeech: 100 * time.Millisecond, Otherwise: 10 * time.Second}
	}}}, slow)
	if d := r.Ask(t, "Hi"); d.Outcome != chat.OK || d.Text != "One. Two." {
		t.Errorf("got %+v", d)
	}
}

// What a server refuses again and again is not sent for ever: neither the id nor the history.
func TestPoisonedChain(t *testing.T) {
	refuse := wiretest.Status(400, "application/json", `{"error":{"message":"No tool output found for function call call_x."}}`)
	r := newRig(t, nil, nil, stream("r1", delta("Hello.")), refuse, refuse, stream("r2", delta("Hello again.")))
	r.Ask(t, "Hi")
	for range 2 {
		if d := r.Ask(t, "Hi"); d.Failure == nil || d.Failure.Reason != chat.Refused {
			t.Errorf("got %+v", d)
		}
	}
	if d := r.Ask(t, "Hi"); d.Text != "Hello again." {
		t.Errorf("got %+v", d)
	}
	reqs := r.server.Requests(t)
	if len(reqs) != 4 || reqs[2]["previous_response_id"] != "r1" || reqs[3]["previous_response_id"] != nil {
		t.Errorf("%d requests", len(reqs))
	}
}

// A conversation that has outgrown the model's window begins anew, instead of failing for ever.
func TestTooLongBreaksTheChain(t *testing.T) {
	long := wiretest.Status(400, "application/json", `{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}`)
	r := newRig(t, nil, nil, stream("r1", delta("Hello.")), long, stream("r2", delta("Hello again.")))
	r.Ask(t, "Hi")
	if d := r.Ask(t, "Hi"); d.Failure == nil || d.Failure.Reason != chat.TooLong {
		t.Errorf("got %+v", d)
	}
	r.Ask(t, "Hi")
	if reqs := r.server.Requests(t); len(reqs) != 3 || reqs[2]["previous_response_id"] != nil {
		t.Errorf("%d requests", len(reqs))
	}
}

// base_url with or without /v1, with trailing slashes, a path prefix, or the whole endpoint; and an id that is lost
// is not looked for at another address.
func TestBaseURLForms(t *testing.T) {
	for _, c := range []struct{ base, at string }{
		{"", "/v1"}, {"/", "/v1"}, {"/v1", "/v1"}, {"/v1//", "/v1"}, {"/v1/responses", "/v1"}, {"/proxy/v1", "/proxy/v1"}, {"/proxy", "/proxy"}, {"/proxy/", "/proxy/v1"}, {"", ""},
	} {
		lose := false
		r := newRig(t, nil, []change{{wire: func(w *responses.Config) { w.BaseURL = strings.TrimSuffix(w.BaseURL, "/v1") + c.base }}},
			func(w http.ResponseWriter, req *http.Request) {
				switch {
				case req.URL.Path != c.at+"/responses":
					http.NotFound(w, req)
				case lose && strings.Contains(wiretest.Body(req), "previous_response_id"):
					wiretest.Status(404, "application/json", `{"error":{"message":"Not Found"}}`)(w, req)
				default:
					stream("r", delta("Hello."))(w, req)
				}
			})
		for range 2 {
			if d := r.Ask(t, "Hi"); d.Text != "Hello." {
				t.Errorf("base %q, at %q: %+v", c.base, c.at, d.Failure)
			}
		}
		before := len(r.server.Paths())
		if before > 3 {
			t.Errorf("base %q: the place was not remembered: %v", c.base, r.server.Paths())
		}
		lose = true
		if d := r.Ask(t, "Hi"); d.Text != "Hello." || len(r.server.Paths()) != before+2 {
			t.Errorf("base %q: lost id: %+v after %v", c.base, d, r.server.Paths()[before:])
		}
	}
	for _, base := range []string{"", "ftp://x", "http://", "http://a b/"} {
		if _, err := responses.New(responses.Config{BaseURL: base}); err == nil {
			t.Errorf("%q was accepted", base)
		}
	}
}

// A turn at rest holds no goroutine, whatever became of it.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := goleak.IgnoreCurrent()
	for _, answer := range []wiretest.Script{
		stream("r", delta("Hello.")), wiretest.Hang(delta("Half")), wiretest.HangUp(delta("Half")), wiretest.Status(500, "text/plain", "x"),
		wiretest.Hang(delta("Whole."), completed("r")),
	} {
		r := newRig(t, nil, []change{quick}, answer)
		r.Ask(t, "Hi")
		r.server.Close()
	}
	goleak.VerifyNone(t, before)
}

// Big things: a line of 5 MB in one call's arguments, 20 kB of arguments in one delta (docs/rules/servers.md#a14, A26).
func TestBigArguments(t *testing.T) {
	for _, size := range []int{20 << 10, 5 << 20} {
		big := `{"q":"` + strings.Repeat("x", size) + `"}`
		tool := wiretest.Says("lookup", "")
		tool.Run = func(_ context.Context, c chat.Call) chat.Result { return chat.Result{Text: fmt.Sprint(len(c.Args))} }
		r := newRig(t, []chat.Tool{tool}, nil, stream("r1", callDone(0, "a", "lookup", big)), stream("r2", delta("Got it.")))
		if d := r.Ask(t, "Go"); d.Text != "Got it." {
			t.Errorf("got %+v", d)
		}
		if got := input(r.server.Requests(t)[1]); !strings.HasSuffix(got, fmt.Sprintf(`"output":"%d","type":"function_call_output"}`, len(big))) {
			t.Errorf("the tool saw %s", got[max(0, len(got)-100):])
		}
	}
}
