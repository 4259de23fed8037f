package chat

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"yui/assets/lang"
)

// stuckStore takes and gives nothing while it is locked.
type stuckStore struct {
	*MemoryStore
	locked atomic.Bool
}

func (s *stuckStore) Load() ([]Item, error) {
	if s.locked.Load() {
		return nil, errors.New("locked")
	}
	return s.MemoryStore.Load()
}

func (s *stuckStore) Append(items ...Item) error {
	if s.locked.Load() {
		return errors.New("locked")
	}
	return s.MemoryStore.Append(items...)
}

// A store that is locked for a while loses no turn: the person is told, and it is written with the next one.
func TestWhatIsNotKeptIsToldAndKeptLater(t *testing.T) {
	b := newBench(t, says("Fine."))
	stuck := &stuckStore{MemoryStore: b.store}
	b.Session.cfg.Store, b.Session.cfg.Words = stuck, lang.In("ko")
	say := func(text string) {
		b.Say(context.Background(), text, nil)
		until[TurnDone](t, b)
	}
	say("One")
	stuck.locked.Store(true)
	b.Say(context.Background(), "Two", nil)
	if told := until[Notice](t, b); told.Text != lang.In("ko").Text(NoticeUnkept) {
		t.Errorf("told %q", told.Text)
	}
	until[TurnDone](t, b)
	if err := b.NewSession(); err == nil {
		t.Error("a boundary that is not kept is no error")
	}
	say("Three")
	stuck.locked.Store(false)
	say("Four")
	var got string
	for _, item := range b.store.Items() {
		if item.Kind == KindBoundary {
			got += "| "
		} else if item.Role == "user" {
			got += item.Text + " "
		}
	}
	if got != "One Two | Three Four " {
		t.Errorf("kept %q", got)
	}
}

// A transcript that could not be read at the first turn is read at the next.
func TestTranscriptIsReadOnceItCanBe(t *testing.T) {
	b := newBench(t, says("Fine."))
	stuck := &stuckStore{MemoryStore: b.store}
	b.Session.cfg.Store = stuck
	if err := b.store.Append(Item{Role: "user", Text: "before"}, Item{Role: "assistant", Text: "yes"}); err != nil {
		t.Fatal(err)
	}
	stuck.locked.Store(true)
	for _, text := range []string{"One", "Two"} {
		b.Say(context.Background(), text, nil)
		until[TurnDone](t, b)
	}
	if got := b.asked[1].History; len(got) != 2 || got[0].Text != "One" {
		t.Errorf("while it cannot be read the history is %+v", got)
	}
	stuck.locked.Store(false)
	b.Say(context.Background(), "Three", nil)
	until[TurnDone](t, b)
	if got := b.asked[2].History; len(got) != 6 || got[0].Text != "before" || got[2].Text != "One" {
		t.Errorf("the history is %+v", got)
	}
}

// A backend that cannot be asked says why, each time.
func TestBackendThatIsMissing(t *testing.T) {
	b := newBench(t)
	b.SetBackend(Backend{Missing: &Failure{Outcome: NotConfigured, Reason: BadAddress}})
	for range 2 {
		b.Say(context.Background(), "Hello", nil)
		if done := until[TurnDone](t, b); done.Outcome != NotConfigured || done.Error != lang.In("en").Text("chat.failure.bad_address") {
			t.Errorf("%+v", done)
		}
	}
}
