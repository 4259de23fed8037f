package toolbox

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"yui/cmd/yui/backend"
	"yui/cmd/yui/settings"
	"yui/internal/fuzzmem"
)

// FuzzConfig reads config.toml and .env. Whatever they hold, the config that comes of it makes a backend and tools, or
// says why it does not.
func FuzzConfig(f *testing.F) {
	f.Add([]byte("language = 'ja'\n[chat]\napi = 'push'\nbase_url = 'http://h/v1'\n[body]\nstroll_every = [1, 2]"), []byte("A=b\nexport C='d'"))
	f.Add([]byte("[mcp.x]\ncommand = ['y']\n[tools.command.z]\ndescription = 'd'\nargv = ['{a}']\nparameters = '{}'"), []byte("A=\"${B}\"\nB=$A"))
	f.Add([]byte("[plugins.weather]\nlatitude = nan\nlongitude = inf\n[plugins.calendar]\nurl = 'webcal://x'\nlead_minutes = 9"), []byte("=\n#\n\x00"))
	f.Add([]byte(settings.Template), []byte(""))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, config, env []byte) {
		fuzzmem.Watch(t)
		paths := settings.Paths{Config: filepath.Join(dir, "config.toml"), Env: filepath.Join(dir, ".env")}
		write(t, paths.Config, config)
		write(t, paths.Env, env)
		set, _ := settings.Open(paths)
		c := set.Config()
		b := backend.New(c.Chat, "", slog.New(slog.DiscardHandler))
		if missing := b.Missing(); b.Transport == nil && missing == nil && c.Chat.API != settings.APIPush {
			t.Errorf("%+v: no backend, and no reason", c.Chat)
		}
		if _, problems := newGear(c, nil, set.Secret); len(problems) > 100 {
			t.Errorf("%d problems", len(problems))
		}
	})
}

func write(t *testing.T, file string, b []byte) {
	t.Helper()
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
