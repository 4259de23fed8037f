package presets

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"yui/assets"
	"yui/avatar/vrm"
)

// modelLimit is how large a model file may be, in bytes.
const modelLimit = 512 << 20

// smallHeight is up to how many logical pixels a bundled character wears its lighter model. At twice the pixels, on a
// dense screen, the two can still hardly be told apart.
const smallHeight = 300

// isModel tells a model file by its name.
func isModel(file string) bool {
	ext := strings.ToLower(filepath.Ext(file))
	return (ext == ".vrm" || ext == ".glb") && !strings.HasPrefix(filepath.Base(file), ".")
}

// LoadModel reads what the preset wears, for a pet of the given height in logical pixels. Errors name the character.
func (p Preset) LoadModel(height int) (*vrm.Model, error) {
	if p.Model != "" {
		m, err := vrm.LoadFile(filepath.Join(p.folder, p.Model))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		return m, nil
	}
	b, err := assets.Character(p.bundledFile(height))
	if err != nil {
		return nil, fmt.Errorf("read model of %s: %w", p.ID, err)
	}
	m, err := vrm.Load(b)
	if err != nil {
		return nil, fmt.Errorf("load model %s: %w", p.ModelName(), err)
	}
	return m, nil
}

// bundledFile names the bundled model that is worn at a height.
func (p Preset) bundledFile(height int) string {
	if height <= smallHeight {
		return p.Worn() + "-small"
	}
	return p.Worn()
}

// ModelAt names the model that she wears at a height in logical pixels; another name is another model.
func (p Preset) ModelAt(height int) string {
	if p.Model != "" {
		return p.Model
	}
	return "bundled:" + p.bundledFile(height)
}

// Meta reads who made the model of her own, and on what terms it may be used. A preset without one has none.
func (p Preset) Meta() (vrm.Meta, error) {
	if p.Model == "" {
		return vrm.Meta{}, nil
	}
	return vrm.LoadMetaFile(filepath.Join(p.folder, p.Model))
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

// presetOfModel names a new preset after a model: as the person says, else as its maker does, else as the file.
func presetOfModel(file, name string, m *vrm.Model) Preset {
	names := []string{name, m.Meta.Name, nameOfFile(file)}
	if m.Meta.Name == "undefined" { // as an exporter writes a title that nobody gave
		names[1] = ""
	}
	p := Preset{Model: "model" + strings.ToLower(filepath.Ext(file))}
	for _, n := range names {
		if p.Name = PlainName(n); p.Name != "" {
			break
		}
	}
	return p
}
