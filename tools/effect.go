package tools

import (
	"context"
	"errors"
	"slices"

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
func NewShowEffect(language string, e Effects) Tool {
	names := []string{EffectConfetti, EffectHearts, EffectSparkles}
	def := Definition{
		Description: inLanguage(language,
			`Show an effect on the screen. Use it to let a feeling be seen: when you are glad, when there is something to celebrate, when something moves you.
- confetti: a celebration, good news, something achieved
- hearts: affection, thanks, cheering someone on
- sparkles: surprise, a discovery, something wonderful`,
			`画面にエフェクトを表示します。嬉しいとき、お祝いのとき、感動したときなど、感情を表現したいときに使ってください。
- confetti: 紙吹雪（お祝い、嬉しいニュース、達成）
- hearts: ハート（愛情、感謝、応援）
- sparkles: キラキラ（驚き、発見、素敵なこと）`,
			`화면에 효과를 보여 줍니다. 기쁠 때, 축하할 때, 감동했을 때처럼 마음을 나타내고 싶을 때 쓰세요.
- confetti: 색종이 조각 (축하, 좋은 소식, 해냈을 때)
- hearts: 하트 (애정, 고마움, 응원)
- sparkles: 반짝임 (놀라움, 발견, 멋진 것)`),
		Parameters: schema(map[string]any{
			"effect": map[string]any{"type": "string", "enum": names},
			"reason": map[string]any{"type": "string", "description": inLanguage(language,
				"Why the effect is shown (for the log)", "エフェクトを表示する理由（ログ用）", "효과를 보여 주는 이유 (기록용)")},
		}, "effect"),
	}
	shown := inLanguage(language,
		map[string]string{EffectConfetti: "confetti is in the air", EffectHearts: "hearts are in the air", EffectSparkles: "sparkles are in the air"},
		map[string]string{EffectConfetti: "紙吹雪を表示しました", EffectHearts: "ハートを表示しました", EffectSparkles: "キラキラを表示しました"},
		map[string]string{EffectConfetti: "색종이 조각을 보여 주었습니다", EffectHearts: "하트를 보여 주었습니다", EffectSparkles: "반짝임을 보여 주었습니다"})
	unknown := "error: " + inLanguage(language,
		"there is no such effect; effect is confetti, hearts or sparkles",
		"そのエフェクトはありません。effect は confetti、hearts、sparkles のどれかです",
		"그런 효과는 없습니다. effect 는 confetti, hearts, sparkles 가운데 하나입니다")
	return Tool{
		Name:   protocol.Effect,
		Shows:  true,
		Define: func() Definition { return def },
		Run: func(ctx context.Context, call Call) Result {
			effect, _ := text(fields(call.Args), "effect")
			if !slices.Contains(names, effect) {
				return Result{Text: unknown}
			}
			if ctx.Err() != nil {
				return Result{Text: protocol.TurnStopped}
			}
			if err := e.Show(effect); err != nil {
				return Result{Text: "error: " + err.Error()}
			}
			return Result{Text: shown[effect]}
		},
	}
}
