//go:build !windows && !darwin

package platform

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/jezek/xgb/xproto"

	"yui/internal/fuzzmem"
)

// Atoms of a server that has none: only what is told apart by take has to differ.
func fuzzAtoms() (*atoms, []xproto.Atom) {
	a := &atoms{}
	properties := []*xproto.Atom{&a.wmName, &a.wmPID, &a.clientMachine, &a.wmState, &a.wmDesktop, &a.windowType, &a.frameExtents,
		&a.gtkFrameExtents, &a.wmStrut, &a.wmStrutPartial, &a.icccmState}
	values := []*xproto.Atom{&a.utf8String, &a.compoundText, &a.stateHidden, &a.stateFullscreen, &a.stateShaded, &a.typeDock,
		&a.typeNormal, &a.typeDesktop}
	list := []xproto.Atom{xproto.AtomWmName, xproto.AtomWmClass}
	for i, p := range properties {
		*p = xproto.Atom(1000 + i)
		list = append(list, *p)
	}
	for i, v := range values {
		*v = xproto.Atom(1 + i) // small, so that bytes hit them
	}
	return a, list
}

// fuzzReplies reads properties from bytes: which, format, type, length, value.
func fuzzReplies(raw []byte, list []xproto.Atom) map[xproto.Atom]*xproto.GetPropertyReply {
	replies := map[xproto.Atom]*xproto.GetPropertyReply{}
	for _, atom := range list {
		replies[atom] = &xproto.GetPropertyReply{} // a property that is not there
	}
	for len(raw) >= 4 {
		n := min(int(raw[3]), len(raw)-4)
		replies[list[int(raw[0])%len(list)]] = &xproto.GetPropertyReply{Format: raw[1], Type: xproto.Atom(raw[2]), Value: raw[4 : 4+n]}
		raw = raw[4+n:]
	}
	return replies
}

// FuzzProperties has two windows and the root say anything. What the program is told of the desktop is within its bounds:
// plain titles, frames that are none smaller than nothing, work areas inside of their monitors.
func FuzzProperties(f *testing.F) {
	f.Add([]byte("\x00\x08\x01\x05title\x01\x08\x01\x0cxterm\x00XTerm\x00"), []byte("\x07\x20\x04\x04\x06\x00\x00\x00\x0b\x20\x06\x30"+
		strings.Repeat("\x00", 8)+"\x1e\x00\x00\x00"+strings.Repeat("\x00", 28)+"\xff\x04\x00\x00"+"\x00\x00\x00\x00"), []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0}, int32(0))
	f.Add([]byte("\x02\x08\x00\x03a\xe2\x80\x05\x20\x00\x0c\x03\x00\x00\x00\x04\x00\x00\x00\x05\x00\x00\x00"), []byte("\x08\x20\x00\x10\xff\xff\xff\xff\x00\x00\x00\x80\xe8\x03\x00\x00\x00\x00\x00\x00"), []byte("\xff\xff\xff\x7f"), int32(-1))
	f.Add([]byte("\x00\x08\x02\x09\x1b%G\xff\x1b%@\x1b$"), []byte("\x0a\x20\x06\x0f"+strings.Repeat("\xff", 15)), []byte(nil), int32(1<<30))
	a, list := fuzzAtoms()
	monitors := []Monitor{{Name: "L", Rect: Rect{W: 1280, H: 800}, Primary: true}, {Name: "R", Rect: Rect{X: 1280, Y: -40, W: 1024, H: 768}}}
	f.Fuzz(func(t *testing.T, one, two, root []byte, workspace int32) {
		fuzzmem.Watch(t)
		x := &x11{atoms: a, manager: manager{listed: true}, pid: -1, hostname: "here", desktop: newDesktop(), entries: &entryIndex{closed: true},
			workers: workers{inbox: newInbox()},
			clients: map[xproto.Window]*client{}, frames: map[xproto.Window]*client{}, exclusions: exclusions{excluded: map[xproto.Window]bool{}}, monitors: monitors, scale: scaleOf(string(root))}
		values := numbers(&xproto.GetPropertyReply{Format: 32, Value: root})
		x.workspace, x.spread, x.ewmhAreas, x.gtkAreas = int(workspace), apart(values), rects(values), rects(values[min(len(values), 4):])
		x.activeID = xproto.Window(first(values) % 4)
		for i, raw := range [][]byte{one, two} {
			c := &client{id: xproto.Window(i + 1), frameRect: Rect{X: i * 1300, Y: 10, W: 400, H: 300}, inner: Rect{X: 2, Y: 20, W: 396, H: 278}}
			x.clients[c.id], x.order = c, append(x.order, c.id)
			x.take(c, len(raw)%5 != 0, fuzzReplies(raw, list))
		}
		x.publish()
		s := x.desktop.Snapshot()
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
		for _, w := range s.Windows {
			if w.Frame.W < 0 || w.Frame.H < 0 || w.Frame.W > 4000 || w.Frame.H > 4000 {
				t.Errorf("frame %v", w.Frame)
			}
			for _, text := range append([]string{w.Title, w.App}, w.Names...) {
				if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxTitle || strings.ContainsFunc(text, unicode.IsControl) {
					t.Errorf("%q", text)
				}
			}
		}
		for _, m := range s.Monitors {
			if m.WorkArea.Intersect(m.Rect) != m.WorkArea || m.WorkArea.Empty() || m.Scale < 0.5 || m.Scale > 8 {
				t.Errorf("%+v", m)
			}
		}
	})
}
