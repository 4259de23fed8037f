package responses

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yui/assets/lang"
	"yui/chat"
	"yui/chat/api"
	"yui/internal/fuzzmem"
)

// tape is a Sink that writes down what it is told.
type tape struct {
	text   strings.Builder
	calls  []chat.ToolCall
	states map[string]int
}

func (t *tape) Speech(s string)      { t.text.WriteString(s) }
func (t *tape) Call(c chat.ToolCall) { t.calls = append(t.calls, c) }
func (t *tape) Notice(lang.Key)      {}
func (t *tape) Alive()               {}
func (t *tape) Status(tool string, running bool) {
	if t.states == nil {
		t.states = map[string]int{}
	}
	if running {
		t.states[tool]++
	}
}

func decode(t testing.TB, body io.Reader, sink chat.Sink) (*chat.Reply, error) {
	t.Helper()
	client, err := api.New(api.Config{BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(context.Background(), func(error) {}, client, sink, map[string]bool{"look": true, "wave": true})
	return r.read(&http.Response{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(body)})
}

// one gives a byte at a time.
type one struct{ r io.Reader }

func (o one) Read(p []byte) (int, error) {
	if len(p) > 1 {
		p = p[:1]
	}
	return o.r.Read(p)
}

// Foreign bytes never panic, every call has a name and an id of its own, and the pieces in which they arrive do not
// matter.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join("testdata", "streams", "*.sse"))
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		fuzzmem.Watch(t)
		var whole, bytes tape
		reply, err := decode(t, strings.NewReader(string(raw)), &whole)
		_, again := decode(t, one{strings.NewReader(string(raw))}, &bytes)
		if (err == nil) != (again == nil) || whole.text.String() != bytes.text.String() || len(whole.calls) != len(bytes.calls) {
			t.Fatalf("whole: %q, %d calls, %v; byte by byte: %q, %d calls, %v", whole.text.String(), len(whole.calls), err, bytes.text.String(), len(bytes.calls), again)
		}
		var failure *chat.Failure
		if err != nil && !errors.As(err, &failure) {
			t.Fatalf("no failure: %v", err)
		}
		ids := map[string]bool{}
		for _, c := range whole.calls {
			if c.Name == "" || c.ID == "" || ids[c.ID] {
				t.Fatalf("calls %+v", whole.calls)
			}
			ids[c.ID] = true
		}
		if err == nil && reply.Owe != nil && !strings.HasPrefix(string(reply.Owe(nil)), `{"id":`) {
			t.Fatalf("chain %s", reply.Owe(nil))
		}
	})
}

// "with decoding to events at least 40 MB/s".
func BenchmarkDecode(b *testing.B) {
	event := "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"sequence_number\":17,\"item_id\":\"msg_68a1f2c3d4e5f60718293a4b5c6d7e8f\",\"output_index\":0,\"content_index\":0,\"delta\":\" word\",\"logprobs\":[],\"obfuscation\":\"aBcDeFgHiJ\"}\n\n"
	const events = 1000
	stream := strings.Repeat(event, events) + "data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\"}}\n\n"
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(b, strings.NewReader(stream), &tape{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The fast reader means what encoding/json means, or leaves the event to it.
func FuzzReadTextDelta(f *testing.F) {
	for _, s := range []string{
		`{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"a\n\u3042\ud83d\ude00","logprobs":[]}`,
		`{"type":"response.output_text.delta","delta":"x"}`, `{"type":"response.output_text.delta","delta":null}`, `{"type":"response.output_text.delta","delta":"x","delta":"y"}`,
		`{"type":"response.output_text.delta","delta":"x","output_index":01}`, `{"type":"response.output_text.delta","delta":"x","output_index":12}`,
		`{"type":"response.output_text.delta","delta":"x","output_index":1e1}`, `{"type":"response.output_text.delta","delta":"x","item_id":"\u0061"}`, `{"TYPE":"response.output_text.delta","delta":"x"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		fuzzmem.Watch(t)
		d, ok := readTextDelta(raw)
		if !ok {
			return
		}
		var e event
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatalf("accepted %q: %v", raw, err)
		}
		if e.Type != "response.output_text.delta" || string(e.Delta) != d.delta || e.index() != d.index || e.ItemID != string(d.itemID) {
			t.Fatalf("%q: %+v, want %+v", raw, d, e)
		}
	})
}
