//go:build !windows && !darwin

package desktoptest

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
)

// Watcher is a StatusNotifierWatcher with a host, as small as the protocol allows: it keeps the list of registered
// items and shows nothing.
type Watcher struct {
	conn  *dbus.Conn
	props *prop.Properties

	mu    sync.Mutex
	items []string // ":1.5/StatusNotifierItem", the form that KDE and Xfce use
}

// NewWatcher connects to the bus and takes the watcher's name.
func NewWatcher(busAddress string) (*Watcher, error) {
	conn, err := dbus.Connect(busAddress)
	if err != nil {
		return nil, fmt.Errorf("start tray watcher: %w", err)
	}
	w := &Watcher{conn: conn}
	if err := w.export(); err != nil {
		conn.Close()
		return nil, fmt.Errorf("start tray watcher: %w", err)
	}
	return w, nil
}

func (w *Watcher) export() error {
	err := w.conn.ExportMethodTable(map[string]any{
		"RegisterStatusNotifierItem": w.register,
		"RegisterStatusNotifierHost": func(string) *dbus.Error { return nil },
	}, watcherPath, watcherName)
	if err != nil {
		return err
	}
	w.props, err = prop.Export(w.conn, watcherPath, prop.Map{watcherName: {
		"RegisteredStatusNotifierItems":  {Value: []string{}, Emit: prop.EmitTrue, Writable: true},
		"IsStatusNotifierHostRegistered": {Value: true, Emit: prop.EmitTrue},
		"ProtocolVersion":                {Value: int32(0), Emit: prop.EmitTrue},
	}})
	if err != nil {
		return err
	}
	if err := w.conn.AddMatchSignal(dbus.WithMatchInterface("org.freedesktop.DBus"),
		dbus.WithMatchMember("NameOwnerChanged")); err != nil {
		return err
	}
	signals := make(chan *dbus.Signal, 64)
	w.conn.Signal(signals)
	go w.forget(signals)
	reply, err := w.conn.RequestName(watcherName, dbus.NameFlagDoNotQueue)
	if err != nil {
		return err
	}
	if reply != dbus.RequestNameReplyPrimaryOwner {
		return fmt.Errorf("name %s is taken", watcherName)
	}
	return nil
}

// register takes a bus name or, as some items send, an object path of the sender.
func (w *Watcher) register(sender dbus.Sender, service string) *dbus.Error {
	item := service + "/StatusNotifierItem"
	if strings.HasPrefix(service, "/") {
		item = string(sender) + service
	}
	w.mu.Lock()
	if !slices.Contains(w.items, item) {
		w.items = append(w.items, item)
	}
	w.publish()
	w.mu.Unlock()
	_ = w.conn.Emit(watcherPath, watcherName+".StatusNotifierItemRegistered", item) // a lost bus ends the watcher anyway
	return nil
}

func (w *Watcher) publish() {
	// Not SetMust: it panics when the bus is gone, which ends this watcher anyway.
	_ = w.props.Set(watcherName, "RegisteredStatusNotifierItems", dbus.MakeVariant(slices.Clone(w.items)))
}

// forget drops the items of programs that left the bus.
func (w *Watcher) forget(signals <-chan *dbus.Signal) {
	for signal := range signals {
		if signal.Name != "org.freedesktop.DBus.NameOwnerChanged" || len(signal.Body) < 3 {
			continue
		}
		name, _ := signal.Body[0].(string)
		if now, _ := signal.Body[2].(string); now != "" || name == "" {
			continue
		}
		w.mu.Lock()
		before := len(w.items)
		w.items = slices.DeleteFunc(w.items, func(item string) bool { return strings.HasPrefix(item, name+"/") })
		if len(w.items) != before {
			w.publish()
		}
		w.mu.Unlock()
	}
}

// Close leaves the bus.
func (w *Watcher) Close() { w.conn.Close() }
