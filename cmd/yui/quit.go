package main

import "yui/cmd/yui/control"

type quitCmd struct{}

// Run ends the running instance.
func (*quitCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "quit"})
}
