package chat

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// fake is a Transport that runs a function per request.
type fake struct {
	mu      sync.Mutex
	asked   []Request
	answers []func(ctx context.Context, req *Request, sink Sink) (*Reply, error)
	rested  int
}

func (f *fake) Stream(ctx context.Context, req *Request, sink Sink) (*Reply, error) {
	f.mu.Lock()
	n := len(f.asked)
	f.asked = append(f.asked, *req)
	answer := f.answers[min(n, len(f.answers)-1)]
	f.mu.Unlock()
	return answer(ctx, req, sink)
}

func (f *fake) Rest() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rested++
}

// says answers with pieces of speech.
func says(pieces ...string) func(context.Context, *Request, Sink) (*Reply, error) {
	return func(_ context.Context, _ *Request, sink Sink) (*Reply, error) {
		for _, p := range pieces {
			sink.Speech(p)
		}
		return &Reply{}, nil
	}
}

// hangs speaks and then waits for the end of its context.
func hangs(pieces ...string) func(context.Context, *Request, Sink) (*Reply, error) {
	return func(ctx context.Context, _ *Request, sink Sink) (*Reply, error) {
		for _, p := range pieces {
			sink.Speech(p)
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
}

func fails(pieces ...string) func(context.Context, *Request, Sink) (*Reply, error) {
	return func(_ context.Context, _ *Request, sink Sink) (*Reply, error) {
		for _, p := range pieces {
			sink.Speech(p)
		}
		return nil, errors.New("the cable is out")
	}
}

// bench is a session over a fake, with a clock of its own.
type bench struct {
	*Session
	*fake
	store *MemoryStore
	clock sync.Mutex
	now   time.Time
	seen  chan Event
	log   []Event
}

func newBench(t *testing.T, answers ...func(context.Context, *Request, Sink) (*Reply, error)) *bench {
	t.Helper()
	b := &bench{fake: &fake{answers: answers}, store: &MemoryStore{}, now: time.Date(2026, 3, 2, 21, 5, 0, 0, time.UTC)}
	b.seen = make(chan Event, 1000)
	b.Session = NewSession(Config{
		Backend: Backend{Transport: b.fake}, Store: b.store, Now: b.time,
		Observer: func(e Event) { b.seen <- e },
	})
	return b
}

func (b *bench) time() time.Time {
	b.clock.Lock()
	defer b.clock.Unlock()
	return b.now
}

func (b *bench) pass(d time.Duration) {
	b.clock.Lock()
	defer b.clock.Unlock()
	b.now = b.now.Add(d)
}

// until waits for an event of one kind.
func until[E Event](t *testing.T, b *bench) E {
	t.Helper()
	timeout := time.After(10 * time.Second)
	for {
		select {
		case e := <-b.seen:
			b.log = append(b.log, e)
			if e, ok := e.(E); ok {
				return e
			}
		case <-timeout:
			var none E
			t.Fatalf("no %T came; seen %+v", none, b.log)
			return none
		}
	}
}

// contextLine gives one line of the context of request n.
func (b *bench) contextLine(n int, name string) string {
	b.fake.mu.Lock()
	defer b.fake.mu.Unlock()
	for _, line := range strings.Split(b.asked[n].Context, "\n") {
		if rest, ok := strings.CutPrefix(line, name+": "); ok {
			return rest
		}
	}
	return ""
}
