package settings

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"yui/internal/fuzzmem"
)

// FuzzConfig reads config.toml and .env. Whatever they hold, the config that comes of it can be used, and has nothing
// left to mend.
func FuzzConfig(f *testing.F) {
	f.Add([]byte("language = 'ja'\n[chat]\napi = 'push'\nbase_url = 'http://h/v1'\n[body]\nstroll_every = [1, 2]"), []byte("A=b\nexport C='d'"))
	f.Add([]byte("[mcp.x]\ncommand = ['y']\n[tools.command.z]\ndescription = 'd'\nargv = ['{a}']\nparameters = '{}'"), []byte("A=\"${B}\"\nB=$A"))
	f.Add([]byte("[plugins.weather]\nlatitude = nan\nlongitude = inf\n[plugins.calendar]\nurl = 'webcal://x'\nlead_minutes = 9"), []byte("=\n#\n\x00"))
	f.Add([]byte(Template), []byte(""))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, config, env []byte) {
		fuzzmem.Watch(t)
		paths := layOut(dir, dir, dir, dir, dir)
		if err := os.WriteFile(paths.Config, config, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(paths.Env, env, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := ReadConfig(paths.Config)
		if err != nil && !strings.Contains(err.Error(), paths.Config) {
			t.Errorf("the error names no file: %v", err)
		}
		if again := c.mend(paths.Config); again != nil {
			t.Errorf("what was mended is still wrong: %v", again)
		}
	})
}

// FuzzStored reads what the database holds under every key of a setting. Whatever it is, each reader gives a value within
// its bounds, and what is taken for storing is read back.
func FuzzStored(f *testing.F) {
	for _, raw := range []string{`{"enabled":true,"port":8770}`, `{"enabled":"yes","port":1e9}`, `["idle/lively_hop.vrma","..\\x"]`, `[1]`, `600000`, `-1e400`, `null`, `true`, ``} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		fuzzmem.Watch(t)
		s := &Switches{values: map[string]json.RawMessage{}}
		for key := range defaults {
			s.values[key] = raw
		}
		for key, def := range defaults {
			s.Enabled(key)
			if n := s.Number(key, 1, 9); !(n >= 1 && n <= 9) {
				t.Errorf("%s: %v", key, n)
			}
			fitted, err := fit(key, def, raw)
			if err == nil && !json.Valid(fitted) {
				t.Errorf("%s: %q is to be stored", key, fitted)
			}
		}
		for _, id := range s.AvoidedClips() {
			if strings.ContainsAny(string(id), `/\`) && id != "/" {
				t.Errorf("clip %q", id)
			}
		}
		if in, err := ParseIngress(raw); err == nil && (in.Port < 1 || in.Port > 65535) {
			t.Errorf("port %d", in.Port)
		}
	})
}
