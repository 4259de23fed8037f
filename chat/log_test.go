package chat

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// The log tells what kind of failure ended a turn, and none of the provider's words: they may repeat what was said.
func TestLogHoldsNoWordsOfTheProvider(t *testing.T) {
	for _, f := range []*Failure{
		{Outcome: NetworkDrop, Reason: Refused, Status: 400, Host: "h:1", Detail: `cannot take "our secret"`},
		{Outcome: NetworkDrop, Reason: ProviderError, Host: "h:1", Detail: "our secret"},
		{Outcome: NetworkDrop, Reason: CutOff, Host: "h:1", Err: errors.New("close code 1008 our secret")},
		{Outcome: ParseError, Reason: Garbled, Host: "h:1", Err: errors.New("read our secret")},
	} {
		var log bytes.Buffer
		s := NewSession(Config{
			Log: slog.New(slog.NewTextHandler(&log, nil)),
			Backend: Backend{Transport: &fake{answers: []func(context.Context, *Request, Sink) (*Reply, error){
				func(context.Context, *Request, Sink) (*Reply, error) { return nil, f },
			}}},
		})
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		if _, err := s.Say(ctx, "our secret", nil).Wait(ctx); err != nil {
			t.Fatal(err)
		}
		cancel()
		if got := log.String(); strings.Contains(got, "secret") || !strings.Contains(got, "err.reason="+string(f.Reason)) || !strings.Contains(got, "err.host=h:1") {
			t.Errorf("the log holds %s", got)
		}
	}
}
