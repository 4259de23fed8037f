package tools

import (
	"context"
	"encoding/json"

	"yui/internal/protocol"
)

// Body carries out body_action.
type Body interface {
	// Act runs one command and answers with its one word (docs/rules/body.md#results): ok, not_found, blocked, interrupted, busy,
	// unsupported or timeout. It returns when the command is done or ctx ends.
	Act(ctx context.Context, args json.RawMessage) string
}

// NewBodyAction returns body_action.
func NewBodyAction(b Body) Tool {
	def := Definition{
		Description: "Move your own body on the person's desktop. sit_on_window: sit on the top edge of a window of the named app (ask look for perch_targets first when you do not know the name). peek: lean out from behind the left or right edge of the frontmost window. move_to: stand at a named spot of a monitor. stand: get up, let go of a window, or wake. go_to_bed: lie down and sleep. " +
			"Answers ok, or one word why not: not_found (no such window or monitor), blocked (other windows cover the place, or there is no room above it), interrupted (the person picked you up), busy (something else is going on), unsupported, timeout.",
		Parameters: schema(map[string]any{
			"action":  map[string]any{"type": "string", "enum": protocol.Actions()},
			"app":     map[string]any{"type": "string", "description": "For sit_on_window: the app's name as look at perch_targets gives it."},
			"side":    map[string]any{"type": "string", "enum": protocol.Sides(), "description": "For peek."},
			"spot":    map[string]any{"type": "string", "enum": protocol.Spots(), "description": "For move_to."},
			"monitor": map[string]any{"type": "integer", "description": "For move_to: the display's number; your own display where it is left out."},
		}, "action"),
	}
	return Tool{
		Name:   protocol.BodyAction,
		Shows:  true,
		Define: func() Definition { return def },
		Failed: func(result string) bool { return result != protocol.OK },
		Run: func(ctx context.Context, call Call) Result {
			word := b.Act(ctx, call.Args)
			if ctx.Err() != nil && word != protocol.OK {
				return Result{Text: protocol.TurnStopped}
			}
			return Result{Text: word}
		},
	}
}
