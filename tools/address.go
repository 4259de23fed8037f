package tools

import (
	"context"

	"yui/internal/protocol"
)

// Company is the other characters, as address_character needs them.
type Company interface {
	// Others are the other open characters at this moment, without the one whose tool it is.
	Others() []Named
	// Addressed records on the turn which character its reply is for. It is called once a turn; the character is told
	// after the reply's playback, by whoever plays it.
	Addressed(turn, presetID string)
}

// NewAddressCharacter returns address_character of one character. No switch gates it.
func NewAddressCharacter(c Company) Tool {
	a := &address{company: c}
	return Tool{Name: protocol.Address, Shows: true, Define: a.define, Run: a.run}
}

type address struct {
	company Company
	turns   turnNotes
}

func (a *address) define() Definition {
	to := map[string]any{"type": "string", "description": "The character who shall hear this reply."}
	// An empty enum would be no schema; alone on the desktop, every name is unknown (docs/rules/tools.md#address_character).
	entries, names := entriesOf(a.company.Others())
	if len(entries) > 0 {
		to["enum"] = entries
	}
	return Definition{
		Description: "Say this reply to another character on the desktop instead of the person. Call it beside the words you say to them: once you have finished speaking they hear those words and may answer. " +
			"One character a reply. The person is always listening and needs no call. Let the talk rest when there is nothing more to say.",
		Parameters: schema(map[string]any{"to": to}, "to"),
		Names:      names,
	}
}

func (a *address) run(ctx context.Context, call Call) Result {
	to, _ := text(fields(call.Args), "to")
	id, known := find(call.Names, a.company.Others(), to)
	if !known {
		return Result{Text: "error: unknown target"}
	}
	if ctx.Err() != nil {
		return Result{Text: protocol.TurnStopped}
	}
	if held, fresh := a.turns.first(call.Turn, "", to); !fresh {
		return Result{Text: "ignored: already addressed " + held}
	}
	a.company.Addressed(call.Turn, id)
	return Result{Text: "ok"}
}
