package doorway

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"yui/chat"
	"yui/chat/ingress"
	"yui/chat/rules"
	"yui/cmd/yui/control"
	"yui/cmd/yui/settings"
	"yui/tools"
)

// What speaks HTTP to the control socket while the ingress is off is told so, and its whole request is read first.
func TestVisitWithoutIngress(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	socket := filepath.Join(t.TempDir(), "yui.sock")
	c, err := control.Listen(socket, nil, New(nil, nil, nil, nil).Visit, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() { c.Serve(ctx); close(served) }()
	web := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	if r, err := web.Post("http://localhost/signals", "application/json", strings.NewReader(strings.Repeat("x", 1<<20))); err != nil || r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a request to the ingress, which is off: %v %v", r, err)
	} else {
		r.Body.Close()
	}
	cancel()
	<-served
}

// house is a House, and a First that keeps what reaches it.
type house struct {
	away, speaking, free, takes bool
	body                        Body
	proposed                    chan chat.Trigger
	signals                     []rules.Signal
}

func (h *house) Away() bool     { return h.away }
func (h *house) Speaking() bool { return h.speaking }
func (h *house) Body() Body     { return h.body }
func (h *house) Propose(source string, t chat.Trigger) {
	t.Source = source
	h.proposed <- t
}
func (h *house) Signal(s rules.Signal) bool { h.signals = append(h.signals, s); return h.takes }
func (h *house) Free(string) bool           { return h.free }

// torso is a Body.
type torso struct{}

func (torso) BodyState() (json.RawMessage, bool)    { return json.RawMessage(`"here"`), true }
func (torso) PerchTargets() (json.RawMessage, bool) { return json.RawMessage(`"windows"`), true }
func (torso) Act(_ context.Context, args json.RawMessage) string {
	return "did " + string(args)
}

// A turn of the ingress is marked as a program's words; whether the pet is busy is what house and gate say together.
func TestTurnsAndPresence(t *testing.T) {
	h := &house{proposed: make(chan chat.Trigger, 1)}
	d := New(nil, h, h, slog.New(slog.DiscardHandler))
	d.Give(ingress.Turn{Source: "push", Trigger: chat.Trigger{Event: "signals.push"}})
	if got := <-h.proposed; got.Source != "push" || !slices.Equal(got.Marks, []string{tools.FromProgram}) {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct{ speaking, free, busy bool }{{false, true, false}, {true, true, true}, {false, false, true}} {
		if h.speaking, h.free = c.speaking, c.free; d.Busy() != c.busy {
			t.Errorf("speaking %v, free %v: busy %v", c.speaking, c.free, d.Busy())
		}
	}
	if h.takes = true; !d.heard(ingress.Signal{Source: "ci", Type: "done", Text: "x"}) || h.signals[0] != (rules.Signal{Source: "ci", Type: "done", Text: "x"}) {
		t.Errorf("%+v", h.signals)
	}
}

// The body is whichever pet is the main one, or nobody's.
func TestPuppet(t *testing.T) {
	h := &house{}
	p := puppet{h}
	if _, ok := p.State(t.Context()); ok {
		t.Error("nobody is open, and somebody is somewhere")
	}
	if got := p.Command(t.Context(), json.RawMessage(`{}`)); got != "" {
		t.Errorf("nobody is open: %q", got)
	}
	h.body = torso{}
	state, ok := p.State(t.Context())
	targets, too := p.PerchTargets(t.Context())
	if !ok || !too || string(state) != `"here"` || string(targets) != `"windows"` || p.Command(t.Context(), json.RawMessage(`{}`)) != "did {}" {
		t.Errorf("%s %v, %s %v", state, ok, targets, too)
	}
}

// The listener comes, moves and goes with its setting; one that stays as it is is left alone.
func TestApply(t *testing.T) {
	h := &house{proposed: make(chan chat.Trigger, 1)}
	var value settings.Ingress
	d := New(func() settings.Ingress { return value }, h, h, slog.New(slog.DiscardHandler))
	t.Cleanup(d.Close)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	if d.Apply(t.Context()); d.present() != nil || d.Drain() != nil || d.State() != (State{}) {
		t.Errorf("it is off: %+v", d.State())
	}
	value = settings.Ingress{Enabled: true, Port: port}
	d.Apply(t.Context())
	on := d.present()
	if on == nil || !d.State().Enabled {
		t.Fatalf("it is on: %+v", d.State())
	}
	if d.Apply(t.Context()); d.present() != on {
		t.Error("the same setting made another listener")
	}
	value.Enabled = false
	if d.Apply(t.Context()); d.present() != nil || d.State().Enabled {
		t.Errorf("it is off again: %+v", d.State())
	}
	ended, end := context.WithCancel(t.Context())
	end()
	value.Enabled = true
	if d.Apply(ended); d.present() != nil {
		t.Error("it was opened while the program ends")
	}
}
