package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

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
	Servers  map[string]Config
	Language string // en, ja or ko: of questions, sentences and results
	Version  string // ours, for the servers' logs
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
	o         Options
	servers   []*server // by name
	ambiguous map[string]bool
	version   atomic.Uint64

	ctx    context.Context
	stop   context.CancelFunc
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup

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
	m := &Manager{o: o, ambiguous: map[string]bool{}, firstPause: time.Second, lastPause: time.Minute, steady: 30 * time.Second,
		settle: time.Second, gap: time.Minute, questionWait: time.Minute}
	m.ctx, m.stop = context.WithCancel(context.Background())
	names := slices.Sorted(maps.Keys(o.Servers))
	var errs []error
	for _, name := range names {
		t, err := read(name, o.Servers[name], o.Variable)
		if err != nil {
			errs = append(errs, fmt.Errorf("read mcp.%s: %w", name, err))
			continue
		}
		t.hidden = o.Hidden
		m.ambiguous[name] = ambiguous(name, names)
		s := &server{target: t, m: m, wake: make(chan struct{}, 1), news: make(chan struct{})}
		raw, err := o.Store.LoadTools(name)
		if err != nil {
			errs = append(errs, fmt.Errorf("read tools of mcp.%s: %w", name, err))
		}
		s.accepted, s.known = decode(raw, name, m.ambiguous[name])
		m.servers = append(m.servers, s)
	}
	return m, errors.Join(errs...)
}

// Start begins to keep the servers whose switch is on. It returns at once.
func (m *Manager) Start() {
	for _, s := range m.servers {
		m.goes(s.run)
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
	for _, s := range m.servers {
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
	names := make([]string, len(m.servers))
	for i, s := range m.servers {
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
	for _, s := range m.servers {
		s.mu.Lock()
		accepted := s.accepted
		s.mu.Unlock()
		for _, o := range accepted {
			list = append(list, Offered{Tool: s.tool(o), Server: s.name, Sends: s.sends, Closed: o.Closed,
				Rule: s.rule(o, s.say("Let %s do this?", "%s に実行させますか？", "%s: 이대로 실행할까요?")),
				GoOn: s.rule(o, s.say("May I go on using %s by myself in this talk? Next I would call:",
					"この会話の間、%s を自分で使い続けてもいいですか？次に呼び出すのはこれです:",
					"이 대화 동안 %s: 알아서 계속 써도 될까요? 다음에 부를 것:"))})
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
	list := make([]State, len(m.servers))
	for i, s := range m.servers {
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
