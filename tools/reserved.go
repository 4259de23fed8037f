package tools

import (
	"slices"
	"strings"
)

// builtIn are the names of the tools that come with YUI, whether a window declares them now or not.
var builtIn = []string{ExpressName, "body_action", "look", "rate_relation", "address_character", "browser", "see_camera",
	"web_search", "show_effect", "discord_share"}

// Reserved tells whether a tool of somebody else's may not have this name: it is one of ours, or it ends as the cue tool
// does, so that a call would play a cue (docs/rules/chat.md#calls-of-the-backend).
func Reserved(name string) bool {
	return slices.Contains(builtIn, name) || strings.HasSuffix(name, ExpressName)
}
