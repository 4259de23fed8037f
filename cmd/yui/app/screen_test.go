package app

import (
	"context"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gioui.org/io/key"

	"yui/assets"
	"yui/avatar/body"
	"yui/cmd/yui/settings"
	"yui/overlay/window"
	"yui/platform"
)

// stand is the whole program on a screen in memory: one monitor, no other window, no tray, and the companion for a backend.
type stand struct {
	t *testing.T
	*window.Screen
	app  *App
	desk *platform.Memory
	snap platform.Snapshot
}

func newStand(t *testing.T) *stand {
	t.Helper()
	home := t.TempDir()
	t.Setenv("YUI_HOME", home)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(home, "no-bus"))
	config := "language = 'en'\n[body]\nheight = 120\n[window]\nfps = 15\n"
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	paths, err := settings.FindPaths()
	if err != nil {
		t.Fatal(err)
	}
	if err := paths.Close(); err != nil {
		t.Fatal(err)
	}
	set, mistakes := settings.Open(paths)
	if mistakes != nil {
		t.Fatal(mistakes)
	}
	area := platform.Rect{W: 1280, H: 800}
	s := &stand{t: t, snap: platform.Snapshot{Compositor: true, WindowManager: "memory", Monitors: []platform.Monitor{{Name: "one", Rect: area, WorkArea: area, Scale: 1, Primary: true}}}}
	loop, screen := window.NewHeadless(window.Headless{Served: true})
	desk, memory := platform.NewMemory(s.snap)
	s.Screen, s.desk = screen, memory
	ctx, quit := context.WithCancel(t.Context())
	if s.app, err = newApp(ctx, quit, paths, "test", set, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- s.app.run(ground{
			func(*slog.Logger) (*window.Loop, error) { return loop, nil },
			func(context.Context, *slog.Logger) (*platform.Desktop, error) { return desk, nil },
		})
	}()
	t.Cleanup(func() {
		quit()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	s.until("a pet on the screen", func() bool { return len(s.app.pets) == 1 && s.app.pets[0].fig.Seen() })
	return s
}

// until waits for something that the main thread sees.
func (s *stand) until(what string, is func() bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		ok := false
		s.Do(func() { ok = is() })
		switch {
		case ok:
			return
		case time.Now().After(end):
			s.t.Fatal("waited in vain for " + what)
		}
		<-time.After(10 * time.Millisecond) // the program has goroutines of its own
	}
}

// body is a point of her.
func (s *stand) body() (at image.Point) {
	s.Do(func() {
		r := s.app.pets[0].fig.Head()
		at = image.Pt((r.Min.X+r.Max.X)/2, r.Max.Y-r.Dy()/4)
	})
	return at
}

// talking opens the talk by a click and waits for its window.
func (s *stand) talking() {
	s.t.Helper()
	s.Click(s.body(), window.Left)
	s.until("an open input", func() bool {
		t := s.app.pets[0].talk
		return t != nil && t.InputOpen() && !t.Rect().Empty()
	})
}

// titles are the windows on the screen.
func (s *stand) titles() (all []string) {
	for _, w := range s.Windows() {
		all = append(all, w.Title)
	}
	return all
}

func (s *stand) show(change func(*platform.Snapshot)) {
	s.snap.Monitors = append([]platform.Monitor(nil), s.snap.Monitors...) // a snapshot is never written to
	change(&s.snap)
	s.desk.Show(s.snap)
}

// A click opens the talk, what is typed there is answered in the bubble, and Escape gives the keyboard back.
func TestClickTypeAndAnswer(t *testing.T) {
	s := newStand(t)
	s.talking()
	s.Type("Hello, Yui")
	s.Key(key.NameReturn, 0)
	s.until("an answer", func() bool {
		p := s.app.pets[0]
		return !p.running && p.text.Len() > 0 && p.talk.Text() != ""
	})
	s.Key(key.NameEscape, 0)
	s.until("a closed input", func() bool { return !s.app.pets[0].talk.InputOpen() })
	for _, w := range s.Windows() {
		if w.Keyboard {
			t.Errorf("%q keeps the keyboard", w.Title)
		}
	}
}

// Under a full screen window neither she nor her bubble is seen; both are back with the desktop.
func TestFullScreenHidesAll(t *testing.T) {
	s := newStand(t)
	s.Do(func() { s.app.pets[0].tell("A sentence to read.") })
	s.until("a bubble", func() bool { p := s.app.pets[0]; return p.talk != nil && !p.talk.Rect().Empty() })
	if got := s.titles(); len(got) != 2 {
		t.Fatalf("on the screen: %q", got)
	}
	s.show(func(d *platform.Snapshot) { d.Monitors[0].Fullscreen = true })
	s.until("an empty screen", func() bool { p := s.app.pets[0]; return !p.fig.Visible() && !p.fig.Seen() })
	if got := s.titles(); len(got) != 0 {
		t.Errorf("over the full screen window: %q", got)
	}
	s.show(func(d *platform.Snapshot) { d.Monitors[0].Fullscreen = false })
	s.until("her and her bubble", func() bool { p := s.app.pets[0]; return p.fig.Seen() && !p.talk.Rect().Empty() })
}

// A right click opens the menu, whose rows do what the tray's do.
func TestMenuHidesHer(t *testing.T) {
	s := newStand(t)
	s.Click(s.body(), window.Right)
	s.until("the menu", func() bool {
		return s.app.panels.Menu() != nil && s.app.panels.Menu().Visible() && s.app.panels.Menu().Drawn()
	})
	if !s.ClickOn("Hide Yui") {
		t.Fatal("it has no row that hides her")
	}
	s.until("her to go", func() bool {
		return s.app.pets[0].fig.Hidden() && !s.app.pets[0].fig.Seen() && !s.app.panels.Menu().Visible()
	})
	s.Do(func() { s.app.pets[0].fig.Show() })
	s.until("her to be back", func() bool { return s.app.pets[0].fig.Seen() })
}

// A hand takes her elsewhere, and that is kept for the next start.
func TestDraggedPlaceIsKept(t *testing.T) {
	s := newStand(t)
	at := s.body()
	s.MoveTo(at)
	s.Press(window.Left)
	for range 12 {
		at = at.Add(image.Pt(-20, -10))
		s.MoveTo(at)
	}
	s.until("her to hang", func() bool {
		return s.app.pets[0].fig.Body().State(time.Now()).Posture == body.Dragging
	})
	s.Release(window.Left)
	s.until("her place in the database", func() bool {
		fig := s.app.pets[0].fig
		if st := fig.Body().State(time.Now()); st.Posture != body.Standing || st.Moving {
			return false
		}
		pets, err := s.app.memory.Pets(t.Context())
		return err == nil && len(pets) == 1 && int(pets[0].X) == int(fig.Feet().X) && int(pets[0].X) < at.X+120
	})
}

// A model that is dropped on her comes to the desktop beside her; what is no model is told of.
func TestDroppedFiles(t *testing.T) {
	s := newStand(t)
	b, err := assets.Character("momo-small")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	model, junk := filepath.Join(dir, "Mimi.vrm"), filepath.Join(dir, "notes.vrm")
	for path, content := range map[string][]byte{model: b, junk: []byte("no model")} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.MoveTo(s.body())
	s.Drop(junk)
	s.until("to be told", func() bool {
		p := s.app.pets[0]
		return p.talk != nil && strings.Contains(p.talk.Text(), "notes.vrm")
	})
	s.Drop(model)
	s.until("a second pet", func() bool { return len(s.app.pets) == 2 && s.app.pets[1].fig.Seen() })
	var apart bool
	if s.Do(func() {
		apart = !s.app.pets[0].fig.Figure().Overlaps(s.app.pets[1].fig.Figure().Inset(20))
	}); !apart {
		t.Error("she stands on the first")
	}
}

// Another monitor's scale is taken at once, and where her monitor goes she goes to the one that is left.
func TestMonitorsComeAndGo(t *testing.T) {
	s := newStand(t)
	var small int
	s.Do(func() { small = s.app.pets[0].fig.Rect().Dy() })
	s.show(func(d *platform.Snapshot) { d.Monitors[0].Scale = 2 })
	s.until("her to be larger", func() bool { return s.app.pets[0].fig.Rect().Dy() > small*3/2 })
	s.show(func(d *platform.Snapshot) {
		d.Monitors[0].Scale = 1
		d.Monitors[0].Rect, d.Monitors[0].WorkArea = platform.Rect{W: 640, H: 480}, platform.Rect{W: 640, H: 480}
	})
	s.until("her to be on it", func() bool {
		f := s.app.pets[0].fig
		return f.Feet().X < 640 && f.Feet().Y <= 481 && f.Seen()
	})
}
