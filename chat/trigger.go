package chat

import "fmt"

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

// EventAddressed is the event's name of a turn in which another character spoke to this one.
const EventAddressed = "character.addressed"

// Addressed is the trigger of a turn in which another character spoke to this one (spec/chat.md, section 0).
func Addressed(by, words string) Trigger {
	name := clean(by)
	return Trigger{
		Event: EventAddressed,
		Line:  "addressed by " + name,
		Text:  fmt.Sprintf("(%s says to you) %s", name, words),
	}
}
