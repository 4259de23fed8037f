package wiretest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"yui/chat"
)

// SocketToEvent measures from the socket to the observer: the server stamps each token when it writes it. token makes
// an event of a piece of speech, end is what completes the answer.
func SocketToEvent(b *testing.B, token func(string) string, end string, session func(url string, observe func(chat.Event)) *chat.Session) {
	b.Helper()
	const tokens = 200
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range tokens {
			fmt.Fprintf(w, "data: %s\n\n", token(strconv.FormatInt(time.Now().UnixNano(), 10)+" "))
			w.(http.Flusher).Flush()
			time.Sleep(500 * time.Microsecond)
		}
		fmt.Fprintf(w, "data: %s\n\n", end)
	}))
	defer srv.Close()
	var took []time.Duration
	s := session(srv.URL, func(e chat.Event) {
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
	if len(took) == 0 {
		b.Fatal("no token arrived")
	}
	sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
}
