// Package doorway keeps the ingress of programs on this machine: there while its setting says so, and tied to who speaks
// first and to the main pet's body.
package doorway

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"yui/chat"
	"yui/chat/ingress"
	"yui/chat/rules"
	"yui/cmd/yui/control"
	"yui/cmd/yui/settings"
	"yui/tools"
)

// First is who speaks first: what programs want said goes there.
type First interface {
	// Propose wants a turn of a source's, which may be held.
	Propose(source string, t chat.Trigger)
	// Signal gives a rule that waits for a signal its turn; false where none does.
	Signal(s rules.Signal) bool
	// Free reports whether a turn of a source might begin now.
	Free(source string) bool
}

// House is the person and the main pet.
type House interface {
	// Away reports whether the person has left the computer. Where nobody can tell they count as there.
	Away() bool
	// Speaking reports whether the main pet has a turn or speech that is not over.
	Speaking() bool
	// Body is the main pet's, nil where none is open.
	Body() Body
}

// Body is a pet's by the same ways as the tools look and body_action, so that the person's drag wins.
type Body interface {
	BodyState() (json.RawMessage, bool)
	PerchTargets() (json.RawMessage, bool)
	Act(ctx context.Context, args json.RawMessage) string
}

// Doorway is the ingress, there while its setting says so. Safe from any goroutine.
type Doorway struct {
	setting func() settings.Ingress
	first   First
	house   House
	log     *slog.Logger

	changing sync.Mutex // one change at a time
	mu       sync.Mutex
	want     settings.Ingress
	server   *ingress.Server // nil while it is off
}

// New makes a closed one. setting is the value of settings.KeyIngress at this moment.
func New(setting func() settings.Ingress, first First, house House, log *slog.Logger) *Doorway {
	return &Doorway{setting: setting, first: first, house: house, log: log}
}

// Apply makes the listener what the setting says, until ctx ends; not for the main thread. The listener itself is waited for
// by nobody.
func (d *Doorway) Apply(ctx context.Context) {
	d.changing.Lock()
	defer d.changing.Unlock()
	want := d.setting()
	d.mu.Lock()
	old := d.server
	same := want == d.want && (old == nil || old.Status().Error == "")
	d.mu.Unlock()
	if same && (old != nil) == want.Enabled {
		return
	}
	if old != nil {
		old.Close()
	}
	var server *ingress.Server
	if want.Enabled && ctx.Err() == nil {
		server = ingress.New(ingress.Options{
			Port: want.Port, Avatar: puppet{d.house}, Turns: d, Presence: d, OnSignal: d.heard, Log: d.log.With("part", "ingress"),
		})
		server.Start(ctx)
	}
	d.mu.Lock()
	d.want, d.server = want, server
	d.mu.Unlock()
}

// Close ends the listener.
func (d *Doorway) Close() {
	d.changing.Lock()
	defer d.changing.Unlock()
	if s := d.present(); s != nil {
		s.Close()
	}
	d.mu.Lock()
	d.server = nil
	d.mu.Unlock()
}

// Visit takes a connection to the control socket that speaks HTTP.
func (d *Doorway) Visit(c *net.UnixConn, in *bufio.Reader) {
	if s := d.present(); s != nil {
		s.Take(c, in)
		return
	}
	defer c.Close()
	if r, err := http.ReadRequest(bufio.NewReader(io.LimitReader(in, control.MostRequest))); err == nil { // who is cut off while sending sees a broken connection instead
		_, _ = io.Copy(io.Discard, r.Body)
	}
	const why = "the ingress is off: yui set " + settings.KeyIngress + " true\n"
	_ = c.SetWriteDeadline(time.Now().Add(control.RequestWait))
	fmt.Fprintf(c, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(why), why)
}

// present is the listener, nil where there is none.
func (d *Doorway) present() *ingress.Server {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.server
}

// Stir says that the pet may have become idle. It never blocks.
func (d *Doorway) Stir() {
	if s := d.present(); s != nil {
		s.Stir()
	}
}

// Drain takes the signals that wait, for a turn that begins for another reason.
func (d *Doorway) Drain() []string {
	s := d.present()
	if s == nil {
		return nil
	}
	return s.Drain()
}

// heard gives a signal to the rule that waits for it; true where that rule has its turn.
func (d *Doorway) heard(s ingress.Signal) bool {
	return d.first.Signal(rules.Signal{Source: s.Source, Type: s.Type, Text: s.Text})
}

// Give implements ingress.Turns.
func (d *Doorway) Give(t ingress.Turn) {
	t.Trigger.Marks = []string{tools.FromProgram}
	d.first.Propose(t.Source, t.Trigger)
}

// Away implements ingress.Presence.
func (d *Doorway) Away() bool { return d.house.Away() }

// Busy implements ingress.Presence. With no pet open there is nobody to tell either; what the guardrails or the pacing
// gap would hold waits with the rest, and comes as one turn.
func (d *Doorway) Busy() bool { return d.house.Speaking() || !d.first.Free(rules.SourcePush) }

// State is the ingress in `yui state`.
type State struct {
	Enabled bool   `json:"enabled"`
	Address string `json:"address"`
	Error   string `json:"error"`
}

// State tells how the listener fares.
func (d *Doorway) State() State {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := State{Enabled: d.want.Enabled}
	if d.server != nil {
		st := d.server.Status()
		s.Address, s.Error = st.Address, st.Error
	}
	return s
}

// puppet is ingress.Avatar: whichever pet is the main one.
type puppet struct{ house House }

// State implements ingress.Avatar.
func (p puppet) State(context.Context) (json.RawMessage, bool) {
	if b := p.house.Body(); b != nil {
		return b.BodyState()
	}
	return nil, false
}

// PerchTargets implements ingress.Avatar.
func (p puppet) PerchTargets(context.Context) (json.RawMessage, bool) {
	if b := p.house.Body(); b != nil {
		return b.PerchTargets()
	}
	return nil, false
}

// Command implements ingress.Avatar.
func (p puppet) Command(ctx context.Context, command json.RawMessage) string {
	if b := p.house.Body(); b != nil {
		return b.Act(ctx, command)
	}
	return ""
}
