package main

import "yui/cmd/yui/control"

type stateCmd struct{}

// Run prints one JSON object (docs/rules/desktop.md#command-line).
func (*stateCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "state"})
}
