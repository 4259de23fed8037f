package app

import (
	"context"
	"time"

	"yui/cmd/yui/senses"
	"yui/overlay/figure"
	"yui/overlay/window"
	"yui/platform"
)

// theatre plays effects around pets, as much as the person wants to move: senses.Stage. Main thread.
type theatre struct {
	loop    *window.Loop
	wish    func() *bool    // of the person, nil for the desktop's
	desk    bool            // the desktop wants little motion
	effects *figure.Effects // nil until the first one
}

// still reports whether little motion is wanted.
func (t *theatre) still() bool {
	if wish := t.wish(); wish != nil {
		return *wish
	}
	return t.desk
}

// heed takes over a changed wish.
func (t *theatre) heed() {
	if t.effects != nil {
		t.effects.Still = t.still()
	}
}

// player is made with the first effect.
func (t *theatre) player() *figure.Effects {
	if t.effects == nil {
		t.effects = figure.NewEffects(t.loop)
	}
	t.heed()
	return t.effects
}

// Burst implements senses.Stage.
func (t *theatre) Burst(effect string, at figure.Place) error { return t.player().Show(effect, at) }

// Mark implements senses.Stage.
func (t *theatre) Mark(at figure.Place) (senses.Mark, error) {
	m, err := t.player().CameraMark(at)
	if err != nil {
		return nil, err // a nil *Mark in the interface would not be nil
	}
	return m, nil
}

// playing is how many effects play, and the frames that effects have drawn.
func (t *theatre) playing() (running int, frames uint64) {
	if t.effects == nil {
		return 0, 0
	}
	return t.effects.Running(), t.effects.Frames()
}

func (t *theatre) close() {
	if t.effects != nil {
		t.effects.Close()
	}
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
		a.theatre.desk = true
		a.refigure()
	})
}
