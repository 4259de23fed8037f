package chat

import (
	"crypto/rand"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	idLength   = 9
	idAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
)

// NewCallID makes an id for a call that came without one: nine letters or digits, the strictest form that servers
// ask for (docs/rules/chat.md#fragments).
func NewCallID() string {
	raw := make([]byte, idLength)
	rand.Read(raw) // never fails; see crypto/rand
	for i, b := range raw {
		raw[i] = idAlphabet[int(b)%len(idAlphabet)]
	}
	return string(raw)
}

// turnIDs gives turns their names: the wall clock in milliseconds, counted up where two fall together.
type turnIDs struct{ last atomic.Int64 }

func (t *turnIDs) next(now time.Time) string {
	for {
		last := t.last.Load()
		id := max(now.UnixMilli(), last+1)
		if t.last.CompareAndSwap(last, id) {
			return strconv.FormatInt(id, 10)
		}
	}
}

// ToolName gives a tool's name without the control tokens of a model's template that leaked into it ("look<|channel|>…"),
// or the name as it is where nothing else is in it.
func ToolName(name string) string {
	rest := name
	for strings.HasPrefix(rest, "<|") {
		_, after, closed := strings.Cut(rest, "|>")
		if !closed {
			return name
		}
		rest = after
	}
	rest, _, _ = strings.Cut(rest, "<|")
	if rest = strings.TrimSpace(rest); rest == "" {
		return name
	}
	return rest
}
