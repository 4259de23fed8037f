package doctor

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
