package completions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"yui/chat"
	"yui/chat/completions"
)

// script is one answer of the fake server.
type script func(w http.ResponseWriter, r *http.Request)

// bodyKey finds the request's body in its context: it has been read before the script runs.
type bodyKey struct{}

// server is a real HTTP server on loopback that answers by scripts and keeps what it was asked.
type server struct {
	*httptest.Server
	mu      sync.Mutex
	scripts []script
	bodies  [][]byte
	heads   []http.Header
	paths   []string
}

func newServer(t *testing.T, scripts ...script) *server {
	t.Helper()
	s := &server{scripts: scripts}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		n := len(s.bodies)
		s.bodies = append(s.bodies, raw)
		s.heads = append(s.heads, r.Header.Clone())
		s.paths = append(s.paths, r.URL.Path)
		answer := s.scripts[min(n, len(s.scripts)-1)]
		s.mu.Unlock()
		answer(w, r.WithContext(context.WithValue(r.Context(), bodyKey{}, string(raw))))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) requests(t *testing.T) []map[string]any {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []map[string]any
	for _, raw := range s.bodies {
		validate(t, raw)
		var m map[string]any
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatalf("request is no JSON: %v", err)
		}
		out = append(out, m)
	}
	return out
}

// sse writes events one by one.
func sse(events ...string) script {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			fmt.Fprintf(w, "data: %s\n\n", e)
			w.(http.Flusher).Flush()
		}
	}
}

func text(s string) string {
	raw, _ := json.Marshal(s)
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":` + string(raw) + `},"finish_reason":null}]}`
}

func toolCall(index int, id, name, args string) string {
	raw, _ := json.Marshal(args)
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":%q,"type":"function","function":{"name":%q,"arguments":%s}}]},"finish_reason":null}]}`, index, id, name, raw)
}

func finish(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const done = "[DONE]"

// box is a Toolbox of fixed tools.
type box struct {
	tools    []chat.Tool
	switches []chat.SwitchState
}

func (b box) Declared() []chat.Tool        { return b.tools }
func (b box) Switches() []chat.SwitchState { return b.switches }

func lookup(result chat.Result) chat.Tool {
	return chat.Tool{
		Name: "lookup", Description: "Looks something up.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false}`),
		Run:        func(context.Context, chat.Call) chat.Result { return result },
	}
}

func express() chat.Tool {
	return chat.Tool{
		Name: "generate_express", Description: "Places a cue.", OneWay: true,
		Parameters: json.RawMessage(`{"type":"object","properties":{"emotion_id":{"type":"string","enum":["happy"]}},"additionalProperties":false}`),
		Run:        func(context.Context, chat.Call) chat.Result { return chat.Result{Text: "ok"} },
	}
}

// rig is a session over a server, with what it told.
type rig struct {
	*chat.Session
	store  *chat.MemoryStore
	mu     sync.Mutex
	events []chat.Event
}

func newRig(t *testing.T, s *server, tools []chat.Tool, change ...func(*completions.Config, *chat.Config)) *rig {
	t.Helper()
	r := &rig{store: &chat.MemoryStore{}}
	wire := completions.Config{BaseURL: s.URL, Model: "m"}
	cfg := chat.Config{Tools: box{tools: tools}, Store: r.store, Observer: func(e chat.Event) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.events = append(r.events, e)
	}}
	for _, f := range change {
		f(&wire, &cfg)
	}
	transport, err := completions.New(wire)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Transport = transport
	r.Session = chat.NewSession(cfg)
	return r
}

func (r *rig) say(t *testing.T, words string) chat.TurnDone {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	d, err := r.Say(ctx, words, nil).Wait(ctx)
	if err != nil {
		t.Fatalf("turn did not end: %v", err)
	}
	return d
}

// told gives the events, all or of one kind.
func told[E chat.Event](r *rig) []E {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []E
	for _, e := range r.events {
		if e, ok := e.(E); ok {
			out = append(out, e)
		}
	}
	return out
}

func speech(r *rig) string {
	var b strings.Builder
	for _, s := range told[chat.Speech](r) {
		b.WriteString(s.Text)
	}
	return b.String()
}

// proxy passes a request on to another server, so that it can be checked on the way.
func proxy(to string) script {
	return func(w http.ResponseWriter, r *http.Request) {
		resp, err := http.Post(to+r.URL.Path, "application/json", strings.NewReader(r.Context().Value(bodyKey{}).(string)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		buf := make([]byte, 512)
		for {
			n, err := resp.Body.Read(buf)
			_, _ = w.Write(buf[:n])
			w.(http.Flusher).Flush()
			if err != nil {
				return
			}
		}
	}
}
