//go:build !windows && !darwin

package panels

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/cmd/yui/memory"
	"yui/cmd/yui/presets"
	"yui/overlay/ui"
	"yui/overlay/window"
	"yui/platform/desktoptest"
	"yui/store"
)

// onMain runs a function on the process's main thread.
var onMain = make(desktoptest.MainThread)

func TestMain(m *testing.M) { os.Exit(onMain.Run(m)) }

// longLives is a store in which three presets have lived for long: rows changes each, most of them after the person.
func longLives(t testing.TB, rows int) (*Panels, []member) {
	t.Helper()
	ctx := context.Background()
	log := slog.New(slog.DiscardHandler)
	s, err := memory.Open(ctx, filepath.Join(t.TempDir(), "yui.db"), log, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	folder, err := presets.Open(t.TempDir(), presets.Options{Memory: s})
	if err != nil {
		t.Fatal(err)
	}
	a := New(ctx, Options{Memory: s, Presets: folder, Words: lang.In("en"), Log: log})
	cast := []member{{"yui", "Yui", true}, {"momo", "Momo", true}, {"sora", "Sora", true}, {"kuro", "Kuro", false}}
	now := time.Now()
	targets := []string{store.UserTarget, store.TargetOf("momo"), store.UserTarget, store.TargetOf("gone")}
	for i := range rows {
		c := store.RelationCall{Preset: "yui", Target: targets[i%4], Delta: 2 - i/8%2*4, Why: "stayed with me through the long build", Now: now.AddDate(0, 0, -(rows-i)/4)}
		if _, err := s.Rate(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []string{"momo", "sora"} {
		if _, err := s.SetByUser(ctx, from, store.UserTarget, 7, now); err != nil {
			t.Fatal(err)
		}
	}
	return a, cast
}

func viewOf(cast []member) ui.RelationsView {
	v := ui.RelationsView{On: true, Selected: "yui"}
	for _, m := range cast {
		if m.open {
			v.Pets = append(v.Pets, ui.RelationsPet{ID: m.id, Name: m.name, Face: image.NewNRGBA(image.Rect(0, 0, 192, 192))})
		}
	}
	return v
}

func TestGatherRelations(t *testing.T) {
	a, cast := longLives(t, 40)
	if err := a.Memory.Set(t.Context(), "preset.gone.gone", json.RawMessage(`"Old \u202eFriend"`)); err != nil {
		t.Fatal(err)
	}
	v := viewOf(cast)
	if err := a.gatherRelations(t.Context(), &v, cast); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range v.Feelings {
		lines = append(lines, fmt.Sprintf("%s>%s %s gone=%v", f.From, f.To, f.ToName, f.Gone))
	}
	want := "[yui>  gone=false yui>momo Momo gone=false yui>sora Sora gone=false yui>gone Old Friend gone=true " +
		"momo>  gone=false momo>yui Yui gone=false momo>sora Sora gone=false sora>  gone=false sora>yui Yui gone=false sora>momo Momo gone=false]"
	if got := fmt.Sprint(lines); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if len(v.History) == 0 || v.History[0].When != "today" || v.History[0].Toward != "Old Friend (gone)" {
		t.Errorf("%+v", v.History[0])
	}
}

// cpu measures the process's CPU time of a benchmark, which a busy machine does not change.
func cpu(b *testing.B) (report func()) {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	return func() { b.ReportMetric(float64((used()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op") }
}

// BenchmarkOpenRelations opens the panel over a log of 10,000 changes, from the question to the store to the frame that is
// on the screen. The first time within a minute its window is made and the driver readies Gio's programs.
func BenchmarkOpenRelations(b *testing.B) {
	a, cast := longLives(b, 10000)
	desk := desktoptest.Start(b, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	desk.Setenv(b)
	b.Run("read", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			v := viewOf(cast)
			if err := a.gatherRelations(b.Context(), &v, cast); err != nil || len(v.History) != historyRows {
				b.Fatal(len(v.History), err)
			}
		}
	})
	theme := ui.NewTheme()
	work := image.Rect(0, 0, 1280, 800)
	open := func(b *testing.B, gather, anew bool) {
		done := make(chan error, 1)
		ready := make(chan *window.Loop, 1)
		ctx, quit := context.WithCancel(b.Context())
		onMain <- func() {
			loop, err := window.NewLoop(a.Log)
			if err != nil {
				done <- err
				return
			}
			ready <- loop
			err = loop.Run(ctx)
			loop.Close()
			done <- err // the desktop may go now
		}
		var loop *window.Loop
		select {
		case loop = <-ready:
		case err := <-done:
			b.Fatal(err)
		}
		var panel *ui.RelationsPanel
		do := func(f func()) {
			if err := loop.Call(ctx, f); err != nil {
				b.Fatal(err)
			}
		}
		report := cpu(b)
		for b.Loop() {
			v := viewOf(cast)
			if gather {
				if err := a.gatherRelations(ctx, &v, cast); err != nil {
					b.Fatal(err)
				}
			}
			do(func() {
				if panel == nil {
					var err error
					if panel, err = ui.NewRelationsPanel(loop, theme, 1); err != nil {
						b.Error(err)
						return
					}
				}
				panel.Show(v, work)
			})
			for drawn := false; !drawn && !b.Failed(); time.Sleep(time.Millisecond) {
				do(func() { drawn = panel.Drawn() })
			}
			do(func() {
				panel.CloseView()
				if anew {
					panel.Close()
					panel = nil
				}
			})
		}
		report()
		do(func() {
			if panel != nil {
				panel.Close()
			}
		})
		quit()
		<-done
	}
	b.Run("10,000 changes, first time", func(b *testing.B) { open(b, true, true) })
	b.Run("10,000 changes, again", func(b *testing.B) { open(b, true, false) })
	b.Run("an empty one, first time", func(b *testing.B) { open(b, false, true) })
}
