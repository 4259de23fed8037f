// Package completions reaches a backend by Chat Completions: one POST per request, a stream of
// chat.completion.chunk events back. It serves any server of that shape, and the built-in companion.
package completions

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"yui/chat"
	"yui/chat/api"
)

// Config says which server, which model and how.
type Config struct {
	// BaseURL is the root of the API, with or without /v1.
	BaseURL string
	// Model is sent as it is; "" sends none.
	Model string
	// Key is the bearer token; "" sends no Authorization header. It is never logged and never in an error.
	Key string
	// ReasoningEffort is none, minimal, low or medium; "" sends none.
	ReasoningEffort string
	// Memory is what models have taught us. Share one among all transports of the process; nil makes one.
	Memory *Memory
	// Quiet is how long the stream may be silent after a finish_reason before it counts as complete: 2 s.
	Quiet time.Duration
	// HTTP replaces the client, in tests.
	HTTP *http.Client
	Log  *slog.Logger
}

// Transport is a chat.Transport over Chat Completions. It is safe for use by several sessions.
type Transport struct {
	cfg    Config
	client *api.Client
}

// New reads the address. Its error is a *chat.Failure.
func New(cfg Config) (*Transport, error) {
	client, err := api.New(api.Config{BaseURL: cfg.BaseURL, Key: cfg.Key, Model: cfg.Model, HTTP: cfg.HTTP})
	if err != nil {
		return nil, err
	}
	if cfg.Memory == nil {
		cfg.Memory = &Memory{}
	}
	if cfg.Quiet <= 0 {
		cfg.Quiet = 2 * time.Second
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Transport{cfg, client}, nil
}

// Client gives the client, for the model list and yui doctor.
func (t *Transport) Client() *api.Client { return t.client }

// Rest implements chat.Rester.
func (t *Transport) Rest() { t.client.Rest() }

// Memory is what models do not take; see api.Memory.
type Memory = api.Memory

// Stream implements chat.Transport.
func (t *Transport) Stream(ctx context.Context, req *chat.Request, sink chat.Sink) (*chat.Reply, error) {
	s := t.cfg.Memory.Shape(t.cfg.Model)
	for {
		reply, err := t.once(ctx, req, s, sink)
		var f *chat.Failure
		if !errors.As(err, &f) {
			return reply, err
		}
		next, again := s.After(f, req, api.Forms{Tools: true, System: true, Usage: true, Effort: t.cfg.ReasoningEffort})
		if next != s {
			t.cfg.Memory.Learn(t.cfg.Model, next)
			t.cfg.Log.Info("the model refuses a form of request", "model", t.cfg.Model, "tools", !next.NoTools,
				"late_system", !next.Folded, "system", !next.NoSystem, "usage", !next.NoUsage, "images", !next.NoImages)
		}
		if !again {
			return reply, err
		}
		if notice := s.Notice(next); notice != "" {
			sink.Notice(notice)
		}
		s = next
	}
}

// once sends the request and reads the answer.
func (t *Transport) once(ctx context.Context, req *chat.Request, s api.Shape, sink chat.Sink) (*chat.Reply, error) {
	if s.NoImages {
		req = api.WithoutImages(req)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	resp, err := t.client.Send(ctx, "/chat/completions", newBody(t.cfg, req, s))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	sink.Alive()
	r := newReader(ctx, cancel, t.client, sink, t.cfg.Quiet)
	defer r.stopTimer()
	return r.read(resp)
}
