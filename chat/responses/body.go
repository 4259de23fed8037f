package responses

import (
	"encoding/json"

	"yui/chat"
	"yui/chat/api"
)

// body is a request as it goes over the wire.
type body struct {
	Model        string     `json:"model,omitempty"`
	Instructions string     `json:"instructions,omitempty"`
	Input        []any      `json:"input"`
	Tools        []tool     `json:"tools,omitempty"`
	ToolChoice   string     `json:"tool_choice,omitempty"`
	Reasoning    *reasoning `json:"reasoning,omitempty"`
	Previous     string     `json:"previous_response_id,omitempty"`
	Stream       bool       `json:"stream"`
}

type reasoning struct {
	Effort string `json:"effort"`
}

// tool is the flattened schema of docs/rules/tools.md#vocabulary.
type tool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"`
}

// inputItem is an input item with a role. Content is a string or parts.
type inputItem struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

type part struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	ImageURL string `json:"image_url,omitempty"`
	Detail   string `json:"detail,omitempty"`
}

type functionCall struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// callOutput is the result of a call. Output is a string, or parts where there are pictures.
type callOutput struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	Output any    `json:"output"`
}

// newBody makes the request: what the turn before owes, the user item, and the round trips of the turn. The
// transcript is not in it: the server keeps the conversation (docs/rules/chat.md#what-the-next-turn-carries).
func newBody(cfg Config, req *chat.Request, prev chain, declare bool) *body {
	b := &body{Model: cfg.Model, Instructions: req.Instructions, Previous: prev.ID, Stream: true}
	if cfg.ReasoningEffort != "" {
		b.Reasoning = &reasoning{cfg.ReasoningEffort}
	}
	for _, owed := range prev.Outputs {
		b.Input = append(b.Input, owed)
	}
	b.Input = append(b.Input, question(req))
	for _, round := range req.Rounds {
		b.Input = append(b.Input, answered(round)...)
	}
	if declare {
		b.Tools = declared(req.Tools)
		if req.NoCalls && len(b.Tools) > 0 {
			b.ToolChoice = "none"
		}
	}
	return b
}

// question is the one user item: the context block, and behind it the words (docs/rules/chat.md#requests).
func question(req *chat.Request) inputItem {
	text := req.Text
	if req.Context != "" {
		text = "<client_context>\n" + req.Context + "\n</client_context>\n\n" + text
	}
	if len(req.Images) == 0 {
		return inputItem{"user", text}
	}
	return inputItem{"user", pictured(text, req.Images)}
}

// pictured is a text with pictures behind it.
func pictured(text string, images []string) []part {
	var parts []part
	if text != "" {
		parts = append(parts, part{Type: "input_text", Text: text})
	}
	for _, url := range images {
		parts = append(parts, part{Type: "input_image", ImageURL: url, Detail: "auto"})
	}
	return parts
}

// answered is one round trip: what the response said, its reasoning items and executed calls in the order in which it
// produced them, then an output per call (docs/rules/chat.md#on-the-wire).
func answered(round chat.Round) []any {
	var items []any
	if round.Text != "" {
		items = append(items, inputItem{"assistant", round.Text})
	}
	calls := map[string]chat.Answer{}
	for _, a := range round.Calls {
		calls[a.ID] = a
	}
	made, _ := round.Extra.([]product)
	for _, p := range made {
		if p.reasoning != nil {
			items = append(items, p.reasoning)
		} else if a, ran := calls[p.call]; ran {
			items = append(items, functionCall{"function_call", a.ID, a.Name, a.Arguments})
		}
	}
	for _, a := range round.Calls {
		items = append(items, output(a))
	}
	return items
}

// output is the function_call_output item of a call.
func output(a chat.Answer) callOutput {
	out := callOutput{Type: "function_call_output", CallID: a.ID, Output: a.Result.Text}
	if len(a.Result.Images) > 0 {
		out.Output = pictured(a.Result.Text, a.Result.Images)
	}
	return out
}

func declared(tools []chat.Tool) []tool {
	var out []tool
	for _, t := range tools {
		out = append(out, tool{"function", t.Name, t.Description, api.Parameters(t), false})
	}
	return out
}

// chain is what a session keeps between turns.
type chain struct {
	// ID is the previous turn's last response.
	ID string `json:"id"`
	// Host is the server that knows it.
	Host string `json:"host,omitempty"`
	// Root is which of the address's possible roots answered, see api.Client.Root.
	Root int `json:"root,omitempty"`
	// Outputs are the outputs of that response's unanswered calls: a server that checks the pairing wants them
	// whenever it is sent the id.
	Outputs []json.RawMessage `json:"outputs,omitempty"`
}

// readChain reads what was kept. What another server gave, and what does not read, is none.
func readChain(raw json.RawMessage, host string) chain {
	var c chain
	if len(raw) == 0 || json.Unmarshal(raw, &c) != nil || c.ID == "" || c.Host != host {
		return chain{}
	}
	return c
}

// newChain keeps an id with the outputs of its unanswered calls.
func newChain(id, host string, root int, calls []chat.Answer) json.RawMessage {
	c := chain{ID: id, Host: host, Root: root}
	for _, a := range calls {
		if raw, err := api.Encode(output(a)); err == nil { // strings always encode
			c.Outputs = append(c.Outputs, raw)
		}
	}
	raw, err := api.Encode(c)
	if err != nil {
		return nil
	}
	return raw
}
