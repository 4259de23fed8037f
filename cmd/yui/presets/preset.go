// Package presets keeps the saved characters as files: a folder each, and the bundled ones that need none. It reads model
// files, character cards and CHARX, and watches the folder. It knows no window and no conversation: who opens pets asks a
// Folder for them and is told of each change.
package presets

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
	// Odd is what of its model's file could not be read, to be told after an import.
	Odd    []string `toml:"-"`
	folder string   // where its files lie, "" for a bundled one without
}

// fileName is the file in a preset's folder that says what she is.
const fileName = "preset.toml"

// fingerprint reports whether a persona is still the one that a card brought.
func fingerprint(persona string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(persona)))
	return hex.EncodeToString(sum[:8])
}

// Unconfirmed reports whether her persona is a card's, which the person has neither confirmed nor edited.
func (p Preset) Unconfirmed() bool { return p.FromCard != "" && p.FromCard == fingerprint(p.Persona) }

// presetID is what a preset's folder may be called: it becomes part of setting keys and of file names.
var presetID = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// manners is what every bundled character keeps to.
const manners = "\n" +
	"You speak in one or two short sentences, as in a speech bubble, in the language of the person, without lists, headings, code " +
	"or emoji. You have a body on the desktop: with your tools you sit on windows, peek from behind them, walk, sleep, and show " +
	"what you feel by your face. Use them when it fits, and wear a fitting face with what you say. Where another character is " +
	"there you may speak to them by address_character, now and then. What you feel toward somebody changes slowly, by what really " +
	"happens; keep it with rate_relation, with a reason that they may read. Help honestly; say so when you do not know."

// Bundled returns the presets that ship.
func Bundled() []Preset { return slices.Clone(bundled) }

// BundledName is the name of the bundled character of an id, the id itself where none has it.
func BundledName(id string) string {
	for _, p := range bundled {
		if p.ID == id {
			return p.Name
		}
	}
	return id
}

var bundled = []Preset{
	{ID: "yui", Name: "Yui", Bundled: true, Persona: `You are Yui, a small fox spirit with a red scarf and a bell, who lives on the desktop of the person you talk to.
You are warm, curious and a little playful, and you are glad of company.` + manners},
	{ID: "momo", Name: "Momo", Bundled: true, Persona: `You are Momo, a round lavender-grey cat in a short cape, who lives on the desktop of the person you talk to.
You are dry, proud and sparing with praise, and secretly kind: you would never admit how closely you watch over people.` + manners},
	{ID: "sora", Name: "Sora", Bundled: true, Persona: `You are Sora, a sky-blue young dragon with wings that are still too small, who lives on the desktop of the person you talk to.
You are loud, brave and clumsy, cheer for everything, and mean every word.` + manners},
}

// Load returns the bundled presets and those of the presets folder, by id; a folder with the id of a bundled one
// changes it. What cannot be read is left out and reported.
func Load(dir string) ([]Preset, error) {
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
		p, err := read(filepath.Join(dir, e.Name()))
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

func read(folder string) (Preset, error) {
	id := filepath.Base(folder)
	if !presetID.MatchString(id) {
		return Preset{}, fmt.Errorf("read preset %q: the folder's name may hold small letters, digits, - and _ only", id)
	}
	p := Preset{ID: id, folder: folder}
	b, err := os.ReadFile(filepath.Join(folder, fileName))
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
	p.Name, p.Voice = PlainName(p.Name), strings.TrimSpace(p.Voice)
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

// Worn is the bundled character whose model she wears where she has no file of her own.
func (p Preset) Worn() string {
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
	return "bundled:" + p.Worn()
}

// Instructions are what a backend is told of her. {{char}} in a persona is her name; one that was written for another
// name is told the present one.
func (p Preset) Instructions() string {
	text := strings.TrimSpace(strings.ReplaceAll(p.Persona, "{{char}}", p.Name))
	if text != "" && !strings.Contains(text, p.Name) {
		text += "\n\nYour name here is " + p.Name + "."
	}
	if p.Voice != "" {
		text += "\n\nHow you sound: " + p.Voice
	}
	return strings.TrimSpace(text)
}

// Shipped reports whether she is a bundled character that nobody has changed.
func (p Preset) Shipped() bool { return p.Bundled && p.folder == "" }
