package companion

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
	"unicode"

	"yui/internal/readable"
)

// ModelID is the one model that the companion lists.
const ModelID = "yui-companion"

// DefaultDelay between streamed chunks reads as someone speaking at ease.
const DefaultDelay = 22 * time.Millisecond

// maxBody bounds a request: a long transcript and a few pictures.
const maxBody = 32 << 20

// Options of New; the zero value suits tests that need no fixed outcome.
type Options struct {
	// Delay between streamed chunks, varied by a third either way; 0 sends
	// without waiting. The application passes DefaultDelay.
	Delay time.Duration
	// Seed makes the choice of lines, dice and coins reproducible: the same
	// seed and the same request give the same answer. 0 draws one at New.
	Seed uint64
	// Now stands in for the clock where a request has no time: line.
	// nil is time.Now.
	Now func() time.Time
}

type handler struct {
	opts Options
	lib  *library
	err  error
}

// New returns the companion as an http.Handler. It serves POST
// …/chat/completions, GET …/models and GET …/models/yui-companion, with or
// without a /v1 before them. It is safe for concurrent use, keeps no state
// between requests and starts nothing of its own.
func New(o Options) http.Handler {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Seed == 0 {
		var b [8]byte
		_, _ = crand.Read(b[:]) // never fails on the systems that Go supports
		o.Seed = binary.LittleEndian.Uint64(b[:])
	}
	h := &handler{opts: o}
	h.lib, h.err = sharedLibrary()
	return h
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.err != nil {
		writeError(w, &apiError{Status: 500, Message: h.err.Error(), Type: "server_error"})
		return
	}
	path := strings.TrimPrefix(strings.TrimRight(r.URL.Path, "/"), "/v1")
	switch path {
	case "/chat/completions":
		if allow(w, r, http.MethodPost) {
			h.complete(w, r)
		}
	case "/models":
		if allow(w, r, http.MethodGet) {
			writeJSON(w, 200, map[string]any{"object": "list", "data": []any{h.model()}})
		}
	case "/models/" + ModelID:
		if allow(w, r, http.MethodGet) {
			writeJSON(w, 200, h.model())
		}
	default:
		code := "unknown_url"
		if strings.HasPrefix(path, "/models/") {
			code = "model_not_found"
		}
		writeError(w, &apiError{Status: 404, Message: "unknown address: " + r.Method + " " + readable.Line(r.URL.Path, 120), Type: "invalid_request_error", Code: code})
	}
}

func (h *handler) model() map[string]any {
	return map[string]any{"id": ModelID, "object": "model", "created": 1767225600, "owned_by": "yui"}
}

func allow(w http.ResponseWriter, r *http.Request, method string) bool {
	if r.Method == method || method == http.MethodGet && r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", method)
	writeError(w, &apiError{Status: 405, Message: r.Method + " is not allowed here, use " + method, Type: "invalid_request_error", Code: "method_not_allowed"})
	return false
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the peer is gone: nobody to tell
}

func writeError(w http.ResponseWriter, e *apiError) {
	writeJSON(w, e.Status, map[string]any{"error": e})
}

func (h *handler) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		var big *http.MaxBytesError
		if errors.As(err, &big) {
			writeError(w, &apiError{Status: 413, Message: "read request body: larger than 32 MiB", Type: "invalid_request_error", Code: "request_too_large"})
			return
		}
		writeError(w, badRequest("", "", "read request body: %v", err))
		return
	}
	req, bad := parseRequest(body)
	if bad != nil {
		writeError(w, bad)
		return
	}
	t := readTurn(h.lib, req, h.opts.Seed, h.opts.Now())
	a, bad := t.answer()
	if bad != nil {
		writeError(w, bad)
		return
	}
	s := &sender{w: w, req: req, id: "chatcmpl-" + randomID(t.rng, 20), created: h.opts.Now().Unix(), rng: t.rng}
	if req.Stream {
		s.delay = h.opts.Delay
		s.stream(r.Context(), a)
	} else {
		s.whole(a)
	}
}

// randomID returns n letters and digits.
func randomID(rng *rand.Rand, n int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rng.IntN(len(letters))]
	}
	return string(b)
}

// sender writes one reply in either form.
type sender struct {
	w       http.ResponseWriter
	req     *request
	id      string
	created int64
	delay   time.Duration
	rng     *rand.Rand
}

func finish(a reply) string {
	if len(a.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

// toolCalls gives ids of nine letters and digits, the one form that every
// template known to us accepts.
func (s *sender) toolCalls(a reply, indexed bool) []toolCall {
	var out []toolCall
	for i, c := range a.calls {
		tc := toolCall{ID: randomID(s.rng, 9), Type: "function", Function: callBody{Name: c.name, Arguments: arguments(c.arguments())}}
		if indexed {
			tc.Index = &i
		}
		out = append(out, tc)
	}
	return out
}

func (s *sender) whole(a reply) {
	m := map[string]any{"role": "assistant", "content": any(a.text), "refusal": nil}
	if len(a.calls) > 0 {
		m["tool_calls"] = s.toolCalls(a, false)
		if a.text == "" {
			m["content"] = nil
		}
	}
	writeJSON(s.w, 200, map[string]any{
		"id": s.id, "object": "chat.completion", "created": s.created, "model": ModelID,
		"choices": []any{map[string]any{"index": 0, "message": m, "logprobs": nil, "finish_reason": finish(a)}},
		"usage":   s.req.usage(a),
	})
}

// stream sends the reply word by word, then the calls, the finish reason and
// the usage, and ends early when ctx does.
func (s *sender) stream(ctx context.Context, a reply) {
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	s.w.WriteHeader(200)
	ok := s.delta(ctx, map[string]any{"role": "assistant", "content": ""}, nil)
	for _, piece := range pieces(a.text) {
		ok = ok && s.wait(ctx) && s.delta(ctx, map[string]any{"content": piece}, nil)
	}
	for _, c := range s.toolCalls(a, true) {
		args := string(c.Function.Arguments)
		c.Function.Arguments = ""
		ok = ok && s.delta(ctx, map[string]any{"tool_calls": []any{c}}, nil)
		for args != "" && ok {
			n := min(len(args), 24)
			for n < len(args) && args[n]&0xC0 == 0x80 {
				n++ // never cut inside a character
			}
			ok = s.delta(ctx, map[string]any{"tool_calls": []any{map[string]any{
				"index": *c.Index, "function": map[string]any{"arguments": args[:n]}}}}, nil)
			args = args[n:]
		}
	}
	ok = ok && s.delta(ctx, map[string]any{}, finish(a))
	if ok && s.req.StreamOptions != nil && s.req.StreamOptions.IncludeUsage {
		ok = s.event(ctx, map[string]any{"choices": []any{}, "usage": s.req.usage(a)})
	}
	if ok {
		s.write("[DONE]")
	}
}

func (s *sender) delta(ctx context.Context, d map[string]any, reason any) bool {
	return s.event(ctx, map[string]any{"choices": []any{
		map[string]any{"index": 0, "delta": d, "logprobs": nil, "finish_reason": reason}}})
}

func (s *sender) event(ctx context.Context, v map[string]any) bool {
	v["id"], v["object"], v["created"], v["model"] = s.id, "chat.completion.chunk", s.created, ModelID
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return false
	}
	return ctx.Err() == nil && s.write(strings.TrimSpace(b.String()))
}

func (s *sender) write(data string) bool {
	_, err := io.WriteString(s.w, "data: "+data+"\n\n")
	return err == nil && http.NewResponseController(s.w).Flush() == nil
}

func (s *sender) wait(ctx context.Context) bool {
	if s.delay <= 0 {
		return ctx.Err() == nil
	}
	d := time.Duration(float64(s.delay) * (0.67 + 0.66*s.rng.Float64()))
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// pieces cuts text as a model's tokens would: a word with the space before
// it, or two letters of a script without spaces.
func pieces(text string) []string {
	var out []string
	var b strings.Builder
	wide := 0
	cutHere := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
		wide = 0
	}
	for _, r := range text {
		isWide := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		if unicode.IsSpace(r) || isWide && wide == 2 || isWide && wide == 0 {
			cutHere()
		}
		if isWide {
			wide++
		}
		b.WriteRune(r)
	}
	cutHere()
	return out
}
