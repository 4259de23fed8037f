package wiretest

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"yui/chat"
	"yui/internal/protocol"
)

// Box is a Toolbox of fixed tools.
type Box []chat.Tool

// Declared implements chat.Toolbox.
func (b Box) Declared() []chat.Tool { return b }

// Switches implements chat.Toolbox.
func (b Box) Switches() []chat.SwitchState { return nil }

// Tool is a tool that answers a question.
func Tool(name string, run func(chat.Call) chat.Result) chat.Tool {
	return chat.Tool{
		Name: name, Description: "Looks something up.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false}`),
		Run:        func(_ context.Context, c chat.Call) chat.Result { return run(c) },
	}
}

// Says is a tool with one result.
func Says(name, result string, images ...string) chat.Tool {
	return Tool(name, func(chat.Call) chat.Result { return chat.Result{Text: result, Images: images} })
}

// Express is the cue tool.
func Express() chat.Tool {
	return chat.Tool{
		Name: protocol.Express, Description: "Places a cue.", OneWay: true,
		Parameters: json.RawMessage(`{"type":"object","properties":{"emotion_id":{"type":"string","enum":["happy"]}},"additionalProperties":false}`),
		Run:        func(context.Context, chat.Call) chat.Result { return chat.Result{Text: "ok"} },
	}
}

// Rig is a session over a transport, with what it told.
type Rig struct {
	*chat.Session
	Store  *chat.MemoryStore
	mu     sync.Mutex
	events []chat.Event
}

// NewRig makes the session.
func NewRig(t testing.TB, transport chat.Transport, tools []chat.Tool, change ...func(*chat.Config)) *Rig {
	t.Helper()
	r := &Rig{Store: &chat.MemoryStore{}}
	cfg := chat.Config{Tools: Box(tools), Store: r.Store, Observer: func(e chat.Event) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.events = append(r.events, e)
	}}
	cfg.Transport = transport
	for _, f := range change {
		f(&cfg)
	}
	r.Session = chat.NewSession(cfg)
	return r
}

// Ask runs a turn of the person's to its end.
func (r *Rig) Ask(t testing.TB, words string, images ...string) chat.TurnDone {
	t.Helper()
	const wait = 90 * time.Second // 5 MB under the race detector on a busy machine
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	d, err := r.Say(ctx, words, images).Wait(ctx)
	if err != nil {
		t.Fatalf("turn did not end: %v", err)
	}
	return d
}

// Told gives the events of one kind, or all with chat.Event.
func Told[E chat.Event](r *Rig) []E {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []E
	for _, e := range r.events {
		if e, ok := e.(E); ok {
			out = append(out, e)
		}
	}
	return out
}

// Spoken joins what was shown.
func Spoken(r *Rig) string {
	var b strings.Builder
	for _, s := range Told[chat.Speech](r) {
		b.WriteString(s.Text)
	}
	return b.String()
}
