package main

import "yui/cmd/yui/app"

type runCmd struct{}

// Run is YUI itself.
func (*runCmd) Run(s *session) error {
	return app.Start(s.ctx, s.paths, version)
}
