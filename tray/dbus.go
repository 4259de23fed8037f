//go:build !windows && !darwin

package tray

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
	"yui/internal/bus"

	"fyne.io/systray"
	"github.com/godbus/dbus/v5"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	itemPath    = "/StatusNotifierItem" // where the library puts its icon

	callLimit = 3 * time.Second
	settle    = 400 * time.Millisecond // how long the library's own registration is waited for
	firstWait = time.Second            // between tries to reach the bus, doubled up to lastWait
	lastWait  = 8 * time.Second
)

// own is the goroutine that owns the icon. It looks for the session bus itself, and starts the library only where a bus
// and a tray host answer: without a bus the library would start one of its own (dbus-launch), and its Quit panics where
// registering failed (docs/rules/desktop.md#faults-of-x). Its Quit is never called: closing the connection takes the icon away, and the
// library can then be started again on the next bus.
func (t *Tray) own(ctx context.Context) {
	runtime.LockOSThread()
	defer close(t.done)
	// The library panics where it writes the icon to the dead connection of a former Tray in this process. By then it
	// has kept the icon for the next connection, which is all that is wanted here.
	_ = guard("set tray icon", func() { systray.SetIcon(t.icon) })
	systray.SetTitle(tooltip)
	systray.SetTooltip(tooltip)
	for wait := firstWait; ctx.Err() == nil; wait = min(2*wait, lastWait) {
		reached, err := t.session(ctx)
		if ctx.Err() != nil {
			break
		}
		t.setState(false, err.Error())
		if reached {
			wait = firstWait
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	t.setState(false, "closed")
}

// session serves one life of the session bus. reached tells that there was a bus.
func (t *Tray) session(ctx context.Context) (reached bool, err error) {
	conn, err := connect(ctx)
	if err != nil {
		return false, fmt.Errorf("no session bus: %w", err)
	}
	defer conn.Close()
	hosts := make(chan *dbus.Signal, 16)
	conn.Signal(hosts)
	err = conn.AddMatchSignal(dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchInterface("org.freedesktop.DBus"),
		dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcherName))
	if err != nil {
		return true, fmt.Errorf("watch for tray hosts: %w", err)
	}
	s := &session{tray: t, bus: conn}
	defer s.end()
	s.look(ctx)
	for {
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case <-conn.Context().Done():
			return true, errors.New("no session bus: it went away")
		case signal, open := <-hosts:
			if !open {
				return true, errors.New("no session bus: it went away")
			}
			if signal.Name == "org.freedesktop.DBus.NameOwnerChanged" {
				s.look(ctx)
			}
		case <-t.poked:
			if s.icon != nil { // else start shows the newest, and the library's connection may be a dead one
				if err := guard("show tray menu", func() { s.tray.rows.apply(t.menu()) }); err != nil {
					return true, err
				}
			}
		}
	}
}

// connect reaches the session bus in callLimit.
func connect(ctx context.Context) (*dbus.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	return bus.Session(ctx)
}

// session is the tray on one bus.
type session struct {
	tray *Tray
	bus  *dbus.Conn // ours: looks at hosts
	icon *dbus.Conn // the library's: the icon and menu are there; nil before it was started
}

// look brings the state up to date after a host came or went.
func (s *session) look(ctx context.Context) {
	limit, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	var has bool
	err := s.bus.BusObject().CallWithContext(limit, "org.freedesktop.DBus.NameHasOwner", 0, watcherName).Store(&has)
	if err != nil {
		s.tray.setState(false, fmt.Sprintf("look for tray host: %v", err))
		return
	}
	if !has {
		s.tray.setState(false, "no tray host: nothing on this desktop shows tray icons")
		s.renew(ctx)
		return
	}
	if err := s.start(ctx); err != nil {
		s.tray.setState(false, err.Error())
		return
	}
	if err := s.ensure(limit); err != nil {
		s.tray.setState(false, err.Error())
		return
	}
	s.tray.setState(true, "")
}

// start has the library connect and export icon and menu, once on each bus.
func (s *session) start(ctx context.Context) error {
	if s.icon != nil {
		return nil
	}
	connected, built := make(chan struct{}), make(chan error, 1)
	err := guard("start tray icon", func() {
		// Hosts that ask for the menu wait until this function is done. It must not run before the library has its new
		// connection: until then every row would be told to the dead one.
		ready := func() {
			<-connected
			built <- s.build(ctx)
		}
		start, _ := systray.RunWithExternalLoop(ready, nil)
		start()
	})
	close(connected)
	if err != nil {
		return err
	}
	if err := <-built; err != nil {
		return err
	}
	// The library uses the process's shared connection, which is there by now: this gives the same one.
	icon, err := dbus.SessionBus()
	if err != nil {
		return fmt.Errorf("start tray icon: %w", err)
	}
	s.icon = icon
	return nil
}

// build makes the menu anew.
func (s *session) build(ctx context.Context) error {
	return guard("build tray menu", func() {
		s.tray.rows.drop()
		systray.ResetMenu()
		s.tray.rows = s.tray.newRows(ctx)
		s.tray.rows.apply(s.tray.menu())
	})
}

// renew makes the menu anew while no host looks. A host that uses libdbusmenu (Xfce, Cinnamon) loses submenus that it
// gets with its first question; the library therefore answers the first question without them, but only the first
// since the menu was made.
func (s *session) renew(ctx context.Context) {
	if s.icon == nil {
		return
	}
	if err := s.build(ctx); err != nil {
		s.tray.setState(false, err.Error())
	}
}

// guard makes an error of a panic in the library: some of its calls panic when the bus goes away under them.
func guard(doing string, f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v", doing, p)
		}
	}()
	f()
	return nil
}

// ensure sees to it that the host lists the icon. The library registers by itself when it starts and when a host
// appears, but gives that up for good at the first signal of another kind on its connection (a keyring's, for one).
func (s *session) ensure(ctx context.Context) error {
	if s.waitListed(ctx, settle) {
		return nil
	}
	call := s.icon.Object(watcherName, watcherPath).
		CallWithContext(ctx, watcherName+".RegisterStatusNotifierItem", 0, itemPath)
	if call.Err != nil {
		return fmt.Errorf("register tray icon: %w", call.Err)
	}
	if !s.waitListed(ctx, settle) {
		return errors.New("register tray icon: the tray host does not list it")
	}
	return nil
}

func (s *session) waitListed(ctx context.Context, limit time.Duration) bool {
	for deadline := time.Now().Add(limit); ; {
		if s.listed(ctx) {
			return true
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return false
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// listed asks the host. Hosts write an item as its bus name, or as bus name and path in one.
func (s *session) listed(ctx context.Context) bool {
	var value dbus.Variant
	err := s.bus.Object(watcherName, watcherPath).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0,
		watcherName, "RegisteredStatusNotifierItems").Store(&value)
	if err != nil {
		return false
	}
	items, _ := value.Value().([]string)
	return slices.ContainsFunc(items, func(item string) bool {
		service, _, _ := strings.Cut(item, "/")
		return slices.Contains(s.icon.Names(), service)
	})
}

// end closes the library's connection too, so that the next start makes a new one.
func (s *session) end() {
	if s.icon != nil {
		s.icon.Close()
	}
}
