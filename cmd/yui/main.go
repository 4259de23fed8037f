// Command yui is the tray app and its own remote control.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/alecthomas/kong"

	"yui/cmd/yui/control"
	"yui/cmd/yui/settings"
)

// version is that of the source; the linker sets a nearer one where the clone has tags.
var version = "0.2.0"

// GLFW and OpenGL belong to the first thread of the process.
func init() { runtime.LockOSThread() }

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	told := func(why string) { fmt.Fprintln(os.Stderr, "yui:", why) }
	paths, err := settings.FindPaths()
	if err != nil {
		return control.Finish(err, told)
	}
	ended := false // --help, --version or a completion said all
	code := 0
	parser, err := kong.New(&cli{}, kong.Name("yui"), kong.Description(about), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Vars{"version": version},
		kong.Exit(func(c int) {
			if !ended {
				ended, code = true, c
			}
		}))
	if err != nil {
		return control.Finish(err, told)
	}
	if answerShell(parser, paths); ended {
		return code
	}
	parsed, err := parser.Parse(os.Args[1:])
	switch {
	case ended:
		return code
	case err != nil:
		return control.Finish(control.BadUsage("%w", err), told)
	}
	return control.Finish(parsed.Run(&session{ctx: ctx, paths: paths}), told)
}
