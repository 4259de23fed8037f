package settings

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"yui/internal/fuzzmem"
)

// FuzzConfig reads config.toml and .env. Whatever they hold, the config that comes of it can be used, and has nothing
// in it that its row refuses.
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
		for _, row := range In(File) {
			v := field(c, row)
			if row.entry != nil || v.IsZero() {
				continue
			}
			if _, err := row.Check(asTOML(t, v)); err != nil {
				t.Errorf("what was read is still wrong: %v", err)
			}
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
		s := &Settings{values: map[string]json.RawMessage{}}
		s.config.Store(defaults())
		for _, row := range In(Database) {
			s.values[row.Key] = raw
		}
		for _, row := range In(Database) {
			got, err := s.Get(row.Key)
			var v any
			if err == nil {
				err = json.Unmarshal(got, &v)
			}
			if err == nil {
				_, err = row.Check(v)
			}
			if err != nil {
				t.Errorf("%s reads %s: %v", row.Key, got, err)
			}
			if n := s.Number(row.Key); row.Kind == Number && !(n >= row.Min && n <= row.Max) {
				t.Errorf("%s: %v", row.Key, n)
			}
		}
		for _, id := range s.AvoidedClips() {
			if strings.ContainsAny(string(id), `/\`) && id != "/" {
				t.Errorf("clip %q", id)
			}
		}
		if in := s.Ingress(); in.Port < 1024 || in.Port > 65535 {
			t.Errorf("port %d", in.Port)
		}
	})
}

// asTOML is a field's value as a reader of the file has it.
func asTOML(t *testing.T, v reflect.Value) any {
	b, err := toml.Marshal(map[string]any{"v": v.Interface()})
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := toml.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out["v"]
}
