package main

import (
	"path/filepath"

	"yui/cmd/yui/control"
)

type importCmd struct {
	File string `arg:"" predictor:"file" help:"A .vrm or humanoid .glb file, or a character card (.json, .png, .charx)."`
	Name string `help:"The character's name; the file's own where left out."`
}

// Run prints the new preset's id, and on stderr what was left out of the file.
func (c *importCmd) Run(s *session) error {
	file, err := filepath.Abs(c.File) // the running instance has another working folder
	if err != nil {
		return err
	}
	return s.ask(control.Request{Command: "import", Args: []string{file, c.Name}})
}
