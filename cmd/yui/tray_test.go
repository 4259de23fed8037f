//go:build !windows && !darwin

package main_test

import (
	"strings"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// TestTray drives the icon's menu as a tray host does, and takes host and bus away.
func TestTray(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Tray: desktoptest.TrayWatcher, Wallpaper: "#40607a"})
	y := launch(t, desk)
	client, err := desk.TrayClient()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	icon := &trayIcon{client: client}
	for _, test := range []struct {
		name string
		run  func(*testing.T, *instance, *trayIcon)
	}{
		{"registers", testTrayRegisters}, {"hide and show", testTrayHide}, {"presets", testTrayPresets}, {"switches", testTraySwitches}, {"language", testTrayLanguage},
		{"reset position", testTrayReset}, {"host restarts", testTrayHostRestarts},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, y.as(t), icon) })
	}
	t.Run("quits", func(t *testing.T) {
		icon.click(t, "Quit")
		if code := y.awaitEnd(quitWait); code != 0 {
			t.Errorf("Quit in the tray ended with %d", code)
		}
	})
	t.Run("starts before the host", func(t *testing.T) { testTrayLate(t, desk, icon) })
	t.Run("bus dies", func(t *testing.T) { testBusDies(t, desk) })
	t.Run("no bus", func(t *testing.T) { testNoBus(t, desk) })
}

// trayIcon is what the host knows. Whatever it fails at fails the test given.
type trayIcon struct{ client *desktoptest.TrayClient }

func (i *trayIcon) item(t *testing.T) desktoptest.TrayItem {
	t.Helper()
	item, err := i.client.WaitItem(settleWait)
	if err != nil {
		t.Fatal(err)
	}
	return item
}

func (i *trayIcon) menu(t *testing.T) desktoptest.MenuNode {
	t.Helper()
	m, err := i.item(t).Menu()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (i *trayIcon) click(t *testing.T, labels ...string) {
	t.Helper()
	i.waitEntry(t, func(desktoptest.MenuNode) bool { return true }, labels...)
	if err := i.item(t).Click(labels...); err != nil {
		t.Fatal(err)
	}
}

func (i *trayIcon) waitEntry(t *testing.T, done func(desktoptest.MenuNode) bool, labels ...string) {
	t.Helper()
	var last desktoptest.MenuNode
	end := time.Now().Add(settleWait)
	for {
		last = i.menu(t)
		if entry, ok := last.Find(labels...); ok && done(entry) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("tray entry %q is not there or not as wanted: %+v", labels, last)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (y *instance) waitTray(registered bool) {
	y.t.Helper()
	s := y.waitState(settleWait, "the tray", func(s state) bool { return s.Tray.Registered == registered })
	if (s.Tray.Error == "") != registered {
		y.t.Errorf("tray: %+v", s.Tray)
	}
}

func testTrayRegisters(t *testing.T, y *instance, icon *trayIcon) {
	y.waitTray(true)
	item := icon.item(t)
	for name, want := range map[string]string{"Title": "YUI", "Status": "Active"} {
		if v, err := item.Property(name); err != nil || v != want {
			t.Errorf("icon's %s: %v, %v", name, v, err)
		}
	}
	m := icon.menu(t)
	for _, label := range []string{"Hide Yui", "Presets", "Relations", "Relations…", "Browser", "Screen look", "Camera", "Speaks first", "Reset position", "Settings…", "Quit"} {
		if e, ok := m.Find(label); !ok || !e.Enabled {
			t.Errorf("the menu has no %s: %+v", label, m)
		}
	}
}

func testTrayHide(t *testing.T, y *instance, icon *trayIcon) {
	icon.click(t, "Hide Yui")
	y.wait(settleWait, "hidden", func(p pet) bool { return !p.Window.Visible })
	time.Sleep(300 * time.Millisecond)
	before := y.pet()
	time.Sleep(2500 * time.Millisecond)
	after := y.pet()
	if after.Frames != before.Frames || after.FPS != 0 {
		t.Errorf("%d frames were drawn while hidden, fps %d", after.Frames-before.Frames, after.FPS)
	}
	if n := coloured(t, y.desk, desktoptest.Rect{X: after.Window.X, Y: after.Window.Y, W: after.Window.Width, H: after.Window.Height}, wallpaper); n > 0 {
		t.Errorf("%d pixels of her are seen while she is hidden", n)
	}
	icon.click(t, "Show Yui")
	y.wait(settleWait, "shown", func(p pet) bool { return p.Window.Visible && p.Frames > after.Frames+3 })
	icon.waitEntry(t, func(desktoptest.MenuNode) bool { return true }, "Hide Yui")

	// A second start shows what was hidden.
	icon.click(t, "Hide Yui")
	y.wait(settleWait, "hidden", func(p pet) bool { return !p.Window.Visible })
	if r := y.run(); r.code != 0 {
		t.Errorf("second start: %+v", r)
	}
	y.wait(settleWait, "shown by a second start", func(p pet) bool { return p.Window.Visible })
	icon.waitEntry(t, func(desktoptest.MenuNode) bool { return true }, "Hide Yui")
}

func testTrayPresets(t *testing.T, y *instance, icon *trayIcon) {
	entry := []string{"Presets", "Yui · neutral"}
	icon.waitEntry(t, func(e desktoptest.MenuNode) bool { return e.Checkbox && e.Checked }, entry...)
	icon.click(t, entry...)
	y.waitState(settleWait, "no pet", func(s state) bool { return len(s.Presets) == 0 })
	icon.waitEntry(t, func(e desktoptest.MenuNode) bool { return !e.Checked }, entry...)
	icon.click(t, entry...)
	y.wait(settleWait, "the pet back", func(p pet) bool { return p.Window.Visible })
	icon.waitEntry(t, func(e desktoptest.MenuNode) bool { return e.Checked }, entry...)
}

// testTrayLanguage changes the language of a running YUI: the menu and what she says follow at once, the tools that her
// conversation declares do not.
func testTrayLanguage(t *testing.T, y *instance, icon *trayIcon) {
	is := func(desktoptest.MenuNode) bool { return true }
	declared := y.must("tools")
	y.must("set", "language", `"ja"`)
	for _, labels := range [][]string{{"Yui を隠す"}, {"プリセット"}, {"キャラクター…"}, {"ブラウザ"}, {"自分から話す"}, {"YUI を終了"}} {
		icon.waitEntry(t, is, labels...)
	}
	if got := y.must("tools"); got != declared || strings.Contains(got, "カメラ") {
		t.Error("the declared tools have changed inside a conversation")
	}
	y.must("set", "chat.base_url", `"http://127.0.0.1:1/v1"`)
	if r := y.run("say", "Hello"); r.code != 1 || !strings.Contains(r.err, "127.0.0.1:1 から応答がありません") {
		t.Errorf("%+v", r)
	}
	y.told("127.0.0.1:1 から応答がありません")
	y.must("set", "chat.base_url", `""`)
	y.quit()
	y.start()
	if got := y.must("tools"); !strings.Contains(got, "カメラ") {
		t.Error("a later start declares its tools in the old language")
	}
	icon.waitEntry(t, is, "YUI を終了")
	y.must("set", "language", `"en"`)
	icon.waitEntry(t, is, "Quit")
}

func testTraySwitches(t *testing.T, y *instance, icon *trayIcon) {
	rows := []struct{ label, id, key string }{
		{"Relations", "relations", "yui.relations"}, {"Browser", "browser", "yui.browser"}, {"Screen look", "screen", "yui.look_screen"}, {"Camera", "camera", "yui.camera"},
	}
	shown := func(want bool) func(desktoptest.MenuNode) bool {
		return func(e desktoptest.MenuNode) bool { return e.Checkbox && e.Checked == want }
	}
	want := map[string]bool{}
	for _, row := range rows {
		first := y.state().Switches[row.id]
		icon.waitEntry(t, shown(first), row.label)
		icon.click(t, row.label)
		y.waitState(settleWait, row.label+" toggled", func(s state) bool { return s.Switches[row.id] == !first })
		icon.waitEntry(t, shown(!first), row.label)
		y.must("set", row.key, map[bool]string{true: "true", false: "false"}[first])
		icon.waitEntry(t, shown(first), row.label)
		icon.click(t, row.label)
		y.waitState(settleWait, row.label+" toggled", func(s state) bool { return s.Switches[row.id] == !first })
		want[row.id] = !first
	}
	icon.waitEntry(t, shown(true), "Presets", "Yui") // no band while relations are off

	y.quit()
	y.start()
	s := y.state()
	for _, row := range rows {
		if s.Switches[row.id] != want[row.id] {
			t.Errorf("%s is %v after a restart", row.id, s.Switches[row.id])
		}
		icon.waitEntry(t, shown(want[row.id]), row.label)
		y.must("set", row.key, map[bool]string{true: "true", false: "false"}[!want[row.id]])
	}
}

func testTrayReset(t *testing.T, y *instance, icon *trayIcon) {
	y.wantAct(`{"action":"move_to","spot":"bottom-left"}`, "ok")
	before := y.onFloor(0)
	icon.click(t, "Reset position")
	y.wait(settleWait, "the first place", func(p pet) bool { return p.Feet.X > before.Feet.X+400 && p.Window.Visible })
	y.onFloor(0)
}

func testTrayHostRestarts(t *testing.T, y *instance, icon *trayIcon) {
	for range 2 {
		y.desk.KillTray()
		y.waitTray(false)
		if err := y.desk.StartTray(t.Context()); err != nil {
			t.Fatal(err)
		}
		y.waitTray(true)
		on := y.state().Switches["browser"]
		icon.click(t, "Browser")
		y.waitState(settleWait, "the switch", func(s state) bool { return s.Switches["browser"] == !on })
	}
}

func testTrayLate(t *testing.T, desk *desktoptest.Desktop, icon *trayIcon) {
	desk.KillTray()
	y := launch(t, desk)
	y.waitTray(false)
	if err := desk.StartTray(t.Context()); err != nil {
		t.Fatal(err)
	}
	y.waitTray(true)
	icon.click(t, "Browser")
	y.waitState(settleWait, "the switch", func(s state) bool { return s.Switches["browser"] })
}

func testBusDies(t *testing.T, desk *desktoptest.Desktop) {
	y := launch(t, desk)
	y.waitTray(true)
	desk.KillBus()
	y.waitTray(false)
	if y.must("say", "hello") == "" {
		t.Error("no reply without a bus")
	}
	y.quit()
}

func testNoBus(t *testing.T, desk *desktoptest.Desktop) {
	for _, env := range [][]string{nil, {"DBUS_SESSION_BUS_ADDRESS=", "XDG_RUNTIME_DIR="}} { // a dead address; none
		y := launch(t, desk, env...)
		y.waitTray(false)
		if y.must("say", "hello") == "" {
			t.Error("no reply without a bus")
		}
		y.quit()
	}
}
