package chat

import (
	"context"
	"encoding/json"

	"yui/assets/lang"
)

// Transport is how a turn reaches a backend. chat/completions is one; Responses and Push fit the same face.
type Transport interface {
	// Stream sends one request and reports to sink what the answer holds, in order, from the calling goroutine.
	// It returns when the answer is complete (a Reply) or broken (an error, a *Failure where the cause is known;
	// what was spoken until then has been reported). It ends soon after ctx does, and keeps no goroutine.
	// Retries that docs/rules/chat.md#retries allows happen inside. A transport may be used by several sessions at once.
	Stream(ctx context.Context, req *Request, sink Sink) (*Reply, error)
}

// Rester is a Transport that holds something open between the requests of a turn. Rest is called after each turn.
type Rester interface{ Rest() }

// Request is everything that one request of a turn carries. The transport gives it its shape on the wire.
type Request struct {
	// Turn is the identity of the turn: wall clock milliseconds, counted up.
	Turn string
	// Event is the name of what the turn is for, EventUserText where the person typed.
	Event string
	// Instructions is the persona; "" sends none.
	Instructions string
	// History is the part of the transcript that fits, oldest first.
	History []Message
	// Context is the lines of the client context, without tags, separated by line feeds.
	Context string
	// Text is the user's words, or the background marker where nobody typed.
	Text string
	// Images are data URLs that go with Text.
	Images []string
	// Tools are declared as they are, in this order; the same in every round of a turn.
	Tools []Tool
	// Rounds are the finished round trips of this turn, oldest first.
	Rounds []Round
	// NoCalls repeats a request with tool_choice "none" (docs/rules/chat.md#round-trips).
	NoCalls bool
	// Chain is what the Reply of the last good turn asked to be kept (a response id, outputs still owed). A transport
	// that learns that it is worthless sets it to nil: the later rounds go without, and the session forgets it, too.
	Chain json.RawMessage
}

// Message is one line of the history.
type Message struct {
	Role string // user or assistant
	Text string
}

// Round is one answer whose calls were executed and whose results go back.
type Round struct {
	// Text is what the response said, "" for nothing.
	Text  string
	Calls []Answer
	// Extra is the Reply.Extra of that response.
	Extra any
}

// Answer is a call with its result. Arguments are always valid JSON here: what did not parse is replaced by {},
// because servers refuse a request that repeats it (docs/rules/servers.md#a18).
type Answer struct {
	ID, Name, Arguments string
	Result              Result
}

// ToolCall is a call as it came off the wire.
type ToolCall struct {
	// ID is never empty; see NewCallID.
	ID   string
	Name string
	// Arguments is the raw text; it need not parse.
	Arguments string
	// Foreign says that the backend runs the call itself: its cue plays, and nothing is run or answered.
	Foreign bool
	// AfterText says that the response's text before this call is complete, so that a cue need not wait for more.
	AfterText bool
	// Declared, where it is not nil, are the tools of which the call may name one: those that its connection has declared,
	// with the meaning that they had then.
	Declared []Tool
	// Answer, where it is set, is told the result as soon as it is known (Push answers inside its stream).
	Answer func(Result)
}

// Sink receives what an answer holds. All methods are called from the goroutine that called Stream.
type Sink interface {
	// Speech is a piece of text, raw: thoughts, silence tokens and calls written as text are filtered above.
	Speech(text string)
	// Call is a complete call, to be executed now. It does not wait for the result.
	Call(call ToolCall)
	// Status tells that a tool of the backend runs or is done.
	Status(tool string, running bool)
	// Notice is something that the person should know once.
	Notice(key lang.Key)
	// Alive is any other sign of life; it restarts the watchdog.
	Alive()
}

// Thinker is a Sink that also takes what the model thinks aloud. The Sink of a Session is one.
type Thinker interface{ Thought(text string) }

// Reply is the end of a complete answer.
type Reply struct {
	// Waits says that a response without text stopped to wait for its calls: finish_reason "tool_calls" on Chat
	// Completions, always on Responses (docs/rules/chat.md#answer-or-not).
	Waits bool
	// Short says why a complete answer is shorter than the model meant it ("length", "content_filter"), or "".
	Short string
	// More says that the reply only made room and goes on in a further turn of the same identity.
	More bool
	// Usage is what the server counted, nil where it did not.
	Usage *Usage
	// Extra is the transport's own memory of this response for the next round (reasoning items).
	Extra any
	// Chain is kept for the next turn if this turn ends well; nil leaves what was kept.
	Chain json.RawMessage
	// Owe, where it is set, gives Chain for a turn that ends on this reply. It is told the calls of the reply that
	// nobody answers: a cue beside speech, or what came after the last round trip (docs/rules/chat.md#round-trips, "Calls left unanswered on
	// Responses").
	Owe func(calls []Answer) json.RawMessage
}

// Usage is the server's own count of tokens.
type Usage struct {
	Prompt, Completion, Total int
	// Kept says that Prompt counts a conversation that the server keeps, so that it does not measure Request.History.
	Kept bool
}
