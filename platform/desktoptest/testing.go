//go:build !windows && !darwin

package desktoptest

import (
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// requireVar makes a missing program a failure instead of a skip: set if everything is known to be installed.
const requireVar = "YUI_TEST_REQUIRE"

// TB is what Start and its kin need of a *testing.T, *testing.B or *testing.F. (Naming package testing here would link
// it into programs that use Launch.)
type TB interface {
	Helper()
	Cleanup(func())
	Failed() bool
	Fatal(args ...any)
	Logf(format string, args ...any)
	Setenv(name, value string)
	Skip(args ...any)
}

// Start is Launch for a test: it skips if a program is missing, fails if something does not start, and closes
// the desktop with the test.
func Start(t TB, opts Options) *Desktop {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	d, err := Launch(ctx, opts)
	var missing *MissingError
	if errors.As(err, &missing) && os.Getenv(requireVar) != "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("logs of the desktop:%s", d.logTail())
		}
		d.Close()
	})
	return d
}

// MainThread runs what tests hand over on the process's main thread, where GLFW belongs: TestMain ends with
// os.Exit(thread.Run(m)).
type MainThread chan func()

// Run locks the main thread, runs the tests beside it and returns their code.
func (c MainThread) Run(m interface{ Run() int }) int {
	runtime.LockOSThread()
	code := make(chan int, 1)
	go func() { code <- m.Run() }()
	for {
		select {
		case f := <-c:
			f()
		case n := <-code:
			return n
		}
	}
}

// Setenv gives the test's own process the desktop's display, bus and folders (see testing.T).
func (d *Desktop) Setenv(t TB) {
	t.Helper()
	for name, value := range d.ownEnv() {
		t.Setenv(name, value) // restores at the end of the test
		if value == "" {
			os.Unsetenv(name)
		}
	}
}

// XTerm is OpenXTerm for a test. The xterm ends with the test.
func (d *Desktop) XTerm(t TB, title string, x, y, cols, rows int) *Window {
	t.Helper()
	if missing := lookAll("xterm"); len(missing) > 0 {
		err := &MissingError{missing}
		if os.Getenv(requireVar) != "1" {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	w, err := d.OpenXTerm(title, x, y, cols, rows)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// StartNotifications starts dunst, a notification service, and waits until it answers.
func (d *Desktop) StartNotifications(t TB) {
	t.Helper()
	if missing := lookAll("dunst", "dunstctl"); len(missing) > 0 {
		err := &MissingError{missing}
		if os.Getenv(requireVar) != "1" {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	p, err := d.spawn(partNotifications, nil, "dunst")
	if err != nil {
		t.Fatal(err)
	}
	d.setPart(partNotifications, p)
	WaitFor(t, startLimit, "dunst", func() bool { return d.Notifications() == 0 })
}

// Notifications is how many notifications dunst shows now, -1 if it does not answer.
func (d *Desktop) Notifications() int {
	out, err := d.Run("dunstctl", "count", "displayed")
	if err != nil {
		return -1
	}
	n, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return -1
	}
	return n
}

// Window is OpenWindow for a test.
func (d *Desktop) Window(t TB, spec Spec) *Window {
	t.Helper()
	w, err := d.OpenWindow(spec)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// WaitFor fails the test unless done answers true within the limit. done is called some times, never in a busy loop.
func WaitFor(t TB, limit time.Duration, what string, done func() bool) {
	t.Helper()
	if err := poll(context.Background(), limit, what, done); err != nil {
		t.Fatal(err)
	}
}

// Picture takes a screenshot, and keeps it as NAME.png in the folder of the environment variable YUI_TEST_PICTURES
// if that is set, to be looked at.
func (d *Desktop) Picture(t TB, name string) *image.RGBA {
	t.Helper()
	picture, err := d.Screenshot()
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("YUI_TEST_PICTURES"); dir != "" {
		if err := SavePNG(filepath.Join(dir, strings.ReplaceAll(name, "/", "-")+".png"), picture); err != nil {
			t.Fatal(err)
		}
	}
	return picture
}

// SavePNG writes a picture.
func SavePNG(path string, picture image.Image) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(file, picture); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
