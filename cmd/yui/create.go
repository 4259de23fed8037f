package main

import "yui/cmd/yui/control"

type createCmd struct {
	Name  string `arg:""`
	Wears string `predictor:"preset" placeholder:"PRESET" help:"The bundled character whose model she wears; yui where left out."`
}

// Run prints the new preset's id.
func (c *createCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "create", Args: []string{c.Name, c.Wears}})
}
