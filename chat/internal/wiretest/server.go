// Package wiretest is what the tests of the transports share: a scripted HTTP server on loopback, a session with what
// it told, the schemas that every request is checked against, and the counterparts that others wrote.
package wiretest

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
)

// Script is one answer of the server.
type Script func(w http.ResponseWriter, r *http.Request)

// bodyKey finds the request's body in its context: it has been read before the script runs.
type bodyKey struct{}

// Body gives the body of a scripted request.
func Body(r *http.Request) string { s, _ := r.Context().Value(bodyKey{}).(string); return s }

// Server is a real HTTP server that answers by scripts, the last one again and again, and keeps what it was asked.
type Server struct {
	*httptest.Server
	schema  *Schema
	mu      sync.Mutex
	scripts []Script
	bodies  [][]byte
	checked int // so many of them fit the schema
	heads   []http.Header
	paths   []string
}

// NewServer starts a server. "Every request body is checked in the tests": at the latest at the test's end,
// against schema.
func NewServer(t testing.TB, schema *Schema, scripts ...Script) *Server {
	t.Helper()
	s := &Server{scripts: scripts, schema: schema}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() {
		s.Close()
		s.Requests(t)
	})
	return s
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	n := len(s.bodies)
	s.bodies = append(s.bodies, raw)
	s.heads = append(s.heads, r.Header.Clone())
	s.paths = append(s.paths, r.URL.Path)
	answer := s.scripts[min(n, len(s.scripts)-1)]
	s.mu.Unlock()
	answer(w, r.WithContext(context.WithValue(r.Context(), bodyKey{}, string(raw))))
}

// Requests gives the bodies so far, each of which must fit the schema.
func (s *Server) Requests(t testing.TB) []map[string]any {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []map[string]any
	for i, raw := range s.bodies {
		if i >= s.checked {
			s.checked = i + 1
			s.schema.Check(t, raw)
		}
		var m map[string]any
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatalf("request is no JSON: %v", err)
		}
		out = append(out, m)
	}
	return out
}

// Header gives a header of request n.
func (s *Server) Header(n int) http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heads[n]
}

// Paths gives the paths asked for.
func (s *Server) Paths() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.paths...)
}

// SSE writes events one by one.
func SSE(events ...string) Script {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			fmt.Fprintf(w, "data: %s\n\n", e)
			w.(http.Flusher).Flush()
		}
	}
}

// Raw answers with bytes as they are, step at a time.
func Raw(body []byte, step int) Script {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		write(w, body, step)
	}
}

func write(w http.ResponseWriter, body []byte, step int) {
	for at := 0; at < len(body); at += step {
		_, _ = w.Write(body[at:min(at+step, len(body))])
		w.(http.Flusher).Flush()
	}
}

// Status answers with a status, a kind of body and headers.
func Status(code int, kind, body string, heads ...string) Script {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		for i := 0; i+1 < len(heads); i += 2 {
			w.Header().Set(heads[i], heads[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

// HangUp sends what it is given and then closes the socket in the middle of the chunked body.
func HangUp(events ...string) Script {
	return func(w http.ResponseWriter, r *http.Request) {
		SSE(events...)(w, r)
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_ = conn.Close()
		}
	}
}

// Hang sends what it is given and then nothing for as long as the client waits.
func Hang(events ...string) Script {
	return func(w http.ResponseWriter, r *http.Request) {
		SSE(events...)(w, r)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

// Proxy passes a request on to another server, so that it can be checked on the way.
func Proxy(to string) Script {
	return func(w http.ResponseWriter, r *http.Request) {
		resp, err := http.Post(to+r.URL.Path, "application/json", strings.NewReader(Body(r)))
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
