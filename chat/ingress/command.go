package ingress

import (
	"encoding/json"
	"slices"
	"strings"

	"yui/internal/protocol"
)

// validCommand says whether a body reads as a command of body_action (docs/rules/body.md#arguments). Here a monitor must be a
// whole number of 32 bits, not below zero. Fields that an action does not take are ignored, whatever they hold.
func validCommand(body []byte) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return false
	}
	text := func(key string) string {
		var s *string
		if json.Unmarshal(fields[key], &s) != nil {
			return ""
		}
		return value(s)
	}
	switch text("action") {
	case protocol.Stand, protocol.GoToBed:
		return true
	case protocol.SitOnWindow:
		return strings.TrimSpace(text("app")) != ""
	case protocol.Peek:
		return slices.Contains(protocol.Sides(), text("side"))
	case protocol.MoveTo:
		var monitor *uint32
		raw, given := fields["monitor"]
		return slices.Contains(protocol.Spots(), text("spot")) && (!given || json.Unmarshal(raw, &monitor) == nil)
	}
	return false
}
