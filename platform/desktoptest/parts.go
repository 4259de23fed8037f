//go:build !windows && !darwin

package desktoptest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/jezek/xgb/xproto"
)

// Names of the parts, and of their logs.
const (
	partX             = "xserver"
	partBus           = "bus"
	partWM            = "wm"
	partCompositor    = "compositor"
	partTray          = "tray"
	partNotifications = "notifications"
)

var serverExtensions = []string{
	"+extension", "GLX", "+extension", "Composite", "+extension", "RANDR", "-noreset", "-nolisten", "tcp", "-s", "0",
}

// xorgConfig has room for several monitors; the dummy driver has sixteen outputs and reads no input devices.
const xorgConfig = `Section "ServerFlags"
	Option "AutoAddDevices" "false"
	Option "AutoEnableDevices" "false"
	Option "DontVTSwitch" "true"
	Option "AllowMouseOpenFail" "true"
EndSection
Section "Device"
	Identifier "dummy"
	Driver "dummy"
	VideoRam 256000
EndSection
Section "Monitor"
	Identifier "monitor"
	HorizSync 5-1000
	VertRefresh 5-200
%s
EndSection
Section "Screen"
	Identifier "screen"
	Device "dummy"
	Monitor "monitor"
	DefaultDepth 24
	SubSection "Display"
		Depth 24
		Modes "%s"
		Virtual %d %d
	EndSubSection
EndSection
`

func (d *Desktop) startX(ctx context.Context) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	var args []string
	if d.opts.Xorg {
		mode := fmt.Sprintf("%dx%d", d.opts.Width, d.opts.Height)
		config := filepath.Join(d.Dir, "xorg.conf")
		text := fmt.Sprintf(xorgConfig, modeline(mode, d.opts.Width, d.opts.Height), mode,
			max(4096, d.opts.Width*d.opts.Monitors), max(2160, d.opts.Height))
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			write.Close()
			return err
		}
		args = []string{xorgBinary, "-displayfd", "3", "-config", config, "-logfile", filepath.Join(d.Dir, "log", "xorg.log"),
			"-novtswitch", "-sharevts"}
	} else {
		args = []string{"Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", d.opts.Width, d.opts.Height),
			"+render"}
	}
	p, err := d.spawn(partX, []*os.File{write}, append(args, serverExtensions...)...)
	write.Close() // the server has its own copy; ours would hide its end from the reader
	if err != nil {
		return err
	}
	d.setPart(partX, p)
	number, err := readLine(ctx, read)
	if err != nil {
		return fmt.Errorf("read display number: %w", err)
	}
	if _, err := strconv.Atoi(number); err != nil {
		return fmt.Errorf("read display number: %w", err)
	}
	d.Display = ":" + number
	return d.connect()
}

// modeline is a mode for the dummy driver, which cares for no real timing but for these: a blank of 160 columns counts
// as reduced blanking and is refused, and so is a pixel clock over 300 MHz.
func modeline(name string, w, h int) string {
	rate := 60
	if (w+200)*(h+30)*rate > 300e6 {
		rate = 30
	}
	return fmt.Sprintf("\tModeLine %q %.2f %d %d %d %d %d %d %d %d", name, float64((w+200)*(h+30)*rate)/1e6,
		w, w+48, w+112, w+200, h, h+3, h+9, h+30)
}

// placeMonitors lights the further outputs of the dummy driver side by side.
func (d *Desktop) placeMonitors(context.Context) error {
	if d.opts.Monitors < 2 {
		return nil
	}
	mode := fmt.Sprintf("%dx%d", d.opts.Width, d.opts.Height)
	for i := 1; i < d.opts.Monitors; i++ {
		output := fmt.Sprintf("DUMMY%d", i)
		if err := d.LightMonitor(output, mode, i*d.opts.Width, 0); err != nil {
			return err
		}
	}
	return nil
}

// LightMonitor gives an output of the dummy driver ("DUMMY1") a mode ("1024x768") and a place. Xorg desktops only.
func (d *Desktop) LightMonitor(output, mode string, x, y int) error {
	// Fails where the output has the mode already; then --output succeeds all the same.
	_, addErr := d.Run("xrandr", "--addmode", output, mode)
	if _, err := d.Run("xrandr", "--output", output, "--mode", mode, "--pos", fmt.Sprintf("%dx%d", x, y)); err != nil {
		return errors.Join(addErr, err)
	}
	_, err := d.Run("xrandr", "--query") // a running GLFW notices the change only after a query
	return err
}

// DarkenMonitor switches an output off.
func (d *Desktop) DarkenMonitor(output string) error {
	if _, err := d.Run("xrandr", "--output", output, "--off"); err != nil {
		return err
	}
	_, err := d.Run("xrandr", "--query")
	return err
}

// StartBus starts the session bus. The address stays the same over a KillBus and StartBus.
func (d *Desktop) StartBus(ctx context.Context) error {
	socket := filepath.Join(d.Dir, "run", "bus")
	_ = os.Remove(socket) // left by a killed bus
	d.BusAddr = "unix:path=" + socket
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	p, err := d.spawn(partBus, []*os.File{write}, "dbus-daemon", "--session", "--nofork", "--nopidfile",
		"--address="+d.BusAddr, "--print-address=3")
	write.Close()
	if err != nil {
		return err
	}
	d.setPart(partBus, p)
	_, err = readLine(ctx, read)
	return err
}

// StartWM starts the window manager and waits until it manages.
func (d *Desktop) StartWM(ctx context.Context) error {
	args := []string{d.opts.WM}
	switch d.opts.WM {
	case "openbox":
		args = append(args, "--sm-disable")
	case "xfwm4":
		args = append(args, "--compositor=off", "--replace")
	case "metacity":
		args = append(args, "--sm-disable", "--no-composite")
	}
	p, err := d.spawn(partWM, nil, args...)
	if err != nil {
		return err
	}
	d.setPart(partWM, p)
	err = poll(ctx, startLimit, "window manager "+d.opts.WM, func() bool { return !p.alive() || d.managed() })
	if err != nil {
		return err
	}
	return d.probeWM(ctx)
}

// probeWM maps small windows until one is managed. A window manager names itself before it is ready, and openbox loses
// a window that is mapped in between forever.
func (d *Desktop) probeWM(ctx context.Context) error {
	for deadline := time.Now().Add(startLimit); time.Now().Before(deadline); {
		id, err := xproto.NewWindowId(d.conn)
		if err != nil {
			return err
		}
		screen := xproto.Setup(d.conn).DefaultScreen(d.conn)
		xproto.CreateWindow(d.conn, screen.RootDepth, id, d.root, 0, 0, 1, 1, 0, xproto.WindowClassInputOutput,
			screen.RootVisual, 0, nil)
		xproto.MapWindow(d.conn, id)
		managed := poll(ctx, 300*time.Millisecond, "a managed window", func() bool { return len(d.property(id, "WM_STATE")) > 0 })
		xproto.DestroyWindow(d.conn, id)
		gone := poll(ctx, time.Second, "the window to go", func() bool { return !slices.Contains(d.clients(), id) })
		if managed == nil && gone == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errors.New("it manages no windows")
}

// managed reports whether a live window manager answers for the root window.
func (d *Desktop) managed() bool {
	check := d.window32(d.root, "_NET_SUPPORTING_WM_CHECK")
	return check != 0 && d.window32(check, "_NET_SUPPORTING_WM_CHECK") == check
}

// StartCompositor starts picom and waits until it owns the screen's compositing selection.
func (d *Desktop) StartCompositor(ctx context.Context) error {
	p, err := d.spawn(partCompositor, nil, "picom", "--backend", "xrender", "--config", "/dev/null")
	if err != nil {
		return err
	}
	d.setPart(partCompositor, p)
	return poll(ctx, startLimit, "compositor", d.composited)
}

func (d *Desktop) composited() bool {
	owner, err := xproto.GetSelectionOwner(d.conn, d.atoms.get("_NET_WM_CM_S0")).Reply()
	return err == nil && owner.Owner != 0
}

// StartTray starts the tray host of Options.Tray (TrayWatcher if that is TrayNone) and waits until it owns its name.
func (d *Desktop) StartTray(ctx context.Context) error {
	if d.opts.Tray != TrayPanel {
		w, err := NewWatcher(d.BusAddr)
		if err != nil {
			return err
		}
		d.mu.Lock()
		d.watcher = w
		d.mu.Unlock()
		return nil
	}
	if err := d.writePanelConfig(); err != nil {
		return err
	}
	p, err := d.spawn(partTray, nil, "xfce4-panel", "--disable-wm-check")
	if err != nil {
		return err
	}
	d.setPart(partTray, p)
	return d.waitName(ctx, watcherName)
}

func (d *Desktop) waitName(ctx context.Context, name string) error {
	conn, err := dbus.Connect(d.BusAddr)
	if err != nil {
		return fmt.Errorf("connect to session bus: %w", err)
	}
	defer conn.Close()
	return poll(ctx, startLimit, name, func() bool {
		var has bool
		err := conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, name).Store(&has)
		return err == nil && has
	})
}

// KillCompositor ends the compositor at once, as a crash would.
func (d *Desktop) KillCompositor() { d.killPart(partCompositor) }

// KillWM ends the window manager at once.
func (d *Desktop) KillWM() { d.killPart(partWM) }

// KillBus ends the session bus at once.
func (d *Desktop) KillBus() { d.killPart(partBus) }

// KillX ends the X server at once.
func (d *Desktop) KillX() { d.killPart(partX) }

// KillTray ends the tray host at once.
func (d *Desktop) KillTray() {
	d.mu.Lock()
	w := d.watcher
	d.watcher = nil
	d.mu.Unlock()
	if w != nil {
		w.Close()
		return
	}
	d.killPart(partTray)
}

func (d *Desktop) setPart(name string, p *proc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.parts[name] = p
}

func (d *Desktop) killPart(name string) {
	d.mu.Lock()
	p := d.parts[name]
	delete(d.parts, name)
	d.mu.Unlock()
	if p != nil {
		p.kill()
	}
}

func (d *Desktop) paintWallpaper(context.Context) error {
	_, err := d.Run("hsetroot", "-solid", d.opts.Wallpaper)
	return err
}

// readLine reads the first line that a starting server writes to its pipe.
func readLine(ctx context.Context, file *os.File) (string, error) {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < startLimit {
		_ = file.SetReadDeadline(deadline)
	} else {
		_ = file.SetReadDeadline(time.Now().Add(startLimit))
	}
	line, err := bufio.NewReader(file).ReadString('\n')
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(line), nil
}

// PauseX stops the X server without ending it, as a hang does, and lets it run on.
func (d *Desktop) PauseX(paused bool) {
	d.mu.Lock()
	p := d.parts[partX]
	d.mu.Unlock()
	if p == nil {
		return
	}
	if paused {
		p.signal(syscall.SIGSTOP)
	} else {
		p.signal(syscall.SIGCONT)
	}
}
