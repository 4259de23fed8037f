//go:build !windows && !darwin

package platform

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// From asking the server to move a window to the new place in a Snapshot, with the window manager's own work in it.
func BenchmarkMoveToSnapshot(b *testing.B) {
	for _, wm := range []string{"openbox", "xfwm4", "metacity"} {
		b.Run(wm, func(b *testing.B) {
			d := desktoptest.Start(b, desktoptest.Options{WM: wm})
			desk := open(b, d)
			for i := range 8 {
				d.Window(b, desktoptest.Spec{Title: fmt.Sprint("other ", i), X: 100 + 40*i, Y: 500, W: 200, H: 100})
			}
			w := d.Window(b, desktoptest.Spec{Title: "moving", X: 100, Y: 100})
			until(b, desk, "the windows", func(s *Snapshot) bool { return len(s.Windows) == 9 })
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				x := 100 + i%2*50 + i%7
				start := time.Now()
				w.Nudge(x, 100)
				until(b, desk, "the move", func(s *Snapshot) bool { return titled(s, "moving").Frame.X == x })
				took = append(took, time.Since(start))
			}
			report(b, took)
		})
	}
}

// From a window's end to a Snapshot without it.
func BenchmarkCloseToSnapshot(b *testing.B) {
	d := desktoptest.Start(b, desktoptest.Options{})
	desk := open(b, d)
	var took []time.Duration
	for b.Loop() {
		w := d.Window(b, desktoptest.Spec{Title: "dying", X: 100, Y: 100})
		until(b, desk, "the window", func(s *Snapshot) bool { return len(s.Windows) == 1 })
		start := time.Now()
		w.Close()
		until(b, desk, "its end", func(s *Snapshot) bool { return len(s.Windows) == 0 })
		took = append(took, time.Since(start))
	}
	report(b, took)
}

func BenchmarkSnapshot(b *testing.B) {
	d := desktoptest.Start(b, desktoptest.Options{})
	desk := open(b, d)
	b.ReportAllocs()
	for b.Loop() {
		if desk.Snapshot() == nil {
			b.Fatal("none")
		}
	}
}

func BenchmarkPointer(b *testing.B) {
	d := desktoptest.Start(b, desktoptest.Options{})
	desk := open(b, d)
	for b.Loop() {
		if _, _, err := desk.Pointer(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCapture(b *testing.B) {
	d := desktoptest.Start(b, desktoptest.Options{Width: 1920, Height: 1080})
	desk := open(b, d)
	for b.Loop() {
		if _, err := desk.Capture(b.Context(), 0); err != nil {
			b.Fatal(err)
		}
	}
}

func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	at := func(p int) float64 { return float64(took[min(len(took)*p/100, len(took)-1)].Microseconds()) }
	b.ReportMetric(at(50), "µs-median")
	b.ReportMetric(at(99), "µs-p99")
}
