package chat

import (
	"context"
	"testing"
	"time"
)

// The end of a turn's playback is told exactly once, whoever finds it: Step, or the turn that takes its place. Speech that
// was cut has no end.
func TestEndOfPlaybackIsToldOnce(t *testing.T) {
	hello := func(_ context.Context, sink Sink) (*Reply, error) { sink.Speech("Hello."); return &Reply{}, nil }
	unasked := func(b *bench) {
		go func() { _ = b.Unasked(context.Background(), Unasked{Stream: hello}) }()
	}
	say := func(b *bench) { b.Say(context.Background(), "again", nil) }
	background := func(b *bench) { b.Background(context.Background(), Trigger{Event: "proactive.mid_check"}) }
	for _, test := range []struct {
		name   string
		next   func(b *bench)
		before func(b *bench, end time.Time)
		played bool // the next turn tells it
	}{
		{"a waiting turn", background, func(*bench, time.Time) {}, true},
		{"a reply of the backend's", unasked, func(*bench, time.Time) {}, true},
		{"the person", say, func(*bench, time.Time) {}, true},
		{"a waiting turn, seen", background, func(b *bench, end time.Time) { b.Step(end) }, false},
		{"the person, seen", say, func(b *bench, end time.Time) { b.Step(end) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t, says("One. Two."))
			first := b.Say(context.Background(), "Go", nil)
			<-first.Done()
			b.pass(time.Minute)
			test.before(b, b.time())
			until[TurnDone](t, b)
			b.log = nil
			test.next(b)
			until[TurnDone](t, b)
			told := 0
			for i, e := range b.log {
				if p, ok := e.(Played); ok {
					told++
					if _, follows := b.log[i+1].(TurnStarted); p.Turn != first.ID() || !follows {
						t.Errorf("%+v", b.log)
					}
				}
			}
			if told > 1 || (told == 1) != test.played {
				t.Errorf("told %d times: %+v", told, b.log)
			}
			b.pass(time.Minute)
			if turn, p := b.Step(b.time()); turn == first.ID() || !p.Ended {
				t.Errorf("the next one's end: %s %+v", turn, p)
			}
		})
	}
	t.Run("cut by the person", func(t *testing.T) {
		b := newBench(t, says("One. Two."))
		<-b.Say(context.Background(), "Go", nil).Done()
		b.Say(context.Background(), "again", nil)
		until[TurnDone](t, b)
		until[TurnDone](t, b)
		for _, e := range b.log {
			if _, ok := e.(Played); ok {
				t.Errorf("%+v", b.log)
			}
		}
	})
	t.Run("stopped as it ended", func(t *testing.T) {
		b := newBench(t, says("One."))
		<-b.Say(context.Background(), "Go", nil).Done()
		b.pass(time.Minute)
		b.Stop()
		if _, p := b.Step(b.time()); !p.Ended {
			t.Errorf("%+v", p)
		}
	})
}
