//go:build !windows && !darwin

package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"yui/avatar/vrm/vrmtest"
	"yui/platform/desktoptest"
)

// modelFile writes one of the bundled models, or as much of it as asked for, as a file of the person's.
func modelFile(t *testing.T, id, as string, part int) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "assets", "characters", id+".vrm"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(as), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(as, data[:len(data)/part], 0o600); err != nil {
		t.Fatal(err)
	}
	return as
}

// testModelFiles takes models in by each way that there is, changes one under a running pet, and takes in what is broken.
func testModelFiles(t *testing.T, y *instance) {
	y.expected = append(y.expected, regexp.MustCompile("told the person"))
	dir := t.TempDir()
	bubble := func(s state) string { return s.Presets[0].Talk.Bubble }
	told := func(what string, words ...string) {
		t.Helper()
		y.waitState(settleWait, what, func(s state) bool {
			for _, w := range words {
				if !strings.Contains(bubble(s), w) {
					return false
				}
			}
			return true
		})
	}

	id := y.must("import", modelFile(t, "sora", filepath.Join(dir, "some file.vrm"), 1), "--name", "Kira")
	if p := y.presets()[id]; id != "kira" || p.Name != "Kira" || p.Model != "model.vrm" {
		t.Errorf("imported %q: %+v", id, p)
	}
	if r := y.run("import", modelFile(t, "sora", filepath.Join(dir, "half.vrm"), 2)); r.code != 1 || !strings.Contains(r.err, `"half.vrm"`) || !strings.Contains(r.err, "cut off") {
		t.Errorf("half a file: %+v", r)
	}

	y.must("open", id)
	kira := func(s state) pet { return s.Presets[len(s.Presets)-1] }
	was := kira(y.waitState(settleWait, "her", func(s state) bool {
		return len(s.Presets) == 2 && kira(s).Frames > 0 && kira(s).Posture.State == "standing"
	}))
	own := filepath.Join(y.home, "presets", id, "model.vrm")
	modelFile(t, "sora", own, 3)
	told("the reason", "Kira", `"model.vrm"`, "cut off")
	if s := y.state(); len(s.Presets) != 2 || kira(s).Window.Width != was.Window.Width {
		t.Errorf("the old model is gone: %+v", kira(s))
	}
	modelFile(t, "momo", own, 1) // of another width: another window
	y.waitState(settleWait, "the new model", func(s state) bool { return kira(s).Window.Width != was.Window.Width })
	y.must("close", id)
	y.must("delete", id)
	if _, err := os.Stat(own); !os.IsNotExist(err) {
		t.Errorf("after delete: %v", err)
	}

	has := func(id string) func() bool { return func() bool { _, has := y.presets()[id]; return has } }
	loose := modelFile(t, "momo", filepath.Join(dir, "Nero.vrm"), 1)
	if err := os.Rename(loose, filepath.Join(y.home, "presets", "Nero.vrm")); err != nil { // as a download that ends
		t.Fatal(err)
	}
	desktoptest.WaitFor(t, settleWait, "a model in the presets folder", has("momo-2")) // by the name in the file
	modelFile(t, "sora", filepath.Join(y.home, "presets", "alone", "what.vrm"), 1)
	desktoptest.WaitFor(t, settleWait, "a folder with a model alone", has("alone"))
	if p := y.presets()["alone"]; p.Model != "what.vrm" || p.Name != "alone" {
		t.Errorf("%+v", p)
	}
	for _, id := range []string{"momo-2", "alone"} {
		y.must("open", id)
		y.must("delete", id)
	}
	bad := modelFile(t, "momo", filepath.Join(y.home, "presets", "bad.vrm"), 4)
	told("the reason", `"bad.vrm"`, "cut off")
	if err := os.Remove(bad); err != nil { // it stayed where it was
		t.Error(err)
	}
}

// testSlowModel gives a pet a model whose frames cost too much: she keeps the one that she has, and is not opened with it.
func testSlowModel(t *testing.T, y *instance) {
	dir := filepath.Join(y.home, "presets", "heavy")
	own := modelFile(t, "momo", filepath.Join(dir, "model.vrm"), 1)
	fill := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fill(filepath.Join(dir, "preset.toml"), "name = \"Heavy\"\nmodel = \"model.vrm\"\nheight = 520\n")
	desktoptest.WaitFor(t, settleWait, "her preset", func() bool { return y.presets()["heavy"].Name == "Heavy" })
	y.must("open", "heavy")
	heavy := func(s state) pet { return s.Presets[len(s.Presets)-1] }
	was := heavy(y.waitState(settleWait, "her", func(s state) bool { return len(s.Presets) == 2 && heavy(s).Frames > 0 }))

	fill(own, string(vrmtest.Sheets(240)))
	s := y.waitState(commandWait, "the reason", func(s state) bool { return strings.Contains(heavy(s).Talk.Bubble, "The model of Heavy is taken off") })
	if now := heavy(s); now.ID != "heavy" || now.Window.Width != was.Window.Width {
		t.Errorf("what she wears is not what she wore: %+v", now)
	}
	y.waitState(settleWait, "further frames", func(s state) bool { return heavy(s).Frames > was.Frames })

	y.must("close", "heavy")
	if r := y.run("open", "heavy"); r.code != 1 || !strings.Contains(r.err, "The model of Heavy is taken off") {
		t.Errorf("open: %+v", r)
	}
	if s := y.state(); len(s.Presets) != 1 {
		t.Errorf("%d pets are open", len(s.Presets))
	}
	y.must("delete", "heavy")
}

// testModelDrop drags model files to the pet, as a file manager does.
func testModelDrop(t *testing.T, y *instance) {
	file := modelFile(t, "sora", filepath.Join(t.TempDir(), "a b ü.vrm"), 1)
	drop := func(file string) {
		t.Helper()
		p := y.pet()
		if err := y.desk.DropFiles(int(p.Seat.X), int(p.Seat.Y)-20, file); err != nil {
			t.Fatal(err)
		}
	}
	drop(file)
	s := y.waitState(settleWait, "the dropped one", func(s state) bool { return len(s.Presets) == 2 && s.Presets[1].Frames > 0 })
	y.waitState(settleWait, "who made her", func(s state) bool { return strings.Contains(s.Presets[1].Talk.Bubble, "YUI") })
	y.must("delete", s.Presets[1].ID)
	drop(modelFile(t, "sora", filepath.Join(t.TempDir(), "half.vrm"), 2))
	y.waitState(settleWait, "the reason", func(s state) bool { return strings.Contains(s.Presets[0].Talk.Bubble, `"half.vrm": file is cut off`) })
	if err := y.desk.DropFiles(3, 3, file); err == nil {
		t.Error("the desktop took the file")
	}
}
