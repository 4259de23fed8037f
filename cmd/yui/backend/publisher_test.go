package backend

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"yui/chat/push"
)

// The start publishes beside the first change of the vocabulary: both use one broker, which is made once.
func TestPublishAtOnce(t *testing.T) {
	var asked atomic.Int32
	broker := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusNotFound)
	}))
	defer broker.Close()
	var log bytes.Buffer
	p := &Publisher{log: slog.New(slog.NewTextHandler(&log, nil))}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { p.Publish(t.Context(), broker.URL, push.Vocabulary{EmotionIDs: []string{"joy"}}) })
	}
	all.Wait()
	if n := strings.Count(log.String(), BrokerGoes); n != 1 || asked.Load() == 0 {
		t.Errorf("the broker was made %d times and asked %d times", n, asked.Load())
	}
	first := p.broker
	if p.Publish(t.Context(), "", push.Vocabulary{}); p.broker != first {
		t.Error("no address made another broker")
	}
	if p.Publish(t.Context(), "nonsense://", push.Vocabulary{}); !strings.Contains(log.String(), "read broker_base_url") {
		t.Errorf("an address that is none: %s", log.String())
	}
}
