package panels

import (
	"cmp"
	"context"
	"image"
	"slices"

	"yui/assets"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
	"yui/overlay/ui"
	"yui/store"
	"yui/tools"
	"yui/tray"
)

// StartTray shows the icon. Whatever is wrong with it, YUI lives without: a right click on a pet opens the same menu.
func (p *Panels) StartTray() {
	p.tray.Store(tray.Run(p.ctx, assets.Icon(64), p.trayMenu(), func(i tray.Intent) { p.Loop.Do(func() { p.act(i) }) }))
}

// StopTray takes the icon away.
func (p *Panels) StopTray() {
	if t := p.tray.Load(); t != nil {
		t.Close()
	}
}

// TrayState reports whether the icon is shown, and why not. Safe from any goroutine.
func (p *Panels) TrayState() (shown bool, why string) {
	t := p.tray.Load()
	if t == nil {
		return false, "not started yet"
	}
	return t.State()
}

// trayMenu is the menu's present state.
func (p *Panels) trayMenu() tray.Menu {
	m := tray.Menu{Words: p.Words}
	for _, row := range p.Settings.Switches() {
		m.Switches = append(m.Switches, tray.Switch{ID: row.Switch, Label: row.Label(p.Words), On: p.Settings.Enabled(row.Key)})
	}
	list := p.Presets.All()
	names, open := presets.ShownNames(list), map[string]bool{}
	for _, q := range p.House.Pets() {
		m.Pets = append(m.Pets, tray.Pet{ID: q.ID, Name: cmp.Or(names[q.ID], q.Name), Visible: q.Visible})
		open[q.ID] = true
	}
	for _, q := range list {
		m.Presets = append(m.Presets, tray.Preset{ID: q.ID, Label: p.presetLabel(q.ID, names[q.ID]), Open: open[q.ID]})
	}
	return m
}

// presetLabel is a row of the Presets submenu: the name and the band toward the person (docs/rules/tools.md#rate_relation).
func (p *Panels) presetLabel(id, name string) string {
	if !p.Settings.Enabled(settings.KeyRelations) {
		return name
	}
	return name + " · " + p.Words.Text(bands[tools.Band(p.feelings[id])])
}

// readFeelings reads what each preset feels toward the person; not for the main thread.
func (p *Panels) readFeelings(ctx context.Context) {
	felt := map[string]int{}
	for _, q := range p.Presets.All() {
		if v, err := p.Memory.Relations(ctx, q.ID); err == nil {
			felt[q.ID] = v[store.UserTarget]
		}
	}
	p.Loop.Do(func() { p.feelings = felt; p.Refresh() })
}

// act does what the person chose in a menu.
func (p *Panels) act(i tray.Intent) {
	switch i.Action {
	case tray.OpenRelations:
		p.OpenRelations(i.ID)
	case tray.OpenPresets:
		p.OpenCast()
	default:
		p.House.Act(i)
	}
}

// menuWish is a right click on a pet.
type menuWish struct {
	id string
	at image.Point
}

// OpenMenu opens a pet's menu at a point of the root window.
func (p *Panels) OpenMenu(id string, at image.Point) {
	if p.theme == nil {
		p.wantMenu = &menuWish{id, at}
		p.Want()
		return
	}
	m := p.Desktop.Snapshot().Near(float64(at.X), float64(at.Y))
	if p.menu == nil {
		menu, err := ui.NewMenu(p.Loop, p.theme, float32(m.Scale))
		if err != nil {
			p.Log.Error("open menu", "error", err)
			return
		}
		p.menu = menu
		menu.OnGone = p.TidyLater
	}
	p.menu.SetComposited(p.Desktop.Snapshot().Compositor)
	p.menu.Open(at, areaOf(m), p.menuItems(id))
}

// menuItems is the tray's menu for the overlay, with what concerns the pet alone.
func (p *Panels) menuItems(id string) []ui.MenuItem {
	items := p.overlayItems(id, p.trayMenu().Items())
	return slices.Insert(items, len(p.House.Pets()), ui.MenuItem{Label: p.Words.Text("tray.new_talk"), Do: p.House.NewTalk})
}

func (p *Panels) overlayItems(id string, rows []tray.Item) []ui.MenuItem {
	items := make([]ui.MenuItem, len(rows))
	for i, r := range rows {
		if r.Intent.Action == tray.OpenRelations {
			r.Intent.ID = id // hers, not the main pet's
		}
		items[i] = ui.MenuItem{Label: r.Label, Line: r.Separator, Checkable: r.Checkbox, Checked: r.Checked,
			Children: p.overlayItems(id, r.Children), Do: func() { p.act(r.Intent) }}
	}
	return items
}

// Menu is the menu of a right click, nil while there is none.
func (p *Panels) Menu() *ui.Menu { return p.menu }
