package completions_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
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

// Servers as they are: each fault gives its outcome, one sentence with the cause, and never the key.
func TestFaults(t *testing.T) {
	cases := append(wiretest.Faults(),
		wiretest.Fails("a redirect", wiretest.Status(301, "text/html", "", "Location", "https://elsewhere.example/v1/chat/completions"), chat.NetworkDrop, chat.Redirected, "elsewhere.example"),
		wiretest.Fails("nonsense in the stream", wiretest.SSE(text("Half"), `{"choices":[`), chat.ParseError, chat.Garbled, "could not be read").After("Half"),
		wiretest.Fails("an error inside a good stream (docs/rules/servers.md#a28)", wiretest.SSE(text("Half"), `{"error":{"message":"tool call validation failed","code":"tool_use_failed"}}`), chat.NetworkDrop, chat.ProviderError, "tool call validation failed").After("Half"),
		wiretest.Fails("an end without a finish (docs/rules/servers.md#a20)", wiretest.SSE(text("Half "), text("an answer")), chat.ParseError, chat.CutOff, "ended before").After("Half an answer"),
		wiretest.Fails("a socket closed in the middle", wiretest.HangUp(text("Half")), chat.ParseError, chat.CutOff, "ended before").After("Half"),
		wiretest.Fails("a socket closed at once", func(w http.ResponseWriter, r *http.Request) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			_ = conn.Close()
		}, chat.NetworkDrop, chat.Unreachable, "Nobody answers"),
		wiretest.Fails("an empty answer", wiretest.Status(200, "text/event-stream", ""), chat.ParseError, chat.CutOff, "empty"),
		wiretest.Fails("noise", wiretest.Raw([]byte("\x1f\x8b\x08 what is this\nno event at all\n\n"), 9), chat.ParseError, chat.Garbled, "could not be read"),
		wiretest.Fails("noise that is no stream", wiretest.Status(200, "text/plain", "It works!"), chat.ParseError, chat.Garbled, "could not be read"),
		wiretest.Fails("Responses instead", wiretest.SSE(`{"type":"response.created","response":{"id":"r"}}`, `{"type":"response.output_text.delta","delta":"Hello"}`, `{"type":"response.completed","response":{"id":"r"}}`), chat.ParseError, chat.Garbled, "names what the server speaks"),
		wiretest.Fails("pings and then an end", wiretest.SSE(`{"type":"ping"}`, `{}`), chat.ParseError, chat.CutOff, "empty"),
		wiretest.Fails("an event that the end has cut", wiretest.Raw([]byte("data: "+text("Half")+"\n\ndata: {\"choices\":[{\"del"), 1000), chat.ParseError, chat.CutOff, "ended before").After("Half"),
		wiretest.Well("usage that the end has cut, after the finish", wiretest.Raw([]byte("data: "+text("Whole.")+"\n\ndata: "+finish("stop")+"\n\ndata: {\"choices\":[],\"usage\":{\"prom"), 1000), "Whole."),
		wiretest.Fails("a body of another form", wiretest.Status(200, "application/json", `{"choices":"none"}`), chat.ParseError, chat.Garbled, "could not be read"),
		wiretest.Fails("nothing but an unfinished call", wiretest.SSE(toolCall(0, "a", "lookup", `{"q":`)), chat.ParseError, chat.CutOff, "ended before"),
		wiretest.Well("a socket closed after the finish (docs/rules/servers.md#a21)", wiretest.HangUp(text("Whole."), finish("stop")), "Whole."),
		wiretest.Well("an answer cut by its length", wiretest.SSE(text("Long"), finish("length"), done), "Long").Shortened(),
		wiretest.Well("silence after the finish", wiretest.Hang(text("Whole."), finish("stop")), "Whole."),
		wiretest.Well("a finish on every chunk, then silence (docs/rules/chat.md#release-of-calls)", wiretest.Hang(
			`{"choices":[{"index":0,"delta":{"content":"Who"},"finish_reason":"stop"}]}`,
			`{"choices":[{"index":0,"delta":{"content":"le."},"finish_reason":"stop"}]}`), "Whole."),
		wiretest.Fails("silence before speech", wiretest.Hang(), chat.NetworkStall, chat.Stalled, "fell silent"),
		wiretest.Fails("silence after speech", wiretest.Hang(text("Half")), chat.NetworkStall, chat.Stalled, "fell silent").After("Half"),
		wiretest.Well("a whole answer without a stream", wiretest.Status(200, "application/json", `{"choices":[{"index":0,"message":{"role":"assistant","content":"Whole."},"finish_reason":"stop"}]}`), "Whole."),
		wiretest.Well("the same, printed prettily and called plain", wiretest.Status(200, "text/plain", "{\n \"choices\": [\n  {\"message\": {\"content\": \"Whole.\"}, \"finish_reason\": \"stop\"}]}\n"), "Whole."),
	)
	wiretest.RunFaults(t, cases, func(t *testing.T, answer wiretest.Script, log *slog.Logger) (*wiretest.Rig, *wiretest.Server) {
		s := newServer(t, answer)
		return newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "1"})}, func(w *completions.Config, cfg *chat.Config) {
			w.BaseURL = s.URL + "/v1"
			w.Key, w.Log, cfg.Log = wiretest.Key, log, log
			w.Quiet = 50 * time.Millisecond
			cfg.Limits = chat.Limits{AfterSpeech: 150 * time.Millisecond, Otherwise: 300 * time.Millisecond}
		}), s
	})
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
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	for base, want := range map[string]chat.Reason{
		"https://" + plain.URL[7:]:     chat.NotTLS,
		closed:                         chat.Unreachable,
		"http://yui.invalid:1/v1":      chat.UnknownHost,
		tls.URL:                        chat.BadCertificate,
		"https://" + tls.URL[8:] + "/": chat.BadCertificate,
	} {
		transport, err := completions.New(completions.Config{BaseURL: base, Key: wiretest.Key})
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

// Big things: a line of 5 MB in one call's arguments, 20 kB of arguments in one delta (docs/rules/servers.md#a14, A26).
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
