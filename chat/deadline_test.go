package chat

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// "deadlines by silence (45 s after speech, 240 s otherwise), never one total timeout": on a clock of the
// test's own, with the limits that a session has by itself.
func TestDeadlinesBySilence(t *testing.T) {
	type step func(ctx context.Context, sink Sink)
	wait := func(d time.Duration) step {
		return func(ctx context.Context, _ Sink) {
			select {
			case <-time.After(d):
			case <-ctx.Done():
			}
		}
	}
	speak := func(_ context.Context, sink Sink) { sink.Speech("Word. ") }
	for name, c := range map[string]struct {
		steps   []step
		ends    time.Duration // after the beginning
		outcome Outcome
		text    string
	}{
		"silence from the beginning":          {nil, 240 * time.Second, NetworkStall, ""},
		"silence after speech":                {[]step{wait(10 * time.Second), speak}, 55 * time.Second, NetworkStall, "Word. "},
		"a sign of life after speech":         {[]step{speak, func(_ context.Context, s Sink) { s.Alive() }}, 240 * time.Second, NetworkStall, "Word. "},
		"a thought after speech":              {[]step{speak, func(_ context.Context, s Sink) { s.(Thinker).Thought("hm") }}, 240 * time.Second, NetworkStall, "Word. "},
		"a tool's status after speech":        {[]step{speak, func(_ context.Context, s Sink) { s.Status("web", true) }}, 240 * time.Second, NetworkStall, "Word. "},
		"a piece just in time, for two hours": {slices.Repeat([]step{speak, wait(44 * time.Second)}, 164), 7216 * time.Second, OK, strings.Repeat("Word. ", 164)},
		"patience before speech, for an hour": {slices.Repeat([]step{wait(239 * time.Second), func(_ context.Context, s Sink) { s.Alive() }}, 15), 3585 * time.Second, OK, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := NewSession(Config{Backend: Backend{Transport: &fake{answers: []func(context.Context, *Request, Sink) (*Reply, error){
					func(ctx context.Context, _ *Request, sink Sink) (*Reply, error) {
						for _, do := range c.steps {
							do(ctx, sink)
						}
						if c.outcome != OK {
							<-ctx.Done()
						}
						if ctx.Err() != nil {
							return nil, ctx.Err()
						}
						return &Reply{}, nil
					}}}}})
				began := time.Now()
				d, err := s.Say(context.Background(), "Hi", nil).Wait(context.Background())
				if err != nil || d.Outcome != c.outcome || d.Text != c.text || time.Since(began) != c.ends {
					t.Errorf("%s after %v: %v, %q, %v", d.Outcome, time.Since(began), err, d.Text, d.Failure)
				}
				if d.Failure != nil && (d.Failure.Reason != Stalled || d.Cut != (c.text != "")) {
					t.Errorf("got %+v", d)
				}
			})
		})
	}
}

// "turns_YYYY-MM-DD.jsonl: {type:"turn",ts,event_name,trigger_kind,client_context,spoke_text}; … skip
// {type:"skip",ts,source:…,reason,…}" (docs/rules/chat.md#turn-records), and "3 failed calls in a row -> degraded: background turns
// dropped, user turns still go; one success recovers" (6.10).
func TestTurnRecords(t *testing.T) {
	folder := t.TempDir()
	b := newBench(t, fails(), fails(), fails("Half"), says("Fine."), says("Hello."))
	b.cfg.Records = &FileRecorder{Dir: folder}
	say := func() {
		b.Say(context.Background(), "Hi", nil)
		until[TurnDone](t, b)
	}
	say()
	say()
	say()
	b.Background(context.Background(), Trigger{Event: "proactive.peek"})
	say()
	b.pass(time.Minute)
	b.Background(context.Background(), Trigger{Event: "proactive.peek"})
	if d := until[TurnDone](t, b); d.User || d.Text != "Hello." {
		t.Errorf("after a success %+v", d)
	}
	var turns, skips []string
	for wait := time.Now().Add(10 * time.Second); len(skips) == 0 && time.Now().Before(wait); time.Sleep(time.Millisecond) {
		raw, err := os.ReadFile(filepath.Join(folder, "turns_2026-03-02.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		turns, skips = nil, nil
		for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
			var r map[string]any
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if _, err := time.Parse(time.RFC3339, r["ts"].(string)); err != nil {
				t.Error(err)
			}
			if r["type"] == "skip" { // written beside the turns
				skips = append(skips, r["source"].(string)+" "+r["reason"].(string)+" "+r["event_name"].(string))
				continue
			}
			if !strings.Contains(r["client_context"].(string), "\ntrigger: ") {
				t.Errorf("context of %s", line)
			}
			turns = append(turns, r["type"].(string)+" "+r["event_name"].(string)+" "+r["trigger_kind"].(string)+" "+r["spoke_text"].(string))
		}
	}
	want := []string{"turn user.text_submitted user ", "turn user.text_submitted user ", "turn user.text_submitted user Half",
		"turn user.text_submitted user Fine.", "turn proactive.peek background Hello."}
	if diff := cmp.Diff(want, turns); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"dispatcher degraded_drop proactive.peek"}, skips); diff != "" {
		t.Error(diff)
	}
}
