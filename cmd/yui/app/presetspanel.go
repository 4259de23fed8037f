package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"yui/cmd/yui/settings"
	"yui/internal/proc"
	"yui/overlay"
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
		panel, err := a.loop.NewPresetsPanel(a.look, float32(monitorOf(a.desk.Snapshot(), at).Scale), a.words.cast.Title)
		if err != nil {
			a.log.Error("open characters", "error", err)
			return
		}
		panel.OnNew = func() {
			a.presetTask(func(ctx context.Context) (Preset, error) {
				return a.createPreset(ctx, a.freeName(ctx, a.words.newcomer), "")
			})
		}
		panel.OnDuplicate = a.onPreset(func(ctx context.Context, p Preset) (Preset, error) { return a.duplicatePreset(ctx, p, "") })
		panel.OnDelete = a.onPreset(func(ctx context.Context, p Preset) (Preset, error) { return Preset{}, a.deletePreset(ctx, p) })
		panel.OnFile = a.onPreset(func(ctx context.Context, p Preset) (Preset, error) { return Preset{}, a.editPreset(ctx, p) })
		panel.OnEdit = func(id string) {
			if p, ok := a.presetByID(id); ok {
				a.cast.EditPage(editOf(p))
			}
		}
		panel.OnSave = func(e overlay.PresetEdit) {
			a.onPreset(func(ctx context.Context, p Preset) (Preset, error) { return Preset{}, a.saveEdit(ctx, p, e) })(e.ID)
		}
		panel.OnRename = func(id, name string) {
			a.onPreset(func(ctx context.Context, p Preset) (Preset, error) { return Preset{}, a.renamePreset(ctx, p, name) })(id)
		}
		panel.OnHeight = func(id string, height int) {
			a.onPreset(func(ctx context.Context, p Preset) (Preset, error) {
				return Preset{}, a.changePreset(ctx, p, func(own *Preset) { own.Height = height })
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
func (a *App) presetsView(selected string) overlay.PresetsView {
	v := overlay.PresetsView{Selected: selected, Renaming: selected != "", Words: a.words.cast}
	a.readCredits()
	names := shownNames(a.presets)
	for _, p := range a.presets {
		row := overlay.PresetRow{ID: p.ID, Name: p.Name, Shown: names[p.ID], About: a.aboutPreset(p), Height: a.heightOf(p), Delete: a.words.cast.Delete}
		switch {
		case p.Bundled && p.folder == "":
			row.Delete = ""
		case p.Bundled:
			row.Delete = a.words.cast.Reset
		}
		if q := a.petOf(p.ID); q != nil {
			row.Open, row.Face = true, q.fig.Portrait()
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// aboutPreset says in a line what she wears and who answers for her.
func (a *App) aboutPreset(p Preset) string {
	about := a.words.builtIn
	switch {
	case p.Model != "":
		about = cmp.Or(a.credits[p.ID], p.Model)
	case p.worn() != p.ID:
		about = fmt.Sprintf(a.words.inClothes, bundledName(p.worn()))
	}
	if p.Chat != nil && (p.Chat.API != "" || p.Chat.BaseURL != "") {
		about += " · " + a.words.ownBackend
	}
	if p.unconfirmed() {
		about += " · " + a.words.unconfirmed
	}
	return about
}

func bundledName(id string) string {
	for _, p := range bundled {
		if p.ID == id {
			return p.Name
		}
	}
	return id
}

// onPreset makes a click in the panel a task about the preset that it names.
func (a *App) onPreset(do func(ctx context.Context, p Preset) (Preset, error)) func(id string) {
	return func(id string) {
		p, ok := a.presetByID(id)
		if !ok {
			return
		}
		a.presetTask(func(ctx context.Context) (Preset, error) { return do(ctx, p) })
	}
}

// presetTask runs beside the main thread, shows the new preset that comes of it, and tells what went wrong.
func (a *App) presetTask(do func(ctx context.Context) (Preset, error)) {
	a.writes.Go(func() {
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

// editOf is what the panel's page shows of a preset.
func editOf(p Preset) overlay.PresetEdit {
	e := overlay.PresetEdit{ID: p.ID, Name: p.Name, Persona: strings.ReplaceAll(p.Persona, "\r\n", "\n"), Voice: p.Voice, File: p.Model, Card: p.unconfirmed()}
	if p.Model == "" {
		e.Wears = p.worn()
	}
	if p.Chat != nil {
		e.BaseURL, e.Model = p.Chat.BaseURL, p.Chat.Model
	}
	for _, b := range bundled {
		e.Looks = append(e.Looks, overlay.PresetLook{ID: b.ID, Name: b.Name})
	}
	return e
}

// saveEdit keeps what the person changed on the page, and only that: what a bundled character is shipped with follows
// the next version. Not for the main thread.
func (a *App) saveEdit(ctx context.Context, p Preset, e overlay.PresetEdit) error {
	was := editOf(p)
	if e.BaseURL != "" {
		if u, err := url.Parse(e.BaseURL); err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme) {
			return fmt.Errorf("%s: %s", a.words.badBackend, e.BaseURL)
		}
	}
	err := a.changePreset(ctx, p, func(own *Preset) {
		if e.Persona != strings.TrimSpace(was.Persona) {
			own.Persona = e.Persona
		}
		if was.Card && !e.Card {
			own.FromCard = "" // the person says that it looks right
		}
		if e.Voice != was.Voice {
			own.Voice = e.Voice
		}
		if e.Wears != was.Wears {
			own.Wears = e.Wears
			if e.Wears == p.ID && p.Bundled {
				own.Wears = ""
			}
			own.Model = "" // the file stays in her folder
		}
		if e.BaseURL != was.BaseURL || e.Model != was.Model {
			own.Chat = ownChat(own.Chat, e)
		}
	})
	if err != nil {
		return fmt.Errorf("edit preset: %w", err)
	}
	return nil
}

// ownChat is a backend of her own as the page says, nil for the one that all share.
func ownChat(c *settings.ChatConfig, e overlay.PresetEdit) *settings.ChatConfig {
	if e.BaseURL == "" && (c == nil || c.BaseURL != "") {
		return nil // a model's name without a server is none
	}
	var own settings.ChatConfig
	if c != nil {
		own = *c
	}
	if own.BaseURL != e.BaseURL {
		own.APIKey = "" // a key is never shown to another server
		if own.API == settings.APICompanion {
			own.API = ""
		}
	}
	own.BaseURL, own.Model = e.BaseURL, e.Model
	return &own
}

// editPreset opens a preset's preset.toml in the person's editor; what is saved there is taken over at once. A bundled
// one gets a file with what it says now.
func (a *App) editPreset(ctx context.Context, p Preset) error {
	file := filepath.Join(a.paths.Presets, p.ID, "preset.toml")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		own := Preset{Name: p.Name, Persona: p.Persona, Height: a.heightOf(p)}
		if err := a.writePreset(filepath.Dir(file), own, nil); err != nil {
			return fmt.Errorf("edit preset: %w", err)
		}
	}
	if err := a.addExamples(file); err != nil {
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

// presetExamples are the keys that a file may still lack, to be found by whoever opens it.
const presetExamples = `
# What else may stand here; docs/config.md says more. A saved file is taken over at once.
# voice = "soft and a little sleepy"   # how she sounds
# height = 240                         # logical pixels
# wears = "momo"                       # a bundled character's model, or model = "file.vrm" beside this file
# [chat]                               # a backend of her own
# base_url = "http://127.0.0.1:11434/v1"
# model = "qwen3"
`

// addExamples explains a file that no hand has touched yet.
func (a *App) addExamples(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for i := range text {
		if text[i] == '#' && (i == 0 || text[i-1] == '\n') {
			return nil // it has comments
		}
	}
	text = append(text, presetExamples...)
	if err := toml.Unmarshal(text, &Preset{}); err != nil {
		return nil // not to be made worse
	}
	return os.WriteFile(file, text, 0o600)
}
