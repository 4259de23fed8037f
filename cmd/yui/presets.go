package main

import "yui/cmd/yui/control"

type presetsCmd struct{}

// Run prints a JSON array.
func (*presetsCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "presets"})
}
