package main

import "yui/cmd/yui/control"

type openCmd struct {
	Preset string `arg:"" predictor:"preset"`
}

// Run opens the pet.
func (c *openCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "open", Args: []string{c.Preset}})
}
