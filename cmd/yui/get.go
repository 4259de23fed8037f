package main

import "yui/cmd/yui/control"

type getCmd struct {
	Key string `arg:"" help:"For example yui.look_screen or window.fps; docs/config.md has all."`
}

// Run prints the JSON value.
func (c *getCmd) Run(s *session) error {
	return s.ask(control.Request{Command: "get", Args: []string{c.Key}})
}
