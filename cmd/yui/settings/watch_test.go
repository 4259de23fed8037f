package settings

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// watched is a Watch of real files, and what it tells.
type watched struct {
	t       *testing.T
	s       *Settings
	changes chan Change
	told    chan string
}

func watch(t *testing.T, s *Settings) *watched {
	w := &watched{t: t, s: s, changes: make(chan Change, 100), told: make(chan string, 100)}
	s.OnChange(func(c Change) { w.changes <- c })
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Watch(ctx, slog.New(slog.DiscardHandler), func(mistakes error) { w.told <- mistakes.Error() })
	}()
	t.Cleanup(func() { end(); <-ended })
	return w
}

func (w *watched) write(file, text string) {
	w.t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// changed waits until a key has changed, and returns what that stirs.
func (w *watched) changed(key string) Stir {
	w.t.Helper()
	for late := time.After(30 * time.Second); ; {
		select {
		case c := <-w.changes:
			if slices.Contains(c.Keys, key) {
				return c.Stirs
			}
		case <-late:
			w.t.Fatalf("%s has not changed", key)
		}
	}
}

func (w *watched) mistake() string {
	w.t.Helper()
	select {
	case text := <-w.told:
		return text
	case <-time.After(30 * time.Second):
		w.t.Fatal("no mistake was told")
		return ""
	}
}

// Files are taken over as they are written, put into one another's place or reached by a link; a mistake changes nothing and
// is told once, however often it is saved.
func TestWatch(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "") // no keyring
	paths := pathsIn(t)
	target := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(target, []byte("[window]\nfps = 10\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, paths.Config); err != nil {
		t.Fatal(err)
	}
	s, err := Open(paths)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, []byte("[window]\nfps = 11\n"), 0o600); err != nil { // before anybody watches
		t.Fatal(err)
	}
	w := watch(t, s)
	if e := w.changed("window.fps"); e != Figures || s.Config().Window.FPS != 11 {
		t.Errorf("stirs %b, fps %d", e, s.Config().Window.FPS)
	}
	w.write(target, "[window]\nfps = 12\n")
	w.changed("window.fps")
	w.write(paths.Env, "OTHER=1\n"+KeyChat+"=k\n")
	if e := w.changed("OTHER"); e != Gear|Servers|Backend || s.Variable("OTHER") != "1" || s.ChatKey(t.Context()) != "k" {
		t.Errorf("stirs %b", e)
	}

	w.write(target, "[window]\nfps = 500\ntheme = 'dark'\n")
	if got := w.mistake(); !strings.Contains(got, "window.fps is 500") || s.Config().Window.Theme != "" {
		t.Errorf("%q, theme %q", got, s.Config().Window.Theme)
	}
	w.write(target, "[window]\nfps = 500\ntheme = 'dark'\n")
	w.write(paths.Env, "OTHER=2\n") // not taken over beside a mistake
	w.write(target, "[window\n")
	if got := w.mistake(); !strings.Contains(got, "line 1") || s.Variable("OTHER") != "1" {
		t.Errorf("%q, %q", got, s.Variable("OTHER"))
	}

	fresh := filepath.Join(filepath.Dir(paths.Config), "new") // as some editors save: the link is gone
	w.write(fresh, "[window]\nfps = 13\n")
	if err := os.Rename(fresh, paths.Config); err != nil {
		t.Fatal(err)
	}
	w.changed("window.fps")
	if s.Config().Window.FPS != 13 || s.Variable("OTHER") != "2" {
		t.Errorf("fps %d, %q", s.Config().Window.FPS, s.Variable("OTHER"))
	}
	if err := os.Remove(paths.Config); err != nil {
		t.Fatal(err)
	}
	w.changed("window.fps")
	if s.Config().Window.FPS != 30 || len(w.told) > 0 {
		t.Errorf("without a file fps is %d; told %d more", s.Config().Window.FPS, len(w.told))
	}
}
