package asking

import (
	"context"
	"encoding/json"
	"sync/atomic"
)

// Memory keeps a consent.
type Memory interface {
	Get(ctx context.Context, key string) (value json.RawMessage, ok bool, err error)
	Set(ctx context.Context, key string, value json.RawMessage) error
	Save(what string, f func(ctx context.Context) error) // beside the caller
}

// Consent is tools.Consent: what the person allowed once, for good. Safe from any goroutine.
type Consent struct {
	memory Memory
	key    string
	given  atomic.Bool
}

// NewConsent makes one that has not been given, as far as is known before Load.
func NewConsent(m Memory, key string) *Consent { return &Consent{memory: m, key: key} }

// Load reads whether it was given in an earlier run. What cannot be read is asked for again.
func (c *Consent) Load(ctx context.Context) {
	if v, ok, err := c.memory.Get(ctx, c.key); err == nil && ok && string(v) == "true" {
		c.given.Store(true)
	}
}

// Given reports whether it was.
func (c *Consent) Given() bool { return c.given.Load() }

// Give keeps it.
func (c *Consent) Give() {
	c.given.Store(true)
	c.memory.Save("consent", func(ctx context.Context) error { return c.memory.Set(ctx, c.key, json.RawMessage("true")) })
}
