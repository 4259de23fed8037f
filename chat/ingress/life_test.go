package ingress

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

func TestCommands(t *testing.T) {
	r := newRig(t, nil)
	for body, want := range map[string]int{
		`{"action":"stand"}`: 200, `{"action":"go_to_bed","x":1}`: 200, `{"action":"sit_on_window","app":"XTerm"}`: 200,
		`{"action":"peek","side":"left"}`: 200, `{"action":"move_to","spot":"center"}`: 200,
		`{"action":"move_to","spot":"top-left","monitor":1}`: 200, `{"action":"move_to","spot":"center","monitor":null}`: 200,
		`{"action":"stand","monitor":-1}`: 200, `{"action":"peek","side":"right","spot":7}`: 200,
		`{}`: 400, `[]`: 400, `null`: 400, `"stand"`: 400, `{"action":"dance"}`: 400, `{"action":7}`: 400,
		`{"action":"sit_on_window"}`: 400, `{"action":"sit_on_window","app":" "}`: 400, `{"action":"peek","side":"top"}`: 400,
		`{"action":"move_to"}`: 400, `{"action":"move_to","spot":"middle"}`: 400, `{"action":"move_to","spot":"center","monitor":-1}`: 400,
		`{"action":"move_to","spot":"center","monitor":1.5}`: 400, `{"action":"move_to","spot":"center","monitor":"1"}`: 400,
		`{"action":"move_to","spot":"center","monitor":4294967296}`: 400,
	} {
		if got, _ := r.ask(t, "POST", "/avatar/command", body); got != want {
			t.Errorf("%s: %d, want %d", body, got, want)
		}
	}
	if len(r.avatar.got) != 9 {
		t.Errorf("%d commands reached the body", len(r.avatar.got))
	}
	for word, want := range map[string]string{
		"ok": `200 {"ok":true}`, "busy": `200 {"ok":false,"reason":"busy"}`, "interrupted": `200 {"ok":false,"reason":"interrupted"}`,
		"timeout": "503 the pet does not answer\n", "": "503 the pet does not answer\n",
	} {
		r.avatar.word = func(context.Context, json.RawMessage) string { return word }
		status, body := r.ask(t, "POST", "/avatar/command", `{"action":"stand"}`)
		if got := fmt.Sprint(status, " ", body); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	r.avatar.dead = true
	for _, path := range []string{"/avatar/state", "/avatar/perch-targets"} {
		if got, _ := r.ask(t, "GET", path, ""); got != 503 {
			t.Errorf("%s of a pet that does not answer: %d", path, got)
		}
	}
	bare := newRig(t, func(o *Options) { o.Avatar = nil })
	if got, _ := bare.ask(t, "GET", "/avatar/state", ""); got != 503 {
		t.Error("without a pet:", got)
	}
}

// A command may take longer than a peer may take for its body.
func TestLongCommand(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.avatar.word = func(ctx context.Context, _ json.RawMessage) string {
		select {
		case <-time.After(bodyWait + time.Second):
			return "ok"
		case <-ctx.Done():
			return "interrupted"
		}
	}
	if status, body := r.ask(t, "POST", "/avatar/command", `{"action":"stand"}`); status != 200 || body != `{"ok":true}` {
		t.Error(status, body)
	}
}

// The port that is taken is tried again, and then told.
func TestPortIsTaken(t *testing.T) {
	t.Parallel()
	first, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := first.Addr().(*net.TCPAddr).Port
	never := New(Options{Port: port})
	never.Start(context.Background())
	defer never.Close()
	<-never.Ready()
	if st := never.Status(); st.Address != "" || !strings.Contains(st.Error, "in use") {
		t.Errorf("status %+v", st)
	}
	late := New(Options{Port: port})
	late.Start(context.Background())
	defer late.Close()
	time.AfterFunc(bindEvery, func() { first.Close() })
	<-late.Ready()
	if st := late.Status(); st.Error != "" || st.Address != first.Addr().String() {
		t.Errorf("status %+v", st)
	}
}

func TestTurns(t *testing.T) {
	r := newRig(t, nil)
	if status, body := r.ask(t, "POST", "/agent-event", doneBody); status != 200 || body != "" {
		t.Fatal(status, body)
	}
	got := r.turn(t)
	if got.Event != "agent.done" || got.Line != `agent claude done (ok), project "yui" (0min ago)` ||
		strings.Join(got.Lines, "|") != "agent note: All tests pass.|agent detail: Twelve files." {
		t.Errorf("%+v", got)
	}
	// Busy: what comes waits for the end, and then comes as one.
	r.be(false, true)
	r.ask(t, "POST", "/agent-event", doneBody)
	r.ask(t, "POST", "/agent-event", strings.ReplaceAll(doneBody, "claude", "codex"))
	r.ask(t, "POST", "/signals", sigBody)
	r.be(false, false)
	if got := r.turn(t); got.Event != "agent.catchup" || got.Line != "agent catchup (2 events)" || strings.Join(got.Names, " ") != "claude codex" {
		t.Errorf("%+v", got)
	}
	if got := r.turn(t); got.Event != "signals.catchup" || got.Line != "signals (1 signals)" || got.Lines[0] != "signal: someone (0min ago): The kettle is on." {
		t.Errorf("%+v", got)
	}
	select {
	case got := <-r.turns:
		t.Errorf("one more turn: %+v", got)
	default:
	}
}
