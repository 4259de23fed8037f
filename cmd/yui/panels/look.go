package panels

import (
	"context"
	"runtime/debug"
	"time"

	"yui/overlay/ui"
)

// lookRest is how long fonts and talk windows are kept after the last bubble has gone.
const lookRest = time.Minute

// paletteWait is how long the desktop may take to say whether it is dark.
const paletteWait = 2 * time.Second

// lookRetry is when talk windows that had to wait for a hand are made.
const lookRetry = 200 * time.Millisecond

// Look is the fonts and colours, nil while there are none.
func (p *Panels) Look() *ui.Look { return p.look }

// Want has the fonts read, beside the main thread; the House is told when they are there.
func (p *Panels) Want() {
	if p.look != nil || p.looking {
		return
	}
	p.looking = true
	go func() {
		look := ui.NewLook()
		look.Words = p.Words
		look.Palette = p.palette()
		p.Loop.Do(func() { p.use(look) })
	}()
}

func (p *Panels) palette() ui.Palette {
	ctx, cancel := context.WithTimeout(p.ctx, paletteWait)
	defer cancel()
	return p.House.Palette(ctx)
}

// Expect readies bubbles when the pointer comes to a pet: a click may follow, and should not wait.
func (p *Panels) Expect() {
	p.Want()
	if p.look != nil {
		p.TidyLater()
	}
}

func (p *Panels) use(look *ui.Look) {
	if p.House.Held() { // a talk window is long in the making: never while a hand holds one of them
		time.AfterFunc(lookRetry, func() { p.Loop.Do(func() { p.use(look) }) })
		return
	}
	p.looking = false
	look.Motion = !p.House.Still()
	p.look = look
	p.House.Dressed()
	p.Loop.Rehearse(look.Sample)
	if p.wantMenu != nil {
		open := *p.wantMenu
		p.wantMenu = nil
		p.OpenMenu(open.id, open.at)
	}
	if p.want != "" {
		id := p.want
		p.want = ""
		p.OpenRelations(id)
	}
	if p.wantCast {
		p.wantCast = false
		p.OpenCast()
	}
	p.TidyLater() // whatever it was wanted for may be over already
	SweepLater()
}

// Recolour takes over the colours of the present settings, and repaints; not for the main thread.
func (p *Panels) Recolour(repaint func()) {
	colours := p.palette()
	p.Loop.Do(func() {
		if p.look == nil {
			return // the next one asks anew
		}
		p.look.Palette = colours
		repaint()
	})
}

// Restill takes over whether little motion is wanted.
func (p *Panels) Restill() {
	if p.look != nil {
		p.look.Motion = !p.House.Still()
	}
}

// sweepAfter is when what a start or the reading of fonts leaves behind is given back to the system: both read far more
// than they keep, and a program that then rests would hold it for minutes.
const sweepAfter = 3 * time.Second

// SweepLater gives memory that is no longer used back to the system, beside the main thread.
func SweepLater() { time.AfterFunc(sweepAfter, debug.FreeOSMemory) }

// TidyLater drops bubbles, menu, panels and fonts once nothing of them has been seen for a while.
func (p *Panels) TidyLater() {
	if p.tidying != nil {
		p.tidying.Stop()
	}
	p.tidying = time.AfterFunc(lookRest, func() { p.Loop.Do(p.tidy) })
}

func (p *Panels) tidy() {
	if p.look == nil {
		return
	}
	if p.House.Busy() || p.menu != nil && p.menu.Visible() || p.relations != nil && p.relations.Visible() || p.cast != nil && p.cast.Visible() {
		p.TidyLater()
		return
	}
	p.House.Undress()
	p.Close()
	p.look = nil
	go debug.FreeOSMemory()
}
