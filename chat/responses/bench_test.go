package responses_test

import (
	"context"
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

// From the socket to the observer: the server stamps each token when it writes it.
func BenchmarkSocketToEvent(b *testing.B) {
	const tokens = 200
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range tokens {
			fmt.Fprintf(w, "data: %s\n\n", delta(strconv.FormatInt(time.Now().UnixNano(), 10)+" "))
			w.(http.Flusher).Flush()
			time.Sleep(500 * time.Microsecond)
		}
		fmt.Fprintf(w, "data: %s\n\n", completed("r"))
	}))
	defer srv.Close()
	var took []time.Duration
	s := benchSession(b, srv.URL, nil, func(e chat.Event) {
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
