package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yui/chat"
	"yui/store"
)

// What is wrong counts as left out; all else holds.
func TestConfigHoldsWithoutWhatIsWrong(t *testing.T) {
	paths := pathsIn(t)
	for _, c := range []struct {
		name, text string
		holds      func(Config) bool
	}{
		{"no TOML", "language = 'ja'\n[window]\nfps = 15\nfps = = 3", func(c Config) bool {
			return c.Chat.API == APICompanion && c.Body.Height == 240 && c.Window.FPS == 30
		}},
		{"an unknown key first", "colour = 1\nlanguage = 'ja'\n[chat]\nbase_url = 'http://h/v1'\nmodell = 'x'\n[window]\nfps = 15", func(c Config) bool {
			return c.Language == "ja" && c.Chat.API == APICompletions && c.Window.FPS == 15
		}},
		{"values that cannot be", "language = 'xx'\n[chat]\napi = 'telepathy'\nbase_url = 'http://h/v1'\ncontext_window = 1\n[window]\ntheme = 'pink'\nfps = 500\nanti_aliasing = false\n[body]\nheight = 5\nstroll_every = [9, 3]\nwake_timeout = 20",
			func(c Config) bool {
				return c.Language == "" && c.Chat.API == APICompletions && c.Chat.ContextWindow == 0 && c.Window.Theme == "" && c.Window.FPS == 30 &&
					!on(c.Window.AntiAliasing, true) && c.Body.Height == 240 && c.Body.StrollEvery == nil && c.Body.WakeTimeout == 20
			}},
		{"one server and one command of two", "[mcp.good]\ncommand = ['x']\n[mcp.bad]\n[tools.command.good]\ndescription = 'd'\nargv = ['echo']\n[tools.command.look]\ndescription = 'd'\nargv = ['echo']",
			func(c Config) bool {
				_, mcp := c.MCP["good"]
				_, command := c.Tools.Command["good"]
				return mcp && command && len(c.MCP) == 1 && len(c.Tools.Command) == 1
			}},
		{"one plugin of two", "[plugins.weather]\nplace = 'x'\nunits = 'kelvin'\n[plugins.calendar]\nfile = '/a'\nlead_minutes = 0", func(c Config) bool {
			return !c.Plugins.Weather.on() && c.Plugins.Calendar.on() && c.Plugins.Calendar.Lead == nil
		}},
	} {
		if err := os.WriteFile(paths.Config, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := LoadConfig(paths); err == nil || !strings.Contains(err.Error(), paths.Config) || !c.holds(got) {
			t.Errorf("%s: %v, %+v", c.name, err, got)
		}
	}
	if err := os.Remove(paths.Config); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{paths.Config, paths.Env} { // folders where files should be: they cannot be read, whoever reads
		if err := os.Mkdir(file, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	got, err := LoadConfig(paths)
	if err == nil || !strings.Contains(err.Error(), paths.Config) || !strings.Contains(err.Error(), paths.Env) || got.Body.Height != 240 {
		t.Errorf("%v, %+v", err, got)
	}
}

// Each mistake in a file is named, not the first alone.
func TestEveryMistakeIsNamed(t *testing.T) {
	paths := pathsIn(t)
	if err := os.WriteFile(paths.Config, []byte("language = 'xx'\n[window]\nfps = 500\ntheme = 'pink'"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := LoadConfig(paths)
	for _, key := range []string{"language", "window.fps", "window.theme"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s is missing in %v", key, err)
		}
	}
	for _, c := range []struct {
		mistakes error
		want     string
	}{
		{err, "config.toml: language is \"xx\"; it must be en, ja or ko\nconfig.toml: window.theme is \"pink\"; it must be light or dark\n" +
			"config.toml: window.fps is 500; it must be from 5 to 60"},
		{errors.Join(err, fmt.Errorf("read %s: no", paths.Env)), "…"},
		{fmt.Errorf("read %s: no", paths.Env), ".env: no"},
	} {
		if got := paths.inBubble(c.mistakes); !strings.HasSuffix(got, c.want) || strings.Count(got, "\n") > mostMistakes {
			t.Errorf("in a bubble: %q, want %q", got, c.want)
		}
	}
}

// An address that is none does not keep her away: she says so whenever she is asked, and no password is in what she says.
func TestBackendSaysWhatIsWrongWithItsAddress(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	for _, c := range []struct {
		api, address string
		want         chat.Reason
	}{
		{APICompletions, "ftp://u:password@x?key=password", chat.BadAddress}, {APICompletions, "http://127.0.0.1:99999/v1", chat.BadAddress},
		{APIResponses, "http://", chat.BadAddress}, {APIPush, "ftp://x", chat.BadAddress}, {APICompletions, "wss://h/x", chat.BadAddress},
		{APICompletions, "", chat.NoServer}, {APIResponses, "", chat.NoServer},
	} {
		b := newBackend(ChatConfig{API: c.api, BaseURL: c.address}, "", quiet)
		missing := b.missing()
		if missing == nil || missing.Reason != c.want || strings.Contains(missing.Error()+missing.Plain(), "password") {
			t.Errorf("%s %q: %v, want %s", c.api, c.address, missing, c.want)
		}
	}
	for _, c := range []ChatConfig{{API: APICompanion}, {API: APICompletions, BaseURL: "127.0.0.1:1"}, {API: APIPush, BaseURL: "wss://h/x"}} {
		if missing := newBackend(c, "", quiet).missing(); missing != nil {
			t.Errorf("%+v: %v", c, missing)
		}
	}
}

// Every cause has its words in every language, and what has none says itself.
func TestWordsOfCauses(t *testing.T) {
	causes := []error{store.ErrLocked, store.ErrNewer, store.ErrReadOnly, store.ErrFull, store.ErrDamaged}
	for _, language := range []string{"en", "ja", "ko"} {
		w := wordsFor(language)
		for _, cause := range causes {
			if got := w.forgetful("/x/yui.db", fmt.Errorf("open: %w", cause)); w.causes[cause] == "" || !strings.Contains(got, w.causes[cause]) || !strings.Contains(got, "/x/yui.db") {
				t.Errorf("%s %v: %q", language, cause, got)
			}
		}
		if got := w.unsaved("/x", os.ErrInvalid); !strings.Contains(got, os.ErrInvalid.Error()) || strings.Contains(got, "%!") {
			t.Errorf("%s: %q", language, got)
		}
	}
}

func TestFoldersThatTakeFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{dir: true, filepath.Join(dir, "not", "yet"): true, file: false, filepath.Join(file, "below"): false} {
		if err := takesFiles(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if err := store.Check(context.Background(), filepath.Join(file, "yui.db")); err == nil {
		t.Error("a database below a file is well")
	}
}
