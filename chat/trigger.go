package chat

import (
	"fmt"
	"strings"
)

// eventUserText is the event name of a turn that the person typed.
const eventUserText = "user.text_submitted"

// Trigger is what starts a turn that nobody typed.
type Trigger struct {
	// Event is the event's name, "proactive.tap_bored".
	Event string
	// Line is the trigger line of the context, `proactive "a tap" (user idle 3min)`. Values from outside must have
	// gone through Clean. Empty: the event's name.
	Line string
	// Text is the user content; empty takes the marker of the event.
	Text string
}

// Clean makes a value from outside safe for a trigger line: one line, no client_context tag, at most 200 characters.
func Clean(s string) string { return clean(s) }

// Addressed is the trigger of a turn in which another character spoke to this one (spec/chat.md, section 0).
func Addressed(by, words string) Trigger {
	name := clean(by)
	return Trigger{
		Event: "character.addressed",
		Line:  "addressed by " + name,
		Text:  fmt.Sprintf("(%s says to you) %s", name, words),
	}
}

// markers are the user content of turns that nobody typed: what happened, from the person's side, never how to
// react.
var markers = map[string]string{
	"proactive.tap_bored":           "(The user has tapped you several times in a row.)",
	"proactive.head_pat":            "(The user is patting your head.)",
	"proactive.drag_held":           "(The user has picked you up and is holding you in the air.)",
	"proactive.window_sit":          "(You have just been set down on the edge of a window.)",
	"proactive.peek":                "(You have just been tucked behind the side of a window.)",
	"proactive.dropped":             "(The user let go of you and you fell.)",
	"proactive.screen_app_switched": "(The user has moved on to another application.)",
	"proactive.screen_long_session": "(The user has been in the same application for a long time.)",
	"agent.done":                    "(A program that works for the user has finished.)",
	"agent.needs_input":             "(A program that works for the user is waiting for an answer.)",
	"agent.catchup":                 "(While the user was away, programs that work for them reported.)",
	"signals.push":                  "(A signal has arrived.)",
	"signals.batch":                 "(Several signals have arrived together.)",
	"signals.catchup":               "(Signals arrived while the user was away.)",
	"time_milestone.first_activity": "(The user has just sat down at the computer for the first time today.)",
}

// marker gives the line for an event, by its family where it has none of its own.
func marker(event string) string {
	if m, ok := markers[event]; ok {
		return m
	}
	switch {
	case strings.HasPrefix(event, "proactive.touch_"):
		return "(The user is touching you.)"
	case strings.HasPrefix(event, "proactive."):
		return "(Nobody has said anything for a while.)"
	case strings.HasPrefix(event, "schedule."):
		return "(A time of the day that you keep has come.)"
	}
	return "(Something has happened on the desktop.)"
}
