package main

import "yui/cmd/yui/control"

type relationsCmd struct {
	preset
	Log bool `help:"Print the log of changes too."`
}

// Run prints one JSON object.
func (c *relationsCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "relations", Preset: c.Preset, Log: c.Log})
}
