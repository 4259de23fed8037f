package ingress

import (
	"encoding/json"
	"slices"
	"strings"
)

var (
	sides = []string{"left", "right"}
	spots = []string{"center", "top-left", "top-right", "bottom-left", "bottom-right"}
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
	case "stand", "go_to_bed":
		return true
	case "sit_on_window":
		return strings.TrimSpace(text("app")) != ""
	case "peek":
		return slices.Contains(sides, text("side"))
	case "move_to":
		var monitor *uint32
		raw, given := fields["monitor"]
		return slices.Contains(spots, text("spot")) && (!given || json.Unmarshal(raw, &monitor) == nil)
	}
	return false
}
