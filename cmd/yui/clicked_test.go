//go:build !windows && !darwin

package main_test

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"yui/platform/desktoptest"
	"yui/platform/xconn"
)

// clicked is a bare window of another program that remembers where it was clicked.
type clicked struct {
	conn *xgb.Conn

	mu     sync.Mutex
	places [][2]int
}

// openClicked opens one without a frame, behind what is always on top.
func openClicked(desk *desktoptest.Desktop, x, y, width, height int) (*clicked, error) {
	conn, err := xconn.Dial(desk.Display)
	if err != nil {
		return nil, fmt.Errorf("open window: %w", err)
	}
	c := &clicked{conn: conn}
	if err := c.open(x, y, width, height); err != nil {
		conn.Close()
		return nil, fmt.Errorf("open window: %w", err)
	}
	return c, nil
}

func (c *clicked) open(x, y, width, height int) error {
	id, err := xproto.NewWindowId(c.conn)
	if err != nil {
		return err
	}
	screen := xproto.Setup(c.conn).DefaultScreen(c.conn)
	err = xproto.CreateWindowChecked(c.conn, screen.RootDepth, id, screen.Root, int16(x), int16(y), uint16(width), uint16(height), 0,
		xproto.WindowClassInputOutput, screen.RootVisual, xproto.CwBackPixel|xproto.CwEventMask,
		[]uint32{0x2f6f5f, xproto.EventMaskButtonPress | xproto.EventMaskStructureNotify}).Check()
	if err != nil {
		return err
	}
	if err := c.set(id, "_MOTIF_WM_HINTS", "_MOTIF_WM_HINTS", 2, 0, 0, 0, 0); err != nil { // no frame
		return err
	}
	const place = 1 // USPosition
	hints := make([]uint32, 18)
	hints[0], hints[1], hints[2] = place, uint32(x), uint32(y)
	if err := c.set(id, "WM_NORMAL_HINTS", "WM_SIZE_HINTS", hints...); err != nil {
		return err
	}
	mapped := make(chan struct{})
	go c.listen(sync.OnceFunc(func() { close(mapped) }))
	if err := xproto.MapWindowChecked(c.conn, id).Check(); err != nil {
		return err
	}
	<-mapped
	return nil
}

func (c *clicked) set(id xproto.Window, name, kind string, values ...uint32) error {
	var atoms [2]xproto.Atom
	for i, n := range []string{name, kind} {
		a, err := xproto.InternAtom(c.conn, false, uint16(len(n)), n).Reply()
		if err != nil {
			return err
		}
		atoms[i] = a.Atom
	}
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	return xproto.ChangePropertyChecked(c.conn, xproto.PropModeReplace, id, atoms[0], atoms[1], 32, uint32(len(values)), data).Check()
}

func (c *clicked) listen(mapped func()) {
	defer mapped() // a lost connection must not keep the test waiting
	for {
		event, err := c.conn.WaitForEvent()
		if event == nil && err == nil {
			return
		}
		switch e := event.(type) {
		case xproto.MapNotifyEvent:
			mapped()
		case xproto.ButtonPressEvent:
			c.mu.Lock()
			c.places = append(c.places, [2]int{int(e.RootX), int(e.RootY)})
			c.mu.Unlock()
		}
	}
}

// took tells whether a press at that place arrived.
func (c *clicked) took(x, y int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.places {
		if p == [2]int{x, y} {
			return true
		}
	}
	return false
}

func (c *clicked) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.places)
}

func (c *clicked) close() { c.conn.Close() }
