package app

import (
	"context"
	"encoding/json"
	"fmt"

	"yui/avatar/body"
	"yui/cmd/yui/panels"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
	"yui/overlay/ui"
	"yui/platform"
)

// newPanels ties menus and panels to the pets.
func (a *App) newPanels() *panels.Panels {
	return panels.New(a.ctx, panels.Options{
		House: parlour{a}, Settings: switchboard{a}, Presets: a.presets, Memory: a.memory,
		Loop: a.loop, Desktop: a.desk, Words: a.words, Log: a.log,
	})
}

// switchboard is panels.Settings over the settings.
type switchboard struct{ app *App }

// Switches implements panels.Settings.
func (s switchboard) Switches() []settings.Setting { return s.app.settings.Switches() }

// Enabled implements panels.Settings.
func (s switchboard) Enabled(key string) bool { return s.app.settings.Enabled(key) }

// SetSwitch implements panels.Settings.
func (s switchboard) SetSwitch(key string, on bool) {
	a := s.app
	a.memory.Save("switch "+key, func(ctx context.Context) error {
		err := a.settings.Set(ctx, key, json.RawMessage(fmt.Sprintf(`{"enabled":%v}`, on)))
		if err != nil {
			a.loop.Do(a.panels.Refresh) // the check mark goes back
		}
		return err
	})
}

// parlour is panels.House over the app.
type parlour struct{ app *App }

// Pets implements panels.House.
func (h parlour) Pets() []panels.Pet {
	list := make([]panels.Pet, len(h.app.pets))
	for i, p := range h.app.pets {
		list[i] = panels.Pet{ID: p.id, Name: p.preset.Name, Visible: !p.fig.Hidden(), Face: p.fig.Portrait}
	}
	return list
}

// Feet implements panels.House.
func (h parlour) Feet() body.Point {
	if len(h.app.pets) == 0 {
		return body.Point{}
	}
	return h.app.pets[0].fig.Feet()
}

// Held implements panels.House.
func (h parlour) Held() bool {
	for _, p := range h.app.pets {
		if p.fig.Held() {
			return true
		}
	}
	return false
}

// Busy implements panels.House.
func (h parlour) Busy() bool {
	for _, p := range h.app.pets {
		if p.running || p.talk != nil && p.talk.InUse() {
			return true
		}
	}
	return false
}

// Dressed implements panels.House.
func (h parlour) Dressed() {
	a := h.app
	a.each((*pet).dressTalk)
	if a.warning != "" && len(a.pets) > 0 {
		a.pets[0].tell(a.warning)
		a.warning = ""
	}
}

// Undress implements panels.House.
func (h parlour) Undress() {
	h.app.each(func(p *pet) {
		if p.talk != nil {
			p.talk.Close()
			p.talk = nil
		}
	})
}

// Palette implements panels.House.
func (h parlour) Palette(ctx context.Context) ui.Palette {
	theme := h.app.cfg().Window.Theme
	dark := theme == "dark"
	if theme == "" {
		dark, _ = platform.DarkMode(ctx) // a desktop that does not say is light
	}
	if dark {
		return ui.Dark
	}
	return ui.Light
}

// Still implements panels.House.
func (h parlour) Still() bool { return h.app.theatre.still() }

// Height implements panels.House.
func (h parlour) Height(p presets.Preset) int { return h.app.heightOf(p) }

// Felt implements panels.House.
func (h parlour) Felt(id, target string, was, now int) {
	h.app.loop.Do(func() {
		if p := h.app.petOf(id); p != nil {
			p.showBand(target, was, now)
		}
	})
}

// Trouble implements panels.House.
func (h parlour) Trouble(err error) { h.app.tellTrouble(err) }
