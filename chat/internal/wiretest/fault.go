package wiretest

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"yui/chat"
)

// Key is the key of the tests of faults. It must appear nowhere.
const Key = "sk-live-0123456789abcdef"

// Fault is an answer that is not as it should be, and what becomes of the turn.
type Fault struct {
	name    string
	answer  Script
	outcome chat.Outcome
	reason  chat.Reason
	says    string // part of the sentence to the person
	text    string // what was said
	cut     bool
}

// Fails is a fault that ends the turn before anything was said. The sentence to the person holds says.
func Fails(name string, answer Script, outcome chat.Outcome, reason chat.Reason, says string) Fault {
	return Fault{name, answer, outcome, reason, says, "", false}
}

// After makes it one that ends the turn after some speech, which is kept and marked as cut.
func (f Fault) After(text string) Fault {
	f.text, f.cut = text, true
	return f
}

// Well is an oddity that the person does not notice.
func Well(name string, answer Script, text string) Fault {
	return Fault{name: name, answer: answer, outcome: chat.OK, text: text}
}

// Shortened makes it an answer that the server cut by itself.
func (f Fault) Shortened() Fault {
	f.cut = true
	return f
}

// Faults are those that look alike in every protocol over HTTP.
func Faults() []Fault {
	const page = "<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head></html>"
	return []Fault{
		Fails("wrong key", Status(401, "application/json", `{"error":{"message":"Incorrect API key provided: `+Key+`.","code":"invalid_api_key"}}`), chat.HTTPDrop, chat.WrongKey, "valid one"),
		Fails("a key that is masked in part", Status(401, "application/json", `{"error":{"message":"Incorrect API key provided: sk-live-****cdef."}}`), chat.HTTPDrop, chat.WrongKey, "[key]"),
		Fails("forbidden", Status(403, "application/json", `{"error":"no"}`), chat.HTTPDrop, chat.Forbidden, "refuses this key"),
		Fails("unknown model", Status(404, "application/json", `{"error":{"message":"model \"m\" not found, try pulling it first"}}`), chat.NetworkDrop, chat.UnknownModel, `"m"`),
		Fails("unknown address", Status(404, "text/plain", "404 page not found\n"), chat.NetworkDrop, chat.NotFound, "/v1"),
		Fails("a model that it calls not valid", Status(400, "application/json", `{"error":{"message":"m is not a valid model ID"}}`), chat.NetworkDrop, chat.UnknownModel, `"m"`),
		Fails("http at the port for https", Status(400, "text/plain", "Client sent an HTTP request to an HTTPS server.\n"), chat.NetworkDrop, chat.WantsTLS, "https://"),
		Fails("the same of another server", Status(400, "text/html", "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>"), chat.NetworkDrop, chat.WantsTLS, "https://"),
		Fails("the same of a third", Status(400, "text/html", "<html><head><title>400 Bad Request</title></head><body>Reason: You're speaking plain HTTP to an SSL-enabled server port.</body></html>"), chat.NetworkDrop, chat.WantsTLS, "https://"),
		Fails("too many, without a word", Status(429, "application/json", `{}`), chat.NetworkDrop, chat.RateLimited, "look at the limits of the account."),
		Fails("a redirect by its path", Status(308, "text/html", "", "Location", "/other/v1?key="+Key), chat.NetworkDrop, chat.Redirected, "/other/v1)"),
		Fails("nothing paid", Status(402, "application/json", `{"error":{"message":"Insufficient credits."}}`), chat.NetworkDrop, chat.Refused, "Insufficient credits."),
		Fails("too many", Status(429, "application/json", `{"error":{"message":"Rate limit reached"}}`, "Retry-After", "7"), chat.NetworkDrop, chat.RateLimited, "7 seconds"),
		Fails("too long a conversation", Status(400, "application/json", `{"error":{"message":"This model's maximum context length is 4096 tokens.","code":"context_length_exceeded"}}`), chat.NetworkDrop, chat.TooLong, "longer than the model"),
		Fails("server error", Status(500, "application/json", `{"error":{"message":"CUDA out of memory"}}`), chat.NetworkDrop, chat.ServerFailed, "CUDA out of memory"),
		Fails("a gateway's page", Status(502, "text/html", "<html><title>502 Bad Gateway</title></html>"), chat.NetworkDrop, chat.ServerFailed, "502 Bad Gateway"),
		Fails("HTML instead of JSON", Status(200, "text/html", page), chat.ParseError, chat.NotAnAPI, "nginx"),
		Fails("HTML that says it is plain", Status(200, "text/plain", "\n  "+page), chat.ParseError, chat.NotAnAPI, "web page"),
		Fails("an error as the whole 200", Status(200, "application/json", `{"error":{"message":"quota exceeded"}}`), chat.NetworkDrop, chat.ProviderError, "quota exceeded"),
		Fails("a bare error line", Raw([]byte("{\"error\":\"loading model\"}\n\n"), 100), chat.NetworkDrop, chat.ProviderError, "loading model"),
		Fails("an error field", Raw([]byte("error: {\"code\":500,\"message\":\"boom\"}\n\n"), 100), chat.NetworkDrop, chat.ProviderError, "boom"),
	}
}

// RunFaults asks once for each fault. Each gives its outcome and one sentence with the cause, in one request; what was
// said stays, marked; and "keys are never logged, shown or put into an error". rig makes a session that
// reaches a server with this answer by Key and writes its log to log.
func RunFaults(t *testing.T, faults []Fault, rig func(t *testing.T, answer Script, log *slog.Logger) (*Rig, *Server)) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			var log Log
			r, s := rig(t, f.answer, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
			f.check(t, r, s, r.Ask(t, "Hi"))
			if log.String() == "" || strings.Contains(log.String(), "0123456789") {
				t.Errorf("log %q", log.String())
			}
		})
	}
}

func (f Fault) check(t *testing.T, r *Rig, s *Server, d chat.TurnDone) {
	t.Helper()
	if d.Outcome != f.outcome || d.Text != f.text || d.Cut != f.cut {
		t.Errorf("got %+v", d)
	}
	if !strings.Contains(d.Error, f.says) || (d.Error == "") != (f.outcome == chat.OK) {
		t.Errorf("sentence %q", d.Error)
	}
	if d.Failure != nil && d.Failure.Reason != f.reason {
		t.Errorf("reason %s", d.Failure.Reason)
	}
	if d.Failure != nil && strings.Contains(d.Error+d.Failure.Error()+fmt.Sprint(d.Failure.Err), "0123456789") {
		t.Errorf("the key is in %v", d.Failure)
	}
	if n := len(s.Requests(t)); n != 1 {
		t.Errorf("%d requests: nothing of this is retried", n)
	}
	items := r.Store.Items()
	if len(items) == 0 || items[0].NotSent != (f.outcome != chat.OK && f.text == "") {
		t.Errorf("user item %+v", items)
	}
	if f.text != "" && (len(items) != 2 || items[1].Text != f.text || items[1].Cut != f.cut) {
		t.Errorf("transcript %+v", items)
	}
}

// Log collects what is logged, for several goroutines.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String gives all of it.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
