//go:build !windows && !darwin

package main_test

import (
	"regexp"
	"strings"
	"testing"

	"yui/platform/desktoptest"
)

var doctorLine = regexp.MustCompile(`^(ok  |warn|fail)  \S.*\S$`)

// TestDoctor asks for a check-up of healthy and of ill desktops.
func TestDoctor(t *testing.T) {
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Tray: desktoptest.TrayWatcher})
	check := func(t *testing.T, y *instance, code int, want ...string) {
		t.Helper()
		r := y.run("doctor")
		for _, line := range strings.Split(r.out, "\n") {
			if !doctorLine.MatchString(line) {
				t.Errorf("line %q", line)
			}
		}
		if r.code != code {
			t.Errorf("exit %d, want %d:\n%s%s", r.code, code, r.out, r.err)
		}
		for _, w := range want {
			if !regexp.MustCompile(`(?m)^` + w).MatchString(r.out) {
				t.Errorf("no line %s in\n%s", w, r.out)
			}
		}
	}
	t.Run("healthy", func(t *testing.T) {
		check(t, prepare(t, desk), 0, "ok +display", "(ok|warn) +opengl", "ok +window manager +Openbox", "ok +compositor", "ok +monitor 0 .*1280x800",
			"ok +d-bus", "ok +tray", "ok +config", "ok +chat", "ok +instance +not running")
	})
	t.Run("while it runs", func(t *testing.T) {
		y := launch(t, desk)
		check(t, y, 0, "ok +instance +running")
		y.quit()
	})
	t.Run("no tray host, no compositor", func(t *testing.T) {
		desk.KillTray()
		desk.KillCompositor()
		check(t, prepare(t, desk), 0, "warn +tray", "warn +compositor")
	})
	t.Run("no bus", func(t *testing.T) {
		check(t, prepare(t, desk, "DBUS_SESSION_BUS_ADDRESS=", "XDG_RUNTIME_DIR="), 0, "warn +d-bus")
		check(t, prepare(t, desk, "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent/bus"), 0, "warn +d-bus")
	})
	t.Run("no display", func(t *testing.T) {
		check(t, prepare(t, desk, "DISPLAY="), 1, "fail +display")
		check(t, prepare(t, desk, "DISPLAY=:4711"), 1, "fail +display")
	})
	t.Run("config with a mistake", func(t *testing.T) {
		y := prepare(t, desk)
		y.config("[chat]\napi = 7\n")
		check(t, y, 1, "fail +config .*line 2")
	})
	t.Run("starting without a display", func(t *testing.T) {
		for _, display := range []string{"DISPLAY=", "DISPLAY=:4711"} {
			if r := prepare(t, desk, display).run(); r.code != 1 || r.err == "" || strings.Contains(r.err, "goroutine ") {
				t.Errorf("%s: %+v", display, r)
			}
		}
	})
	t.Run("no window manager", func(t *testing.T) {
		desk.KillWM() // its traces stay on the root window
		y := launch(t, desk)
		if y.must("say", "hello") == "" {
			t.Error("no reply without a window manager")
		}
		y.quit()
		check(t, prepare(t, desk), 0, "warn +window manager")
	})
}
