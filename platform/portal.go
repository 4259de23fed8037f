//go:build !windows && !darwin

package platform

import (
	"context"
	"fmt"
	"time"
	"yui/internal/bus"

	"github.com/godbus/dbus/v5"
)

const (
	portalName    = "org.freedesktop.portal.Desktop"
	portalPath    = "/org/freedesktop/portal/desktop"
	portalRead    = "org.freedesktop.portal.Settings.Read"
	portalReadOne = "org.freedesktop.portal.Settings.ReadOne"
	portalLimit   = 2 * time.Second
)

// DarkMode reports whether the person asked the desktop for dark windows. An error means that nobody can tell: no session
// bus, no portal, no such setting. It waits two seconds at most.
func DarkMode(ctx context.Context) (bool, error) {
	value, err := portalSetting(ctx, "org.freedesktop.appearance", "color-scheme")
	if err != nil {
		return false, fmt.Errorf("read colour scheme: %w", err)
	}
	scheme, _ := value.(uint32)
	return scheme == 1, nil
}

// ReducedMotion reports whether the person asked the desktop for less motion. Errors as for DarkMode.
func ReducedMotion(ctx context.Context) (bool, error) {
	if value, err := portalSetting(ctx, "org.freedesktop.appearance", "reduced-motion"); err == nil {
		reduced, _ := value.(uint32)
		return reduced == 1, nil
	}
	value, err := portalSetting(ctx, "org.gnome.desktop.interface", "enable-animations")
	if err != nil {
		return false, fmt.Errorf("read motion setting: %w", err)
	}
	animated, ok := value.(bool)
	return ok && !animated, nil
}

// portalSetting asks with ReadOne, and with Read, its form before 2023, which packs the value twice.
func portalSetting(ctx context.Context, namespace, key string) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, portalLimit)
	defer cancel()
	conn, err := sessionBus(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	portal := conn.Object(portalName, portalPath)
	var value dbus.Variant
	if err := portal.CallWithContext(ctx, portalReadOne, 0, namespace, key).Store(&value); err != nil {
		if err := portal.CallWithContext(ctx, portalRead, 0, namespace, key).Store(&value); err != nil {
			return nil, err
		}
	}
	for {
		inner, packed := value.Value().(dbus.Variant)
		if !packed {
			return value.Value(), nil
		}
		value = inner
	}
}

// mutterIdle asks GNOME's compositor how long the person has been idle.
func mutterIdle() (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), portalLimit)
	defer cancel()
	conn, err := sessionBus(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	var ms uint64
	err = conn.Object("org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core").
		CallWithContext(ctx, "org.gnome.Mutter.IdleMonitor.GetIdletime", 0).Store(&ms)
	return time.Duration(ms) * time.Millisecond, err
}

// sessionBus is a connection of our own, for one question.
func sessionBus(ctx context.Context) (*dbus.Conn, error) {
	conn, err := bus.Session(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to session bus: %w", err)
	}
	return conn, nil
}
