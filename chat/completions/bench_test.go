package completions_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"yui/chat"
	"yui/chat/completions"
	"yui/chat/internal/wiretest"
)

// "added latency from socket to event under 0.2 ms at the median".
func BenchmarkSocketToEvent(b *testing.B) {
	wiretest.SocketToEvent(b, text, finish("stop"), func(url string, observe func(chat.Event)) *chat.Session {
		return session(b, url, nil, observe)
	})
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
