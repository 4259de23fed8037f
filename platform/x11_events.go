//go:build !windows && !darwin

package platform

import (
	"sync"

	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
)

// chores say what has to be asked again.
type chores uint32

const (
	chList chores = 1 << iota // the client list
	chStack
	chRoot // active window and present workspace
	chManager
	chMonitors
	chScale
	chCompositor
	chPublish // nothing to ask, but the snapshot has to be made again
)

// inbox gathers events until the worker comes for them. The reader must never wait: while the connection's event queue
// is full no reply gets through, and the worker waits for replies. Events about one window are merged, so that a storm
// costs memory by windows, not by events.
type inbox struct {
	wake chan struct{}

	mu sync.Mutex
	batch
}

type batch struct {
	todo    chores
	moved   map[xproto.Window]xproto.ConfigureNotifyEvent // children of the root: frames and others
	sized   map[xproto.Window]xproto.ConfigureNotifyEvent // clients
	changed map[xproto.Window]bool                        // clients or frames to be read again
	titles  map[xproto.Window]bool
	gone    map[xproto.Window]bool
}

func newBatch() batch {
	return batch{
		moved: map[xproto.Window]xproto.ConfigureNotifyEvent{}, sized: map[xproto.Window]xproto.ConfigureNotifyEvent{},
		changed: map[xproto.Window]bool{}, titles: map[xproto.Window]bool{}, gone: map[xproto.Window]bool{},
	}
}

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1), batch: newBatch()} }

func (b *batch) empty() bool {
	return b.todo == 0 && len(b.moved)+len(b.sized)+len(b.changed)+len(b.titles)+len(b.gone) == 0
}

// take empties the inbox.
func (in *inbox) take() batch {
	in.mu.Lock()
	defer in.mu.Unlock()
	out := in.batch
	in.batch = newBatch()
	return out
}

func (in *inbox) add(todo chores) {
	in.mu.Lock()
	in.todo |= todo
	in.mu.Unlock()
	nudge(in.wake)
}

// again has a client read once more.
func (in *inbox) again(ids ...xproto.Window) {
	in.mu.Lock()
	for _, id := range ids {
		in.changed[id] = true
	}
	in.mu.Unlock()
	nudge(in.wake)
}

// read is the reader: it ends when the connection does.
func (x *x11) read() {
	defer close(x.readerDone)
	for {
		event, xerr := x.conn.WaitForEvent()
		if event == nil && xerr == nil {
			return // once the server is gone WaitForEvent answers this forever
		}
		if event == nil {
			continue // an X error of a request without an answer: a window that died
		}
		x.inbox.mu.Lock()
		x.sort(event)
		wake := !x.inbox.empty()
		x.inbox.mu.Unlock()
		if wake {
			nudge(x.inbox.wake)
		}
	}
}

// sort files one event. The inbox is locked.
func (x *x11) sort(event any) {
	in := &x.inbox.batch
	switch e := event.(type) {
	case xproto.ConfigureNotifyEvent:
		switch x.root {
		case e.Window:
			in.todo |= chMonitors // the screen has another size
		case e.Event:
			in.moved[e.Window] = e
		default:
			in.sized[e.Window] = e
		}
	case xproto.PropertyNotifyEvent:
		x.sortProperty(e)
	case xproto.MapNotifyEvent:
		in.changed[e.Window] = true
	case xproto.UnmapNotifyEvent:
		in.changed[e.Window] = true
	case xproto.ReparentNotifyEvent:
		in.changed[e.Window] = true
	case xproto.CirculateNotifyEvent:
		in.todo |= chStack
	case xproto.DestroyNotifyEvent:
		in.gone[e.Window] = true
	case randr.ScreenChangeNotifyEvent, randr.NotifyEvent:
		in.todo |= chMonitors
	case xfixes.SelectionNotifyEvent:
		in.todo |= chCompositor
	}
}

func (x *x11) sortProperty(e xproto.PropertyNotifyEvent) {
	in, a := &x.inbox.batch, x.atoms
	if e.Window != x.root {
		switch e.Atom {
		case a.wmName, xproto.AtomWmName:
			in.titles[e.Window] = true
		case a.frameExtents, a.gtkFrameExtents, a.wmState, a.wmDesktop, a.wmPID, xproto.AtomWmClass, a.windowType,
			a.wmStrut, a.wmStrutPartial, a.icccmState, a.clientMachine:
			in.changed[e.Window] = true
		}
		return
	}
	switch e.Atom {
	case a.clientList:
		in.todo |= chList
	case a.clientListStacking:
		in.todo |= chStack
	case a.activeWindow, a.currentDesktop, a.desktopViewport:
		in.todo |= chRoot
	case a.supportingWMCheck:
		in.todo |= chManager | chList
	case a.workArea, a.gtkWorkAreas:
		in.todo |= chMonitors
	case a.resourceManager:
		in.todo |= chScale
	}
}
