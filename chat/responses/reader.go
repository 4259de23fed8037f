package responses

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"yui/chat"
	"yui/chat/api"
)

// errQuiet ends the reading of what follows a complete answer.
var errQuiet = errors.New("the stream was complete")

// reader reads one answer.
type reader struct {
	client *api.Client
	sink   chat.Sink
	ctx    context.Context
	cancel context.CancelCauseFunc
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
	received io.Reader
}

// Read passes the body on; every byte is a sign of life.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.received.Read(p)
	if n > 0 {
		r.sink.Alive()
	}
	return n, err
}

// read takes the answer off the body, whatever form it has.
func (r *reader) read(resp *http.Response) (*chat.Reply, error) {
	r.received = resp.Body
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	var stream io.Reader = r
	if kind != "text/event-stream" {
		head, rest, err := api.Peek(r)
		switch {
		case err != nil && len(head) == 0:
			return nil, r.broken(err)
		case kind == "text/html" || bytes.HasPrefix(head, []byte("<")):
			more, _ := io.ReadAll(io.LimitReader(rest, 64<<10))
			return nil, r.client.NotAnAPI(more)
		case kind == "application/json" || bytes.HasPrefix(head, []byte("{")):
			return r.whole(rest)
		}
		stream = rest
	}
	frames := api.NewFramer(stream)
	for !r.complete {
		frame, err := frames.Next()
		if err != nil {
			return nil, r.broken(err)
		}
		if err := r.frame(frame); err != nil {
			return nil, err
		}
	}
	r.drain()
	return r.reply(), nil
}

// drain reads what follows the end, which is mostly [DONE]: only a body that was read to its end leaves its connection
// to the next round trip.
func (r *reader) drain() {
	const wait, most = 50 * time.Millisecond, 4 << 10
	timer := time.AfterFunc(wait, func() { r.cancel(errQuiet) })
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, r.received, most)
}

// whole reads an answer that is one JSON object: a server that does not stream, or events in a row.
func (r *reader) whole(body io.Reader) (*chat.Reply, error) {
	raw, err := io.ReadAll(io.LimitReader(body, api.MaxEvent))
	if err != nil && len(raw) == 0 {
		return nil, r.broken(err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	for !r.complete {
		var one json.RawMessage
		if decErr := dec.Decode(&one); decErr == io.EOF || decErr != nil && err != nil {
			return nil, r.broken(errors.Join(io.EOF, err))
		} else if decErr != nil {
			return nil, r.client.Garbled(decErr)
		}
		if err := r.data(one, ""); err != nil {
			return nil, err
		}
	}
	return r.reply(), nil
}

// frame takes one event of the stream.
func (r *reader) frame(f api.Frame) error {
	switch string(f.Event) {
	case "error":
		return r.client.Provider(f.Data)
	case "hermes.tool.progress":
		if tool, running, ok := api.Progress(f.Data); ok {
			r.sink.Status(tool, running)
		}
		return nil
	}
	data := bytes.TrimSpace(f.Data)
	switch {
	case len(data) == 0:
		return nil
	case bytes.Equal(data, []byte("[DONE]")):
		return r.broken(io.EOF) // a good answer has ended before
	}
	err := r.data(data, string(f.Event))
	var syntax *badData
	if !errors.As(err, &syntax) || bytes.IndexByte(data, '\n') < 0 {
		return err
	}
	for _, line := range bytes.Split(data, []byte("\n")) { // a server that leaves out the blank lines
		line = bytes.TrimSpace(line)
		if len(line) == 0 || bytes.Equal(line, []byte("[DONE]")) || r.complete {
			continue
		}
		if err := r.data(line, ""); err != nil {
			return err
		}
	}
	return nil
}

// badData is an event that does not decode; it carries the failure that it is.
type badData struct{ *chat.Failure }

// Unwrap makes it the failure.
func (b *badData) Unwrap() error { return b.Failure }

// broken says why reading stopped in the middle.
func (r *reader) broken(err error) error {
	switch {
	case r.ctx.Err() != nil:
		return r.client.Broken(r.ctx.Err())
	case errors.Is(err, io.EOF):
		return r.client.CutOff(nil)
	}
	return r.client.CutOff(err)
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
		host := r.client.Host()
		reply.Owe = func(calls []chat.Answer) json.RawMessage { return newChain(id, host, calls) }
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
	const ends, starts = " \t\r\n\u3000。！？", " \t\r\n\u3000"
	if r.gap && r.tail != "" && strings.TrimRight(r.tail, ends) == r.tail && strings.TrimLeft(piece, starts) == piece {
		piece = " " + piece
	}
	r.gap = false
	r.tail = piece[max(0, len(piece)-utf8.UTFMax):]
	r.sink.Speech(piece)
}
