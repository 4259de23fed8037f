package app

import (
	"context"
	"time"

	"yui/platform"
)

// still reports whether the person wants little motion.
func (a *App) still() bool {
	if wish := a.cfg().Body.ReducedMotion; wish != nil {
		return *wish
	}
	return a.deskStill
}

// readMotionWish asks the desktop whether it wants little motion; not for the main thread.
func (a *App) readMotionWish() {
	ctx, cancel := context.WithTimeout(a.ctx, 3*time.Second)
	defer cancel()
	still, err := platform.ReducedMotion(ctx)
	if err != nil || !still {
		return
	}
	a.loop.Do(func() {
		a.deskStill = true
		for _, p := range a.pets {
			p.fig.SetBody(a.bodyConfig())
		}
	})
}
