// Package responses reaches a backend by the Responses protocol: one POST per request, a stream of response.* events
// back. A turn chains on the id of the turn before; tool traffic is repeated inside the turn, so that it also works on
// a server that has dropped the response that called (docs/rules/chat.md#on-the-wire).
package responses

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

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
	// BrokerOwnsTools is set where broker_base_url is: the broker's backend declares the tools. Nothing is declared
	// here, calls play their cues and are left unanswered (docs/rules/tools.md#declaring). See Broker.
	BrokerOwnsTools bool
	// Memory is what models have taught us. Share one among all transports of the process; nil makes one.
	Memory *api.Memory
	// HTTP replaces the client, in tests.
	HTTP *http.Client
	Log  *slog.Logger
}

// Transport is a chat.Transport over Responses. It is safe for use by several sessions.
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
		cfg.Memory = &api.Memory{}
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

// KeepsConversation implements chat.Keeper: the server keeps what was said, by the id of its response.
func (t *Transport) KeepsConversation() {}

// Stream implements chat.Transport. Each of its retries happens at most once a turn: without the id that the server does
// not know, and without what the model does not take. An id that was sent to no use, because the model is not there
// either, is kept.
func (t *Transport) Stream(ctx context.Context, req *chat.Request, sink chat.Sink) (*chat.Reply, error) {
	s := t.cfg.Memory.Shape(t.cfg.Model)
	kept, lost := req.Chain, false
	for {
		prev := readChain(req.Chain, t.client.Host())
		reply, err := t.once(ctx, req, prev, s, sink)
		var f *chat.Failure
		if !errors.As(err, &f) {
			if lost && err == nil {
				sink.Notice(chat.NoticeChainLost)
			}
			return reply, err
		}
		if prev.ID != "" && api.LostResponse(f) {
			req.Chain, lost = nil, true
			t.cfg.Log.Info("the server has lost the previous response", "id", prev.ID)
			continue
		}
		next, again := s.After(f, req, api.Forms{Tools: !t.cfg.BrokerOwnsTools, Effort: t.cfg.ReasoningEffort})
		if next != s {
			t.cfg.Memory.Learn(t.cfg.Model, next)
			t.cfg.Log.Info("the model refuses a form of request", "model", t.cfg.Model, "tools", !next.NoTools, "images", !next.NoImages)
		}
		if !again {
			if lost && f.Reason == chat.UnknownModel {
				req.Chain = kept
			}
			return reply, err
		}
		if notice := s.Notice(next); notice != "" {
			sink.Notice(notice)
		}
		s = next
	}
}

// once sends the request and reads the answer.
func (t *Transport) once(ctx context.Context, req *chat.Request, prev chain, s api.Shape, sink chat.Sink) (*chat.Reply, error) {
	if s.NoImages {
		req = api.WithoutImages(req)
	}
	declare := !s.NoTools && !t.cfg.BrokerOwnsTools
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	resp, err := t.send(ctx, prev, newBody(t.cfg, req, prev, declare))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	sink.Alive()
	ours := map[string]bool{}
	if declare {
		for _, tool := range req.Tools {
			ours[tool.Name] = true
		}
	}
	return newReader(ctx, cancel, t.client, sink, ours).read(resp)
}

// send posts the request. One that carries an id goes to the root that gave it, and nowhere else: looking for the API
// elsewhere would send the id twice.
func (t *Transport) send(ctx context.Context, prev chain, b *body) (*http.Response, error) {
	if prev.ID == "" {
		return t.client.Send(ctx, "/responses", b)
	}
	t.client.StartAt(prev.Root)
	return t.client.SendHere(ctx, "/responses", b)
}
