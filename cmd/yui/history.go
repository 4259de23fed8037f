package main

import "yui/cmd/yui/control"

type historyCmd struct {
	preset
	Words string `arg:"" optional:"" help:"Only what holds these words, of all sessions."`
}

// Run prints a line for each message, oldest first.
func (c *historyCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "history", Preset: c.Preset, Args: []string{c.Words}})
}
