package app

import (
	"yui/assets/lang"
	"yui/internal/protocol"
)

// doing and done are the status pill's phrases for a tool: while it runs, and after it.
var (
	doing = map[string]lang.Key{
		protocol.Look: "status.doing.look", protocol.BodyAction: "status.doing.body_action", protocol.Browser: "status.doing.browser",
		protocol.WebSearch: "status.doing.web_search", protocol.Camera: "status.doing.see_camera", protocol.Effect: "status.doing.show_effect",
		protocol.Discord: "status.doing.discord_share", protocol.RateRelation: "status.doing.rate_relation", protocol.Address: "status.doing.address_character",
	}
	done = map[string]lang.Key{
		protocol.Look: "status.done.look", protocol.BodyAction: "status.done.body_action", protocol.Browser: "status.done.browser",
		protocol.WebSearch: "status.done.web_search", protocol.Camera: "status.done.see_camera", protocol.Effect: "status.done.show_effect",
		protocol.Discord: "status.done.discord_share", protocol.RateRelation: "status.done.rate_relation", protocol.Address: "status.done.address_character",
	}
)

func status(w *lang.Words, tool string, running bool) string {
	keys, other := done, lang.Key("status.done.something")
	if running {
		keys, other = doing, "status.doing.something"
	}
	if key, ok := keys[tool]; ok {
		return w.Text(key)
	}
	return w.Text(other, lang.Args{"tool": tool})
}
