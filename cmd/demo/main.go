// Command demo shows YUI where there is no display: it opens a private virtual desktop with two ordinary windows, runs
// the built binary there, and drives it by its own command line. It leaves numbered PNGs and an animated GIF. With
// -figures it measures the running binary instead.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"yui/platform/desktoptest"
)

func main() {
	bin := flag.String("yui", "bin/yui", "the built binary")
	out := flag.String("out", "out/demo", "the folder for the pictures")
	figures := flag.Bool("figures", false, "measure the running binary and print the figures")
	wm := flag.String("wm", "openbox", "the window manager: openbox, xfwm4 or metacity")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run, limit := demonstrate, 5*time.Minute
	if *figures {
		run, limit = measure, 20*time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := run(ctx, *bin, *out, *wm); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// stage is the desktop with YUI on it.
type stage struct {
	*desktoptest.Desktop
	pet *pet
}

// openStage starts the desktop and YUI.
func openStage(ctx context.Context, bin, wm, config string) (*stage, error) {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return nil, err
	}
	d, err := desktoptest.Launch(ctx, desktoptest.Options{WM: wm, Compositor: true, Tray: desktoptest.TrayPanel, Wallpaper: "#8FB3C4"})
	if err != nil {
		return nil, err
	}
	s := &stage{Desktop: d}
	if s.pet, err = startPet(ctx, bin, d.Env(), config); err != nil {
		d.Close()
		return nil, err
	}
	return s, nil
}

func (s *stage) close() {
	s.pet.end()
	s.Desktop.Close()
}
