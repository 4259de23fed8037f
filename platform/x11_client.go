//go:build !windows && !darwin

package platform

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// client is a managed window: what the server told of it last.
type client struct {
	id    xproto.Window
	frame xproto.Window // the child of the root that holds it: the window manager's frame, or itself

	frameRect Rect // of frame, its border left out; root coordinates
	inner     Rect // client inside frame: offset and size
	extents   edges
	shadow    edges
	struts    []uint32 // 4 or 12 numbers

	app, title string
	names      []string
	categories []string
	pid        int
	workspace  int
	kind       xproto.Atom
	mapped     bool
	normal     bool      // WM_STATE of ICCCM says that it is meant to be seen
	found      time.Time // since when it is known
	unmapped   time.Time // since when it is not mapped
	minimised  bool
	fullscreen bool
	shaded     bool
}

type edges struct{ left, right, top, bottom int }

func readEdges(values []uint32) edges {
	if len(values) < 4 {
		return edges{}
	}
	var e [4]int
	for i := range e {
		// Nobody has decorations of that size: a broken property must not throw a frame off the desktop.
		if e[i] = int(int32(values[i])); e[i] < 0 || e[i] > 1000 {
			return edges{}
		}
	}
	return edges{e[0], e[1], e[2], e[3]}
}

// outer is the frame as the person sees it.
func (c *client) outer() Rect {
	if c.shaded {
		return c.frameRect // the client is rolled up: only the frame tells
	}
	e, s := c.extents, c.shadow
	return Rect{
		X: c.frameRect.X + c.inner.X - e.left + s.left,
		Y: c.frameRect.Y + c.inner.Y - e.top + s.top,
		W: max(c.inner.W+e.left+e.right-s.left-s.right, 0),
		H: max(c.inner.H+e.top+e.bottom-s.top-s.bottom, 0),
	}
}

// remapGrace is how long a window that is meant to be seen may be unmapped and still count as seen: window managers
// unmap it for a moment while they change its frame, and nobody sitting on it should fall for that.
const remapGrace = 200 * time.Millisecond

// visible reports whether the person may see a window. Managers with a workspace on each monitor show several at once, and
// name the one with the focus: there a window of another workspace that is mapped is seen. Others leave hidden windows
// mapped and cover or move them; only one that was observed to unmap what it hides, or that says that its workspaces have
// different places, is believed.
func (x *x11) visible(c *client) bool {
	switch {
	case c.minimised:
		return false
	case x.elsewhere(c):
		return (x.unmaps || x.spread) && c.mapped
	}
	return c.mapped || c.shaded || c.normal && time.Since(c.unmapped) < remapGrace
}

// elsewhere tells that a window is on another workspace than the current one.
func (x *x11) elsewhere(c *client) bool { return c.workspace >= 0 && c.workspace != x.workspace }

// observe learns from the windows whether the window manager unmaps what it hides.
func (x *x11) observe() {
	for _, c := range x.clients {
		if x.listed && x.elsewhere(c) && !c.minimised && !c.mapped && !c.shaded &&
			time.Since(c.found) >= remapGrace && time.Since(c.unmapped) >= remapGrace {
			x.unmaps = true // until another window manager comes
		}
	}
}

func (c *client) window(active bool) Window {
	return Window{ID: WindowID(c.id), App: c.app, Names: c.names, Categories: c.categories, Title: c.title, PID: c.pid,
		Frame: c.outer(), Workspace: c.workspace, Minimised: c.minimised, Fullscreen: c.fullscreen, Active: active,
		decorated: c.extents != edges{} || c.shadow != edges{}}
}

// reading is the requests of one client in flight: all are sent before the first answer is awaited.
type reading struct {
	c          *client
	attributes xproto.GetWindowAttributesCookie
	props      map[xproto.Atom]xproto.GetPropertyCookie
}

// readAll asks everything about these clients, in as many round trips as the windows lie deep, whatever their number.
// Clients that died meanwhile are dropped.
func (x *x11) readAll(list []*client) {
	a := x.atoms
	properties := []struct {
		atom  xproto.Atom
		words uint32
	}{
		{a.wmName, titleWords}, {xproto.AtomWmName, titleWords}, {xproto.AtomWmClass, nameWords}, {a.wmPID, 1},
		{a.clientMachine, nameWords}, {a.wmState, 64}, {a.wmDesktop, 1}, {a.windowType, 16}, {a.frameExtents, 4},
		{a.gtkFrameExtents, 4}, {a.wmStrut, 4}, {a.wmStrutPartial, 12}, {a.icccmState, 2},
	}
	readings := make([]reading, 0, len(list))
	for _, c := range list {
		r := reading{c, xproto.GetWindowAttributes(x.conn, c.id), make(map[xproto.Atom]xproto.GetPropertyCookie, len(properties))}
		for _, p := range properties {
			r.props[p.atom] = ask(x.conn, c.id, p.atom, p.words)
		}
		readings = append(readings, r)
	}
	var alive []*client
	for _, r := range readings {
		if err := x.collect(r); err != nil {
			x.forget(r.c.id)
			continue
		}
		alive = append(alive, r.c)
	}
	x.locate(alive)
}

func (x *x11) collect(r reading) error {
	attributes, err := r.attributes.Reply()
	replies := make(map[xproto.Atom]*xproto.GetPropertyReply, len(r.props))
	for atom, cookie := range r.props { // every reply is fetched, otherwise it stays in the connection
		reply, propErr := cookie.Reply()
		if propErr != nil {
			err = propErr
		}
		replies[atom] = reply
	}
	if err != nil {
		return err
	}
	x.take(r.c, attributes.MapState == xproto.MapStateViewable, replies)
	return nil
}

// take fills a client from the answers of the server, whose values are whatever another program wrote.
func (x *x11) take(c *client, mapped bool, replies map[xproto.Atom]*xproto.GetPropertyReply) {
	a := x.atoms
	c.normal = x.listed && first(numbers(replies[a.icccmState])) == 1
	x.setMapped(c, mapped)
	c.kind = a.kind(numbers(replies[a.windowType]))
	c.extents, c.shadow = readEdges(numbers(replies[a.frameExtents])), readEdges(numbers(replies[a.gtkFrameExtents]))
	if !x.listed {
		c.extents = edges{} // a dead window manager leaves its property
	}
	if c.struts = numbers(replies[a.wmStrutPartial]); len(c.struts) < 12 {
		c.struts = numbers(replies[a.wmStrut])
	}
	c.workspace = 0
	if desktop := numbers(replies[a.wmDesktop]); len(desktop) > 0 {
		c.workspace = int(int32(desktop[0])) // 0xFFFFFFFF is all of them
	}
	c.minimised, c.fullscreen, c.shaded = false, false, false
	for _, state := range numbers(replies[a.wmState]) {
		switch xproto.Atom(state) {
		case a.stateHidden:
			c.minimised = true
		case a.stateFullscreen:
			c.fullscreen = true
		case a.stateShaded:
			c.shaded = true
		}
	}
	c.title = x.title(replies[a.wmName], replies[xproto.AtomWmName])
	c.pid = 0
	if machine := replies[a.clientMachine]; len(machine.Value) == 0 || nameText(machine.Value) == x.hostname {
		c.pid = int(int32(first(numbers(replies[a.wmPID]))))
	}
	c.nameBy(replies[xproto.AtomWmClass].Value)
	c.categories = x.entries.categories(c.names)
}

func (x *x11) setMapped(c *client, mapped bool) {
	if c.mapped && !mapped && c.normal {
		c.unmapped = time.Now()
		id := c.id
		time.AfterFunc(remapGrace, func() { x.inbox.again(id) })
	}
	c.mapped = mapped
}

// nameBy fills the names: class, instance, executable (docs/rules/body.md#names-of-programs).
func (c *client) nameBy(wmClass []byte) {
	instance, class := classNames(wmClass)
	c.names = nil
	for _, name := range []string{class, instance, executable(c.pid)} {
		if name != "" && !slices.Contains(c.names, name) {
			c.names = append(c.names, name)
		}
	}
	c.app = ""
	if len(c.names) > 0 {
		c.app = c.names[0]
	}
}

// executable is the base name of a process's program; "" if it cannot be read (another user's, or gone).
func executable(pid int) string {
	if pid <= 0 {
		return ""
	}
	if path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil {
		return cleanText([]byte(filepath.Base(strings.TrimSuffix(path, " (deleted)"))))
	}
	if comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err == nil {
		return cleanText(comm)
	}
	return ""
}

func (x *x11) title(modern, legacy *xproto.GetPropertyReply) string {
	if modern != nil && len(modern.Value) > 0 {
		return cleanText(modern.Value)
	}
	if legacy == nil {
		return ""
	}
	switch legacy.Type {
	case x.atoms.utf8String:
		return cleanText(legacy.Value)
	case x.atoms.compoundText:
		return cleanText(compoundText(legacy.Value))
	}
	return nameText(legacy.Value)
}

// readTitles refreshes the titles alone: terminals change theirs often.
func (x *x11) readTitles(list []*client) {
	type pair struct{ modern, legacy xproto.GetPropertyCookie }
	cookies := make([]pair, len(list))
	for i, c := range list {
		cookies[i] = pair{ask(x.conn, c.id, x.atoms.wmName, titleWords), ask(x.conn, c.id, xproto.AtomWmName, titleWords)}
	}
	for i, c := range list {
		modern, err := cookies[i].modern.Reply()
		legacy, err2 := cookies[i].legacy.Reply()
		if err != nil || err2 != nil {
			x.forget(c.id)
			continue
		}
		c.title = x.title(modern, legacy)
	}
}

// locate finds each client's frame and measures. The client is measured inside its frame and only the frame on the
// root: so the sum is right even when the window moves between two answers, and a later ConfigureNotify of the frame
// (the only event that tells root coordinates) moves everything with it.
func (x *x11) locate(list []*client) {
	found := make(map[*client]xproto.Window, len(list))
	for _, c := range list {
		found[c] = c.id
	}
	for open := list; len(open) > 0; {
		cookies := make([]xproto.QueryTreeCookie, len(open))
		for i, c := range open {
			cookies[i] = xproto.QueryTree(x.conn, found[c])
		}
		var next []*client
		for i, c := range open {
			reply, err := cookies[i].Reply()
			switch {
			case err != nil:
				x.lost(c, err)
				delete(found, c)
			case reply.Parent != x.root && reply.Parent != 0:
				found[c] = reply.Parent
				next = append(next, c)
			}
		}
		open = next
	}
	var alive []*client
	for c, frame := range found {
		if x.clients[c.id] != c {
			continue
		}
		if c.frame != frame || x.frames[frame] != c {
			if x.frames[c.frame] == c {
				delete(x.frames, c.frame)
			}
			c.frame = frame
			x.frames[frame] = c
			x.reframed = true
		}
		alive = append(alive, c)
	}
	x.measure(alive)
}

func (x *x11) measure(list []*client) {
	type trip struct {
		client, frame xproto.GetGeometryCookie
		offset        xproto.TranslateCoordinatesCookie
	}
	trips := make([]trip, len(list))
	for i, c := range list {
		trips[i] = trip{xproto.GetGeometry(x.conn, xproto.Drawable(c.id)),
			xproto.GetGeometry(x.conn, xproto.Drawable(c.frame)),
			xproto.TranslateCoordinates(x.conn, c.id, c.frame, 0, 0)}
	}
	for i, c := range list {
		inner, err := trips[i].client.Reply()
		frame, err2 := trips[i].frame.Reply()
		offset, err3 := trips[i].offset.Reply()
		if err := firstError(err, err2, err3); err != nil {
			x.lost(c, err)
			continue
		}
		c.inner = Rect{int(offset.DstX), int(offset.DstY), int(inner.Width), int(inner.Height)}
		border := int(frame.BorderWidth)
		c.frameRect = Rect{int(frame.X) + border, int(frame.Y) + border, int(frame.Width), int(frame.Height)}
	}
}

// lost handles an error of a request about a client. If the error names the client, it is gone. If it names the
// frame, the window manager took the client out of it between two requests (metacity does so for full screen): what
// was known stays until the ReparentNotify that is on its way.
func (x *x11) lost(c *client, err error) {
	var xerr xgb.Error
	if errors.As(err, &xerr) && xerr.BadId() != uint32(c.id) {
		return
	}
	x.forget(c.id)
}

// forget drops a client that is gone or cannot be asked any more.
func (x *x11) forget(id xproto.Window) {
	if c := x.clients[id]; c != nil {
		if x.frames[c.frame] == c {
			delete(x.frames, c.frame)
		}
		delete(x.clients, id)
	}
}

// watch asks for the client's events. An error is an ordinary one: the window is gone, and reading it will tell.
func watch(conn *xgb.Conn, id xproto.Window) {
	xproto.ChangeWindowAttributes(conn, id, xproto.CwEventMask,
		[]uint32{xproto.EventMaskStructureNotify | xproto.EventMaskPropertyChange})
}

// firstError is the first error of several, nil if none is.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
