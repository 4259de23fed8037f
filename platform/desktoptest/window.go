//go:build !windows && !darwin

package desktoptest

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jezek/xgb/xproto"
)

const windowLimit = 10 * time.Second

// Window is a window of another program, or one that OpenWindow made, on the private desktop.
type Window struct {
	ID    uint32
	Title string
	d     *Desktop
	proc  *proc // nil for windows of OpenWindow
}

// Spec describes a window that the test itself draws: cheaper than a program, and able to be odd.
type Spec struct {
	Title      string // _NET_WM_NAME, as it is: may be invalid UTF-8
	LegacyName string // WM_NAME of type STRING, latin1
	Class      string // WM_CLASS class; instance is Instance
	Instance   string
	X, Y, W, H int    // of the outer frame's corner, and of the client
	PID        int    // _NET_WM_PID, none if 0
	Type       string // "_NET_WM_WINDOW_TYPE_DOCK" …, several in order of preference apart by spaces, none if empty
	Strut      []uint32
	GTKFrame   []uint32 // _GTK_FRAME_EXTENTS left, right, top, bottom: a shadow inside the client window
	NoDecor    bool     // Motif hints: no frame
	Override   bool     // override-redirect
	Colour     uint32   // 0xRRGGBB
	Workspace  *uint32
}

// OpenWindow maps a window of the test's own connection and waits until it is on the screen.
func (d *Desktop) OpenWindow(spec Spec) (*Window, error) {
	id, err := xproto.NewWindowId(d.conn)
	if err != nil {
		return nil, fmt.Errorf("open window: %w", err)
	}
	screen := xproto.Setup(d.conn).DefaultScreen(d.conn)
	override := uint32(0)
	if spec.Override {
		override = 1
	}
	if spec.W == 0 || spec.H == 0 {
		spec.W, spec.H = 300, 200
	}
	err = xproto.CreateWindowChecked(d.conn, screen.RootDepth, id, d.root, int16(spec.X), int16(spec.Y), uint16(spec.W),
		uint16(spec.H), 0, xproto.WindowClassInputOutput, screen.RootVisual,
		xproto.CwBackPixel|xproto.CwOverrideRedirect, []uint32{spec.Colour, override}).Check()
	if err != nil {
		return nil, fmt.Errorf("open window: %w", err)
	}
	d.describe(id, spec)
	w := &Window{ID: uint32(id), Title: spec.Title, d: d}
	xproto.MapWindow(d.conn, id)
	return w, w.waitMapped()
}

func (d *Desktop) describe(id xproto.Window, spec Spec) {
	set := func(name, kind string, format byte, value []byte) {
		n := uint32(len(value)) / (uint32(format) / 8)
		xproto.ChangeProperty(d.conn, xproto.PropModeReplace, id, d.atoms.get(name), d.atoms.get(kind), format, n, value)
	}
	if spec.Title != "" {
		set("_NET_WM_NAME", "UTF8_STRING", 8, []byte(spec.Title))
	}
	if spec.LegacyName != "" {
		set("WM_NAME", "STRING", 8, []byte(spec.LegacyName))
	}
	if spec.Class != "" || spec.Instance != "" {
		set("WM_CLASS", "STRING", 8, []byte(spec.Instance+"\x00"+spec.Class+"\x00"))
	}
	if spec.PID != 0 {
		set("_NET_WM_PID", "CARDINAL", 32, words(uint32(spec.PID)))
	}
	if spec.Type != "" {
		var types []uint32
		for _, name := range strings.Fields(spec.Type) {
			types = append(types, uint32(d.atoms.get(name)))
		}
		set("_NET_WM_WINDOW_TYPE", "ATOM", 32, words(types...))
	}
	if spec.Strut != nil {
		set("_NET_WM_STRUT_PARTIAL", "CARDINAL", 32, words(spec.Strut...))
	}
	if spec.GTKFrame != nil {
		set("_GTK_FRAME_EXTENTS", "CARDINAL", 32, words(spec.GTKFrame...))
	}
	if spec.NoDecor {
		set("_MOTIF_WM_HINTS", "_MOTIF_WM_HINTS", 32, words(2, 0, 0, 0, 0))
	}
	if spec.Workspace != nil {
		set("_NET_WM_DESKTOP", "CARDINAL", 32, words(*spec.Workspace))
	}
	// USPosition and USSize: else the window manager chooses the place. The gravity is north west.
	const usPosition, usSize = 1, 2
	hints := make([]uint32, 18)
	hints[0], hints[1], hints[2], hints[3], hints[4] = usPosition|usSize, uint32(spec.X), uint32(spec.Y), uint32(spec.W),
		uint32(spec.H)
	set("WM_NORMAL_HINTS", "WM_SIZE_HINTS", 32, words(hints...))
	set("WM_PROTOCOLS", "ATOM", 32, words(uint32(d.atoms.get("WM_DELETE_WINDOW"))))
}

func words(values ...uint32) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}

// OpenXTerm starts an xterm with its outer frame's corner at x, y, in columns and rows, and waits for its window.
func (d *Desktop) OpenXTerm(title string, x, y, cols, rows int) (*Window, error) {
	return d.OpenProgram("XTerm", "xterm", "-T", title, "-geometry", fmt.Sprintf("%dx%d+%d+%d", cols, rows, x, y),
		"-xrm", "XTerm*allowTitleOps: false", "-e", "sleep", "100000")
}

// OpenProgram starts a program and waits for its first new window of the class ("" for any).
func (d *Desktop) OpenProgram(class string, args ...string) (*Window, error) {
	before := map[xproto.Window]bool{}
	for _, w := range d.clients() {
		before[w] = true
	}
	p, err := d.spawn(args[0]+"-"+strconv.FormatInt(time.Now().UnixNano()%1e9, 36), nil, args...)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.apps = append(d.apps, p)
	d.mu.Unlock()
	w := &Window{d: d, proc: p}
	err = poll(context.Background(), startLimit, "a window of "+args[0], func() bool {
		for _, id := range d.clients() {
			if before[id] || (class != "" && d.classOf(id) != class) || !d.belongs(id, p) {
				continue
			}
			w.ID, w.Title = uint32(id), d.titleOf(id)
			return true
		}
		return !p.alive()
	})
	if err == nil && w.ID == 0 {
		err = fmt.Errorf("open %s: it ended without a window", args[0])
	}
	if err != nil {
		p.kill()
		return nil, err
	}
	return w, w.waitMapped()
}

// belongs compares the window's process, if it names one: several programs of a class may start at once.
func (d *Desktop) belongs(id xproto.Window, p *proc) bool {
	pid := d.cardinals(id, "_NET_WM_PID")
	return len(pid) == 0 || int(pid[0]) == p.cmd.Process.Pid
}

func (d *Desktop) titleOf(id xproto.Window) string {
	if title := d.property(id, "_NET_WM_NAME"); len(title) > 0 {
		return string(title)
	}
	return string(d.property(id, "WM_NAME"))
}

func (d *Desktop) classOf(id xproto.Window) string {
	value := d.property(id, "WM_CLASS")
	for i, b := range value {
		if b == 0 {
			rest := value[i+1:]
			for j, c := range rest {
				if c == 0 {
					return string(rest[:j])
				}
			}
			return string(rest)
		}
	}
	return ""
}

func (w *Window) waitMapped() error {
	return poll(context.Background(), windowLimit, "window to be shown", func() bool {
		attributes, err := xproto.GetWindowAttributes(w.d.conn, xproto.Window(w.ID)).Reply()
		return err != nil || attributes.MapState == xproto.MapStateViewable
	})
}

// Client is the client area in root coordinates, asked now. Zero if the window is gone.
func (w *Window) Client() Rect {
	geometry, err := xproto.GetGeometry(w.d.conn, xproto.Drawable(w.ID)).Reply()
	if err != nil {
		return Rect{}
	}
	at, err := xproto.TranslateCoordinates(w.d.conn, xproto.Window(w.ID), w.d.root, 0, 0).Reply()
	if err != nil {
		return Rect{}
	}
	return Rect{int(at.DstX), int(at.DstY), int(geometry.Width), int(geometry.Height)}
}

// Frame is the outer frame as the person sees it: the client with the decorations that the window manager tells,
// without a shadow that the program draws itself.
func (w *Window) Frame() Rect {
	r := w.Client()
	if r == (Rect{}) {
		return r
	}
	if e := w.d.cardinals(xproto.Window(w.ID), "_NET_FRAME_EXTENTS"); len(e) == 4 {
		r = r.grow(int(e[0]), int(e[1]), int(e[2]), int(e[3]))
	}
	if e := w.d.cardinals(xproto.Window(w.ID), "_GTK_FRAME_EXTENTS"); len(e) == 4 {
		r = r.grow(-int(e[0]), -int(e[1]), -int(e[2]), -int(e[3]))
	}
	return r
}

func (r Rect) grow(left, right, top, bottom int) Rect {
	return Rect{r.X - left, r.Y - top, r.W + left + right, r.H + top + bottom}
}

// MoveTo asks for the outer frame's corner at x, y; it returns when the frame stands there, or after two seconds with
// an error (a window manager may refuse places).
func (w *Window) MoveTo(x, y int) error {
	w.Nudge(x, y)
	return poll(context.Background(), 2*time.Second, fmt.Sprintf("window at %d,%d", x, y), func() bool {
		f := w.Frame()
		return f.X == x && f.Y == y
	})
}

// Nudge asks for the frame's corner at x, y and does not wait.
func (w *Window) Nudge(x, y int) {
	xproto.ConfigureWindow(w.d.conn, xproto.Window(w.ID), xproto.ConfigWindowX|xproto.ConfigWindowY,
		[]uint32{uint32(int32(x)), uint32(int32(y))})
	w.d.conn.Sync()
}

// Resize asks for a client size in pixels and waits for a change (an xterm rounds to its cells).
func (w *Window) Resize(width, height int) error {
	before := w.Client()
	xproto.ConfigureWindow(w.d.conn, xproto.Window(w.ID), xproto.ConfigWindowWidth|xproto.ConfigWindowHeight,
		[]uint32{uint32(width), uint32(height)})
	w.d.conn.Sync()
	return poll(context.Background(), 2*time.Second, "window to be resized", func() bool {
		now := w.Client()
		return now.W == width && now.H == height || now.W != before.W || now.H != before.H
	})
}

// Raise brings the window to the front and gives it the focus.
func (w *Window) Raise() { w.d.ask(xproto.Window(w.ID), "_NET_ACTIVE_WINDOW", 2) }

// Minimise asks the window manager to iconify the window.
func (w *Window) Minimise() { w.d.ask(xproto.Window(w.ID), "WM_CHANGE_STATE", 3) }

// Restore shows a minimised window again.
func (w *Window) Restore() { w.Raise() }

// Fullscreen switches the state by the window manager.
func (w *Window) Fullscreen(on bool) { w.setState(on, "_NET_WM_STATE_FULLSCREEN") }

// Maximise switches both directions.
func (w *Window) Maximise(on bool) {
	w.setState(on, "_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT")
}

func (w *Window) setState(on bool, names ...string) {
	data := []uint32{0, 0, 0, 2}
	if on {
		data[0] = 1
	}
	for i, name := range names {
		data[1+i] = uint32(w.d.atoms.get(name))
	}
	w.d.ask(xproto.Window(w.ID), "_NET_WM_STATE", data...)
}

// SendTo puts the window on another workspace, counted from 0.
func (w *Window) SendTo(workspace int) {
	w.d.ask(xproto.Window(w.ID), "_NET_WM_DESKTOP", uint32(workspace), 2)
}

// SetTitle changes _NET_WM_NAME to these bytes.
func (w *Window) SetTitle(title string) {
	xproto.ChangeProperty(w.d.conn, xproto.PropModeReplace, xproto.Window(w.ID), w.d.atoms.get("_NET_WM_NAME"),
		w.d.atoms.get("UTF8_STRING"), 8, uint32(len(title)), []byte(title))
	w.d.conn.Sync()
}

// Close ends the window at once: its program is killed, a window of OpenWindow destroyed.
func (w *Window) Close() {
	if w.proc != nil {
		w.proc.kill()
		return
	}
	xproto.DestroyWindow(w.d.conn, xproto.Window(w.ID))
	w.d.conn.Sync()
}

// PID is the process of the window's program, 0 for windows of OpenWindow.
func (w *Window) PID() int {
	if w.proc == nil {
		return 0
	}
	return w.proc.cmd.Process.Pid
}

// Active is the window that has the keyboard as the window manager tells it, 0 for none.
func (d *Desktop) Active() uint32 { return uint32(d.window32(d.root, "_NET_ACTIVE_WINDOW")) }

// SwitchWorkspace shows another workspace, counted from 0.
func (d *Desktop) SwitchWorkspace(workspace int) {
	d.ask(d.root, "_NET_CURRENT_DESKTOP", uint32(workspace))
}

// WindowAt is the frontmost top level window (a frame) under a point, 0 for the bare root.
func (d *Desktop) WindowAt(x, y int) uint32 {
	reply, err := xproto.TranslateCoordinates(d.conn, d.root, d.root, int16(x), int16(y)).Reply()
	if err != nil {
		return 0
	}
	return uint32(reply.Child)
}
