package chat

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"yui/internal/protocol"
)

// The speech of a turn ends at its bound, on a whole rune and marked as cut, and the stream is cancelled.
func TestSpeechEnds(t *testing.T) {
	var cancelled bool
	turn := bare(t, nil, func(ctx context.Context, _ *Request, sink Sink) (*Reply, error) {
		for range 100_000 {
			if cancelled = ctx.Err() != nil; cancelled {
				return nil, ctx.Err()
			}
			sink.Speech("あいう")
		}
		return &Reply{}, nil
	})
	if n := len(turn.Text); !cancelled || turn.Outcome != OK || !turn.Cut || n > 64<<10 || n < 64<<10-3 || n%3 != 0 {
		t.Errorf("cancelled %v, %s, cut %v, %d bytes", cancelled, turn.Outcome, turn.Cut, len(turn.Text))
	}
}

// One answer runs sixteen calls; what it asks for beyond them is answered, not run, and expressions do not count.
func TestCallsAreBounded(t *testing.T) {
	ran, results := 0, []Answer(nil)
	tool := Tool{Name: "lookup", Run: func(context.Context, Call) Result { ran++; return Result{Text: "1"} }}
	express := Tool{Name: protocol.Express, OneWay: true, Run: func(context.Context, Call) Result { return Result{Text: "ok"} }}
	bare(t, []Tool{tool, express}, func(_ context.Context, req *Request, sink Sink) (*Reply, error) {
		if len(req.Rounds) > 0 {
			results = req.Rounds[0].Calls
			sink.Speech("Done.")
			return &Reply{}, nil
		}
		for i := range 100 {
			sink.Call(ToolCall{ID: "e" + strconv.Itoa(i), Name: protocol.Express, Arguments: `{"emotion_id":"joy"}`})
			sink.Call(ToolCall{ID: "c" + strconv.Itoa(i), Name: "lookup", Arguments: "{}"})
		}
		return &Reply{Waits: true}, nil
	})
	refused, fine := 0, 0
	for _, a := range results {
		switch a.Result.Text {
		case "error: too many calls":
			refused++
		case "ok":
			fine++
		}
	}
	if ran != 16 || refused != 84 || fine != 100 {
		t.Errorf("%d ran, %d refused, %d expressions", ran, refused, fine)
	}
}

// One answer plays sixty-four cues; those beyond them are answered and dropped.
func TestCuesAreBounded(t *testing.T) {
	var results []Answer
	cues := 0
	s := NewSession(Config{
		Tools: fixed{{Name: protocol.Express, OneWay: true, Run: func(context.Context, Call) Result { return Result{Text: "ok"} }}},
		Observer: func(e Event) {
			if _, cue := e.(CueReleased); cue {
				cues++
			}
		},
		Backend: Backend{Transport: &fake{answers: []func(context.Context, *Request, Sink) (*Reply, error){
			func(_ context.Context, _ *Request, sink Sink) (*Reply, error) {
				for i := range 100 {
					sink.Call(ToolCall{ID: "e" + strconv.Itoa(i), Name: protocol.Express, Arguments: `{"emotion_id":"joy"}`})
				}
				return &Reply{Waits: true}, nil
			},
			func(_ context.Context, req *Request, sink Sink) (*Reply, error) {
				results = req.Rounds[0].Calls
				sink.Speech("Done.")
				return &Reply{}, nil
			},
		}}},
	})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := s.Say(ctx, "Hi", nil).Wait(ctx); err != nil {
		t.Fatal(err)
	}
	fine := slices.IndexFunc(results, func(a Answer) bool { return a.Result.Text != "ok" }) < 0
	if cues != 64 || len(results) != 100 || !fine {
		t.Errorf("%d cues, %d results, all ok: %v", cues, len(results), fine)
	}
}

// Speech is joined by the white space of every script.
func TestJoint(t *testing.T) {
	for _, pair := range [][2]string{{"Hm\u00a0", "x"}, {"Hm\u2003", "x"}, {"Hm", "\u00a0x"}, {"Hm。", "x"}, {"Hm", "\u2028x"}} {
		if Joint(pair[0], pair[1]) != "" {
			t.Errorf("%q", pair)
		}
	}
	if Joint("Hm.", "x") != " " {
		t.Error("no space")
	}
}

// bare runs one turn of the person's.
func bare(t *testing.T, tools fixed, answer func(context.Context, *Request, Sink) (*Reply, error)) TurnDone {
	t.Helper()
	s := NewSession(Config{Backend: Backend{Transport: &fake{answers: []func(context.Context, *Request, Sink) (*Reply, error){answer}}}, Tools: tools})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	d, err := s.Say(ctx, "Hi", nil).Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
