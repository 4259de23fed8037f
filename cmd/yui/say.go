package main

import "yui/cmd/yui/control"

type sayCmd struct {
	preset
	Text string `arg:"" help:"What you say."`
}

// Run is one turn, and prints the reply.
func (c *sayCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "say", Preset: c.Preset, Args: []string{c.Text}})
}
