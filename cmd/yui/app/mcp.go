package app

import (
	"maps"
	"slices"
	"time"

	"yui/assets/lang"
	"yui/cmd/yui/asking"
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
