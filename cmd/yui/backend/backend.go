// Package backend makes who answers: of the config, of a preset with a backend of her own, or the built-in companion, which
// `yui companion` serves to others.
package backend

import (
	"errors"
	"log/slog"
	"net/http"

	"yui/assets/lang"
	"yui/chat"
	"yui/chat/companion"
	"yui/chat/completions"
	"yui/chat/push"
	"yui/chat/responses"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
)

// companionURL names the built-in companion to the client; it is never looked up.
const companionURL = "http://companion.built-in/v1"

// Backend is who answers, as the config says.
type Backend struct {
	API, BaseURL, Model string
	Transport           chat.Transport // nil for push: there every pet has a connection of its own
	Key                 string
	Err                 error // why nobody answers, see Missing
}

// New builds the transport of a config. An error is kept: a pet without a backend still lives, and says why.
func New(c settings.ChatConfig, key string, log *slog.Logger) Backend {
	b := Backend{API: c.API, BaseURL: c.BaseURL, Model: c.Model, Key: key}
	switch c.API {
	case settings.APICompanion:
		h := companion.New(companion.Options{Delay: companion.DefaultDelay})
		b.Model = companion.ModelID
		b.Transport, b.Err = asTransport(completions.New(completions.Config{BaseURL: companionURL, Model: companion.ModelID,
			HTTP: &http.Client{Transport: inProcess{h}}, Log: log}))
		b.BaseURL = ""
	case settings.APICompletions:
		if c.BaseURL == "" {
			b.Err = &chat.Failure{Outcome: chat.NotConfigured, Reason: chat.NoServer}
			break
		}
		b.Transport, b.Err = asTransport(completions.New(completions.Config{BaseURL: c.BaseURL, Model: c.Model, Key: key,
			ReasoningEffort: c.ReasoningEffort, Log: log}))
	case settings.APIResponses:
		if c.BaseURL == "" {
			b.Err = &chat.Failure{Outcome: chat.NotConfigured, Reason: chat.NoServer}
			break
		}
		t, err := responses.New(responses.Config{BaseURL: c.BaseURL, Model: c.Model, Key: key, ReasoningEffort: c.ReasoningEffort,
			BrokerOwnsTools: c.BrokerBaseURL != "", Log: log})
		if b.Err = err; err == nil {
			b.Transport = t
		}
	case settings.APIPush:
		if _, err := push.Address(c.BaseURL); err != nil {
			b.Err = &chat.Failure{Outcome: chat.NotConfigured, Reason: chat.BadAddress, Detail: err.Error(), Err: err}
		}
		b.Key = key
	}
	return b
}

// Missing is what a turn says where this backend cannot be asked, nil where it can.
func (b Backend) Missing() *chat.Failure {
	var f *chat.Failure
	if b.Err != nil && !errors.As(b.Err, &f) {
		f = &chat.Failure{Outcome: chat.NotConfigured, Reason: chat.NoServer, Err: b.Err}
	}
	return f
}

func asTransport(t *completions.Transport, err error) (chat.Transport, error) {
	if err != nil {
		return nil, err // a nil *Transport in the interface would not be nil
	}
	return t, nil
}

// Backends is who answers for whom: a preset's own backend, else the one that all share. It does not change: other settings
// make another. Safe from any goroutine.
type Backends struct {
	Shared Backend
	chat   settings.ChatConfig
	key    string
	log    *slog.Logger
}

// NewBackends makes the backend that all share. key is its API key, "" for none.
func NewBackends(c settings.ChatConfig, key string, log *slog.Logger) *Backends {
	return &Backends{Shared: New(c, key, log), chat: c, key: key, log: log}
}

// Same reports whether they were made of that config and that key.
func (s *Backends) Same(c settings.ChatConfig, key string) bool { return s.chat == c && s.key == key }

// Of is who answers for a preset, and the size of the context window in tokens, 0 for the usual one.
func (s *Backends) Of(p presets.Preset) (b Backend, window int) {
	if p.Chat == nil || p.Chat.API == "" && p.Chat.BaseURL == "" {
		return s.Shared, s.chat.ContextWindow
	}
	own := *p.Chat
	if own.API == "" {
		own.API = settings.APICompletions
	}
	key := own.APIKey
	if key == "" && own.BaseURL == s.chat.BaseURL {
		key = s.Shared.Key // a key is never shown to another server
	}
	b = New(own, key, s.log)
	if b.Err != nil {
		s.log.Warn("no backend of her own", "preset", p.ID, "error", b.Err)
	}
	return b, own.ContextWindow
}

// For is the same as a conversation wants it, with what the backend is told of her.
func (s *Backends) For(p presets.Preset) chat.Backend {
	b, window := s.Of(p)
	instructions := p.Instructions()
	if p.Chat != nil && p.Chat.Instructions != "" {
		instructions = p.Chat.Instructions
	} else if s.chat.Instructions != "" {
		instructions = s.chat.Instructions
	}
	return chat.Backend{Transport: b.Transport, Missing: b.Missing(), Instructions: instructions, Window: window}
}

// Plain is the sentence of a failure, as the bubble has it.
func Plain(w *lang.Words, err error) string {
	var f *chat.Failure
	if errors.As(err, &f) {
		return f.Plain(w)
	}
	return err.Error()
}
