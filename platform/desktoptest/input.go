//go:build !windows && !darwin

package desktoptest

import (
	"time"

	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// Pointer is where the pointer is.
func (d *Desktop) Pointer() (x, y int) {
	reply, err := xproto.QueryPointer(d.conn, d.root).Reply()
	if err != nil {
		return 0, 0
	}
	return int(reply.RootX), int(reply.RootY)
}

// MovePointer puts the pointer at a place of the root window, as a mouse would.
func (d *Desktop) MovePointer(x, y int) {
	xtest.FakeInput(d.conn, xproto.MotionNotify, 0, 0, d.root, int16(x), int16(y), 0)
	d.conn.Sync()
}

// Press holds a mouse button down (1 left, 2 middle, 3 right, 4 and 5 wheel).
func (d *Desktop) Press(button int) { d.fake(xproto.ButtonPress, byte(button)) }

// Release lets a mouse button go.
func (d *Desktop) Release(button int) { d.fake(xproto.ButtonRelease, byte(button)) }

// Click moves the pointer there and clicks.
func (d *Desktop) Click(x, y, button int) {
	d.MovePointer(x, y)
	d.Press(button)
	d.Release(button)
}

// Drag presses the left button at the first place, moves in steps of about 8 ms each, and lets it go at the second.
func (d *Desktop) Drag(fromX, fromY, toX, toY, steps int) {
	d.MovePointer(fromX, fromY)
	d.Press(1)
	for i := 1; i <= steps; i++ {
		d.MovePointer(fromX+(toX-fromX)*i/steps, fromY+(toY-fromY)*i/steps)
		time.Sleep(8 * time.Millisecond)
	}
	d.Release(1)
}

// Key presses and releases a key by its keysym (0x61 is "a", 0xff0d Return, 0xff1b Escape), with shift where the
// keyboard has it on the second level. Unknown keysyms do nothing.
func (d *Desktop) Key(keysym uint32) {
	setup := xproto.Setup(d.conn)
	count := byte(setup.MaxKeycode - setup.MinKeycode + 1)
	table, err := xproto.GetKeyboardMapping(d.conn, setup.MinKeycode, count).Reply()
	if err != nil {
		return
	}
	per := int(table.KeysymsPerKeycode)
	find := func(sym uint32) (code byte, level int) {
		for i, s := range table.Keysyms {
			if uint32(s) == sym && i%per < 2 {
				return byte(int(setup.MinKeycode) + i/per), i % per
			}
		}
		return 0, 0
	}
	const shiftL = 0xffe1
	code, level := find(keysym)
	shift, _ := find(shiftL)
	if code == 0 {
		return
	}
	if level == 1 {
		d.fake(xproto.KeyPress, shift)
	}
	d.fake(xproto.KeyPress, code)
	d.fake(xproto.KeyRelease, code)
	if level == 1 {
		d.fake(xproto.KeyRelease, shift)
	}
}

// Type types ASCII text; newlines are Return.
func (d *Desktop) Type(text string) {
	for _, r := range text {
		sym := uint32(r)
		if r == '\n' {
			sym = 0xff0d
		}
		d.Key(sym)
	}
}

func (d *Desktop) fake(kind, detail byte) {
	xtest.FakeInput(d.conn, kind, detail, 0, d.root, 0, 0, 0)
	d.conn.Sync()
}
