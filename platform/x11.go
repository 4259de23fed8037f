//go:build !windows && !darwin

package platform

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"

	"yui/platform/xconn"
)

// x11 watches an X server. The reader goroutine sorts events into the inbox; the worker goroutine asks for what
// changed and publishes. Fields without a remark belong to the worker alone.
type x11 struct {
	conn     *xgb.Conn // safe from any goroutine
	display  string
	screen   int
	root     xproto.Window
	atoms    *atoms
	hostname string
	pid      int
	log      *slog.Logger
	desktop  *Desktop
	entries  *entryIndex
	xwayland bool
	workers
	idleSince idleWatch

	clients  map[xproto.Window]*client
	frames   map[xproto.Window]*client
	order    []xproto.Window // clients bottom to top
	reframed bool            // a client has another frame than at the last look at the stacking
	manager
	compositor bool
	monitors   []Monitor // without work areas
	scale      float64
	workspace  int
	activeID   xproto.Window
	front      front

	exclusions
}

// exclusions are windows that are not told of: YUI's own.
type exclusions struct {
	excludeMu sync.Mutex
	excluded  map[xproto.Window]bool
}

// workers are the goroutines of the connection: a reader of events, and a worker that keeps the state.
type workers struct {
	inbox      *inbox
	readerDone chan struct{}
	workerDone chan struct{}
	stop       chan struct{}
	stopOnce   sync.Once
	asking     chan struct{} // see question
	capturing  chan struct{} // holds a value while a picture is taken
}

// manager is what is known of the window manager.
type manager struct {
	name      string
	check     xproto.Window // its window that says it is alive
	listed    bool          // it keeps _NET_CLIENT_LIST
	unmaps    bool          // it was observed to unmap the windows of hidden workspaces
	spread    bool          // it says that workspaces have different places: each monitor has one
	gtkAreas  []Rect        // work areas that it tells: of monitors
	ewmhAreas []Rect        // and of workspaces
}

const connectLimit = 10 * time.Second

// Open connects to the X server of $DISPLAY, reads the desktop once, and watches it until Close. log may be nil. An
// error names the display.
func Open(ctx context.Context, log *slog.Logger) (*Desktop, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	display := os.Getenv("DISPLAY")
	if display == "" {
		return nil, errors.New("open desktop: DISPLAY is not set: no X server")
	}
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	conn, err := dial(ctx, display)
	if err != nil {
		return nil, fmt.Errorf("open desktop %s: %w", display, err)
	}
	x := &x11{
		conn: conn, display: display, log: log, pid: os.Getpid(), scale: 1,
		clients: map[xproto.Window]*client{}, frames: map[xproto.Window]*client{}, exclusions: exclusions{excluded: map[xproto.Window]bool{}},
		workers: workers{inbox: newInbox(), readerDone: make(chan struct{}), workerDone: make(chan struct{}),
			stop: make(chan struct{}), asking: make(chan struct{}, 1), capturing: make(chan struct{}, 1)},
	}
	x.hostname, _ = os.Hostname() // without it foreign windows of this machine just have no process
	x.screen = conn.DefaultScreen
	x.root = xproto.Setup(conn).DefaultScreen(conn).Root
	x.entries = newEntryIndex(func() { x.inbox.add(chList | chPublish) })
	x.desktop = newDesktop()
	x.desktop.sys = x

	err = within(ctx, func() error { return x.begin() })
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("open desktop %s: %w", display, err)
	}
	go x.work()
	return x.desktop, nil
}

// within runs f, which waits for the server, and does not wait longer than ctx. xgb has no way to give up a wait (its
// Close makes one more round trip), so that with a server that hangs f waits until the server runs on or ends.
func within(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("wait for X server: %w", ctx.Err())
	}
}

// dial is xconn.Dial that ends with ctx. A connection that comes too late is closed.
func dial(ctx context.Context, display string) (*xgb.Conn, error) {
	type result struct {
		conn *xgb.Conn
		err  error
	}
	answer := make(chan result)
	go func() {
		conn, err := xconn.Dial(display)
		select {
		case answer <- result{conn, err}:
		case <-ctx.Done():
			if err == nil {
				conn.Close()
			}
		}
	}()
	select {
	case r := <-answer:
		return r.conn, r.err
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for X server: %w", ctx.Err())
	}
}

// begin selects events and reads everything once.
func (x *x11) begin() (err error) {
	if x.atoms, err = internAtoms(x.conn, x.screen); err != nil {
		return err
	}
	go x.read()
	err = xproto.ChangeWindowAttributesChecked(x.conn, x.root, xproto.CwEventMask,
		[]uint32{xproto.EventMaskPropertyChange | xproto.EventMaskSubstructureNotify | xproto.EventMaskStructureNotify}).Check()
	if err != nil {
		return fmt.Errorf("select root events: %w", err)
	}
	if xconn.Has(x.conn, xconn.XFixes) {
		xfixes.SelectSelectionInput(x.conn, x.root, x.atoms.compositorSelection,
			xfixes.SelectionEventMaskSetSelectionOwner|xfixes.SelectionEventMaskSelectionWindowDestroy|
				xfixes.SelectionEventMaskSelectionClientClose)
	}
	if xconn.Has(x.conn, xconn.RandR) {
		randr.SelectInput(x.conn, x.root,
			randr.NotifyMaskScreenChange|randr.NotifyMaskCrtcChange|randr.NotifyMaskOutputChange)
	}
	x.xwayland = x.isXwayland()
	x.step(batch{todo: chList | chStack | chRoot | chManager | chMonitors | chScale | chCompositor})
	if x.desktop.Snapshot() == nil {
		return errors.New("read monitors: the server tells none")
	}
	return nil
}

// work is the worker: it ends when the desktop is closed or the server is gone.
func (x *x11) work() {
	defer close(x.workerDone)
	for {
		select {
		case <-x.stop:
			return
		case <-x.readerDone:
			select {
			case <-x.stop:
			default:
				x.desktop.finish(errors.New("lost the X server"))
			}
			return
		case <-x.inbox.wake:
			x.step(x.inbox.take())
		}
	}
}

// step brings the state up to date with the events of a batch, and publishes if something changed.
func (x *x11) step(b batch) {
	if b.todo&chManager != 0 || b.gone[x.manager.check] {
		x.readManager()
		b.todo |= chList
	}
	if b.todo&chCompositor != 0 {
		x.readCompositor()
	}
	if b.todo&chScale != 0 {
		x.readScale()
	}
	if b.todo&chMonitors != 0 {
		x.readMonitors()
	}
	if b.todo&(chMonitors|chManager) != 0 {
		x.readWorkAreas()
	}
	if b.todo&chRoot != 0 {
		x.readRoot()
	}
	for id := range b.gone {
		x.forget(id)
	}
	if !x.listed && len(b.changed) > 0 {
		b.todo |= chList
	}
	if b.todo&chList != 0 {
		x.readList()
		b.todo |= chStack
	}
	x.refresh(b)
	if x.move(b) || x.reframed {
		b.todo |= chStack
	}
	x.reframed = false
	if b.todo&chStack != 0 {
		x.readStack()
	}
	x.publish()
}

// refresh reads changed clients again. A window in the batch may be a client or a frame.
func (x *x11) refresh(b batch) {
	var whole, titles []*client
	seen := map[*client]bool{}
	for id := range b.changed {
		if c := x.find(id); c != nil && !seen[c] {
			seen[c] = true
			whole = append(whole, c)
		}
	}
	x.readAll(whole)
	for id := range b.titles {
		if c := x.clients[id]; c != nil && !seen[c] {
			titles = append(titles, c)
		}
	}
	x.readTitles(titles)
}

func (x *x11) find(id xproto.Window) *client {
	if c := x.clients[id]; c != nil {
		return c
	}
	return x.frames[id]
}

// move applies ConfigureNotify events and reports whether the stacking may have changed. A frame that only moved needs no
// question to the server. A client's own event mixes coordinate systems (and some window managers send none on a
// move): it only says that the size inside the frame changed.
func (x *x11) move(b batch) (restacked bool) {
	var measure []*client
	for id, e := range b.moved {
		c := x.frames[id]
		if c == nil {
			continue
		}
		border := int(e.BorderWidth)
		now := Rect{int(e.X) + border, int(e.Y) + border, int(e.Width), int(e.Height)}
		switch {
		case now == c.frameRect:
			restacked = true
		case now.W == c.frameRect.W && now.H == c.frameRect.H:
			c.frameRect = now
		default:
			measure = append(measure, c)
		}
	}
	for id, e := range b.sized {
		c := x.clients[id]
		if c == nil || c.frame == id || slices.Contains(measure, c) {
			continue
		}
		if int(e.Width) != c.inner.W || int(e.Height) != c.inner.H {
			measure = append(measure, c)
		}
	}
	x.measure(measure)
	return restacked
}

func (x *x11) name() string { return "x11" }

func (x *x11) virtual() bool { return x.xwayland }

func (x *x11) exclude(id WindowID) {
	x.excludeMu.Lock()
	x.excluded[xproto.Window(id)] = true
	x.excludeMu.Unlock()
	x.inbox.add(chPublish)
}

func (x *x11) isExcluded(id xproto.Window) bool {
	x.excludeMu.Lock()
	defer x.excludeMu.Unlock()
	return x.excluded[id]
}

func (x *x11) close() {
	x.stopOnce.Do(func() {
		close(x.stop)
		x.conn.Close()
		x.entries.close()
	})
	select {
	case <-x.workerDone:
	case <-time.After(answerLimit): // a server that hangs keeps the worker waiting
	}
}

// answerLimit is how long pointer and idle time are waited for.
const answerLimit = 2 * time.Second

// question asks the server something for a caller who must not hang with it. One at a time: with a server that hangs
// the callers get an error each, and only one question is left waiting.
func (x *x11) question(f func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), answerLimit)
	defer cancel()
	select {
	case x.asking <- struct{}{}:
	case <-ctx.Done():
		return errors.New("no answer from the X server")
	}
	return within(ctx, func() error {
		defer func() { <-x.asking }()
		return f()
	})
}

func (x *x11) pointer() (px, py int, err error) {
	answer := make(chan *xproto.QueryPointerReply, 1)
	err = x.question(func() error {
		reply, err := xproto.QueryPointer(x.conn, x.root).Reply()
		answer <- reply
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("query pointer: %w", err)
	}
	reply := <-answer
	return int(reply.RootX), int(reply.RootY), nil
}
