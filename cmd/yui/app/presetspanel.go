package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"yui/assets/lang"
	"yui/cmd/yui/presets"
	"yui/internal/proc"
	"yui/overlay/ui"
)

// openCast shows the panel of all characters. Main thread.
func (a *App) openCast() {
	if a.look == nil {
		a.wantPresets = true
		a.wantLook()
		return
	}
	at := a.aroundMain()
	if a.cast == nil {
		panel, err := ui.NewPresetsPanel(a.loop, a.look, float32(monitorOf(a.desk.Snapshot(), at).Scale))
		if err != nil {
			a.log.Error("open characters", "error", err)
			return
		}
		panel.OnNew = func() {
			a.presetTask(func(ctx context.Context) (presets.Preset, error) {
				return a.presets.Create(ctx, a.presets.FreeName(a.words.Text("characters.newcomer")), "")
			})
		}
		panel.OnDuplicate = a.onPreset(func(ctx context.Context, p presets.Preset) (presets.Preset, error) {
			return a.presets.Duplicate(ctx, p, "")
		})
		panel.OnDelete = a.onPreset(func(ctx context.Context, p presets.Preset) (presets.Preset, error) {
			return presets.Preset{}, a.presets.Delete(ctx, p)
		})
		panel.OnFile = a.onPreset(func(ctx context.Context, p presets.Preset) (presets.Preset, error) {
			return presets.Preset{}, a.editPreset(ctx, p)
		})
		panel.OnEdit = func(id string) {
			if p, ok := a.presets.Get(id); ok {
				a.cast.EditPage(editPage(p))
			}
		}
		panel.OnSave = func(e ui.PresetEdit) {
			a.onPreset(func(ctx context.Context, p presets.Preset) (presets.Preset, error) {
				return presets.Preset{}, a.saveEdit(ctx, p, e)
			})(e.ID)
		}
		panel.OnRename = func(id, name string) {
			a.onPreset(func(ctx context.Context, p presets.Preset) (presets.Preset, error) {
				return presets.Preset{}, a.presets.Rename(ctx, p, name)
			})(id)
		}
		panel.OnHeight = func(id string, height int) {
			a.onPreset(func(ctx context.Context, p presets.Preset) (presets.Preset, error) {
				return presets.Preset{}, a.presets.SetHeight(ctx, p, height)
			})(id)
		}
		panel.OnOpen = a.setOpen
		a.cast = panel
	}
	a.cast.SetComposited(a.desk.Snapshot().Compositor)
	w := monitorOf(a.desk.Snapshot(), at).WorkArea
	a.cast.Show(a.presetsView(""), image.Rect(w.X, w.Y, w.X+w.W, w.Y+w.H))
}

// refreshPresets shows the list anew where the panel is open. Main thread.
func (a *App) refreshPresets() {
	if a.cast != nil && a.cast.Visible() {
		a.cast.Update(a.presetsView(""))
	}
}

// presetsView is what the panel shows; selected unfolds a new character with its name being written. Main thread.
func (a *App) presetsView(selected string) ui.PresetsView {
	v := ui.PresetsView{Selected: selected, Renaming: selected != ""}
	a.readCredits()
	list := a.presets.All()
	names := presets.ShownNames(list)
	for _, p := range list {
		row := ui.PresetRow{ID: p.ID, Name: p.Name, Shown: names[p.ID], About: a.aboutPreset(p), Height: a.heightOf(p), Delete: a.words.Text("characters.delete")}
		switch {
		case p.Shipped():
			row.Delete = ""
		case p.Bundled:
			row.Delete = a.words.Text("characters.reset")
		}
		if q := a.petOf(p.ID); q != nil {
			row.Open, row.Face = true, q.fig.Portrait()
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// aboutPreset says in a line what she wears and who answers for her.
func (a *App) aboutPreset(p presets.Preset) string {
	about := a.words.Text("characters.bundled")
	switch {
	case p.Model != "":
		about = cmp.Or(a.credits[p.ID], p.Model)
	case p.Worn() != p.ID:
		about = a.words.Text("characters.in_clothes", lang.Args{"name": presets.BundledName(p.Worn())})
	}
	if p.Chat != nil && (p.Chat.API != "" || p.Chat.BaseURL != "") {
		about += " · " + a.words.Text("characters.own_backend")
	}
	if p.Unconfirmed() {
		about += " · " + a.words.Text("characters.unconfirmed")
	}
	return about
}

// onPreset makes a click in the panel a task about the preset that it names.
func (a *App) onPreset(do func(ctx context.Context, p presets.Preset) (presets.Preset, error)) func(id string) {
	return func(id string) {
		p, ok := a.presets.Get(id)
		if !ok {
			return
		}
		a.presetTask(func(ctx context.Context) (presets.Preset, error) { return do(ctx, p) })
	}
}

// presetTask runs beside the main thread, shows the new preset that comes of it, and tells what went wrong.
func (a *App) presetTask(do func(ctx context.Context) (presets.Preset, error)) {
	a.memory.Go(func() {
		ctx, cancel := context.WithTimeout(a.ctx, commandWait)
		defer cancel()
		p, err := do(ctx)
		if err != nil {
			a.tellTrouble(err)
			return
		}
		a.loop.Do(func() {
			if p.ID != "" && a.cast != nil && a.cast.Visible() {
				a.cast.Update(a.presetsView(p.ID))
			}
		})
	})
}

// editPage is what the panel's page shows of a preset.
func editPage(p presets.Preset) ui.PresetEdit {
	e := p.Edit()
	page := ui.PresetEdit{ID: p.ID, Name: p.Name, Persona: e.Persona, Voice: e.Voice, Wears: e.Wears, BaseURL: e.BaseURL, Model: e.Model,
		Card: e.Card, File: p.Model}
	for _, b := range presets.Bundled() {
		page.Looks = append(page.Looks, ui.PresetLook{ID: b.ID, Name: b.Name})
	}
	return page
}

// saveEdit keeps what the person changed on the page. Not for the main thread.
func (a *App) saveEdit(ctx context.Context, p presets.Preset, e ui.PresetEdit) error {
	err := a.presets.Save(ctx, p, presets.Edit{Persona: e.Persona, Voice: e.Voice, Wears: e.Wears, BaseURL: e.BaseURL, Model: e.Model, Card: e.Card})
	var bad presets.AddressError
	if errors.As(err, &bad) {
		return errors.New(a.words.Text("characters.bad_backend", lang.Args{"address": string(bad)}))
	}
	return err
}

// editPreset opens a preset's preset.toml in the person's editor; what is saved there is taken over at once.
func (a *App) editPreset(ctx context.Context, p presets.Preset) error {
	file, err := a.presets.File(ctx, p, a.heightOf(p))
	if err != nil {
		return fmt.Errorf("edit preset: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := proc.Open(ctx, file); err != nil {
		a.log.Warn("edit preset", "file", file, "error", err)
		return fmt.Errorf("edit preset: no editor opens %s", file) // she says where it is
	}
	return nil
}
