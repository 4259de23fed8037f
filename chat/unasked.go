package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"yui/internal/protocol"
)

// eventUnasked is the event name of a reply that nobody asked for (docs/rules/chat.md#turn-records).
const eventUnasked = "push.render"

// unaskedMarker stands where the person's words would, so that the transcript reads well for the next backend.
const unaskedMarker = "(Nobody had asked anything; you spoke up by yourself.)"

// lookAgain bounds how long a reply that waits for the end of speech takes to notice that the speech was cut.
const lookAgain = 500 * time.Millisecond

// Unasked is a reply that a backend began by itself.
type Unasked struct {
	// ID becomes the turn's identity in events, calls and records: one that no other reply has had, whatever its backend
	// calls it. The parts of a reply that made room share it. Empty: one of the session's own.
	ID string
	// Event is its event name; "push.render" where it is empty.
	Event string
	// Stream reports the reply to sink, as Transport.Stream does. It is called once the reply's time has come.
	Stream func(ctx context.Context, sink Sink) (*Reply, error)

	fixed bool // no backend said it
}

// Unasked plays a reply that arrived without a request: behind the running turn and behind the speech that is still
// owed, for only the person cuts speech (docs/rules/chat.md#push-turns). It returns when the reply's turn is over, whose speech may
// still be playing, or with ctx's error where ctx ends while it waits; ending ctx later stops the turn. Replies are
// heard in the order of their calls only where the caller offers one at a time. It may be called from any goroutine.
func (s *Session) Unasked(ctx context.Context, reply Unasked) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, busy, wait := s.admit(ctx, reply)
		if t != nil {
			<-t.done
			return nil
		}
		timer := time.NewTimer(wait)
		if busy != nil {
			timer.Stop() // the end of the turn is told
		}
		select {
		case <-busy:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// admit begins the reply's turn where nothing is in its way; else it gives what to wait for: the end of the running
// turn, or a time.
func (s *Session) admit(ctx context.Context, reply Unasked) (t *Turn, busy <-chan struct{}, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.cfg.Now()
	if before := s.cur; before != nil {
		select {
		case <-before.done:
		default:
			return nil, before.done, 0
		}
		if before.playing(now) {
			return nil, nil, min(max(before.owed(now), time.Millisecond), lookAgain)
		}
	}
	if reply.ID == "" {
		reply.ID = s.ids.next(now)
	}
	if reply.Event == "" {
		reply.Event = eventUnasked
	}
	return s.follow(ctx, &Turn{
		id: reply.ID, event: reply.Event, text: unaskedMarker, line: reply.Event, backend: Backend{Transport: &unaskedTransport{reply: reply}},
		fixed: reply.fixed,
	}, now), nil, 0
}

// Speak says a fixed text without a backend, behind the running turn and the speech that is owed. said tells whether it
// was given to the playback: it was not where ctx ended first, or where the person spoke just then.
func (s *Session) Speak(ctx context.Context, event, text string) (said bool) {
	err := s.Unasked(ctx, Unasked{Event: event, fixed: true, Stream: func(ctx context.Context, sink Sink) (*Reply, error) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		sink.Speech(printable(text))
		said = true
		return &Reply{}, nil
	}})
	return said && err == nil
}

// unaskedTransport lets a turn run over a reply that needs no request.
type unaskedTransport struct {
	reply Unasked
	end   *Reply // how the reply's stream ended, nil before
}

// Stream implements Transport. The calls of such a reply are answered inside its stream, so that nothing goes back in
// a further round: how the stream ended is how the reply did.
func (u *unaskedTransport) Stream(ctx context.Context, req *Request, sink Sink) (reply *Reply, err error) {
	if u.end != nil {
		return &Reply{Short: u.end.Short, More: u.end.More}, nil
	}
	reply, err = u.reply.Stream(ctx, sink)
	u.end = reply
	return reply, err
}

// Utterances is a Sink that can be told that what was said so far is whole: a transport whose reply comes in several
// utterances calls it behind each. What follows is joined like the speech of a further response.
type Utterances interface {
	Sink
	EndUtterance()
}

// EndUtterance implements Utterances.
func (r *response) EndUtterance() {
	r.t.watch.beat(false)
	if r.t.ctx.Err() != nil {
		return
	}
	r.end()
	r.filter = filter{tools: r.filter.tools}
	r.gate = silence{}
	r.spoken.Reset()
	r.start = r.t.said.Len()
}

// Joined is the speech of several parts of a reply as one text.
func Joined(parts []string) string {
	var all strings.Builder
	for _, part := range parts {
		all.WriteString(Joint(all.String(), part) + part)
	}
	return all.String()
}

// Utterance gives the words of a request for transports that mark nobody's words by an empty text: those of the
// person, or of the character who spoke to this one; "" for a background marker. user says that the person spoke.
func (r *Request) Utterance() (text string, user bool) {
	switch r.Event {
	case EventUserText:
		return r.Text, true
	case EventAddressed:
		return r.Text, false
	}
	return "", false
}

// RunCall runs a call outside of a running turn, for a reply that still waits for its time: its backend does not wait
// that long for results. turn is the identity of the reply's turn. It never panics.
func RunCall(ctx context.Context, turn string, c ToolCall) (result Result) {
	defer func() {
		if p := recover(); p != nil {
			result = Result{Text: fmt.Sprintf("error: %v", p)}
		}
	}()
	args, err := normalArguments(c.Arguments)
	if err != nil {
		return Result{Text: "error: arguments JSON parse failed: " + err.Error()}
	}
	tool, found := toolNamed(c.Declared, c.Name)
	if !found {
		return Result{Text: protocol.UnknownTool}
	}
	e := &execution{call: Call{Turn: turn, ID: c.ID, Name: c.Name, Args: args}, tool: tool}
	return e.run(ctx)
}

func toolNamed(tools []Tool, name string) (Tool, bool) {
	i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return tools[i], true
}
