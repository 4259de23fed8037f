package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"yui/assets/lang"
	"yui/tools"
)

// Store keeps the list of each server's tools from run to run.
type Store interface {
	// LoadTools returns what SaveTools was given last, nil where there was nothing.
	LoadTools(server string) (json.RawMessage, error)
	// SaveTools may come from any goroutine.
	SaveTools(server string, list json.RawMessage) error
}

// Person is who stands for the tools. Both methods are called from goroutines of the package.
type Person interface {
	tools.Asker
	// Tell shows a sentence, and on demand more of it: what the tools of a server say of themselves, "" for no more.
	// more is a stranger's text.
	Tell(text, more string)
}

// Options configures a Manager. All fields but Hidden and Variable are needed.
type Options struct {
	Servers map[string]Config
	Words   *lang.Words // of questions, sentences and results
	Version string      // ours, for the servers' logs
	// Enabled reads a server's switch; it is read again whenever it matters.
	Enabled func(server string) bool
	Store   Store
	Person  Person
	Log     *slog.Logger
	// Hidden are names of the environment that no server's program gets, but by a table's env: the secrets of .env.
	Hidden []string
	// Variable gives the value of a variable that a header or env names; os.Getenv where nil.
	Variable func(name string) string
}

// Manager keeps the servers of the config and offers their tools. Safe from any goroutine.
type Manager struct {
	o       Options
	version atomic.Uint64

	ctx     context.Context
	stop    context.CancelFunc
	using   sync.Mutex // one change of the config at a time
	mu      sync.Mutex
	servers []*server // by name; a changed config makes a new list
	started bool
	closed  bool
	tasks   sync.WaitGroup

	// Waits, which tests shorten.
	firstPause, lastPause time.Duration // between a death and the next start, doubled each time
	steady                time.Duration // a life of this length makes the next pause the first again
	settle                time.Duration // how long a list that changes is left alone
	gap                   time.Duration // between questions about changes
	questionWait          time.Duration // how long a question waits; no call waits for it
}

// NewManager reads the config and the stored lists. Nothing is started before Start. A server that is set up wrongly, or
// whose list cannot be read, is left out, and told in the error; the Manager works without.
func NewManager(o Options) (*Manager, error) {
	if o.Variable == nil {
		o.Variable = os.Getenv
	}
	m := &Manager{o: o, firstPause: time.Second, lastPause: time.Minute, steady: 30 * time.Second,
		settle: time.Second, gap: time.Minute, questionWait: time.Minute}
	m.ctx, m.stop = context.WithCancel(context.Background())
	return m, m.Use(o.Servers, o.Hidden)
}

// Use takes over a changed config, and variables that its tables name. Servers that are gone end; a new one, or one whose
// table is another, begins with the list that was kept of it, so that what it says anew is asked about
// (docs/rules/tools.md#declaring); the others notice nothing. What is wrong is left out and told, as by NewManager.
func (m *Manager) Use(servers map[string]Config, hidden []string) error {
	m.using.Lock()
	defer m.using.Unlock()
	m.mu.Lock()
	before, started := m.servers, m.started
	m.mu.Unlock()
	var now []*server
	var errs []error
	names := slices.Sorted(maps.Keys(servers))
	for _, name := range names {
		t, err := read(name, servers[name], m.o.Variable)
		if err != nil {
			errs = append(errs, fmt.Errorf("read mcp.%s: %w", name, err))
			continue
		}
		t.hidden, t.ambiguous = hidden, ambiguous(name, names)
		i := slices.IndexFunc(before, func(s *server) bool { return s.name == name })
		if i >= 0 && reflect.DeepEqual(before[i].target, t) {
			now = append(now, before[i])
			continue
		}
		s := &server{target: t, m: m, wake: make(chan struct{}, 1), news: make(chan struct{}), over: make(chan struct{})}
		s.ctx, s.end = context.WithCancel(m.ctx)
		if i >= 0 && started {
			s.after = before[i].over
		}
		raw, err := m.o.Store.LoadTools(name)
		if err != nil {
			errs = append(errs, fmt.Errorf("read tools of mcp.%s: %w", name, err))
		}
		s.accepted, s.known = decode(raw, name, t.ambiguous)
		now = append(now, s)
	}
	m.mu.Lock()
	m.servers = now
	m.mu.Unlock()
	for _, s := range before {
		if !slices.Contains(now, s) {
			s.end()
		}
	}
	for _, s := range now {
		if started && !slices.Contains(before, s) {
			m.goes(s.live)
		}
	}
	m.changed()
	return errors.Join(errs...)
}

// list is the servers of this moment.
func (m *Manager) list() []*server {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.servers
}

// Start begins to keep the servers whose switch is on. It returns at once.
func (m *Manager) Start() {
	m.using.Lock()
	defer m.using.Unlock()
	m.mu.Lock()
	m.started = true
	m.mu.Unlock()
	for _, s := range m.list() {
		m.goes(s.live)
	}
}

// goes runs f in a goroutine that Close waits for; false once the Manager is closed.
func (m *Manager) goes(f func(ctx context.Context)) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false
	}
	m.tasks.Go(func() { f(m.ctx) })
	return true
}

// Switched is to be called when a server's switch has changed.
func (m *Manager) Switched(server string) {
	for _, s := range m.list() {
		if s.name == server {
			s.switched()
		}
	}
}

// Close ends every server and returns when nothing of them is left, or ctx ends.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.stop()
	done := make(chan struct{})
	go func() { m.tasks.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("end MCP servers: %w", ctx.Err())
	}
}

func (m *Manager) changed() { m.version.Add(1) }

// Version changes whenever Tools would return something else.
func (m *Manager) Version() uint64 { return m.version.Load() }

// Names are the servers of the config that are set up rightly, in their order.
func (m *Manager) Names() []string {
	servers := m.list()
	names := make([]string, len(servers))
	for i, s := range servers {
		names[i] = s.name
	}
	return names
}

// Offered is a tool, and whether and what it has to ask before it runs.
type Offered struct {
	Tool   tools.Tool
	Server string
	Sends  bool
	Closed bool // it changes nothing and reaches nobody, as its server says
	Rule   tools.Rule
	// GoOn asks for the server as such, not for each call.
	GoOn tools.Rule
}

// Tools lists what the servers offer, as they were last on, in the order of servers and names.
func (m *Manager) Tools() []Offered {
	var list []Offered
	for _, s := range m.list() {
		s.mu.Lock()
		accepted := s.accepted
		s.mu.Unlock()
		for _, o := range accepted {
			list = append(list, Offered{Tool: s.tool(o), Server: s.name, Sends: s.sends, Closed: o.Closed,
				Rule: s.rule(o, "tool.mcp.ask"),
				GoOn: s.rule(o, "tool.mcp.go_on")})
		}
	}
	return list
}

// State is how a server is.
type State struct {
	Name    string `json:"name"`
	On      bool   `json:"on"`
	Running bool   `json:"running"`
	Tools   int    `json:"tools"`
	Pending int    `json:"pending"` // changes that the person has not allowed yet
	Error   string `json:"error,omitempty"`
}

// States tells how the servers are.
func (m *Manager) States() []State {
	servers := m.list()
	list := make([]State, len(servers))
	for i, s := range servers {
		on := s.on()
		s.mu.Lock()
		list[i] = State{Name: s.name, On: on, Running: s.ready != nil, Tools: len(s.accepted), Pending: len(s.pending.added) + len(s.pending.changed)}
		if s.trouble != nil {
			list[i].Error = s.trouble.Error()
		}
		s.mu.Unlock()
	}
	return list
}
