package responses

import (
	"encoding/json"
	"errors"
	"strings"

	"yui/chat"
	"yui/chat/api"
	"yui/chat/internal/answer"
)

// event is one event of the stream, or a whole response of a server that does not stream.
type event struct {
	Type      string          `json:"type"`
	Delta     api.Text        `json:"delta"`
	Text      api.Text        `json:"text"`
	Refusal   api.Text        `json:"refusal"`
	ItemID    string          `json:"item_id"`
	Index     *int            `json:"output_index"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments api.Arguments   `json:"arguments"`
	Item      json.RawMessage `json:"item"`
	Response  *response       `json:"response"`

	Object  string          `json:"object"`
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"`
	Detail  json.RawMessage `json:"detail"`
}

// response is a response object.
type response struct {
	ID         string            `json:"id"`
	Status     string            `json:"status"`
	Output     []json.RawMessage `json:"output"`
	Error      json.RawMessage   `json:"error"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Usage *struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
		Total  int `json:"total_tokens"`
	} `json:"usage"`
}

func (e *event) index() int {
	if e.Index == nil {
		return -1
	}
	return *e.Index
}

// known says whether the event belongs to the protocol, whatever it says.
func (e *event) known() bool {
	switch e.Type {
	case "function_call", "reasoning", "message", "error":
		return true
	}
	return strings.HasPrefix(e.Type, "response.") || e.Response != nil || e.Object == "response"
}

func (e *event) place() place { return place{e.index(), e.ItemID, e.CallID} }

// data takes one event; name is the event's name on the stream, which some servers use alone.
func (r *reader) data(raw []byte, name string) error {
	if d, ok := readTextDelta(raw); ok {
		r.Useful = true
		r.sink.Alive()
		r.text(d.index, d.itemID, d.delta)
		return nil
	}
	var e event
	if err := json.Unmarshal(raw, &e); err != nil {
		return errors.Join(answer.ErrNotJSON, err)
	}
	if e.Type == "" {
		e.Type = name
	}
	r.Useful = r.Useful || e.known()
	r.Strange = r.Strange || !r.Useful && !answer.SignOfLife(raw)
	r.sink.Alive()
	switch e.Type {
	case "response.output_text.delta", "response.refusal.delta": // a refusal is what the model says
		r.text(e.index(), []byte(e.ItemID), string(e.Delta))
	case "response.output_text.done", "response.refusal.done":
		r.wholeText(e.index(), e.ItemID, e.Text+e.Refusal)
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		r.think(string(e.Delta))
	case "response.reasoning_summary_part.added":
		if r.thought {
			r.think("\n\n")
		}
	case "response.output_item.added":
		r.added(e.Item, e.index())
	case "response.function_call_arguments.delta", "response.mcp_call_arguments.delta":
		r.argumentsOf(&e).pieces.WriteString(string(e.Delta))
	case "response.function_call_arguments.done", "response.mcp_call_arguments.done":
		r.argumentsDone(&e)
	case "response.output_item.done":
		r.done(e.Item, e.index())
	case "response.completed", "response.done":
		return r.completed(e.Response, raw)
	case "error", "response.error", "response.failed", "response.incomplete":
		return r.failed(&e, raw)
	case "function_call", "reasoning", "message": // the item itself, without an event around it
		r.done(raw, -1)
	default:
		return r.other(&e, raw)
	}
	return nil
}

// other takes what is no event that we know: a sign of life, an error without a type, or a whole response.
func (r *reader) other(e *event, raw []byte) error {
	if e.Response != nil && e.Response.ID != "" {
		r.id = e.Response.ID
	}
	if e.Type != "" {
		return nil
	}
	switch {
	case e.Object == "response":
		var whole response
		if err := json.Unmarshal(raw, &whole); err != nil {
			return errors.Join(answer.ErrNotJSON, err)
		}
		if whole.Status == "failed" || whole.Status == "incomplete" || isSet(whole.Error) {
			return r.failed(&event{Type: "response." + whole.Status, Response: &whole}, raw)
		}
		return r.completed(&whole, raw)
	case isSet(e.Error), e.Object == "error", isSet(e.Message), isSet(e.Detail):
		return r.client.Provider(raw)
	}
	return nil
}

func isSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// think passes on what the model thinks, for sinks that want it.
func (r *reader) think(text string) {
	r.thought = r.thought || strings.TrimSpace(text) != ""
	if t, ok := r.sink.(chat.Thinker); ok && text != "" {
		t.Thought(text)
	}
}

// completed is the end of a good answer. What a server has only put into the whole response is taken from there.
func (r *reader) completed(whole *response, raw []byte) error {
	r.complete = true
	if whole == nil {
		return nil
	}
	if isSet(whole.Error) || whole.Status == "failed" || whole.Status == "incomplete" {
		return r.failed(&event{Type: "response." + whole.Status, Response: whole}, raw)
	}
	if whole.ID != "" {
		r.id = whole.ID
	}
	if u := whole.Usage; u != nil {
		r.usage = &chat.Usage{Prompt: u.Input, Completion: u.Output, Total: u.Total, Kept: true}
	}
	calls, reasoned, spoke := false, false, len(r.spoke) > 0
	for _, m := range r.made {
		calls = calls || m.isCall()
		reasoned = reasoned || m.raw != nil
	}
	for i, raw := range whole.Output {
		var it item
		if json.Unmarshal(raw, &it) != nil {
			continue
		}
		switch it.Type {
		case "message":
			if !spoke {
				r.gap = true
				r.wholeText(i, it.ID, it.Content)
			}
		case "reasoning":
			if !reasoned {
				r.done(raw, -1)
			}
		case "function_call", "mcp_call":
			if !calls {
				r.done(raw, -1)
			}
		}
	}
	return nil
}

// failed is error, response.failed or response.incomplete: the provider's words, or the event's name.
func (r *reader) failed(e *event, raw []byte) error {
	if e.Response == nil {
		return r.client.Provider(raw)
	}
	words := e.Response.Error
	if !isSet(words) {
		text := e.Type
		if reason := e.Response.Incomplete.Reason; reason != "" {
			text += ": " + reason
		}
		words, _ = json.Marshal(text) // a string always encodes
	}
	return r.client.Provider(words)
}
