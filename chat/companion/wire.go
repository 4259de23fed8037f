package companion

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"yui/internal/readable"
)

// The request, as far as the companion reads it. Unknown fields are ignored,
// as by other servers.
type request struct {
	Model         string          `json:"model"`
	Messages      []message       `json:"messages"`
	Tools         []toolDecl      `json:"tools"`
	ToolChoice    json.RawMessage `json:"tool_choice"`
	Stream        bool            `json:"stream"`
	StreamOptions *streamOptions  `json:"stream_options"`
	N             *int            `json:"n"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Role       string     `json:"role"`
	Content    content    `json:"content"`
	ToolCalls  []toolCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`
}

// content is a string, null, or parts; pictures are only counted.
type content struct {
	text   string
	images int
}

func (c *content) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if data[0] == '"' {
		return json.Unmarshal(data, &c.text)
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return errors.New("content must be a string, null or an array of parts")
	}
	var texts []string
	for _, p := range parts {
		switch p.Type {
		case "text":
			texts = append(texts, p.Text)
		case "image_url":
			c.images++
		}
	}
	c.text = strings.Join(texts, "\n")
	return nil
}

type toolCall struct {
	Index    *int     `json:"index,omitempty"`
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function callBody `json:"function"`
}

type callBody struct {
	Name      string    `json:"name"`
	Arguments arguments `json:"arguments"`
}

// arguments is JSON text. Replayed histories of some servers hold an object
// where the text should be; both are read.
type arguments string

func (a *arguments) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*a = arguments(s)
		return nil
	}
	*a = arguments(data)
	return nil
}

type toolDecl struct {
	Type     string `json:"type"`
	Function struct {
		Name       string `json:"name"`
		Parameters struct {
			Properties map[string]struct {
				Enum []any `json:"enum"`
			} `json:"properties"`
		} `json:"parameters"`
	} `json:"function"`
}

// apiError is an error as the protocol words it.
type apiError struct {
	Status  int    `json:"-"`
	Message string `json:"message"`
	Type    string `json:"type"`
	Param   any    `json:"param"`
	Code    any    `json:"code"`
}

func (e *apiError) Error() string { return e.Message }

func badRequest(param, code, format string, args ...any) *apiError {
	e := &apiError{Status: 400, Message: fmt.Sprintf(format, args...), Type: "invalid_request_error"}
	if param != "" {
		e.Param = param
	}
	if code != "" {
		e.Code = code
	}
	return e
}

// parseRequest reads and checks a body. Errors are *apiError.
func parseRequest(body []byte) (*request, *apiError) {
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, badRequest("", "invalid_json", "read request body: %v", err)
	}
	if len(r.Messages) == 0 {
		return nil, badRequest("messages", "missing_required_parameter", "messages: at least one message is needed")
	}
	for i, m := range r.Messages {
		switch m.Role {
		case "system", "developer", "user", "assistant", "tool", "function":
		default:
			return nil, badRequest(fmt.Sprintf("messages[%d].role", i), "invalid_value", "messages[%d].role: %q is none of system, developer, user, assistant, tool", i, readable.Line(m.Role, 30))
		}
	}
	if r.N != nil && *r.N != 1 {
		return nil, badRequest("n", "unsupported_value", "n: the companion gives one choice")
	}
	if r.StreamOptions != nil && !r.Stream {
		return nil, badRequest("stream_options", "invalid_value", "stream_options: only allowed with stream true")
	}
	return &r, nil
}

// choice reads tool_choice: whether calls are allowed, and whether one is
// demanded.
func (r *request) choice() (allowed bool, forced string) {
	var word string
	if json.Unmarshal(r.ToolChoice, &word) == nil {
		switch word {
		case "none":
			return false, ""
		case "required":
			return true, "*"
		}
		return true, ""
	}
	var named struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if json.Unmarshal(r.ToolChoice, &named) == nil {
		return true, named.Function.Name
	}
	return true, ""
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

// tokens estimates as the client does (docs/rules/chat.md#transcript): CJK letters count
// one, four others count one.
func tokens(s string) int {
	cjk, other := 0, 0
	for _, r := range s {
		if r >= 0x2E80 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7AF || r >= 0xF900 && r <= 0xFAFF || r >= 0xFF00 && r <= 0xFFEF {
			cjk++
		} else {
			other++
		}
	}
	return cjk + (other+3)/4
}

func (r *request) usage(a reply) usage {
	u := usage{CompletionTokens: tokens(a.text)}
	for _, m := range r.Messages {
		u.PromptTokens += tokens(m.Content.text) + 4
	}
	for _, c := range a.calls {
		u.CompletionTokens += tokens(c.name) + tokens(c.arguments())
	}
	u.TotalTokens = u.PromptTokens + u.CompletionTokens
	return u
}

// call is a tool call that the companion makes.
type call struct {
	name string
	args map[string]any
}

func (c call) arguments() string {
	data, err := json.Marshal(c.args)
	if err != nil {
		return "{}"
	}
	return string(data)
}

// reply is one response: text, calls, or both.
type reply struct {
	text  string
	calls []call
}
