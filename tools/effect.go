package tools

import (
	"context"
	"errors"
	"slices"

	"yui/assets/lang"
	"yui/internal/protocol"
)

// The effects of show_effect (docs/rules/tools.md#show_effect).
const (
	EffectConfetti = "confetti"
	EffectHearts   = "hearts"
	EffectSparkles = "sparkles"
)

// Effects draws them.
type Effects interface {
	// Show lets an effect burst from the pet, and does not wait for its end; several may run together. An error says why
	// nobody would see it: ErrCovered, for one.
	Show(effect string) error
}

// ErrCovered says that a full-screen window has hidden the pet, and what she would show with her.
var ErrCovered = errors.New("not visible: a full-screen window covers the screen")

// NewShowEffect returns show_effect of one pet. No switch gates it.
func NewShowEffect(w *lang.Words, e Effects) Tool {
	names := []string{EffectConfetti, EffectHearts, EffectSparkles}
	shown := map[string]lang.Key{EffectConfetti: "tool.effect.confetti", EffectHearts: "tool.effect.hearts", EffectSparkles: "tool.effect.sparkles"}
	define := func() Definition {
		return Definition{
			Description: w.Text("tool.effect.about"),
			Parameters: schema(map[string]any{
				"effect": map[string]any{"type": "string", "enum": names},
				"reason": map[string]any{"type": "string", "description": w.Text("tool.effect.reason")},
			}, "effect"),
		}
	}
	return Tool{
		Name:   protocol.Effect,
		Shows:  true,
		Define: define,
		Run: func(ctx context.Context, call Call) Result {
			effect, _ := text(fields(call.Args), "effect")
			if !slices.Contains(names, effect) {
				return Result{Text: "error: " + w.Text("tool.effect.unknown")}
			}
			if ctx.Err() != nil {
				return Result{Text: protocol.TurnStopped}
			}
			if err := e.Show(effect); err != nil {
				return Result{Text: "error: " + err.Error()}
			}
			return Result{Text: w.Text(shown[effect])}
		},
	}
}
