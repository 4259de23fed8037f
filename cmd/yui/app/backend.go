package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"yui/chat"
	"yui/chat/companion"
	"yui/chat/completions"
	"yui/chat/push"
	"yui/chat/responses"
	"yui/cmd/yui/settings"
	"yui/store"
)

// companionURL names the built-in companion to the client; it is never looked up.
const companionURL = "http://companion.built-in/v1"

// backend is who answers, as the config says.
type backend struct {
	API, BaseURL, Model string
	transport           chat.Transport // nil for push: there every pet has a connection of its own
	key                 string
	err                 error
}

// newBackend builds the transport of a config. An error is kept: a pet without a backend still lives, and says why.
func newBackend(c settings.ChatConfig, key string, log *slog.Logger) backend {
	b := backend{API: c.API, BaseURL: c.BaseURL, Model: c.Model, key: key}
	switch c.API {
	case settings.APICompanion:
		h := companion.New(companion.Options{Delay: companion.DefaultDelay})
		b.Model = companion.ModelID
		b.transport, b.err = asTransport(completions.New(completions.Config{BaseURL: companionURL, Model: companion.ModelID,
			HTTP: &http.Client{Transport: inProcess{h}}, Log: log}))
		b.BaseURL = ""
	case settings.APICompletions:
		if c.BaseURL == "" {
			b.err = &chat.Failure{Outcome: chat.NotConfigured, Reason: chat.NoServer}
			break
		}
		b.transport, b.err = asTransport(completions.New(completions.Config{BaseURL: c.BaseURL, Model: c.Model, Key: key,
			ReasoningEffort: c.ReasoningEffort, Log: log}))
	case settings.APIResponses:
		if c.BaseURL == "" {
			b.err = &chat.Failure{Outcome: chat.NotConfigured, Reason: chat.NoServer}
			break
		}
		t, err := responses.New(responses.Config{BaseURL: c.BaseURL, Model: c.Model, Key: key, ReasoningEffort: c.ReasoningEffort,
			BrokerOwnsTools: c.BrokerBaseURL != "", Log: log})
		if b.err = err; err == nil {
			b.transport = t
		}
	case settings.APIPush:
		if _, err := push.Address(c.BaseURL); err != nil {
			b.err = &chat.Failure{Outcome: chat.NotConfigured, Reason: chat.BadAddress, Detail: err.Error(), Err: err}
		}
		b.key = key
	}
	return b
}

// missing is what a turn says where this backend cannot be asked, nil where it can.
func (b backend) missing() *chat.Failure {
	var f *chat.Failure
	if b.err != nil && !errors.As(b.err, &f) {
		f = &chat.Failure{Outcome: chat.NotConfigured, Reason: chat.NoServer, Err: b.err}
	}
	return f
}

// connect gives a pet its backend: a push connection of its own and the session that it feeds, where that is what she
// has. A connection of before is closed. Main thread.
func (p *pet) connect() {
	a := p.app
	if p.push != nil {
		a.writes.Go(p.push.Close)
		p.push = nil
	}
	to := a.backendFor(p.preset)
	b, _ := a.backendOf(p.preset)
	if b.API != settings.APIPush || b.err != nil {
		p.session.SetBackend(to)
		return
	}
	t, err := push.New(push.Config{
		BaseURL: b.BaseURL, Key: b.key, ChatID: a.pushID(), Tools: p.tools, Company: p.company.IDs,
		Vocabulary: func() push.Vocabulary {
			v := vocabulary{a}
			return push.Vocabulary{EmotionIDs: v.EmotionIDs(), MotionIDs: v.MotionIDs(), VoiceTags: v.VoiceTags()}
		},
		OnDelegations: func(items []push.Delegation) { a.loop.Do(func() { p.delegated(items) }) },
		OnRender:      a.recordRender,
		OnEnd:         func(turn string) { a.loop.Do(func() { p.company.ReplyOver(turn) }) },
		OnState:       func(s push.State) { a.log.Info("push connection", "pet", p.id, "state", s.Phase) },
		Log:           a.log,
	})
	if err != nil {
		a.log.Error("open push connection", "pet", p.preset.ID, "error", err)
		return
	}
	p.push = t
	to.Transport = t
	p.session.SetBackend(to)
	if a.greets {
		t.Open(p.session)
	}
}

// greet opens the push connections of the pets that the start has opened. Each hello lists the characters, so that none is
// sent before all of them are there. Main thread.
func (a *App) greet() {
	a.greets = true
	for _, p := range a.pets {
		if p.push != nil {
			p.push.Open(p.session)
		}
	}
}

// brokerGoes is said to whoever still sets broker_base_url (docs/rules/tools.md#declaring).
const brokerGoes = "chat.broker_base_url is deprecated and goes with v0.6.0"

// publish tells an Expression Broker what pets can express, where one is configured; best effort (docs/rules/chat.md#broker).
func (a *App) publish() {
	if a.cfg.Chat.BrokerBaseURL == "" {
		return
	}
	if a.broker == nil {
		a.log.Warn(brokerGoes)
		b, err := responses.NewBroker(a.cfg.Chat.BrokerBaseURL, a.version)
		if err != nil {
			a.log.Warn("publish vocabulary", "error", err)
			return
		}
		a.broker = b
	}
	v := vocabulary{a}
	if err := a.broker.Publish(a.ctx, push.Vocabulary{EmotionIDs: v.EmotionIDs(), MotionIDs: v.MotionIDs(), VoiceTags: v.VoiceTags()}); err != nil {
		a.log.Warn("publish vocabulary", "error", err)
	}
}

// chatIDKey keeps the installation's name toward push backends.
const chatIDKey = "push.chat_id"

// readChatID reads the installation's push id, "" where there is none yet.
func readChatID(ctx context.Context, s *store.Store) (id string, err error) {
	raw, ok, err := s.Get(ctx, chatIDKey)
	if err != nil || !ok || json.Unmarshal(raw, &id) != nil {
		return "", err
	}
	return id, nil
}

// pushID is the installation's push id, made at its first use. Main thread.
func (a *App) pushID() string {
	if a.chatID == "" {
		a.chatID = push.NewChatID()
		id := marshal(a.chatID)
		a.save("push id", func(ctx context.Context) error { return a.store.Set(ctx, chatIDKey, id) })
	}
	return a.chatID
}

func asTransport(t *completions.Transport, err error) (chat.Transport, error) {
	if err != nil {
		return nil, err // a nil *Transport in the interface would not be nil
	}
	return t, nil
}
