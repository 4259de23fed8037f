package app

import (
	"strconv"
	"time"

	"yui/avatar/body"
	"yui/chat"
	"yui/tools"
)

// reflex is what the person does to her that gets a turn of its own.
type reflex struct {
	label   string // what the model is told (docs/rules/body.md#touch)
	gesture string // what rules call it
}

var reflexes = map[body.EventName]reflex{
	body.EventWindowSit:  {"set down on a window", "sit"},
	body.EventPeek:       {"tucked behind a window", "peek"},
	body.EventDropped:    {"dropped", "drop"},
	body.EventDragHeld:   {"held in the air", "drag"},
	body.EventHeadPat:    {"head patted", "pat"},
	body.EventTouchChest: {"touched", "touch"},
	body.EventTouchHips:  {"touched", "touch"},
	body.EventTapBored:   {"tapped again and again", "tap"},
}

// reflexGap is the least time between two such turns: her face answers at once, words are not owed to every touch.
const reflexGap = 20 * time.Second

// bodyEvent gives the person's gestures a turn.
func (p *pet) bodyEvent(e body.Event) {
	if e.Name == body.EventTouch {
		p.faceEndsIn(body.DefaultTouch().EmotionHold)
	}
	reflex, ok := reflexes[e.Name]
	now := time.Now()
	if !ok || p.app.ctx.Err() != nil || now.Sub(p.reflexAt) < reflexGap || p.talk != nil && p.talk.InputOpen() {
		return
	}
	p.reflexAt = now
	line := "proactive " + strconv.Quote(reflex.label)
	if c := e.Data["context"]; c != "" {
		line += " (" + chat.Clean(c) + ")"
	}
	t := chat.Trigger{Event: string(e.Name), Line: line}
	if e.Name == body.EventTapBored && p.isMain() {
		if t.Lines = p.app.door.Drain(); len(t.Lines) > 0 { // docs/rules/body.md#touch
			t.Marks = []string{tools.FromProgram}
		}
	}
	p.app.memory.Go(func() { p.app.first.Gesture(speaker{p}, reflex.gesture, t) })
}
