//go:build !windows && !darwin

package desktoptest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// TrayClient drives tray menus over D-Bus as a host does, whichever program is the watcher.
type TrayClient struct{ conn *dbus.Conn }

// TrayItem is a registered icon.
type TrayItem struct {
	client        *TrayClient
	Service, Path string
}

// MenuNode is one entry of a tray menu.
type MenuNode struct {
	ID        int32
	Label     string
	Separator bool
	Checkbox  bool
	Checked   bool
	Enabled   bool
	Visible   bool
	Children  []MenuNode
}

const callLimit = 5 * time.Second

// TrayClient connects to the desktop's session bus. The caller closes it.
func (d *Desktop) TrayClient() (*TrayClient, error) {
	conn, err := dbus.Connect(d.BusAddr)
	if err != nil {
		return nil, fmt.Errorf("connect to session bus: %w", err)
	}
	return &TrayClient{conn}, nil
}

// Close leaves the bus.
func (c *TrayClient) Close() { c.conn.Close() }

// Items asks the watcher for the registered icons; none if there is no watcher.
func (c *TrayClient) Items() []TrayItem {
	value, err := c.conn.Object(watcherName, watcherPath).GetProperty(watcherName + ".RegisteredStatusNotifierItems")
	if err != nil {
		return nil
	}
	names, _ := value.Value().([]string)
	var items []TrayItem
	for _, name := range names {
		service, path, found := strings.Cut(name, "/")
		if !found {
			path = "StatusNotifierItem"
		}
		items = append(items, TrayItem{c, service, "/" + path})
	}
	return items
}

// WaitItem waits until one icon is registered.
func (c *TrayClient) WaitItem(limit time.Duration) (TrayItem, error) {
	var item TrayItem
	err := poll(context.Background(), limit, "a tray icon", func() bool {
		items := c.Items()
		if len(items) == 1 {
			item = items[0]
		}
		return len(items) == 1
	})
	return item, err
}

// Property reads a property of the icon, such as "Status", "Title" or "ItemIsMenu".
func (i TrayItem) Property(name string) (any, error) {
	value, err := i.client.conn.Object(i.Service, dbus.ObjectPath(i.Path)).GetProperty("org.kde.StatusNotifierItem." + name)
	if err != nil {
		return nil, fmt.Errorf("read tray property %s: %w", name, err)
	}
	return value.Value(), nil
}

func (i TrayItem) menu() (dbus.BusObject, error) {
	value, err := i.Property("Menu")
	if err != nil {
		return nil, err
	}
	path, ok := value.(dbus.ObjectPath)
	if !ok {
		return nil, fmt.Errorf("read tray property Menu: a %T", value)
	}
	return i.client.conn.Object(i.Service, path), nil
}

type layout struct {
	ID       int32
	Props    map[string]dbus.Variant
	Children []dbus.Variant
}

// Menu reads the whole menu. Invisible entries are in it, marked.
func (i TrayItem) Menu() (MenuNode, error) {
	menu, err := i.menu()
	if err != nil {
		return MenuNode{}, err
	}
	var root layout
	// systray answers its first GetLayout with depth 1 whatever was asked: ask twice.
	for range 2 {
		ctx, cancel := context.WithTimeout(context.Background(), callLimit)
		var revision uint32
		err = menu.CallWithContext(ctx, "com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{}).
			Store(&revision, &root)
		cancel()
		if err != nil {
			return MenuNode{}, fmt.Errorf("read tray menu: %w", err)
		}
	}
	return node(root)
}

func node(l layout) (MenuNode, error) {
	n := MenuNode{ID: l.ID, Enabled: true, Visible: true}
	for name, value := range l.Props {
		switch v := value.Value().(type) {
		case string:
			switch name {
			case "label":
				n.Label = v
			case "type":
				n.Separator = v == "separator"
			case "toggle-type":
				n.Checkbox = v == "checkmark"
			}
		case bool:
			switch name {
			case "enabled":
				n.Enabled = v
			case "visible":
				n.Visible = v
			}
		case int32:
			if name == "toggle-state" {
				n.Checked = v == 1
			}
		}
	}
	for _, child := range l.Children {
		var sub layout
		if err := dbus.Store([]any{child.Value()}, &sub); err != nil {
			return n, fmt.Errorf("read tray menu: %w", err)
		}
		c, err := node(sub)
		if err != nil {
			return n, err
		}
		n.Children = append(n.Children, c)
	}
	return n, nil
}

// Find returns the visible entry with these labels from the top down.
func (n MenuNode) Find(labels ...string) (MenuNode, bool) {
	if len(labels) == 0 {
		return n, true
	}
	for _, child := range n.Children {
		if child.Visible && child.Label == labels[0] {
			return child.Find(labels[1:]...)
		}
	}
	return MenuNode{}, false
}

// Click chooses the visible entry with these labels.
func (i TrayItem) Click(labels ...string) error {
	root, err := i.Menu()
	if err != nil {
		return err
	}
	entry, ok := root.Find(labels...)
	if !ok {
		return fmt.Errorf("click tray entry %s: not in the menu", strings.Join(labels, " > "))
	}
	return i.ClickID(entry.ID)
}

// ClickID chooses an entry by its number.
func (i TrayItem) ClickID(id int32) error {
	menu, err := i.menu()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	call := menu.CallWithContext(ctx, "com.canonical.dbusmenu.Event", 0, id, "clicked", dbus.MakeVariant(int32(0)),
		uint32(time.Now().Unix()))
	if call.Err != nil {
		return fmt.Errorf("click tray entry %d: %w", id, call.Err)
	}
	return nil
}
