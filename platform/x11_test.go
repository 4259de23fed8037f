//go:build !windows && !darwin

package platform

import (
	"context"
	"fmt"
	"image/color"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

const limit = 10 * time.Second

func open(t testing.TB, d *desktoptest.Desktop) *Desktop {
	t.Helper()
	d.Setenv(t)
	desk, err := Open(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(desk.Close)
	return desk
}

// until waits by Changed, not by asking again: what it never tells, the test never sees.
func until(t testing.TB, desk *Desktop, what string, ok func(*Snapshot) bool) *Snapshot {
	t.Helper()
	timeout := time.After(limit)
	for {
		if s := desk.Snapshot(); ok(s) {
			return s
		}
		select {
		case <-desk.Changed():
		case <-desk.Done():
			t.Fatalf("desktop ended while waiting for %s: %v", what, desk.Err())
		case <-timeout:
			t.Fatalf("%s: not within %s; the snapshot is %s", what, limit, describe(desk.Snapshot()))
		}
	}
}

func describe(s *Snapshot) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#%d wm %q compositor %v workspace %d", s.Serial, s.WindowManager, s.Compositor, s.Workspace)
	for _, w := range s.Windows {
		fmt.Fprintf(&b, "\n  %q %q %v active %v", w.App, w.Title, w.Frame, w.Active)
	}
	for _, m := range s.Monitors {
		fmt.Fprintf(&b, "\n  monitor %+v", m)
	}
	return b.String()
}

func titled(s *Snapshot, title string) *Window {
	for i := range s.Windows {
		if s.Windows[i].Title == title {
			return &s.Windows[i]
		}
	}
	return nil
}

func frameOf(w *desktoptest.Window) Rect { return Rect(w.Frame()) }

func TestWindowsUnderEachWindowManager(t *testing.T) {
	for _, wm := range []string{"openbox", "xfwm4", "metacity"} {
		t.Run(wm, func(t *testing.T) {
			d := desktoptest.Start(t, desktoptest.Options{WM: wm})
			desk := open(t, d)
			if s := desk.Snapshot(); !strings.EqualFold(s.WindowManager, wm) || len(s.Windows) != 0 {
				t.Errorf("at the start: %s", describe(s))
			}
			back := d.XTerm(t, "back", 100, 120, 40, 10)
			front := d.XTerm(t, "front", 160, 200, 40, 10)
			front.Raise()
			s := until(t, desk, "both windows, front first", func(s *Snapshot) bool {
				return len(s.Windows) == 2 && s.Windows[0].Title == "front" && s.Windows[0].Active
			})
			w := s.Windows[0]
			if w.App != "XTerm" || w.PID != front.PID() || !slices.Equal(w.Names, []string{"XTerm", "xterm"}) ||
				w.ID != WindowID(front.ID) || w.Workspace != 0 || w.Minimised || w.Fullscreen {
				t.Errorf("the front window is %+v", w)
			}
			if s.Active == nil || s.Active.Title != "front" || time.Since(s.ActiveSince) > time.Minute {
				t.Errorf("active %+v since %v", s.Active, s.ActiveSince)
			}
			until(t, desk, "the frames as they are", func(s *Snapshot) bool {
				return s.Windows[0].Frame == frameOf(front) && s.Windows[1].Frame == frameOf(back)
			})

			t.Run("raise", func(t *testing.T) {
				back.Raise()
				until(t, desk, "back in front", func(s *Snapshot) bool {
					return len(s.Windows) == 2 && s.Windows[0].Title == "back" && s.Windows[0].Active && !s.Windows[1].Active
				})
			})
			t.Run("move", func(t *testing.T) {
				for i := range 20 {
					back.Nudge(100+i*7, 120+i*3)
				}
				if err := back.MoveTo(500, 300); err != nil {
					t.Fatal(err)
				}
				want := frameOf(back)
				if want.X != 500 || want.Y != 300 {
					t.Fatalf("moved to %v", want)
				}
				until(t, desk, "the moved frame", func(s *Snapshot) bool { return titled(s, "back").Frame == want })
			})
			t.Run("resize", func(t *testing.T) {
				if err := back.Resize(500, 300); err != nil {
					t.Fatal(err)
				}
				until(t, desk, "the larger frame", func(s *Snapshot) bool {
					w := titled(s, "back")
					return w.Frame == frameOf(back) && w.Frame.W >= 480
				})
			})
			t.Run("maximise", func(t *testing.T) {
				back.Maximise(true)
				until(t, desk, "the largest frame", func(s *Snapshot) bool {
					w := titled(s, "back")
					return w.Frame == frameOf(back) && w.Frame.W >= 1260
				})
				back.Maximise(false)
				until(t, desk, "the former frame", func(s *Snapshot) bool {
					w := titled(s, "back")
					return w.Frame == frameOf(back) && w.Frame.W < 600
				})
			})
			t.Run("fullscreen", func(t *testing.T) {
				back.Fullscreen(true)
				s := until(t, desk, "full screen", func(s *Snapshot) bool {
					w := titled(s, "back")
					return w != nil && w.Fullscreen && w.Frame == Rect{0, 0, 1280, 800} && s.Monitors[0].Fullscreen
				})
				if s.Windows[0].Title != "back" {
					t.Errorf("not in front: %s", describe(s))
				}
				back.Fullscreen(false)
				until(t, desk, "no full screen", func(s *Snapshot) bool {
					w := titled(s, "back")
					if w == nil {
						t.Errorf("the window went away meanwhile: %s", describe(s))
						return true
					}
					return !w.Fullscreen && !s.Monitors[0].Fullscreen && w.Frame == frameOf(back)
				})
			})
			t.Run("minimise", func(t *testing.T) {
				back.Minimise()
				until(t, desk, "the window to go", func(s *Snapshot) bool { return titled(s, "back") == nil && len(s.Windows) == 1 })
				back.Restore()
				until(t, desk, "the window again", func(s *Snapshot) bool { w := titled(s, "back"); return w != nil && w.Frame == frameOf(back) })
			})
			t.Run("title", func(t *testing.T) {
				back.SetTitle("日本 — ノート")
				until(t, desk, "the new title", func(s *Snapshot) bool { return titled(s, "日本 — ノート") != nil })
			})
			t.Run("close", func(t *testing.T) {
				back.Close()
				until(t, desk, "one window less", func(s *Snapshot) bool {
					return len(s.Windows) == 1 && s.Active != nil && s.Active.Title == "front"
				})
			})
		})
	}
}

func TestWorkspaces(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	w := d.XTerm(t, "here", 100, 100, 40, 10)
	all := uint32(0xffffffff)
	d.Window(t, desktoptest.Spec{Title: "everywhere", X: 600, Y: 100, Workspace: &all})
	until(t, desk, "both", func(s *Snapshot) bool { return len(s.Windows) == 2 && titled(s, "everywhere").Workspace == -1 })
	d.SwitchWorkspace(1)
	until(t, desk, "the sticky one alone", func(s *Snapshot) bool {
		return s.Workspace == 1 && len(s.Windows) == 1 && s.Windows[0].Title == "everywhere"
	})
	w.SendTo(1)
	until(t, desk, "the window on the other workspace", func(s *Snapshot) bool {
		return titled(s, "here") != nil && titled(s, "here").Workspace == 1
	})
}

func TestWhatIsLeftOut(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	for _, kind := range []string{"DESKTOP", "DOCK", "SPLASH", "NOTIFICATION", "TOOLTIP", "MENU"} {
		d.Window(t, desktoptest.Spec{Title: kind, Type: "_NET_WM_WINDOW_TYPE_" + kind, X: 10, Y: 10})
	}
	d.Window(t, desktoptest.Spec{Title: "mine", PID: os.Getpid(), X: 300, Y: 100})
	d.Window(t, desktoptest.Spec{Title: "raw", Override: true, X: 300, Y: 400})
	d.Window(t, desktoptest.Spec{Title: "other", PID: 1, X: 600, Y: 100})
	extra := d.Window(t, desktoptest.Spec{Title: "extra", X: 600, Y: 400})
	s := until(t, desk, "the two foreign windows", func(s *Snapshot) bool { return len(s.Windows) == 2 })
	if titled(s, "other") == nil || titled(s, "extra") == nil {
		t.Error(describe(s))
	}
	desk.Exclude(WindowID(extra.ID))
	until(t, desk, "the excluded one to go", func(s *Snapshot) bool { return len(s.Windows) == 1 && titled(s, "other") != nil })
}

// A window names its types in the order of its preference; the first may be one that a single desktop knows.
func TestFirstKnownTypeCounts(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	const kde, net = "_KDE_NET_WM_WINDOW_TYPE_", "_NET_WM_WINDOW_TYPE_"
	d.Window(t, desktoptest.Spec{Title: "osd", Type: kde + "ON_SCREEN_DISPLAY " + net + "NOTIFICATION", X: 10, Y: 10})
	d.Window(t, desktoptest.Spec{Title: "bar", Type: kde + "OVERRIDE _PRIVATE " + net + "DOCK " + net + "NORMAL", X: 10, Y: 300})
	d.Window(t, desktoptest.Spec{Title: "normal", Type: kde + "OVERRIDE " + net + "NORMAL " + net + "DOCK", X: 400, Y: 10})
	d.Window(t, desktoptest.Spec{Title: "dialog", Type: net + "DIALOG " + net + "SPLASH", X: 400, Y: 100})
	d.Window(t, desktoptest.Spec{Title: "private", Type: kde + "ON_SCREEN_DISPLAY", X: 400, Y: 300})
	s := until(t, desk, "three windows", func(s *Snapshot) bool {
		return len(s.Windows) == 3 && titled(s, "private") != nil
	})
	if titled(s, "normal") == nil || titled(s, "dialog") == nil {
		t.Error(describe(s))
	}
}

// TestWorkspaceOfEachMonitor does what a manager with a workspace on each monitor does: two are shown, one has the
// focus, a third is unmapped.
func TestWorkspaceOfEachMonitor(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{WM: "none", Monitors: 2, Width: 800, Height: 600})
	a, b, hidden := uint32(0), uint32(1), uint32(2)
	first := d.Window(t, desktoptest.Spec{Title: "first", X: 10, Y: 10, Workspace: &a})
	second := d.Window(t, desktoptest.Spec{Title: "second", X: 800, Y: 0, W: 800, H: 600, Workspace: &b})
	third := d.Window(t, desktoptest.Spec{Title: "third", X: 300, Y: 10, Workspace: &hidden})
	check := d.Window(t, desktoptest.Spec{Title: "manager", Override: true, W: 1, H: 1})
	run := func(args ...string) {
		t.Helper()
		if _, err := d.Run(args...); err != nil {
			t.Fatal(err)
		}
	}
	set := func(target, name, kind, value string) {
		t.Helper()
		run(append([]string{"xprop"}, append(strings.Fields(target), "-f", name, kind, "-set", name, value)...)...)
	}
	id := func(w *desktoptest.Window) string { return fmt.Sprint("0x", strconv.FormatUint(uint64(w.ID), 16)) }
	show := func(workspace int) { set("-root", "_NET_CURRENT_DESKTOP", "32c", strconv.Itoa(workspace)) }
	set("-root", "_NET_CLIENT_LIST", "32x", fmt.Sprintf("%d,%d,%d", first.ID, second.ID, third.ID))
	show(1)
	set("-id "+id(check), "_NET_SUPPORTING_WM_CHECK", "32x", id(check))
	set("-root", "_NET_SUPPORTING_WM_CHECK", "32x", id(check))
	desk := open(t, d)
	// As long as nothing hidden was seen unmapped a manager may only cover it.
	until(t, desk, "the present workspace alone", func(s *Snapshot) bool { return len(s.Windows) == 1 && titled(s, "second") != nil })
	run("xdotool", "windowunmap", id(third))
	both := func(s *Snapshot) bool {
		return len(s.Windows) == 2 && titled(s, "first") != nil && titled(s, "second") != nil
	}
	until(t, desk, "both monitors' windows", both)
	set("-id "+id(second), "_NET_WM_STATE", "32a", "_NET_WM_STATE_FULLSCREEN")
	until(t, desk, "full screen on the second", func(s *Snapshot) bool { return s.Monitors[1].Fullscreen })
	show(0)
	s := until(t, desk, "the focus on the first", func(s *Snapshot) bool { return s.Workspace == 0 })
	if !both(s) || !s.Monitors[1].Fullscreen || s.Monitors[0].Fullscreen {
		t.Error(describe(s))
	}
}

// A manager that says where its workspaces are is believed before anything was hidden; one that puts all in one place is
// not.
func TestWorkspacesOfDifferentPlaces(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{WM: "none", Monitors: 2, Width: 800, Height: 600})
	a, b := uint32(0), uint32(1)
	first := d.Window(t, desktoptest.Spec{Title: "first", X: 10, Y: 10, Workspace: &a})
	second := d.Window(t, desktoptest.Spec{Title: "second", X: 900, Y: 10, Workspace: &b})
	set := func(name, kind, value string) {
		t.Helper()
		if _, err := d.Run("xprop", "-root", "-f", name, kind, "-set", name, value); err != nil {
			t.Fatal(err)
		}
	}
	set("_NET_CLIENT_LIST", "32x", fmt.Sprintf("%d,%d", first.ID, second.ID))
	set("_NET_CURRENT_DESKTOP", "32c", "1")
	set("_NET_DESKTOP_VIEWPORT", "32c", "0,0,0,0")
	desk := open(t, d)
	until(t, desk, "the present workspace alone", func(s *Snapshot) bool { return len(s.Windows) == 1 && titled(s, "second") != nil })
	set("_NET_DESKTOP_VIEWPORT", "32c", "0,0,800,0")
	until(t, desk, "both monitors' windows", func(s *Snapshot) bool { return len(s.Windows) == 2 })
	set("_NET_CURRENT_DESKTOP", "32c", "0")
	if s := until(t, desk, "the focus on the first", func(s *Snapshot) bool { return s.Workspace == 0 }); len(s.Windows) != 2 {
		t.Error(describe(s))
	}
}

// Games and players fill a monitor without saying that they are full screen.
func TestBorderlessFullScreen(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{Width: 1024, Height: 768})
	desk := open(t, d)
	strut := make([]uint32, 12)
	strut[3], strut[11] = 30, 1023
	whole := desktoptest.Spec{Title: "game", W: 1024, H: 768, NoDecor: true}
	full := func(s *Snapshot) bool { return s.Monitors[0].Fullscreen }
	active := func(title string) func(s *Snapshot) bool {
		return func(s *Snapshot) bool { return s.Active != nil && s.Active.Title == title && s.Active.Active }
	}
	game := d.Window(t, whole)
	game.Raise()
	if s := until(t, desk, "the game in front", active("game")); full(s) {
		t.Errorf("without a panel: %s", describe(s))
	}
	bar := d.Window(t, desktoptest.Spec{Type: "_NET_WM_WINDOW_TYPE_DOCK", Y: 738, W: 1024, H: 30, Strut: strut})
	until(t, desk, "full screen", full)
	other := d.Window(t, desktoptest.Spec{Title: "other", X: 100, Y: 100})
	other.Raise()
	until(t, desk, "another in front", func(s *Snapshot) bool { return active("other")(s) && !full(s) })
	mine := d.Window(t, desktoptest.Spec{Title: "talk", PID: os.Getpid(), X: 600, Y: 100})
	game.Raise()
	until(t, desk, "full screen again", full)
	mine.Raise()
	s := until(t, desk, "ours with the focus", func(s *Snapshot) bool { return s.Active != nil && !s.Active.Active })
	if !full(s) || !s.Active.Fullscreen {
		t.Errorf("with our own window in front: %s", describe(s))
	}
	game.Close()
	bigger := whole
	bigger.Title, bigger.H = "almost", 760
	almost := d.Window(t, bigger)
	almost.Raise()
	if s := until(t, desk, "the smaller one in front", active("almost")); full(s) {
		t.Error(describe(s))
	}
	almost.Close()
	framed := d.Window(t, desktoptest.Spec{Title: "framed", X: 100, Y: 100})
	framed.Maximise(true)
	framed.Raise()
	if s := until(t, desk, "a maximised one in front", active("framed")); full(s) {
		t.Error(describe(s))
	}
	d.Window(t, desktoptest.Spec{Title: "wall", Type: "_NET_WM_WINDOW_TYPE_DESKTOP", W: 1024, H: 768, NoDecor: true}).Raise()
	until(t, desk, "the desktop itself", func(s *Snapshot) bool { return titled(s, "wall") == nil && !full(s) })
	bar.Close()
}

// Our own window takes the focus while the person talks to the pet: the program in front stays.
func TestActiveStaysWhileOursHasTheFocus(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	term := d.XTerm(t, "work", 100, 100, 40, 10)
	term.Raise()
	s := until(t, desk, "the terminal in front", func(s *Snapshot) bool { return s.Active != nil && s.Active.Active })
	since := s.ActiveSince
	mine := d.Window(t, desktoptest.Spec{Title: "talk", PID: os.Getpid(), X: 600, Y: 100})
	mine.Raise()
	s = until(t, desk, "ours with the focus", func(s *Snapshot) bool { return s.Active != nil && !s.Active.Active })
	if s.Active.Title != "work" || !s.ActiveSince.Equal(since) {
		t.Errorf("active %+v since %v, before %v", s.Active, s.ActiveSince, since)
	}
	mine.Close()
	term.Raise()
	s = until(t, desk, "the terminal again", func(s *Snapshot) bool { return s.Active != nil && s.Active.Active })
	if !s.ActiveSince.Equal(since) {
		t.Errorf("since %v, before %v", s.ActiveSince, since)
	}
	other := d.Window(t, desktoptest.Spec{Title: "other", Class: "Other", X: 300, Y: 300})
	other.Raise()
	s = until(t, desk, "another program", func(s *Snapshot) bool { return s.Active != nil && s.Active.App == "Other" })
	if !s.ActiveSince.After(since) {
		t.Errorf("since %v, before %v", s.ActiveSince, since)
	}
}

func TestNamesAndCategories(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	dir := d.Dir + "/data/applications"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	entry := "[Desktop Entry]\nType=Application\nName=T\nExec=env A=b /usr/bin/xterm -x\nCategories=System;TerminalEmulator;\n"
	if err := os.WriteFile(dir+"/term.desktop", []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_DATA_DIRS", "/nonexistent")
	desk := open(t, d)
	d.XTerm(t, "term", 100, 100, 40, 10)
	d.Window(t, desktoptest.Spec{Title: "instance", Instance: "only-instance", X: 500, Y: 100})
	d.Window(t, desktoptest.Spec{Title: "process", PID: os.Getppid(), X: 500, Y: 400})
	s := until(t, desk, "categories", func(s *Snapshot) bool {
		w := titled(s, "term")
		return w != nil && len(w.Categories) > 0 && len(s.Windows) == 3
	})
	if got := titled(s, "term").Categories; !slices.Equal(got, []string{"System", "TerminalEmulator"}) {
		t.Errorf("categories %q", got)
	}
	if w := titled(s, "instance"); w.App != "only-instance" || len(w.Names) != 1 {
		t.Errorf("%+v", w)
	}
	if w := titled(s, "process"); w.App != executable(os.Getppid()) || w.App == "" {
		t.Errorf("%+v", w)
	}
}

func TestOddTitles(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{WM: "none"})
	desk := open(t, d)
	cases := []struct{ name, title, legacy, want string }{
		{"newline", "a\nb\r\tc", "", "a b  c"},
		{"invalid", "caf\xe9\xff x", "", "caf\ufffd x"},
		{"long", strings.Repeat("あ", 100_000/3), "", strings.Repeat("あ", 512)},
		{"long invalid", strings.Repeat("\xff\xfe", 50_000), "", "\ufffd"},
		{"latin1", "", "caf\xe9", "café"},
		{"turned", "safe\u202egnp.exe", "", "safegnp.exe"},
		{"nothing", "", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := d.Window(t, desktoptest.Spec{Title: c.title, LegacyName: c.legacy, Class: "C", X: 100, Y: 100})
			s := until(t, desk, "the window", func(s *Snapshot) bool { return len(s.Windows) == 1 })
			if got := s.Windows[0].Title; got != c.want {
				t.Errorf("title %q, want %q", got, c.want)
			}
			w.Close()
			until(t, desk, "the window to go", func(s *Snapshot) bool { return len(s.Windows) == 0 })
		})
	}
}

func TestClientSideShadow(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	d.Window(t, desktoptest.Spec{Title: "gtk", NoDecor: true, GTKFrame: []uint32{20, 22, 16, 24}, X: 100, Y: 100, W: 400, H: 300})
	s := until(t, desk, "the window", func(s *Snapshot) bool { return len(s.Windows) == 1 })
	if got, want := s.Windows[0].Frame, (Rect{120, 116, 358, 260}); got != want {
		t.Errorf("frame %v, want %v", got, want)
	}
}

// The frame is what the person sees: just outside of each edge is the wallpaper, just inside is not.
func TestFrameIsWhatIsSeen(t *testing.T) {
	for _, wm := range []string{"openbox", "xfwm4", "metacity"} {
		t.Run(wm, func(t *testing.T) {
			d := desktoptest.Start(t, desktoptest.Options{WM: wm, Wallpaper: "#00ff00"})
			desk := open(t, d)
			w := d.Window(t, desktoptest.Spec{Title: "seen", X: 300, Y: 200, W: 400, H: 250, Colour: 0xffffff})
			s := until(t, desk, "the frame", func(s *Snapshot) bool {
				return len(s.Windows) == 1 && s.Windows[0].Frame == frameOf(w) && s.Windows[0].Frame.H > 250
			})
			f := s.Windows[0].Frame
			wallpaper := color.RGBA{0, 0xff, 0, 0xff}
			edges := map[string][2][2]int{ // just outside, just inside
				"top":    {{f.X + f.W/2, f.Y - 1}, {f.X + f.W/2, f.Y}},
				"foot":   {{f.X + f.W/2, f.Y + f.H}, {f.X + f.W/2, f.Y + f.H - 1}},
				"left":   {{f.X - 1, f.Y + f.H/2}, {f.X, f.Y + f.H/2}},
				"right":  {{f.X + f.W, f.Y + f.H/2}, {f.X + f.W - 1, f.Y + f.H/2}},
				"corner": {{f.X - 1, f.Y - 1}, {f.X + 8, f.Y + 8}}, // themes round the corners themselves
			}
			desktoptest.WaitFor(t, limit, "the edges on the screen", func() bool {
				picture := d.Picture(t, "frame-"+wm)
				for _, e := range edges {
					if picture.RGBAAt(e[0][0], e[0][1]) != wallpaper || picture.RGBAAt(e[1][0], e[1][1]) == wallpaper {
						return false
					}
				}
				return true
			})
		})
	}
}
