//go:build !windows && !darwin

package desktoptest

import (
	"encoding/binary"
	"fmt"
	"image"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// Rect is a rectangle of the root window in pixels.
type Rect struct{ X, Y, W, H int }

func (r Rect) String() string { return fmt.Sprintf("%dx%d+%d+%d", r.W, r.H, r.X, r.Y) }

type atomCache struct {
	conn *xgb.Conn
	mu   sync.Mutex
	ids  map[string]xproto.Atom
}

func newAtomCache(conn *xgb.Conn) *atomCache {
	return &atomCache{conn: conn, ids: map[string]xproto.Atom{}}
}

func (a *atomCache) get(name string) xproto.Atom {
	a.mu.Lock()
	defer a.mu.Unlock()
	if id, ok := a.ids[name]; ok {
		return id
	}
	reply, err := xproto.InternAtom(a.conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0
	}
	a.ids[name] = reply.Atom
	return reply.Atom
}

// property reads a property's bytes; none if the window or the property is gone.
func (d *Desktop) property(w xproto.Window, name string) []byte {
	reply, err := xproto.GetProperty(d.conn, false, w, d.atoms.get(name), xproto.GetPropertyTypeAny, 0, 1<<16).Reply()
	if err != nil {
		return nil
	}
	return reply.Value
}

func (d *Desktop) cardinals(w xproto.Window, name string) []uint32 {
	value := d.property(w, name)
	out := make([]uint32, len(value)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(value[i*4:])
	}
	return out
}

func (d *Desktop) window32(w xproto.Window, name string) xproto.Window {
	if values := d.cardinals(w, name); len(values) > 0 {
		return xproto.Window(values[0])
	}
	return 0
}

// clients is the window manager's list. (xfwm4 leaves _NET_CLIENT_LIST_STACKING out until the stacking changes first.)
func (d *Desktop) clients() []xproto.Window {
	var out []xproto.Window
	for _, id := range d.cardinals(d.root, "_NET_CLIENT_LIST") {
		out = append(out, xproto.Window(id))
	}
	return out
}

// ask sends a client message about w to the window manager, as a pager does.
func (d *Desktop) ask(w xproto.Window, message string, data ...uint32) {
	words := make([]uint32, 5)
	copy(words, data)
	event := xproto.ClientMessageEvent{Format: 32, Window: w, Type: d.atoms.get(message),
		Data: xproto.ClientMessageDataUnionData32New(words)}
	xproto.SendEvent(d.conn, false, d.root,
		xproto.EventMaskSubstructureRedirect|xproto.EventMaskSubstructureNotify, string(event.Bytes()))
	d.conn.Sync()
}

// RootRect is the whole root window.
func (d *Desktop) RootRect() Rect {
	geometry, err := xproto.GetGeometry(d.conn, xproto.Drawable(d.root)).Reply()
	if err != nil {
		return Rect{}
	}
	return Rect{W: int(geometry.Width), H: int(geometry.Height)}
}

// Screenshot is the whole root window as the person sees it.
func (d *Desktop) Screenshot() (*image.RGBA, error) { return d.ScreenshotOf(d.RootRect()) }

// ScreenshotOf is a part of the root window; the part outside of it is cut off.
func (d *Desktop) ScreenshotOf(r Rect) (*image.RGBA, error) {
	root := d.RootRect()
	cut := image.Rect(r.X, r.Y, r.X+r.W, r.Y+r.H).Intersect(image.Rect(0, 0, root.W, root.H))
	if cut.Empty() {
		return nil, fmt.Errorf("take screenshot: %v is outside of the screen %v", r, root)
	}
	reply, err := xproto.GetImage(d.conn, xproto.ImageFormatZPixmap, xproto.Drawable(d.root), int16(cut.Min.X),
		int16(cut.Min.Y), uint16(cut.Dx()), uint16(cut.Dy()), 0xffffffff).Reply()
	if err != nil {
		return nil, fmt.Errorf("take screenshot: %w", err)
	}
	picture := image.NewRGBA(image.Rect(0, 0, cut.Dx(), cut.Dy()))
	if len(reply.Data) < len(picture.Pix) {
		return nil, fmt.Errorf("take screenshot: %d bytes for %v", len(reply.Data), cut)
	}
	for i := 0; i < len(picture.Pix); i += 4 {
		picture.Pix[i], picture.Pix[i+1], picture.Pix[i+2], picture.Pix[i+3] =
			reply.Data[i+2], reply.Data[i+1], reply.Data[i], 0xff
	}
	return picture, nil
}
