package app

import (
	"strconv"
	"strings"
	"time"

	"yui/avatar/body"
	"yui/chat"
	"yui/tools"
)

// reflexes are the cues that get a turn of their own, with what the model is told of each; the label is ours
// (docs/rules/body.md#touch).
var reflexes = map[string]string{
	"proactive.window_sit":  "set down on a window",
	"proactive.peek":        "tucked behind a window",
	"proactive.dropped":     "dropped",
	"proactive.drag_held":   "held in the air",
	"proactive.head_pat":    "head patted",
	"proactive.touch_chest": "touched",
	"proactive.touch_hips":  "touched",
	"proactive.tap_bored":   "tapped again and again",
}

// reflexGap is the least time between two such turns: her face answers at once, words are not owed to every touch.
const reflexGap = 20 * time.Second

// bodyEvent gives the person's gestures a turn.
func (p *pet) bodyEvent(e body.Event) {
	if e.Name == "user.touch" {
		p.faceEndsIn(body.DefaultTouch().EmotionHold)
	}
	label, ok := reflexes[e.Name]
	now := time.Now()
	if !ok || p.app.ctx.Err() != nil || now.Sub(p.reflexAt) < reflexGap || p.talk != nil && p.talk.InputOpen() {
		return
	}
	p.reflexAt = now
	line := "proactive " + strconv.Quote(label)
	if c := e.Data["context"]; c != "" {
		line += " (" + chat.Clean(c) + ")"
	}
	t := chat.Trigger{Event: e.Name, Line: line}
	if e.Name == "proactive.tap_bored" && p.isMain() {
		if t.Lines = p.app.door.Drain(); len(t.Lines) > 0 { // docs/rules/body.md#touch
			t.Marks = []string{tools.FromProgram}
		}
	}
	p.app.memory.Go(func() { p.app.first.Gesture(speaker{p}, gestureOf(e.Name), t) })
}

// gestureOf is what rules call a gesture.
func gestureOf(event string) string {
	switch name := strings.TrimPrefix(event, "proactive."); name {
	case "head_pat":
		return "pat"
	case "tap_bored":
		return "tap"
	case "drag_held":
		return "drag"
	case "dropped":
		return "drop"
	case "window_sit":
		return "sit"
	case "peek":
		return name
	}
	return "touch"
}
