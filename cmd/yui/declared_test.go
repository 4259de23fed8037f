//go:build !windows && !darwin

package main_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"yui/platform/desktoptest"
)

// testCatalog compares what the running program declares, with everything configured, with the rows of docs/tools.md: a
// tool without a row fails here, wherever it was added, and a row without its tool
// (docs/rules/tools.md#declaring). And no switch changes a byte of what any pet declares.
func testCatalog(t *testing.T, y *instance) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := strict[[]toolRow](t, y.must("tools"))
	for _, r := range rows {
		if !strings.Contains(string(page), "\n| `"+r.Function.Name+"` | ") {
			t.Errorf("docs/tools.md has no row for %s", r.Function.Name)
		}
	}
	table, _, _ := strings.Cut(string(page), "\n## ")
	for _, m := range regexp.MustCompile("\n\\| `([a-z_]+)` \\|").FindAllStringSubmatch(table, -1) {
		if !slices.ContainsFunc(rows, func(r toolRow) bool { return r.Function.Name == m[1] }) {
			t.Errorf("docs/tools.md has a row for %s, which is not declared where everything is configured", m[1])
		}
	}
	y.must("open", "momo")
	defer y.must("close", "momo")
	both := func() string { return y.must("tools") + y.must("tools", "-p", "momo") }
	before := both()
	for _, key := range []string{"yui.look_screen", "yui.browser", "yui.camera", "yui.relations"} {
		was := y.must("get", key)
		y.must("set", key, map[bool]string{true: "false", false: "true"}[strings.Contains(was, "true")])
		if y.must("get", key) == was || both() != before {
			t.Errorf("%s changed what is declared, or did not change", key)
		}
		y.must("set", key, was)
	}
}

// testCall: a line for each result, whatever comes before it; the cue of any tool that ends as generate_express; and Ctrl-C
// ends the turn, not its answer.
func testCall(t *testing.T, y *instance, programs string) {
	if r := y.run("call", "nope", `{}`, "look", `{"at":"body"}`); r.code != 1 || !strings.HasPrefix(r.out, "error: unknown tool\n{") {
		t.Errorf("%+v", r)
	}
	y.run("call", "mcp_x_generate_express", `{"emotion_id":"sad"}`)
	y.wait(settleWait, "the face", func(p pet) bool { return p.Emotion == "sad" })

	y.must("set", "yui.camera", "true")
	defer y.must("set", "yui.camera", "false")
	opened := filepath.Join(programs, "open")
	for _, left := range []string{opened, filepath.Join(programs, "go")} { // by the camera's own test
		os.Remove(left)
	}
	defer os.Remove(opened)
	var out bytes.Buffer
	cmd := exec.Command(y.bin, "call", "see_camera", `{}`, "look", `{"at":"body"}`)
	cmd.Env, cmd.Stdout = y.environ(), &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	desktoptest.WaitFor(t, settleWait, "the camera", func() bool { _, err := os.Stat(opened); return err == nil })
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 || out.String() != "error: turn stopped\nerror: turn stopped\n" {
		t.Errorf("%v, %q", err, out.String())
	}
	y.waitState(settleWait, "the mark to go", func(s state) bool { return s.Effects.Running == 0 })
}

// testVoiceTags: tags that the config gains reach the schema with the next turn, and go with it.
func testVoiceTags(t *testing.T, y *instance) {
	file := filepath.Join(y.home, "config.toml")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tags := func() any {
		return strict[[]toolRow](t, y.must("tools"))[0].Function.Parameters.Properties["emotion_text"]["enum"]
	}
	if got := tags(); got != nil {
		t.Errorf("%v", got)
	}
	y.config(string(before) + "\n[voice]\ntags = {\"soft\" = \"a whisper\"}\n")
	desktoptest.WaitFor(t, settleWait, "the tags", func() bool { return hasAll(tags(), "soft") })
	y.config(string(before))
	desktoptest.WaitFor(t, settleWait, "the tags to go", func() bool { return tags() == nil })
}

// testCovered: nothing is claimed of an effect that a full-screen window covers.
func testCovered(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "film", 200, 200, 50, 10)
	defer shut(term)
	term.Fullscreen(true)
	y.wait(settleWait, "out of the way", func(p pet) bool { return !p.Window.Visible })
	frames := y.state().Effects.Frames
	if got := y.must("call", "show_effect", `{"effect":"hearts"}`); got != "error: not visible: a full-screen window covers the screen" {
		t.Errorf("%q", got)
	}
	if s := y.state(); s.Effects.Frames != frames {
		t.Error("it was drawn all the same")
	}
	term.Fullscreen(false)
	y.wait(settleWait, "back", func(p pet) bool { return p.Window.Visible })
	if got := y.must("call", "show_effect", `{"effect":"hearts"}`); got != "hearts are in the air" {
		t.Errorf("%q", got)
	}
	y.waitState(settleWait, "the hearts to be over", func(s state) bool { return s.Effects.Running == 0 })
}
