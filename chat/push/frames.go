package push

import (
	"encoding/json"
	"slices"

	"yui/chat"
	"yui/chat/api"
	"yui/internal/protocol"
)

// The sizes of text frames in bytes, either way (docs/rules/chat.md#push-turns, docs/rules/chat.md#push-frames).
const (
	MaxFrame      = 256 << 10
	MaxToolResult = 4 << 20
	MaxPictures   = 4 << 20 // of a turn frame that carries pictures; without them it keeps MaxFrame
)

// CloseWrongKey is the close code that says that the key is wrong.
const CloseWrongKey = 4401

// Vocabulary is what the pet can express: the backend writes cues with it.
type Vocabulary struct {
	EmotionIDs []string
	MotionIDs  []string
	// VoiceTags are the values of emotion_text with their meanings; none means free text.
	VoiceTags map[string]string
}

// vocabularyFrame is a Vocabulary on the wire.
type vocabularyFrame struct {
	EmotionIDs []string          `json:"emotion_ids"`
	MotionIDs  []string          `json:"motion_ids"`
	Mode       string            `json:"emotion_text_mode"`
	Map        map[string]string `json:"emotion_text_map"`
}

func (v Vocabulary) frame() vocabularyFrame {
	f := vocabularyFrame{append([]string{}, v.EmotionIDs...), append([]string{}, v.MotionIDs...), "free", map[string]string{}}
	if len(v.VoiceTags) > 0 {
		f.Mode, f.Map = "enum", v.VoiceTags
	}
	return f
}

// MarshalJSON gives the vocabulary object of hello, which the broker is told, too (docs/rules/chat.md#broker).
func (v Vocabulary) MarshalJSON() ([]byte, error) { return json.Marshal(v.frame()) }

// The frames that the client sends.
type (
	helloFrame struct {
		Type       string     `json:"type"`
		Key        string     `json:"key"`
		ChatID     string     `json:"chat_id"`
		Tools      []toolSpec `json:"tools"`
		Vocabulary Vocabulary `json:"vocabulary"`
	}
	toolSpec struct {
		Type     string       `json:"type"`
		Function functionSpec `json:"function"`
	}
	functionSpec struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	vocabularyChange struct {
		Type       string     `json:"type"`
		Vocabulary Vocabulary `json:"vocabulary"`
	}
	turnFrame struct {
		Type    string   `json:"type"`
		TurnID  string   `json:"turn_id"`
		Context string   `json:"client_context"`
		Text    string   `json:"text"`
		Images  []string `json:"images,omitempty"`
	}
	stopFrame struct {
		Type    string   `json:"type"`
		TurnIDs []string `json:"turn_ids"`
	}
	resetFrame struct {
		Type string `json:"type"`
	}
	toolResultFrame struct {
		Type   string   `json:"type"`
		TurnID string   `json:"turn_id"`
		CallID string   `json:"call_id"`
		Result string   `json:"result"`
		Images []string `json:"images,omitempty"`
	}
)

// toolSpecs writes tools as hello declares them.
func toolSpecs(tools []chat.Tool) []toolSpec {
	specs := make([]toolSpec, len(tools))
	for i, t := range tools {
		specs[i] = toolSpec{"function", functionSpec{t.Name, t.Description, api.Parameters(t)}}
	}
	return specs
}

// greeting is what a hello says that holds until the next one.
type greeting struct {
	company []string    // who was open
	tools   []chat.Tool // with their lists of that moment
}

// greets says what a hello would declare now. Expression is not declared on push: its cues arrive in segments (docs/rules/tools.md#declaring).
func (t *Transport) greets() greeting {
	g := greeting{tools: []chat.Tool{}}
	if t.cfg.Company != nil {
		g.company = t.cfg.Company()
	}
	if t.cfg.Tools == nil {
		return g
	}
	for _, tool := range t.cfg.Tools.Declared() {
		if !protocol.IsExpress(tool.Name) {
			g.tools = append(g.tools, tool)
		}
	}
	return g
}

// same says whether another hello would offer the same tools among the same characters.
func (g greeting) same(other greeting) bool {
	return slices.Equal(g.company, other.company) &&
		slices.EqualFunc(g.tools, other.tools, func(a, b chat.Tool) bool { return a.Name == b.Name })
}
