// Command yui is the tray app and its own remote control.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/alecthomas/kong"

	"yui/cmd/yui/app"
	"yui/cmd/yui/settings"
)

// version is set by the linker.
var version = "dev"

// GLFW and OpenGL belong to the first thread of the process.
func init() { runtime.LockOSThread() }

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	paths, err := settings.FindPaths()
	if err != nil {
		fmt.Fprintln(os.Stderr, "yui:", err)
		return app.ExitFailed
	}
	var cli cli
	code := -1
	parser, err := kong.New(&cli, kong.Name("yui"), kong.Description(about), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Vars{"version": version},
		kong.Exit(func(c int) {
			if code < 0 {
				code = c
			}
		}))
	if err != nil {
		fmt.Fprintln(os.Stderr, "yui:", err)
		return app.ExitFailed
	}
	parsed, err := parser.Parse(os.Args[1:])
	if code >= 0 {
		return code // --help or --version said all
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "yui: %v\n", err)
		return app.ExitUsage
	}
	code, err = cli.do(ctx, parsed.Command(), paths)
	switch {
	case errors.Is(err, app.ErrNotRunning):
		fmt.Fprintln(os.Stderr, "yui:", err)
		return app.ExitNotRunning
	case err != nil:
		fmt.Fprintln(os.Stderr, "yui:", err)
		if code == 0 {
			code = app.ExitFailed
		}
	}
	return code
}
