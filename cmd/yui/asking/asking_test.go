package asking

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/overlay/ui"
	"yui/tools"
)

// thread is a Loop on a goroutine of its own, as the main thread is.
type thread chan func()

func newThread(t *testing.T) thread {
	l := make(thread, 16)
	go func() {
		for f := range l {
			f()
		}
	}()
	t.Cleanup(func() { close(l) })
	return l
}

func (l thread) Do(f func()) { l <- f }
func (l thread) Call(ctx context.Context, f func()) error {
	done := make(chan struct{})
	l <- func() { f(); close(done) }
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// bubble is a Pet with a bubble that is there at once, or when the test says so.
type bubble struct {
	late  bool
	wants chan func(Bubble) // what waits for it, where it is late
	asked chan ui.Question
	wait  time.Duration
	reply func(bool)
	ended chan struct{}
}

func newBubble(late bool) *bubble {
	return &bubble{late: late, wants: make(chan func(Bubble), 1), asked: make(chan ui.Question, 1), ended: make(chan struct{}, 1)}
}

func (b *bubble) WithBubble(show func(Bubble)) {
	if b.late {
		b.wants <- show
		return
	}
	show(b)
}

func (b *bubble) Ask(q ui.Question, wait time.Duration, answer func(bool)) (end func()) {
	b.wait, b.reply = wait, answer
	b.asked <- q
	return func() { b.ended <- struct{}{} }
}

// The person's answer comes back, and what a model wrote into the question is legible.
func TestAsk(t *testing.T) {
	for _, late := range []bool{false, true} {
		for _, allowed := range []bool{false, true} {
			loop, b := newThread(t), newBubble(late)
			got := make(chan bool)
			go func() {
				got <- NewAsker(loop, b, lang.In("en")).Ask(t.Context(), tools.Question{Title: "Send?", Body: "a\u202eb", Allow: "Yes", Wait: time.Hour})
			}()
			if late {
				show := <-b.wants
				loop.Do(func() { show(b) })
			}
			q := <-b.asked
			if q.Title != "Send?" || q.Allow != "Yes" || strings.ContainsRune(q.Body, '\u202e') || b.wait != time.Hour {
				t.Errorf("%+v, for %v", q, b.wait)
			}
			loop.Do(func() { b.reply(allowed) })
			if answer := <-got; answer != allowed {
				t.Errorf("late %v: %v, want %v", late, answer, allowed)
			}
		}
	}
}

// A question whose call was given up is taken away; one that waits for its bubble is never shown.
func TestAskIsGivenUp(t *testing.T) {
	for _, late := range []bool{false, true} {
		loop, b := newThread(t), newBubble(late)
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan bool)
		go func() { got <- NewAsker(loop, b, lang.In("en")).Ask(ctx, tools.Question{Title: "Send?"}) }()
		if !late {
			<-b.asked
			cancel()
			<-b.ended
		} else {
			show := <-b.wants
			cancel()
			if err := loop.Call(t.Context(), func() { show(b) }); err != nil || len(b.asked) > 0 {
				t.Errorf("shown, though nobody waits for the answer: %v", err)
			}
		}
		if <-got {
			t.Error("given up, and allowed")
		}
	}
}

// hall is a House whose questions the test counts.
type hall struct {
	asks    bool
	others  atomic.Int32 // questions that stand; one is answered with each look
	nobody  bool
	told    []string
	answers bool
	asked   int
}

func (h *hall) Asks() bool             { return h.asks }
func (h *hall) Tell(text, more string) { h.told = append(h.told, text+": "+more) }
func (h *hall) Asking() bool           { return h.others.Add(-1) >= 0 }
func (h *hall) Asker() tools.Asker {
	if h.nobody {
		return nil
	}
	return h
}
func (h *hall) Ask(context.Context, tools.Question) bool { h.asked++; return h.answers }

// A server's question waits for those of calls, is told where the person wants none, and is no where nobody can ask it.
func TestGuardian(t *testing.T) {
	for _, c := range []struct {
		name                  string
		asks, nobody, answers bool
		others                int32
		allowed               bool
		asked, told           int
	}{
		{"allowed", true, false, true, 0, true, 1, 0},
		{"denied", true, false, false, 0, false, 1, 0},
		{"behind two others", true, false, true, 2, true, 1, 0},
		{"the person wants no questions", false, false, false, 5, true, 0, 1},
		{"no pet is open", true, true, true, 0, false, 0, 0},
	} {
		h := &hall{asks: c.asks, nobody: c.nobody, answers: c.answers}
		h.others.Store(c.others)
		g := NewGuardian(newThread(t), h)
		g.again = time.Millisecond
		if allowed := g.Ask(t.Context(), tools.Question{Title: "New tools", Body: "x"}); allowed != c.allowed || h.asked != c.asked || len(h.told) != c.told {
			t.Errorf("%s: allowed %v, asked %d times, told %q", c.name, allowed, h.asked, h.told)
		}
	}
	h := &hall{asks: true, answers: true}
	h.others.Store(1 << 30)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if NewGuardian(newThread(t), h).Ask(ctx, tools.Question{}) || h.asked > 0 {
		t.Error("given up behind another question, and asked or allowed")
	}
}

// cellar is a Memory.
type cellar struct {
	value  string
	broken error
}

func (c *cellar) Get(context.Context, string) (json.RawMessage, bool, error) {
	return json.RawMessage(c.value), c.value != "", c.broken
}
func (c *cellar) Set(_ context.Context, _ string, v json.RawMessage) error {
	c.value = string(v)
	return nil
}
func (c *cellar) Save(_ string, f func(context.Context) error) { _ = f(context.Background()) }

// What was allowed once stays so; what cannot be read was not.
func TestConsent(t *testing.T) {
	m := &cellar{}
	c := NewConsent(m, "camera.consent")
	if c.Load(t.Context()); c.Given() {
		t.Error("given, and nobody was asked")
	}
	if c.Give(); !c.Given() || m.value != "true" {
		t.Errorf("given: %v, kept: %q", c.Given(), m.value)
	}
	again := NewConsent(m, "camera.consent")
	if again.Load(t.Context()); !again.Given() {
		t.Error("it was not kept")
	}
	for _, m := range []*cellar{{value: "false"}, {value: `"true"`}, {value: "true", broken: errors.ErrUnsupported}} {
		c := NewConsent(m, "camera.consent")
		if c.Load(t.Context()); c.Given() {
			t.Errorf("%+v counts as given", m)
		}
	}
}
