//go:build !windows && !darwin

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"yui/platform/desktoptest"
)

// testBroker: "Responses, broker_base_url set: the broker's backend; the client declares none … played as cues and left
// unanswered" (docs/rules/chat.md#broker), and the vocabulary goes to the broker whenever it changes (docs/rules/chat.md#broker).
func testBroker(t *testing.T, desk *desktoptest.Desktop) {
	told := make(chan []string, 10) // the motions of each publication
	broker := mcp.NewServer(&mcp.Implementation{Name: "broker", Version: "1"}, nil)
	broker.AddTool(&mcp.Tool{Name: "publish_vocabulary", InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var args struct {
				Vocabulary struct {
					Motions []string `json:"motion_ids"`
				} `json:"vocabulary"`
			}
			err := json.Unmarshal(req.Params.Arguments, &args)
			told <- args.Vocabulary.Motions
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}}, err
		})
	tools := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return broker }, nil))
	defer tools.Close()
	asked := make(chan map[string]any, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		raw, _ := io.ReadAll(r.Body)
		if json.Unmarshal(raw, &body) != nil || !strings.HasSuffix(r.URL.Path, "/responses") {
			http.NotFound(w, r)
			return
		}
		asked <- body
		s := stream(w)
		s.raw(`{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"I am really very glad about this, as you can see!"}`)
		s.raw(`{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"f","call_id":"c","name":"mcp_yui_generate_express","arguments":"{\"emotion_id\":\"happy\"}"}}`)
		s.raw(`{"type":"response.completed","response":{"id":"r1","object":"response","status":"completed","output":[]}}`)
	}))
	defer server.Close()
	y := prepare(t, desk)
	y.config(fmt.Sprintf("[chat]\napi = \"responses\"\nbase_url = %q\nbroker_base_url = %q\n", server.URL, tools.URL))
	y.start()
	motions := func() (list []string) {
		t.Helper()
		select {
		case list = <-told:
		case <-time.After(settleWait):
			t.Error("nothing was published")
		}
		return list
	}
	if list := motions(); !slices.Contains(list, "dance") {
		t.Errorf("published %q", list)
	}
	y.must("set", "yui.express_motions", `["dance"]`)
	if list := motions(); slices.Contains(list, "dance") || len(list) == 0 {
		t.Errorf("published %q", list)
	}
	for i := range 2 {
		y.must("say", "hello")
		body := <-asked
		raw, _ := json.Marshal(body["input"])
		if body["tools"] != nil || strings.Contains(string(raw), "function_call") || (body["previous_response_id"] == "r1") != (i == 1) {
			t.Errorf("request %d: tools %v, input %s", i, body["tools"], raw)
		}
	}
	y.wait(settleWait, "a happy face", func(p pet) bool { return p.Emotion == "happy" })
	if r := y.run("doctor"); !strings.Contains(r.out, "warn  broker") {
		t.Errorf("doctor: %s", r.out)
	}
	y.quit()
}
