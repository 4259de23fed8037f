package app

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"yui/assets/lang"
	"yui/avatar/body"
	"yui/cmd/yui/settings"
	"yui/internal/private"
	"yui/internal/proc"
	"yui/tray"
)

// Act implements panels.House: it does what the person chose in the tray. Main thread.
func (h parlour) Act(i tray.Intent) {
	a := h.app
	switch i.Action {
	case tray.TogglePet:
		h.setVisible(i.ID, i.On)
	case tray.TogglePreset:
		h.SetOpen(i.ID, i.On)
	case tray.SetSwitch:
		if key, ok := a.settings.SwitchKey(i.ID); ok {
			switchboard{a}.SetSwitch(key, i.On)
		}
	case tray.ResetPosition:
		h.resetPositions()
	case tray.OpenSettings:
		h.openSettings()
	case tray.Quit:
		a.quit()
	}
}

func (h parlour) setVisible(id string, visible bool) {
	a := h.app
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
	a.panels.Refresh()
}

// SetOpen implements panels.House: it opens or closes a preset's pet, soon.
func (h parlour) SetOpen(id string, open bool) {
	a := h.app
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
					a.pets[0].tell(a.words.Error(err))
				}
			})
		}
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
func (h parlour) resetPositions() {
	a := h.app
	snap := a.desk.Snapshot()
	for i, p := range a.pets {
		w := monitorOf(snap, body.Point{}).WorkArea
		p.fig.Show()
		p.fig.Place(body.Point{X: float64(w.X) + float64(w.W)*0.78 - float64(i)*240, Y: float64(w.Y + w.H)})
	}
	a.panels.Refresh()
}

// openSettings opens config.toml in the person's editor; a first one explains itself.
func (h parlour) openSettings() {
	a := h.app
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

// NewTalk implements panels.House: it begins a new session with every open pet.
func (h parlour) NewTalk() {
	a := h.app
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
