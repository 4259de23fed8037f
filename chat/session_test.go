package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// "One live turn per pet; a user turn supersedes"; the previous: line has "spoken and unspoken parts", and
// "spoken in previous: = sentences started" (docs/rules/chat.md#playback).
func TestUserTurnSupersedes(t *testing.T) {
	b := newBench(t, hangs("The kettle is on. It will"), says("Fine."))
	first := b.Say(context.Background(), "One", nil)
	until[Speech](t, b)
	b.pass(2 * time.Minute)
	second := b.Say(context.Background(), "Two", nil)
	d := until[TurnDone](t, b)
	if d.Turn != first.ID() || d.Outcome != Superseded || d.Stopped || !d.Cut || d.Error != "" {
		t.Errorf("first turn %+v", d)
	}
	started := until[TurnStarted](t, b)
	if started.Turn != second.ID() || !started.User || started.Text != "Two" {
		t.Errorf("second turn %+v", started)
	}
	if d := until[TurnDone](t, b); d.Outcome != OK || d.Text != "Fine." {
		t.Errorf("second turn %+v", d)
	}
	want := `user.text_submitted interrupted (0min ago), spoken: "The kettle is on." unspoken: "It will"`
	if got := b.contextLine(1, "previous"); got != want {
		t.Errorf("previous: %s", got)
	}
	items := b.store.Items()
	if len(items) != 4 || items[0].NotSent || items[1].Text != "The kettle is on. It will" || !items[1].Cut || items[3].Cut {
		t.Errorf("transcript %+v", items)
	}
	if len(b.asked[1].History) != 2 {
		t.Errorf("history %+v", b.asked[1].History)
	}
}

// Only the newest of several quick turns is answered, and the turns do not overlap.
func TestManyTurnsAtOnce(t *testing.T) {
	b := newBench(t, hangs())
	var turns []*Turn
	for i := range 20 {
		turns = append(turns, b.Say(context.Background(), fmt.Sprint(i), nil))
	}
	b.Stop()
	open := ""
	for range 20 {
		for {
			e := <-b.seen
			if s, ok := e.(TurnStarted); ok {
				if open != "" {
					t.Fatal("two turns at once")
				}
				open = s.Turn
			}
			if d, ok := e.(TurnDone); ok {
				if d.Turn != open {
					t.Fatalf("%s ended in %s", d.Turn, open)
				}
				open = ""
				break
			}
		}
	}
	for i, turn := range turns {
		d, _ := turn.Wait(context.Background())
		if d.Outcome != Superseded || d.Stopped != (i == 19) {
			t.Errorf("turn %d: %+v", i, d)
		}
	}
}

// "Voice barge-in and stop also cut speech" (docs/rules/chat.md#turns).
func TestStop(t *testing.T) {
	b := newBench(t, hangs("One. Two. Three."), says("Fine."))
	turn := b.Say(context.Background(), "Go", nil)
	until[Speech](t, b)
	b.Stop()
	d, err := turn.Wait(context.Background())
	if err != nil || d.Outcome != Superseded || !d.Stopped || d.Text != "One. Two. Three." {
		t.Errorf("got %+v %v", d, err)
	}
	if _, p := b.Step(b.time()); p.Active {
		t.Error("speech goes on after stop")
	}
	b.Stop() // again is nothing
	b.pass(3 * time.Minute)
	b.Say(context.Background(), "Again", nil)
	until[TurnDone](t, b)
	until[TurnDone](t, b)
	want := `user.text_submitted interrupted (3min ago), spoken: "One." unspoken: "Two. Three."`
	if got := b.contextLine(1, "previous"); got != want {
		t.Errorf("previous: %s", got)
	}
}

// "A cut answer is kept in the transcript, marked as cut; a turn that failed before any speech stays visible to the
// person, marked as not sent, and is not sent again" (docs/rules/chat.md#transcript).
func TestFailedTurn(t *testing.T) {
	b := newBench(t, fails(), fails("Half"), says("Fine."), says("Better."))
	for _, words := range []string{"One", "Two", "Three", "Four"} {
		b.Say(context.Background(), words, nil)
		until[TurnDone](t, b)
		b.pass(time.Minute)
	}
	items := b.store.Items()
	if !items[0].NotSent || items[1].NotSent || items[2].Text != "Half" || !items[2].Cut {
		t.Errorf("transcript %+v", items)
	}
	want := []Message{{"user", "Two"}, {"assistant", "Half"}}
	if diff := cmp.Diff(want, b.asked[2].History); diff != "" {
		t.Errorf("a turn that failed before speech is not sent again:\n%s", diff)
	}
	if got := b.contextLine(1, "previous"); got != "user.text_submitted failed (1min ago)" {
		t.Errorf("previous: %s", got)
	}
	if got := b.contextLine(2, "previous"); got != `user.text_submitted failed (1min ago), spoken: "Half" unspoken: ""` {
		t.Errorf("previous: %s", got)
	}
	if got := b.contextLine(3, "previous"); got != "" {
		t.Errorf("previous after a good turn: %s", got)
	}
}

// The previous line outlives the process.
func TestPreviousIsStored(t *testing.T) {
	b := newBench(t, fails("Half"))
	b.Say(context.Background(), "One", nil)
	until[TurnDone](t, b)
	again := &fake{answers: b.answers}
	s := NewSession(Config{Backend: Backend{Transport: again}, Store: b.store, Now: b.time})
	b.pass(5 * time.Minute)
	<-s.Say(context.Background(), "Two", nil).Done()
	if !strings.Contains(again.asked[0].Context, "previous: user.text_submitted failed (5min ago)") {
		t.Errorf("context %s", again.asked[0].Context)
	}
	if len(again.asked[0].History) != 2 {
		t.Errorf("history %+v", again.asked[0].History)
	}
}

// "New session writes a boundary; a reset during a turn keeps that turn out" (docs/rules/chat.md#transcript).
func TestNewSession(t *testing.T) {
	b := newBench(t, says("Fine."), hangs("Old"), says("New."))
	b.Say(context.Background(), "One", nil)
	until[TurnDone](t, b)
	turn := b.Say(context.Background(), "Two", nil)
	until[Speech](t, b)
	if err := b.NewSession(); err != nil {
		t.Fatal(err)
	}
	b.Stop()
	<-turn.Done()
	b.Say(context.Background(), "Three", nil)
	until[TurnDone](t, b)
	until[TurnDone](t, b)
	if len(b.asked[2].History) != 0 || b.contextLine(2, "previous") != "" {
		t.Errorf("the new session knows %+v, %q", b.asked[2].History, b.contextLine(2, "previous"))
	}
	items := b.store.Items()
	if len(items) != 5 || items[2].Kind != KindBoundary || items[3].Text != "Three" {
		t.Errorf("a reset during a turn keeps that turn out: %+v", items)
	}
}

// "A Responses turn chains on the id of the previous turn's last response", and a failed turn leaves it (docs/rules/chat.md#what-the-next-turn-carries).
func TestChain(t *testing.T) {
	chained := func(id string, err error) func(context.Context, *Request, Sink) (*Reply, error) {
		return func(_ context.Context, _ *Request, sink Sink) (*Reply, error) {
			sink.Speech("x")
			return &Reply{Chain: json.RawMessage(`"` + id + `"`)}, err
		}
	}
	b := newBench(t, chained("r1", nil), chained("r2", fmt.Errorf("no")), says("Fine."))
	for range 3 {
		b.Say(context.Background(), "Go", nil)
		until[TurnDone](t, b)
	}
	if string(b.asked[1].Chain) != `"r1"` || string(b.asked[2].Chain) != `"r1"` {
		t.Errorf("chains %s, %s", b.asked[1].Chain, b.asked[2].Chain)
	}
	if err := b.NewSession(); err != nil {
		t.Fatal(err)
	}
	b.Say(context.Background(), "Go", nil)
	until[TurnDone](t, b)
	if b.asked[3].Chain != nil {
		t.Errorf("chain after a reset %s", b.asked[3].Chain)
	}
}

// "One backend call in flight, one pending slot (a newer pending drops the older as stale_pending). Non-user turns wait
// while audio is owed" (docs/rules/chat.md#turns).
func TestBackground(t *testing.T) {
	b := newBench(t, says("One. Two."), says("Hello."), says("[SILENT]"))
	b.Say(context.Background(), "Go", nil)
	until[TurnDone](t, b)
	b.Background(context.Background(), Trigger{Event: "proactive.mid_check"})
	b.Background(context.Background(), Addressed("Momo", "Are you there?"))
	if _, p := b.Step(b.time()); !p.Active || len(b.asked) != 1 {
		t.Fatal("it must wait while speech is owed")
	}
	b.pass(5 * time.Second)
	b.Step(b.time())
	started := until[TurnStarted](t, b)
	if started.User || started.Name != "character.addressed" || started.Text != "" {
		t.Errorf("started %+v", started)
	}
	until[TurnDone](t, b)
	if b.asked[1].Text != "(Momo says to you) Are you there?" || b.contextLine(1, "trigger") != "addressed by Momo" {
		t.Errorf("asked %+v", b.asked[1])
	}
	b.pass(time.Minute)
	b.Background(context.Background(), Trigger{Event: "proactive.head_pat"})
	if d := until[TurnDone](t, b); !d.Silent || d.Text != "" {
		t.Errorf("silent turn %+v", d)
	}
	items := b.store.Items()
	if len(items) != 4 || !items[2].Guide || items[0].Guide {
		t.Errorf("transcript %+v", items)
	}
}

// "three failures in a row -> degraded", "background turns dropped, user turns still go; one success recovers".
func TestDegraded(t *testing.T) {
	b := newBench(t, fails(), fails(), fails(), says("Fine."))
	for range 3 {
		b.Say(context.Background(), "Go", nil)
		until[TurnDone](t, b)
	}
	b.Background(context.Background(), Trigger{Event: "proactive.peek"})
	b.Step(b.time())
	b.Say(context.Background(), "Go", nil)
	if s := until[TurnStarted](t, b); !s.User {
		t.Error("a background turn ran while degraded")
	}
	until[TurnDone](t, b)
	b.pass(time.Minute)
	b.Background(context.Background(), Trigger{Event: "proactive.peek"})
	if s := until[TurnStarted](t, b); s.User {
		t.Error("one success must recover")
	}
}

// A stopped turn does not wait for its tools: they end as "error: turn stopped" in the record (docs/rules/chat.md#results).
func TestToolOfAStoppedTurn(t *testing.T) {
	defer goleak.VerifyNone(t)
	entered, called, leave := make(chan struct{}), make(chan struct{}), make(chan struct{})
	b := newBench(t, func(_ context.Context, _ *Request, sink Sink) (*Reply, error) {
		sink.Call(ToolCall{ID: "a", Name: "stubborn"})
		sink.Call(ToolCall{ID: "b", Name: "stubborn"})
		close(called)
		return &Reply{}, nil
	})
	folder := t.TempDir()
	b.cfg.Records = &FileRecorder{Dir: folder}
	b.cfg.Tools = fixed{{Name: "stubborn", Run: func(context.Context, Call) Result {
		close(entered)
		<-leave
		return Result{Text: "late"}
	}}}
	turn := b.Say(context.Background(), "Go", nil)
	<-entered
	<-called
	b.Stop()
	d, err := turn.Wait(context.Background())
	if err != nil || d.Outcome != Superseded {
		t.Fatalf("got %+v %v", d, err)
	}
	close(leave)
	raw, err := os.ReadFile(filepath.Join(folder, "turns_2026-03-02.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var r Record
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	want := []CallRecord{{Name: "stubborn", Result: "error: turn stopped"}, {Name: "stubborn", Result: "error: turn stopped"}}
	if diff := cmp.Diff(want, r.Calls); diff != "" || r.Type != "turn" || r.Trigger != "user" || r.Event != EventUserText {
		t.Errorf("record %s\n%s", raw, diff)
	}
}

type fixed []Tool

func (f fixed) Declared() []Tool        { return f }
func (f fixed) Switches() []SwitchState { return nil }

// Calls run one after the other in their order, with the turn's identity, while the stream is read on.
func TestCallsRunInOrder(t *testing.T) {
	var order []string
	tool := func(name string, pause time.Duration) Tool {
		return Tool{Name: name, Run: func(_ context.Context, c Call) Result {
			time.Sleep(pause)
			order = append(order, c.Name+c.Turn+string(c.Args))
			return Result{Text: "ok"}
		}}
	}
	b := newBench(t, func(_ context.Context, req *Request, sink Sink) (*Reply, error) {
		if len(req.Rounds) > 0 {
			return &Reply{}, nil
		}
		sink.Call(ToolCall{ID: "a", Name: "slow", Arguments: " "})
		sink.Speech("On it.")
		sink.Call(ToolCall{ID: "b", Name: "quick", Arguments: "null"})
		return &Reply{}, nil
	})
	b.cfg.Tools = fixed{tool("slow", 20*time.Millisecond), tool("quick", 0)}
	turn := b.Say(context.Background(), "Go", nil)
	d, _ := turn.Wait(context.Background())
	if diff := cmp.Diff([]string{"slow" + turn.ID() + "{}", "quick" + turn.ID() + "{}"}, order); diff != "" || d.Text != "On it." {
		t.Errorf("%+v\n%s", d, diff)
	}
	if b.rested != 1 {
		t.Errorf("rested %d times", b.rested)
	}
}

// The results of push go back inside the stream; a tool that is not declared answers error: unknown tool.
func TestAnswersInsideTheStream(t *testing.T) {
	got := make(chan Result, 2)
	b := newBench(t, func(_ context.Context, _ *Request, sink Sink) (*Reply, error) {
		answer := func(r Result) { got <- r }
		sink.Call(ToolCall{ID: "a", Name: "look", Answer: answer})
		sink.Call(ToolCall{ID: "b", Name: "fly", Answer: answer})
		return &Reply{}, nil
	})
	b.cfg.Tools = fixed{{Name: "look", OneWay: true, Run: func(context.Context, Call) Result { return Result{Text: "seen"} }}}
	<-b.Say(context.Background(), "Go", nil).Done()
	results := map[string]bool{(<-got).Text: true, (<-got).Text: true}
	if !results["seen"] || !results["error: unknown tool"] {
		t.Errorf("got %v", results)
	}
}

// "the estimate, corrected by the usage that servers report" (docs/rules/chat.md#transcript).
func TestUsageCorrectsTheEstimate(t *testing.T) {
	words := strings.Repeat("word ", 80) // 100 tokens by the estimate
	b := newBench(t, func(_ context.Context, req *Request, sink Sink) (*Reply, error) {
		guess := EstimateTokens(req.Context) + EstimateTokens(req.Text)
		for _, m := range req.History {
			guess += EstimateTokens(m.Text)
		}
		sink.Speech("ok")
		return &Reply{Usage: &Usage{Prompt: 2 * guess}}, nil
	})
	b.SetBackend(Backend{Transport: b.fake, Window: 250})
	for range 3 {
		b.Say(context.Background(), words, nil)
		until[TurnDone](t, b)
	}
	if n := len(b.asked[1].History); n != 2 {
		t.Errorf("history of the second turn: %d", n)
	}
	if n := len(b.asked[2].History); n != 3 { // twice 100 and 2 fit into 250, a second 200 does not
		t.Errorf("history of the third turn: %d %+v", n, b.asked[2].History)
	}
}

// "turn_id = wall clock ms counted up" (docs/rules/chat.md#push-frames); "Missing or empty ids get nine letters or digits of ours"
// (docs/rules/chat.md#fragments).
func TestTurnIDsCountUp(t *testing.T) {
	var ids turnIDs
	now := time.UnixMilli(1000)
	if a, b, c := ids.next(now), ids.next(now), ids.next(time.UnixMilli(5)); a != "1000" || b != "1001" || c != "1002" {
		t.Error(a, b, c)
	}
	seen := map[string]bool{}
	for range 1000 {
		id := NewCallID()
		if len(id) != 9 || seen[id] || strings.Trim(id, idAlphabet) != "" {
			t.Fatalf("id %q", id)
		}
		seen[id] = true
	}
}

// A server that finds the conversation too long is not asked the same again: the next turn carries half of it.
func TestTooLongShrinks(t *testing.T) {
	b := newBench(t, says(strings.Repeat("word ", 80)), says(strings.Repeat("word ", 80)),
		func(context.Context, *Request, Sink) (*Reply, error) {
			return nil, &Failure{Outcome: NetworkDrop, Reason: TooLong, Status: 400}
		}, says("Fine."))
	for range 4 {
		b.Say(context.Background(), strings.Repeat("word ", 80), nil)
		until[TurnDone](t, b)
	}
	if all, half := len(b.asked[2].History), len(b.asked[3].History); all != 4 || half != 2 {
		t.Errorf("history of %d, then %d", all, half)
	}
}

// A turn that waits for the end of speech begins although nobody steps the playback (a hidden window).
func TestBackgroundWithoutSteps(t *testing.T) {
	b := newBench(t, says("Hi."), says("Hello."))
	b.cfg.Now = time.Now
	b.Say(context.Background(), "Go", nil)
	until[TurnDone](t, b)
	b.Background(context.Background(), Trigger{Event: "proactive.mid_check"})
	if s := until[TurnStarted](t, b); s.User {
		t.Errorf("started %+v", s)
	}
	until[TurnDone](t, b)
}

func TestClose(t *testing.T) {
	defer goleak.VerifyNone(t)
	b := newBench(t, hangs("Half"))
	if err := b.Close(context.Background()); err != nil {
		t.Error(err)
	}
	b.Say(context.Background(), "Go", nil)
	until[Speech](t, b)
	b.Background(context.Background(), Trigger{Event: "proactive.mid_check"})
	if err := b.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if items := b.store.Items(); len(items) != 2 || !items[1].Cut {
		t.Errorf("transcript %+v", items)
	}
}

func TestControlCharactersAreNotStored(t *testing.T) {
	b := newBench(t, says("A\x00B", "\x1b[1mC\n"))
	b.Say(context.Background(), "x\x00y\xff", nil)
	if d := until[TurnDone](t, b); d.Text != "AB[1mC\n" || b.asked[0].Text != "xy\ufffd" {
		t.Errorf("said %q, asked %q", d.Text, b.asked[0].Text)
	}
}

// Cues reach the face by the clock of the bubble, thoughts never the bubble.
func TestStepAndRewritten(t *testing.T) {
	b := newBench(t, func(_ context.Context, _ *Request, sink Sink) (*Reply, error) {
		sink.Speech("The user says hi. I should greet.</thi")
		sink.Speech("nk>\n\nHello. ")
		sink.Call(ToolCall{ID: "a", Name: "mcp_x_generate_express", Arguments: `{"emotion_id":"happy","motion_id":7}`})
		sink.Speech("Nice day.")
		return &Reply{}, nil
	})
	turn := b.Say(context.Background(), "Hi", nil)
	if r := until[Rewritten](t, b); r.Text != "" {
		t.Errorf("rewritten to %q", r.Text)
	}
	if d := until[TurnDone](t, b); d.Text != "Hello. Nice day." {
		t.Errorf("said %q", d.Text)
	}
	id, p := b.Step(b.time())
	if id != turn.ID() || p.Sentence != 0 || len(p.Cues) != 0 || !p.Active {
		t.Errorf("at the start %+v", p)
	}
	b.pass(800 * time.Millisecond)
	if _, p = b.Step(b.time()); p.Sentence != 1 || len(p.Cues) != 1 || p.Cues[0] != (Cue{EmotionID: "happy"}) {
		t.Errorf("at the second sentence %+v", p)
	}
	b.pass(time.Second)
	if _, p = b.Step(b.time()); !p.Ended || p.Active {
		t.Errorf("at the end %+v", p)
	}
	if items := b.store.Items(); items[1].Text != "Hello. Nice day." {
		t.Errorf("stored %+v", items)
	}
}
