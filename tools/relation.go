package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"yui/internal/protocol"
	"yui/internal/readable"
)

// Relations is what a character feels toward others, as rate_relation needs it.
type Relations interface {
	// RelationsOn is the switch yui.relations at this moment.
	RelationsOn() bool
	// Others are the other open characters at this moment, without the one whose tool it is.
	Others() []Named
	// Rate moves the value toward a character (by its preset's id) or the person ("") by delta, cut to what the daily
	// cap and the range leave, and keeps the change with its reason. After an error nothing has changed.
	Rate(ctx context.Context, toward string, delta int, why string) (value int, clamped bool, err error)
}

// ReservedReason is the reason of a change that the person made by hand; no call may use it.
const ReservedReason = "set by the user"

// whyLimit is how much of a reason is kept, in code points.
const whyLimit = 80

// Band is the word for a value, by plain comparison (docs/rules/tools.md#rate_relation).
func Band(value int) string {
	switch {
	case value <= -12:
		return "hostile"
	case value <= -4:
		return "cold"
	case value >= 12:
		return "close"
	case value >= 4:
		return "warm"
	}
	return "neutral"
}

// NewRateRelation returns rate_relation of one character.
func NewRateRelation(r Relations) Tool {
	rating := &rating{relations: r}
	return Tool{Name: protocol.RateRelation, Switch: "relations", Define: rating.define, Run: rating.run}
}

type rating struct {
	relations Relations
	turns     turnNotes
}

func (r *rating) define() Definition {
	entries, names := entriesOf(r.relations.Others())
	toward := append([]string{UserEntry}, entries...)
	return Definition{
		Description: "Let what you feel toward someone grow or cool by one small step, when something in this moment truly touched you: a kindness, a promise kept, a joke at your cost. Most replies need no step. Feelings move slowly: a few points a day toward each, one step toward each in a reply. " +
			"Answers where you stand now: hostile, cold, neutral, warm or close. \"clamped:\" before the word means that today's measure or the end of the scale held you back.",
		Parameters: schema(map[string]any{
			"toward": map[string]any{"type": "string", "enum": toward, "description": "Whom the feeling is for. \"user\" is the person you talk with; the other names are characters on the same desktop."},
			"delta":  map[string]any{"type": "integer", "enum": []int{-2, -1, 1, 2}, "description": "1 for a little warmer, 2 for clearly warmer, -1 and -2 for cooler."},
			"why": map[string]any{"type": "string", "maxLength": whyLimit,
				"description": "The reason, in your own voice and the person's language, at most 80 characters. The person reads it later in the history of your feelings: name what happened, honestly and kindly."},
		}, "toward", "delta", "why"),
		Names: names,
	}
}

// run checks in the order of docs/rules/tools.md#rate_relation.
func (r *rating) run(ctx context.Context, call Call) Result {
	if !r.relations.RelationsOn() {
		return Result{Text: "error: relations are off"}
	}
	f := fields(call.Args)
	toward, _ := text(f, "toward")
	id, known := "", toward == UserEntry
	if !known {
		id, known = find(call.Names, r.relations.Others(), toward)
	}
	if !known {
		return Result{Text: "error: unknown target"}
	}
	delta, ok := smallStep(f["delta"])
	if !ok {
		return Result{Text: "error: invalid field delta"}
	}
	why, ok := text(f, "why")
	if !ok {
		return Result{Text: "error: invalid field why"}
	}
	why = strings.TrimSpace(readable.First(oneLine(why), whyLimit))
	if looksReserved(why) {
		return Result{Text: "error: reserved reason"}
	}
	return r.apply(ctx, call.Turn, toward, id, delta, why)
}

func (r *rating) apply(ctx context.Context, turn, toward, id string, delta int, why string) (res Result) {
	if _, fresh := r.turns.first(turn, id, toward); !fresh {
		return Result{Text: fmt.Sprintf("ignored: already rated %s this turn", toward)}
	}
	// A change that was not made leaves the turn its one call, even where making it panicked.
	done := false
	defer func() {
		if !done {
			r.turns.forget(turn, id)
		}
	}()
	value, clamped, err := r.relations.Rate(ctx, id, delta, why)
	if err != nil && ctx.Err() != nil {
		return Result{Text: protocol.TurnStopped}
	}
	if err != nil {
		return Result{Text: "error: " + err.Error()}
	}
	done = true
	if clamped {
		return Result{Text: "clamped: " + Band(value)}
	}
	return Result{Text: Band(value)}
}

// smallStep reads a delta: one of the four numbers, however JSON writes it.
func smallStep(raw json.RawMessage) (int, bool) {
	var n float64
	if json.Unmarshal(raw, &n) != nil {
		return 0, false
	}
	switch n {
	case -2, -1, 1, 2:
		return int(n), true
	}
	return 0, false
}

// looksReserved tells whether a reader would take a reason for the person's own.
func looksReserved(why string) bool {
	bare := strings.TrimFunc(why, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
	return strings.EqualFold(bare, ReservedReason)
}
