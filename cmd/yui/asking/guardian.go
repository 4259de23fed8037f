package asking

import (
	"context"
	"time"

	"yui/tools"
)

// House is the person and who asks them for servers.
type House interface {
	// Asks reports whether the person wants to be asked at all.
	Asks() bool
	// Tell shows a sentence, and more of it on demand.
	Tell(text, more string)
	// Asking reports whether a question stands or waits for its bubble. Main thread.
	Asking() bool
	// Asker is the main pet's, nil where none is open.
	Asker() tools.Asker
}

// Guardian is mcp.Person: the person, by the main pet's bubble. Not for the main thread.
type Guardian struct {
	House
	loop  Loop
	again time.Duration // how long until it looks whether another question has been answered
}

// NewGuardian makes the one of a house.
func NewGuardian(loop Loop, h House) Guardian { return Guardian{h, loop, 500 * time.Millisecond} }

// Ask implements tools.Asker. Where the person wants no questions the change is told instead.
func (g Guardian) Ask(ctx context.Context, q tools.Question) bool {
	if !g.Asks() {
		g.Tell(q.Title, q.Body)
		return true
	}
	if !g.free(ctx) {
		return false
	}
	asker := g.Asker()
	return asker != nil && asker.Ask(ctx, q)
}

// free waits until no question of a call is on the screen: this one can wait, that one cannot.
func (g Guardian) free(ctx context.Context) bool {
	for {
		asking := false
		if err := g.loop.Call(ctx, func() { asking = g.Asking() }); err != nil || !asking {
			return err == nil
		}
		select {
		case <-time.After(g.again):
		case <-ctx.Done():
			return false
		}
	}
}
