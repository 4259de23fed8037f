package responses_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"yui/chat/responses"
)

type vocabulary struct {
	EmotionIDs []string          `json:"emotion_ids"`
	MotionIDs  []string          `json:"motion_ids"`
	Mode       string            `json:"emotion_text_mode"`
	Tags       map[string]string `json:"emotion_text_map"`
}

// startBroker is an MCP server with the one tool, at path.
func startBroker(t *testing.T, path string, answer func(args json.RawMessage) error) *httptest.Server {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "broker", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "publish_vocabulary", InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if err := answer(req.Params.Arguments); err != nil {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}}, nil
		})
	mux := http.NewServeMux()
	mux.Handle(path, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// docs/rules/chat.md#broker: "publishing the vocabulary is one MCP tool call named publish_vocabulary with the vocabulary object of
// the push hello, best effort".
func TestPublish(t *testing.T) {
	before := goleak.IgnoreCurrent()
	for _, path := range []string{"/mcp", "/broker/v1"} {
		var calls atomic.Int32
		var got atomic.Value
		s := startBroker(t, path, func(args json.RawMessage) error {
			calls.Add(1)
			got.Store(string(args))
			return nil
		})
		base := s.URL
		if path != "/mcp" {
			base += path + "/"
		}
		b, err := responses.NewBroker(base, "test")
		if err != nil {
			t.Fatal(err)
		}
		v := vocabulary{[]string{"happy"}, []string{"nod"}, "free", map[string]string{}}
		for range 2 {
			if err := b.Publish(context.Background(), v); err != nil {
				t.Fatal(err)
			}
		}
		const want = `{"vocabulary":{"emotion_ids":["happy"],"motion_ids":["nod"],"emotion_text_mode":"free","emotion_text_map":{}}}`
		if got.Load() != want || calls.Load() != 1 {
			t.Errorf("%d calls, the last with %v", calls.Load(), got.Load())
		}
		v.EmotionIDs = append(v.EmotionIDs, "sad")
		if err := b.Publish(context.Background(), v); err != nil || calls.Load() != 2 {
			t.Errorf("a change was not told: %v", err)
		}
		b.Forget()
		if err := b.Publish(context.Background(), v); err != nil || calls.Load() != 3 {
			t.Errorf("not told again: %v", err)
		}
		s.Close()
	}
	goleak.VerifyNone(t, before)
}

// A broker that refuses, is not there, or does not answer costs an error and nothing else.
func TestPublishFails(t *testing.T) {
	refuse := true
	s := startBroker(t, "/mcp", func(json.RawMessage) error {
		if refuse {
			return errors.New("no room for\nmore words")
		}
		return nil
	})
	b, err := responses.NewBroker(s.URL, "test")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Publish(context.Background(), vocabulary{}); err == nil || !strings.Contains(err.Error(), "no room for more words") {
		t.Errorf("refused: %v", err)
	}
	refuse = false
	if err := b.Publish(context.Background(), vocabulary{}); err != nil {
		t.Errorf("what failed must be told again: %v", err)
	}
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the client goes
		<-r.Context().Done()
	}))
	defer silent.Close()
	page := httptest.NewServer(http.NotFoundHandler())
	defer page.Close()
	for _, base := range []string{"http://127.0.0.1:1", silent.URL, page.URL} {
		b, err := responses.NewBroker(base, "test")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		if err := b.Publish(ctx, vocabulary{}); err == nil || !strings.HasPrefix(err.Error(), "publish vocabulary: ") {
			t.Errorf("%s: %v", base, err)
		}
		cancel()
	}
	for _, base := range []string{"", "ftp://x", "http://"} {
		if _, err := responses.NewBroker(base, "test"); err == nil {
			t.Errorf("%q was accepted", base)
		}
	}
}
