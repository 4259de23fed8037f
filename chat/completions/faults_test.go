package completions_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"yui/chat"
	"yui/chat/completions"
	"yui/chat/internal/wiretest"
)

const secret = "sk-live-0123456789abcdef"

// Servers as they are: each fault gives its outcome, one sentence with the cause, and never the key.
func TestFaults(t *testing.T) {
	const page = "<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head></html>"
	cases := []struct {
		name    string
		answer  wiretest.Script
		outcome chat.Outcome
		reason  chat.Reason
		says    string // in the sentence
		text    string
		cut     bool
	}{
		{"wrong key", wiretest.Status(401, "application/json", `{"error":{"message":"Incorrect API key provided: `+secret+`.","code":"invalid_api_key"}}`), chat.HTTPDrop, chat.WrongKey, "valid one", "", false},
		{"a key that is masked in part", wiretest.Status(401, "application/json", `{"error":{"message":"Incorrect API key provided: sk-live-****cdef."}}`), chat.HTTPDrop, chat.WrongKey, "[key]", "", false},
		{"forbidden", wiretest.Status(403, "application/json", `{"error":"no"}`), chat.HTTPDrop, chat.Forbidden, "refuses this key", "", false},
		{"unknown model", wiretest.Status(404, "application/json", `{"error":{"message":"model \"m\" not found, try pulling it first"}}`), chat.NetworkDrop, chat.UnknownModel, `"m"`, "", false},
		{"unknown address", wiretest.Status(404, "text/plain", "404 page not found\n"), chat.NetworkDrop, chat.NotFound, "/v1", "", false},
		{"too many", wiretest.Status(429, "application/json", `{"error":{"message":"Rate limit reached"}}`, "Retry-After", "7"), chat.NetworkDrop, chat.RateLimited, "7s", "", false},
		{"too long a conversation", wiretest.Status(400, "application/json", `{"error":{"message":"This model's maximum context length is 4096 tokens.","code":"context_length_exceeded"}}`), chat.NetworkDrop, chat.TooLong, "longer than the model", "", false},
		{"server error", wiretest.Status(500, "application/json", `{"error":{"message":"CUDA out of memory"}}`), chat.NetworkDrop, chat.ServerFailed, "CUDA out of memory", "", false},
		{"a gateway's page", wiretest.Status(502, "text/html", "<html><title>502 Bad Gateway</title></html>"), chat.NetworkDrop, chat.ServerFailed, "502 Bad Gateway", "", false},
		{"HTML instead of JSON", wiretest.Status(200, "text/html", page), chat.ParseError, chat.NotAnAPI, "nginx", "", false},
		{"HTML that says it is plain", wiretest.Status(200, "text/plain", "\n  "+page), chat.ParseError, chat.NotAnAPI, "web page", "", false},
		{"a redirect", wiretest.Status(301, "text/html", "", "Location", "https://elsewhere.example/v1/chat/completions"), chat.NetworkDrop, chat.Redirected, "elsewhere.example", "", false},
		{"nonsense in the stream", wiretest.SSE(text("Half"), `{"choices":[`), chat.ParseError, chat.Garbled, "could not be read", "Half", true},
		{"an error inside a good stream (cases.md A28)", wiretest.SSE(text("Half"), `{"error":{"message":"tool call validation failed","code":"tool_use_failed"}}`), chat.NetworkDrop, chat.ProviderError, "tool call validation failed", "Half", true},
		{"an error as the whole 200", wiretest.Status(200, "application/json", `{"error":{"message":"quota exceeded"}}`), chat.NetworkDrop, chat.ProviderError, "quota exceeded", "", false},
		{"a bare error line", wiretest.Raw([]byte("{\"error\":\"loading model\"}\n\n"), 100), chat.NetworkDrop, chat.ProviderError, "loading model", "", false},
		{"an error field", wiretest.Raw([]byte("error: {\"code\":500,\"message\":\"boom\"}\n\n"), 100), chat.NetworkDrop, chat.ProviderError, "boom", "", false},
		{"an end without a finish (cases.md A20)", wiretest.SSE(text("Half "), text("an answer")), chat.ParseError, chat.CutOff, "ended before", "Half an answer", true},
		{"a socket closed in the middle", wiretest.HangUp(text("Half")), chat.ParseError, chat.CutOff, "ended before", "Half", true},
		{"a socket closed at once", func(w http.ResponseWriter, r *http.Request) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			_ = conn.Close()
		}, chat.NetworkDrop, chat.Unreachable, "Nobody answers", "", false},
		{"an empty answer", wiretest.Status(200, "text/event-stream", ""), chat.ParseError, chat.CutOff, "empty", "", false},
		{"nothing but an unfinished call", wiretest.SSE(toolCall(0, "a", "lookup", `{"q":`)), chat.ParseError, chat.CutOff, "ended before", "", false},
		{"a socket closed after the finish (cases.md A21)", wiretest.HangUp(text("Whole."), finish("stop")), chat.OK, "", "", "Whole.", false},
		{"an answer cut by its length", wiretest.SSE(text("Long"), finish("length"), done), chat.OK, "", "", "Long", true},
		{"silence after the finish", wiretest.Hang(text("Whole."), finish("stop")), chat.OK, "", "", "Whole.", false},
		{"a finish on every chunk, then silence (decisions.md 3)", wiretest.Hang(
			`{"choices":[{"index":0,"delta":{"content":"Who"},"finish_reason":"stop"}]}`,
			`{"choices":[{"index":0,"delta":{"content":"le."},"finish_reason":"stop"}]}`), chat.OK, "", "", "Whole.", false},
		{"silence before speech", wiretest.Hang(), chat.NetworkStall, chat.Stalled, "fell silent", "", false},
		{"silence after speech", wiretest.Hang(text("Half")), chat.NetworkStall, chat.Stalled, "fell silent", "Half", true},
		{"a whole answer without a stream", wiretest.Status(200, "application/json", `{"choices":[{"index":0,"message":{"role":"assistant","content":"Whole."},"finish_reason":"stop"}]}`), chat.OK, "", "", "Whole.", false},
		{"the same, printed prettily and called plain", wiretest.Status(200, "text/plain", "{\n \"choices\": [\n  {\"message\": {\"content\": \"Whole.\"}, \"finish_reason\": \"stop\"}]}\n"), chat.OK, "", "", "Whole.", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, c.answer)
			r := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "1"})}, func(w *completions.Config, cfg *chat.Config) {
				w.BaseURL += "/v1"
				w.Key = secret
				w.Quiet = 50 * time.Millisecond
				cfg.Limits = chat.Limits{AfterSpeech: 150 * time.Millisecond, Otherwise: 300 * time.Millisecond}
			})
			d := r.Ask(t, "Hi")
			if d.Outcome != c.outcome || d.Text != c.text || d.Cut != c.cut {
				t.Errorf("got %+v", d)
			}
			if !strings.Contains(d.Error, c.says) || (d.Error == "") != (c.outcome == chat.OK) {
				t.Errorf("sentence %q", d.Error)
			}
			if d.Failure != nil && d.Failure.Reason != c.reason {
				t.Errorf("reason %s", d.Failure.Reason)
			}
			if d.Failure != nil && strings.Contains(d.Error+d.Failure.Error()+fmt.Sprint(d.Failure.Err), "0123456789") {
				t.Errorf("the key is in %v", d.Failure)
			}
			if n := len(s.Requests(t)); n != 1 {
				t.Errorf("%d requests: nothing of this is retried", n)
			}
			items := r.Store.Items()
			if len(items) == 0 || items[0].NotSent != (c.outcome != chat.OK && c.text == "") {
				t.Errorf("user item %+v", items)
			}
			if c.text != "" && (len(items) != 2 || items[1].Text != c.text || items[1].Cut != c.cut) {
				t.Errorf("transcript %+v", items)
			}
		})
	}
}

// Where nobody answers at all.
func TestNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + l.Addr().String()
	_ = l.Close()
	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains about the clients that refuse it
	tls.StartTLS()
	defer tls.Close()
	for base, want := range map[string]chat.Reason{
		closed:                         chat.Unreachable,
		"http://yui.invalid:1/v1":      chat.UnknownHost,
		tls.URL:                        chat.BadCertificate,
		"https://" + tls.URL[8:] + "/": chat.BadCertificate,
	} {
		transport, err := completions.New(completions.Config{BaseURL: base, Key: secret})
		if err != nil {
			t.Fatal(err)
		}
		s := chat.NewSession(chat.Config{Backend: chat.Backend{Transport: transport}})
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		d, err := s.Say(ctx, "Hi", nil).Wait(ctx)
		cancel()
		if err != nil || d.Outcome != chat.NetworkDrop || d.Failure.Reason != want {
			t.Errorf("%s: %+v %v", base, d.Failure, err)
		}
	}
	for _, base := range []string{"", "ftp://x", "http://", "http://[::1", "http://a b/"} {
		if _, err := completions.New(completions.Config{BaseURL: base}); err == nil {
			t.Errorf("%q was accepted", base)
		}
	}
	d, _ := chat.NewSession(chat.Config{}).Say(context.Background(), "Hi", nil).Wait(context.Background())
	if d.Outcome != chat.NotConfigured || !strings.Contains(d.Error, "base_url") {
		t.Errorf("no transport: %+v", d)
	}
}

// base_url with or without /v1, with trailing slashes, a path prefix, or the whole endpoint.
func TestBaseURLForms(t *testing.T) {
	for _, c := range []struct {
		base string
		at   string // where the server really has its chat
	}{
		{"", "/v1"}, {"/", "/v1"}, {"/v1", "/v1"}, {"/v1/", "/v1"}, {"/v1//", "/v1"}, {"/v1/chat/completions", "/v1"},
		{"/proxy/v1", "/proxy/v1"}, {"/proxy", "/proxy"}, {"/proxy/", "/proxy/v1"}, {"/v1beta/openai/", "/v1beta/openai"}, {"", ""},
	} {
		s := newServer(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != c.at+"/chat/completions" {
				http.NotFound(w, r)
				return
			}
			wiretest.SSE(text("Hello."), finish("stop"), done)(w, r)
		})
		r := newRig(t, s, nil, func(w *completions.Config, _ *chat.Config) { w.BaseURL += c.base })
		for range 2 {
			if d := r.Ask(t, "Hi"); d.Text != "Hello." {
				t.Errorf("base %q, chat at %q: %+v", c.base, c.at, d.Failure)
			}
		}
		if n := len(s.Paths()); n > 3 {
			t.Errorf("base %q: the place was not remembered: %v", c.base, s.Paths())
		}
	}
}

// A turn at rest holds no goroutine, whatever became of it.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := goleak.IgnoreCurrent()
	for _, answer := range []wiretest.Script{
		wiretest.SSE(text("Hello."), finish("stop"), done), wiretest.Hang(text("Half")), wiretest.HangUp(text("Half")), wiretest.Status(500, "text/plain", "x"),
		wiretest.Hang(text("Whole."), finish("stop")),
	} {
		s := newServer(t, answer)
		r := newRig(t, s, nil, func(w *completions.Config, cfg *chat.Config) {
			w.Quiet = 30 * time.Millisecond
			cfg.Limits = chat.Limits{AfterSpeech: 50 * time.Millisecond, Otherwise: 100 * time.Millisecond}
		})
		r.Ask(t, "Hi")
		s.Close()
	}
	goleak.VerifyNone(t, before)
}

// Big things: a line of 5 MB in one call's arguments, 20 kB of arguments in one delta (cases.md A14, A26).
func TestBigArguments(t *testing.T) {
	for _, size := range []int{20 << 10, 5 << 20} {
		big := `{"q":"` + strings.Repeat("x", size) + `"}`
		s := newServer(t, wiretest.SSE(toolCall(0, "a", "lookup", big), finish("tool_calls"), done), wiretest.SSE(text("Got it."), finish("stop"), done))
		tool := lookup(chat.Result{})
		tool.Run = func(_ context.Context, c chat.Call) chat.Result { return chat.Result{Text: fmt.Sprint(len(c.Args))} }
		r := newRig(t, s, []chat.Tool{tool})
		if d := r.Ask(t, "Go"); d.Text != "Got it." {
			t.Errorf("got %+v", d)
		}
		reqs := s.Requests(t)
		last := reqs[1]["messages"].([]any)
		if got := last[len(last)-1].(map[string]any)["content"]; got != fmt.Sprint(len(big)) {
			t.Errorf("the tool saw %v bytes", got)
		}
	}
}
