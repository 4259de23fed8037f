package main

import "yui/cmd/yui/control"

type toolsCmd struct {
	preset
}

// Run prints the tools[] of a request.
func (c *toolsCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "tools", Preset: c.Preset})
}
