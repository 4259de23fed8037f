package mcp

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"yui/internal/fuzzmem"
)

// Lines of a log on stdout are skipped wherever they come: before the first answer, before the list, in a call.
func TestLogsOnStdout(t *testing.T) {
	r := newRig(t, one(evil(t, "logs")))
	r.turn("h", true)
	r.running("h")
	if names := r.names(); len(names) != 2 { // the odd tool costs itself alone
		t.Fatalf("%v", names)
	}
	r.want("mcp_h_echo", `{"a":"x"}`, line+"\nyou said {\"a\":\"x\"}")
	r.want("mcp_h_echo", `{"a":"y"}`, line+"\nyou said {\"a\":\"y\"}")
	if s := r.state("h"); !s.Running || s.Error != "" {
		t.Errorf("%+v", s)
	}
}

// A call that ran is never reported as one that was not accepted, whatever the answer holds.
func TestUnknownContent(t *testing.T) {
	p := newPuppet(t)
	r := newRig(t, one(evil(t, "changes", p.env())))
	r.turn("h", true)
	r.running("h")
	p.say(plainTool("widgets", "x"), plainTool("bare", "x"), plainTool("unread", "x"), plainTool("crumbs", "x"))
	r.answers <- true
	r.until("the tools", func() bool { return len(r.names()) == 4 })
	r.want("mcp_h_widgets", `{}`, "error: h reports a failure\n"+line+`
saved
(a part that cannot be read: widget, 28 bytes)
(a part that cannot be read: image, 59 bytes)
(a part that cannot be read: tool_use, 56 bytes)
(a part that cannot be read: ?, 4 bytes)`)
	r.want("mcp_h_bare", `{}`, line+"\n(a part that cannot be read: ?, 7 bytes)")
	r.want("mcp_h_unread", `{}`, "error: h carried out the call, but its answer cannot be read")
	if got := r.run("mcp_h_crumbs", `{}`).Text; !strings.HasSuffix(got, "\n(44 more parts)") {
		t.Errorf("%s", clipped(got))
	}
}

func TestMendedEvents(t *testing.T) {
	const in = ": ping\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"widget\"}]}}\n\ndata:[DONE]\n\n"
	const want = ": ping\r\ndata: {\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{\"content\":[{\"text\":\"(a part that cannot be read: widget, 17 bytes)\",\"type\":\"text\"}]}}\n\ndata: [DONE]\n\n"
	got, err := io.ReadAll(newMended(io.NopCloser(strings.NewReader(in)), true))
	if err != nil || string(got) != want {
		t.Errorf("%q %v", got, err)
	}
	whole := `{"result":{"content":[]}}`
	if got, err := io.ReadAll(newMended(io.NopCloser(strings.NewReader(whole)), false)); err != nil || string(got) != whole {
		t.Errorf("%q %v", got, err)
	}
}

// What a server's line holds costs neither a panic nor memory without bound, from the pipe to the result and the list.
func FuzzMessage(f *testing.F) {
	for _, line := range logLines {
		f.Add([]byte(line))
	}
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"widget"},{"type":"text","text":"x"}],"isError":true}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"$ref":"#/%24defs/a"}},{"name":5}]}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[` + strings.Repeat("{},", 5000) + `{}]}}`))
	f.Add([]byte(`[INFO] {called}{"jsonrpc":"2.0","id":1,"result":{}}[INFO] done`))
	f.Fuzz(func(t *testing.T, in []byte) {
		fuzzmem.Watch(t)
		in = bytes.TrimSpace(in)
		if len(in) == 0 {
			return
		}
		messages := decodeLine(in)
		if len(messages) == 0 {
			return
		}
		r, ok := messages[0].(*jsonrpc.Response)
		if !ok {
			return
		}
		var call sdk.CallToolResult
		if call.UnmarshalJSON(r.Result) == nil {
			s := server{target: target{name: "h"}, m: &Manager{}}
			if got := s.result(&call); len(got.Text) > textMost || len(got.Images) > imagesMost {
				t.Errorf("%d bytes, %d pictures", len(got.Text), len(got.Images))
			}
		}
		var list sdk.ListToolsResult
		if readable(r.Result, &list) {
			if kept, _ := offers("h", false, list.Tools); len(kept) > mostTools {
				t.Errorf("%d tools", len(kept))
			}
		}
	})
}
