package main

import (
	"encoding/json"

	"yui/cmd/yui/control"
)

type setCmd struct {
	Key   string `arg:"" help:"For example yui.browser or window.fps; docs/config.md has all."`
	Value string `arg:"" name:"json" help:"For a switch: true or false."`
}

// Run stores the value.
func (c *setCmd) Run(s *session) error {
	if !json.Valid([]byte(c.Value)) {
		return control.BadUsage("%q is not JSON; a text needs its double quotes", c.Value)
	}
	return s.ask(control.Request{Command: "set", Args: []string{c.Key, c.Value}})
}
