//go:build !windows && !darwin

package main_test

import (
	"testing"

	"yui/platform/desktoptest"
)

// TestMonitors sends her to a second monitor, takes it away, and brings it back.
func TestMonitors(t *testing.T) {
	t.Parallel() // much of it is waiting
	desk := desktoptest.Start(t, desktoptest.Options{Monitors: 2, Width: 1024, Height: 700, Compositor: true})
	y := launch(t, desk)
	desk.MovePointer(5, 5)
	s := y.state()
	if len(s.Desktop.Monitors) != 2 || s.Desktop.Monitors[1].X != 1024 || s.Desktop.Monitors[1].Width != 1024 {
		t.Fatalf("monitors: %+v", s.Desktop.Monitors)
	}
	for _, spot := range []string{"center", "bottom-left"} {
		y.wantAct(`{"action":"move_to","spot":"`+spot+`","monitor":1}`, "ok")
		p := y.onFloor(1)
		if p.Feet.X < 1024 {
			t.Errorf("%s of monitor 1: feet %v", spot, p.Feet)
		}
	}
	y.wantAct(`{"action":"move_to","spot":"center","monitor":2}`, "not_found")
	y.wantAct(`{"action":"move_to","spot":"center"}`, "ok") // left out: the monitor that she is on
	y.onFloor(1)

	y.must("set", "yui.look_screen", "true")
	for args, want := range map[string]string{
		`{"at":"screen"}`: "screenshot of display 1", `{"at":"screen","monitor":0}`: "screenshot of display 0",
		`{"at":"screen","monitor":1}`: "screenshot of display 1", `{"at":"screen","monitor":2}`: "error: invalid field monitor",
	} {
		if got := y.must("call", "look", args); got != want {
			t.Errorf("look %s: %q, want %q", args, got, want)
		}
	}

	t.Run("perched there", func(t *testing.T) {
		y := y.as(t)
		term := desk.XTerm(t, "notes", 1250, 400, 50, 10)
		y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "ok")
		y.sits(term)
		if err := term.MoveTo(300, 360); err != nil { // to the other monitor, under her
			t.Fatal(err)
		}
		p := y.sits(term)
		if p.Window.Monitor != 0 {
			t.Errorf("monitor %d", p.Window.Monitor)
		}
		shut(term)
		y.onFloor(0)
	})
	t.Run("dragged over", func(t *testing.T) {
		y := y.as(t)
		y.onFloor(0)
		x, at := y.hold(0)
		y.carry(x, at, 1500, 300, 60)
		y.onFloor(1)
	})
	t.Run("unplugged", func(t *testing.T) {
		y := y.as(t)
		y.wantAct(`{"action":"move_to","spot":"bottom-right","monitor":1}`, "ok")
		y.onFloor(1)
		if err := desk.DarkenMonitor("DUMMY1"); err != nil {
			t.Fatal(err)
		}
		y.wait(settleWait, "her back where she is seen", func(p pet) bool {
			mid := p.Window.X + p.Window.Width/2
			return mid > 0 && mid < 1024 && p.Window.Monitor == 0
		})
		y.onFloor(0)
		if err := desk.LightMonitor("DUMMY1", "1024x700", 1024, 0); err != nil {
			t.Fatal(err)
		}
		y.waitState(settleWait, "the second monitor", func(s state) bool { return len(s.Desktop.Monitors) == 2 })
		y.wantAct(`{"action":"move_to","spot":"center","monitor":1}`, "ok")
		y.onFloor(1)
	})
}
