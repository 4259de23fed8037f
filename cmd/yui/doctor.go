package main

import (
	"os"

	"yui/cmd/yui/app"
)

type doctorCmd struct{}

// Run prints a line for each thing that YUI needs.
func (*doctorCmd) Run(s *session) error {
	return app.Doctor(s.ctx, s.paths, os.Stdout)
}
