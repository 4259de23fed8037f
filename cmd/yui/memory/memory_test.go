package memory

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
)

// That nothing is taken is told once, and again when something was taken in between.
func TestFullIsToldOnce(t *testing.T) {
	told := 0
	m, err := Open(t.Context(), filepath.Join(t.TempDir(), "yui.db"), slog.New(slog.DiscardHandler), func(error) { told++ })
	if err != nil || m.Closed != nil {
		t.Fatal(err, m.Closed)
	}
	for i, c := range []struct {
		err  error
		told int
	}{{nil, 0}, {errors.ErrUnsupported, 1}, {errors.ErrUnsupported, 1}, {nil, 1}, {errors.ErrUnsupported, 2}} {
		m.Save("something", func(ctx context.Context) error {
			if _, bounded := ctx.Deadline(); !bounded {
				t.Error("a write without a deadline")
			}
			return c.err
		})
		if m.tasks.Wait(); told != c.told {
			t.Errorf("write %d: told %d times, want %d", i, told, c.told)
		}
	}
	saved := false
	m.Save("the last thing", func(context.Context) error { saved = true; return nil })
	if err := m.Close(); err != nil || !saved {
		t.Errorf("closed before it was saved (%v): %v", saved, err)
	}
}

// Where the database cannot be opened there is one that forgets, and the reason.
func TestForgetful(t *testing.T) {
	m, err := Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler), func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Set(t.Context(), "key", []byte("1")); err != nil || m.Closed == nil {
		t.Errorf("%v; closed: %v", err, m.Closed)
	}
}
