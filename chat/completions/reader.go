package completions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"yui/chat"
	"yui/chat/api"
	"yui/chat/internal/answer"
)

// reader reads one answer.
type reader struct {
	*answer.Answer
	client *api.Client
	sink   chat.Sink
	quiet  time.Duration
	ctx    context.Context
	cancel context.CancelCauseFunc

	calls  calls
	usage  *chat.Usage
	finish string // the last finish_reason
	late   bool   // text or fragments came after a finish_reason: only the end of the stream counts
	done   bool   // [DONE]
	timer  *time.Timer
}

func newReader(ctx context.Context, cancel context.CancelCauseFunc, client *api.Client, sink chat.Sink, quiet time.Duration) *reader {
	r := &reader{Answer: answer.New(client, sink, ctx, cancel), client: client, sink: sink, quiet: quiet, ctx: ctx, cancel: cancel}
	r.Heard = func() {
		if r.timer != nil && !r.late {
			r.timer.Reset(r.quiet)
		}
	}
	return r
}

func (r *reader) stopTimer() {
	if r.timer != nil {
		r.timer.Stop()
	}
}

// read takes the answer off the body, whatever form it has.
func (r *reader) read(resp *http.Response) (*chat.Reply, error) {
	whole, err := r.Open(resp)
	if err != nil {
		return nil, err
	}
	if whole != nil {
		return r.ended(r.Objects(whole, func(one json.RawMessage) (bool, error) { return true, r.data(one) }))
	}
	for !r.done {
		frame, err := r.Next()
		if err == nil {
			err = r.Event(frame, r.line)
		}
		if err != nil {
			return r.ended(err)
		}
	}
	r.stopTimer()
	r.Drain()
	return r.complete(), nil
}

// line takes what an event holds: the mark of the end, or a chunk.
func (r *reader) line(data []byte) error {
	if bytes.Equal(data, []byte("[DONE]")) {
		r.done = true
		return nil
	}
	return r.data(data)
}

// data takes one chunk.
func (r *reader) data(raw []byte) error {
	if p, ok := readPlain(raw); ok {
		r.Useful = true
		r.sink.Alive()
		if p.choice {
			r.text(p.content)
			r.finished(p.finish)
		}
		return nil
	}
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		return errors.Join(answer.ErrNotJSON, err)
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
	r.Useful = r.Useful || c.Choices != nil || c.Usage != nil
	r.Strange = r.Strange || !r.Useful && !answer.SignOfLife(raw)
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
		r.think(string(d.Thought) + string(d.Reasoning))
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

// think passes on what the model thinks, to a sink that wants it.
func (r *reader) think(s string) {
	if thinker, ok := r.sink.(chat.Thinker); ok && s != "" {
		thinker.Thought(s)
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
		r.timer = time.AfterFunc(r.quiet, func() { r.cancel(answer.ErrComplete) })
	}
}

func (r *reader) release(end bool) {
	for _, c := range r.calls.release(end) {
		r.sink.Call(c)
	}
}

// ended judges the end of the stream: with a sign of completion it is well whatever the socket did (docs/rules/servers.md#a21),
// without one the answer is cut, unless a clean end left whole calls.
func (r *reader) ended(err error) (*chat.Reply, error) {
	var failure *chat.Failure
	if errors.As(err, &failure) {
		return nil, err
	}
	cause := context.Cause(r.ctx)
	quiet := errors.Is(cause, answer.ErrComplete) || errors.Is(cause, chat.ErrStalled) && r.finish != "" && r.late
	switch {
	case r.done || quiet || r.finish != "" && (errors.Is(err, io.EOF) || r.ctx.Err() == nil):
		return r.complete(), nil
	case errors.Is(err, io.EOF) && len(r.calls.list) > 0 && r.calls.whole():
		return r.complete(), nil
	}
	return nil, r.Broken(err)
}

// complete releases what is left and closes the answer.
func (r *reader) complete() *chat.Reply {
	r.release(true)
	reply := &chat.Reply{Waits: r.finish == "tool_calls", Usage: r.usage}
	if r.finish == "length" || r.finish == "content_filter" {
		reply.Short = r.finish
	}
	return reply
}
