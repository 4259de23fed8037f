package completions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"yui/chat"
	"yui/chat/api"
)

// errQuiet ends a stream that has been silent after its finish_reason.
var errQuiet = errors.New("the stream was complete and silent")

// reader reads one answer.
type reader struct {
	client *api.Client
	sink   chat.Sink
	quiet  time.Duration
	ctx    context.Context
	cancel context.CancelCauseFunc

	calls    calls
	usage    *chat.Usage
	finish   string // the last finish_reason
	late     bool   // text or fragments came after a finish_reason: only the end of the stream counts
	done     bool   // [DONE]
	useful   bool   // something of an answer was read
	timer    *time.Timer
	received io.Reader
}

// Read passes the body on; every byte is a sign of life.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.received.Read(p)
	if n > 0 {
		r.sink.Alive()
		if r.timer != nil && !r.late {
			r.timer.Reset(r.quiet)
		}
	}
	return n, err
}

func (r *reader) stopTimer() {
	if r.timer != nil {
		r.timer.Stop()
	}
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
	for !r.done {
		frame, err := frames.Next()
		if err != nil {
			return r.ended(err)
		}
		if err := r.frame(frame); err != nil {
			return nil, err
		}
	}
	r.drain()
	return r.complete()
}

// drain reads what follows [DONE], which is mostly the end: only a body that was read to its end leaves its
// connection to the next round trip.
func (r *reader) drain() {
	const wait, most = 50 * time.Millisecond, 4 << 10
	r.stopTimer()
	timer := time.AfterFunc(wait, func() { r.cancel(errQuiet) })
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, r.received, most)
}

// whole reads an answer that is one JSON object (a server that does not stream), or several in a row.
func (r *reader) whole(body io.Reader) (*chat.Reply, error) {
	raw, err := io.ReadAll(io.LimitReader(body, api.MaxEvent))
	if err != nil && len(raw) == 0 {
		return nil, r.broken(err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		var one json.RawMessage
		if decErr := dec.Decode(&one); decErr == io.EOF {
			break
		} else if decErr != nil {
			if err != nil {
				return r.ended(err)
			}
			return nil, r.client.Garbled(decErr)
		}
		if err := r.data(one); err != nil {
			return nil, err
		}
	}
	if err == nil {
		err = io.EOF
	}
	return r.ended(err)
}

// frame takes one event.
func (r *reader) frame(f api.Frame) error {
	switch string(f.Event) {
	case "", "message":
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
		r.done = true
		return nil
	}
	err := r.data(data)
	if !errors.Is(err, errNotJSON) {
		return err
	}
	if bytes.IndexByte(data, '\n') < 0 {
		return r.client.Garbled(err)
	}
	for _, line := range bytes.Split(data, []byte("\n")) { // a server that leaves out the blank lines
		if line = bytes.TrimSpace(line); bytes.Equal(line, []byte("[DONE]")) {
			r.done = true
		} else if len(line) > 0 {
			if err := r.data(line); err != nil {
				if errors.Is(err, errNotJSON) {
					return r.client.Garbled(err)
				}
				return err
			}
		}
	}
	return nil
}

var errNotJSON = errors.New("read chunk: no JSON object of the expected form")

// data takes one chunk.
func (r *reader) data(raw []byte) error {
	if p, ok := readPlain(raw); ok {
		r.useful = true
		r.sink.Alive()
		if p.choice {
			r.text(p.content)
			r.finished(p.finish)
		}
		return nil
	}
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		return errors.Join(errNotJSON, err)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return r.client.Provider(raw)
	}
	if c.Object == "error" || len(c.Choices) == 0 && c.Usage == nil && (len(c.Message) > 0 || len(c.Detail) > 0) {
		return r.client.Provider(raw)
	}
	if c.Usage != nil {
		r.usage = &chat.Usage{Prompt: c.Usage.Prompt, Completion: c.Usage.Completion, Total: c.Usage.Total}
	}
	r.useful = r.useful || c.Choices != nil
	r.sink.Alive()
	for _, choice := range c.Choices {
		if choice.Index == 0 {
			r.choice(choice)
		}
	}
	return nil
}

func (r *reader) choice(c choice) {
	for _, d := range []*delta{c.Delta, c.Message} {
		if d == nil {
			continue
		}
		r.text(string(d.Content))
		for _, f := range d.ToolCalls {
			r.more()
			r.calls.add(f)
		}
	}
	if c.Finish != nil {
		r.finished(*c.Finish)
	}
}

// text passes speech on.
func (r *reader) text(s string) {
	if s != "" {
		r.more()
		r.sink.Speech(s)
	}
}

// more notes that something came: after a finish_reason that reason did not mean the end.
func (r *reader) more() {
	r.late = r.late || r.finish != ""
	if r.late {
		r.stopTimer()
	}
}

// finished notes a finish_reason: calls that are whole are released, and unless the server says so with every chunk,
// silence now means the end.
func (r *reader) finished(reason string) {
	if reason == "" {
		return
	}
	r.finish = reason
	r.release(false)
	if !r.late && r.timer == nil {
		r.timer = time.AfterFunc(r.quiet, func() { r.cancel(errQuiet) })
	}
}

func (r *reader) release(end bool) {
	for _, c := range r.calls.release(end) {
		r.sink.Call(c)
	}
}

// ended judges the end of the stream: with a sign of completion it is well whatever the socket did (cases.md A21),
// without one the answer is cut, unless a clean end left whole calls.
func (r *reader) ended(err error) (*chat.Reply, error) {
	cause := context.Cause(r.ctx)
	quiet := cause == errQuiet || cause == chat.ErrStalled && r.finish != "" && r.late
	switch {
	case r.done || quiet || r.finish != "" && (err == io.EOF || r.ctx.Err() == nil):
		return r.complete()
	case err == io.EOF && len(r.calls.list) > 0 && r.calls.whole():
		return r.complete()
	case err == io.EOF && !r.useful:
		return nil, r.client.CutOff(errors.New("the answer was empty"))
	}
	return nil, r.broken(err)
}

// broken says why reading stopped in the middle.
func (r *reader) broken(err error) error {
	if r.ctx.Err() != nil {
		return r.client.Broken(r.ctx.Err())
	}
	if err == io.EOF {
		return r.client.CutOff(nil)
	}
	return r.client.CutOff(err)
}

// complete releases what is left and closes the answer.
func (r *reader) complete() (*chat.Reply, error) {
	r.release(true)
	reply := &chat.Reply{Waits: r.finish == "tool_calls", Usage: r.usage}
	if r.finish == "length" || r.finish == "content_filter" {
		reply.Short = r.finish
	}
	return reply, nil
}
