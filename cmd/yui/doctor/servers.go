package doctor

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"yui/assets/lang"
	"yui/cmd/yui/control"
	"yui/cmd/yui/settings"
	"yui/tools/mcp"
)

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
			c.warn("tool "+name, c.say("doctor.no_program", lang.Args{"program": program}), c.say("doctor.program_mend"))
		}
	}
}

func (c *checkup) server(name string, cfg mcp.Config, states map[string]mcp.State) {
	what := "mcp " + name
	s, known := states[name]
	switch {
	case known && s.On && s.Error != "":
		c.warn(what, c.say("doctor.server_broken", lang.Args{"cause": s.Error}), c.say("doctor.server_broken_mend", lang.Args{"command": "yui set " + mcp.Key(name) + " false"}))
		return
	case known && s.On && s.Pending > 0:
		c.warn(what, c.say("doctor.server_changes", lang.Args{"tools": s.Tools, lang.Count: s.Pending}), c.say("doctor.server_changes_mend"))
		return
	case known && s.On:
		key := lang.Key("doctor.server_starting")
		if s.Running {
			key = "doctor.server_on"
		}
		c.ok(what, c.say(key, lang.Args{lang.Count: s.Tools}))
		return
	}
	if len(cfg.Command) > 0 {
		if _, err := exec.LookPath(cfg.Command[0]); err != nil {
			c.warn(what, c.say("doctor.no_program", lang.Args{"program": cfg.Command[0]}), c.say("doctor.program_mend"))
			return
		}
	}
	for header, value := range cfg.Headers {
		for _, missing := range missingVariables(value, c.variable) {
			c.warn(what, c.say("doctor.no_variable", lang.Args{"header": header, "name": missing}), c.say("doctor.no_variable_mend"))
			return
		}
	}
	if known {
		c.ok(what, c.say("doctor.server_off", lang.Args{"command": "yui set " + mcp.Key(name) + " true"}))
		return
	}
	c.ok(what, c.say("doctor.server_idle"))
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
