package chat

import (
	"context"
	"encoding/json"
	"strings"

	"yui/internal/protocol"
)

// Tool is what a model may do, as the conversation sees it.
type Tool struct {
	Name        string
	Description string
	// Parameters is a JSON schema of type object. Empty means no parameters.
	Parameters json.RawMessage
	// OneWay is set only where the result tells the model nothing (docs/rules/tools.md#declaring).
	OneWay bool
	// Shows is set where the person sees what a call did, unless it failed: a movement, an effect, words to another.
	Shows bool
	// Switch is the id of the user's switch that gates the tool, "" where there is none.
	Switch string
	// Failed says whether a result is a failure, for tools whose failures do not start with "error:". It may be nil.
	Failed func(result string) bool
	// Run executes one call. It is called from a goroutine of the turn, one call of a turn at a time, in order.
	// ctx ends when the turn is stopped or superseded: the turn does not wait any longer then. A panic becomes the
	// result "error: <message>".
	Run func(ctx context.Context, call Call) Result
}

// failed applies the tool's own rule beside the common one.
func (t Tool) failed(result string) bool {
	return strings.HasPrefix(result, protocol.ErrorPrefix) || (t.Failed != nil && t.Failed(result))
}

// Call is one execution of a tool.
type Call struct {
	// Turn is the identity of the turn, for tools that may run once a turn.
	Turn string
	// ID is the call's id, never empty, distinct within its response.
	ID   string
	Name string
	// Args is valid JSON; a call without arguments has {}.
	Args json.RawMessage
}

// Result is what a tool answers.
type Result struct {
	Text string
	// Images are data URLs; they reach the model beside the text.
	Images []string
}

// SwitchState is one user switch as the line "tool switches:" shows it.
type SwitchState struct {
	ID string
	On bool
}

// Toolbox is what a window hands to its conversation. Both methods are called at the start of every turn from the
// turn's goroutine, so that an edited vocabulary reaches the schema with the next turn; within a turn tools[] stays.
type Toolbox interface {
	// Declared lists the tools in the order in which they are sent, whatever their switches say.
	Declared() []Tool
	// Switches lists the state of the switches of the declared tools.
	Switches() []SwitchState
}

// Cue is the argument object of one generate_express call.
type Cue = protocol.Cue
