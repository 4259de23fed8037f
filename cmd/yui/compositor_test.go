//go:build !windows && !darwin

package main_test

import (
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// TestCompositor takes the compositor away and gives it back: she must never stand in a black box.
func TestCompositor(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	y := launch(t, desk)
	desk.MovePointer(5, 5)
	y.boxed("with a compositor", 20*time.Second)
	for range 2 {
		desk.KillCompositor()
		y.waitState(settleWait, "no compositor", func(s state) bool { return !s.Desktop.Compositor })
		y.boxed("without", settleWait)
		y.must("say", "hello")
		y.wait(settleWait, "a bubble", func(p pet) bool { return p.Talk.Bubble != "" })
		time.Sleep(500 * time.Millisecond)
		y.unblackened("with a bubble, without a compositor")
		if err := desk.StartCompositor(t.Context()); err != nil {
			t.Fatal(err)
		}
		y.waitState(settleWait, "the compositor", func(s state) bool { return s.Desktop.Compositor })
		y.boxed("with a compositor again", settleWait)
		y.unblackened("with a compositor again")
	}
	y.quit()

	desk.KillCompositor()
	time.Sleep(500 * time.Millisecond)
	y.start()
	y.boxed("started without", settleWait)
	y.desk.Picture(t, "uncomposited")
	x, at := belly(y.pet())
	desk.Click(x, at, 1)
	y.wait(settleWait, "the input", func(p pet) bool { return p.Talk.InputOpen })
	time.Sleep(700 * time.Millisecond)
	y.desk.Picture(t, "uncomposited-input")
	y.unblackened("with the input, without a compositor")
}

const wallpaper = 0x40607a

// boxed waits until the corners of her window's box show the wallpaper and its middle shows her.
func (y *instance) boxed(what string, limit time.Duration) {
	y.t.Helper()
	y.wait(limit, "her alone on the wallpaper, "+what, func(p pet) bool {
		w := p.Window
		corner := func(x, at int) bool {
			return coloured(y.t, y.desk, desktoptest.Rect{X: x, Y: at, W: 12, H: 12}, wallpaper) == 0
		}
		x, at := belly(p)
		return corner(w.X+1, w.Y+1) && corner(w.X+w.Width-13, w.Y+1) && corner(w.X+1, w.Y+w.Height/2) && corner(w.X+w.Width-13, w.Y+w.Height/2) &&
			coloured(y.t, y.desk, desktoptest.Rect{X: x - 10, Y: at - 10, W: 20, H: 20}, wallpaper) > 300
	})
}

// unblackened fails where a larger area of the screen is black: nothing of hers is, but for dots along a hard edge.
func (y *instance) unblackened(what string) {
	y.t.Helper()
	r := y.desk.RootRect()
	n := 0
	for range 5 { // while she moves, picture and shape may be a frame apart
		if n = r.W*r.H - coloured(y.t, y.desk, r, 0); n < 1500 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	y.keep(what)
	y.t.Errorf("%s %d pixels of the screen are black", what, n)
}
