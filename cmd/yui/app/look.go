package app

import (
	"context"
	"runtime/debug"
	"time"

	"yui/overlay/ui"
	"yui/platform"
)

// lookRest is how long fonts and talk windows are kept after the last bubble has gone.
const lookRest = time.Minute

// paletteWait is how long the desktop may take to say whether it is dark.
const paletteWait = 2 * time.Second

// lookRetry is when talk windows that had to wait for a hand are made.
const lookRetry = 200 * time.Millisecond

// wantLook has the fonts read, beside the main thread, and then gives every pet its talk window. Main thread.
func (a *App) wantLook() {
	if a.look != nil || a.looking {
		return
	}
	a.looking = true
	go func() {
		look := ui.NewLook()
		look.Words = a.words
		ctx, cancel := context.WithTimeout(a.ctx, paletteWait)
		defer cancel()
		look.Palette = a.palette(ctx)
		a.loop.Do(func() { a.useLook(look) })
	}()
}

// expectHand readies the talk when the pointer comes to a pet: a click may follow, and should not wait. Main thread.
func (a *App) expectHand() {
	a.wantLook()
	if a.look != nil {
		a.tidyLater()
	}
}

func (a *App) useLook(look *ui.Look) {
	for _, p := range a.pets {
		if p.fig.Held() { // a talk window is long in the making: never while a hand holds one of them
			time.AfterFunc(lookRetry, func() { a.loop.Do(func() { a.useLook(look) }) })
			return
		}
	}
	a.looking = false
	look.Motion = !a.still()
	a.look = look
	for _, p := range a.pets {
		p.dressTalk()
	}
	a.loop.Rehearse(look.Sample)
	if a.warning != "" && len(a.pets) > 0 {
		a.pets[0].tell(a.warning)
		a.warning = ""
	}
	if a.wantMenu != nil {
		open := *a.wantMenu
		a.wantMenu = nil
		a.openMenu(open.id, open.at)
	}
	if a.wantPanel != "" {
		id := a.wantPanel
		a.wantPanel = ""
		a.openRelations(id)
	}
	if a.wantPresets {
		a.wantPresets = false
		a.openCast()
	}
	a.tidyLater() // whatever it was wanted for may be over already
	a.sweepLater()
}

// sweepAfter is when what a start or the reading of fonts leaves behind is given back to the system: both read far more
// than they keep, and a program that then rests would hold it for minutes.
const sweepAfter = 3 * time.Second

// sweepLater gives memory that is no longer used back to the system, beside the main thread.
func (a *App) sweepLater() { time.AfterFunc(sweepAfter, debug.FreeOSMemory) }

// tidyLater drops talk windows, menu and fonts once nothing of them has been seen for a while. Main thread.
func (a *App) tidyLater() {
	if a.tidying != nil {
		a.tidying.Stop()
	}
	a.tidying = time.AfterFunc(lookRest, func() { a.loop.Do(a.tidy) })
}

func (a *App) tidy() {
	if a.look == nil {
		return
	}
	for _, p := range a.pets {
		if p.running || p.talk != nil && p.talk.InUse() {
			a.tidyLater()
			return
		}
	}
	if a.menu != nil && a.menu.Visible() || a.panel != nil && a.panel.Visible() || a.cast != nil && a.cast.Visible() {
		a.tidyLater()
		return
	}
	for _, p := range a.pets {
		if p.talk != nil {
			p.talk.Close()
			p.talk = nil
		}
	}
	if a.menu != nil {
		a.menu.Close()
		a.menu = nil
	}
	if a.panel != nil {
		a.panel.Close()
		a.panel = nil
	}
	if a.cast != nil {
		a.cast.Close()
		a.cast = nil
	}
	a.look = nil
	go debug.FreeOSMemory()
}

// still tells whether the person wants little motion.
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
