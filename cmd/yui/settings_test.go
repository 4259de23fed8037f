//go:build !windows && !darwin

package main_test

import (
	"encoding/json"
	"fmt"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"yui/cmd/yui/settings"
	"yui/platform/desktoptest"
)

// TestSettings changes every setting while YUI runs, and back (docs/rules/desktop.md#settings).
func TestSettings(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Tray: desktoptest.TrayWatcher, Wallpaper: "#40607a"})
	server := newFakeServer(t, "secret")
	y := &tuned{instance: prepare(t, desk), server: server}
	y.change(nil)
	y.start()
	for _, test := range []struct {
		name string
		run  func(*testing.T, *tuned)
	}{
		{"every row of the files", testEveryFileRow}, {"every row of the database", testEveryDatabaseRow}, {"every secret", testEverySecret}, {"every row of a character", testEveryOwnRow},
		{"yui set", testSetFile}, {"mistakes", testSettingsMistakes}, {"who answers", testSettingsChat}, {"looks", testSettingsLooks},
		{"desktop", testSettingsDesktop}, {"tools", testSettingsTools}, {"plugins", testSettingsPlugins},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, &tuned{y.as(t), y.server}) })
	}
}

// tuned is an instance whose files a test changes.
type tuned struct {
	*instance
	server *fakeServer
}

// hidden is in no log, no state and no answer.
const hidden = "hunter-two-hunter"

// change writes config.toml with what a test wants beside the server, as some editors do: a new file in the old one's place.
func (y *tuned) change(more map[string]any) {
	y.t.Helper()
	base := map[string]any{
		"chat":   map[string]any{"api": "chat_completions", "base_url": y.server.URL + "/v1", "model": "fake-model"},
		"window": map[string]any{"fps": int64(10)},
	}
	if raceBinary() {
		base["window"].(map[string]any)["anti_aliasing"] = false
	}
	text, err := toml.Marshal(merged(base, more))
	if err != nil {
		y.t.Fatal(err)
	}
	y.replace("config.toml", string(text))
}

func (y *tuned) replace(name, text string) {
	y.t.Helper()
	tmp := filepath.Join(y.home, name+".new")
	if err := os.WriteFile(tmp, []byte(text), 0o600); err != nil {
		y.t.Fatal(err)
	}
	if err := os.Rename(tmp, filepath.Join(y.home, name)); err != nil {
		y.t.Fatal(err)
	}
}

func merged(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	for k, v := range b {
		inner, is := v.(map[string]any)
		if old, too := out[k].(map[string]any); is && too {
			v = merged(old, inner)
		}
		out[k] = v
	}
	return out
}

// get is `yui get`.
func (y *tuned) get(key string) any {
	y.t.Helper()
	text, err := y.ask("get", key)
	if err != nil {
		y.t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		y.t.Fatalf("get %s: %s", key, text)
	}
	return v
}

// holds waits until a key has a value.
func (y *tuned) holds(key string, want any) {
	y.t.Helper()
	desktoptest.WaitFor(y.t, settleWait, fmt.Sprintf("%s to be %v, it is %v", key, want, y.get(key)), func() bool { return reflect.DeepEqual(y.get(key), want) })
}

// table is a value under the path of a key.
func table(key string, v any) map[string]any {
	path := strings.Split(key, ".")
	for i := len(path) - 1; i >= 0; i-- {
		v = map[string]any{path[i]: v}
	}
	return v.(map[string]any)
}

// another is a value that a row does not have by default, and what `yui get` makes of it.
func another(s settings.Setting) (value, got any) {
	switch s.Key {
	case "body.stroll_every":
		return []any{int64(40), int64(50)}, []any{40.0, 50.0}
	case "mcp":
		return map[string]any{"first": map[string]any{"command": []any{"true"}}}, []any{"first"}
	case "tools.command":
		return map[string]any{"add": map[string]any{"description": "adds", "argv": []any{"echo"}}}, []any{"add"}
	case "chat.api":
		return "responses", "responses"
	}
	switch s.Kind {
	case settings.Switch:
		return s.Default != "true", s.Default != "true"
	case settings.Choice:
		return s.Choices[1], s.Choices[1]
	case settings.Number:
		return int64(s.Min) + 1, s.Min + 1
	case settings.Secret:
		return hidden, true
	case settings.List:
		return []any{"other"}, []any{"other"}
	case settings.Table:
		return map[string]any{"soft": "gently"}, map[string]any{"soft": "gently"}
	}
	return "http://127.0.0.1:9/other", "http://127.0.0.1:9/other"
}

// testEveryFileRow writes one setting after the other; each ends the one before it.
func testEveryFileRow(t *testing.T, y *tuned) {
	still := map[string]any{"plugins": map[string]any{"weather": map[string]any{"enabled": false}, "calendar": map[string]any{"enabled": false}}}
	y.change(still)
	y.holds("plugins.weather.enabled", false)
	var key string
	var before any
	rows := settings.In(settings.File)
	for i, s := range rows {
		value, got := another(s)
		now := y.get(s.Key)
		if s.Key == "plugins.weather.enabled" || s.Key == "plugins.calendar.enabled" {
			value, got, now = nil, nil, false // unset is off without a place
		}
		if reflect.DeepEqual(now, got) {
			t.Errorf("%s is %v before it is changed", s.Key, now)
		}
		if value == nil {
			y.change(nil)
		} else {
			y.change(merged(still, table(s.Key, value)))
		}
		y.holds(s.Key, got)
		if i > 0 {
			y.holds(key, before)
		}
		key, before = s.Key, now
	}
	y.change(nil)
	y.holds(key, before)
	y.discreet()
}

// discreet looks for the secret where it must not be.
func (y *tuned) discreet() {
	y.t.Helper()
	if strings.Contains(y.must("state"), hidden) {
		y.t.Error("yui state shows a secret")
	}
	logs, err := filepath.Glob(filepath.Join(y.home, "logs", "*"))
	if err != nil || len(logs) == 0 {
		y.t.Fatal("no logs", err)
	}
	for _, file := range logs {
		if b, err := os.ReadFile(file); err == nil && strings.Contains(string(b), hidden) {
			y.t.Errorf("a secret is in %s", file)
		}
	}
}

func testEveryDatabaseRow(t *testing.T, y *tuned) {
	for _, s := range settings.In(settings.Database) {
		value, got := another(s)
		switch s.Kind {
		case settings.Switch:
			got = map[string]any{"enabled": value}
		case settings.Fields:
			value = map[string]any{s.Parts[len(s.Parts)-1].Key: s.Parts[len(s.Parts)-1].Min + 1}
			got = value
		}
		before, err := y.ask("get", s.Key)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := y.ask("set", s.Key, string(raw)); err != nil {
			t.Error(err)
		}
		y.holds(s.Key, got)
		if s.Switch != "" && s.Switch != "proactive" && y.state().Switches[s.Switch] != value {
			t.Errorf("the switch %s is not %v", s.Switch, value)
		}
		if _, err := y.ask("set", s.Key, before); err != nil {
			t.Error(err)
		}
		if now, _ := y.ask("get", s.Key); now != before {
			t.Errorf("%s was %s and is %s", s.Key, before, now)
		}
	}
}

func testEverySecret(t *testing.T, y *tuned) {
	for _, s := range settings.In(settings.Env) {
		y.holds(s.Key, false)
		y.replace(".env", s.Key+"="+hidden+"\n")
		y.holds(s.Key, true)
	}
	y.replace(".env", "")
	y.holds(settings.KeyDiscord, false)
	y.discreet()
}

func testEveryOwnRow(t *testing.T, y *tuned) {
	for _, s := range settings.In(settings.Preset) {
		key := strings.Replace(s.Key, "<id>", "momo", 1) // who is not open
		if s.Kind == settings.Secret {
			y.holds(key, false)
			continue
		}
		value, got := another(s)
		if strings.HasSuffix(key, ".wears") {
			value, got = "sora", "sora"
		}
		before := y.get(key)
		raw, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := y.ask("set", key, string(raw)); err != nil {
			t.Error(err)
		}
		y.holds(key, got)
		if strings.HasSuffix(key, ".name") {
			_, err = y.ask("set", key, `"Momo"`)
		} else {
			_, err = y.ask("set", key, "null")
		}
		if err != nil {
			t.Error(err)
		}
		y.holds(key, before)
	}
	p := y.pet()
	y.must("set", "yui.yui.height", "320")
	y.wait(settleWait, "a taller pet", func(q pet) bool { return float64(q.Window.Height) > 1.25*float64(p.Window.Height) })
	y.must("set", "yui.yui.height", "null")
	y.wait(settleWait, "her height of before", func(q pet) bool { return q.Window.Height == p.Window.Height })
}

func testSetFile(t *testing.T, y *tuned) {
	y.replace("config.toml", "# mine\n[window]\nfps = 20 # smooth\n")
	y.holds("window.fps", 20.0)
	y.must("set", "window.fps", "12")
	y.must("set", "body.height", "200")
	if y.get("window.fps") != 12.0 || y.get("body.height") != 200.0 {
		t.Errorf("fps %v, height %v", y.get("window.fps"), y.get("body.height"))
	}
	if b, err := os.ReadFile(filepath.Join(y.home, "config.toml")); err != nil || string(b) != "# mine\n[window]\nfps = 12 # smooth\n\n[body]\nheight = 200\n" {
		t.Errorf("%q, %v", b, err)
	}
	if r := y.run("set", "window.fps", "500"); r.code != 1 || !strings.Contains(r.err, "window.fps is 500; it must be from 5 to 60") {
		t.Errorf("%+v", r)
	}
	y.change(nil)
	y.holds("window.fps", 10.0)
}

// testSettingsMistakes: a broken file changes nothing, not even what is right in it, and is told once.
func testSettingsMistakes(t *testing.T, y *tuned) {
	y.replace("config.toml", "[window]\nfps = 500\n[body]\nheight = 300\n")
	y.wait(settleWait, "the mistake in her bubble", func(p pet) bool { return strings.Contains(p.Talk.Bubble, "line 2, column 1: window.fps is 500") })
	if y.get("body.height") != 240.0 || y.get("window.fps") != 10.0 {
		t.Errorf("height %v, fps %v", y.get("body.height"), y.get("window.fps"))
	}
	y.replace("config.toml", "[window\n")
	y.wait(settleWait, "the next mistake", func(p pet) bool { return strings.Contains(p.Talk.Bubble, "line 1") })
	if y.get("chat.model") != "fake-model" {
		t.Errorf("the model is %v", y.get("chat.model"))
	}
	y.change(table("body.height", int64(300)))
	y.holds("body.height", 300.0)
	y.change(nil)
	y.holds("body.height", 240.0)
}

func testSettingsChat(t *testing.T, y *tuned) {
	y.must("say", "hello")
	if r := y.server.last(); r.Model != "fake-model" || r.header.Get("Authorization") != "" {
		t.Errorf("model %s, key %q", r.Model, r.header.Get("Authorization"))
	}
	y.change(map[string]any{"chat": map[string]any{"model": "other-model", "instructions": "Answer in rhymes."}})
	y.waitState(settleWait, "the other model", func(s state) bool { return s.Backend.Model == "other-model" })
	y.replace(".env", "YUI_CHAT_KEY="+hidden+"\n")
	y.holds(settings.KeyChat, true)
	desktoptest.WaitFor(t, settleWait, "the key", func() bool {
		y.must("say", "hello")
		return y.server.last().header.Get("Authorization") == "Bearer "+hidden
	})
	if r := y.server.last(); r.Model != "other-model" || !r.holds("Answer in rhymes.") {
		t.Errorf("model %s, rhymes %v", r.Model, r.holds("Answer in rhymes."))
	}
	y.change(map[string]any{"chat": map[string]any{"api": "companion"}})
	y.waitState(settleWait, "the companion", func(s state) bool { return s.Backend.API == "companion" && s.Backend.Ready })
	y.change(map[string]any{"chat": map[string]any{"base_url": "ftp://nowhere"}})
	y.waitState(settleWait, "no backend", func(s state) bool { return !s.Backend.Ready && s.Backend.Error != "" })
	y.replace(".env", "")
	y.change(nil)
	y.waitState(settleWait, "the server again", func(s state) bool { return s.Backend.Ready && s.Backend.Model == "fake-model" })
	y.discreet()
}

func testSettingsLooks(t *testing.T, y *tuned) {
	before := y.onFloor(0)
	y.change(map[string]any{"body": map[string]any{"height": int64(320)}, "window": map[string]any{"fps": int64(20)}})
	y.wait(settleWait, "a taller pet", func(p pet) bool {
		return float64(p.Window.Height) > 1.25*float64(before.Window.Height) && p.FPS > before.FPS
	})
	y.change(nil)
	y.wait(settleWait, "her old height", func(p pet) bool { return p.Window.Height == before.Window.Height })

	y.change(table("window.anti_aliasing", false))
	desktoptest.WaitFor(t, settleWait, "hard edges", func() bool { return y.edges() < 20 })
	y.change(table("window.anti_aliasing", true))
	desktoptest.WaitFor(t, settleWait, "smooth edges", func() bool { return y.edges() > 200 })
	y.change(nil)

	y.must("say", "hello")
	dark := func() bool { return y.papered(0x2B, 0x25, 0x22) > 2000 }
	if dark() {
		t.Error("the bubble is dark from the start")
	}
	y.change(table("window.theme", "dark"))
	desktoptest.WaitFor(t, settleWait, "a dark bubble", dark) // the one that is open
	y.change(nil)
}

// edges counts the pixels of her picture that are neither there nor away.
func (y *tuned) edges() (n int) {
	y.t.Helper()
	file := filepath.Join(y.t.TempDir(), "yui.png")
	y.must("snapshot", file)
	f, err := os.Open(file)
	if err != nil {
		y.t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		y.t.Fatal(err)
	}
	b := img.Bounds()
	for yy := b.Min.Y; yy < b.Max.Y; yy++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if _, _, _, a := img.At(x, yy).RGBA(); a > 0x1000 && a < 0xF000 {
				n++
			}
		}
	}
	return n
}

// papered counts the pixels of the screen in about the colour of a bubble's paper, through which the wallpaper shines a little.
func (y *tuned) papered(r, g, b int) (n int) {
	y.t.Helper()
	shot, err := y.desk.Screenshot()
	if err != nil {
		y.t.Fatal(err)
	}
	near := func(a uint8, b int) bool { return int(a)-b < 14 && b-int(a) < 14 }
	for i := 0; i < len(shot.Pix); i += 4 {
		if near(shot.Pix[i], r) && near(shot.Pix[i+1], g) && near(shot.Pix[i+2], b) {
			n++
		}
	}
	return n
}

func testSettingsDesktop(t *testing.T, y *tuned) {
	term := y.desk.XTerm(t, "notes", 200, 200, 50, 10)
	defer shut(term)
	term.Fullscreen(true)
	y.wait(settleWait, "out of the way", func(p pet) bool { return !p.Window.Visible })
	y.change(table("window.pause_fullscreen", false))
	y.wait(settleWait, "over a full-screen window", func(p pet) bool { return p.Window.Visible })
	y.change(nil)
	y.wait(settleWait, "out of the way again", func(p pet) bool { return !p.Window.Visible })
	term.Fullscreen(false)
	y.wait(settleWait, "back", func(p pet) bool { return p.Window.Visible })

	y.change(table("window.all_workspaces", false))
	y.holds("window.all_workspaces", false)
	y.desk.SwitchWorkspace(1)
	y.wait(settleWait, "left behind", func(p pet) bool { return !p.Window.Visible })
	y.change(nil)
	y.wait(settleWait, "on every workspace", func(p pet) bool { return p.Window.Visible })
	y.desk.SwitchWorkspace(0)
	y.onFloor(0)
}

func testSettingsTools(t *testing.T, y *tuned) {
	has := func(name string) func() bool {
		return func() bool { return strings.Contains(y.must("tools"), fmt.Sprintf(`"name":%q`, name)) }
	}
	away := func(name string) func() bool { return func() bool { return !has(name)() } }
	y.change(map[string]any{"search": map[string]any{"searxng": "http://127.0.0.1:9"}, "mcp": map[string]any{"first": map[string]any{"command": []any{"true"}}},
		"tools": map[string]any{"command": map[string]any{"add": map[string]any{"description": "adds", "argv": []any{"echo"}}}}})
	y.replace(".env", settings.KeyDiscord+"=https://discord.com/api/webhooks/1/x\n")
	for _, name := range []string{"web_search", "add", "discord_share"} {
		desktoptest.WaitFor(t, settleWait, name, has(name))
	}
	y.waitState(settleWait, "the server's switch", func(s state) bool { _, there := s.Switches["mcp_first"]; return there })
	y.change(nil)
	y.replace(".env", "")
	for _, name := range []string{"web_search", "add", "discord_share"} {
		desktoptest.WaitFor(t, settleWait, name+" away", away(name))
	}
	y.waitState(settleWait, "no such switch", func(s state) bool { _, there := s.Switches["mcp_first"]; return !there })
}

func testSettingsPlugins(t *testing.T, y *tuned) {
	dated := func(want bool) func() bool {
		return func() bool {
			y.must("say", "hello")
			return y.server.last().holds("date: ") == want
		}
	}
	desktoptest.WaitFor(t, settleWait, "the date", dated(true))
	y.change(table("plugins.clock.enabled", false))
	desktoptest.WaitFor(t, settleWait, "no date", dated(false))
	file := filepath.Join(y.home, "me.ics")
	start := time.Now().Add(2 * time.Hour).UTC().Format("20060102T150405Z")
	if err := os.WriteFile(file, []byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\nDTSTART:"+start+"\nEND:VEVENT\nEND:VCALENDAR\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	y.change(table("plugins.calendar.file", file))
	desktoptest.WaitFor(t, settleWait, "the calendar", func() bool {
		y.must("say", "hello")
		return y.server.last().holds("Dentist")
	})
	y.change(nil)
	desktoptest.WaitFor(t, settleWait, "no calendar", func() bool {
		y.must("say", "hello")
		r := y.server.last()
		return !strings.Contains(r.Messages[len(r.Messages)-1].text(), "Dentist")
	})
}
