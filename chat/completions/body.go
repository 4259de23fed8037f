package completions

import (
	"encoding/json"

	"yui/chat"
	"yui/chat/api"
)

// imageNote tells the model where the picture of a tool result is.
const imageNote = "[the image follows in the next user message]"

// body is a request as it goes over the wire. The types are ours because content must be able to be null.
type body struct {
	Model           string         `json:"model,omitempty"`
	Messages        []message      `json:"messages"`
	Tools           []tool         `json:"tools,omitempty"`
	ToolChoice      string         `json:"tool_choice,omitempty"`
	ReasoningEffort string         `json:"reasoning_effort,omitempty"`
	Stream          bool           `json:"stream"`
	StreamOptions   *streamOptions `json:"stream_options,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// message is one entry of messages. Content is nil (null), a string or parts.
type message struct {
	Role       string `json:"role"`
	Content    any    `json:"content"`
	ToolCalls  []call `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
}

type part struct {
	Type     string    `json:"type"`
	Text     *string   `json:"text,omitempty"`
	ImageURL *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

type call struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function callFunction `json:"function"`
}

type callFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// newBody makes the request: instructions, transcript, context, user, and the round trips of the turn.
func newBody(cfg Config, req *chat.Request, s api.Shape) *body {
	b := &body{
		Model: cfg.Model, ReasoningEffort: cfg.ReasoningEffort, Stream: true,
	}
	if !s.NoUsage {
		b.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if req.Instructions != "" {
		role := "system"
		if s.NoSystem { // merged with the first user message below
			role = "user"
		}
		b.Messages = append(b.Messages, message{Role: role, Content: req.Instructions})
	}
	b.Messages = append(b.Messages, history(req.History, s.Folded)...)
	b.Messages = append(b.Messages, question(req, s.Folded)...)
	if s.Folded {
		b.Messages = merged(b.Messages)
	}
	for _, round := range req.Rounds {
		b.Messages = append(b.Messages, answered(round)...)
	}
	if !s.NoTools {
		b.Tools = declared(req.Tools)
		if req.NoCalls && len(b.Tools) > 0 {
			b.ToolChoice = "none"
		}
	}
	return b
}

func history(lines []chat.Message, strict bool) []message {
	for strict && len(lines) > 0 && lines[0].Role != "user" { // templates that alternate want the user first
		lines = lines[1:]
	}
	out := make([]message, 0, len(lines)+8)
	for _, m := range lines {
		out = append(out, message{Role: m.Role, Content: m.Text})
	}
	return out
}

// question is the context block and the user message. The context stands behind the transcript, so that a server's
// prompt cache keeps matching what comes before it.
func question(req *chat.Request, folded bool) []message {
	text := req.Text
	var out []message
	switch {
	case req.Context == "":
	case folded:
		text = "<client_context>\n" + req.Context + "\n</client_context>\n\n" + text
	default:
		out = append(out, message{Role: "system", Content: "client_context:\n" + req.Context})
	}
	user := message{Role: "user", Content: text}
	if len(req.Images) > 0 {
		user.Content = append(pictures(req.Images), part{Type: "text", Text: &text})
	}
	return append(out, user)
}

// merged joins neighbours of one role, for templates that want them to alternate.
func merged(in []message) []message {
	var out []message
	for _, m := range in {
		if n := len(out); n > 0 && out[n-1].Role == m.Role {
			before, okBefore := out[n-1].Content.(string)
			text, ok := m.Content.(string)
			if okBefore && ok {
				out[n-1].Content = before + "\n\n" + text
				continue
			}
			if parts, isParts := m.Content.([]part); isParts && okBefore {
				out[n-1].Content = append([]part{{Type: "text", Text: &before}}, parts...)
				continue
			}
		}
		out = append(out, m)
	}
	return out
}

func pictures(urls []string) []part {
	parts := make([]part, 0, len(urls)+1)
	for _, u := range urls {
		parts = append(parts, part{Type: "image_url", ImageURL: &imageURL{u}})
	}
	return parts
}

// answered is one round trip: what the response said beside its calls, a tool message per call, and, after all of
// them, one user message with nothing but the pictures (docs/rules/chat.md#on-the-wire).
func answered(round chat.Round) []message {
	said := message{Role: "assistant"}
	if round.Text != "" {
		said.Content = round.Text
	}
	out := []message{said}
	var images []string
	for _, a := range round.Calls {
		out[0].ToolCalls = append(out[0].ToolCalls, call{a.ID, "function", callFunction{a.Name, a.Arguments}})
		text := a.Result.Text
		if len(a.Result.Images) > 0 {
			if text != "" {
				text += "\n"
			}
			text += imageNote
			images = append(images, a.Result.Images...)
		}
		out = append(out, message{Role: "tool", ToolCallID: a.ID, Content: text})
	}
	if len(images) > 0 {
		out = append(out, message{Role: "user", Content: pictures(images)})
	}
	return out
}

func declared(tools []chat.Tool) []tool {
	var out []tool
	for _, t := range tools {
		out = append(out, tool{"function", function{t.Name, t.Description, api.Parameters(t)}})
	}
	return out
}
