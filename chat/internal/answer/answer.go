// Package answer is what the transports over HTTP share in reading an answer: which form it has, that every byte of it
// is a sign of life, and why it ended where it did not end well. What the events mean is each transport's own.
package answer

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

// ErrComplete is the cause by which the request of an answer ends that is complete while its stream stays open.
var ErrComplete = errors.New("the answer is complete")

// ErrNotJSON is joined to the error of data that does not decode.
var ErrNotJSON = errors.New("read event: no JSON object of the expected form")

var (
	errEmpty = errors.New("the answer was empty")
	errNoise = errors.New("read answer: nothing in it belongs to this protocol")
)

// Answer is the body of one answer. It is not safe for use by several goroutines.
type Answer struct {
	client *api.Client
	sink   chat.Sink
	ctx    context.Context
	cancel context.CancelCauseFunc
	from   io.Reader
	frames *api.Framer
	// Heard, where it is set, is told of every piece of the body.
	Heard func()
	// Useful is set by the transport once something of its protocol was read.
	Useful bool
	// Strange is set by the transport where it read something that belongs to no protocol that it knows.
	Strange bool
}

// New prepares an answer. cancel ends ctx, which is the context of the request.
func New(client *api.Client, sink chat.Sink, ctx context.Context, cancel context.CancelCauseFunc) *Answer {
	return &Answer{client: client, sink: sink, ctx: ctx, cancel: cancel}
}

// Read passes the body on; every byte is a sign of life.
func (a *Answer) Read(p []byte) (int, error) {
	n, err := a.from.Read(p)
	if n > 0 {
		a.sink.Alive()
		if a.Heard != nil {
			a.Heard()
		}
	}
	return n, err
}

// Open looks which form the body has. whole is set where it is JSON without a stream, for Objects; else Next gives its
// events. The error is a *chat.Failure: nothing came, or a page.
func (a *Answer) Open(resp *http.Response) (whole io.Reader, err error) {
	a.from = resp.Body
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "text/event-stream" {
		a.frames = api.NewFramer(a)
		return nil, nil
	}
	head, rest, err := api.Peek(a)
	switch {
	case err != nil && len(head) == 0:
		return nil, a.Broken(err)
	case kind == "text/html" || bytes.HasPrefix(head, []byte("<")):
		const most = 64 << 10
		page, _ := io.ReadAll(io.LimitReader(rest, most))
		return nil, a.client.NotAnAPI(page)
	case kind == "application/json" || bytes.HasPrefix(head, []byte("{")):
		return rest, nil
	}
	a.frames = api.NewFramer(rest)
	return nil, nil
}

// Next gives the next event of the stream, as api.Framer does.
func (a *Answer) Next() (api.Frame, error) { return a.frames.Next() }

// Objects gives take every JSON object of a body without a stream, until take wants no more (nil) or they end: the
// error is io.EOF then, or what broke the body. A *chat.Failure is final: take's own, or a body that does not decode.
func (a *Answer) Objects(body io.Reader, take func(json.RawMessage) (more bool, err error)) error {
	raw, broken := io.ReadAll(io.LimitReader(body, api.MaxEvent))
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		var one json.RawMessage
		switch err := dec.Decode(&one); {
		case err != nil && broken != nil:
			return broken
		case err == io.EOF:
			return io.EOF
		case err != nil:
			return a.client.Garbled(err)
		}
		more, err := take(one)
		var failure *chat.Failure
		switch {
		case err != nil && !errors.As(err, &failure):
			return a.client.Garbled(err)
		case err != nil || !more:
			return err
		}
	}
}

// Event takes one event: those that are no part of an answer in any protocol here (an error by its name, the telemetry
// of Hermes, docs/rules/chat.md#broker), any other by take, which answers ErrNotJSON where it cannot read it. Then its lines are
// tried one by one: a server that leaves out the blank lines makes one event of many. The error is a *chat.Failure,
// io.EOF where the stream ended inside of the event, or what take gave.
func (a *Answer) Event(f api.Frame, take func(data []byte) error) error {
	switch string(f.Event) {
	case "error":
		return a.client.Provider(f.Data)
	case "hermes.tool.progress":
		if tool, running, ok := api.Progress(f.Data); ok {
			a.sink.Status(tool, running)
		}
		return nil
	}
	data := bytes.TrimSpace(f.Data)
	if len(data) == 0 {
		return nil
	}
	err := take(data)
	if errors.Is(err, ErrNotJSON) && bytes.IndexByte(data, '\n') >= 0 {
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			if err = take(line); err != nil {
				break
			}
		}
	}
	switch {
	case !errors.Is(err, ErrNotJSON):
		return err
	case f.Cut:
		a.Strange = true
		return io.EOF
	}
	return a.client.Garbled(err)
}

// Drain reads what follows a complete answer, which is mostly its end: only a body that was read to its end leaves its
// connection to the next round trip.
func (a *Answer) Drain() {
	const wait, most = 50 * time.Millisecond, 4 << 10
	timer := time.AfterFunc(wait, func() { a.cancel(ErrComplete) })
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, a.from, most)
}

// Broken says why the answer ended before it was complete: the request was cancelled, the connection ended, or it was
// no answer at all. That last one asks for another remedy than asking again.
func (a *Answer) Broken(err error) *chat.Failure {
	switch {
	case a.ctx.Err() != nil:
		return a.client.Broken(a.ctx.Err())
	case !errors.Is(err, io.EOF):
		return a.client.CutOff(err)
	case a.Useful:
		return a.client.CutOff(nil)
	case a.Strange || a.frames != nil && a.frames.Strange():
		return a.client.Garbled(errNoise)
	}
	return a.client.CutOff(errEmpty)
}

// SignOfLife says whether an object that is no part of an answer is one of those by which servers and proxies keep a
// connection open.
func SignOfLife(raw []byte) bool {
	var e struct{ Type any }
	if json.Unmarshal(raw, &e) != nil {
		return false
	}
	switch e.Type {
	case "ping", "keepalive", "heartbeat":
		return true
	}
	return len(bytes.TrimSpace(raw)) == len("{}")
}
