package panels

import (
	"context"
	"runtime/debug"
	"time"

	"yui/overlay/ui"
)

// themeRest is how long fonts and talk windows are kept after the last bubble has gone.
const themeRest = time.Minute

// paletteWait is how long the desktop may take to say whether it is dark.
const paletteWait = 2 * time.Second

// themeRetry is when talk windows that had to wait for a hand are made.
const themeRetry = 200 * time.Millisecond

// Theme is the fonts and colours, nil while there are none.
func (p *Panels) Theme() *ui.Theme { return p.theme }

// Want has the fonts read, beside the main thread; the House is told when they are there.
func (p *Panels) Want() {
	if p.theme != nil || p.looking {
		return
	}
	p.looking = true
	go func() {
		theme := ui.NewTheme()
		theme.Words = p.Words
		theme.Palette = p.palette()
		p.Loop.Do(func() { p.use(theme) })
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
	if p.theme != nil {
		p.TidyLater()
	}
}

func (p *Panels) use(theme *ui.Theme) {
	if p.House.Held() { // a talk window is long in the making: never while a hand holds one of them
		time.AfterFunc(themeRetry, func() { p.Loop.Do(func() { p.use(theme) }) })
		return
	}
	p.looking = false
	theme.Motion = !p.House.Still()
	p.theme = theme
	p.House.Dressed()
	p.Loop.Rehearse(theme.Sample)
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
		if p.theme == nil {
			return // the next one asks anew
		}
		p.theme.Palette = colours
		repaint()
	})
}

// Restill takes over whether little motion is wanted.
func (p *Panels) Restill() {
	if p.theme != nil {
		p.theme.Motion = !p.House.Still()
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
	p.tidying = time.AfterFunc(themeRest, func() { p.Loop.Do(p.tidy) })
}

func (p *Panels) tidy() {
	if p.theme == nil {
		return
	}
	if p.House.Busy() || p.menu != nil && p.menu.Visible() || p.relations != nil && p.relations.Visible() || p.cast != nil && p.cast.Visible() {
		p.TidyLater()
		return
	}
	p.House.Undress()
	p.Close()
	p.theme = nil
	go debug.FreeOSMemory()
}
