package panels

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"yui/assets/lang"
	"yui/cmd/yui/presets"
	"yui/internal/proc"
	"yui/overlay/ui"
)

// taskWait bounds what a click in the panel sets off.
const taskWait = 20 * time.Second

// OpenCast shows the panel of all characters.
func (p *Panels) OpenCast() {
	if p.theme == nil {
		p.wantCast = true
		p.Want()
		return
	}
	m, area := p.around()
	if p.cast == nil {
		panel, err := ui.NewPresetsPanel(p.Loop, p.theme, float32(m.Scale))
		if err != nil {
			p.Log.Error("open characters", "error", err)
			return
		}
		panel.OnNew = func() {
			p.presetTask(func(ctx context.Context) (presets.Preset, error) {
				return p.Presets.Create(ctx, p.Presets.FreeName(p.Words.Text("characters.newcomer")), "")
			})
		}
		panel.OnDuplicate = p.onPreset(func(ctx context.Context, q presets.Preset) (presets.Preset, error) {
			return p.Presets.Duplicate(ctx, q, "")
		})
		panel.OnDelete = p.onPreset(func(ctx context.Context, q presets.Preset) (presets.Preset, error) {
			return presets.Preset{}, p.Presets.Delete(ctx, q)
		})
		panel.OnFile = p.onPreset(func(ctx context.Context, q presets.Preset) (presets.Preset, error) {
			return presets.Preset{}, p.editPreset(ctx, q)
		})
		panel.OnEdit = func(id string) {
			if q, ok := p.Presets.Get(id); ok {
				p.cast.EditPage(editPage(q))
			}
		}
		panel.OnSave = func(e ui.PresetEdit) {
			p.onPreset(func(ctx context.Context, q presets.Preset) (presets.Preset, error) {
				return presets.Preset{}, p.saveEdit(ctx, q, e)
			})(e.ID)
		}
		panel.OnRename = func(id, name string) {
			p.onPreset(func(ctx context.Context, q presets.Preset) (presets.Preset, error) {
				return presets.Preset{}, p.Presets.Rename(ctx, q, name)
			})(id)
		}
		panel.OnHeight = func(id string, height int) {
			p.onPreset(func(ctx context.Context, q presets.Preset) (presets.Preset, error) {
				return presets.Preset{}, p.Presets.SetHeight(ctx, q, height)
			})(id)
		}
		panel.OnOpen = p.House.SetOpen
		p.cast = panel
	}
	p.cast.SetComposited(p.Desktop.Snapshot().Compositor)
	p.cast.Show(p.presetsView(""), area)
}

// refreshCast shows the list anew where the panel is open.
func (p *Panels) refreshCast() {
	if p.cast != nil && p.cast.Visible() {
		p.cast.Update(p.presetsView(""))
	}
}

// presetsView is what the panel shows; selected unfolds a new character with its name being written.
func (p *Panels) presetsView(selected string) ui.PresetsView {
	v := ui.PresetsView{Selected: selected, Renaming: selected != ""}
	p.readCredits()
	list := p.Presets.All()
	names := presets.ShownNames(list)
	for _, q := range list {
		row := ui.PresetRow{ID: q.ID, Name: q.Name, Shown: names[q.ID], About: p.aboutPreset(q), Height: p.House.Height(q), Delete: p.Words.Text("characters.delete")}
		switch {
		case q.Shipped():
			row.Delete = ""
		case q.Bundled:
			row.Delete = p.Words.Text("characters.reset")
		}
		if pet, open := p.open(q.ID); open {
			row.Open, row.Face = true, pet.Face()
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// aboutPreset says in a line what she wears and who answers for her.
func (p *Panels) aboutPreset(q presets.Preset) string {
	about := p.Words.Text("characters.bundled")
	switch {
	case q.Model != "":
		about = cmp.Or(p.credits[q.ID], q.Model)
	case q.Worn() != q.ID:
		about = p.Words.Text("characters.in_clothes", lang.Args{"name": presets.BundledName(q.Worn())})
	}
	if q.Chat != nil && (q.Chat.API != "" || q.Chat.BaseURL != "") {
		about += " · " + p.Words.Text("characters.own_backend")
	}
	if q.Unconfirmed() {
		about += " · " + p.Words.Text("characters.unconfirmed")
	}
	return about
}

// onPreset makes a click in the panel a task about the preset that it names.
func (p *Panels) onPreset(do func(ctx context.Context, q presets.Preset) (presets.Preset, error)) func(id string) {
	return func(id string) {
		q, ok := p.Presets.Get(id)
		if !ok {
			return
		}
		p.presetTask(func(ctx context.Context) (presets.Preset, error) { return do(ctx, q) })
	}
}

// presetTask runs beside the main thread, shows the new preset that comes of it, and tells what went wrong.
func (p *Panels) presetTask(do func(ctx context.Context) (presets.Preset, error)) {
	p.Memory.Go(func() {
		ctx, cancel := context.WithTimeout(p.ctx, taskWait)
		defer cancel()
		q, err := do(ctx)
		if err != nil {
			p.House.Trouble(err)
			return
		}
		p.Loop.Do(func() {
			if q.ID != "" && p.cast != nil && p.cast.Visible() {
				p.cast.Update(p.presetsView(q.ID))
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
func (p *Panels) saveEdit(ctx context.Context, q presets.Preset, e ui.PresetEdit) error {
	err := p.Presets.Save(ctx, q, presets.Edit{Persona: e.Persona, Voice: e.Voice, Wears: e.Wears, BaseURL: e.BaseURL, Model: e.Model, Card: e.Card})
	var bad presets.AddressError
	if errors.As(err, &bad) {
		return errors.New(p.Words.Text("characters.bad_backend", lang.Args{"address": string(bad)}))
	}
	return err
}

// editPreset opens a preset's preset.toml in the person's editor; what is saved there is taken over at once.
func (p *Panels) editPreset(ctx context.Context, q presets.Preset) error {
	file, err := p.Presets.File(ctx, q, p.House.Height(q))
	if err != nil {
		return fmt.Errorf("edit preset: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := proc.Open(ctx, file); err != nil {
		p.Log.Warn("edit preset", "file", file, "error", err)
		return fmt.Errorf("edit preset: no editor opens %s", file) // she says where it is
	}
	return nil
}
