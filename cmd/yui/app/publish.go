package app

import (
	"context"
	"log/slog"
	"sync"

	"yui/chat/push"
	"yui/chat/responses"
)

// brokerGoes is said to whoever still sets broker_base_url (docs/rules/tools.md#declaring).
const brokerGoes = "chat.broker_base_url is deprecated and will be removed in v0.6.0"

// publisher tells an Expression Broker what pets can express, best effort (docs/rules/chat.md#broker). Safe from any
// goroutine.
type publisher struct {
	version string // ours, for the broker's log
	log     *slog.Logger

	mu      sync.Mutex
	address string // of broker
	broker  *responses.Broker
}

// publish tells the broker at address; "" is none. It takes up to ten seconds.
func (p *publisher) publish(ctx context.Context, address string, v push.Vocabulary) {
	if address == "" {
		return
	}
	b, err := p.at(address)
	if err == nil {
		err = b.Publish(ctx, v)
	}
	if err != nil {
		p.log.Warn("publish vocabulary", "error", err)
	}
}

// at is the broker at an address, which remembers what it has been told.
func (p *publisher) at(address string) (*responses.Broker, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broker != nil && p.address == address {
		return p.broker, nil
	}
	p.log.Warn(brokerGoes)
	b, err := responses.NewBroker(address, p.version)
	if err != nil {
		return nil, err
	}
	p.address, p.broker = address, b
	return b, nil
}

// publish tells the broker of the config what pets can express by now; not for the main thread.
func (a *App) publish() {
	v := vocabulary{a}
	a.broker.publish(a.ctx, a.cfg().Chat.BrokerBaseURL, push.Vocabulary{EmotionIDs: v.EmotionIDs(), MotionIDs: v.MotionIDs(), VoiceTags: v.VoiceTags()})
}
