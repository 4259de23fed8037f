//go:build !windows && !darwin

package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeServer is a Chat Completions server on loopback that does what the person's last words ask for.
type fakeServer struct {
	*httptest.Server
	key string
	// hang ends when the test does, and with it every answer that never comes.
	hang chan struct{}
	// step lets an answer that waits for it go on.
	step chan struct{}

	mu       sync.Mutex
	requests []chatRequest
	gone     int // requests that the client gave up
}

type chatMessage struct {
	Role       string
	Content    any
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

type chatRequest struct {
	Model    string
	Stream   bool
	Messages []chatMessage
	Tools    []toolRow
	tools    string // the bytes of Tools
	header   http.Header
	path     string
}

// text is a message's words, whichever shape they have.
func (m chatMessage) text() string {
	switch c := m.Content.(type) {
	case string:
		return c
	case []any:
		var b strings.Builder
		for _, part := range c {
			if p, ok := part.(map[string]any); ok {
				fmt.Fprint(&b, p["text"])
			}
		}
		return b.String()
	}
	return ""
}

// said is what the person said last.
func (r chatRequest) said() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return r.Messages[i].text()
		}
	}
	return ""
}

// holds says whether the text is in any message.
func (r chatRequest) holds(text string) bool {
	return slices.ContainsFunc(r.Messages, func(m chatMessage) bool { return strings.Contains(m.text(), text) })
}

func newFakeServer(t *testing.T, key string) *fakeServer {
	f := &fakeServer{key: key, hang: make(chan struct{}), step: make(chan struct{}, 1)}
	f.Server = httptest.NewServer(f)
	t.Cleanup(func() {
		close(f.hang)
		f.Server.Close()
	})
	return f
}

// config is the config.toml that names this server.
func (f *fakeServer) config() string {
	return fmt.Sprintf("[chat]\napi = \"chat_completions\"\nbase_url = %q\nmodel = \"fake-model\"\n", f.URL+"/v1")
}

func (f *fakeServer) last() chatRequest {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.requests) == 0 {
		return chatRequest{}
	}
	return f.requests[len(f.requests)-1]
}

func (f *fakeServer) abandoned() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.gone
}

// ServeHTTP implements http.Handler.
func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/models") {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"fake-model","object":"model"}]}`)
		return
	}
	var req chatRequest
	var raw struct{ Tools json.RawMessage }
	body, err := io.ReadAll(r.Body)
	if err = errors.Join(err, json.Unmarshal(body, &req), json.Unmarshal(body, &raw)); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	req.tools, req.header, req.path = string(raw.Tools), r.Header, r.URL.Path
	f.mu.Lock()
	f.requests = append(f.requests, req)
	f.mu.Unlock()
	for word, answer := range f.answers() {
		if strings.Contains(req.said(), word) {
			answer(w, r, req)
			return
		}
	}
	stream(w).text("You said something.").finish("stop")
}

func (f *fakeServer) answers() map[string]func(http.ResponseWriter, *http.Request, chatRequest) {
	return map[string]func(http.ResponseWriter, *http.Request, chatRequest){
		"w-stream": func(w http.ResponseWriter, _ *http.Request, _ chatRequest) {
			s := stream(w)
			for _, piece := range []string{"Hello", " from", " the", " fake. ", "日本語も", "できる。"} {
				s.text(piece)
				time.Sleep(20 * time.Millisecond)
			}
			s.finish("stop")
		},
		"w-tool": func(w http.ResponseWriter, _ *http.Request, req chatRequest) {
			if last := req.Messages[len(req.Messages)-1]; last.Role == "tool" {
				stream(w).text("It answered " + last.text() + ".").finish("stop")
				return
			}
			s := stream(w)
			s.delta(`{"role":"assistant","tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"body_action","arguments":"{\"action\":\"mo"}}]}`)
			s.delta(`{"tool_calls":[{"index":0,"function":{"arguments":"ve_to\",\"spot\":\"bottom-left\"}"}}]}`)
			s.finish("tool_calls")
		},
		"w-face": func(w http.ResponseWriter, _ *http.Request, _ chatRequest) {
			s := stream(w)
			s.text("I am so glad. Really very glad about this!")
			s.delta(`{"tool_calls":[{"index":0,"id":"call_b","type":"function","function":{"name":"generate_express","arguments":"{\"emotion_id\":\"happy\"}"}}]}`)
			s.finish("tool_calls")
		},
		"w-feel": func(w http.ResponseWriter, r *http.Request, _ chatRequest) {
			s := stream(w)
			s.progress("running")
			select {
			case <-f.step:
			case <-f.hang:
			case <-r.Context().Done():
			}
			s.progress("completed")
			s.text("I have found it.").finish("stop")
		},
		"w-stall": func(w http.ResponseWriter, r *http.Request, _ chatRequest) {
			stream(w).text("I was about to")
			f.wait(r)
		},
		"w-empty": func(w http.ResponseWriter, _ *http.Request, _ chatRequest) { stream(w).finish("stop") },
		"(A signal has arrived.)": func(w http.ResponseWriter, _ *http.Request, req chatRequest) {
			if req.holds("keep still") {
				stream(w).text("[SILENT]").finish("stop")
				return
			}
			stream(w).text("You said something.").finish("stop")
		},
		"w-silent": func(_ http.ResponseWriter, r *http.Request, _ chatRequest) { f.wait(r) },
		"w-cut": func(w http.ResponseWriter, _ *http.Request, _ chatRequest) {
			stream(w).text("This was cut").text(" in the mid")
			panic(http.ErrAbortHandler)
		},
		"w-html": func(w http.ResponseWriter, _ *http.Request, _ chatRequest) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!DOCTYPE html><html><head><title>Welcome</title></head><body>Log in here</body></html>")
		},
		"w-401": func(w http.ResponseWriter, _ *http.Request, _ chatRequest) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s.","type":"invalid_request_error","code":"invalid_api_key"}}`, f.key)
		},
		"w-500": func(w http.ResponseWriter, _ *http.Request, _ chatRequest) {
			http.Error(w, "upstream "+f.key+" fell over", http.StatusInternalServerError)
		},
		"w-nonsense": func(w http.ResponseWriter, _ *http.Request, _ chatRequest) {
			w.Header().Set("Content-Type", "text/event-stream")
			noise := make([]byte, 4096)
			for i := range noise {
				noise[i] = byte(i*i*31 + i>>3)
			}
			_, _ = w.Write(noise) // the client may have hung up by then
		},
		"w-inside": func(w http.ResponseWriter, _ *http.Request, _ chatRequest) {
			s := stream(w).text("Let me")
			s.raw(`{"error":{"message":"The engine is overloaded","type":"server_error","code":"overloaded"}}`)
		},
	}
}

func (f *fakeServer) wait(r *http.Request) {
	select {
	case <-f.hang:
	case <-r.Context().Done():
		f.mu.Lock()
		f.gone++
		f.mu.Unlock()
	}
}

// sse writes the chunks of one answer.
type sse struct{ w http.ResponseWriter }

func stream(w http.ResponseWriter) sse {
	w.Header().Set("Content-Type", "text/event-stream")
	return sse{w}
}

func (s sse) raw(data string) {
	fmt.Fprintf(s.w, "data: %s\n\n", data)
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}

// progress is what a server tells that runs tools of its own.
func (s sse) progress(status string) {
	fmt.Fprint(s.w, "event: hermes.tool.progress\n")
	s.raw(`{"name":"web_search","status":"` + status + `"}`)
}

func (s sse) delta(delta string) {
	s.raw(`{"id":"c1","object":"chat.completion.chunk","model":"fake-model","choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}`)
}

func (s sse) text(text string) sse {
	b, err := json.Marshal(map[string]string{"content": text})
	if err != nil {
		panic(err) // strings always encode
	}
	s.delta(string(b))
	return s
}

func (s sse) finish(reason string) {
	s.raw(`{"id":"c1","object":"chat.completion.chunk","model":"fake-model","choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`)
	_, _ = io.WriteString(s.w, "data: [DONE]\n\n") // the client may have what it wants
}
