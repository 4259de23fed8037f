package main_test

import (
	"testing"

	"yui/platform/desktoptest"
)

// TestTalkGoesWithHer: where she is not, her bubble is not either, and it comes back with her.
func TestTalkGoesWithHer(t *testing.T) {
	t.Parallel() // much of it is waiting
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	y := prepare(t, desk)
	y.config("[window]\nall_workspaces = false\n")
	y.start()
	desk.MovePointer(5, 5)
	y.onFloor(0)
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

	desk.SwitchWorkspace(1)
	nothing("the other workspace without her or her bubble", wallpaper)
	desk.SwitchWorkspace(0)
	bubble("the bubble, back with her", wallpaper)

	const film = 0x805040
	w := desk.Window(t, desktoptest.Spec{Title: "film", Class: "Film", X: 100, Y: 100, W: 300, H: 200, Colour: film})
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

// beyond counts the pixels of the screen that are not of its ground.
func (y *instance) beyond(ground uint32) int {
	y.t.Helper()
	return coloured(y.t, y.desk, y.desk.RootRect(), ground)
}
