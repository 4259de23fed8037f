//go:build !windows && !darwin

package window

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// onMain runs a function on the process's main thread.
var onMain = make(desktoptest.MainThread)

func TestMain(m *testing.M) { os.Exit(onMain.Run(m)) }

// withLoop runs f on the main thread with a loop on a private desktop.
func withLoop(t testing.TB, f func(l *Loop)) {
	t.Helper()
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	desk.Setenv(t)
	done := make(chan struct{})
	onMain <- func() {
		defer close(done)
		l, err := NewLoop(slog.New(slog.DiscardHandler))
		if err != nil {
			t.Error(err)
			return
		}
		defer l.Close()
		f(l)
	}
	<-done
}

// killer closes another ticker in its own tick, as a click in a menu closes a pet.
type killer struct {
	loop   *Loop
	victim *victim
	end    func()
}

func (k *killer) Next(now time.Time) (time.Time, bool) { return now, true }

func (k *killer) Tick(time.Time) {
	k.loop.Remove(k.victim)
	k.victim.gone = true
	k.loop.Remove(k)
	k.end()
}

type victim struct{ gone, touched bool }

func (v *victim) Next(now time.Time) (time.Time, bool) {
	v.touched = v.touched || v.gone
	return now, true
}

func (v *victim) Tick(time.Time) { v.touched = v.touched || v.gone }

// TestClosedInATick closes what would tick next.
func TestClosedInATick(t *testing.T) {
	withLoop(t, func(l *Loop) {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		v := &victim{}
		l.Add(&killer{loop: l, victim: v, end: cancel})
		l.Add(v)
		if err := l.Run(ctx); err != nil {
			t.Error(err)
		}
		if !v.gone || v.touched {
			t.Errorf("closed %v, ticked afterwards %v", v.gone, v.touched)
		}
	})
}
