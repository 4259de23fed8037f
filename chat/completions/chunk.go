package completions

import (
	"encoding/json"
	"strings"

	"yui/chat"
	"yui/chat/api"
)

// chunk is one event of the stream, or a whole answer of a server that does not stream.
type chunk struct {
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Object  string          `json:"object"`
	Message json.RawMessage `json:"message"`
	Detail  json.RawMessage `json:"detail"`
}

type choice struct {
	Index   int     `json:"index"`
	Delta   *delta  `json:"delta"`
	Message *delta  `json:"message"`
	Finish  *string `json:"finish_reason"`
}

type delta struct {
	Content   api.Text   `json:"content"`
	Thought   api.Text   `json:"reasoning_content"`
	Reasoning api.Text   `json:"reasoning"` // the same, as other servers call it
	ToolCalls []fragment `json:"tool_calls"`
}

// fragment is a piece of a call. Index is a pointer: a missing one is not zero (docs/rules/servers.md#a4).
type fragment struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string        `json:"name"`
		Arguments api.Arguments `json:"arguments"`
	} `json:"function"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// held is a call whose fragments are still being collected.
type held struct {
	index     int
	id, name  string
	arguments strings.Builder
	released  bool
}

// calls collects the fragments of a response's calls by the rules of docs/rules/chat.md#release-of-calls and 4.
type calls struct {
	list []*held // in the order in which they were opened
}

// add takes one fragment.
func (c *calls) add(f fragment) {
	h := c.find(f)
	if h == nil {
		h = c.open(f)
	}
	if f.ID != "" {
		h.id = f.ID
	}
	if f.Function.Name != "" && !h.released {
		h.name = f.Function.Name
	}
	if !h.released { // a call that was run does not change any more
		h.arguments.WriteString(string(f.Function.Arguments))
	}
}

// find gives the call that a fragment continues, nil where it opens a new one: an id that is not known (on its index,
// where it has one) always does, an index that was not used does, and so does a named fragment without an id after a
// call whose arguments are whole. Without an index and an id it continues the call that was opened last.
func (c *calls) find(f fragment) *held {
	var h *held
	for _, other := range c.list {
		if f.Index != nil && other.index != *f.Index {
			continue
		}
		if f.ID != "" && other.id == f.ID {
			return other
		}
		h = other // the last one opened on this index, or of all
	}
	if h == nil {
		return nil
	}
	if f.ID != "" && (h.id != "" || h.whole()) {
		return nil
	}
	if f.ID == "" && f.Function.Name != "" && h.name != "" && h.whole() && f.Function.Arguments != "" {
		return nil
	}
	return h
}

func (c *calls) open(f fragment) *held {
	h := &held{}
	if f.Index != nil {
		h.index = *f.Index
	} else {
		for _, other := range c.list {
			h.index = max(h.index, other.index+1)
		}
	}
	c.list = append(c.list, h)
	return h
}

// whole says whether the arguments are a complete JSON object.
func (h *held) whole() bool { return api.Arguments(h.arguments.String()).Whole() }

// release gives the calls that may be run now, in index order: at a finish_reason those whose arguments parse, at
// the end all that are left.
func (c *calls) release(end bool) []chat.ToolCall {
	var ready []*held
	for _, h := range c.list {
		if !h.released && h.name != "" && (end || h.whole()) {
			ready = append(ready, h)
		}
	}
	sortByIndex(ready)
	out := make([]chat.ToolCall, 0, len(ready))
	for _, h := range ready {
		h.released = true
		out = append(out, chat.ToolCall{ID: c.distinct(h), Name: chat.ToolName(h.name), Arguments: h.arguments.String(), AfterText: true})
	}
	return out
}

// whole says whether every call that is left could be run.
func (c *calls) whole() bool {
	for _, h := range c.list {
		if !h.released && !h.whole() && strings.TrimSpace(h.arguments.String()) != "" {
			return false
		}
	}
	return true
}

// distinct gives the call's id, or one of ours where it is missing or was used by another call of the response.
func (c *calls) distinct(h *held) string {
	taken := h.id == ""
	for _, other := range c.list {
		if other == h {
			break
		}
		taken = taken || other.id == h.id
	}
	if taken {
		h.id = chat.NewCallID()
	}
	return h.id
}

// sortByIndex keeps the order of opening among equals.
func sortByIndex(list []*held) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].index < list[j-1].index; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}
