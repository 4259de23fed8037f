package settings

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// load reads the settings of a home folder.
func load(paths Paths) (*Config, error) {
	s, err := Open(paths)
	return s.Config(), err
}

func pathsIn(t *testing.T) Paths {
	t.Helper()
	t.Setenv("YUI_HOME", t.TempDir())
	p, err := FindPaths()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestConfig(t *testing.T) {
	paths := pathsIn(t)
	for _, c := range []struct{ name, text, trouble string }{
		{"empty", "", ""},
		{"a server", "[chat]\nbase_url = 'http://127.0.0.1:11434/v1'\nmodel = 'm'", ""},
		{"unknown key", "[chat]\nmodle = 'm'", "line 2, column 1: there is no key \"chat.modle\""},
		{"broken", "[chat\n", "line 1"},
		{"wrong type", "[body]\nheight = 'tall'", "line 2"},
		{"out of range", "[body]\nheight = 5", "body.height is 5; it must be from 80 to 1200"},
		{"no such api", "[chat]\napi = 'telepathy'", "chat.api"},
		{"no scheme", "[chat]\nbase_url = '127.0.0.1:8011/v1'", ""},
		{"a socket", "[chat]\napi = 'push'\nbase_url = 'wss://h/x'", ""},
		{"no such language", "language = 'xx'", "language"},
		{"strolls", "[body]\nstroll_every = [9, 3]", "body.stroll_every"},
		{"a server of tools", "[mcp.files]\ncommand = ['npx', 'x']\nenv = { A = '$B' }\ndeadline = 5\nsends = true", ""},
		{"a server by address", "[mcp.tickets]\nurl = 'https://x.example/mcp'\nheaders = { Authorization = 'Bearer $T' }", ""},
		{"a server of nothing", "[mcp.files]\n", "mcp.files: command or url is missing"},
		{"a server with a bad name", "[mcp.Files]\ncommand = ['x']", "mcp.Files: a server's name"},
		{"a server with an unknown key", "[mcp.files]\ncomand = ['x']", "line 2, column 1: there is no key \"mcp.files.comand\""},
		{"a command", "[tools.command.add]\ndescription = 'adds'\nargv = ['echo', '{a}']\nparameters = { properties = { a = { type = 'integer' } } }", ""},
		{"a command with JSON", "[tools.command.add]\ndescription = 'adds'\nargv = ['echo', '{a}']\nparameters = '{\"properties\":{\"a\":{}}}'", ""},
		{"a command without a placeholder's argument", "[tools.command.add]\ndescription = 'adds'\nargv = ['echo', '{b}']", `tools.command.add: argv: there is no parameter "b"`},
		{"a command with a name of ours", "[tools.command.look]\ndescription = 'd'\nargv = ['echo']", "tools.command.look: the name belongs"},
	} {
		if err := os.WriteFile(paths.Config, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := load(paths)
		switch {
		case c.trouble == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.trouble != "" && (err == nil || !strings.Contains(err.Error(), c.trouble) || !strings.Contains(err.Error(), "config.toml")):
			t.Errorf("%s: %v, want the file and %q", c.name, err, c.trouble)
		}
	}
}

func TestConfigDefaults(t *testing.T) {
	paths := pathsIn(t)
	c, err := load(paths)
	if err != nil || c.Chat.API != APICompanion || c.Body.Height != 240 || c.Window.FPS != 30 {
		t.Errorf("without a file: %+v, %v", c, err)
	}
	if err := os.WriteFile(paths.Config, []byte("[chat]\nbase_url = 'http://127.0.0.1:1/v1'"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err = load(paths); err != nil || c.Chat.API != APICompletions {
		t.Errorf("with a server: api %q, %v", c.Chat.API, err)
	}
	if err := os.WriteFile(paths.Config, []byte(Template), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = load(paths); err != nil {
		t.Errorf("the template that Settings writes: %v", err)
	}
}

// What is wrong counts as left out; all else holds.
func TestConfigHoldsWithoutWhatIsWrong(t *testing.T) {
	paths := pathsIn(t)
	for _, c := range []struct {
		name, text string
		holds      func(*Config) bool
	}{
		{"no TOML", "language = 'ja'\n[window]\nfps = 15\nfps = = 3", func(c *Config) bool {
			return c.Chat.API == APICompanion && c.Body.Height == 240 && c.Window.FPS == 30
		}},
		{"an unknown key first", "colour = 1\nlanguage = 'ja'\n[chat]\nbase_url = 'http://h/v1'\nmodell = 'x'\n[window]\nfps = 15", func(c *Config) bool {
			return c.Language == "ja" && c.Chat.API == APICompletions && c.Window.FPS == 15
		}},
		{"values that cannot be", "language = 'xx'\n[chat]\napi = 'telepathy'\nbase_url = 'http://h/v1'\ncontext_window = 1\n[window]\ntheme = 'pink'\nfps = 500\nanti_aliasing = false\n[body]\nheight = 5\nstroll_every = [9, 3]\nwake_timeout = 20",
			func(c *Config) bool {
				return c.Language == "en" && c.Chat.API == APICompletions && c.Chat.ContextWindow == 0 && c.Window.Theme == "" && c.Window.FPS == 30 &&
					!c.Window.AntiAliasing && c.Body.Height == 240 && slices.Equal(c.Body.StrollEvery, []int{30, 60}) && c.Body.WakeTimeout == 20
			}},
		{"one server and one command of two", "[mcp.good]\ncommand = ['x']\n[mcp.bad]\n[tools.command.good]\ndescription = 'd'\nargv = ['echo']\n[tools.command.look]\ndescription = 'd'\nargv = ['echo']",
			func(c *Config) bool {
				_, mcp := c.MCP["good"]
				_, command := c.Tools.Command["good"]
				return mcp && command && len(c.MCP) == 1 && len(c.Tools.Command) == 1
			}},
		{"a value of two plugins each", "[plugins.weather]\nplace = 'x'\nunits = 'kelvin'\n[plugins.calendar]\nfile = '/a'\nlead_minutes = 0", func(c *Config) bool {
			return c.Plugins.Weather.On() && c.Plugins.Weather.Units == "" && c.Plugins.Calendar.On() && c.Plugins.Calendar.Lead == 10
		}},
	} {
		if err := os.WriteFile(paths.Config, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := load(paths); err == nil || !strings.Contains(err.Error(), paths.Config) || !c.holds(got) {
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
	got, err := load(paths)
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
	_, err := load(paths)
	for _, key := range []string{"language", "window.fps", "window.theme"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s is missing in %v", key, err)
		}
	}
	for _, c := range []struct {
		mistakes error
		want     string
	}{
		{err, "config.toml: line 1, column 1: language is \"xx\"; it must be en, ja or ko\n" +
			"config.toml: line 3, column 1: window.fps is 500; it must be from 5 to 60\n" +
			"config.toml: line 4, column 1: window.theme is \"pink\"; it must be light or dark"},
		{errors.Join(err, fmt.Errorf("read %s: no", paths.Env)), "…"},
		{fmt.Errorf("read %s: no", paths.Env), ".env: no"},
	} {
		if got := paths.InBubble(c.mistakes); !strings.HasSuffix(got, c.want) || strings.Count(got, "\n") > mostMistakes {
			t.Errorf("in a bubble: %q, want %q", got, c.want)
		}
	}
}
