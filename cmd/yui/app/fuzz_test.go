package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"

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
		c, _ := settings.ReadConfig(paths.Config)
		b := newBackend(c.Chat, "", slog.New(slog.DiscardHandler))
		if missing := b.missing(); b.transport == nil && missing == nil && c.Chat.API != settings.APIPush {
			t.Errorf("%+v: no backend, and no reason", c.Chat)
		}
		if _, problems := newGear(c, settings.Keys{Paths: paths}.Get); len(problems) > 100 {
			t.Errorf("%d problems", len(problems))
		}
	})
}

// FuzzRequest has the control socket read what some program of the person's writes. It is answered, by an exit code at
// the end.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"command":"call","preset":"yui","args":["look","{}"],"log":true}` + "\n"))
	f.Add([]byte(`{"command":7}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzmem.Watch(t)
		c := &control{log: slog.New(slog.DiscardHandler), handle: func(_ context.Context, req Request, _ *Reply) int { return len(req.Args) }}
		ours, theirs := net.Pipe()
		done := make(chan struct{})
		go func() { c.answer(context.Background(), ours, bytes.NewReader(text)); close(done) }()
		dec, last := json.NewDecoder(theirs), answer{}
		for {
			var a answer
			if err := dec.Decode(&a); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			last = a
		}
		theirs.Close()
		<-done
		if last.Exit == nil {
			t.Error("no exit code at the end")
		}
	})
}

func write(t *testing.T, file string, b []byte) {
	t.Helper()
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
