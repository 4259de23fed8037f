package backend

import (
	"context"
	"log/slog"
	"sync"

	"yui/chat/push"
	"yui/chat/responses"
)

// BrokerGoes is said to whoever still sets broker_base_url (docs/rules/tools.md#declaring).
const BrokerGoes = "chat.broker_base_url is deprecated and will be removed in v0.6.0"

// Publisher tells an Expression Broker what pets can express, best effort (docs/rules/chat.md#broker). Safe from any
// goroutine.
type Publisher struct {
	version string // ours, for the broker's log
	log     *slog.Logger

	mu      sync.Mutex
	address string // of broker
	broker  *responses.Broker
}

// NewPublisher makes one that has told nobody yet. version is ours, for the broker's log.
func NewPublisher(version string, log *slog.Logger) *Publisher {
	return &Publisher{version: version, log: log}
}

// Publish tells the broker at address; "" is none. It takes up to ten seconds.
func (p *Publisher) Publish(ctx context.Context, address string, v push.Vocabulary) {
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
func (p *Publisher) at(address string) (*responses.Broker, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broker != nil && p.address == address {
		return p.broker, nil
	}
	p.log.Warn(BrokerGoes)
	b, err := responses.NewBroker(address, p.version)
	if err != nil {
		return nil, err
	}
	p.address, p.broker = address, b
	return b, nil
}
