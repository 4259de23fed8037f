package chat

import (
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// The values that a Session keeps beside its transcript.
const (
	keyPrevious = "previous-turn"
	keyChain    = "previous_response_id"
)

// Kinds of transcript items.
const (
	KindBoundary = "boundary" // a new session begins here
)

// Item is one entry of the transcript. The transcript keeps everything; what is sent is chosen by History.
type Item struct {
	Kind string    `json:"kind,omitempty"`
	Role string    `json:"role,omitempty"` // user or assistant
	Text string    `json:"text,omitempty"`
	At   time.Time `json:"ts"`
	// Cut marks an answer that was broken off, by a failure or by the person.
	Cut bool `json:"cut,omitempty"`
	// NotSent marks the words of a turn that failed before any speech: shown, never sent again (docs/rules/chat.md#transcript).
	NotSent bool `json:"not_sent,omitempty"`
	// Guide marks user content that nobody typed.
	Guide bool `json:"guide,omitempty"`
}

// Store keeps the transcript and a few values of one pet. It is called from turns' goroutines, one at a time.
type Store interface {
	// Load gives the items after the last boundary, oldest first.
	Load() ([]Item, error)
	// Append adds items at the end, all or none.
	Append(items ...Item) error
	// Value reads a value; nil where there is none.
	Value(key string) (json.RawMessage, error)
	// SetValue writes a value; nil removes it.
	SetValue(key string, value json.RawMessage) error
}

// MemoryStore is a Store that forgets with the process. It is safe for use by several goroutines.
type MemoryStore struct {
	mu     sync.Mutex
	items  []Item
	values map[string]json.RawMessage
}

// Items gives all items, boundaries too.
func (m *MemoryStore) Items() []Item {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Item(nil), m.items...)
}

// Load implements Store.
func (m *MemoryStore) Load() ([]Item, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	start := 0
	for i, item := range m.items {
		if item.Kind == KindBoundary {
			start = i + 1
		}
	}
	return append([]Item(nil), m.items[start:]...), nil
}

// Append implements Store.
func (m *MemoryStore) Append(items ...Item) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items = append(m.items, items...)
	return nil
}

// Value implements Store.
func (m *MemoryStore) Value(key string) (json.RawMessage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.values[key], nil
}

// SetValue implements Store.
func (m *MemoryStore) SetValue(key string, value json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[string]json.RawMessage{}
	}
	if value == nil {
		delete(m.values, key)
	} else {
		m.values[key] = value
	}
	return nil
}

// DefaultWindow is the context window where none is set, in tokens (docs/rules/chat.md#transcript).
const DefaultWindow = 200000

// History chooses the newest items that fit into window tokens by the estimate times scale; scale is 1 until a
// server has reported its own count. Boundaries, unsent and empty items are left out.
func History(items []Item, window int, scale float64) []Message {
	if window <= 0 {
		window = DefaultWindow
	}
	var suffix []Message
	used := 0.0
	for i := len(items) - 1; i >= 0; i-- {
		item := items[i]
		if item.Kind == KindBoundary {
			break
		}
		if item.NotSent || strings.TrimSpace(item.Text) == "" || (item.Role != "user" && item.Role != "assistant") {
			continue
		}
		used += float64(EstimateTokens(item.Text)) * scale
		if used > float64(window) {
			break
		}
		suffix = append(suffix, Message{item.Role, item.Text})
	}
	for i, j := 0, len(suffix)-1; i < j; i, j = i+1, j-1 {
		suffix[i], suffix[j] = suffix[j], suffix[i]
	}
	return suffix
}

// EstimateTokens is the estimate of docs/rules/chat.md#transcript: characters of the CJK range count one each, four of any other
// count one, rounded up.
func EstimateTokens(text string) int {
	wide, other := 0, 0
	for _, r := range text {
		if isCJK(r) {
			wide++
		} else {
			other++
		}
	}
	return wide + (other+3)/4
}

func isCJK(r rune) bool {
	return r >= 0x2E80 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7AF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0xFF00 && r <= 0xFFEF || r >= 0x20000 && r <= 0x3FFFF
}
