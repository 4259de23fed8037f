// Package asking puts questions to the person: a pet's, in her bubble; those of MCP servers, when no other one stands; and
// the one that is answered once for good.
package asking

import (
	"cmp"
	"context"
	"time"

	"yui/assets/lang"
	"yui/overlay/ui"
	"yui/tools"
)

// Loop runs on the main thread.
type Loop interface {
	Do(f func())
	Call(ctx context.Context, f func()) error // waits
}

// Bubble is where a question is shown. Main thread.
type Bubble interface {
	// Ask calls answer once, with false where nobody answers within wait of its being shown, or where end is called first.
	Ask(q ui.Question, wait time.Duration, answer func(allowed bool)) (end func())
}

// Pet is who asks.
type Pet interface {
	// WithBubble hands over her bubble, at once or as soon as it is there. Main thread.
	WithBubble(show func(b Bubble))
}

// Asker is tools.Asker: the questions of one pet's tools. Not for the main thread.
type Asker struct {
	loop  Loop
	pet   Pet
	words *lang.Words
}

// NewAsker makes the asker of a pet.
func NewAsker(loop Loop, pet Pet, words *lang.Words) Asker { return Asker{loop, pet, words} }

// Ask waits for the person's answer. Once ctx has ended the question is taken away, or never shown.
func (a Asker) Ask(ctx context.Context, q tools.Question) bool {
	answer := make(chan bool, 1)
	wait := cmp.Or(q.Wait, tools.AskWait)
	shown := ui.Question{Title: tools.Legible(a.words, q.Title), Body: tools.Legible(a.words, q.Body), Allow: q.Allow, Deny: q.Deny}
	end := func() {} // main thread
	a.loop.Do(func() {
		a.pet.WithBubble(func(b Bubble) {
			if ctx.Err() == nil {
				end = b.Ask(shown, wait, func(allowed bool) { answer <- allowed })
			}
		})
	})
	select {
	case allowed := <-answer:
		return allowed
	case <-ctx.Done():
		a.loop.Do(func() { end() })
		return false
	}
}
