package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"yui/internal/protocol"
)

// Vocabulary is what a pet can express at this moment.
type Vocabulary interface {
	// EmotionIDs are the ids of the emotion registry.
	EmotionIDs() []string
	// MotionIDs are the motions that a model may choose, the person's selection applied.
	MotionIDs() []string
	// VoiceTags are the tags of the voice engine with their meanings, nil where the voice takes free text.
	VoiceTags() map[string]string
}

// NewExpress returns generate_express. The turn places its cue at the call's place between the words before it runs
// the call; running it only answers ok.
func NewExpress(v Vocabulary) Tool {
	return Tool{
		Name:   protocol.Express,
		OneWay: true,
		Define: func() Definition { return defineExpress(v) },
		Run:    func(context.Context, Call) Result { return Result{Text: "ok"} },
	}
}

func defineExpress(v Vocabulary) Definition {
	props := map[string]any{
		"caption": map[string]any{"type": "string", "description": "How the voice should sound for the speech around this call, in a few words."},
	}
	if ids := v.EmotionIDs(); len(ids) > 0 {
		props["emotion_id"] = map[string]any{"type": "string", "enum": ids, "description": "The face to wear from the next sentence on."}
	}
	does := "Show a feeling while you speak: a face and a tone of voice."
	// With nothing left to choose from, the model is not told of motions at all.
	if ids := v.MotionIDs(); len(ids) > 0 {
		props["motion_id"] = map[string]any{"type": "string", "enum": ids, "description": "A gesture of the whole body, played once."}
		does = "Show a feeling while you speak: a face, a gesture of the body and a tone of voice."
	}
	props["emotion_text"] = voiceSchema(v.VoiceTags())
	return Definition{
		Description: does + " Call it beside your words, just before the sentence that it belongs to; it needs no answer and never replaces the words.",
		Parameters:  schema(props),
	}
}

func voiceSchema(tags map[string]string) map[string]any {
	if len(tags) == 0 {
		return map[string]any{"type": "string", "description": "The tone of voice for the next sentence, in a word or two."}
	}
	names := make([]string, 0, len(tags))
	for n := range tags {
		names = append(names, n)
	}
	slices.Sort(names) // the same bytes each time, so that prompt caches hold
	meanings := make([]string, len(names))
	for i, n := range names {
		meanings[i] = fmt.Sprintf("%s = %s", n, tags[n])
	}
	return map[string]any{"type": "string", "enum": names, "description": "The tone of voice for the next sentence: " + strings.Join(meanings, ", ") + "."}
}
