package main

import "yui/cmd/yui/control"

type renameCmd struct {
	Preset string `arg:"" predictor:"preset"`
	Name   string `arg:""`
}

// Run renames the preset.
func (c *renameCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "rename", Args: []string{c.Preset, c.Name}})
}
