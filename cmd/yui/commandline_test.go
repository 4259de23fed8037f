//go:build !windows && !darwin

package main_test

import (
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

func TestCommandLine(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Tray: desktoptest.TrayWatcher, Wallpaper: "#40607a"})
	t.Run("not running", func(t *testing.T) { testNotRunning(t, desk) })
	y := launch(t, desk)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *instance)
	}{
		{"state", testState}, {"bad usage", testBadUsage}, {"presets", testPresets}, {"settings", testSettings}, {"tools", testTools},
		{"relations", testRelations}, {"snapshot", testSnapshot}, {"close and open", testCloseOpen}, {"second start", testSecondStart},
		{"say", testSay},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.run(t, y.as(t))
		})
	}
}

func testNotRunning(t *testing.T, desk *desktoptest.Desktop) {
	y := prepare(t, desk)
	for _, args := range [][]string{
		{"state"}, {"say", "hello"}, {"call", "look", "{}"}, {"snapshot", "x.png"}, {"open", "yui"}, {"close", "yui"}, {"presets"},
		{"get", "yui.browser"}, {"set", "yui.browser", "true"}, {"relations"}, {"tools"}, {"quit"},
	} {
		if r := y.run(args...); r.code != 3 || r.out != "" || !strings.Contains(r.err, "not running") {
			t.Errorf("yui %q: exit %d, stdout %q, stderr %q; want exit 3 and why", args, r.code, r.out, r.err)
		}
	}
}

func testState(t *testing.T, y *instance) {
	text := y.must("state")
	strict[state](t, text)
	var whole map[string]any
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		t.Fatal(err)
	}
	// Every key of docs/rules/desktop.md#command-line with an example of its type.
	const want = `{"version":"","presets":[{"id":"","name":"","open":true,"main":true,
		"window":{"x":0,"y":0,"width":0,"height":0,"monitor":0,"visible":true},"feet":{"x":0,"y":0},"seat":{"x":0,"y":0},
		"posture":{"state":""},"moving":false,"emotion":"","motion":"","fps":30,
		"talk":{"bubble":"","input_open":false,"status":""},"turn":{"running":false,"outcome":""},
		"relations":{"user":{"value":0,"band":""}}}],
		"switches":{"screen":false,"browser":false,"relations":true,"camera":false},
		"backend":{"api":"","base_url":"","model":"","ready":true,"error":""},"tray":{"registered":true,"error":""},
		"desktop":{"system":"","window_manager":"","compositor":true,
		"monitors":[{"x":0,"y":0,"width":0,"height":0,"work_area":{"x":0,"y":0,"width":0,"height":0},"scale":1}]},
		"effects":{"running":0,"frames":0}}`
	var shape map[string]any
	if err := json.Unmarshal([]byte(want), &shape); err != nil {
		t.Fatal(err)
	}
	compareShape(t, "state", shape, whole)

	s := y.waitState(settleWait, "the tray", func(s state) bool { return s.Tray.Registered })
	p, m := s.Presets[0], s.Desktop.Monitors[0]
	for what, ok := range map[string]bool{
		"one pet, the main one, open":    len(s.Presets) == 1 && p.ID == "yui" && p.Name == "Yui" && p.Main && p.Open,
		"visible on monitor 0":           p.Window.Visible && p.Window.Monitor == 0,
		"a window with a size":           p.Window.Width > 50 && p.Window.Height > 100,
		"standing on the floor":          p.Posture.State == "standing" && near(p.Feet.Y, m.WorkArea.bottom(), 2),
		"not perched":                    p.Posture.PerchedOn == nil,
		"feet inside her window":         p.Feet.X > float64(p.Window.X) && p.Feet.X < float64(p.Window.X+p.Window.Width),
		"seat above feet":                p.Seat.Y < p.Feet.Y-10 && near(p.Seat.X, p.Feet.X, 40),
		"a neutral face":                 p.Emotion == "neutral",
		"frames drawn":                   p.Frames > 0 && p.FPS > 0,
		"the screen's size":              m.Width == 1280 && m.Height == 800 && m.Scale == 1,
		"x11, Openbox and a compositor":  s.Desktop.System == "x11" && s.Desktop.WindowManager == "Openbox" && s.Desktop.Compositor,
		"the companion, ready":           s.Backend.API == "companion" && s.Backend.Ready && s.Backend.Error == "",
		"no error of the tray":           s.Tray.Error == "",
		"switches as shipped":            !s.Switches["screen"] && !s.Switches["browser"] && s.Switches["relations"] && !s.Switches["camera"],
		"neutral toward the person":      p.Relations["user"].Band == "neutral" && p.Relations["user"].Value == 0,
		"no turn yet, no bubble, closed": !p.Turn.Running && p.Turn.Outcome == "ok" && p.Talk.Bubble == "" && !p.Talk.InputOpen,
	} {
		if !ok {
			t.Errorf("not so: %s; state %s", what, text)
		}
	}
}

// compareShape wants each key of want in got with a value of the same JSON type.
func compareShape(t *testing.T, path string, want, got any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s is %v, want an object", path, got)
			return
		}
		for key, value := range w {
			if v, has := g[key]; !has {
				t.Errorf("%s.%s is missing", path, key)
			} else {
				compareShape(t, path+"."+key, value, v)
			}
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) == 0 {
			t.Errorf("%s is %v, want a list", path, got)
			return
		}
		compareShape(t, path+"[0]", w[0], g[0])
	default:
		if fmt.Sprintf("%T", want) != fmt.Sprintf("%T", got) {
			t.Errorf("%s is a %T, want a %T", path, got, want)
		}
	}
}

func testBadUsage(t *testing.T, y *instance) {
	for _, args := range [][]string{
		{"fly"}, {"say"}, {"say", "a", "b"}, {"call"}, {"call", "look"}, {"call", "look", "{}", "look"}, {"get"}, {"set", "yui.browser"},
		{"set", "yui.browser", "yes please"}, {"snapshot"}, {"open"}, {"close"}, {"companion"}, {"--nonsense"}, {"state", "--nonsense"},
	} {
		if r := y.run(args...); r.code != 2 || r.err == "" {
			t.Errorf("yui %q: exit %d, stdout %q, stderr %q; want exit 2 and why", args, r.code, r.out, r.err)
		}
	}
	if r := y.run("--help"); r.code != 0 || !strings.Contains(r.out, "snapshot") {
		t.Errorf("yui --help: exit %d, %q", r.code, r.out)
	}
	if r := y.run("--version"); r.code != 0 || r.out != "yui "+y.state().Version {
		t.Errorf("yui --version: exit %d, %q", r.code, r.out)
	}
}

type presetRow struct {
	ID, Name   string
	Open, Main bool
	Model      string
}

func testPresets(t *testing.T, y *instance) {
	rows := strict[[]presetRow](t, y.must("presets"))
	if len(rows) == 0 || rows[0].ID != "yui" || rows[0].Name != "Yui" || !rows[0].Open || !rows[0].Main || rows[0].Model == "" {
		t.Errorf("presets: %+v", rows)
	}
	for _, args := range [][]string{{"open", "nobody"}, {"close", "nobody"}, {"tools", "-p", "nobody"}, {"say", "-p", "nobody", "hi"},
		{"relations", "-p", "nobody"}, {"snapshot", "-p", "nobody", filepath.Join(t.TempDir(), "x.png")}, {"call", "-p", "nobody", "look", "{}"}} {
		if r := y.run(args...); r.code != 1 || !strings.Contains(r.err, "nobody") {
			t.Errorf("yui %q: exit %d, %q, %q; want 1 and the name", args, r.code, r.out, r.err)
		}
	}
	if a, b := y.must("tools", "-p", "Yui"), y.must("tools"); a != b {
		t.Error("a preset's name does not mean the same as leaving it out")
	}
}

func testSettings(t *testing.T, y *instance) {
	if got := y.must("get", "yui.look_screen"); got != `{"enabled":false}` {
		t.Errorf("look_screen at first: %s", got)
	}
	for _, value := range []string{`{"enabled":true}`, `false`, `true`} {
		y.must("set", "yui.look_screen", value)
		on := value != "false"
		if got := y.must("get", "yui.look_screen"); got != fmt.Sprintf(`{"enabled":%v}`, on) || y.state().Switches["screen"] != on {
			t.Errorf("look_screen after %s: %s, state %v", value, got, y.state().Switches)
		}
	}
	y.must("set", "yui.look_screen", "false")
	for _, args := range [][]string{
		{"get", "yui.nonsense"}, {"set", "yui.nonsense", "true"}, {"set", "yui.look_screen", `"yes"`}, {"set", "yui.look_screen", `[]`},
		{"set", "yui.look_screen", `{"enabled":"yes"}`}, {"set", "yui.look_screen", `null`}, {"set", "yui.express_motions", `{}`},
		{"set", "yui.presence", `"soon"`},
	} {
		if r := y.run(args...); r.code != 1 || !strings.Contains(r.err, args[1]) || r.out != "" {
			t.Errorf("yui %q: exit %d, %q, %q; want 1 and the key", args, r.code, r.out, r.err)
		}
	}
	if got := y.must("get", "yui.look_screen"); got != `{"enabled":false}` {
		t.Errorf("a refused value was stored: %s", got)
	}
}

type toolRow struct {
	Type     string
	Function struct {
		Name, Description string
		Parameters        struct {
			Type                 string
			Properties           map[string]map[string]any
			Required             []string
			AdditionalProperties *bool `json:"additionalProperties"`
		}
	}
}

func testTools(t *testing.T, y *instance) {
	rows := strict[[]toolRow](t, y.must("tools"))
	byName := map[string]toolRow{}
	for i, r := range rows {
		byName[r.Function.Name] = r
		f := r.Function
		if r.Type != "function" || f.Description == "" || f.Parameters.Type != "object" {
			t.Errorf("tool %d: %+v", i, r)
		}
	}
	if rows[0].Function.Name != "generate_express" {
		t.Errorf("the first tool is %s", rows[0].Function.Name)
	}
	express := byName["generate_express"].Function.Parameters
	if express.AdditionalProperties == nil || *express.AdditionalProperties || len(express.Required) > 0 || len(express.Properties) != 4 {
		t.Errorf("generate_express: %+v", express)
	}
	if !hasAll(express.Properties["emotion_id"]["enum"], "happy", "sad", "neutral") || !hasAll(express.Properties["motion_id"]["enum"], "dance", "laugh") {
		t.Errorf("enums of generate_express: %v, %v", express.Properties["emotion_id"], express.Properties["motion_id"])
	}
	body := byName["body_action"].Function.Parameters
	if !hasAll(body.Properties["action"]["enum"], "sit_on_window", "peek", "move_to", "stand", "go_to_bed") ||
		!hasAll(body.Properties["side"]["enum"], "left", "right") ||
		!hasAll(body.Properties["spot"]["enum"], "center", "top-left", "top-right", "bottom-left", "bottom-right") ||
		body.Properties["monitor"] == nil || body.Properties["app"] == nil {
		t.Errorf("body_action: %+v", body)
	}
	if look := byName["look"].Function.Parameters; !hasAll(look.Properties["at"]["enum"], "body", "perch_targets", "screen") || look.Properties["monitor"] == nil {
		t.Errorf("look: %+v", look)
	}

	before := y.must("tools")
	y.must("set", "yui.look_screen", "true")
	if y.must("tools") != before {
		t.Error("a switch changed what is declared")
	}
	y.must("set", "yui.look_screen", "false")

	y.must("set", "yui.express_motions", `["dance"]`)
	after := strict[[]toolRow](t, y.must("tools"))[0].Function.Parameters.Properties["motion_id"]["enum"]
	if hasAll(after, "dance") || !hasAll(after, "laugh") {
		t.Error("a deselected motion is still offered")
	}
	// "A cue that names a deselected motion still renders: the selection limits what the model is offered." (docs/rules/tools.md#vocabulary)
	y.must("call", "generate_express", `{"motion_id":"dance"}`)
	y.wait(settleWait, "the dance", func(p pet) bool { return p.Motion == "dance" })
	y.must("set", "yui.express_motions", `[]`)

	y.must("set", "yui.idle_motions", `["lively_hop","idle_stretch"]`) // reaches the open pets
	if got := y.must("get", "yui.idle_motions"); got != `["lively_hop","idle_stretch"]` || y.state().Presets[0].Motion == "" {
		t.Errorf("idle motions %s, she plays %q", got, y.state().Presets[0].Motion)
	}
	y.must("set", "yui.idle_motions", `[]`)
}

func hasAll(list any, want ...string) bool {
	have := map[string]bool{}
	values, _ := list.([]any)
	for _, v := range values {
		s, _ := v.(string)
		have[s] = true
	}
	for _, w := range want {
		if !have[w] {
			return false
		}
	}
	return true
}

func testRelations(t *testing.T, y *instance) {
	type relations struct {
		Preset  string
		Targets []struct {
			ID, Name string
			Value    int
			Band     string
		}
		Log *[]struct {
			TS, Target   string
			Delta, Value int
			Why, Source  string
		}
	}
	r := strict[relations](t, y.must("relations"))
	if r.Preset != "yui" || len(r.Targets) == 0 || r.Targets[0].ID != "user" || r.Targets[0].Band != "neutral" || r.Log != nil {
		t.Errorf("relations: %+v", r)
	}
	if text := y.must("relations", "--log"); !strings.Contains(text, `"log":[]`) {
		t.Errorf("relations --log without any change: %s", text)
	}
}

func testSnapshot(t *testing.T, y *instance) {
	file := filepath.Join(t.TempDir(), "yui.png")
	y.must("snapshot", file)
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	b := picture.Bounds()
	if w := y.pet().Window; b.Dx() != w.Width || b.Dy() != w.Height {
		t.Errorf("the picture is %v, her window %v", b, w.rect)
	}
	solid, empty := 0, 0
	for x := b.Min.X; x < b.Max.X; x++ {
		for y := b.Min.Y; y < b.Max.Y; y++ {
			switch color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA).A {
			case 255:
				solid++
			case 0:
				empty++
			}
		}
	}
	all := b.Dx() * b.Dy()
	if solid < all/20 || empty < all/4 || solid+empty < all*9/10 {
		t.Errorf("of %d pixels %d are solid and %d empty", all, solid, empty)
	}
	for _, c := range [][2]int{{b.Min.X, b.Min.Y}, {b.Max.X - 1, b.Min.Y}, {b.Min.X, b.Max.Y - 1}, {b.Max.X - 1, b.Max.Y - 1}} {
		if _, _, _, a := picture.At(c[0], c[1]).RGBA(); a != 0 {
			t.Errorf("the corner %v has alpha %d", c, a>>8)
		}
	}
	if r := y.run("snapshot", "/nonexistent/folder/yui.png"); r.code != 1 || r.err == "" {
		t.Errorf("snapshot into nowhere: %+v", r)
	}
}

func testCloseOpen(t *testing.T, y *instance) {
	y.must("close", "yui")
	s := y.state()
	rows := strict[[]presetRow](t, y.must("presets"))
	if len(s.Presets) != 0 || rows[0].Open || rows[0].Main {
		t.Errorf("after close: state %+v, presets %+v", s.Presets, rows)
	}
	for _, args := range [][]string{{"say", "hello"}, {"call", "look", `{"at":"body"}`}, {"tools"}, {"close", "yui"}} {
		if r := y.run(args...); r.code != 1 || r.err == "" {
			t.Errorf("with no pet open, yui %q: %+v", args, r)
		}
	}
	y.must("open", "yui")
	y.must("open", "yui") // is open already
	if s := y.state(); len(s.Presets) != 1 || !s.Presets[0].Main {
		t.Errorf("after open: %+v", s.Presets)
	}
	y.onFloor(0)
}

func testSecondStart(t *testing.T, y *instance) {
	began := time.Now()
	if r := y.run(); r.code != 0 || r.out != "" || r.err != "" {
		t.Errorf("second start: %+v", r)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("second start took %s", took)
	}
	if !y.alive() || len(y.state().Presets) != 1 {
		t.Error("the first instance did not stay as it was")
	}
}

func testSay(t *testing.T, y *instance) {
	reply := y.must("say", "hello")
	if strings.TrimSpace(reply) == "" {
		t.Fatal("no reply")
	}
	// The first bubble waits for the fonts.
	p := y.wait(settleWait, "the reply in the bubble", func(p pet) bool { return p.Talk.Bubble == reply })
	if p.Turn.Running || p.Turn.Outcome != "ok" {
		t.Errorf("turn: %+v", p.Turn)
	}
}
