package app

import (
	"context"
	"encoding/json"
	"path/filepath"
	"sync/atomic"

	"yui/chat/push"
	"yui/cmd/yui/backend"
	"yui/cmd/yui/memory"
	"yui/cmd/yui/settings"
)

// answers is who answers pets.
type answers struct {
	backends atomic.Pointer[backend.Backends]
	broker   *backend.Publisher
	chatID   string // of this installation, toward push backends. Main thread
	greets   bool   // push connections may be opened: the pets of the start are there. Main thread
}

// connect gives a pet its backend: a push connection of its own and the session that it feeds, where that is what she
// has. A connection of before is closed. Main thread.
func (p *pet) connect() {
	a := p.app
	if p.push != nil {
		a.memory.Go(p.push.Close)
		p.push = nil
	}
	to := a.backends.Load().For(p.preset)
	b, _ := a.backends.Load().Of(p.preset)
	if b.API != settings.APIPush || b.Err != nil {
		p.session.SetBackend(to)
		return
	}
	t, err := push.New(push.Config{
		BaseURL: b.BaseURL, Key: b.Key, ChatID: a.pushID(), Tools: p.tools, Company: p.company.IDs,
		Vocabulary:    a.equip.Vocabulary,
		OnDelegations: func(items []push.Delegation) { a.loop.Do(func() { p.tasks.Take(items) }) },
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

// useBackend has those answer whom the config names, and returns what is to be told of them, "" for nothing.
func (a *App) useBackend(key string) (warning string) {
	b := backend.NewBackends(a.cfg().Chat, key, a.log)
	a.backends.Store(b)
	missing := b.Shared.Missing()
	if missing == nil {
		return ""
	}
	a.log.Warn("no backend", "error", missing)
	return filepath.Base(a.paths.Config) + ": " + missing.Plain(a.words)
}

// renewBackend takes over a changed [chat] or a changed key. What runs goes on with what it began with. Not for the main
// thread.
func (a *App) renewBackend() {
	key := a.settings.ChatKey(a.ctx)
	a.loop.Do(func() {
		if a.backends.Load().Same(a.cfg().Chat, key) {
			return
		}
		if warning := a.useBackend(key); warning != "" {
			a.say(warning)
		}
		a.each(func(p *pet) {
			if p.push != nil && p.running {
				p.reconnects = true // her turn would end with the connection
				return
			}
			p.connect()
		})
	})
}

// chatIDKey keeps the installation's name toward push backends.
const chatIDKey = "push.chat_id"

// readChatID reads the installation's push id, "" where there is none yet.
func readChatID(ctx context.Context, s *memory.Memory) (id string, err error) {
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
		a.memory.Save("push id", func(ctx context.Context) error { return a.memory.Set(ctx, chatIDKey, id) })
	}
	return a.chatID
}

// recordRender writes a render of a push backend into the turn record log (docs/rules/chat.md#turn-records), best effort.
func (a *App) recordRender(r push.RenderRecord) {
	go func() { // the connection does not wait for the disk
		if err := a.records.Line(r.At, r); err != nil {
			a.log.Warn("turn record", "error", err)
		}
	}()
}

// publish tells the broker of the config what pets can express by now; not for the main thread.
func (a *App) publish() {
	a.broker.Publish(a.ctx, a.cfg().Chat.BrokerBaseURL, a.equip.Vocabulary())
}
