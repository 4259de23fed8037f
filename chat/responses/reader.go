package responses

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"unicode/utf8"

	"yui/chat"
	"yui/chat/api"
	"yui/chat/internal/answer"
)

// reader reads one answer.
type reader struct {
	*answer.Answer
	client *api.Client
	sink   chat.Sink
	ours   map[string]bool // the tools that this request declared

	made     []*made
	id       string           // of the response
	spoke    map[message]bool // what was spoken
	open     message          // the message that comes piece by piece
	gap      bool             // a message has ended or another begun
	tail     string           // the end of what was spoken
	thought  bool             // a summary part was thought
	usage    *chat.Usage
	complete bool
}

func newReader(ctx context.Context, cancel context.CancelCauseFunc, client *api.Client, sink chat.Sink, ours map[string]bool) *reader {
	return &reader{Answer: answer.New(client, sink, ctx, cancel), client: client, sink: sink, ours: ours}
}

// read takes the answer off the body, whatever form it has.
func (r *reader) read(resp *http.Response) (*chat.Reply, error) {
	whole, err := r.Open(resp)
	if err != nil {
		return nil, err
	}
	if whole != nil {
		return r.ended(r.Objects(whole, func(one json.RawMessage) (bool, error) {
			err := r.data(one, "")
			return !r.complete, err
		}))
	}
	for !r.complete {
		frame, err := r.Next()
		if err == nil {
			err = r.frame(frame)
		}
		if err != nil {
			return r.ended(err)
		}
	}
	r.Drain()
	return r.reply(), nil
}

// ended judges the end of the body: without the event that completes it an answer is cut.
func (r *reader) ended(err error) (*chat.Reply, error) {
	var failure *chat.Failure
	switch {
	case err == nil:
		return r.reply(), nil
	case errors.As(err, &failure):
		return nil, err
	}
	return nil, r.Broken(err)
}

// frame takes one event of the stream. Its error is a *chat.Failure, or io.EOF where the answer has ended.
func (r *reader) frame(f api.Frame) error {
	name := string(f.Event)
	return r.Event(f, func(data []byte) error {
		switch {
		case r.complete: // what follows in the same event is the server's own
			return nil
		case bytes.Equal(data, []byte("[DONE]")):
			return io.EOF // a good answer has ended before
		}
		err := r.data(data, name)
		name = "" // of the first alone
		return err
	})
}

// reply closes a complete answer.
func (r *reader) reply() *chat.Reply {
	for _, m := range r.made {
		if m.isCall() && !m.handled { // its end never came
			r.call(m, api.Arguments(m.pieces.String()))
		}
		if m.running {
			m.running = false
			r.sink.Status(m.foreignName(), false)
		}
	}
	// "On Responses, which has no finish_reason, it is a response with no text."
	reply := &chat.Reply{Waits: true, Usage: r.usage, Extra: r.products()}
	if id := r.id; id != "" {
		host, root := r.client.Host(), r.client.Root()
		reply.Owe = func(calls []chat.Answer) json.RawMessage { return newChain(id, host, root, calls) }
	}
	return reply
}

// message names a message among the items of a response, by its index or its id.
type message struct {
	index int
	id    string
}

// text speaks a piece of a message.
func (r *reader) text(index int, id []byte, piece string) {
	if piece == "" {
		return
	}
	if r.spoke == nil || r.open.index != index || r.open.id != string(id) {
		r.open = message{index, string(id)}
		r.mark(r.open.index, r.open.id)
	}
	r.say(piece)
}

// mark notes that the text of a message came piece by piece.
func (r *reader) mark(index int, id string) {
	if r.spoke == nil {
		r.spoke = map[message]bool{}
	}
	if index >= 0 {
		r.spoke[message{index, ""}] = true
	}
	if id != "" || index < 0 {
		r.spoke[message{-1, id}] = true
	}
}

// wholeText speaks a message whose text only comes at its end. Where it has been spoken it is a sign of speech.
func (r *reader) wholeText(index int, id string, text api.Text) {
	nameless := message{-1, ""}
	if index >= 0 && r.spoke[message{index, ""}] || r.spoke[message{-1, id}] || r.spoke[nameless] || text == "" {
		r.sink.Speech("")
		return
	}
	r.mark(index, id)
	r.say(string(text))
}

// say speaks. The messages of one response are joined as the responses of one turn are.
func (r *reader) say(piece string) {
	if r.gap {
		piece = chat.Joint(r.tail, piece) + piece
	}
	r.gap = false
	r.tail = piece[max(0, len(piece)-utf8.UTFMax):]
	r.sink.Speech(piece)
}
