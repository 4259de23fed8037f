package responses

import (
	"encoding/json"
	"strings"

	"yui/chat"
	"yui/chat/api"
	"yui/internal/protocol"
)

// item is an output item as the server writes it.
type item struct {
	Type      string         `json:"type"`
	ID        string         `json:"id"`
	CallID    string         `json:"call_id"`
	Name      string         `json:"name"`
	Arguments *api.Arguments `json:"arguments"`
	Status    string         `json:"status"`
	Content   api.Text       `json:"content"`
}

// product is what a response made that goes back with its results: a reasoning item as it was, or a call by its id.
type product struct {
	reasoning json.RawMessage
	call      string
}

// made is an output item that is being watched: a call of ours, a call of the backend, or a reasoning item.
type made struct {
	kind           string // type of the item
	index          int    // output_index, -1 where the server gave none
	itemID, callID string
	name           string
	pieces         strings.Builder // argument deltas
	id             string          // what we call the call
	handled        bool            // executed, or its cue played
	running        bool            // shown as a running tool of the backend
	raw            json.RawMessage // of a reasoning item that is whole
}

// isCall says whether the item is a call with arguments that a cue may be in.
func (m *made) isCall() bool { return m.kind == "function_call" || m.kind == "mcp_call" }

// foreignName is what the pill shows of a tool that the backend runs.
func (m *made) foreignName() string {
	if m.name != "" {
		return m.name
	}
	return strings.TrimSuffix(m.kind, "_call")
}

// place is how an event names the item that it is about.
type place struct {
	index          int
	itemID, callID string
}

// same says whether an event is about this item. "Once per item id (else output_index)" (docs/rules/chat.md#responses-events) does not do
// everywhere: some proxies give an item a new id in every event, some servers give no ids, or one to all.
func (m *made) same(p place) bool {
	callIDs := m.callID != "" && p.callID != ""
	indexes := m.index >= 0 && p.index >= 0
	switch {
	case callIDs && m.callID != p.callID:
		return false
	case m.itemID != "" && m.itemID == p.itemID:
		return true
	case indexes:
		return m.index == p.index
	case callIDs:
		return true
	}
	return false
}

// find gives the watched item of an event, nil where it is new. An event that names nothing is about the last item.
func (r *reader) find(p place) *made {
	for i := len(r.made) - 1; i >= 0; i-- {
		if m := r.made[i]; m.itemID != "" && m.itemID == p.itemID && m.same(p) {
			return m
		}
	}
	for i := len(r.made) - 1; i >= 0; i-- {
		if r.made[i].same(p) {
			return r.made[i]
		}
	}
	if n := len(r.made); n > 0 && p.index < 0 && p.itemID == "" && p.callID == "" {
		return r.made[n-1]
	}
	return nil
}

// watch gives the watched item for an output item, a new one where it was not seen yet.
func (r *reader) watch(it item, index int) *made {
	p := place{index, it.ID, it.CallID}
	m := r.find(p)
	if m != nil && m.kind == "" {
		m.kind = it.Type
	}
	if m == nil || m.kind != it.Type || p == (place{index: -1}) && (m.handled || m.raw != nil) {
		m = &made{kind: it.Type, index: index}
		r.made = append(r.made, m)
	}
	m.learn(p, it.Name)
	return m
}

// learn fills in what an earlier event left open.
func (m *made) learn(p place, name string) {
	if m.index < 0 {
		m.index = p.index
	}
	if p.itemID != "" {
		m.itemID = p.itemID
	}
	if m.callID == "" {
		m.callID = p.callID
	}
	if name != "" && !m.handled {
		m.name = chat.ToolName(name)
	}
}

// added is response.output_item.added: a tool of the backend begins, or a call comes whole at once.
func (r *reader) added(raw json.RawMessage, index int) {
	var it item
	if json.Unmarshal(raw, &it) != nil {
		return
	}
	if it.Type == "message" {
		r.gap = true
		return
	}
	m := r.watch(it, index)
	if r.foreign(m) && !m.running && !m.handled {
		m.running = true
		r.sink.Status(m.foreignName(), true)
	}
	// {} in an item that is in progress is a placeholder: its arguments are still to come
	if m.isCall() && it.Arguments != nil && it.Arguments.Whole() && (*it.Arguments != "{}" || it.Status != "in_progress") {
		r.call(m, *it.Arguments)
	}
}

// argumentsDone is response.function_call_arguments.done.
func (r *reader) argumentsDone(e *event) {
	m := r.argumentsOf(e)
	args := e.Arguments
	if strings.TrimSpace(string(args)) == "" {
		args = api.Arguments(m.pieces.String())
	}
	if m.name != "" { // else the item names the tool when it is done
		r.call(m, args)
	} else if m.pieces.Len() == 0 {
		m.pieces.WriteString(string(args))
	}
}

// argumentsOf finds the call of an event that only carries arguments, or opens it.
func (r *reader) argumentsOf(e *event) *made {
	p := e.place()
	m := r.find(p)
	if m == nil || !m.isCall() && m.kind != "" {
		m = &made{index: -1}
		r.made = append(r.made, m)
	}
	m.learn(p, e.Name)
	return m
}

// done is response.output_item.done, or an item of a whole response.
func (r *reader) done(raw json.RawMessage, index int) {
	var it item
	if json.Unmarshal(raw, &it) != nil {
		return
	}
	switch {
	case it.Type == "message":
		r.wholeText(index, it.ID, it.Content)
		r.gap = true
		return
	case it.Type == "reasoning":
		m := r.watch(it, index)
		if m.raw == nil {
			m.raw = append(json.RawMessage(nil), raw...)
		}
		return
	}
	m := r.watch(it, index)
	if m.isCall() {
		var args api.Arguments
		if it.Arguments != nil {
			args = *it.Arguments
		}
		if strings.TrimSpace(string(args)) == "" {
			args = api.Arguments(m.pieces.String())
		}
		r.call(m, args)
	}
	if r.foreign(m) && !m.handled || m.running {
		m.handled, m.running = true, false
		r.sink.Status(m.foreignName(), false)
	}
}

// foreign says whether the item is a tool that the backend runs and that plays no cue.
func (r *reader) foreign(m *made) bool {
	if !strings.HasSuffix(m.kind, "_call") || protocol.IsExpress(m.name) {
		return false
	}
	return m.kind != "function_call" || m.name != "" && !r.ours[m.name]
}

// call handles a call whose arguments are whole, once.
func (r *reader) call(m *made, args api.Arguments) {
	if m.handled || m.name == "" || r.foreign(m) {
		return
	}
	m.handled = true
	m.id = r.distinct(m)
	r.sink.Call(chat.ToolCall{
		ID: m.id, Name: m.name, Arguments: string(args),
		Foreign: m.kind == "mcp_call" || !r.ours[m.name],
	})
}

// distinct gives the call's id, or one of ours where it is missing or was used by another call of the response.
func (r *reader) distinct(m *made) string {
	id := m.callID
	for _, other := range r.made {
		if other != m && other.id == id {
			id = ""
		}
	}
	if id == "" {
		return chat.NewCallID()
	}
	return id
}

// products lists what goes back with the results, in the order in which the response made it.
func (r *reader) products() []product {
	var out []product
	for _, m := range r.made {
		switch {
		case m.raw != nil:
			out = append(out, product{reasoning: m.raw})
		case m.id != "":
			out = append(out, product{call: m.id})
		}
	}
	return out
}
