package main

import (
	"context"
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"yui/assets/lang"
	"yui/cmd/yui/control"
	"yui/cmd/yui/settings"
)

const about = `YUI puts small living characters on your desktop.

Without a command it starts, or shows the pets of the instance that runs already. A command talks to that instance;
without -p it means the main pet. Exit codes: 0 done, 1 failed, 2 bad usage, 3 YUI is not running.`

// cli is what the command line knows, in the order in which its help lists it. Each command is a type with a Run method,
// in a file of its own; what the running instance answers is in package app's table of commands.
type cli struct {
	Version   versionFlag  `help:"Print the version." short:"V"`
	Run       runCmd       `cmd:"" default:"1" help:"Start, or show the running pets (the default)."`
	Say       sayCmd       `cmd:"" help:"Say something, as if typed; prints the reply."`
	State     stateCmd     `cmd:"" help:"Print what is going on as one JSON object."`
	Call      callCmd      `cmd:"" help:"Run tools as a model's calls would; prints each result."`
	Snapshot  snapshotCmd  `cmd:"" help:"Write the pet's present frame with its alpha."`
	Open      openCmd      `cmd:"" help:"Open a preset's pet."`
	Close     closeCmd     `cmd:"" help:"Close a preset's pet."`
	Presets   presetsCmd   `cmd:"" help:"List the presets as JSON."`
	Create    createCmd    `cmd:"" help:"Make a new preset; prints its id."`
	Import    importCmd    `cmd:"" help:"Make a preset of a model file or a character card; prints its id."`
	Duplicate duplicateCmd `cmd:"" help:"Copy a preset; prints the new id."`
	Rename    renameCmd    `cmd:"" help:"Give a preset another name."`
	Delete    deleteCmd    `cmd:"" help:"Delete a preset and its model file; a bundled one loses its changes."`
	Get       getCmd       `cmd:"" help:"Print a stored switch or setting."`
	Set       setCmd       `cmd:"" help:"Store a switch or setting."`
	History   historyCmd   `cmd:"" help:"Print what was said."`
	Rules     rulesCmd     `cmd:"" help:"Print the rules and when each last fired, as JSON."`
	Relations relationsCmd `cmd:"" help:"Print what a pet feels toward whom, as JSON."`
	Tools     toolsCmd     `cmd:"" help:"Print the declared tools, as a Chat Completions request has them."`
	Doctor    doctorCmd    `cmd:"" help:"Look at everything YUI needs and say what to mend."`
	Companion companionCmd `cmd:"" help:"Serve the built-in companion as an OpenAI-compatible server."`
	Mcp       mcpCmd       `cmd:"" name:"mcp" help:"Serve the running pet to an agent as an MCP server on stdin and stdout."`
	Quit      quitCmd      `cmd:"" help:"End the running instance."`
	Man       manCmd       `cmd:"" hidden:"" help:"Print the manual page."`
}

// preset is the flag of the commands that are about one pet.
type preset struct {
	Preset string `short:"p" predictor:"preset" placeholder:"PRESET" help:"A preset's id or name; the main pet where left out."`
}

type versionFlag bool

// BeforeReset prints the version and ends the parse.
func (versionFlag) BeforeReset(k *kong.Kong) error {
	fmt.Fprintln(k.Stdout, "yui", version)
	k.Exit(0)
	return nil
}

// session is what a command's Run is given.
type session struct {
	ctx   context.Context // ends with Ctrl-C
	paths settings.Paths
}

// words are those of the config's language.
func (s *session) words() *lang.Words {
	cfg, _ := settings.ReadConfig(s.paths.Config) // its mistakes are told elsewhere
	return lang.In(cfg.Language)
}

// ask sends a request to the running instance and prints what it answers.
func (s *session) ask(req control.Request) error {
	return control.Ask(s.ctx, s.paths.Socket, req, os.Stdout, os.Stderr)
}
