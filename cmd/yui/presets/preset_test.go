package presets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yui/cmd/yui/settings"
	"yui/internal/fuzzmem"
)

func TestShownNames(t *testing.T) {
	list := []Preset{{ID: "yui", Name: "Yui"}, {ID: "b", Name: "Yui"}, {ID: "c", Name: "Yui 2"}, {ID: "a", Name: "Yui"}, {ID: "user", Name: "user"}, {ID: "d", Name: "שלום 🦊"}}
	want := map[string]string{"a": "Yui", "b": "Yui 3", "yui": "Yui 4", "c": "Yui 2", "user": "user", "d": "שלום 🦊"}
	if diff := cmp.Diff(want, ShownNames(list)); diff != "" {
		t.Error(diff)
	}
}

// TestOwnChat edits who answers for a character.
func TestOwnChat(t *testing.T) {
	edit := func(url, model string) Edit { return Edit{BaseURL: url, Model: model} }
	for _, c := range []struct {
		name string
		was  *settings.ChatConfig
		edit Edit
		want *settings.ChatConfig
	}{
		{"shared", nil, edit("", ""), nil},
		{"a model without a server", nil, edit("", "qwen3"), nil},
		{"her own", nil, edit("http://h/v1", "qwen3"), &settings.ChatConfig{BaseURL: "http://h/v1", Model: "qwen3"}},
		{"another model", &settings.ChatConfig{BaseURL: "http://h/v1", Model: "a", APIKey: "k", ContextWindow: 9}, edit("http://h/v1", "b"),
			&settings.ChatConfig{BaseURL: "http://h/v1", Model: "b", APIKey: "k", ContextWindow: 9}},
		{"another server never sees the key", &settings.ChatConfig{BaseURL: "http://h/v1", APIKey: "k"}, edit("http://i/v1", ""), &settings.ChatConfig{BaseURL: "http://i/v1"}},
		{"shared again", &settings.ChatConfig{BaseURL: "http://h/v1", Model: "a"}, edit("", "a"), nil},
		{"a companion of her own stays", &settings.ChatConfig{API: settings.APICompanion}, edit("", ""), &settings.ChatConfig{API: settings.APICompanion}},
		{"a server instead of the companion", &settings.ChatConfig{API: settings.APICompanion}, edit("http://h/v1", ""), &settings.ChatConfig{BaseURL: "http://h/v1"}},
	} {
		if diff := cmp.Diff(c.want, ownChat(c.was, c.edit)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestPresetsFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(id, text string) {
		if err := os.MkdirAll(filepath.Join(dir, id), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, id, "preset.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("kuro", "name = 'Kuro'\nmodel = 'kuro.vrm'")
	write("yui", "name = 'Yuiko'")
	write("thief", "name = 'T'\nmodel = '../../secret.vrm'")
	write("Bad Name", "name = 'x'")
	write("broken", "name = ")
	list, err := Load(dir)
	if err == nil || !strings.Contains(err.Error(), "thief") || !strings.Contains(err.Error(), "broken") || !strings.Contains(err.Error(), "Bad Name") {
		t.Errorf("what is wrong must be named: %v", err)
	}
	names := map[string]string{}
	for _, p := range list {
		names[p.ID] = p.Name
	}
	if len(list) != 4 || names["kuro"] != "Kuro" || names["yui"] != "Yuiko" {
		t.Errorf("presets: %v", names)
	}
	if p, err := Find(list, "kuro"); err != nil || p.Name != "Kuro" {
		t.Errorf("by id: %v %v", p, err)
	}
	if p, err := Find(list, "MOMO"); err != nil || p.ID != "momo" {
		t.Errorf("by name: %v %v", p, err)
	}
	if _, err := Find(list, "nobody"); err == nil {
		t.Error("nobody was found")
	}
}

func TestPlainName(t *testing.T) {
	for in, want := range map[string]string{
		"Kuro": "Kuro", "  a\n b\t": "a b", "<img src=x>": "<img src=x>", "../../x": "../../x", "e\u202Evil\u200B": "evil", "\x00": "",
		strings.Repeat("あ", 100): strings.Repeat("あ", nameLimit),
	} {
		if got := PlainName(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzPreset reads a preset's file.
func FuzzPreset(f *testing.F) {
	f.Add([]byte("name = 'Kuro'\nmodel = 'kuro.vrm'\npersona = 'p'\nheight = 260\n[chat]\nbase_url = 'http://h'"))
	f.Add([]byte("wears = 'momo'\nvoice = 'soft'\nname = '../../x'"))
	folder := filepath.Join(f.TempDir(), "kuro")
	if err := os.Mkdir(folder, 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzmem.Watch(t)
		if err := os.WriteFile(filepath.Join(folder, fileName), text, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := read(folder)
		if err != nil {
			return
		}
		if p.ID != "kuro" || filepath.Dir(filepath.Join(folder, p.Model)) != folder && p.Model != "" {
			t.Errorf("%+v", p)
		}
		if p.Height != 0 && (p.Height < settings.LeastHeight || p.Height > settings.MostHeight) {
			t.Errorf("height %d", p.Height)
		}
	})
}
