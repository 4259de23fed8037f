package tools

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"yui/internal/protocol"
)

// The ways in which text or pictures that nobody vouches for enter a conversation.
const (
	FromSearch  = "search"
	FromCamera  = "camera"
	FromScreen  = "screen"
	FromMCP     = "mcp"
	FromCommand = "command" // what a program of [tools.command] printed
	FromProgram = "program" // what another program reported by the ingress
	FromPages   = "pages"   // what scripts of browser answered
	FromCard    = "card"    // a character card's words, which the person has not confirmed
	FromUnknown = "unknown" // the marks could not be read
)

// Marks are what is remembered of a conversation: what has entered it since the person last spoke, in order, and what
// the person has allowed in it, with the time.
type Marks struct {
	Sources []string
	Grants  map[string]time.Time
}

// Ledger keeps the marks of one conversation over the end of the program. Its methods are called one at a time, on the
// goroutines of turns, and may take a while.
type Ledger interface {
	LoadMarks() (Marks, error)
	// SaveMarks replaces what is kept. It tells its failures itself: the marks in memory count in any case.
	SaveMarks(Marks)
}

// Taint remembers, for one conversation, what has entered it since the person last spoke. The person's own words and a
// new conversation clear it, nothing else does: the model reads earlier words again after a restart, too. The zero value
// is ready and keeps nothing. Safe from any goroutine.
type Taint struct {
	ledger Ledger

	mu     sync.Mutex
	loaded bool
	marks  Marks
	anew   bool // a new conversation begins with the next turn
}

// NewTaint returns the marks that a ledger keeps. They are read when they are first needed.
func NewTaint(ledger Ledger) *Taint { return &Taint{ledger: ledger} }

// load reads what is kept, once. What cannot be read counts as marked. t.mu is held.
func (t *Taint) load() {
	if t.loaded || t.ledger == nil {
		return
	}
	t.loaded = true
	kept, err := t.ledger.LoadMarks()
	if err != nil {
		kept = Marks{Sources: []string{FromUnknown}}
	}
	t.marks = kept
}

// keep stores what has changed. t.mu is held, so that what is stored last is what is true.
func (t *Taint) keep() {
	if t.ledger != nil {
		t.ledger.SaveMarks(Marks{slices.Clone(t.marks.Sources), maps.Clone(t.marks.Grants)})
	}
}

// Turn is to be called when a turn begins, before anything of it is done: by the person's own words, or with the sources
// that it brings along.
func (t *Taint) Turn(person bool, brings ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.load()
	before := len(t.marks.Sources)
	if person || t.anew {
		t.marks.Sources = nil
	}
	if t.anew {
		before += len(t.marks.Grants)
		t.marks.Grants, t.anew = nil, false
	}
	changed := before > 0 && len(t.marks.Sources) == 0
	if t.add(brings) || changed {
		t.keep()
	}
}

// NewConversation forgets everything with the next turn: one that runs still holds what it has read.
func (t *Taint) NewConversation() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.anew = true
	if t.ledger != nil {
		t.loaded = true // what is kept is of the old one; what has entered a turn that still runs counts until its end
		t.ledger.SaveMarks(Marks{})
	}
}

// Mark notes that something from a source has entered the conversation.
func (t *Taint) Mark(source string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.load()
	if t.add([]string{source}) {
		t.keep()
	}
}

func (t *Taint) add(sources []string) (changed bool) {
	for _, s := range sources {
		if !slices.Contains(t.marks.Sources, s) {
			t.marks.Sources, changed = append(t.marks.Sources, s), true
		}
	}
	return changed
}

// Sources lists what has entered, in order; none where the conversation holds only words of the person and the model.
func (t *Taint) Sources() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.load()
	return slices.Clone(t.marks.Sources)
}

// Tainted is a Rule's When: the call has to be asked for while something has entered.
func (t *Taint) Tainted(Call) bool { return len(t.Sources()) > 0 }

// Beyond is a Rule's When: as Tainted, but for what came from one source alone.
func (t *Taint) Beyond(source string) func(Call) bool {
	return func(Call) bool { return slices.ContainsFunc(t.Sources(), func(s string) bool { return s != source }) }
}

// Only is a Rule's When: what has entered came from one source alone.
func (t *Taint) Only(source string) func(Call) bool {
	return func(Call) bool { return slices.Equal(t.Sources(), []string{source}) }
}

// Grant is a Consent that holds for this conversation; where rest is not 0 it ends once it was not needed for so long.
func (t *Taint) Grant(name string, rest time.Duration) Consent {
	return &grant{t, name, rest, time.Now}
}

type grant struct {
	taint *Taint
	name  string
	rest  time.Duration
	now   func() time.Time
}

// Given implements Consent. Each time that it is needed puts its end off.
func (g *grant) Given() bool {
	g.taint.mu.Lock()
	defer g.taint.mu.Unlock()
	g.taint.load()
	last, given := g.taint.marks.Grants[g.name]
	if !given || g.rest > 0 && g.now().Sub(last) > g.rest {
		return false
	}
	g.taint.marks.Grants[g.name] = g.now()
	return true
}

// Give implements Consent.
func (g *grant) Give() {
	g.taint.mu.Lock()
	defer g.taint.mu.Unlock()
	g.taint.load()
	if g.taint.marks.Grants == nil {
		g.taint.marks.Grants = map[string]time.Time{}
	}
	g.taint.marks.Grants[g.name] = g.now()
	g.taint.keep()
}

// AlsoMarked is a Consent that holds once it was given, and while the conversation is marked only where it was given in
// it, too.
func (t *Taint) AlsoMarked(once Consent, name string) Consent {
	return alsoMarked{once, t.Grant(name, 0), t}
}

type alsoMarked struct {
	once, here Consent
	taint      *Taint
}

// Given implements Consent.
func (a alsoMarked) Given() bool {
	return a.once.Given() && (len(a.taint.Sources()) == 0 || a.here.Given())
}

// Give implements Consent.
func (a alsoMarked) Give() { a.once.Give(); a.here.Give() }

// Watched returns the tool with its results noted. foreign tells which results carry something from outside; nil: all
// that are no failure. Window titles alone are no reason to ask: hand look the foreign of HasImages.
func (t *Taint) Watched(tool Tool, source string, foreign func(Result) bool) Tool {
	run := tool.Run
	tool.Run = func(ctx context.Context, call Call) Result {
		r := run(ctx, call)
		if IsUnasked(ctx) || len(r.Images) == 0 && r.Text == "" {
			return r
		}
		fails := strings.HasPrefix(r.Text, protocol.ErrorPrefix) || (tool.Failed != nil && tool.Failed(r.Text))
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
