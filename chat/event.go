package chat

// Event is what the observer of a Session is told: TurnStarted, Speech, Rewritten, CueReleased, ToolStatus, Notice,
// Thought, TurnDone. The events of one turn come in order and never after its TurnDone; turns do not overlap.
type Event interface{ event() }

// TurnStarted opens a turn: the pet takes its waiting pose, the bubble is cleared.
type TurnStarted struct {
	Turn string
	// User says that the person typed it; only such turns show failures.
	User bool
	// Name is the event's name, "user.text_submitted".
	Name string
	// Text is what the person typed, "" where nobody did.
	Text string
}

// Speech adds text to the bubble. It is clean: no thoughts, no raw tags, no silence token.
type Speech struct{ Turn, Text string }

// Rewritten replaces the whole text of the bubble: part of what was shown turned out to be a thought.
type Rewritten struct{ Turn, Text string }

// CueReleased tells that a cue came; when it applies is the playback's business, see Session.Step.
type CueReleased struct {
	Turn string
	Cue  Cue
}

// ToolStatus shows that a tool runs or is done. Tools of the backend may show done alone.
type ToolStatus struct {
	Turn, Tool string
	Running    bool
	// Failed is set on a done status whose result is a failure.
	Failed bool
}

// Notice is something to tell the person once that is no part of the answer.
type Notice struct{ Turn, Text string }

// Thought is a piece of what the model thinks aloud, for those who want to see it. It is never spoken or stored.
type Thought struct{ Turn, Text string }

// TurnDone closes a turn. Its speech may still be playing; see Session.Step.
type TurnDone struct {
	Turn    string
	User    bool
	Outcome Outcome
	// Text is all that was said.
	Text string
	// Silent says that the pet chose to say nothing.
	Silent bool
	// Cut says that the answer is not whole.
	Cut bool
	// Stopped says that the person pressed stop, where Outcome is Superseded.
	Stopped bool
	// Notice is the last Notice of the turn, "" where there was none: where nothing was said, it says why.
	Notice string
	// Error is one plain sentence in the language of the Config on what went wrong and what to change, "" where nothing did.
	Error string
	// Failure is the same in parts, for other languages; nil where nothing failed.
	Failure *Failure
	// More says that the reply is not over: it made room for another one, and what follows comes as a further turn of
	// the same identity.
	More bool
}

// Played says that a turn's playback is over, where no Step has found its end because another turn took the turn's
// place at that moment. It comes before the TurnStarted of that one. A playback that was cut has no such end.
type Played struct{ Turn string }

func (TurnStarted) event() {}
func (Speech) event()      {}
func (Rewritten) event()   {}
func (CueReleased) event() {}
func (ToolStatus) event()  {}
func (Notice) event()      {}
func (Thought) event()     {}
func (TurnDone) event()    {}
func (Played) event()      {}
