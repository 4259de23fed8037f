//go:build !windows && !darwin

package main_test

import (
	"testing"
	"time"

	"yui/platform/desktoptest"
)

// TestPointer drives her with a real mouse and a real keyboard.
func TestPointer(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	y := launch(t, desk)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *instance)
	}{
		{"clicks through", testClickThrough}, {"click opens the talk", testClickTalk}, {"clicks never move her", testClickStays},
		{"menu", testMenu}, {"drop in the air", testDropAir}, {"drop on a window", testDropWindow}, {"grab from a window", testGrab},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, y.as(t)) })
	}
}

// testClickThrough counts presses that reach the window behind her: on her empty pixels all, on her body none.
func testClickThrough(t *testing.T, y *instance) {
	p := y.onFloor(0)
	w := p.Window
	behind, err := openClicked(y.desk, w.X-60, w.Y-60, w.Width+120, w.Height+40)
	if err != nil {
		t.Fatal(err)
	}
	defer behind.close()
	time.Sleep(1200 * time.Millisecond)
	p = y.pet()
	w = p.Window
	// The corners of her window's box are empty (its lower end may be off the screen).
	for _, at := range [][2]int{{w.X + 3, w.Y + 3}, {w.X + w.Width - 4, w.Y + 3}, {w.X + 3, w.Y + w.Height/2}, {w.X + w.Width - 4, w.Y + w.Height/2}} {
		y.desk.Click(at[0], at[1], 1)
		desktoptest.WaitFor(t, 5*time.Second, "a click through empty pixels", func() bool { return behind.took(at[0], at[1]) })
	}
	if y.pet().Talk.InputOpen {
		t.Error("a click on empty pixels opened the talk")
	}
	before := behind.count()
	x, at := belly(p)
	y.desk.Click(x, at, 1)
	y.wait(settleWait, "the input", func(p pet) bool { return p.Talk.InputOpen })
	if behind.count() != before {
		t.Error("a click on her reached the window behind her")
	}
	y.desk.Click(x, at, 1)
	y.wait(settleWait, "the input closed by a second click", func(p pet) bool { return !p.Talk.InputOpen })
}

const (
	keyReturn = 0xff0d
	keyEscape = 0xff1b
)

func testClickTalk(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "typing", 100, 100, 40, 6)
	defer shut(term)
	term.Raise()
	desktoptest.WaitFor(t, settleWait, "the terminal active", func() bool { return y.desk.Active() == term.ID })
	x, at := belly(y.onFloor(0))
	y.desk.Click(x, at, 1)
	y.wait(settleWait, "the input", func(p pet) bool { return p.Talk.InputOpen })
	typing := func() bool { w := y.desk.Active(); return w != 0 && w != term.ID }
	desktoptest.WaitFor(t, settleWait, "the keyboard at the input", typing)
	y.desk.Type("hello there")
	time.Sleep(300 * time.Millisecond)
	y.desk.Picture(t, "input")
	y.desk.Key(keyReturn)
	p := y.wait(settleWait, "a reply in the bubble", func(p pet) bool {
		return p.Talk.Bubble != "" && !p.Turn.Running && p.Turn.Outcome == "ok"
	})
	if !p.Talk.InputOpen {
		t.Error("the input closed by itself")
	}
	time.Sleep(300 * time.Millisecond)
	y.desk.Picture(t, "reply")
	y.desk.Key(keyEscape)
	p = y.wait(settleWait, "the input closed", func(p pet) bool { return !p.Talk.InputOpen })
	if p.Talk.Bubble == "" {
		t.Error("Escape took the bubble away, too")
	}
	desktoptest.WaitFor(t, settleWait, "the keyboard back at the terminal", func() bool { return y.desk.Active() == term.ID })
	// Empty input sends nothing.
	x, at = belly(p)
	y.desk.Click(x, at, 1)
	y.wait(settleWait, "the input", func(p pet) bool { return p.Talk.InputOpen })
	desktoptest.WaitFor(t, settleWait, "the keyboard at the input", typing)
	y.desk.Type("   ")
	y.desk.Key(keyReturn)
	time.Sleep(300 * time.Millisecond)
	if p := y.pet(); p.Turn.Running {
		t.Error("spaces were sent as a turn")
	}
	y.desk.Key(keyEscape)
	y.wait(settleWait, "the input closed", func(p pet) bool { return !p.Talk.InputOpen })
}

func testClickStays(t *testing.T, y *instance) {
	before := y.onFloor(0)
	x, at := belly(before)
	for i := range 4 {
		y.desk.MovePointer(x, at)
		y.desk.Press(1)
		y.desk.MovePointer(x+i%3, at+i%2) // a hand is never quite still
		y.desk.Release(1)
		time.Sleep(150 * time.Millisecond)
	}
	y.wait(settleWait, "the input closed", func(p pet) bool { return !p.Talk.InputOpen })
	if p := y.pet(); p.Window.rect != before.Window.rect || p.Posture.State != "standing" || p.Feet != before.Feet {
		t.Errorf("clicks moved her from %+v to %+v", before, p)
	}
}

func testMenu(t *testing.T, y *instance) {
	p := y.onFloor(0)
	x, at := belly(p)
	y.bubbleGone()
	before := y.screen()
	y.desk.Click(x, at, 3)
	desktoptest.WaitFor(t, settleWait, "a menu", func() bool { return y.changedBeside(before, x, at) > 4000 })
	time.Sleep(300 * time.Millisecond)
	y.desk.Picture(t, "menu")
	open := y.changedBeside(before, x, at)
	y.desk.Key(keyEscape)
	desktoptest.WaitFor(t, settleWait, "the menu to close", func() bool { return y.changedBeside(before, x, at) < open/4 })

	// A click elsewhere closes it as well.
	y.desk.Click(x, at, 3)
	desktoptest.WaitFor(t, settleWait, "a menu", func() bool { return y.changedBeside(before, x, at) > open/2 })
	y.desk.Click(20, 20, 1)
	desktoptest.WaitFor(t, settleWait, "the menu to close", func() bool { return y.changedBeside(before, x, at) < open/4 })
	if p := y.pet(); p.Posture.State != "standing" || p.Talk.InputOpen {
		t.Errorf("after the menu: %+v", p)
	}
}

func testDropAir(t *testing.T, y *instance) {
	y.onFloor(0)
	x, at := y.hold(0)
	for i := 1; i <= 30; i++ {
		y.desk.MovePointer(x+(500-x)*i/30, at+(300-at)*i/30)
		time.Sleep(10 * time.Millisecond)
	}
	y.wait(settleWait, "her at the pointer", func(p pet) bool { return p.Posture.State == "dragging" && near(p.Feet.X, 500, 80) })
	y.desk.Release(1)
	fallen := y.onFloor(0)
	if !near(fallen.Feet.X, 500, 80) {
		t.Errorf("let go at 500, fell to %v", fallen.Feet)
	}
	x, at = belly(fallen)
	y.desk.Drag(x, at, 900, 300, 25) // thrown: let go at once
	fallen = y.wait(settleWait, "her on the floor", func(p pet) bool { return p.Posture.State == "standing" && p.Feet.X > 600 })
	if !near(fallen.Feet.X, 900, 80) {
		t.Errorf("thrown to 900, fell to %v", fallen.Feet)
	}
	x, at = belly(y.wait(settleWait, "her up from the landing", func(p pet) bool { return p.Motion == "idle" }))
	y.desk.MovePointer(x, at)
	time.Sleep(300 * time.Millisecond)
	y.desk.Press(1)
	y.desk.MovePointer(x-300, at-200) // a flick: gone before anybody could ask where the press was
	time.Sleep(300 * time.Millisecond)
	y.desk.Release(1)
	if p := y.wait(settleWait, "her on the floor", func(p pet) bool { return p.Posture.State == "standing" && p.Feet.X < 700 }); p.Talk.InputOpen {
		t.Error("a flick opened the talk")
	}
	y.desk.MovePointer(5, 5)
}

func testDropWindow(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "notes", 200, 420, 60, 12)
	defer shut(term)
	time.Sleep(300 * time.Millisecond)
	f := term.Frame()
	y.onFloor(0)
	x, at := y.hold(0)
	to := f.X + 120
	for i := 1; i <= 40; i++ {
		y.desk.MovePointer(x+(to-x)*i/40, at+(f.Y-150-at)*i/40)
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(400 * time.Millisecond)
	held := y.pet()
	if held.Posture.State != "dragging" {
		t.Errorf("held she is %s", held.Posture.State)
	}
	y.desk.Picture(t, "held")
	// Down or up until her seat is by the edge, then let go.
	px, py := y.desk.Pointer()
	y.desk.MovePointer(px, py+f.Y-int(held.Seat.Y))
	time.Sleep(300 * time.Millisecond)
	y.desk.Release(1)
	time.Sleep(200 * time.Millisecond) // a hand rests a moment before it goes on
	y.desk.MovePointer(5, 5)
	y.sits(term)
	shut(term)
	y.onFloor(0)
}

func testGrab(t *testing.T, y *instance) {
	term := y.desk.XTerm(t, "notes", 200, 420, 60, 12)
	defer shut(term)
	time.Sleep(300 * time.Millisecond)
	y.wantAct(`{"action":"sit_on_window","app":"XTerm"}`, "ok")
	y.sits(term)
	x, at := y.hold(0)
	y.carry(x, at, 900, 300, 30)
	p := y.onFloor(0)
	if p.Posture.PerchedOn != nil {
		t.Errorf("still perched: %+v", p.Posture)
	}
	y.desk.MovePointer(5, 5)
}

// bubbleGone waits until nothing of her talk is seen any more.
func (y *instance) bubbleGone() {
	y.t.Helper()
	desktoptest.WaitFor(y.t, settleWait, "the bubble to go", func() bool { return len(windows(y.t, y.desk, "Yui")) == 1 })
}

// screen is what is seen now.
func (y *instance) screen() []byte {
	y.t.Helper()
	shot, err := y.desk.Screenshot()
	if err != nil {
		y.t.Fatal(err)
	}
	return shot.Pix
}

// changedBeside counts the pixels in a square round a point that differ from an earlier screen, outside of her box.
func (y *instance) changedBeside(before []byte, x, at int) (n int) {
	y.t.Helper()
	now, w := y.screen(), y.pet().Window
	const stride = 1280
	for py := max(0, at-350); py < min(800, at+350); py++ {
		for px := max(0, x-350); px < min(stride, x+350); px++ {
			if px >= w.X && px < w.X+w.Width && py >= w.Y && py < w.Y+w.Height {
				continue
			}
			if i := (py*stride + px) * 4; now[i] != before[i] || now[i+1] != before[i+1] || now[i+2] != before[i+2] {
				n++
			}
		}
	}
	return n
}
