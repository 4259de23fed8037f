// Package tools is what a model may do: one file per tool, and the registry that declares them and runs their calls.
// It knows a body, a screen or a vocabulary only by the small interfaces that each tool asks for. All of it may be
// called from any goroutine.
package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"yui/internal/protocol"
)

// Tool is one thing that a model may do (docs/rules/tools.md#declaring).
type Tool struct {
	Name string
	// Define returns what the model is told of the tool. It is read for every request, so that a vocabulary that
	// changed reaches the schema with the next turn.
	Define func() Definition
	// OneWay says that the result tells the model nothing: cue-only tools (docs/rules/chat.md#answer-or-not).
	OneWay bool
	// Shows says that the person sees what a call did, unless it failed: a movement, an effect, words to another. A turn
	// that only ran other tools and said nothing tells why (docs/rules/chat.md#calls-of-the-backend).
	Shows bool
	// Failed tells whether a result is a failure, for tools whose failures do not start with "error:". Nil for others.
	Failed func(result string) bool
	// Switch is the id of the switch that gates the tool, "" where none does.
	Switch string
	// Run executes a call. It must return soon after ctx ends. What it returns is the result, failures too.
	Run func(ctx context.Context, call Call) Result
}

// Definition is the part of a tool that the model reads.
type Definition struct {
	Description string
	Parameters  json.RawMessage // JSON schema of the arguments object
	// Names is what the entries of its list of characters mean: entry to preset id. Nil for tools without such a list.
	Names map[string]string
}

// Call is one call of a tool: the arguments are valid JSON, or empty for none.
type Call struct {
	Turn string // id of the turn; tools that are allowed once a turn count by it
	Args json.RawMessage
	// Names are those of the Definition that the caller was told; nil for one that was told none, like a command line.
	Names map[string]string
}

// Result is what goes back to the model.
type Result struct {
	Text   string
	Images []string // data URLs
}

// Registry is the tools of one pet window, generate_express first.
type Registry struct {
	tools  []Tool
	byName map[string]Tool
}

// NewRegistry returns the registry of a window: generate_express followed by the tools that the window hands it.
// Two tools of one name are an error.
func NewRegistry(express Tool, more ...Tool) (*Registry, error) {
	r := &Registry{byName: map[string]Tool{}}
	for _, t := range append([]Tool{express}, more...) {
		if _, twice := r.byName[t.Name]; twice || t.Name == "" {
			return nil, fmt.Errorf("register tool %q: the name is empty or taken", t.Name)
		}
		r.byName[t.Name] = t
		r.tools = append(r.tools, t)
	}
	return r, nil
}

// Tools returns the declared tools in their order.
func (r *Registry) Tools() []Tool { return r.tools }

// Has says that a tool of this name is declared.
func (r *Registry) Has(name string) bool {
	_, ok := r.byName[name]
	return ok
}

// Run runs a call by name. An unknown name answers "error: unknown tool"; a tool that panics answers "error: " and why.
func (r *Registry) Run(ctx context.Context, name string, call Call) (res Result) {
	t, ok := r.byName[name]
	if !ok {
		return Result{Text: protocol.UnknownTool}
	}
	defer func() {
		if p := recover(); p != nil {
			res = Result{Text: fmt.Sprintf("error: %v", p)}
		}
	}()
	return t.Run(ctx, call)
}

// schema writes an object schema with the given properties.
func schema(properties map[string]any, required ...string) json.RawMessage {
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("marshal schema: %v", err)) // only strings, maps and slices go in
	}
	return b
}

// fields reads an arguments object; anything else has no fields.
func fields(args json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(args, &m) != nil {
		return nil
	}
	return m
}

// text reads a string field; ok is false where it is missing or not a string.
func text(f map[string]json.RawMessage, name string) (s string, ok bool) {
	raw, has := f[name]
	if !has || len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	return s, json.Unmarshal(raw, &s) == nil
}
