package protocol

import (
	"encoding/json"
	"strings"
)

// Cue is the argument object of one generate_express call. An empty field asks for nothing.
type Cue struct {
	EmotionID   string `json:"emotion_id,omitempty"`
	MotionID    string `json:"motion_id,omitempty"`
	EmotionText string `json:"emotion_text,omitempty"`
	Caption     string `json:"caption,omitempty"`
}

// Empty reports whether the cue asks for nothing.
func (c Cue) Empty() bool { return c == Cue{} }

// ParseCue reads a cue from the arguments of a call. Fields that are not strings ask for nothing, and arguments that are
// no JSON object give an empty cue: a face is never worth failing a reply.
func ParseCue(args json.RawMessage) Cue {
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) != nil {
		return Cue{}
	}
	text := func(name string) string {
		var s string
		if json.Unmarshal(fields[name], &s) != nil {
			return ""
		}
		return s
	}
	return Cue{text("emotion_id"), text("motion_id"), text("emotion_text"), text("caption")}
}

// IsExpress reports whether a call of this name plays a cue, whoever registered the tool
// (docs/rules/chat.md#calls-of-the-backend).
func IsExpress(name string) bool { return strings.HasSuffix(name, Express) }
