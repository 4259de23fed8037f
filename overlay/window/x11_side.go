//go:build linux || freebsd || netbsd || openbsd

package window

import (
	"encoding/binary"
	"fmt"
	"image"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xproto"

	"yui/platform/xconn"
)

// xside is our own connection to the X server beside GLFW's: window properties, shapes and the pointer. Requests that
// need no answer are sent on the main thread; answers are waited for in goroutines only.
type xside struct {
	log  *slog.Logger
	conn *xgb.Conn
	root xproto.Window

	atoms map[string]xproto.Atom

	ask     chan struct{} // one pointer query at a time
	pointer atomic.Int64  // x<<32 | y, of the last answer
	moved   atomic.Int64  // when it last changed, UnixNano

	done chan struct{} // closed when the server is gone
}

func openX(log *slog.Logger) (*xside, error) {
	conn, err := xconn.Dial("")
	if err != nil {
		return nil, fmt.Errorf("open display: %w", err)
	}
	if !xconn.Has(conn, xconn.Shape) {
		conn.Close()
		return nil, fmt.Errorf("open display: the X server has no SHAPE extension")
	}
	x := &xside{log: log, conn: conn, root: xproto.Setup(conn).DefaultScreen(conn).Root, atoms: map[string]xproto.Atom{},
		ask: make(chan struct{}, 1), done: make(chan struct{})}
	if err := x.intern(wantedAtoms...); err != nil {
		conn.Close()
		return nil, err
	}
	x.forgetDeadManager()
	go x.read()
	go x.watchPointer()
	return x, nil
}

// windowIn waits for a property that names a window; ok is false where there is none.
func windowIn(c xproto.GetPropertyCookie) (w xproto.Window, ok bool) {
	r, err := c.Reply()
	if err != nil || r == nil || r.Format != 32 || len(r.Value) < 4 {
		return 0, false
	}
	return xproto.Window(binary.LittleEndian.Uint32(r.Value)), true
}

// forgetDeadManager takes back the root's word for a window manager that was killed. GLFW 3.3 asks such a window for a
// property, gets an error, and leaves its error handler grabbed: its next grab ends the process by an assertion.
func (x *xside) forgetDeadManager() {
	const name = "_NET_SUPPORTING_WM_CHECK"
	if x.intern(name) != nil {
		return
	}
	window := func(of xproto.Window) (xproto.Window, bool) {
		return windowIn(xproto.GetProperty(x.conn, false, of, x.atoms[name], xproto.AtomWindow, 0, 1))
	}
	manager, told := window(x.root)
	if !told {
		return
	}
	if own, alive := window(manager); !alive || own != manager {
		x.log.Info("the window manager is gone; what it left on the root window is removed")
		xproto.DeleteProperty(x.conn, x.root, x.atoms[name])
		x.conn.Sync()
	}
}

// read drains the connection. Errors of single requests are ordinary (a window that died); nil, nil for ever means that
// the server is gone (docs/rules/desktop.md#faults-of-x).
func (x *xside) read() {
	defer close(x.done)
	for {
		ev, err := x.conn.WaitForEvent()
		if ev == nil && err == nil {
			return
		}
		if err != nil {
			x.log.Debug("x request failed", "error", err)
		}
	}
}

func (x *xside) watchPointer() {
	for {
		select {
		case <-x.done:
			return
		case <-x.ask:
		}
		p, err := xproto.QueryPointer(x.conn, x.root).Reply()
		if err != nil {
			continue
		}
		now := int64(p.RootX)<<32 | int64(uint32(p.RootY))
		pause := 30 * time.Millisecond // no oftener than it is drawn
		if x.pointer.Swap(now) != now {
			x.moved.Store(time.Now().UnixNano())
		} else if time.Since(time.Unix(0, x.moved.Load())) > 2*time.Second {
			pause = 120 * time.Millisecond // a glance is late by no more than a living one's
		}
		select {
		case <-x.done:
			return
		case <-time.After(pause):
		}
	}
}

// lastPointer returns where the pointer was at the last answer and since when it has rested, and asks anew.
func (x *xside) lastPointer() (p image.Point, rested time.Duration) {
	select {
	case x.ask <- struct{}{}:
	default:
	}
	v := x.pointer.Load()
	return image.Pt(int(v>>32), int(int32(v))), time.Since(time.Unix(0, x.moved.Load()))
}

func (x *xside) close() {
	x.conn.Close()
	select {
	case <-x.done:
	case <-time.After(time.Second):
	}
}

var wantedAtoms = []string{
	"_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_WINDOW_TYPE_UTILITY",
	"_NET_WM_STATE", "_NET_WM_STATE_ABOVE", "_NET_WM_STATE_SKIP_TASKBAR", "_NET_WM_STATE_SKIP_PAGER", "_NET_WM_STATE_STICKY",
	"_NET_WM_DESKTOP", "_NET_CURRENT_DESKTOP", "_NET_WM_USER_TIME", "_NET_ACTIVE_WINDOW",
}

func (x *xside) intern(names ...string) error {
	cookies := make([]xproto.InternAtomCookie, len(names))
	for i, n := range names {
		cookies[i] = xproto.InternAtom(x.conn, false, uint16(len(n)), n)
	}
	for i, n := range names {
		r, err := cookies[i].Reply()
		if err != nil {
			return fmt.Errorf("intern atom %s: %w", n, err)
		}
		x.atoms[n] = r.Atom
	}
	return nil
}

func (x *xside) set(w xproto.Window, prop string, typ xproto.Atom, values ...uint32) {
	b := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
	xproto.ChangeProperty(x.conn, xproto.PropModeReplace, w, x.atoms[prop], typ, 32, uint32(len(values)), b)
}

// dress writes what a window is. A hide and show loses the whole _NET_WM_STATE, so it is written before each show.
func (x *xside) dress(w xproto.Window, kind Kind, workspaces bool) {
	typ, focus := "_NET_WM_WINDOW_TYPE_DOCK", uint32(0)
	if kind == Talking {
		typ, focus = "_NET_WM_WINDOW_TYPE_UTILITY", 1
	}
	x.set(w, "_NET_WM_WINDOW_TYPE", xproto.AtomAtom, uint32(x.atoms[typ]))
	states := []uint32{uint32(x.atoms["_NET_WM_STATE_ABOVE"]), uint32(x.atoms["_NET_WM_STATE_SKIP_TASKBAR"]), uint32(x.atoms["_NET_WM_STATE_SKIP_PAGER"])}
	if workspaces {
		states = append(states, uint32(x.atoms["_NET_WM_STATE_STICKY"]))
		x.set(w, "_NET_WM_DESKTOP", xproto.AtomCardinal, 0xFFFFFFFF)
	} else {
		xproto.DeleteProperty(x.conn, w, x.atoms["_NET_WM_DESKTOP"]) // the window manager puts it where the person is
	}
	x.set(w, "_NET_WM_STATE", xproto.AtomAtom, states...)
	x.set(w, "_NET_WM_USER_TIME", xproto.AtomCardinal, 0) // showing it must not take the focus
	const inputHint, stateHint, normalState = 1, 2, 1
	xproto.ChangeProperty(x.conn, xproto.PropModeReplace, w, xproto.AtomWmHints, xproto.AtomWmHints, 32, 9,
		words(inputHint|stateHint, focus, normalState, 0, 0, 0, 0, 0, 0))
}

// mapWait is how long a window may take to be there after it was mapped; what is drawn before is lost.
const mapWait = 100 * time.Millisecond

// mapped maps a window and waits until it is there. A window manager may let it wait, since another workspace is shown; GLFW,
// which looks for an event that never comes then, would wait for ever.
func (x *xside) mapped(w xproto.Window) {
	xproto.MapWindow(x.conn, w)
	for end := time.Now().Add(mapWait); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if a, err := xproto.GetWindowAttributes(x.conn, w).Reply(); err != nil || a.MapState == xproto.MapStateViewable {
			return
		}
	}
}

// spread asks the window manager to put a window that it knows on all workspaces, or on the present one.
func (x *xside) spread(w xproto.Window, everywhere bool) {
	const remove, add, program = 0, 1, 1
	change, desktop := uint32(remove), uint32(0)
	if everywhere {
		change, desktop = add, 0xFFFFFFFF
	} else if now, err := xproto.GetProperty(x.conn, false, x.root, x.atoms["_NET_CURRENT_DESKTOP"], xproto.AtomCardinal, 0, 1).Reply(); err == nil && len(now.Value) == 4 {
		desktop = binary.LittleEndian.Uint32(now.Value)
	}
	x.tell(w, "_NET_WM_STATE", change, uint32(x.atoms["_NET_WM_STATE_STICKY"]), 0, program)
	x.tell(w, "_NET_WM_DESKTOP", desktop, program)
}

// tell sends the window manager a message about a window.
func (x *xside) tell(w xproto.Window, message string, data ...uint32) {
	e := xproto.ClientMessageEvent{Format: 32, Window: w, Type: x.atoms[message],
		Data: xproto.ClientMessageDataUnionData32New(append(data, make([]uint32, 5-len(data))...))}
	xproto.SendEvent(x.conn, false, x.root, xproto.EventMaskSubstructureNotify|xproto.EventMaskSubstructureRedirect, string(e.Bytes()))
}

func words(values ...uint32) []byte {
	b := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
	return b
}

// setShape limits a window to rectangles: kind SkInput for clicks, SkBounding for what is seen. Nil lifts the limit.
func (x *xside) setShape(w xproto.Window, kind shape.Kind, rects []image.Rectangle) {
	if rects == nil {
		shape.Mask(x.conn, shape.SoSet, kind, w, 0, 0, xproto.PixmapNone)
		return
	}
	list := make([]xproto.Rectangle, len(rects))
	for i, r := range rects {
		list[i] = xproto.Rectangle{X: int16(r.Min.X), Y: int16(r.Min.Y), Width: uint16(r.Dx()), Height: uint16(r.Dy())}
	}
	shape.Rectangles(x.conn, shape.SoSet, kind, xproto.ClipOrderingYXBanded, w, 0, 0, list)
}

// background says what the server puts into a window that is shown before anything is drawn: nothing at all (empty), or
// whatever lies in its memory, which does not blink when the window changes its size.
func (x *xside) background(w xproto.Window, empty bool) {
	if empty {
		xproto.ChangeWindowAttributes(x.conn, w, xproto.CwBackPixel, []uint32{0})
		return
	}
	xproto.ChangeWindowAttributes(x.conn, w, xproto.CwBackPixmap, []uint32{xproto.BackPixmapNone})
}

// raise puts an override-redirect window on top.
func (x *xside) raise(w xproto.Window) {
	xproto.ConfigureWindow(x.conn, w, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove})
}

func (x *xside) overrideRedirect(w xproto.Window) {
	xproto.ChangeWindowAttributes(x.conn, w, xproto.CwOverrideRedirect, []uint32{1})
}

// pointerNow asks for the pointer and whether its first button is held. It waits for the server's answer: for the rare
// moments of a press, and for drags.
func (x *xside) pointerNow() (at image.Point, held bool) {
	r, err := xproto.QueryPointer(x.conn, x.root).Reply()
	if err != nil {
		at, _ := x.lastPointer()
		return at, false
	}
	return image.Pt(int(r.RootX), int(r.RootY)), r.Mask&xproto.ButtonMask1 != 0
}
