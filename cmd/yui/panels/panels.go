// Package panels is what is on the screen beside the pets and their bubbles: the fonts that all of it needs, the tray and
// the menu of a right click, the panel of all characters and the one of what they feel.
package panels

import (
	"context"
	"image"
	"log/slog"
	"sync/atomic"
	"time"

	"yui/assets/lang"
	"yui/avatar/body"
	"yui/cmd/yui/memory"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
	"yui/overlay/ui"
	"yui/overlay/window"
	"yui/platform"
	"yui/tray"
)

// Pet is an open pet, in the order of opening.
type Pet struct {
	ID, Name string
	Visible  bool
	Face     func() image.Image
}

// House is the app behind the panels. Main thread, but where it is said.
type House interface {
	Pets() []Pet
	Feet() body.Point // of the main pet, the origin where none is open
	// Held reports whether a hand holds a pet, Busy whether a bubble is in use.
	Held() bool
	Busy() bool
	// Dressed is told that there are fonts, Undress that they go.
	Dressed()
	Undress()
	// Palette is the colours that are wanted; not for the main thread.
	Palette(ctx context.Context) ui.Palette
	Still() bool // little motion is wanted

	Act(i tray.Intent) // what the person chose, but for the panels themselves
	NewTalk()
	SetOpen(id string, open bool)
	Height(p presets.Preset) int // of her pet, in logical pixels. Safe from any goroutine
	// Felt shows on a pet that what she feels has changed. Safe from any goroutine.
	Felt(id, target string, was, now int)
	// Trouble tells the person what went wrong. Safe from any goroutine.
	Trouble(err error)
}

// Settings are those that menus and panels show.
type Settings interface {
	Switches() []settings.Setting // that a menu shows
	Enabled(key string) bool
	SetSwitch(key string, on bool) // soon, and back on the screen where that fails
}

// Options is what Panels are made of.
type Options struct {
	House    House
	Settings Settings
	Presets  *presets.Folder
	Memory   *memory.Memory
	Loop     *window.Loop
	Desktop  *platform.Desktop
	Words    *lang.Words
	Log      *slog.Logger
}

// Panels are all of them. Main thread, but for Changed and what else is said.
type Panels struct {
	Options
	ctx context.Context // of the program's run

	theme   *ui.Theme // nil while no talk and no menu was needed lately: fonts are most of their memory
	looking bool
	tidying *time.Timer

	tray     atomic.Pointer[tray.Tray] // nil until StartTray
	menu     *ui.Menu
	wantMenu *menuWish // a right click that came before the fonts

	relations *ui.RelationsPanel
	of        string         // the preset that it shows
	want      string         // a wish for it that came before the fonts
	feelings  map[string]int // what each preset feels toward the person
	stale     atomic.Bool    // feelings have changed and are about to be read

	cast     *ui.PresetsPanel
	wantCast bool
	credits  map[string]string // who made a preset's model, "" while it is looked up
}

// New makes the panels; nothing is shown yet. What they do beside the main thread ends with ctx.
func New(ctx context.Context, o Options) *Panels { return &Panels{Options: o, ctx: ctx} }

// Refresh shows anew whatever of menus and panels is there.
func (p *Panels) Refresh() {
	p.refreshCast()
	if t := p.tray.Load(); t != nil {
		t.Update(p.trayMenu())
	}
	p.refreshRelations()
}

// Changed shows in tray and panel what somebody feels by now, soon, and once for many changes. Safe from any goroutine.
func (p *Panels) Changed() {
	if p.stale.Swap(true) {
		return
	}
	p.Memory.Go(func() {
		p.stale.Store(false)
		ctx, cancel := context.WithTimeout(p.ctx, memory.Wait)
		defer cancel()
		p.readFeelings(ctx)
	})
}

// Feels is what a preset feels toward the person, as it was read last.
func (p *Panels) Feels(id string) int { return p.feelings[id] }

// NewModel forgets who made the models of a preset, "" for all, and shows it anew.
func (p *Panels) NewModel(id string) {
	if id == "" {
		p.credits = nil
	} else {
		delete(p.credits, id)
	}
	p.refreshCast()
}

// Repaint paints menu and panels anew.
func (p *Panels) Repaint() {
	if p.menu != nil {
		p.menu.Repaint()
	}
	if p.relations != nil {
		p.relations.Repaint()
	}
	if p.cast != nil {
		p.cast.Repaint()
	}
}

// Rects are where panels stand.
func (p *Panels) Rects() (list []image.Rectangle) {
	if p.relations != nil {
		list = append(list, p.relations.Rect())
	}
	if p.cast != nil {
		list = append(list, p.cast.Rect())
	}
	return list
}

// around is the monitor around the main pet.
func (p *Panels) around() (m platform.Monitor, area image.Rectangle) {
	at := p.House.Feet()
	m = p.Desktop.Snapshot().Near(at.X, at.Y)
	return m, areaOf(m)
}

// areaOf is where panels fit on a monitor.
func areaOf(m platform.Monitor) image.Rectangle {
	w := m.WorkArea
	return image.Rect(w.X, w.Y, w.X+w.W, w.Y+w.H)
}

// open finds an open pet.
func (p *Panels) open(id string) (Pet, bool) {
	for _, q := range p.House.Pets() {
		if q.ID == id {
			return q, true
		}
	}
	return Pet{}, false
}

// Close takes menu and panels away, StopTray the icon.
func (p *Panels) Close() {
	if p.menu != nil {
		p.menu.Close()
		p.menu = nil
	}
	if p.relations != nil {
		p.relations.Close()
		p.relations = nil
	}
	if p.cast != nil {
		p.cast.Close()
		p.cast = nil
	}
}
