package presets

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"yui/cmd/yui/settings"
)

// Own is what a preset says of a setting of its own, "height" or "chat.model"; nil where it says nothing. It implements
// settings.Characters.
func (f *Folder) Own(id, key string) (any, error) {
	p, ok := f.Get(id)
	if !ok {
		return nil, fmt.Errorf("there is no preset %q", id)
	}
	text, number := p.own(key)
	switch {
	case text != nil && *text != "":
		return *text, nil
	case number != nil && *number != 0:
		return *number, nil
	}
	return nil, nil
}

// own is where a preset keeps a setting of its own: a text or a number, neither where there is no such setting.
func (p *Preset) own(key string) (text *string, number *int) {
	if name, is := strings.CutPrefix(key, "chat."); is {
		var c settings.ChatConfig
		if p.Chat != nil {
			c = *p.Chat
		}
		p.Chat = &c
		switch name {
		case "api":
			return &c.API, nil
		case "base_url":
			return &c.BaseURL, nil
		case "model":
			return &c.Model, nil
		case "api_key":
			return &c.APIKey, nil
		case "instructions":
			return &c.Instructions, nil
		case "reasoning_effort":
			return &c.ReasoningEffort, nil
		case "context_window":
			return nil, &c.ContextWindow
		}
		return nil, nil
	}
	switch key {
	case "name":
		return &p.Name, nil
	case "persona":
		return &p.Persona, nil
	case "voice":
		return &p.Voice, nil
	case "wears":
		return &p.Wears, nil
	case "height":
		return nil, &p.Height
	}
	return nil, nil
}

// SetOwn changes a setting of a preset's own; nil takes it out. It implements settings.Characters.
func (f *Folder) SetOwn(ctx context.Context, id, key string, value any) error {
	p, ok := f.Get(id)
	if !ok {
		return fmt.Errorf("there is no preset %q", id)
	}
	text, _ := value.(string)
	switch key {
	case "name":
		return f.Rename(ctx, p, text)
	case "chat.base_url":
		if !isAddress(text) {
			return AddressError(text)
		}
	case "wears":
		if value != nil && !slices.ContainsFunc(bundled, func(b Preset) bool { return b.ID == text }) {
			return errors.New("it must be the id of a bundled character")
		}
	}
	return f.change(ctx, p, func(own *Preset) { own.put(key, value) })
}

// isAddress reports whether a text may be a backend's address; an empty one is none of her own.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	return text == "" || err == nil && u.Host != "" && slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme)
}

func (p *Preset) put(key string, value any) {
	text, number := p.own(key)
	switch {
	case text != nil:
		before := *text
		*text, _ = value.(string)
		if key == "chat.base_url" && before != *text {
			p.Chat.APIKey = "" // a key is never shown to another server
		}
		if key == "wears" {
			p.Model = "" // the file stays in her folder
		}
	case number != nil:
		n, _ := value.(int64)
		*number = int(n)
	}
	if p.Chat != nil && *p.Chat == (settings.ChatConfig{}) {
		p.Chat = nil
	}
}
