//go:build !windows && !darwin

package platform

import (
	"context"
	"fmt"
	"image/color"
	"strings"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

func TestPanelsAndWorkArea(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{Monitors: 2, Width: 1024, Height: 768})
	if err := d.LightMonitor("DUMMY1", "1024x768", 1024, 100); err != nil {
		t.Fatal(err)
	}
	desk := open(t, d)
	s := until(t, desk, "two monitors", func(s *Snapshot) bool { return len(s.Monitors) == 2 })
	if !s.Monitors[0].Primary || s.Monitors[0].Rect != (Rect{0, 0, 1024, 768}) || s.Monitors[1].Rect != (Rect{1024, 100, 1024, 768}) {
		t.Error(describe(s))
	}
	strut := func(side int, width, start, end uint32) []uint32 {
		v := make([]uint32, 12)
		v[side], v[4+2*side], v[5+2*side] = width, start, end
		return v
	}
	const dock = "_NET_WM_WINDOW_TYPE_DOCK"
	// The root is 868 high: a bar of 30 at the foot of the first monitor reserves 130.
	d.Window(t, desktoptest.Spec{Type: dock, X: 0, Y: 738, W: 1024, H: 30, Strut: strut(3, 130, 0, 1023)})
	d.Window(t, desktoptest.Spec{Type: dock, X: 1024, Y: 100, W: 1024, H: 40, Strut: strut(2, 140, 1024, 2047)})
	left := d.Window(t, desktoptest.Spec{Type: dock, X: 1024, Y: 140, W: 50, H: 728, Strut: strut(0, 1074, 140, 867)}) // inner edge
	until(t, desk, "work areas", func(s *Snapshot) bool {
		return s.Monitors[0].WorkArea == Rect{0, 0, 1024, 738} && s.Monitors[1].WorkArea == Rect{1074, 140, 974, 728}
	})
	left.Close()
	until(t, desk, "the wider work area", func(s *Snapshot) bool { return s.Monitors[1].WorkArea == Rect{1024, 140, 1024, 728} })
	if err := d.DarkenMonitor("DUMMY1"); err != nil {
		t.Fatal(err)
	}
	until(t, desk, "one monitor", func(s *Snapshot) bool { return len(s.Monitors) == 1 })
	if _, err := d.Run("xrandr", "--output", "DUMMY0", "--off", "--output", "DUMMY1", "--mode", "1024x768", "--primary"); err != nil {
		t.Fatal(err)
	}
	until(t, desk, "the other monitor", func(s *Snapshot) bool { return len(s.Monitors) == 1 && s.Monitors[0].Name == "DUMMY1" })
}

func TestPrimaryComesFirst(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{Monitors: 2, Width: 800, Height: 600})
	desk := open(t, d)
	if _, err := d.Run("xrandr", "--output", "DUMMY1", "--primary"); err != nil {
		t.Fatal(err)
	}
	s := until(t, desk, "the primary first", func(s *Snapshot) bool {
		return len(s.Monitors) == 2 && s.Monitors[0].Name == "DUMMY1" && s.Monitors[0].Primary
	})
	if s.Monitors[0].Rect.X != 800 || s.Monitors[1].Rect.X != 0 {
		t.Error(describe(s))
	}
}

func TestScaleFollowsTheResources(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	if s := desk.Snapshot(); s.Monitors[0].Scale != 1 {
		t.Errorf("scale %v", s.Monitors[0].Scale)
	}
	if _, err := d.Run("sh", "-c", "echo 'Xft.dpi: 144' | xrdb -merge"); err != nil {
		t.Skip("xrdb:", err)
	}
	until(t, desk, "the scale", func(s *Snapshot) bool { return s.Monitors[0].Scale == 1.5 })
}

func TestCompositorComesAndGoes(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{Compositor: true})
	desk := open(t, d)
	if !desk.Snapshot().Compositor {
		t.Error("no compositor seen at the start")
	}
	d.KillCompositor()
	until(t, desk, "no compositor", func(s *Snapshot) bool { return !s.Compositor })
	if err := d.StartCompositor(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(t, desk, "the compositor again", func(s *Snapshot) bool { return s.Compositor })
}

func TestWindowManagerIsReplaced(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	w := d.XTerm(t, "stays", 200, 200, 40, 10)
	until(t, desk, "the window", func(s *Snapshot) bool { return titled(s, "stays") != nil })
	d.KillWM()
	until(t, desk, "no window manager, the bare window", func(s *Snapshot) bool {
		w1 := titled(s, "stays")
		return s.WindowManager == "" && w1 != nil && w1.Frame.X == w.Client().X && w1.Frame.Y == w.Client().Y
	})
	if err := d.StartWM(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(t, desk, "the window manager with a frame", func(s *Snapshot) bool {
		w1 := titled(s, "stays")
		return s.WindowManager == "Openbox" && w1 != nil && w1.Frame == frameOf(w) && w1.Frame.H > w.Client().H
	})
	if err := w.MoveTo(321, 123); err != nil {
		t.Fatal(err)
	}
	until(t, desk, "the moved window", func(s *Snapshot) bool { return titled(s, "stays").Frame == frameOf(w) })
}

// Two hundred windows open, move and close as fast as they can: the watcher stays, ends with the truth, and never
// mistakes a window that died in the middle of a request.
func TestStorm(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	steady := d.XTerm(t, "steady", 500, 300, 40, 10)
	var last *desktoptest.Window
	for i := range 200 {
		w, err := d.OpenWindow(desktoptest.Spec{Title: fmt.Sprint("storm ", i), X: 10 + i%50*8, Y: 40 + i%40*8, W: 100, H: 60})
		if err != nil {
			t.Fatal(err)
		}
		w.Nudge(200, 200)
		if last != nil {
			last.Close()
		}
		last = w
	}
	last.Close()
	s := until(t, desk, "the steady window alone", func(s *Snapshot) bool { return len(s.Windows) == 1 && s.Windows[0].Title == "steady" })
	if s.Windows[0].Frame != frameOf(steady) {
		t.Error(describe(s))
	}
	if desk.Err() != nil {
		t.Error(desk.Err())
	}
}

func TestServerGone(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	d.KillX()
	select {
	case <-desk.Done():
	case <-time.After(limit):
		t.Fatal("nothing told")
	}
	if desk.Err() == nil {
		t.Error("no error")
	}
	if _, _, err := desk.Pointer(); err == nil {
		t.Error("a pointer without a server")
	}
	if _, err := desk.Capture(t.Context(), 0); err == nil {
		t.Error("a picture without a server")
	}
	if desk.Snapshot() == nil {
		t.Error("no snapshot")
	}
}

func TestCloseIsNoError(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	desk.Close()
	desk.Close()
	<-desk.Done()
	if desk.Err() != nil {
		t.Error(desk.Err())
	}
}

func TestNoDisplay(t *testing.T) {
	for _, display := range []string{"", ":987", "nonsense"} {
		t.Setenv("DISPLAY", display)
		if _, err := Open(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "open desktop") {
			t.Errorf("%q: %v", display, err)
		}
	}
}

func TestPointerIdleAndCapture(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{Monitors: 2, Width: 800, Height: 600, Wallpaper: "#204060"})
	desk := open(t, d)
	d.MovePointer(123, 234)
	if x, y, err := desk.Pointer(); x != 123 || y != 234 || err != nil {
		t.Errorf("pointer %d,%d: %v", x, y, err)
	}
	before, err := desk.Idle()
	if err != nil || before > 5*time.Second {
		t.Errorf("idle %v: %v", before, err)
	}
	desktoptest.WaitFor(t, limit, "idle time to grow", func() bool { now, err := desk.Idle(); return err == nil && now > before })

	d.Window(t, desktoptest.Spec{Title: "red", NoDecor: true, Colour: 0xff2010, X: 900, Y: 100, W: 200, H: 100})
	picture, err := desk.Capture(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 800 || size.Y != 600 {
		t.Errorf("size %v", size)
	}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA) }
	if at(150, 150) != (color.RGBA{0xff, 0x20, 0x10, 0xff}) || at(700, 500) != (color.RGBA{0x20, 0x40, 0x60, 0xff}) {
		t.Errorf("colours %v and %v", at(150, 150), at(700, 500))
	}
	if _, err := desk.Capture(t.Context(), 2); err == nil || !strings.Contains(err.Error(), "there are 2") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := desk.Capture(ctx, 0); err == nil {
		t.Error("a picture after the end")
	}
}

// A Wayland session gives a black picture over X: that is to be told, not to be sent.
func TestBlackPictureUnderWayland(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{WM: "none"})
	if _, err := d.Run("xsetroot", "-solid", "black"); err != nil {
		t.Skip("xsetroot:", err)
	}
	desk := open(t, d)
	if _, err := desk.Capture(t.Context(), 0); err != nil {
		t.Errorf("black on X11: %v", err)
	}
	t.Setenv("XDG_SESSION_TYPE", "wayland")
	if _, err := desk.Capture(t.Context(), 0); err == nil || !strings.Contains(err.Error(), "Wayland") {
		t.Errorf("%v", err)
	}
}

func TestWatchersAllHear(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	ctx, cancel := context.WithCancel(t.Context())
	one, two := desk.Watch(ctx), desk.Watch(ctx)
	d.Window(t, desktoptest.Spec{Title: "new", X: 50, Y: 50})
	for _, c := range []<-chan struct{}{one, two, desk.Changed()} {
		select {
		case <-c:
		case <-time.After(limit):
			t.Fatal("a watcher heard nothing")
		}
	}
	cancel()
}
