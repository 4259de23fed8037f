package main

import (
	"os"

	"yui/chat/rules"
	"yui/cmd/yui/control"
	"yui/cmd/yui/doctor"
)

type rulesCmd struct {
	Shipped bool   `help:"Print the shipped rules, to copy from, instead."`
	Check   string `placeholder:"FILE" help:"Only say whether a file of rules reads."`
}

// Run prints the rules of the running instance; its flags need none.
func (c *rulesCmd) Run(s *session) error {
	switch {
	case c.Shipped:
		_, err := os.Stdout.Write(rules.Shipped())
		return err
	case c.Check != "":
		return doctor.CheckRules(s.words(), c.Check, os.Stdout)
	}
	return s.ask(control.Request{Command: "rules"})
}
