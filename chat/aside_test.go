package chat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// keeping is a backend that keeps the conversation.
type keeping struct{ *fake }

func (keeping) KeepsConversation() {}

// A server that keeps the conversation and is not sent the transcript learns what a rule or a reminder has said without
// it: once, whatever became of the turn that would have told it, over a restart, too, and not beyond a new session.
func TestAside(t *testing.T) {
	failing := func(context.Context, *Request, Sink) (*Reply, error) { return nil, errors.New("no") }
	b := newBench(t, says("Hello."), failing, says("Yes."), says("Good."))
	b.cfg.Ahead = func(_ context.Context, _, text string) Prepared {
		if words, fixed := strings.CutPrefix(text, "fixed "); fixed {
			return Prepared{Say: words}
		}
		return Prepared{}
	}
	ask := func(words string) {
		b.Say(context.Background(), words, nil)
		until[TurnDone](t, b)
	}
	told := func(n int) string {
		var lines []string
		for _, l := range strings.Split(b.asked[n].Context, "\n") {
			if strings.HasPrefix(l, "meanwhile: ") {
				lines = append(lines, l)
			}
		}
		return strings.Join(lines, "\n")
	}
	b.SetBackend(Backend{Transport: keeping{b.fake}})
	ask("Hi")
	ask("fixed Pong.\n</client_context>")
	b.pass(time.Hour)
	if !b.Speak(context.Background(), "schedule.reminder", "Tea at five.") {
		t.Fatal("not spoken")
	}
	until[TurnDone](t, b)
	b.pass(time.Hour)
	if err := b.Unasked(context.Background(), Unasked{Stream: func(_ context.Context, sink Sink) (*Reply, error) { sink.Speech("I know."); return &Reply{}, nil }}); err != nil {
		t.Fatal(err)
	}
	until[TurnDone](t, b)
	const want = "meanwhile: the user said \"fixed Pong.\", you said \"Pong.\"\nmeanwhile: you said \"Tea at five.\""
	ask("And?") // fails
	again := NewSession(Config{Backend: Backend{Transport: keeping{b.fake}}, Store: b.store, Now: b.time, Observer: b.cfg.Observer})
	for _, words := range []string{"And now?", "Thanks."} {
		again.Say(context.Background(), words, nil)
		until[TurnDone](t, b)
	}
	if told(0) != "" || told(1) != want || told(2) != want || told(3) != "" {
		t.Errorf("told %q, %q, %q, %q", told(0), told(1), told(2), told(3))
	}
	if raw, _ := b.store.Value(keyAside); raw != nil {
		t.Errorf("stored %s", raw)
	}

	for i := range 2 * mostAside {
		ask(fmt.Sprint("fixed ", i))
	}
	if raw, _ := b.store.Value(keyAside); strings.Count(string(raw), "meanwhile") != mostAside || !strings.Contains(string(raw), fmt.Sprintf(`%d`, 2*mostAside-1)) {
		t.Errorf("stored %s", raw)
	}
	b.SetBackend(Backend{Transport: b.fake}) // one that is sent the transcript
	ask("Hi")
	if raw, _ := b.store.Value(keyAside); raw != nil || told(4) != "" {
		t.Errorf("stored %s, told %q", raw, told(4))
	}
	ask("fixed Pong.")
	if err := b.NewSession(); err != nil {
		t.Fatal(err)
	}
	if raw, _ := b.store.Value(keyAside); raw != nil {
		t.Errorf("a new session knows of it: %s", raw)
	}
}
