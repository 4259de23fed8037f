package main

import "yui/cmd/yui/control"

type callCmd struct {
	preset
	Pairs []string `arg:"" help:"TOOL JSON pairs; the pairs of one command are one turn."`
}

// Run runs the calls, and prints a line for each result.
func (c *callCmd) Run(s *session) error {
	if n := len(c.Pairs); n%2 != 0 {
		return control.BadUsage("call needs pairs of TOOL and JSON; %q has no JSON behind it", c.Pairs[n-1])
	}
	return s.ask(control.Request{Command: "call", Preset: c.Preset, Args: c.Pairs})
}
