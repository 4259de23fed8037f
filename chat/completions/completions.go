// Package completions reaches a backend by Chat Completions: one POST per request, a stream of
// chat.completion.chunk events back. It serves any server of that shape, and the built-in companion.
package completions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"yui/chat"
	"yui/chat/api"
)

// Config says which server, which model and how.
type Config struct {
	// BaseURL is the root of the API, with or without /v1.
	BaseURL string
	// Model is sent as it is; "" sends none.
	Model string
	// Key is the bearer token; "" sends no Authorization header. It is never logged and never in an error.
	Key string
	// ReasoningEffort is none, minimal, low or medium; "" sends none.
	ReasoningEffort string
	// Memory is what models have taught us. Share one among all transports of the process; nil makes one.
	Memory *Memory
	// Quiet is how long the stream may be silent after a finish_reason before it counts as complete: 2 s.
	Quiet time.Duration
	// HTTP replaces the client, in tests.
	HTTP *http.Client
	Log  *slog.Logger
}

// Transport is a chat.Transport over Chat Completions. It is safe for use by several sessions.
type Transport struct {
	cfg    Config
	client *api.Client
}

// New reads the address. Its error is a *chat.Failure.
func New(cfg Config) (*Transport, error) {
	client, err := api.New(api.Config{BaseURL: cfg.BaseURL, Key: cfg.Key, Model: cfg.Model, HTTP: cfg.HTTP})
	if err != nil {
		return nil, err
	}
	if cfg.Memory == nil {
		cfg.Memory = &Memory{}
	}
	if cfg.Quiet <= 0 {
		cfg.Quiet = 2 * time.Second
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Transport{cfg, client}, nil
}

// Client gives the client, for the model list and yui doctor.
func (t *Transport) Client() *api.Client { return t.client }

// Rest implements chat.Rester.
func (t *Transport) Rest() { t.client.Rest() }

// Memory keeps what models do not take, for the life of the process.
type Memory struct {
	mu     sync.Mutex
	shapes map[string]shape
}

func (m *Memory) shape(model string) shape {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shapes[model]
}

func (m *Memory) learn(model string, s shape) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shapes == nil {
		m.shapes = map[string]shape{}
	}
	m.shapes[model] = s
}

var (
	toolsRefused = regexp.MustCompile(`(?i)(not support|n't support|unsupported|without support|not enabled|not available|requires? --jinja|--enable-auto-tool-choice).{0,80}|tools?\b.{0,40}(not|n't).{0,20}(support|allow|enable)`)
	aboutTools   = regexp.MustCompile(`(?i)\btools?\b|tool[-_ ]?(call|choice|use|parser)|function[-_ ]?call`)
	aboutSystem  = regexp.MustCompile(`(?i)system (message|role|prompt).{0,80}(begin|first|start|only|must|position|not)|(only|must|first).{0,60}system (message|role)|roles? must alternate|alternate.{0,30}roles?|after the optional system|unexpected role.{0,10}system`)
)

// Stream implements chat.Transport.
func (t *Transport) Stream(ctx context.Context, req *chat.Request, sink chat.Sink) (*chat.Reply, error) {
	s := t.cfg.Memory.shape(t.cfg.Model)
	for {
		reply, err := t.once(ctx, req, s, sink)
		var f *chat.Failure
		if !errors.As(err, &f) || f.Status != http.StatusBadRequest && f.Status != http.StatusUnprocessableEntity && f.Status < 500 {
			return reply, err
		}
		switch {
		case !s.noTools && len(req.Tools) > 0 && aboutTools.MatchString(f.Detail) && toolsRefused.MatchString(f.Detail):
			s.noTools = true
			sink.Notice("This model takes no tools, so the pet can talk but not act: choose a model with tool calling to change that.")
		case !s.folded && req.Context != "" && aboutSystem.MatchString(f.Detail):
			s.folded = true
		default:
			return reply, err
		}
		t.cfg.Memory.learn(t.cfg.Model, s)
		t.cfg.Log.Info("the model refuses a form of request", "model", t.cfg.Model, "tools", !s.noTools, "late_system", !s.folded)
	}
}

// once sends the request and reads the answer.
func (t *Transport) once(ctx context.Context, req *chat.Request, s shape, sink chat.Sink) (*chat.Reply, error) {
	raw, err := encode(t.cfg, req, s)
	if err != nil {
		return nil, &chat.Failure{Outcome: chat.ParseError, Reason: chat.Other, Host: t.client.Host(), Detail: err.Error(), Err: err}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	resp, err := t.client.Post(ctx, "/chat/completions", raw)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	sink.Alive()
	r := &reader{client: t.client, sink: sink, quiet: t.cfg.Quiet, cancel: cancel, ctx: ctx}
	defer r.stopTimer()
	return r.read(resp)
}

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
		head, rest, err := peek(r)
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

// peek looks at the first bytes that are no white space.
func peek(r io.Reader) (head []byte, all io.Reader, err error) {
	buf := make([]byte, 0, 512)
	for len(buf) < cap(buf) {
		n, readErr := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		head = bytes.TrimLeft(bytes.TrimPrefix(buf, []byte("\xef\xbb\xbf")), " \t\r\n")
		if readErr != nil {
			return head, io.MultiReader(bytes.NewReader(buf), errReader{readErr}), readErr
		}
		if len(head) > 0 {
			break
		}
	}
	return head, io.MultiReader(bytes.NewReader(buf), r), nil
}

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }

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
		r.progress(f.Data)
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

// progress shows a tool that a Hermes backend runs (seed 1, "Backend capability"; decisions.md 9).
func (r *reader) progress(raw []byte) {
	var p struct {
		Name, Tool, Status, State string
	}
	if json.Unmarshal(raw, &p) != nil {
		return
	}
	name, status := p.Name, strings.ToLower(p.Status)
	if name == "" {
		name = p.Tool
	}
	if status == "" {
		status = strings.ToLower(p.State)
	}
	if name == "" {
		return
	}
	finished := strings.Contains(status, "done") || strings.Contains(status, "complete") || strings.Contains(status, "finish") ||
		strings.Contains(status, "fail") || strings.Contains(status, "error")
	r.sink.Status(name, !finished)
}
