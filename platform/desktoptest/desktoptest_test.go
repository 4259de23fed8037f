//go:build !windows && !darwin

package desktoptest

import (
	"image/color"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestDesktopHasWhatWasAsked(t *testing.T) {
	for _, wm := range []string{"openbox", "xfwm4", "metacity"} {
		t.Run(wm, func(t *testing.T) {
			d := Start(t, Options{WM: wm, Compositor: true, Wallpaper: "#336699"})
			if !d.managed() || !d.composited() {
				t.Fatalf("managed %v, composited %v", d.managed(), d.composited())
			}
			w := d.XTerm(t, "first", 200, 150, 60, 10)
			if w.Title != "first" || w.PID() == 0 {
				t.Errorf("title %q, pid %d", w.Title, w.PID())
			}
			if f := w.Frame(); f.X != 200 || f.Y != 150 {
				t.Errorf("frame at %v, want 200,150", f)
			}
			if err := w.MoveTo(321, 234); err != nil {
				t.Error(err)
			}
			if at := d.WindowAt(330, 240); at == 0 {
				t.Error("nothing under the moved frame")
			}
			picture := d.Picture(t, "desktop-"+wm)
			if got := picture.RGBAAt(900, 700); got != (color.RGBA{0x33, 0x66, 0x99, 0xff}) {
				t.Errorf("wallpaper is %v", got)
			}
			w.Close()
			WaitFor(t, 5*time.Second, "the xterm to go", func() bool { return w.Client() == Rect{} })
		})
	}
}

func TestPointerAndKeys(t *testing.T) {
	d := Start(t, Options{})
	w, err := d.OpenProgram("XTerm", "xterm", "-geometry", "60x10+50+60", "-e", "sh", "-c", "read line; echo \"$line\" > typed; exec sleep 100")
	if err != nil {
		t.Fatal(err)
	}
	f := w.Frame()
	d.Drag(f.X+60, f.Y+8, f.X+260, f.Y+108, 10) // by its title bar
	WaitFor(t, 5*time.Second, "the dragged window", func() bool { return w.Frame().X == f.X+200 && w.Frame().Y == f.Y+100 })
	c := w.Client()
	d.Click(c.X+20, c.Y+20, 1)
	d.Type("Hello, yui\n")
	WaitFor(t, 5*time.Second, "the typed text", func() bool {
		text, err := os.ReadFile(d.Dir + "/home/typed")
		return err == nil && string(text) == "Hello, yui\n"
	})
	if x, y := d.Pointer(); x != c.X+20 || y != c.Y+20 {
		t.Errorf("pointer at %d,%d", x, y)
	}
}

func TestTwoMonitors(t *testing.T) {
	d := Start(t, Options{Monitors: 2, Width: 1024, Height: 768})
	if r := d.RootRect(); r != (Rect{0, 0, 2048, 768}) {
		t.Errorf("root is %v", r)
	}
	out, err := d.Run("xrandr", "--listactivemonitors")
	if err != nil || !strings.Contains(out, "Monitors: 2") {
		t.Errorf("%v: %s", err, out)
	}
	if err := d.DarkenMonitor("DUMMY1"); err != nil {
		t.Error(err)
	}
}

func TestPartsRestart(t *testing.T) {
	d := Start(t, Options{Compositor: true, Tray: TrayWatcher})
	d.KillCompositor()
	WaitFor(t, 5*time.Second, "no compositor", func() bool { return !d.composited() })
	d.KillWM()
	d.KillTray()
	if err := d.StartCompositor(t.Context()); err != nil {
		t.Error(err)
	}
	if err := d.StartWM(t.Context()); err != nil {
		t.Error(err)
	}
	if err := d.StartTray(t.Context()); err != nil {
		t.Error(err)
	}
	address := d.BusAddr
	d.KillBus()
	if err := d.StartBus(t.Context()); err != nil || d.BusAddr != address {
		t.Errorf("bus %s, was %s: %v", d.BusAddr, address, err)
	}
}

func TestCloseEndsEveryProcess(t *testing.T) {
	d := Start(t, Options{Compositor: true, Tray: TrayPanel})
	d.XTerm(t, "x", 0, 0, 20, 5)
	var pids []int
	for _, p := range d.parts {
		pids = append(pids, p.cmd.Process.Pid)
	}
	for _, p := range d.apps {
		pids = append(pids, p.cmd.Process.Pid)
	}
	if len(pids) != 6 {
		t.Errorf("%d processes", len(pids))
	}
	d.Picture(t, "panel")
	d.Close()
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); err == nil {
			t.Errorf("process %d lives", pid)
		}
	}
	if _, err := os.Stat(d.Dir); err == nil {
		t.Errorf("folder %s is left", d.Dir)
	}
}

func TestMissingProgramsAreNamed(t *testing.T) {
	t.Setenv("PATH", "/nonexistent")
	_, err := Launch(t.Context(), Options{Compositor: true})
	if err == nil || !strings.Contains(err.Error(), "Xvfb (package xvfb)") || !strings.Contains(err.Error(), "picom (package picom)") {
		t.Errorf("%v", err)
	}
}
