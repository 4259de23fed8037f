//go:build !windows && !darwin

package main_test

import (
	"image/color"
	"strings"
	"testing"

	"yui/platform/desktoptest"
)

// TestBubble looks at the bubble on the screen.
func TestBubble(t *testing.T) {
	t.Parallel() // much of it is waiting
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	y := prepare(t, desk)
	y.config("[window]\nall_workspaces = false\n")
	y.rules("[rule.long]\nwhen.exactly = [\"on and on\"]\nsay = \"" + strings.Repeat("The lamp by the harbour is out again. ", 16) + "\"\n")
	y.start()
	desk.MovePointer(5, 5)
	y.onFloor(0)
	t.Run("goes with her", func(t *testing.T) { testTalkGoesWithHer(t, y.as(t)) })
	t.Run("a long reply", func(t *testing.T) { testLongReply(t, y.as(t)) })
}

// testTalkGoesWithHer: where she is not, her bubble is not either, and it comes back with her.
func testTalkGoesWithHer(t *testing.T, y *instance) {
	alone := y.beyond(wallpaper)
	bubble := func(what string, ground uint32) {
		t.Helper()
		desktoptest.WaitFor(t, settleWait, what, func() bool { return y.beyond(ground) > alone+15000 })
	}
	nothing := func(what string, ground uint32) {
		t.Helper()
		desktoptest.WaitFor(t, settleWait, what, func() bool { return y.beyond(ground) == 0 })
	}
	y.must("say", "tell me a story")
	bubble("the bubble", wallpaper)

	y.desk.SwitchWorkspace(1)
	nothing("the other workspace without her or her bubble", wallpaper)
	y.desk.SwitchWorkspace(0)
	bubble("the bubble, back with her", wallpaper)

	const film = 0x805040
	w := y.desk.Window(t, desktoptest.Spec{Title: "film", Class: "Film", X: 100, Y: 100, W: 300, H: 200, Colour: film})
	w.Fullscreen(true)
	nothing("the film alone", film)
	y.must("say", "tell me a story")
	if y.pet().Talk.Bubble == "" {
		t.Error("what she says behind a film is lost")
	}
	nothing("still the film alone", film)
	w.Close()
	bubble("what she said behind the film", wallpaper)
}

// testLongReply: what is longer than the bubble runs out at its edge, and the ground there is the bubble's own.
func testLongReply(t *testing.T, y *instance) {
	y.must("say", "on and on")
	var shot struct{ ground, brighter int }
	desktoptest.WaitFor(t, settleWait, "a bubble that is full", func() bool {
		p := y.pet()
		picture, err := y.desk.ScreenshotOf(desktoptest.Rect{W: y.desk.RootRect().W, H: p.Window.Y})
		if err != nil {
			t.Fatal(err)
		}
		counts := map[color.RGBA]int{}
		for at := 0; at < len(picture.Pix); at += 4 {
			counts[color.RGBA{picture.Pix[at], picture.Pix[at+1], picture.Pix[at+2], 255}]++
		}
		delete(counts, color.RGBA{0x40, 0x60, 0x7a, 255})
		var ground color.RGBA
		for c, n := range counts {
			if n > counts[ground] {
				ground = c
			}
		}
		shot.ground, shot.brighter = counts[ground], 0
		for c, n := range counts {
			if c.R > ground.R+2 || c.G > ground.G+2 || c.B > ground.B+2 {
				shot.brighter += n
			}
		}
		return shot.ground > 40000
	})
	y.desk.Picture(t, "long-reply")
	if shot.brighter > 0 {
		t.Errorf("%d pixels of the bubble are brighter than its ground, of %d", shot.brighter, shot.ground)
	}
}

// beyond counts the pixels of the screen that are not of its ground.
func (y *instance) beyond(ground uint32) int {
	y.t.Helper()
	return coloured(y.t, y.desk, y.desk.RootRect(), ground)
}
