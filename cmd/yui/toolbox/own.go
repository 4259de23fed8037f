package toolbox

import (
	"maps"
	"slices"

	"yui/assets/lang"
	"yui/cmd/yui/settings"
	"yui/tools"
	"yui/tools/browser"
	"yui/tools/command"
)

// guard is how the tools of a pet ask the person.
func (e *Equipment) guard(p Pet) tools.Guard {
	return tools.Guard{Asker: p.Asker, On: func() bool { return e.gear.Load().ask }, Words: e.Words}
}

// see gives the tools the vision of this moment.
func (e *Equipment) see() tools.Vision { return e.gear.Load().vision }

// own are the tools that every window declares beside its cue, relations and address, with the gear of a moment.
func (e *Equipment) own(p Pet, g *gear) []tools.Tool {
	guard := e.guard(p)
	browsing := func() bool { return e.Settings.Enabled(settings.KeyBrowser) }
	scripts := tools.BrowserRules(e.Words, browsing, p.Taint)
	for i := range scripts {
		scripts[i].Within = e.relay.Wait()
	}
	list := []tools.Tool{
		guard.GuardedBy(p.Taint.Watched(browser.New(browser.Options{Relay: e.relay, Preset: p.Preset, Enabled: browsing}), tools.FromPages, browser.Foreign),
			scripts...),
		guard.Guarded(p.Taint.Watched(tools.NewSeeCamera(p.Words, p.Senses, e.see), tools.FromCamera, nil), tools.CameraRule(e.Words, p.Senses, e.see, p.Taint.AlsoMarked(e.consent, "camera"))),
		tools.NewShowEffect(p.Words, p.Senses),
	}
	if g.engine != nil {
		list = append(list, p.Taint.Watched(tools.NewWebSearch(p.Words, g.engine, p.Found), tools.FromSearch, nil))
	}
	if g.webhook != nil {
		list = append(list, guard.Guarded(tools.NewDiscordShare(p.Words, *g.webhook), tools.DiscordRule(e.Words)))
	}
	for _, c := range g.commands {
		tool := p.Taint.Watched(c.tool, tools.FromCommand, tools.Anything) // its failures say what it printed, too
		if c.sends {
			tool = guard.Guarded(tool, c.rule)
		}
		list = append(list, tool)
	}
	return list
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

// foreign are the tools of MCP servers as a window declares them: what they answer enters her conversation as a stranger's.
func (e *Equipment) foreign(p Pet) []tools.Tool {
	var list []tools.Tool
	for _, o := range e.servers.Tools() {
		tool := p.Taint.Watched(o.Tool, tools.FromMCP, tools.Anything)
		if o.Sends {
			tool = e.guard(p).Guarded(tool, o.Rule)
		} else if !o.Closed {
			rule := o.GoOn
			rule.When, rule.Once = p.Taint.Tainted, p.Taint.Grant("mcp:"+o.Server, 0)
			tool = e.guard(p).Guarded(tool, rule)
		}
		list = append(list, tool)
	}
	return list
}
