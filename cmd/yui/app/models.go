package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"yui/assets"
	"yui/avatar/vrm"
)

// isModel tells a model file by its name.
func isModel(file string) bool {
	ext := strings.ToLower(filepath.Ext(file))
	return (ext == ".vrm" || ext == ".glb") && !strings.HasPrefix(filepath.Base(file), ".")
}

// loadModel reads what the preset wears, for a pet of the given height in logical pixels. Errors name the character.
func (p Preset) loadModel(height int) (*vrm.Model, error) {
	if p.Model != "" {
		m, err := vrm.LoadFile(filepath.Join(p.folder, p.Model))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		return m, nil
	}
	file := p.worn()
	if height <= smallHeight {
		file += "-small"
	}
	b, err := assets.Character(file)
	if err != nil {
		return nil, fmt.Errorf("read model of %s: %w", p.ID, err)
	}
	m, err := vrm.Load(b)
	if err != nil {
		return nil, fmt.Errorf("load model %s: %w", p.ModelName(), err)
	}
	return m, nil
}

// soleModel finds the model of a folder in which only a model was put, "" where there is none or more than one.
func soleModel(folder string) string {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return ""
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.IsDir() || !isModel(e.Name()) })
	if len(entries) != 1 {
		return ""
	}
	return entries[0].Name()
}

// adoptModels makes presets of the model files that lie in the presets folder itself, each in a folder of its own. A
// file that cannot be read stays where it is.
func (a *App) adoptModels(ctx context.Context, files ...string) {
	for _, file := range files {
		if st, err := os.Stat(file); err != nil || !st.Mode().IsRegular() {
			continue // it has gone again, or was moved into its folder
		}
		if err := a.adopt(ctx, file); err != nil {
			a.tellTrouble(err)
		}
	}
}

func (a *App) adopt(ctx context.Context, file string) error {
	a.importing.Lock()
	defer a.importing.Unlock()
	m, err := vrm.LoadFile(file)
	if err != nil {
		return err
	}
	p := a.presetOfModel(file, "", m)
	_, err = a.addPreset(ctx, p, func(tmp string) error { return os.Rename(file, filepath.Join(tmp, p.Model)) })
	return err
}

// presetOfModel names a new preset after a model: as the person says, else as its maker does, else as the file.
func (a *App) presetOfModel(file, name string, m *vrm.Model) Preset {
	names := []string{name, m.Meta.Name, nameOfFile(file)}
	if m.Meta.Name == "undefined" { // as an exporter writes a title that nobody gave
		names[1] = ""
	}
	p := Preset{Model: "model" + strings.ToLower(filepath.Ext(file))}
	for _, n := range names {
		if p.Name = plainName(n); p.Name != "" {
			break
		}
	}
	return p
}

// credit is what the maker says of a model, in a line: who made it, and on what terms it may be used.
func (w wording) credit(m vrm.Meta) string {
	var parts []string
	if authors := plainName(strings.Join(m.Authors, ", ")); authors != "" {
		parts = append(parts, fmt.Sprintf(w.by, authors))
	}
	license := m.License
	if license == "" {
		license = m.Copyright
	}
	license = strings.TrimSuffix(strings.TrimPrefix(license, "https://"), "/")
	if license = plainName(license); license != "" {
		parts = append(parts, fmt.Sprintf(w.license, license))
	}
	return strings.Join(parts, " · ")
}

// oddities says what of a model could not be read: how much, and the first of it.
func (w wording) oddities(odd []string) string {
	if len(odd) == 0 {
		return ""
	}
	const most = 120 // characters: a file's own names may stand in it
	first := []rune(plainSentence(odd[0]))
	if len(first) > most {
		first = append(first[:most-1], '…')
	}
	return fmt.Sprintf(w.leftOut, len(odd), string(first))
}

// plainSentence keeps one line of what a file may have a part in.
func plainSentence(s string) string { return strings.Join(strings.Fields(s), " ") }

// readCredits looks up the makers of the models that the panel shows and does not know yet. Main thread.
func (a *App) readCredits() {
	if a.credits == nil {
		a.credits = map[string]string{}
	}
	for _, p := range a.presets {
		if _, known := a.credits[p.ID]; known || p.Model == "" {
			continue
		}
		a.credits[p.ID] = ""
		a.writes.Go(func() {
			meta, err := vrm.LoadMetaFile(filepath.Join(p.folder, p.Model))
			if err != nil {
				a.log.Debug("read who made a model", "preset", p.ID, "error", err)
				return
			}
			a.loop.Do(func() {
				a.credits[p.ID] = a.words.credit(meta)
				a.refreshPresets()
			})
		})
	}
}

// troubles is several errors as lines for the person.
func troubles(errs ...error) string {
	if err := errors.Join(errs...); err != nil {
		return err.Error()
	}
	return ""
}
