package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jezek/xgb/xproto"

	"yui/platform/desktoptest"
	"yui/platform/xconn"
)

// follow moves the host and watches the pet's window by its own events: the time between the two is how late she is.
func (s *stage) follow(ctx context.Context, host *desktoptest.Window) ([]time.Duration, error) {
	conn, err := xconn.Dial(s.Display)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	st, err := s.pet.state(ctx)
	if err != nil {
		return nil, err
	}
	at := st.Presets[0].Window
	id := xproto.Window(s.WindowAt(at.X+at.Width/2, at.Y+at.Height/2))
	if id == 0 {
		return nil, fmt.Errorf("find the pet's window")
	}
	const watch = xproto.EventMaskStructureNotify
	if err := xproto.ChangeWindowAttributesChecked(conn, id, xproto.CwEventMask, []uint32{watch}).Check(); err != nil {
		return nil, err
	}
	moved := make(chan time.Time, 64)
	go func() {
		for {
			ev, err := conn.WaitForEvent()
			if ev == nil && err == nil {
				return
			}
			if _, ok := ev.(xproto.ConfigureNotifyEvent); ok {
				select {
				case moved <- time.Now():
				default:
				}
			}
		}
	}()
	from := host.Frame()
	var lates []time.Duration
	for i := range 200 {
		for len(moved) > 0 {
			<-moved
		}
		began := time.Now()
		host.Nudge(from.X+i%2*3+i, from.Y+i%3)
		select {
		case t := <-moved:
			lates = append(lates, t.Sub(began))
		case <-time.After(500 * time.Millisecond):
			lates = append(lates, 500*time.Millisecond)
		}
		time.Sleep(15 * time.Millisecond)
	}
	return lates, nil
}
