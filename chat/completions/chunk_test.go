package completions

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/chat"
	"yui/chat/api"
	"yui/internal/fuzzmem"
)

type nothing struct{}

func (nothing) Speech(string)       {}
func (nothing) Call(chat.ToolCall)  {}
func (nothing) Status(string, bool) {}
func (nothing) Notice(lang.Key)     {}
func (nothing) Alive()              {}

// "with decoding to events at least 40 MB/s".
func BenchmarkDecode(b *testing.B) {
	one := "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" word\"},\"finish_reason\":null}]}\n\n"
	const events = 1000
	stream := strings.Repeat(one, events) + "data: [DONE]\n\n"
	client, err := api.New(api.Config{BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		r := newReader(context.Background(), func(error) {}, client, nothing{}, time.Hour)
		resp := &http.Response{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(stream))}
		if _, err := r.read(resp); err != nil {
			b.Fatal(err)
		}
	}
}

// The fast reader means what encoding/json means, or leaves the chunk to it.
func FuzzReadPlain(f *testing.F) {
	for _, s := range []string{
		`{"choices":[{"index":0,"delta":{"content":"a\n\u3042\ud83d\ude00\"","role":"assistant","x":[1,-2.5e3,{"y":null}]},"finish_reason":null}],"usage":null}`,
		`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, `{"choices":[]}`, `{"choices":[{"index":0,"delta":{"content":null,"tool_calls":null}}]}`,
		`{"choices":[{"index":1,"delta":{"content":"x"}}]}`, `{"Choices":[]}`, `{"choices":[],"choices":[]}`, `{"error":{}}`, `{"choices":[{"delta":{"content":"\ud83d"}}]}`,
		`{"choices":[{"delta":null}]}`, `{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}`, `{"choices":[{"delta":{"content":"a"}}]}x`,
		"{\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}", `{"choices":[{"index":01,"delta":{}}]}`, `{"choices":[{"index":0.5,"delta":{}}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		fuzzmem.Watch(t)
		p, ok := readPlain(raw)
		if !ok {
			return
		}
		var c chunk
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatalf("accepted %q: %v", raw, err)
		}
		var want plain
		want.choices = c.Choices != nil
		if len(c.Choices) > 1 || c.Usage != nil || len(c.Error) > 0 && string(c.Error) != "null" {
			t.Fatalf("accepted more than plain: %q", raw)
		}
		for _, ch := range c.Choices {
			want.choice = true
			if ch.Index != 0 || ch.Message != nil {
				t.Fatalf("accepted more than plain: %q", raw)
			}
			if ch.Delta != nil {
				want.content = string(ch.Delta.Content)
				if len(ch.Delta.ToolCalls) > 0 {
					t.Fatalf("lost calls of %q", raw)
				}
			}
			if ch.Finish != nil {
				want.finish = *ch.Finish
			}
		}
		if p != want {
			t.Fatalf("%q: got %+v, want %+v", raw, p, want)
		}
	})
}

// Common chunks take the fast way; if this fails, the figure of the decoder is lost.
func TestReadPlainTakesCommonChunks(t *testing.T) {
	for _, s := range []string{
		`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","system_fingerprint":"fp","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"usage":null}`,
		`{"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":" \u3042\n"},"finish_reason":null}]}`,
	} {
		if _, ok := readPlain([]byte(s)); !ok {
			t.Errorf("not taken: %s", s)
		}
	}
}

// tally is a Sink that writes down what it is told.
type tally struct{ said []string }

func (t *tally) Speech(s string)           { t.said = append(t.said, "say "+s) }
func (t *tally) Call(c chat.ToolCall)      { t.said = append(t.said, "call "+c.Name+c.Arguments) }
func (t *tally) Status(s string, run bool) { t.said = append(t.said, "status "+s) }
func (t *tally) Notice(lang.Key)           {}
func (t *tally) Alive()                    {}

// Whatever a server sends, in whatever pieces, the reader comes to the same end and does not panic.
func FuzzReader(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "streams", "*.sse"))
	if err != nil || len(files) == 0 {
		f.Fatal("no recorded streams", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, 7, true)
		f.Add(raw, 1, false)
	}
	client, err := api.New(api.Config{BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		f.Fatal(err)
	}
	run := func(raw []byte, size int, stream bool) ([]string, string) {
		var t tally
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		r := newReader(ctx, cancel, client, &t, time.Hour)
		defer r.stopTimer()
		kind := "text/plain"
		if stream {
			kind = "text/event-stream"
		}
		body := io.NopCloser(&inPieces{raw, size})
		reply, err := r.read(&http.Response{Header: http.Header{"Content-Type": {kind}}, Body: body})
		if (reply == nil) == (err == nil) {
			panic("neither a reply nor an error")
		}
		var failure *chat.Failure
		if errors.As(err, &failure) {
			return t.said, string(failure.Reason)
		}
		return t.said, ""
	}
	f.Fuzz(func(t *testing.T, raw []byte, size int, stream bool) {
		fuzzmem.Watch(t)
		whole, end := run(raw, len(raw)+1, stream)
		pieces, endPieces := run(raw, max(1, size%64), stream)
		if end != endPieces || !slices.Equal(whole, pieces) {
			t.Fatalf("whole %q (%s), in pieces %q (%s)", whole, end, pieces, endPieces)
		}
	})
}

type inPieces struct {
	rest []byte
	size int
}

func (p *inPieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}
