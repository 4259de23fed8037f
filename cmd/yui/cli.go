package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"yui/chat/rules"
	"yui/cmd/yui/app"
	"yui/cmd/yui/mcp"
	"yui/cmd/yui/settings"
)

const about = `YUI puts small living characters on your desktop.

Without a command it starts, or shows the pets of the instance that runs already. A command talks to that instance;
without -p it means the main pet. Exit codes: 0 done, 1 failed, 2 bad usage, 3 YUI is not running.`

type cli struct {
	Version versionFlag `help:"Print the version." short:"V"`
	Run     struct{}    `cmd:"" default:"1" help:"Start, or show the running pets (the default)."`
	Say     struct {
		preset
		Text string `arg:"" help:"What you say."`
	} `cmd:"" help:"Say something, as if typed; prints the reply."`
	State struct{} `cmd:"" help:"Print what is going on as one JSON object."`
	Call  struct {
		preset
		Pairs []string `arg:"" help:"TOOL JSON pairs; the pairs of one command are one turn."`
	} `cmd:"" help:"Run tools as a model's calls would; prints each result."`
	Snapshot struct {
		preset
		File string `arg:"" help:"The PNG file to write."`
	} `cmd:"" help:"Write the pet's present frame with its alpha."`
	Open struct {
		Preset string `arg:""`
	} `cmd:"" help:"Open a preset's pet."`
	Close struct {
		Preset string `arg:""`
	} `cmd:"" help:"Close a preset's pet."`
	Presets struct{} `cmd:"" help:"List the presets as JSON."`
	Create  struct {
		Name  string `arg:""`
		Wears string `placeholder:"PRESET" help:"The bundled character whose model she wears; yui where left out."`
	} `cmd:"" help:"Make a new preset; prints its id."`
	Import struct {
		File string `arg:"" help:"A .vrm or humanoid .glb file, or a character card (.json, .png, .charx)."`
		Name string `help:"The character's name; the file's own where left out."`
	} `cmd:"" help:"Make a preset of a model file or a character card; prints its id."`
	Duplicate struct {
		Preset string `arg:""`
		Name   string `arg:"" optional:""`
	} `cmd:"" help:"Copy a preset; prints the new id."`
	Rename struct {
		Preset string `arg:""`
		Name   string `arg:""`
	} `cmd:"" help:"Give a preset another name."`
	Delete struct {
		Preset string `arg:""`
	} `cmd:"" help:"Delete a preset and its model file; a bundled one loses its changes."`
	Get struct {
		Key string `arg:"" help:"For example yui.look_screen."`
	} `cmd:"" help:"Print a stored switch or setting."`
	Set struct {
		Key   string `arg:""`
		Value string `arg:"" name:"json" help:"For a switch: true or false."`
	} `cmd:"" help:"Store a switch or setting."`
	History struct {
		preset
		Words string `arg:"" optional:"" help:"Only what holds these words, of all sessions."`
	} `cmd:"" help:"Print what was said."`
	Rules struct {
		Shipped bool   `help:"Print the shipped rules, to copy from, instead."`
		Check   string `placeholder:"FILE" help:"Only say whether a file of rules reads."`
	} `cmd:"" help:"Print the rules and when each last fired, as JSON."`
	Relations struct {
		preset
		Log bool `help:"Print the log of changes too."`
	} `cmd:"" help:"Print what a pet feels toward whom, as JSON."`
	Tools struct {
		preset
	} `cmd:"" help:"Print the declared tools, as a Chat Completions request has them."`
	Doctor    struct{} `cmd:"" help:"Look at everything YUI needs and say what to mend."`
	Companion struct {
		Listen string `required:"" placeholder:"ADDR" help:"For example 127.0.0.1:8011."`
	} `cmd:"" help:"Serve the built-in companion as an OpenAI-compatible server."`
	Mcp  struct{} `cmd:"" name:"mcp" help:"Serve the running pet to an agent as an MCP server on stdin and stdout."`
	Quit struct{} `cmd:"" help:"End the running instance."`
}

type preset struct {
	Preset string `short:"p" placeholder:"PRESET" help:"A preset's id or name; the main pet where left out."`
}

type versionFlag bool

// BeforeReset prints the version and ends the parse.
func (versionFlag) BeforeReset(k *kong.Kong) error {
	fmt.Fprintln(k.Stdout, "yui", version)
	k.Exit(0)
	return nil
}

// do carries out a parsed command.
func (c *cli) do(ctx context.Context, command string, paths settings.Paths) (int, error) {
	ask := func(req app.Request) (int, error) { return app.Ask(ctx, paths.Socket, req, os.Stdout, os.Stderr) }
	switch command {
	case "run":
		return app.Start(ctx, paths, version)
	case "say <text>":
		return ask(app.Request{Command: "say", Preset: c.Say.Preset, Args: []string{c.Say.Text}})
	case "call <pairs>":
		if err := checkPairs(c.Call.Pairs); err != nil {
			return app.ExitUsage, err
		}
		return ask(app.Request{Command: "call", Preset: c.Call.Preset, Args: c.Call.Pairs})
	case "snapshot <file>":
		file, err := filepath.Abs(c.Snapshot.File)
		if err != nil {
			return app.ExitFailed, err
		}
		return ask(app.Request{Command: "snapshot", Preset: c.Snapshot.Preset, Args: []string{file}})
	case "open <preset>":
		return ask(app.Request{Command: "open", Args: []string{c.Open.Preset}})
	case "close <preset>":
		return ask(app.Request{Command: "close", Args: []string{c.Close.Preset}})
	case "get <key>":
		return ask(app.Request{Command: "get", Args: []string{c.Get.Key}})
	case "set <key> <json>":
		if !json.Valid([]byte(c.Set.Value)) {
			return app.ExitUsage, fmt.Errorf("%q is not JSON; a text needs its double quotes", c.Set.Value)
		}
		return ask(app.Request{Command: "set", Args: []string{c.Set.Key, c.Set.Value}})
	case "history", "history <words>":
		return ask(app.Request{Command: "history", Preset: c.History.Preset, Args: []string{c.History.Words}})
	case "rules":
		switch {
		case c.Rules.Shipped:
			_, err := os.Stdout.Write(rules.Shipped())
			return app.ExitOK, err
		case c.Rules.Check != "":
			return app.CheckRules(c.Rules.Check, os.Stdout)
		}
		return ask(app.Request{Command: "rules"})
	case "relations":
		return ask(app.Request{Command: "relations", Preset: c.Relations.Preset, Log: c.Relations.Log})
	case "tools":
		return ask(app.Request{Command: "tools", Preset: c.Tools.Preset})
	case "doctor":
		return app.Doctor(ctx, paths, os.Stdout)
	case "companion":
		return app.ServeCompanion(ctx, c.Companion.Listen, os.Stdout)
	case "mcp":
		return app.ExitOK, mcp.Serve(ctx, paths.Socket, version, os.Stdin, os.Stdout)
	case "import <file>":
		file, err := filepath.Abs(c.Import.File)
		if err != nil {
			return app.ExitFailed, err
		}
		return ask(app.Request{Command: "import", Args: []string{file, c.Import.Name}})
	case "create <name>":
		return ask(app.Request{Command: "create", Args: []string{c.Create.Name, c.Create.Wears}})
	case "duplicate <preset>", "duplicate <preset> <name>":
		return ask(app.Request{Command: "duplicate", Args: []string{c.Duplicate.Preset, c.Duplicate.Name}})
	case "rename <preset> <name>":
		return ask(app.Request{Command: "rename", Args: []string{c.Rename.Preset, c.Rename.Name}})
	case "delete <preset>":
		return ask(app.Request{Command: "delete", Args: []string{c.Delete.Preset}})
	case "state", "presets", "quit":
		return ask(app.Request{Command: command})
	}
	return app.ExitUsage, fmt.Errorf("unknown command %q", command)
}

func checkPairs(pairs []string) error {
	if len(pairs)%2 != 0 {
		return fmt.Errorf("call needs pairs of TOOL and JSON; %q has no JSON behind it", pairs[len(pairs)-1])
	}
	return nil
}
