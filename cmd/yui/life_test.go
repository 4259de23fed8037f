//go:build !windows && !darwin

package main_test

import (
	"os"
	"syscall"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// TestDesktopLife lives through what desktops do: panels, full screen, workspaces, a window manager that dies.
func TestDesktopLife(t *testing.T) {
	t.Parallel() // much of it is waiting
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Tray: desktoptest.TrayPanel, Wallpaper: "#40607a"})
	y := launch(t, desk)
	desk.MovePointer(5, 5)
	y.waitTray(true)
	desk.Picture(t, "panel")
	for _, test := range []struct {
		name string
		run  func(*testing.T, *instance)
	}{
		{"stands on the panel", testOnPanel}, {"full screen", testFullscreen}, {"workspaces", testWorkspaces}, {"talk near the top", testTalkAtTop},
		{"window manager dies", testWMDies},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, y.as(t)) })
	}
	t.Run("terminated", func(t *testing.T) {
		if err := y.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if code := y.awaitEnd(quitWait); code != 0 {
			t.Errorf("SIGTERM ended it with %d", code)
		}
		if _, err := os.Stat(y.home + "/yui.sock"); !os.IsNotExist(err) {
			t.Errorf("the socket is left: %v", err)
		}
		y.as(t).inspect()
	})
	t.Run("display dies", func(t *testing.T) {
		y := launch(t, desk)
		desk.KillX()
		if code := y.awaitEnd(quitWait); code != 1 {
			t.Errorf("the end of the display ended it with %d, want 1", code)
		}
	})
}

func testOnPanel(t *testing.T, y *instance) {
	m := y.state().Desktop.Monitors[0]
	if m.WorkArea.Height >= m.Height {
		t.Fatalf("the panel takes no room: %+v", m)
	}
	p := y.onFloor(0)
	if p.Feet.Y > float64(m.Height-10) {
		t.Errorf("she stands at %v on a work area %+v", p.Feet, m.WorkArea)
	}
	y.wantAct(`{"action":"go_to_bed"}`, "ok")
	y.wait(settleWait, "asleep", func(p pet) bool { return p.Motion == "bed_sleep" })
	y.desk.Picture(t, "bed-on-panel")
	y.wantAct(`{"action":"stand"}`, "ok")
	y.onFloor(0)
}

func testFullscreen(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "notes", 200, 200, 50, 10)
	defer shut(term)
	term.Fullscreen(true)
	p := y.wait(settleWait, "out of the way of a full-screen window", func(p pet) bool { return !p.Window.Visible })
	time.Sleep(300 * time.Millisecond)
	frames := y.pet().Frames
	time.Sleep(time.Second)
	if now := y.pet().Frames; now != frames {
		t.Errorf("%d frames behind a full-screen window; before it %d", now-frames, p.Frames)
	}
	term.Fullscreen(false)
	y.wait(settleWait, "back", func(p pet) bool { return p.Window.Visible && p.Frames > frames })
}

func testWorkspaces(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "notes", 200, 400, 50, 10)
	defer shut(term)
	time.Sleep(300 * time.Millisecond)
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "ok")
	y.sits(term)
	y.desk.SwitchWorkspace(1)
	p := y.onFloor(0) // her host is not here any more
	box := desktoptest.Rect{X: p.Window.X, Y: p.Window.Y, W: p.Window.Width, H: p.Window.Height}
	desktoptest.WaitFor(t, settleWait, "her on the other workspace", func() bool { return coloured(t, y.desk, box, wallpaper) > 5000 })
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "not_found")
	y.desk.SwitchWorkspace(0)
	time.Sleep(500 * time.Millisecond)
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "ok")
	y.sits(term)
	term.SendTo(1)
	y.onFloor(0)
}

// testTalkAtTop wants the bubble on the screen where there is no room above her.
func testTalkAtTop(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "notes", 400, 260, 60, 10)
	defer shut(term)
	time.Sleep(300 * time.Millisecond)
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "ok")
	p := y.sits(term)
	before := y.screen()
	y.must("say", "tell me a story")
	time.Sleep(600 * time.Millisecond)
	y.desk.Picture(t, "talk-at-top")
	x, at := belly(p)
	if n := y.changedBeside(before, x, at); n < 4000 {
		t.Errorf("only %d pixels beside her show a bubble", n)
	}
	y.wantAct(`{"action":"stand"}`, "ok")
	y.onFloor(0)
}

func testWMDies(t *testing.T, y *instance) {
	y.desk.KillWM()
	y.waitState(settleWait, "no window manager", func(s state) bool { return s.Desktop.WindowManager == "" })
	if y.must("say", "hello") == "" {
		t.Error("no reply")
	}
	y.wait(settleWait, "her still there", func(p pet) bool { return p.Window.Visible && p.Posture.State == "standing" })
	if err := y.desk.StartWM(t.Context()); err != nil {
		t.Fatal(err)
	}
	y.waitState(settleWait, "the window manager", func(s state) bool { return s.Desktop.WindowManager == "Openbox" })
	y.onFloor(0)
	term := y.desk.XTerm(t, "notes", 200, 420, 50, 10)
	defer shut(term)
	time.Sleep(300 * time.Millisecond)
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "ok")
	y.sits(term)
	shut(term)
	y.onFloor(0)
}
