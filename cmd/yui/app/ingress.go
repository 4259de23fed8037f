package app

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"yui/chat/ingress"
	"yui/chat/rules"
	"yui/cmd/yui/control"
	"yui/cmd/yui/settings"
	"yui/tools"
)

// The presence where the setting cannot be read, and the least that it may be (docs/rules/chat.md#guardrails).
const (
	defaultPresence = 180 * time.Second
	leastPresence   = 10 * time.Second
)

// doorway is the ingress as the app keeps it: there while its setting says so. Safe from any goroutine.
type doorway struct {
	app *App

	changing sync.Mutex // one change at a time
	mu       sync.Mutex
	want     settings.Ingress
	server   *ingress.Server // nil while it is off
}

// apply makes the listener what the setting says; not for the main thread. The listener itself is waited for by nobody.
func (d *doorway) apply() {
	d.changing.Lock()
	defer d.changing.Unlock()
	raw, err := d.app.switches.Get(settings.KeyIngress)
	var want settings.Ingress
	if err == nil {
		want, err = settings.ParseIngress(raw)
	}
	if err != nil {
		d.app.log.Warn("the ingress stays off", "error", err)
	}
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
	if want.Enabled && d.app.ctx.Err() == nil {
		server = ingress.New(ingress.Options{
			Port: want.Port, Avatar: puppet{d.app}, Turns: d, Presence: d, OnSignal: d.heard, Log: d.app.log.With("part", "ingress"),
		})
		server.Start(d.app.ctx)
	}
	d.mu.Lock()
	d.want, d.server = want, server
	d.mu.Unlock()
}

// close ends the listener.
func (d *doorway) close() {
	d.changing.Lock()
	defer d.changing.Unlock()
	if s := d.present(); s != nil {
		s.Close()
	}
	d.mu.Lock()
	d.server = nil
	d.mu.Unlock()
}

// visit takes a connection to the control socket that speaks HTTP.
func (d *doorway) visit(c *net.UnixConn, in *bufio.Reader) {
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
func (d *doorway) present() *ingress.Server {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.server
}

// stir says that the pet may have become idle. It never blocks.
func (d *doorway) stir() {
	if s := d.present(); s != nil {
		s.Stir()
	}
}

// drain takes the signals that wait, for a turn that begins for another reason.
func (d *doorway) drain() []string {
	s := d.present()
	if s == nil {
		return nil
	}
	return s.Drain()
}

// heard gives a signal to the rule that waits for it; true where that rule has its turn.
func (d *doorway) heard(s ingress.Signal) bool {
	in, p := d.app.first, d.app.mainPet.Load()
	sig := rules.Signal{Source: s.Source, Type: s.Type, Text: s.Text}
	if p == nil || !in.engine.Hears(sig) {
		return false
	}
	return in.signal(p, sig)
}

// Give implements ingress.Turns.
func (d *doorway) Give(t ingress.Turn) {
	t.Trigger.Marks = []string{tools.FromProgram}
	d.app.first.propose(t.Source, t.Trigger)
}

// Away implements ingress.Presence. Where nobody can tell how long the person has been idle they count as there.
func (d *doorway) Away() bool {
	idle, err := d.app.desk.Idle()
	return err == nil && idle > d.app.presence()
}

// Busy implements ingress.Presence. With no pet open there is nobody to tell either; what the guardrails or the pacing
// gap would hold waits with the rest, and comes as one turn.
func (d *doorway) Busy() bool {
	p := d.app.mainPet.Load()
	return p == nil || p.session.Busy() || d.app.first.reason(p, rules.SourcePush) != rules.Free
}

// presence is how long the person may be still before they count as away.
func (a *App) presence() time.Duration {
	raw, err := a.switches.Get(settings.KeyPresence)
	var ms float64
	if err != nil || json.Unmarshal(raw, &ms) != nil || ms < 0 || ms > 1e12 {
		return defaultPresence
	}
	return max(time.Duration(ms)*time.Millisecond, leastPresence)
}

// puppet is ingress.Avatar: the main pet's body, by the same ways as the tools look and body_action, so that the
// person's drag wins.
type puppet struct{ app *App }

// State implements ingress.Avatar.
func (p puppet) State(context.Context) (json.RawMessage, bool) {
	if pet := p.app.mainPet.Load(); pet != nil {
		return sight{pet}.BodyState()
	}
	return nil, false
}

// PerchTargets implements ingress.Avatar.
func (p puppet) PerchTargets(context.Context) (json.RawMessage, bool) {
	if pet := p.app.mainPet.Load(); pet != nil {
		return sight{pet}.PerchTargets()
	}
	return nil, false
}

// Command implements ingress.Avatar.
func (p puppet) Command(ctx context.Context, command json.RawMessage) string {
	if pet := p.app.mainPet.Load(); pet != nil {
		return limbs{pet}.Act(ctx, command)
	}
	return ""
}

// ingressJSON is the ingress in `yui state`.
type ingressJSON struct {
	Enabled bool   `json:"enabled"`
	Address string `json:"address"`
	Error   string `json:"error"`
}

func (d *doorway) json() ingressJSON {
	d.mu.Lock()
	defer d.mu.Unlock()
	j := ingressJSON{Enabled: d.want.Enabled}
	if d.server != nil {
		st := d.server.Status()
		j.Address, j.Error = st.Address, st.Error
	}
	return j
}
