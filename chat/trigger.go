package chat

import (
	"context"
	"fmt"
)

// EventUserText is the event name of a turn that the person typed.
const EventUserText = "user.text_submitted"

// Trigger is what starts a turn that nobody typed.
type Trigger struct {
	// Event is the event's name, "proactive.tap_bored".
	Event string
	// Line is the trigger line of the context, `proactive "a tap" (user idle 3min)`. Values from outside must have
	// gone through Clean. Empty: the event's name.
	Line string
	// Lines are further lines of the context, behind the trigger line: "agent note: …", "signal: …". Each begins with a
	// name and a colon of the caller's own; what follows may be foreign text, which is written as one line that can
	// neither forge another nor close the block.
	Lines []string
	// Text is the user content; empty takes the marker of the event.
	Text string
	// Names are whom that marker names where it names anybody: the tools of agent.catchup. They may be foreign text.
	Names []string
	// Marks are the sources of what strangers wrote in it, for Config.Begins.
	Marks []string
	// Ahead does what has to be done before the model is asked. It runs on the turn's goroutine once the turn's time
	// has come, is told the turn's identity, and must end with ctx. It may be nil.
	Ahead func(ctx context.Context, turn string) Prepared
	// Source is who asked for the turn, Rule the rule that did, Why its reason: for the turn record.
	Source, Rule, Why string
}

// Prepared is what was done for a turn before its model is asked: the actions of a rule (docs/rules.md)
// .
type Prepared struct {
	// Lines join the context behind the trigger line; the session makes each safe.
	Lines []string
	// Say, where it is not empty, is spoken in the model's place: no backend is asked.
	Say string
	// Rule and Why go into the turn record.
	Rule, Why string
}

// fixedLine is the transport of a turn whose words are fixed.
type fixedLine string

// Stream implements Transport.
func (f fixedLine) Stream(_ context.Context, req *Request, sink Sink) (*Reply, error) {
	if len(req.Rounds) == 0 && !req.NoCalls {
		sink.Speech(string(f))
	}
	return &Reply{}, nil
}

// Busy says whether a turn runs or waits, or speech is still owed: whoever wants a turn that nobody typed may wait for
// the end of it. It may be called from any goroutine.
func (s *Session) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending != nil {
		return true
	}
	return s.cur != nil && (s.cur.running() || s.cur.playing(s.cfg.Now()))
}

// Clean makes a value from outside safe for a trigger line: one line, no client_context tag, at most 200 characters.
func Clean(s string) string { return clean(s) }

// EventAddressed is the event's name of a turn in which another character spoke to this one.
const EventAddressed = "character.addressed"

// Addressed is the trigger of a turn in which another character spoke to this one (docs/rules/chat.md#client-context). Its words are
// a model's: no client_context tag in them stays.
func Addressed(by, words string) Trigger {
	name := clean(by)
	return Trigger{
		Event: EventAddressed,
		Line:  "addressed by " + name,
		Text:  fmt.Sprintf("(%s says to you) %s", name, dropTags(visible(words))),
	}
}
