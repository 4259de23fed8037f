package completions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"yui/chat"
	"yui/chat/completions"
	"yui/chat/internal/wiretest"
)

// From the socket to the observer: the server stamps each token when it writes it.
func BenchmarkSocketToEvent(b *testing.B) {
	const tokens = 200
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range tokens {
			fmt.Fprintf(w, "data: %s\n\n", text(strconv.FormatInt(time.Now().UnixNano(), 10)+" "))
			w.(http.Flusher).Flush()
			time.Sleep(500 * time.Microsecond)
		}
		fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", finish("stop"))
	}))
	defer srv.Close()
	var took []time.Duration
	s := session(b, srv.URL, nil, func(e chat.Event) {
		if e, ok := e.(chat.Speech); ok {
			now := time.Now().UnixNano()
			if at, err := strconv.ParseInt(strings.TrimSpace(e.Text), 10, 64); err == nil {
				took = append(took, time.Duration(now-at))
			}
		}
	})
	for b.Loop() {
		<-s.Say(context.Background(), "Go", nil).Done()
	}
	sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
}

// A turn with one round trip, beside the same two requests sent bare.
func BenchmarkRoundTrip(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if strings.Contains(string(raw), `"role":"tool"`) {
			wiretest.SSE(text("It is 42."), finish("stop"), done)(w, r)
			return
		}
		wiretest.SSE(toolCall(0, "a", "lookup", `{}`), finish("tool_calls"), done)(w, r)
	}))
	defer srv.Close()
	b.Run("turn", func(b *testing.B) {
		s := session(b, srv.URL, []chat.Tool{lookup(chat.Result{Text: "42"})}, nil)
		s.SetBackend(chat.Backend{Transport: transport(b, srv.URL), Window: 100})
		for b.Loop() {
			if d, _ := s.Say(context.Background(), "Go", nil).Wait(context.Background()); d.Text != "It is 42." {
				b.Fatal(d)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			for _, role := range []string{"user", "tool"} {
				body, _ := json.Marshal(map[string]any{"messages": []any{map[string]string{"role": role}}})
				resp, err := http.Post(srv.URL, "application/json", strings.NewReader(string(body)))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		}
	})
}

func transport(b *testing.B, url string) *completions.Transport {
	b.Helper()
	t, err := completions.New(completions.Config{BaseURL: url, Model: "m"})
	if err != nil {
		b.Fatal(err)
	}
	return t
}

func session(b *testing.B, url string, tools []chat.Tool, observe func(chat.Event)) *chat.Session {
	b.Helper()
	return chat.NewSession(chat.Config{Backend: chat.Backend{Transport: transport(b, url)}, Tools: wiretest.Box(tools), Observer: observe})
}
