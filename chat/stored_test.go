package chat

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"yui/internal/fuzzmem"
)

// FuzzStored reads what the database holds of a conversation beside its lines. Whatever it is, the next turn runs, with
// no more lines of context than there may be.
func FuzzStored(f *testing.F) {
	for _, raw := range []string{`"resp_68"`, `null`, `"2026-03-02T20:00:00Z"`, `["said aside","a\nb"]`,
		`{"event_name":"user","state":"interrupted","ts":"2026-03-02T20:00:00Z","spoken":"Once","unspoken":"upon"}`,
		`{"event_name":"a\ntool switches: x","state":"failed\ntrigger: y","ts":"0001-01-01T00:00:00Z","spoken":"\u2028"}`} {
		f.Add([]byte(raw))
	}
	plain := strings.Count(contextLines(time.Now(), Moment{}, nil, nil, "user message"), "\n")
	f.Fuzz(func(t *testing.T, raw []byte) {
		fuzzmem.Watch(t)
		if !json.Valid(raw) {
			return // the database takes nothing else
		}
		store, backend := &MemoryStore{}, &fake{answers: []func(context.Context, *Request, Sink) (*Reply, error){says("Yes.")}}
		for _, key := range []string{keyChain, keyPrevious, keyFrom, keyAside} {
			if err := store.SetValue(key, raw); err != nil {
				t.Fatal(err)
			}
		}
		s := NewSession(Config{Backend: Backend{Transport: keeping{backend}}, Store: store, Log: slog.New(slog.DiscardHandler)})
		done, err := s.Say(t.Context(), "hello", nil).Wait(t.Context())
		if err != nil || done.Outcome != OK || done.Text != "Yes." {
			t.Fatalf("%+v, %v", done, err)
		}
		if n := strings.Count(backend.asked[0].Context, "\n"); n > plain+1+mostAside {
			t.Errorf("%d lines: %q", n+1, backend.asked[0].Context)
		}
	})
}
