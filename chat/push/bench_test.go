package push

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"yui/assets/lang"
	"yui/chat"
)

// BenchmarkDecode measures reading frames.
func BenchmarkDecode(b *testing.B) {
	for name, speech := range map[string]string{"sentence": "The kettle is on, and it will take a while.", "page": strings.Repeat("The kettle is on. ", 500)} {
		raw := []byte(fmt.Sprintf(`{"type":"render","turn_id":"1764500000000","source":"agent","segments":[{"cues":[{"emotion_id":"joy","motion_id":"wave"}],"speech":%q}]}`, speech))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decode(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// sinkFunc hears speech.
type sinkFunc func(string)

func (s sinkFunc) Speech(text string)  { s(text) }
func (s sinkFunc) Call(chat.ToolCall)  {}
func (s sinkFunc) Status(string, bool) {}
func (s sinkFunc) Notice(lang.Key)     {}
func (s sinkFunc) Alive()              {}

// BenchmarkTurn measures a turn over a real socket: the turn frame out, one render and the turn_end in.
func BenchmarkTurn(b *testing.B) {
	server := newBenchBackend(b)
	p, err := New(Config{BaseURL: server})
	if err != nil {
		b.Fatal(err)
	}
	p.Open(nil)
	defer p.Close()
	await(b, "ready", func() bool { return p.State().Phase == Ready })
	heard := 0
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		req := &chat.Request{Turn: fmt.Sprint(n), Event: chat.EventUserText, Context: "trigger: user message", Text: "hm"}
		if _, err := p.Stream(context.Background(), req, sinkFunc(func(string) { heard++ })); err != nil {
			b.Fatal(err)
		}
	}
	if heard != n {
		b.Errorf("heard %d of %d", heard, n)
	}
}

func newBenchBackend(b *testing.B) string {
	return serveSockets(b, func(c *websocket.Conn) {
		for {
			_, raw, err := c.Read(context.Background())
			if err != nil {
				return
			}
			var answers []string
			if strings.Contains(string(raw), `"hello"`) {
				answers = []string{`{"type":"ready","chat_id":""}`}
			} else if _, id, found := strings.Cut(string(raw), `"turn_id":"`); found {
				id, _, _ = strings.Cut(id, `"`)
				answers = []string{
					`{"type":"render","turn_id":"` + id + `","source":"x","segments":[{"cues":[],"speech":"Hi."}]}`,
					`{"type":"turn_end","turn_id":"` + id + `"}`,
				}
			}
			for _, a := range answers {
				if c.Write(context.Background(), websocket.MessageText, []byte(a)) != nil {
					return
				}
			}
		}
	})
}
