package motion

import "yui/avatar/vrm"

// emotionRule is one row of the emotion registry (docs/rules/avatar.md#emotions).
type emotionRule struct{ id, expression, fallback string }

var emotionRules = [...]emotionRule{
	{"neutral", "neutral", "neutral"},
	{"happy", "happy", "neutral"},
	{"angry", "angry", "neutral"},
	{"sad", "sad", "neutral"},
	{"relaxed", "relaxed", "neutral"},
	{"surprised", "surprised", "neutral"},
	{"thinking", "ex_thinking", "relaxed"},
	{"curious", "ex_curious", "surprised"},
	{"sleepy", "ex_sleepy", "relaxed"},
	{"embarrassed", "ex_blush", "surprised"},
}

// Emotions returns the emotion ids in the registry's order, neutral first.
func Emotions() []string {
	ids := make([]string, len(emotionRules))
	for i, r := range emotionRules {
		ids[i] = r.id
	}
	return ids
}

// ResolveEmotion walks the registry's fallback chain to the first expression that the model has, as an index into
// Model.Expressions; -1 is neutral (also for ids that are not registered; known is false for these).
func ResolveEmotion(m *vrm.Model, id string) (expression int, known bool) {
	known = emotionIndex(id) >= 0
	for range emotionRules { // no chain is longer than the table, so a cycle ends too
		i := emotionIndex(id)
		if i < 0 || emotionRules[i].id == "neutral" {
			break
		}
		if e := findExpression(m, emotionRules[i].expression); e >= 0 {
			return e, known
		}
		id = emotionRules[i].fallback
	}
	return -1, known
}

func emotionIndex(id string) int {
	for i := range emotionRules {
		if emotionRules[i].id == id {
			return i
		}
	}
	return -1
}

func findExpression(m *vrm.Model, name string) int {
	for i := range m.Expressions {
		if m.Expressions[i].Name == name {
			return i
		}
	}
	return -1
}

// clipFace finds what a clip's expression is on a model, and how strong. joy and sleepy are the look study's names for
// the custom ex_smile and ex_sleepy; elsewhere a smile is half of happy (docs/rules/avatar.md#emotions) and a sleeper's eyes
// are shut.
func clipFace(m *vrm.Model, name string) (expression int, gain float32) {
	switch name {
	case "joy":
		name = "ex_smile"
	case "sleepy":
		name = "ex_sleepy"
	}
	if e := findExpression(m, name); e >= 0 {
		return e, 1
	}
	switch name {
	case "ex_smile":
		return findExpression(m, "happy"), .5
	case "ex_sleepy":
		return findExpression(m, "blink"), 1
	}
	if e, known := ResolveEmotion(m, name); known && e >= 0 {
		return e, 1
	}
	return -1, 0
}
