package chat

import (
	"context"
	"fmt"
	"time"
)

// shotWait is how long a turn waits for its screenshot: the person waits with it.
const shotWait = 5 * time.Second

// Shot is the picture that goes with a turn of the person's.
type Shot struct {
	// Images are data URLs; none means that the switch is off.
	Images []string
	// Label is the screenshot: line of the context, "monitor 0 (DP-1)".
	Label string
}

// takeShot asks for the screenshot of a turn. A failure leaves it out.
func (t *Turn) takeShot() Shot {
	if t.s.cfg.Shot == nil || !t.user {
		return Shot{}
	}
	type answer struct {
		shot Shot
		err  error
	}
	ctx, cancel := context.WithTimeout(t.ctx, shotWait)
	defer cancel()
	got := make(chan answer, 1)
	go func() { // a capture that hangs must not hold up the turn
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a.err = fmt.Errorf("take screenshot: %v", p)
			}
			got <- a
		}()
		a.shot, a.err = t.s.cfg.Shot(ctx)
	}()
	var a answer
	select {
	case a = <-got:
	case <-ctx.Done():
		a.err = ctx.Err()
	}
	if a.err != nil || len(a.shot.Images) == 0 {
		if t.ctx.Err() == nil {
			t.s.warn("take screenshot", a.err)
		}
		return Shot{}
	}
	return a.shot
}
