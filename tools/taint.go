package tools

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// The ways in which text or pictures that nobody vouches for enter a conversation.
const (
	FromSearch  = "search"
	FromCamera  = "camera"
	FromScreen  = "screen"
	FromMCP     = "mcp"
	FromProgram = "program" // what another program reported by the ingress
)

// Taint remembers, for one conversation, what has entered it since the person last spoke (spec/decisions.md 19). The
// zero value is ready. Safe from any goroutine.
type Taint struct {
	mu      sync.Mutex
	sources []string
}

// Mark notes that something from a source has entered the conversation.
func (t *Taint) Mark(source string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.sources, source) {
		t.sources = append(t.sources, source)
	}
}

// PersonSpoke begins anew: the person's own words are the latest.
func (t *Taint) PersonSpoke() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sources = nil
}

// Sources lists what has entered, in order; none where the conversation holds only words of the person and the model.
func (t *Taint) Sources() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.sources)
}

// Inherit takes over what another character's conversation holds, when that character's words are handed to this one.
func (t *Taint) Inherit(from *Taint) {
	for _, s := range from.Sources() {
		t.Mark(s)
	}
}

// Tainted is a Rule's When: the call has to be asked for while something has entered.
func (t *Taint) Tainted(Call) bool { return len(t.Sources()) > 0 }

// Watched returns the tool with its results noted. foreign tells which results carry something from outside; nil: all
// that are no failure. Window titles alone are no reason to ask: hand look the foreign of HasImages.
func (t *Taint) Watched(tool Tool, source string, foreign func(Result) bool) Tool {
	run := tool.Run
	tool.Run = func(ctx context.Context, call Call) Result {
		r := run(ctx, call)
		if IsUnasked(ctx) || len(r.Images) == 0 && r.Text == "" {
			return r
		}
		fails := strings.HasPrefix(r.Text, "error:") || (tool.Failed != nil && tool.Failed(r.Text))
		if (foreign == nil && !fails) || (foreign != nil && foreign(r)) {
			t.Mark(source)
		}
		return r
	}
	return tool
}

// HasImages is a foreign for tools of which only pictures count, as look.
func HasImages(r Result) bool { return len(r.Images) > 0 }

// Anything is a foreign for tools whose failures are foreign words too, as those of MCP servers.
func Anything(Result) bool { return true }
