package main

import (
	"os"

	"yui/cmd/yui/doctor"
)

type doctorCmd struct{}

// Run prints a line for each thing that YUI needs.
func (*doctorCmd) Run(s *session) error {
	return doctor.Run(s.ctx, s.paths, os.Stdout)
}
