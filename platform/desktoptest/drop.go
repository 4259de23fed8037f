//go:build !windows && !darwin

package desktoptest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"yui/platform/xconn"
)

// dropLimit is how long a target may take for each answer of a drag.
const dropLimit = 20 * time.Second

// DropFiles drags files from a source of its own to a place of the root window and drops them there, as a file manager
// does (XDND 5). It returns once the window there has taken them; an error says that nothing there wants them.
func (d *Desktop) DropFiles(x, y int, paths ...string) error {
	conn, err := xconn.Dial(d.Display)
	if err != nil {
		return fmt.Errorf("drop files: %w", err)
	}
	defer conn.Close()
	s := &dragSource{conn: conn, atoms: map[string]xproto.Atom{}, events: make(chan xgb.Event, 64)}
	ctx, cancel := context.WithTimeout(context.Background(), 3*dropLimit)
	defer cancel()
	go s.read(ctx)
	var list strings.Builder
	for _, p := range paths {
		list.WriteString((&url.URL{Scheme: "file", Path: p}).String() + "\r\n")
	}
	s.data = []byte(list.String())
	d.MovePointer(x, y)
	if err := s.drag(x, y); err != nil {
		return fmt.Errorf("drop files at %d, %d: %w", x, y, err)
	}
	return nil
}

type dragSource struct {
	conn   *xgb.Conn
	atoms  map[string]xproto.Atom
	events chan xgb.Event
	win    xproto.Window
	data   []byte
}

// read passes the connection's events on until it is closed.
func (s *dragSource) read(ctx context.Context) {
	defer close(s.events)
	for {
		ev, err := s.conn.WaitForEvent()
		if ev == nil && err == nil {
			return
		}
		if ev == nil {
			continue
		}
		select {
		case s.events <- ev:
		case <-ctx.Done():
			return
		}
	}
}

func (s *dragSource) atom(name string) xproto.Atom {
	if s.atoms[name] == 0 {
		if r, err := xproto.InternAtom(s.conn, false, uint16(len(name)), name).Reply(); err == nil {
			s.atoms[name] = r.Atom
		}
	}
	return s.atoms[name]
}

func (s *dragSource) drag(x, y int) error {
	screen := xproto.Setup(s.conn).DefaultScreen(s.conn)
	win, err := xproto.NewWindowId(s.conn)
	if err != nil {
		return err
	}
	s.win = win
	err = xproto.CreateWindowChecked(s.conn, 0, win, screen.Root, -10, -10, 1, 1, 0, xproto.WindowClassInputOnly, 0, 0, nil).Check()
	if err != nil {
		return err
	}
	defer xproto.DestroyWindow(s.conn, win)
	if err := xproto.SetSelectionOwnerChecked(s.conn, win, s.atom("XdndSelection"), xproto.TimeCurrentTime).Check(); err != nil {
		return err
	}
	target, version, err := s.target(screen.Root)
	if err != nil {
		return err
	}
	own := uint32(win)
	s.send(target, "XdndEnter", own, min(version, 5)<<24, uint32(s.atom("text/uri-list")), 0, 0)
	place := uint32(x)<<16 | uint32(y)
	s.send(target, "XdndPosition", own, 0, place, xproto.TimeCurrentTime, uint32(s.atom("XdndActionCopy")))
	status, err := s.wait("XdndStatus")
	if err != nil {
		return err
	}
	if status.Data.Data32[1]&1 == 0 {
		s.send(target, "XdndLeave", own, 0, 0, 0, 0)
		return errors.New("the window does not take files")
	}
	s.send(target, "XdndDrop", own, 0, xproto.TimeCurrentTime, 0, 0)
	done, err := s.wait("XdndFinished")
	if err == nil && min(version, 5) == 5 && done.Data.Data32[1] == 0 { // GLFW puts a length where the flag belongs
		err = errors.New("the window did not take them")
	}
	return err
}

// target is the innermost window under the pointer that takes drags, by the input shapes as a real pointer sees them.
func (s *dragSource) target(root xproto.Window) (xproto.Window, uint32, error) {
	for w := root; ; {
		p, err := xproto.QueryPointer(s.conn, w).Reply()
		if err != nil {
			return 0, 0, err
		}
		if w = p.Child; w == 0 {
			return 0, 0, errors.New("no window there takes drags")
		}
		aware, err := xproto.GetProperty(s.conn, false, w, s.atom("XdndAware"), xproto.AtomAtom, 0, 1).Reply()
		if err != nil {
			return 0, 0, err
		}
		if aware.Format == 32 && len(aware.Value) >= 4 {
			return w, xgb.Get32(aware.Value), nil
		}
	}
}

func (s *dragSource) send(to xproto.Window, name string, data ...uint32) {
	ev := xproto.ClientMessageEvent{Format: 32, Window: to, Type: s.atom(name), Data: xproto.ClientMessageDataUnionData32New(data)}
	xproto.SendEvent(s.conn, false, to, 0, string(ev.Bytes()))
}

// wait waits for a message of the target and serves the files meanwhile.
func (s *dragSource) wait(name string) (xproto.ClientMessageEvent, error) {
	limit := time.NewTimer(dropLimit)
	defer limit.Stop()
	for {
		select {
		case ev, open := <-s.events:
			if !open {
				return xproto.ClientMessageEvent{}, errors.New("the X server is gone")
			}
			switch ev := ev.(type) {
			case xproto.ClientMessageEvent:
				if ev.Type == s.atom(name) {
					return ev, nil
				}
			case xproto.SelectionRequestEvent:
				s.serve(ev)
			}
		case <-limit.C:
			return xproto.ClientMessageEvent{}, fmt.Errorf("no %s within %s", name, dropLimit)
		}
	}
}

func (s *dragSource) serve(ask xproto.SelectionRequestEvent) {
	answer := xproto.SelectionNotifyEvent{Time: ask.Time, Requestor: ask.Requestor, Selection: ask.Selection, Target: ask.Target}
	if ask.Target == s.atom("text/uri-list") {
		answer.Property = ask.Property
		xproto.ChangeProperty(s.conn, xproto.PropModeReplace, ask.Requestor, ask.Property, ask.Target, 8, uint32(len(s.data)), s.data)
	}
	xproto.SendEvent(s.conn, false, ask.Requestor, 0, string(answer.Bytes()))
}
