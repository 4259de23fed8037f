package main

import (
	"os"

	"yui/cmd/yui/backend"
)

type companionCmd struct {
	Listen string `required:"" placeholder:"ADDR" help:"For example 127.0.0.1:8011."`
}

// Run serves until Ctrl-C.
func (c *companionCmd) Run(s *session) error {
	return backend.ServeCompanion(s.ctx, c.Listen, os.Stdout)
}
