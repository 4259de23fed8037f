//go:build !windows && !darwin

package desktoptest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"yui/platform/xconn"
)

// Tray hosts for Options.Tray.
const (
	TrayNone    = ""        // no StatusNotifierWatcher on the bus
	TrayWatcher = "watcher" // this package's own watcher: registration and menu over D-Bus, nothing on the screen
	TrayPanel   = "panel"   // xfce4-panel, which is watcher and host in one and shows the icon
)

// Options says what the desktop has. The zero value is one monitor of 1280x800 with a session bus and openbox, without
// compositor and tray host.
type Options struct {
	Width, Height int    // of one monitor in pixels; 1280x800 if 0
	Monitors      int    // 1 if 0; two or more need Xorg with the dummy driver, and stand side by side
	Xorg          bool   // Xorg with the dummy driver for one monitor too (modes can then be changed by xrandr)
	WM            string // "openbox" if empty, "xfwm4", "metacity", or "none"
	Compositor    bool   // picom with its xrender backend (xfwm4 and metacity then do not compose by themselves)
	Tray          string // TrayNone, TrayWatcher or TrayPanel
	NoBus         bool   // no session bus at all
	Wallpaper     string // a colour for hsetroot such as "#40607a"; plain black root if empty
	Dir           string // where home, sockets and logs go; a new temporary folder if empty
}

// Desktop is a running private desktop. Its methods are safe from any goroutine.
type Desktop struct {
	Dir     string // logs are in Dir/log
	Display string // ":12"
	BusAddr string // "" with NoBus

	opts    Options
	starter *starter
	tempDir bool

	conn  *xgb.Conn
	root  xproto.Window
	atoms *atomCache

	mu        sync.Mutex
	parts     map[string]*proc // X server, bus, wm, compositor, tray by name
	apps      []*proc
	watcher   *Watcher
	closeOnce sync.Once
}

// MissingError names the programs that Launch did not find.
type MissingError struct{ Programs []string }

// Error lists the programs and the Debian packages that have them.
func (e *MissingError) Error() string {
	var parts []string
	for _, p := range e.Programs {
		parts = append(parts, fmt.Sprintf("%s (package %s)", filepath.Base(p), debianPackage[filepath.Base(p)]))
	}
	return "start private desktop: not installed: " + strings.Join(parts, ", ")
}

var debianPackage = map[string]string{
	"Xvfb": "xvfb", "Xorg": "xserver-xorg-core", "dummy_drv.so": "xserver-xorg-video-dummy", "dbus-daemon": "dbus",
	"openbox": "openbox", "xfwm4": "xfwm4", "metacity": "metacity", "picom": "picom", "xfce4-panel": "xfce4-panel",
	"hsetroot": "hsetroot", "dunst": "dunst", "dunstctl": "dunst", "xterm": "xterm", "xrandr": "x11-xserver-utils", "zenity": "zenity", "xdotool": "xdotool",
}

const (
	xorgBinary  = "/usr/lib/xorg/Xorg" // the wrapper in PATH drops privileges and refuses absolute paths
	dummyDriver = "/usr/lib/xorg/modules/drivers/dummy_drv.so"

	startLimit = 20 * time.Second // for one part; generous, since tests share few cores
)

// Launch starts a desktop. Missing programs give a *MissingError before anything is started. The caller ends it by
// Close; cancelling ctx only stops the starting.
func Launch(ctx context.Context, opts Options) (*Desktop, error) {
	opts.fill()
	if missing := opts.missing(); len(missing) > 0 {
		return nil, &MissingError{missing}
	}
	d := &Desktop{opts: opts, Dir: opts.Dir, parts: map[string]*proc{}, starter: newStarter()}
	if d.Dir == "" {
		dir, err := os.MkdirTemp("", "desktop-")
		if err != nil {
			return nil, fmt.Errorf("make desktop folder: %w", err)
		}
		d.Dir, d.tempDir = dir, true
	}
	steps := []struct {
		name string
		run  func(context.Context) error
	}{
		{"folders", d.makeFolders},
		{"X server", d.startX},
		{"monitors", d.placeMonitors},
		{"session bus", d.optional(!opts.NoBus, d.StartBus)},
		{"window manager", d.optional(opts.WM != "none", d.StartWM)},
		{"compositor", d.optional(opts.Compositor, d.StartCompositor)},
		{"wallpaper", d.optional(opts.Wallpaper != "", d.paintWallpaper)},
		{"tray host", d.optional(opts.Tray != TrayNone, d.StartTray)},
	}
	for _, step := range steps {
		if err := step.run(ctx); err != nil {
			err = fmt.Errorf("start %s: %w%s", step.name, err, d.logTail())
			d.Close()
			return nil, err
		}
	}
	return d, nil
}

func (o *Options) fill() {
	if o.Width == 0 {
		o.Width = 1280
	}
	if o.Height == 0 {
		o.Height = 800
	}
	if o.Monitors == 0 {
		o.Monitors = 1
	}
	if o.Monitors > 1 {
		o.Xorg = true
	}
	if o.WM == "" {
		o.WM = "openbox"
	}
}

func (o *Options) missing() []string {
	need := []string{"Xvfb"}
	if o.Xorg {
		need = []string{xorgBinary, dummyDriver, "xrandr"}
	}
	if !o.NoBus {
		need = append(need, "dbus-daemon")
	}
	if o.WM != "none" {
		need = append(need, o.WM)
	}
	if o.Compositor {
		need = append(need, "picom")
	}
	if o.Tray == TrayPanel {
		need = append(need, "xfce4-panel")
	}
	if o.Wallpaper != "" {
		need = append(need, "hsetroot")
	}
	return lookAll(need...)
}

// lookAll returns those programs (or driver files) that are not installed.
func lookAll(need ...string) []string {
	var missing []string
	for _, program := range need {
		if strings.HasSuffix(program, ".so") {
			if _, err := os.Stat(program); err != nil {
				missing = append(missing, program)
			}
			continue
		}
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, program)
		}
	}
	return missing
}

func (d *Desktop) optional(wanted bool, run func(context.Context) error) func(context.Context) error {
	if wanted {
		return run
	}
	return func(context.Context) error { return nil }
}

func (d *Desktop) makeFolders(context.Context) error {
	for _, name := range []string{"home", "config", "data", "cache", "state", "run", "log"} {
		if err := os.MkdirAll(filepath.Join(d.Dir, name), 0o700); err != nil {
			return err
		}
	}
	return nil
}

// Env is a whole environment for a program on this desktop: the calling process's, with display, bus, home and XDG
// folders replaced.
func (d *Desktop) Env() []string {
	own := d.ownEnv()
	var env []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if _, replaced := own[name]; !replaced {
			env = append(env, entry)
		}
	}
	for name, value := range own {
		if value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// ownEnv maps the variables that differ on this desktop; "" means unset.
func (d *Desktop) ownEnv() map[string]string {
	in := func(name string) string { return filepath.Join(d.Dir, name) }
	return map[string]string{
		"DISPLAY": d.Display, "XAUTHORITY": "", "WAYLAND_DISPLAY": "", "XDG_SESSION_TYPE": "x11",
		"DBUS_SESSION_BUS_ADDRESS": d.BusAddr, "DESKTOP_SESSION": "", "XDG_CURRENT_DESKTOP": "", "SESSION_MANAGER": "",
		"HOME": in("home"), "XDG_CONFIG_HOME": in("config"), "XDG_DATA_HOME": in("data"), "XDG_CACHE_HOME": in("cache"),
		"XDG_STATE_HOME": in("state"), "XDG_RUNTIME_DIR": in("run"),
		"LANG": "C.UTF-8", "LC_ALL": "", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "GDK_BACKEND": "x11",
	}
}

// Close ends everything that the desktop started, last started first, and removes its folder if Launch made it.
func (d *Desktop) Close() {
	d.closeOnce.Do(func() {
		d.mu.Lock()
		watcher, apps, conn := d.watcher, d.apps, d.conn
		var parts []*proc
		for _, name := range []string{partNotifications, partTray, partCompositor, partWM, partBus, partX} {
			if p := d.parts[name]; p != nil {
				parts = append(parts, p)
			}
		}
		d.mu.Unlock()
		if watcher != nil {
			watcher.Close()
		}
		endAll(apps)
		if conn != nil {
			conn.Close()
		}
		for _, p := range parts {
			endAll([]*proc{p})
		}
		d.starter.close()
		if d.tempDir {
			_ = os.RemoveAll(d.Dir) // a program that is still dying may recreate a file: nothing to be done about it
		}
	})
}

func (d *Desktop) connect() error {
	conn, err := xconn.Dial(d.Display)
	if err != nil {
		return err
	}
	d.conn = conn
	d.root = xproto.Setup(conn).DefaultScreen(conn).Root
	d.atoms = newAtomCache(conn)
	go drainEvents(conn)
	return nil
}

// drainEvents keeps the connection's event queue empty: a full queue would block its replies.
func drainEvents(conn *xgb.Conn) {
	for {
		if event, err := conn.WaitForEvent(); event == nil && err == nil {
			return
		}
	}
}

// poll waits until done answers true.
func poll(ctx context.Context, limit time.Duration, what string, done func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for wait := 2 * time.Millisecond; ; wait = min(wait*2, 50*time.Millisecond) {
		if done() {
			return nil
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return fmt.Errorf("wait for %s: nothing within %s", what, limit)
			}
			return fmt.Errorf("wait for %s: %w", what, ctx.Err())
		case <-time.After(wait):
		}
	}
}
