package tools

import (
	"slices"

	"yui/internal/protocol"
)

// Reserved reports whether a tool of somebody else's may not have this name: it is one of ours, or it ends as the cue tool
// does, so that a call would play a cue (docs/rules/chat.md#calls-of-the-backend).
func Reserved(name string) bool {
	return slices.Contains(protocol.Tools(), name) || protocol.IsExpress(name)
}
