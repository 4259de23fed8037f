package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"yui/assets/lang"
	"yui/cmd/yui/asking"
	"yui/cmd/yui/control"
	"yui/cmd/yui/settings"
	"yui/overlay/ui"
	"yui/tools"
	"yui/tools/command"
	"yui/tools/mcp"
)

// serversEnd bounds the end of all MCP servers when YUI quits.
const serversEnd = 5 * time.Second

// newServers makes the manager of the config's MCP servers; nothing is started yet.
func (a *App) newServers() (*mcp.Manager, error) {
	return mcp.NewManager(mcp.Options{
		Hidden: a.settings.Hidden(), Variable: a.settings.Variable,
		Servers: a.cfg().MCP, Words: a.words, Version: a.version, Store: a.memory, Person: asking.NewGuardian(a.loop, guests{a}), Log: a.log,
		Enabled: func(server string) bool { return a.settings.Enabled(mcp.Key(server)) },
	})
}

// guests is asking.House for the tools of MCP servers: they are told and asked for by the main pet.
type guests struct{ app *App }

// Tell implements asking.House. What the tools say of themselves is shown where the person asks for it, as plain text.
func (g guests) Tell(text, more string) {
	a := g.app
	a.loop.Do(func() {
		if len(a.pets) == 0 {
			return
		}
		p := a.pets[0]
		if p.tell(text); p.talk != nil && more != "" {
			note := ui.Question{Title: a.words.Text("talk.tools_say"), Body: tools.Legible(a.words, more), Deny: a.words.Text("talk.close")}
			p.talk.SetLinks([]ui.Link{{Text: a.words.Text("talk.tools_say"), Open: func() { p.talk.Ask(note, noteWait, func(bool) {}) }}})
		}
	})
}

// noteWait is how long a text that the person has unfolded stays where nobody closes it.
const noteWait = 5 * time.Minute

// Asks implements asking.House.
func (g guests) Asks() bool { return g.app.cfg().Tools.Ask }

// Asking implements asking.House.
func (g guests) Asking() bool {
	return g.app.talks.Asking() || len(g.app.pets) > 0 && len(g.app.pets[0].late.asks) > 0
}

// Asker implements asking.House.
func (g guests) Asker() tools.Asker {
	if p := g.app.mainPet.Load(); p != nil {
		return p.asker()
	}
	return nil
}

// ownCommand is a command tool of the config.
type ownCommand struct {
	tool  tools.Tool
	rule  tools.Rule
	sends bool
}

// newCommands makes the command tools. The config was checked when it was read.
func newCommands(list map[string]command.Config, w *lang.Words, variable func(name string) string) ([]ownCommand, error) {
	var out []ownCommand
	for _, name := range slices.Sorted(maps.Keys(list)) {
		tool, err := command.New(name, list[name], w, variable)
		if err != nil {
			return nil, err
		}
		rule, err := command.Rule(name, list[name], w)
		if err != nil {
			return nil, err
		}
		out = append(out, ownCommand{tool, rule, list[name].Sends})
	}
	return out, nil
}

// foreign are the tools of MCP servers as a pet declares them: what they answer enters her conversation as a stranger's.
func (e *equipment) foreign(p *pet) []tools.Tool {
	var list []tools.Tool
	for _, o := range e.servers.Tools() {
		tool := p.taint.Watched(o.Tool, tools.FromMCP, tools.Anything)
		if o.Sends {
			tool = p.guard().Guarded(tool, o.Rule)
		} else if !o.Closed {
			rule := o.GoOn
			rule.When, rule.Once = p.taint.Tainted, p.taint.Grant("mcp:"+o.Server, 0)
			tool = p.guard().Guarded(tool, rule)
		}
		list = append(list, tool)
	}
	return list
}

// recite shows words as speech, with the mouth moving as long as they would take (docs/rules/chat.md#playback). Main thread.
func (p *pet) recite(text string) {
	p.tell(text)
	if p.talk != nil {
		p.talk.End(lingerFor(text))
	}
	p.fig.SetTalking(true)
	time.AfterFunc(max(800*time.Millisecond, time.Duration(len([]rune(text)))*time.Second/20), func() {
		p.app.loop.Do(func() {
			if !p.playing {
				p.fig.SetTalking(false)
			}
		})
	})
}

// servers writes doctor's lines for the MCP servers and command tools: of a running instance what it knows, else whether
// their programs are there. Nothing of a server is started.
func (c *checkup) servers(ctx context.Context, paths settings.Paths, cfg *settings.Config) {
	var out strings.Builder
	states := map[string]mcp.State{}
	if control.Ask(ctx, paths.Socket, control.Request{Command: "servers"}, &out, io.Discard) == nil {
		var list []mcp.State
		if json.Unmarshal([]byte(out.String()), &list) == nil {
			for _, s := range list {
				states[s.Name] = s
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.MCP)) {
		c.server(name, cfg.MCP[name], states)
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Tools.Command)) {
		program := cfg.Tools.Command[name].Argv[0]
		if path, err := exec.LookPath(program); err == nil {
			c.ok("tool "+name, path)
		} else {
			c.warn("tool "+name, fmt.Sprintf("there is no program %q", program), "install it, or name it with its whole path")
		}
	}
}

func (c *checkup) server(name string, cfg mcp.Config, states map[string]mcp.State) {
	what := "mcp " + name
	s, known := states[name]
	switch {
	case known && s.On && s.Error != "":
		c.warn(what, "on, but does not run: "+s.Error, "see its own documentation; yui set "+mcp.Key(name)+" false turns it off")
		return
	case known && s.On && s.Pending > 0:
		c.warn(what, fmt.Sprintf("runs, %d tools; %d changes wait for you", s.Tools, s.Pending), "turn it off and on to take the changes")
		return
	case known && s.On:
		c.ok(what, fmt.Sprintf("on, %d tools, running: %v", s.Tools, s.Running))
		return
	}
	if len(cfg.Command) > 0 {
		if _, err := exec.LookPath(cfg.Command[0]); err != nil {
			c.warn(what, fmt.Sprintf("there is no program %q", cfg.Command[0]), "install it, or name it with its whole path")
			return
		}
	}
	for header, value := range cfg.Headers {
		for _, missing := range missingVariables(value, c.variable) {
			c.warn(what, fmt.Sprintf("the header %s wants %s, which is not set", header, missing), "put it into the .env file beside config.toml")
			return
		}
	}
	if known {
		c.ok(what, "off; yui set "+mcp.Key(name)+" true turns it on")
		return
	}
	c.ok(what, "set up; YUI does not run, so it does not run either")
}

// missingVariables are the variables that a value of the config names and that have no value.
func missingVariables(value string, variable func(name string) string) (missing []string) {
	os.Expand(value, func(name string) string {
		if variable(name) == "" {
			missing = append(missing, name)
		}
		return ""
	})
	return missing
}
