// Package completions reaches a backend by Chat Completions: one POST per request, a stream of
// chat.completion.chunk events back. It serves any server of that shape, and the built-in companion.
package completions

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"sync"
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

// Memory keeps what models do not take, for the life of the process.
type Memory struct {
	mu     sync.Mutex
	shapes map[string]shape
}

func (m *Memory) shape(model string) shape {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shapes[model]
}

func (m *Memory) learn(model string, s shape) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shapes == nil {
		m.shapes = map[string]shape{}
	}
	m.shapes[model] = s
}

var (
	toolsRefused = regexp.MustCompile(`(?i)(not support|n't support|unsupported|without support|not enabled|not available|requires? --jinja|--enable-auto-tool-choice).{0,80}|tools?\b.{0,40}(not|n't).{0,20}(support|allow|enable)`)
	aboutTools   = regexp.MustCompile(`(?i)\btools?\b|tool[-_ ]?(call|choice|use|parser)|function[-_ ]?call`)
	aboutSchema  = regexp.MustCompile(`(?i)tools?(\[|\.)\d+|schema|parameters`) // one tool is wrong, not all tools
	aboutSystem  = regexp.MustCompile(`(?i)system (message|role|prompt).{0,80}(begin|first|start|only|must|position|not)|(only|must|first).{0,60}system (message|role)|roles? must alternate|alternate.{0,30}roles?|after the optional system|unexpected role.{0,10}system`)
)

// Stream implements chat.Transport.
func (t *Transport) Stream(ctx context.Context, req *chat.Request, sink chat.Sink) (*chat.Reply, error) {
	s := t.cfg.Memory.shape(t.cfg.Model)
	for {
		reply, err := t.once(ctx, req, s, sink)
		var f *chat.Failure
		if !errors.As(err, &f) || f.Status != http.StatusBadRequest && f.Status != http.StatusUnprocessableEntity && f.Status < 500 {
			return reply, err
		}
		switch {
		case !s.noTools && len(req.Tools) > 0 && aboutTools.MatchString(f.Detail) && toolsRefused.MatchString(f.Detail) && !aboutSchema.MatchString(f.Detail):
			s.noTools = true
			sink.Notice("This model takes no tools, so the pet can talk but not act: choose a model with tool calling to change that.")
		case !s.folded && req.Context != "" && aboutSystem.MatchString(f.Detail):
			s.folded = true
		default:
			return reply, err
		}
		t.cfg.Memory.learn(t.cfg.Model, s)
		t.cfg.Log.Info("the model refuses a form of request", "model", t.cfg.Model, "tools", !s.noTools, "late_system", !s.folded)
	}
}

// once sends the request and reads the answer.
func (t *Transport) once(ctx context.Context, req *chat.Request, s shape, sink chat.Sink) (*chat.Reply, error) {
	raw, err := encode(t.cfg, req, s)
	if err != nil {
		return nil, &chat.Failure{Outcome: chat.ParseError, Reason: chat.Other, Host: t.client.Host(), Detail: err.Error(), Err: err}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	resp, err := t.client.Post(ctx, "/chat/completions", raw)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	sink.Alive()
	r := &reader{client: t.client, sink: sink, quiet: t.cfg.Quiet, cancel: cancel, ctx: ctx}
	defer r.stopTimer()
	return r.read(resp)
}
