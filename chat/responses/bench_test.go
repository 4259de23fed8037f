package responses_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"yui/chat"
	"yui/chat/internal/wiretest"
	"yui/chat/responses"
)

func benchSession(b *testing.B, url string, tools []chat.Tool, observe func(chat.Event)) *chat.Session {
	b.Helper()
	transport, err := responses.New(responses.Config{BaseURL: url + "/v1", Model: "m"})
	if err != nil {
		b.Fatal(err)
	}
	return chat.NewSession(chat.Config{Backend: chat.Backend{Transport: transport}, Tools: wiretest.Box(tools), Observer: observe})
}

// "added latency from socket to event under 0.2 ms at the median".
func BenchmarkSocketToEvent(b *testing.B) {
	wiretest.SocketToEvent(b, delta, completed("r"), func(url string, observe func(chat.Event)) *chat.Session {
		return benchSession(b, url, nil, observe)
	})
}

// A turn with one round trip.
func BenchmarkRoundTrip(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if strings.Contains(string(raw), `"function_call_output"`) {
			stream("r2", delta("It is 42."))(w, r)
			return
		}
		stream("r1", callDone(0, "a", "lookup", `{}`))(w, r)
	}))
	defer srv.Close()
	s := benchSession(b, srv.URL, []chat.Tool{wiretest.Says("lookup", "42")}, nil)
	for b.Loop() {
		if d, _ := s.Say(context.Background(), "Go", nil).Wait(context.Background()); d.Text != "It is 42." {
			b.Fatal(d)
		}
	}
}
