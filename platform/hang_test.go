//go:build !windows && !darwin

package platform

import (
	"context"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"

	"yui/platform/desktoptest"
)

// A server that hangs costs the callers an error, never a hang of their own; when it runs on, everything goes on.
func TestServerHangs(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	desk := open(t, d)
	d.PauseX(true)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := desk.Capture(ctx, 0); err == nil {
		t.Error("a picture")
	}
	if _, _, err := desk.Pointer(); err == nil {
		t.Error("a pointer")
	}
	if _, err := desk.Idle(); err == nil {
		t.Error("idle time")
	}
	ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if other, err := Open(ctx, nil); err == nil {
		other.Close()
		t.Error("opened")
	}
	d.PauseX(false)
	d.Window(t, desktoptest.Spec{Title: "after", X: 50, Y: 50})
	until(t, desk, "the window", func(s *Snapshot) bool { return len(s.Windows) == 1 })
	desktoptest.WaitFor(t, limit, "the pointer", func() bool { _, _, err := desk.Pointer(); return err == nil })

	d.PauseX(true)
	desk.Close() // returns all the same
	d.PauseX(false)
}

func TestCloseLeavesNothingBehind(t *testing.T) {
	d := desktoptest.Start(t, desktoptest.Options{})
	d.XTerm(t, "x", 50, 50, 40, 10)
	d.Setenv(t)
	before := goleak.IgnoreCurrent()
	desk, err := Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := desk.Capture(t.Context(), 0); err != nil {
		t.Error(err)
	}
	desk.Close()
	goleak.VerifyNone(t, before)
}

// portal is the settings portal with some settings.
type portal struct {
	old      bool // only Read, which packs twice
	settings map[string]any
}

func (p portal) read(namespace, key string) (dbus.Variant, *dbus.Error) {
	value, ok := p.settings[namespace+" "+key]
	if !ok {
		return dbus.Variant{}, dbus.NewError("org.freedesktop.portal.Error.NotFound", nil)
	}
	return dbus.MakeVariant(value), nil
}

func (p portal) serve(t *testing.T, address string) {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	methods := map[string]any{"Read": func(namespace, key string) (dbus.Variant, *dbus.Error) {
		value, err := p.read(namespace, key)
		return dbus.MakeVariant(value), err
	}}
	if !p.old {
		methods["ReadOne"] = p.read
	}
	if err := conn.ExportMethodTable(methods, portalPath, "org.freedesktop.portal.Settings"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName(portalName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
}

func TestPortalSettings(t *testing.T) {
	const scheme, reduced = "org.freedesktop.appearance color-scheme", "org.freedesktop.appearance reduced-motion"
	const animations = "org.gnome.desktop.interface enable-animations"
	cases := []struct {
		name         string
		portal       *portal
		dark, motion bool
		fail         bool
	}{
		{"none", nil, false, false, true},
		{"dark, new", &portal{false, map[string]any{scheme: uint32(1), reduced: uint32(1)}}, true, true, false},
		{"light, old", &portal{true, map[string]any{scheme: uint32(2), animations: true}}, false, false, false},
		{"dark, old, no animations", &portal{true, map[string]any{scheme: uint32(1), animations: false}}, true, true, false},
		{"empty", &portal{false, nil}, false, false, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := desktoptest.Start(t, desktoptest.Options{WM: "none"})
			d.Setenv(t)
			if c.portal != nil {
				c.portal.serve(t, d.BusAddr)
			}
			dark, err := DarkMode(t.Context())
			if dark != c.dark || (err != nil) != c.fail {
				t.Errorf("dark %v: %v", dark, err)
			}
			motion, err := ReducedMotion(t.Context())
			if motion != c.motion || (err != nil) != c.fail {
				t.Errorf("reduced motion %v: %v", motion, err)
			}
		})
	}
}
