package presets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"yui/cmd/yui/settings"
	"yui/internal/private"
)

// Edit is what the person may change of a preset on one page.
type Edit struct {
	Persona string
	Voice   string
	Wears   string // the id of a bundled character, "" for the model file of her own
	BaseURL string // of a backend of her own, "" for the one that all share
	Model   string // that backend's model
	Card    bool   // her persona is a card's that nobody has confirmed
}

// Edit returns what a preset says now.
func (p Preset) Edit() Edit {
	e := Edit{Persona: strings.ReplaceAll(p.Persona, "\r\n", "\n"), Voice: p.Voice, Card: p.Unconfirmed()}
	if p.Model == "" {
		e.Wears = p.Worn()
	}
	if p.Chat != nil {
		e.BaseURL, e.Model = p.Chat.BaseURL, p.Chat.Model
	}
	return e
}

// AddressError says that an edit's BaseURL is no address of a backend.
type AddressError string

func (e AddressError) Error() string {
	return "edit preset: " + string(e) + " is no address of a backend"
}

// Save keeps what the person changed on the page, and only that: what a bundled character is shipped with follows the next
// version. An address that is none is an AddressError.
func (f *Folder) Save(ctx context.Context, p Preset, e Edit) error {
	was := p.Edit()
	if !isAddress(e.BaseURL) {
		return AddressError(e.BaseURL)
	}
	err := f.change(ctx, p, func(own *Preset) {
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
func ownChat(c *settings.ChatConfig, e Edit) *settings.ChatConfig {
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

// File is a preset's preset.toml, for the person's editor; what is saved there is taken over by Watch. A bundled one gets
// a file with what it says now, height included.
func (f *Folder) File(ctx context.Context, p Preset, height int) (file string, err error) {
	if err := f.changing.enter(ctx); err != nil {
		return "", err
	}
	defer f.changing.leave()
	file = filepath.Join(f.dir, p.ID, fileName)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		own := Preset{Name: p.Name, Persona: p.Persona, Height: height}
		if err := f.write(filepath.Dir(file), own, nil); err != nil {
			return "", err
		}
	}
	return file, addExamples(file)
}

// examples are the keys that a file may still lack, to be found by whoever opens it.
const examples = `
# What else may stand here; docs/config.md says more. A saved file is taken over at once.
# voice = "soft and a little sleepy"   # how she sounds
# height = 240                         # logical pixels
# wears = "momo"                       # a bundled character's model, or model = "file.vrm" beside this file
# [chat]                               # a backend of her own
# base_url = "http://127.0.0.1:11434/v1"
# model = "qwen3"
`

// addExamples explains a file that no hand has touched yet.
func addExamples(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(text, []byte("#")) || bytes.Contains(text, []byte("\n#")) {
		return nil // it has comments
	}
	text = append(text, examples...)
	if err := toml.Unmarshal(text, &Preset{}); err != nil {
		return nil // not to be made worse
	}
	return private.Write(file, text)
}
