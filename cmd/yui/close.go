package main

import "yui/cmd/yui/control"

type closeCmd struct {
	Preset string `arg:"" predictor:"preset"`
}

// Run closes the pet.
func (c *closeCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "close", Args: []string{c.Preset}})
}
