//go:build !windows && !darwin

package platform

import (
	"maps"
	"slices"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// readManager finds the window manager by EWMH: the root names a check window, which names itself. A killed window
// manager leaves its properties on the root, but its check window is gone.
func (x *x11) readManager() {
	x.manager.name, x.manager.check, x.listed, x.unmaps = "", 0, false, false
	defer x.rereadAll() // decorations come and go with it
	check := xproto.Window(first(x.rootNumbers(x.atoms.supportingWMCheck)))
	if check == 0 {
		return
	}
	self, err := ask(x.conn, check, x.atoms.supportingWMCheck, 1).Reply()
	if err != nil || xproto.Window(first(numbers(self))) != check {
		return
	}
	watch(x.conn, check) // its end is the window manager's end
	name, err := ask(x.conn, check, x.atoms.wmName, nameWords).Reply()
	if err != nil {
		return
	}
	x.manager.check, x.listed = check, true
	if x.manager.name = nameText(name.Value); x.manager.name == "" {
		x.manager.name = "unnamed"
	}
}

func (x *x11) rereadAll() { x.inbox.again(slices.Collect(maps.Keys(x.clients))...) }

func (x *x11) readCompositor() {
	owner, err := xproto.GetSelectionOwner(x.conn, x.atoms.compositorSelection).Reply()
	x.compositor = err == nil && owner.Owner != 0
}

func (x *x11) readRoot() {
	x.workspace = int(int32(first(x.rootNumbers(x.atoms.currentDesktop))))
	x.activeID = xproto.Window(first(x.rootNumbers(x.atoms.activeWindow)))
	x.spread = apart(x.rootNumbers(x.atoms.desktopViewport))
}

// apart tells that not all of the workspaces' corners, x and y in turn, are the same.
func apart(corners []uint32) bool {
	for i := 2; i+1 < len(corners); i += 2 {
		if corners[i] != corners[0] || corners[i+1] != corners[1] {
			return true
		}
	}
	return false
}

// readList brings the clients in line with the window manager's list: new ones are watched, then read.
func (x *x11) readList() {
	ids := x.listClients()
	listed := make(map[xproto.Window]bool, len(ids))
	var fresh []*client
	for _, id := range ids {
		listed[id] = true
		if x.clients[id] == nil {
			c := &client{id: id, frame: id, found: time.Now()}
			x.clients[id] = c
			fresh = append(fresh, c)
			watch(x.conn, id)
		}
	}
	for id := range x.clients {
		if !listed[id] {
			x.forget(id)
		}
	}
	for _, c := range x.clients { // .desktop files that were read meanwhile
		c.categories = x.entries.categories(c.names)
	}
	x.readAll(fresh)
	if len(fresh) > 0 { // what is not mapped by then is hidden
		time.AfterFunc(remapGrace, func() { x.inbox.add(0) })
	}
}

func (x *x11) listClients() []xproto.Window {
	var ids []xproto.Window
	if x.listed {
		for _, id := range x.rootNumbers(x.atoms.clientList) {
			ids = append(ids, xproto.Window(id))
		}
		return ids
	}
	return x.bareClients()
}

// bareClients stands in for the list if no window manager with EWMH runs: shown children of the root that ask to be
// managed, or the windows with WM_STATE inside of them.
func (x *x11) bareClients() []xproto.Window {
	tree, err := xproto.QueryTree(x.conn, x.root).Reply()
	if err != nil {
		return nil
	}
	attributes := make([]xproto.GetWindowAttributesCookie, len(tree.Children))
	for i, id := range tree.Children {
		attributes[i] = xproto.GetWindowAttributes(x.conn, id)
	}
	var ids []xproto.Window
	for i, id := range tree.Children {
		a, err := attributes[i].Reply()
		if err != nil || a.OverrideRedirect || a.Class == xproto.WindowClassInputOnly || a.MapState != xproto.MapStateViewable {
			continue
		}
		ids = append(ids, x.managedIn(id))
	}
	return ids
}

// managedIn is the window with WM_STATE among a frame's children, otherwise the window itself.
func (x *x11) managedIn(frame xproto.Window) xproto.Window {
	tree, err := xproto.QueryTree(x.conn, frame).Reply()
	if err != nil {
		return frame
	}
	for _, child := range tree.Children {
		if state, err := ask(x.conn, child, x.atoms.icccmState, 2).Reply(); err == nil && len(numbers(state)) > 0 {
			return child
		}
	}
	return frame
}

// readStack orders the clients by the real stacking of their frames. (_NET_CLIENT_LIST_STACKING says the same later,
// and xfwm4 leaves it out until something is raised.)
func (x *x11) readStack() {
	tree, err := xproto.QueryTree(x.conn, x.root).Reply()
	if err != nil {
		return
	}
	now := make([]xproto.Window, 0, len(x.order))
	for _, id := range tree.Children {
		if c := x.frames[id]; c != nil {
			now = append(now, c.id)
		}
	}
	x.order = keepMissing(x.order, now, func(id xproto.Window) bool { return x.clients[id] != nil })
}

// keepMissing puts clients that the new order lacks after the one they followed in the old order: their frame is being
// exchanged, and they come back with the next event.
func keepMissing(old, now []xproto.Window, alive func(xproto.Window) bool) []xproto.Window {
	for i, id := range old {
		if !alive(id) || slices.Contains(now, id) {
			continue
		}
		at := 0
		for _, below := range slices.Backward(old[:i]) {
			if at = slices.Index(now, below) + 1; at > 0 {
				break
			}
		}
		now = slices.Insert(now, at, id)
	}
	return now
}

// front is who is in front, and since when.
type front struct {
	window xproto.Window // the last one, also while nobody is in front
	app    string
	since  time.Time
	lost   time.Time // since when nobody is in front; zero while somebody is
}

// focusGap is how long nobody may be in front without the program counting as left: window managers pass the focus in
// two steps, from one window to none to the next.
const focusGap = 3 * time.Second

func (f *front) leave(now time.Time) {
	if f.lost.IsZero() {
		f.lost = now
	}
}

func (f *front) enter(window xproto.Window, app string, now time.Time) {
	if app != f.app || f.since.IsZero() || f.left(now) {
		f.since = now
	}
	f.window, f.app, f.lost = window, app, time.Time{}
}

// left tells that nobody has been in front for longer than a change of focus takes.
func (f *front) left(now time.Time) bool { return !f.lost.IsZero() && now.Sub(f.lost) > focusGap }

// publish makes a snapshot and hands it out if it differs from the last one.
func (x *x11) publish() {
	x.observe()
	s := &Snapshot{Workspace: x.workspace, WindowManager: x.manager.name, Compositor: x.compositor}
	for _, id := range slices.Backward(x.order) {
		c := x.clients[id]
		if c == nil || !x.foreign(c) || !x.visible(c) {
			continue
		}
		s.Windows = append(s.Windows, c.window(id == x.activeID))
	}
	if s.Monitors = x.monitorsNow(); len(s.Monitors) == 0 {
		return // the connection is being lost
	}
	x.findFront(s)
	s.fillMonitors()
	last := x.desktop.snapshot.Load()
	if last != nil && last.same(s) {
		return
	}
	if last != nil {
		s.Serial = last.Serial + 1
	}
	x.desktop.publish(s)
}

// foreign tells a window of another program that a person works in.
func (x *x11) foreign(c *client) bool { return !x.own(c) && !x.atoms.passing(c.kind) }

func (x *x11) own(c *client) bool { return c.pid == x.pid || x.isExcluded(c.id) }

// findFront fills Active. While a window of ours or a panel has the focus the former one stays.
func (x *x11) findFront(s *Snapshot) {
	now := time.Now()
	active := x.clients[x.activeID]
	switch {
	case active == nil && x.activeID == 0 && !x.listed && len(s.Windows) > 0:
		active = x.clients[xproto.Window(s.Windows[0].ID)] // nobody tells: the topmost one
	case active != nil && active.kind == x.atoms.typeDesktop:
		active = nil
	case active != nil && !x.foreign(active):
		active = nil
		if former := x.clients[x.front.window]; former != nil && !x.front.left(now) {
			active = former
		}
	}
	if active == nil {
		x.front.leave(now)
		return
	}
	x.front.enter(active.id, active.app, now)
	w := active.window(active.id == x.activeID)
	s.Active, s.ActiveSince = &w, x.front.since
}

func (s *Snapshot) same(o *Snapshot) bool {
	if (s.Active == nil) != (o.Active == nil) || s.Active != nil && !s.Active.same(*o.Active) {
		return false
	}
	return s.Workspace == o.Workspace && s.WindowManager == o.WindowManager && s.Compositor == o.Compositor &&
		s.ActiveSince.Equal(o.ActiveSince) && slices.Equal(s.Monitors, o.Monitors) &&
		slices.EqualFunc(s.Windows, o.Windows, Window.same)
}

func (w Window) same(o Window) bool {
	return w.ID == o.ID && w.App == o.App && w.Title == o.Title && w.PID == o.PID && w.Frame == o.Frame &&
		w.Workspace == o.Workspace && w.Minimised == o.Minimised && w.Fullscreen == o.Fullscreen && w.Active == o.Active &&
		slices.Equal(w.Names, o.Names) && slices.Equal(w.Categories, o.Categories)
}

// isXwayland asks the server itself: newer ones have an extension that says so, older ones name their outputs.
func (x *x11) isXwayland() bool {
	const name = "XWAYLAND"
	if reply, err := xproto.QueryExtension(x.conn, uint16(len(name)), name).Reply(); err == nil && reply.Present {
		return true
	}
	for _, output := range outputNames(x.conn, x.root) {
		if len(output) >= len(name) && output[:len(name)] == name {
			return true
		}
	}
	return false
}

func atomName(conn *xgb.Conn, atom xproto.Atom) string {
	reply, err := xproto.GetAtomName(conn, atom).Reply()
	if err != nil {
		return ""
	}
	return nameText([]byte(reply.Name))
}
