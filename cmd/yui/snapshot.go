package main

import (
	"path/filepath"

	"yui/cmd/yui/control"
)

type snapshotCmd struct {
	preset
	File string `arg:"" predictor:"file" help:"The PNG file to write."`
}

// Run has the running instance write the file.
func (c *snapshotCmd) Run(s *session) error {
	file, err := filepath.Abs(c.File) // the running instance has another working folder
	if err != nil {
		return err
	}
	return s.ask(control.Request{Command: "snapshot", Preset: c.Preset, Args: []string{file}})
}
