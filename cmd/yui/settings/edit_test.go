package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"yui/internal/fuzzmem"
)

// One key is changed and everything else stays as it was, to the byte.
func TestEdit(t *testing.T) {
	for _, c := range []struct {
		name, text, key string
		value           any
		want            string
	}{
		{"a value", "# mine\n[window]\n  fps = 30 # smooth\ntheme = 'dark'\n", "window.fps", int64(15), "# mine\n[window]\n  fps = 15 # smooth\ntheme = 'dark'\n"},
		{"a new key of a table", "[window]\nfps = 30\n\n# she\n[body]\nheight = 200\n", "window.theme", "dark", "[window]\nfps = 30\ntheme = 'dark'\n\n# she\n[body]\nheight = 200\n"},
		{"of an empty table", "[window]\n[body]\nheight = 200", "window.fps", int64(15), "[window]\nfps = 15\n[body]\nheight = 200"},
		{"of the last line", "[window]\nfps = 30", "window.theme", "dark", "[window]\nfps = 30\ntheme = 'dark'\n"},
		{"a new table", "[window]\nfps = 30", "body.ride", false, "[window]\nfps = 30\n\n[body]\nride = false\n"},
		{"an empty text", "", "body.ride", false, "\n[body]\nride = false\n"},
		{"a key above all tables", "# mine\n\n# talk\n[chat]\nmodel = 'm'\n", "language", "ja", "# mine\n\nlanguage = 'ja'\n\n# talk\n[chat]\nmodel = 'm'\n"},
		{"a second one", "language = 'ja'\n[chat]\nmodel = 'm'\n", "language", "ko", "language = 'ko'\n[chat]\nmodel = 'm'\n"},
		{"a dotted key", "window.fps = 30\nwindow.theme = 'dark'\n", "window.fps", int64(9), "window.fps = 9\nwindow.theme = 'dark'\n"},
		{"a list over lines", "[body]\nstroll_every = [\n 1, # least\n 2\n] # both\n", "body.stroll_every", []any{int64(3), int64(4)}, "[body]\nstroll_every = [3, 4] # both\n"},
		{"lines of Windows", "[window]\r\nfps = 30\r\n", "window.theme", "dark", "[window]\r\nfps = 30\r\ntheme = 'dark'\r\n"},
		{"out", "[window]\nfps = 30 # smooth\ntheme = 'dark'\n", "window.fps", nil, "[window]\ntheme = 'dark'\n"},
		{"out of nothing", "[window]\n", "window.theme", nil, "[window]\n"},
	} {
		got, err := edit([]byte(c.text), strings.Split(c.key, "."), c.value)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	for _, text := range []string{"window = { fps = 30 }", "window.theme = 'dark'\nwindow.fps = { x = 1 }", "[window"} {
		if got, err := edit([]byte(text), []string{"window", "anti_aliasing"}, true); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// `yui set` reaches config.toml as well, keeps its comments, and is heard at once; the link of a dotfiles folder stays one.
func TestSetInFile(t *testing.T) {
	s, _ := opened(t)
	target := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(target, []byte("# mine\n[window]\nfps = 20\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, s.paths.Config); err != nil {
		t.Fatal(err)
	}
	if err := s.reload(); err != nil {
		t.Fatal(err)
	}
	var heard []string
	s.OnChange(func(c Change) { heard = append(heard, c.Keys...) })
	set := func(key, value string) error { return s.Set(t.Context(), key, json.RawMessage(value)) }
	for _, err := range []error{set("window.fps", "15"), set("window.theme", `"dark"`), set("language", `"ja"`), set("window.theme", "null")} {
		if err != nil {
			t.Error(err)
		}
	}
	if c := s.Config(); c.Window.FPS != 15 || c.Window.Theme != "" || c.Language != "ja" {
		t.Errorf("%+v", c)
	}
	if want := []string{"window.fps", "window.theme", "language", "window.theme"}; !reflect.DeepEqual(heard, want) {
		t.Errorf("heard %q", heard)
	}
	b, err := os.ReadFile(target)
	st, _ := os.Stat(target)
	if err != nil || string(b) != "language = 'ja'\n\n# mine\n[window]\nfps = 15\n" || st.Mode().Perm() != 0o640 {
		t.Errorf("%q, %v, %v", b, st.Mode(), err)
	}
	for key, value := range map[string]string{"window.fps": "500", "chat.api_key": `"k"`, "mcp": "{}", "window.nothing": "1", KeyChat: `"k"`, "body.height": "null", "plugins.weather.enabled": "true"} {
		table, _, _ := strings.Cut(key, ".")
		if err := set(key, value); err == nil || !strings.Contains(err.Error(), table) {
			t.Errorf("set %s %s: %v", key, value, err)
		}
	}
	if now, _ := os.ReadFile(target); string(now) != string(b) {
		t.Errorf("what was refused is written: %q", now)
	}
	if err := os.WriteFile(target, []byte("[window]\nfps = 500\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := set("window.theme", `"dark"`); err == nil || !strings.Contains(err.Error(), "mistakes") {
		t.Errorf("beside a mistake: %v", err)
	}
}

// FuzzEdit changes a key in whatever text: it says that it cannot, or that key alone is another.
func FuzzEdit(f *testing.F) {
	for _, text := range []string{"[window]\nfps = 1", "window.fps = 2\n[body]\n", "[[window]]\nfps=3", "[window.fps]\nx=1", "window = {fps = 1}", "\"window\".'fps' = 1 # c", "fps = '''\n[window]\nfps = 1'''", "[a]\n\r\n[window]\r\n"} {
		f.Add([]byte(text), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, in bool) {
		fuzzmem.Watch(t)
		var value any
		if in {
			value = int64(7)
		}
		out, err := edit(text, []string{"window", "fps"}, value)
		if err != nil {
			return
		}
		if again, err := edit(out, []string{"window", "fps"}, value); err != nil || string(again) != string(out) {
			t.Errorf("twice: %q, %q, %v", out, again, err)
		}
	})
}
