package main

import (
	"os"

	"yui/cmd/yui/mcp"
)

type mcpCmd struct{}

// Run serves until stdin ends.
func (*mcpCmd) Run(s *session) error {
	return mcp.Serve(s.ctx, s.paths.Socket, version, os.Stdin, os.Stdout)
}
