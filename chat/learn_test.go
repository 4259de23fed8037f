package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"yui/internal/protocol"

	"go.uber.org/goleak"
)

func refuses(status int, reason Reason) func(context.Context, *Request, Sink) (*Reply, error) {
	return func(context.Context, *Request, Sink) (*Reply, error) {
		return nil, &Failure{Outcome: NetworkDrop, Reason: reason, Status: status, Detail: "no"}
	}
}

// "A poisoned stored message can never make every later request fail": what a server refuses twice in a row
// without a better reason is left out from then on, over a restart, too, and the person is told. The transcript keeps it.
func TestPoisonedHistory(t *testing.T) {
	poisonable := func(_ context.Context, req *Request, sink Sink) (*Reply, error) {
		for _, m := range req.History {
			if strings.Contains(m.Text, "poison") {
				return refuses(400, Refused)(nil, nil, nil)
			}
		}
		sink.Speech("Fine.")
		return &Reply{}, nil
	}
	b := newBench(t, poisonable)
	say := func(words string) TurnDone {
		b.pass(time.Second)
		b.Say(context.Background(), words, nil)
		return until[TurnDone](t, b)
	}
	say("One")
	if d := say("poison"); d.Outcome != OK {
		t.Fatalf("got %+v", d)
	}
	if say("Two").Outcome == OK || say("Three").Outcome == OK {
		t.Fatal("the fake does not poison")
	}
	notices := 0
	for _, e := range b.log {
		if n, ok := e.(Notice); ok && strings.Contains(n.Text, "starts afresh") {
			notices++
		}
	}
	if d := say("Four"); d.Outcome != OK || notices != 1 {
		t.Errorf("after two refusals: %+v, %d notices", d, notices)
	}
	if d := say("Five"); d.Outcome != OK || len(b.asked[5].History) != 2 || b.asked[5].History[0].Text != "Four" {
		t.Errorf("%+v with history %+v", d, b.asked[5].History)
	}
	again := &fake{answers: b.answers}
	s := NewSession(Config{Backend: Backend{Transport: again}, Store: b.store, Now: b.time})
	if d, _ := s.Say(context.Background(), "Six", nil).Wait(context.Background()); d.Outcome != OK || len(again.asked[0].History) != 4 {
		t.Errorf("after a restart: %+v with history %+v", d, again.asked[0].History)
	}
	if items := b.store.Items(); items[2].Text != "poison" {
		t.Errorf("the transcript keeps everything: %+v", items)
	}
	if err := s.NewSession(); err != nil {
		t.Fatal(err)
	}
	if raw, _ := b.store.Value(keyFrom); raw != nil {
		t.Errorf("a new session has a beginning of its own: %s", raw)
	}
}

// What has another cause does not cost the past.
func TestNotPoison(t *testing.T) {
	for _, c := range []struct {
		status int
		reason Reason
		turns  int
		loses  bool
	}{
		{401, WrongKey, 9, false}, {429, RateLimited, 9, false}, {404, UnknownModel, 9, false}, {503, ServerFailed, 9, false}, {0, CutOff, 9, false},
		{400, Refused, 1, false}, {400, Refused, 2, true}, {422, Refused, 2, true}, {500, ServerFailed, 2, false}, {500, ServerFailed, 3, true},
	} {
		answers := []func(context.Context, *Request, Sink) (*Reply, error){says("Fine.")}
		for range c.turns {
			answers = append(answers, refuses(c.status, c.reason))
		}
		b := newBench(t, append(answers, says("Fine."))...)
		for range c.turns + 2 {
			b.pass(time.Second)
			b.Say(context.Background(), "Hi", nil)
			until[TurnDone](t, b)
		}
		if n := len(b.asked[c.turns+1].History); (n == 0) != c.loses {
			t.Errorf("%d %s, %d times: history of %d", c.status, c.reason, c.turns, n)
		}
	}
}

// A transport that finds its chain worthless drops it, even where the turn fails; and a reply is told what it owes.
func TestChainIsDroppedAndOwed(t *testing.T) {
	owed := make(chan []Answer, 3)
	b := newBench(t, func(_ context.Context, req *Request, sink Sink) (*Reply, error) {
		sink.Call(ToolCall{ID: "e", Name: protocol.Express, Arguments: `{"emotion_id":"happy"}`})
		sink.Call(ToolCall{ID: "f", Name: protocol.Express, Arguments: `{"emotion_id":"sad"}`, Foreign: true})
		sink.Speech("Hi.")
		return &Reply{Waits: true, Owe: func(calls []Answer) json.RawMessage { owed <- calls; return json.RawMessage(`"r1"`) }}, nil
	}, func(_ context.Context, req *Request, _ Sink) (*Reply, error) {
		if string(req.Chain) != `"r1"` {
			return nil, fmt.Errorf("chain %s", req.Chain)
		}
		req.Chain = nil
		return nil, errors.New("worse")
	}, says("Fine."))
	b.cfg.Tools = fixed{{Name: protocol.Express, OneWay: true, Run: func(context.Context, Call) Result { return Result{Text: "o\x00k"} }}}
	for range 3 {
		b.Say(context.Background(), "Go", nil)
		until[TurnDone](t, b)
	}
	if calls := <-owed; len(calls) != 1 || calls[0].ID != "e" || calls[0].Result.Text != "ok" {
		t.Errorf("owed %+v", calls)
	}
	if raw, _ := b.store.Value(keyChain); raw != nil || b.asked[2].Chain != nil {
		t.Errorf("chain %s stored, %s sent", raw, b.asked[2].Chain)
	}
}

// docs/rules/chat.md#screenshots: "a screenshot of the pet's monitor with every user turn, as an image and a screenshot: line"; and
// docs/rules/chat.md#screenshots: "Screenshot failure: turn goes on without it."
func TestShot(t *testing.T) {
	defer goleak.VerifyNone(t)
	b := newBench(t, says("Fine."))
	shot, fail, hang := Shot{Images: []string{"data:image/jpeg;base64,AA=="}, Label: "monitor 0 (DP-1)"}, error(nil), make(chan struct{})
	hanging := false
	b.cfg.Shot = func(ctx context.Context) (Shot, error) {
		if hanging {
			<-hang
		}
		return shot, fail
	}
	check := func(n, images int, line string) {
		t.Helper()
		until[TurnDone](t, b)
		if got := b.contextLine(n, "screenshot"); len(b.asked[n].Images) != images || got != line {
			t.Errorf("turn %d: %d images, line %q", n, len(b.asked[n].Images), got)
		}
		b.pass(time.Minute)
	}
	own := []string{"data:image/png;base64,BB=="}
	b.Say(context.Background(), "Look", own)
	check(0, 2, "monitor 0 (DP-1)")
	if len(own) != 1 || b.asked[0].Images[0] != own[0] {
		t.Errorf("images %v", b.asked[0].Images)
	}
	b.Background(context.Background(), Trigger{Event: "proactive.peek"})
	check(1, 0, "")
	fail = errors.New("no screen")
	b.Say(context.Background(), "Look", nil)
	check(2, 0, "")
	shot, fail = Shot{Label: "monitor 0"}, nil // the switch is off
	b.Say(context.Background(), "Look", nil)
	check(3, 0, "")
	hanging = true
	turn := b.Say(context.Background(), "Look", nil)
	until[TurnStarted](t, b)
	b.Stop()
	if d, err := turn.Wait(context.Background()); err != nil || !d.Stopped {
		t.Errorf("a capture that hangs holds up the stop: %+v", d)
	}
	close(hang)
}

// Search finds what was said in any session, newest first.
func TestSearch(t *testing.T) {
	b := newBench(t, says("The kettle is on."))
	for _, words := range []string{"Is there Tea?", "お茶を", "tea again"} {
		b.Say(context.Background(), words, nil)
		until[TurnDone](t, b)
		if err := b.NewSession(); err != nil {
			t.Fatal(err)
		}
	}
	for words, want := range map[string][]string{"tea": {"tea again", "Is there Tea?"}, " お茶 ": {"お茶を"}, "": nil, "coffee": nil} {
		items, err := b.Search(context.Background(), words, 10)
		var got []string
		for _, it := range items {
			got = append(got, it.Text)
		}
		if err != nil || strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q: %q %v", words, got, err)
		}
	}
	if items, _ := b.Search(context.Background(), "kettle", 2); len(items) != 2 {
		t.Errorf("limit: %d", len(items))
	}
	mute := NewSession(Config{Store: struct{ Store }{&MemoryStore{}}})
	if _, err := mute.Search(context.Background(), "x", 1); !errors.Is(err, ErrNoSearch) {
		t.Errorf("a store that cannot search: %v", err)
	}
}
