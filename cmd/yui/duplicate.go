package main

import "yui/cmd/yui/control"

type duplicateCmd struct {
	Preset string `arg:"" predictor:"preset"`
	Name   string `arg:"" optional:""`
}

// Run prints the copy's id.
func (c *duplicateCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "duplicate", Args: []string{c.Preset, c.Name}})
}
