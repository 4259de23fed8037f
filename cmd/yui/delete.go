package main

import "yui/cmd/yui/control"

type deleteCmd struct {
	Preset string `arg:"" predictor:"preset"`
}

// Run deletes the preset.
func (c *deleteCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "delete", Args: []string{c.Preset}})
}
