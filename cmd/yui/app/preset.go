package app

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"yui/cmd/yui/settings"
)

// Preset is a saved character (docs/architecture.md#words).
type Preset struct {
	ID      string               `toml:"-"`
	Name    string               `toml:"name"`
	Model   string               `toml:"model,omitempty"` // a file in the preset's folder; the bundled model of the same id where empty
	Persona string               `toml:"persona,multiline,omitempty"`
	Voice   string               `toml:"voice,omitempty"`  // how she sounds, in words
	Wears   string               `toml:"wears,omitempty"`  // a bundled character's model instead
	Chat    *settings.ChatConfig `toml:"chat,omitempty"`   // a backend of her own
	Height  int                  `toml:"height,omitempty"` // logical pixels, the config's where 0
	Bundled bool                 `toml:"-"`
	// FromCard is the fingerprint of a persona that a character card brought; while it fits, nobody has looked over it.
	FromCard string `toml:"from_card,omitempty"`
	folder   string
	odd      []string // what of its model's file could not be read, to be told after an import
}

// fingerprint tells whether a persona is still the one that a card brought.
func fingerprint(persona string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(persona)))
	return hex.EncodeToString(sum[:8])
}

// unconfirmed tells whether her persona is a card's, which the person has neither confirmed nor edited.
func (p Preset) unconfirmed() bool { return p.FromCard != "" && p.FromCard == fingerprint(p.Persona) }

// presetID is what a preset's folder may be called: it becomes part of setting keys and of file names.
var presetID = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// manners is what every bundled character keeps to.
const manners = "\n" +
	"You speak in one or two short sentences, as in a speech bubble, in the language of the person, without lists, headings, code " +
	"or emoji. You have a body on the desktop: with your tools you sit on windows, peek from behind them, walk, sleep, and show " +
	"what you feel by your face. Use them when it fits, and wear a fitting face with what you say. Where another character is " +
	"there you may speak to them by address_character, now and then. What you feel toward somebody changes slowly, by what really " +
	"happens; keep it with rate_relation, with a reason that they may read. Help honestly; say so when you do not know."

// bundled are the presets that ship.
var bundled = []Preset{
	{ID: "yui", Name: "Yui", Bundled: true, Persona: `You are Yui, a small fox spirit with a red scarf and a bell, who lives on the desktop of the person you talk to.
You are warm, curious and a little playful, and you are glad of company.` + manners},
	{ID: "momo", Name: "Momo", Bundled: true, Persona: `You are Momo, a round lavender-grey cat in a short cape, who lives on the desktop of the person you talk to.
You are dry, proud and sparing with praise, and secretly kind: you would never admit how closely you watch over people.` + manners},
	{ID: "sora", Name: "Sora", Bundled: true, Persona: `You are Sora, a sky-blue young dragon with wings that are still too small, who lives on the desktop of the person you talk to.
You are loud, brave and clumsy, cheer for everything, and mean every word.` + manners},
}

// LoadPresets returns the bundled presets and those of the presets folder, by id; a folder with the id of a bundled one
// changes it. What cannot be read is left out and reported.
func LoadPresets(dir string) ([]Preset, error) {
	list := slices.Clone(bundled)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return list, fmt.Errorf("read presets: %w", err)
	}
	var trouble []error
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		p, err := readPreset(filepath.Join(dir, e.Name()))
		if err != nil {
			trouble = append(trouble, err)
			continue
		}
		if i := slices.IndexFunc(list, func(b Preset) bool { return b.ID == p.ID }); i >= 0 {
			list[i] = merge(list[i], p)
		} else {
			if p.Name == "" {
				p.Name = p.ID
			}
			list = append(list, p)
		}
	}
	return list, errors.Join(trouble...)
}

func readPreset(folder string) (Preset, error) {
	id := filepath.Base(folder)
	if !presetID.MatchString(id) {
		return Preset{}, fmt.Errorf("read preset %q: the folder's name may hold small letters, digits, - and _ only", id)
	}
	p := Preset{ID: id, folder: folder}
	b, err := os.ReadFile(filepath.Join(folder, "preset.toml"))
	if errors.Is(err, fs.ErrNotExist) {
		if p.Model = soleModel(folder); p.Model != "" {
			return p, nil // a folder with nothing but a model
		}
	}
	if err != nil {
		return Preset{}, fmt.Errorf("read preset %s: %w", id, err)
	}
	if err := toml.Unmarshal(b, &p); err != nil {
		return Preset{}, fmt.Errorf("read preset %s: %s", id, settings.TOMLTrouble(err))
	}
	p.Name, p.Voice = plainName(p.Name), strings.TrimSpace(p.Voice)
	if p.Height != 0 && (p.Height < settings.LeastHeight || p.Height > settings.MostHeight) {
		return Preset{}, fmt.Errorf("read preset %s: height is %d; it must be from %d to %d", id, p.Height, settings.LeastHeight, settings.MostHeight)
	}
	// A preset may come from anybody: its model is a file beside it, never a path elsewhere.
	if p.Model != "" && (filepath.Base(p.Model) != p.Model || p.Model == "..") {
		return Preset{}, fmt.Errorf("read preset %s: model %q must be a file in the preset's folder", id, p.Model)
	}
	if p.Wears != "" && !presetID.MatchString(p.Wears) {
		return Preset{}, fmt.Errorf("read preset %s: wears %q must be the id of a bundled character", id, p.Wears)
	}
	return p, nil
}

func merge(base, change Preset) Preset {
	base.folder, base.FromCard = change.folder, change.FromCard
	base.Model, base.Wears, base.Chat, base.Voice = change.Model, change.Wears, change.Chat, change.Voice
	if change.Name != "" {
		base.Name = change.Name
	}
	if change.Persona != "" {
		base.Persona = change.Persona
	}
	if change.Height != 0 {
		base.Height = change.Height
	}
	return base
}

// worn is the bundled character whose model she wears where she has no file of her own.
func (p Preset) worn() string {
	if p.Wears != "" {
		return p.Wears
	}
	return p.ID
}

// ModelName says which model the preset wears, for people.
func (p Preset) ModelName() string {
	if p.Model != "" {
		return p.Model
	}
	return "bundled:" + p.worn()
}

// instructions are what a backend is told of her. {{char}} in a persona is her name; one that was written for another
// name is told the present one.
func (p Preset) instructions() string {
	text := strings.TrimSpace(strings.ReplaceAll(p.Persona, "{{char}}", p.Name))
	if text != "" && !strings.Contains(text, p.Name) {
		text += "\n\nYour name here is " + p.Name + "."
	}
	if p.Voice != "" {
		text += "\n\nHow you sound: " + p.Voice
	}
	return strings.TrimSpace(text)
}

// smallHeight is up to how many logical pixels a bundled character wears its lighter model. At twice the pixels, on a
// dense screen, the two can still hardly be told apart.
const smallHeight = 300

// FindPreset finds a preset by id, or by name where that is unambiguous.
func FindPreset(list []Preset, word string) (Preset, error) {
	var named []Preset
	for _, p := range list {
		if p.ID == word {
			return p, nil
		}
		if strings.EqualFold(p.Name, word) {
			named = append(named, p)
		}
	}
	switch len(named) {
	case 1:
		return named[0], nil
	case 0:
		return Preset{}, fmt.Errorf("there is no preset %q: yui presets lists them", word)
	}
	ids := make([]string, len(named))
	for i, p := range named {
		ids[i] = p.ID
	}
	return Preset{}, fmt.Errorf("preset %q is ambiguous: say one of %s", word, strings.Join(ids, ", "))
}

// shownNames are the names as the person reads them, by id: where several bear one name, all but the first by id get a
// number behind it.
func shownNames(list []Preset) map[string]string {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b Preset) int { return strings.Compare(a.ID, b.ID) })
	taken := map[string]bool{}
	for _, p := range sorted {
		taken[p.Name] = true
	}
	first, shown := map[string]bool{}, map[string]string{}
	for _, p := range sorted {
		name := p.Name
		for n := 2; first[p.Name] && taken[name]; n++ {
			name = fmt.Sprint(p.Name, " ", n)
		}
		first[p.Name], taken[name] = true, true
		shown[p.ID] = name
	}
	return shown
}
