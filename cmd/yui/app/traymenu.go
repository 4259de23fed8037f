package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"slices"
	"time"

	"yui/assets"
	"yui/assets/lang"
	"yui/avatar/body"
	"yui/cmd/yui/memory"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
	"yui/internal/private"
	"yui/internal/proc"
	"yui/overlay/ui"
	"yui/store"
	"yui/tools"
	"yui/tray"
)

// startTray shows the icon. Whatever is wrong with it, YUI lives without: a right click on a pet opens the same menu.
func (a *App) startTray() {
	a.tray = tray.Run(a.ctx, assets.Icon(64), a.trayMenu(), func(i tray.Intent) { a.loop.Do(func() { a.intent(i) }) })
}

func (a *App) stopTray() {
	if a.tray != nil {
		a.tray.Close()
	}
}

func (a *App) trayState() trayJSON {
	t := a.tray
	if t == nil {
		return trayJSON{Error: "not started yet"}
	}
	ok, why := t.State()
	return trayJSON{ok, why}
}

// updateTray shows what changed. Main thread.
func (a *App) updateTray() {
	a.refreshPresets()
	if a.tray != nil {
		a.tray.Update(a.trayMenu())
	}
}

// trayMenu is the menu's present state. Main thread.
func (a *App) trayMenu() tray.Menu {
	m := tray.Menu{Words: a.words}
	for _, row := range a.settings.Switches() {
		m.Switches = append(m.Switches, tray.Switch{ID: row.Switch, Label: row.Label(a.words), On: a.settings.Enabled(row.Key)})
	}
	list := a.presets.All()
	names := presets.ShownNames(list)
	for _, p := range a.pets {
		m.Pets = append(m.Pets, tray.Pet{ID: p.preset.ID, Name: cmp.Or(names[p.preset.ID], p.preset.Name), Visible: !p.fig.Hidden()})
	}
	for _, p := range list {
		m.Presets = append(m.Presets, tray.Preset{ID: p.ID, Label: a.presetLabel(p.ID, names[p.ID]), Open: a.petOf(p.ID) != nil})
	}
	return m
}

// presetLabel is a row of the Presets submenu: the name and the band toward the person (docs/rules/tools.md#rate_relation).
func (a *App) presetLabel(id, name string) string {
	if !a.settings.Enabled(settings.KeyRelations) {
		return name
	}
	return name + " · " + a.words.Text(bands[tools.Band(a.bands[id])])
}

// readBands reads what each preset feels toward the person; not for the main thread.
func (a *App) readBands(ctx context.Context) {
	bands := map[string]int{}
	for _, p := range a.presets.All() {
		if v, err := a.memory.Relations(ctx, p.ID); err == nil {
			bands[p.ID] = v[store.UserTarget]
		}
	}
	a.loop.Do(func() { a.bands = bands; a.updateTray(); a.refreshPanel() })
}

// changed shows in tray and panel what somebody feels by now, soon, and once for many changes. Safe from any goroutine.
func (a *App) changed() {
	if a.stale.Swap(true) {
		return
	}
	a.memory.Go(func() {
		a.stale.Store(false)
		ctx, cancel := context.WithTimeout(a.ctx, memory.Wait)
		defer cancel()
		a.readBands(ctx)
	})
}

// intent does what the person chose in the tray. Main thread.
func (a *App) intent(i tray.Intent) {
	switch i.Action {
	case tray.TogglePet:
		a.setVisible(i.ID, i.On)
	case tray.TogglePreset:
		a.setOpen(i.ID, i.On)
	case tray.SetSwitch:
		if key, ok := a.settings.SwitchKey(i.ID); ok {
			a.setSwitch(key, i.On)
		}
	case tray.OpenRelations:
		a.openRelations(i.ID)
	case tray.OpenPresets:
		a.openCast()
	case tray.ResetPosition:
		a.resetPositions()
	case tray.OpenSettings:
		a.openSettings()
	case tray.Quit:
		a.quit()
	}
}

func (a *App) setVisible(id string, visible bool) {
	p := a.petOf(id)
	if p == nil {
		return
	}
	if visible {
		p.workspace = a.desk.Snapshot().Workspace
		a.desktopChanged()
		p.fig.Show()
	} else {
		p.fig.Hide()
	}
	a.updateTray()
}

func (a *App) setOpen(id string, open bool) {
	p := a.petOf(id)
	switch {
	case p != nil && !open:
		a.closePet(p)
		return
	case p != nil == open:
		return
	}
	preset, err := a.presets.Find(id)
	if err != nil {
		a.log.Error("open preset", "error", err)
		return
	}
	a.memory.Go(func() {
		ctx, cancel := context.WithTimeout(a.ctx, commandWait)
		defer cancel()
		if err := a.open(ctx, preset); err != nil {
			a.log.Error("open preset", "preset", id, "error", err)
			a.loop.Do(func() {
				if len(a.pets) > 0 {
					a.pets[0].tell(err.Error())
				}
			})
		}
	})
}

// setSwitch stores a switch beside the main thread; the tray follows what is stored.
func (a *App) setSwitch(key string, on bool) {
	a.memory.Save("switch "+key, func(ctx context.Context) error {
		err := a.settings.Set(ctx, key, json.RawMessage(fmt.Sprintf(`{"enabled":%v}`, on)))
		if err != nil {
			a.loop.Do(a.updateTray) // the check mark goes back
		}
		return err
	})
}

// warnedKey notes that the warning of the browser switch was shown.
const warnedKey = "browser.warned"

// warnOfBrowser says in plain words what the browser switch lets a model do, the first time that it is turned on.
func (a *App) warnOfBrowser(ctx context.Context) error {
	if _, told, err := a.memory.Get(ctx, warnedKey); told || err != nil {
		return err
	}
	a.loop.Do(func() {
		if len(a.pets) > 0 {
			a.pets[0].tell(a.words.Text("tool.browser.warning"))
		}
	})
	return a.memory.Set(ctx, warnedKey, json.RawMessage("true"))
}

// resetPositions brings every pet back to the floor of the first monitor, visible.
func (a *App) resetPositions() {
	snap := a.desk.Snapshot()
	for i, p := range a.pets {
		w := monitorOf(snap, body.Point{}).WorkArea
		p.fig.Show()
		p.fig.Place(body.Point{X: float64(w.X) + float64(w.W)*0.78 - float64(i)*240, Y: float64(w.Y + w.H)})
	}
	a.updateTray()
}

// openSettings opens config.toml in the person's editor; a first one explains itself.
func (a *App) openSettings() {
	a.memory.Go(func() {
		if _, err := os.Stat(a.paths.Config); errors.Is(err, fs.ErrNotExist) {
			if err := private.Write(a.paths.Config, []byte(settings.Template)); err != nil {
				a.log.Error("write config", "error", err)
				return
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := proc.Open(ctx, a.paths.Config); err != nil {
			a.log.Warn("open settings", "file", a.paths.Config, "error", err)
			a.loop.Do(func() {
				if len(a.pets) > 0 {
					a.pets[0].tell(a.words.Text("settings.no_editor", lang.Args{"file": a.paths.Config}))
				}
			})
		}
	})
}

// menuWish is a right click on a pet.
type menuWish struct {
	id string
	at image.Point
}

// openMenu opens a pet's menu at a point of the root window. Main thread.
func (a *App) openMenu(id string, at image.Point) {
	if a.look == nil {
		a.wantMenu = &menuWish{id, at}
		a.wantLook()
		return
	}
	m := monitorOf(a.desk.Snapshot(), body.Point{X: float64(at.X), Y: float64(at.Y)})
	if a.menu == nil {
		menu, err := ui.NewMenu(a.loop, a.look, float32(m.Scale))
		if err != nil {
			a.log.Error("open menu", "error", err)
			return
		}
		a.menu = menu
		menu.OnGone = a.tidyLater
	}
	a.menu.SetComposited(a.desk.Snapshot().Compositor)
	w := m.WorkArea
	a.menu.Open(at, image.Rect(w.X, w.Y, w.X+w.W, w.Y+w.H), a.menuItems(id))
}

// menuItems is the tray's menu for the overlay, with what concerns the pet alone.
func (a *App) menuItems(id string) []ui.MenuItem {
	items := a.overlayItems(id, a.trayMenu().Items())
	return slices.Insert(items, len(a.pets), ui.MenuItem{Label: a.words.Text("tray.new_talk"), Do: a.newTalk})
}

func (a *App) overlayItems(id string, rows []tray.Item) []ui.MenuItem {
	items := make([]ui.MenuItem, len(rows))
	for i, r := range rows {
		if r.Intent.Action == tray.OpenRelations {
			r.Intent.ID = id // hers, not the main pet's
		}
		items[i] = ui.MenuItem{Label: r.Label, Line: r.Separator, Checkable: r.Checkbox, Checked: r.Checked,
			Children: a.overlayItems(id, r.Children), Do: func() { a.intent(r.Intent) }}
	}
	return items
}

// newTalk begins a new session with every open pet.
func (a *App) newTalk() {
	for _, p := range a.pets {
		s, taint := p.session, p.taint
		p.toolWords.Use(a.words.Language())
		a.memory.Save("new session", func(context.Context) error {
			taint.NewConversation()
			return s.NewSession()
		})
		if p.push != nil {
			p.push.Reset()
		}
		if p.talk != nil {
			p.talk.Quiet()
		}
	}
}
