//go:build !windows && !darwin

package main_test

import (
	"math"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// seatSlack is how far her seat may be from the edge that she sits on.
const seatSlack = 2

func TestPerchOpenbox(t *testing.T) { testPerch(t, "openbox") }
func TestPerchXfwm4(t *testing.T)   { testPerch(t, "xfwm4") }

// testPerch is the main job: she sits on the terminal, rides along, and falls when the seat is gone.
func testPerch(t *testing.T, wm string) {
	desk := desktoptest.Start(t, desktoptest.Options{WM: wm, Compositor: true, Wallpaper: "#40607a"})
	y := launch(t, desk)
	term := desk.XTerm(t, "notes", 250, 380, 70, 12)
	desk.MovePointer(5, 5)

	reply := y.must("say", "sit on the terminal")
	if reply == "" {
		t.Error("she said nothing")
	}
	y.sits(term)
	desk.Picture(t, t.Name()+"-sits")

	t.Run("moved", func(t *testing.T) { y.as(t).ridesAlong(term) })
	t.Run("resized", func(t *testing.T) {
		y := y.as(t)
		f := term.Client()
		if err := term.Resize(f.W-120, f.H+60); err != nil {
			t.Fatal(err)
		}
		y.sits(term)
	})
	t.Run("minimised", func(t *testing.T) {
		y := y.as(t)
		term.Minimise()
		y.onFloor(0)
		term.Restore()
		time.Sleep(500 * time.Millisecond)
		y.wantAct(`{"action":"sit_on_window","app":"xterm"}`, "ok")
		y.sits(term)
	})
	t.Run("covered", func(t *testing.T) {
		y := y.as(t)
		f := term.Frame()
		cover := desk.Window(t, desktoptest.Spec{Title: "cover", Class: "Cover", X: f.X - 40, Y: f.Y - 120, W: f.W + 80, H: 300, Colour: 0x805040})
		y.onFloor(0)
		cover.Close()
		y.wantAct(`{"action":"sit_on_window","app":"XTERM"}`, "ok")
		y.sits(term)
	})
	t.Run("closed", func(t *testing.T) {
		y := y.as(t)
		shut(term)
		p := y.onFloor(0)
		if p.Posture.PerchedOn != nil {
			t.Errorf("still perched on %+v", p.Posture.PerchedOn)
		}
	})
}

// seated tells whether she sits on the frame's top edge now.
func seated(p pet, frame desktoptest.Rect) bool {
	return p.Posture.State == "sitting" && p.Posture.PerchedOn != nil && p.Posture.PerchedOn.App == "XTerm" &&
		near(p.Seat.Y, float64(frame.Y), seatSlack) && p.Seat.X > float64(frame.X) && p.Seat.X < float64(frame.X+frame.W)
}

// sits waits until she sits on the window, and wants it to be so a moment later too.
func (y *instance) sits(w *desktoptest.Window) pet {
	y.t.Helper()
	y.wait(settleWait, "sitting on the window at "+w.Frame().String(), func(p pet) bool { return !p.Moving && seated(p, w.Frame()) })
	time.Sleep(700 * time.Millisecond)
	p := y.pet()
	if !seated(p, w.Frame()) {
		y.t.Fatalf("she does not stay on the window at %v: %+v", w.Frame(), p)
	}
	if p.Posture.PerchedOn.WindowTitle != "notes" {
		y.t.Errorf("perched on the title %q", p.Posture.PerchedOn.WindowTitle)
	}
	return p
}

// ridesAlong drags the window about as a hand does: smooth moves with pauses, and after each pause she must be on the
// edge, at the same place along it.
func (y *instance) ridesAlong(w *desktoptest.Window) {
	y.t.Helper()
	f := w.Frame()
	along := y.pet().Seat.X - float64(f.X)
	x0, y0 := float64(f.X), float64(f.Y)
	for leg, to := range [][2]float64{{620, 460}, {300, 330}, {520, 400}, {160, 520}} {
		const steps = 60
		for i := 1; i <= steps; i++ {
			u := (1 - math.Cos(math.Pi*float64(i)/steps)) / 2
			w.Nudge(int(x0+(to[0]-x0)*u), int(y0+(to[1]-y0)*u))
			time.Sleep(16 * time.Millisecond)
		}
		x0, y0 = to[0], to[1]
		time.Sleep(300 * time.Millisecond)
		p, f := y.pet(), w.Frame()
		if !seated(p, f) || !near(p.Seat.X-float64(f.X), along, 12) {
			y.keep("riding")
			y.t.Fatalf("after leg %d the window is at %v and she %v at seat %v (%.0f along the edge before)", leg, f, p.Posture, p.Seat, along)
		}
		if !near(p.Feet.Y-float64(p.Window.Y), y.pet().Feet.Y-float64(y.pet().Window.Y), 3) {
			y.t.Errorf("her window did not come along: %+v", p)
		}
	}
}
