package completions

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"yui/chat"
	"yui/chat/api"
)

type nothing struct{}

func (nothing) Speech(string)       {}
func (nothing) Call(chat.ToolCall)  {}
func (nothing) Status(string, bool) {}
func (nothing) Notice(string)       {}
func (nothing) Alive()              {}

// The figure of decisions.md: a stream from bytes to events.
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
		r := &reader{client: client, sink: nothing{}, ctx: context.Background(), cancel: func(error) {}}
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
