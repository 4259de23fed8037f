//go:build !windows && !darwin

package main_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"yui/platform/desktoptest"
)

// pushFrame is what this test reads and writes of the frames.
type pushFrame struct {
	Type     string        `json:"type"`
	Key      string        `json:"key,omitempty"`
	ChatID   string        `json:"chat_id,omitempty"`
	TurnID   string        `json:"turn_id,omitempty"`
	Text     string        `json:"text,omitempty"`
	Source   string        `json:"source,omitempty"`
	Segments []pushSegment `json:"segments,omitempty"`
	TurnIDs  []string      `json:"turn_ids,omitempty"`
	Tools    []toolRow     `json:"tools,omitempty"`
}

type pushSegment struct {
	Cues   []map[string]string `json:"cues"`
	Speech string              `json:"speech"`
}

// pushServer is a push backend that answers a turn with a face and a sentence, or begins a story and waits for stop.
type pushServer struct {
	mu    sync.Mutex
	tools []string // of the last hello
	stops int
}

func (s *pushServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer c.CloseNow()
	send := func(f pushFrame) {
		raw, _ := json.Marshal(f)
		_ = c.Write(context.Background(), websocket.MessageText, raw)
	}
	for {
		_, raw, err := c.Read(r.Context())
		if err != nil {
			return
		}
		var f pushFrame
		if json.Unmarshal(raw, &f) != nil {
			continue
		}
		switch {
		case f.Type == "hello" && f.Key != secret:
			_ = c.Close(4401, "wrong key")
			return
		case f.Type == "hello":
			s.mu.Lock()
			s.tools = nil
			for _, t := range f.Tools {
				s.tools = append(s.tools, t.Function.Name)
			}
			s.mu.Unlock()
			send(pushFrame{Type: "ready", ChatID: f.ChatID})
			_ = c.Write(context.Background(), websocket.MessageText, []byte(`{"type":"delegations","items":[`+
				`{"id":"d1","title":"Order tea","started_at":1772481900000,"state":"done","ended_at":1772481960000,"status":"ok"},`+
				`{"id":"d2","title":"Bake a cake","started_at":1772481900000,"state":"running"}]}`))
		case f.Type == "turn" && f.Text == "story":
			send(pushFrame{Type: "speech", TurnID: f.TurnID, Segments: []pushSegment{{Cues: []map[string]string{}, Speech: "Once upon a time"}}})
		case f.Type == "turn":
			send(pushFrame{Type: "render", TurnID: f.TurnID, Source: "test", Segments: []pushSegment{{Cues: []map[string]string{{"emotion_id": "happy"}}, Speech: "I heard " + f.Text + ", and I am very glad about it indeed."}}})
			send(pushFrame{Type: "turn_end", TurnID: f.TurnID})
		case f.Type == "stop":
			s.mu.Lock()
			s.stops += len(f.TurnIDs)
			s.mu.Unlock()
			for _, id := range f.TurnIDs {
				send(pushFrame{Type: "turn_end", TurnID: id})
			}
		}
	}
}

// TestPush runs the program against a push backend: hello, a turn with its cue and record, stop, and a wrong key.
func TestPush(t *testing.T) {
	t.Parallel() // much of it is waiting
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	backend := &pushServer{}
	server := httptest.NewServer(backend)
	defer server.Close()
	y := prepare(t, desk)
	y.config("language = \"en\"\n[chat]\napi = \"push\"\nbase_url = \"" + server.URL + "\"\n")
	key := func(value string) {
		if err := os.WriteFile(filepath.Join(y.home, ".env"), []byte("YUI_CHAT_KEY="+value+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	key(secret)
	y.start()
	const want = "I heard hello, and I am very glad about it indeed."
	desktoptest.WaitFor(t, settleWait, "ready", func() bool { return y.run("say", "hello").out == want }) // "Turn before ready -> network_drop"
	y.wait(settleWait, "a happy face", func(p pet) bool { return p.Emotion == "happy" })
	backend.mu.Lock()
	tools := backend.tools
	backend.mu.Unlock()
	if slices.Contains(tools, "generate_express") || !slices.Contains(tools, "look") {
		t.Errorf("hello declares %v: \"generate_express is not declared there\"", tools)
	}
	// "push render {type:"turn",…,event_name:"push.render",trigger_kind:"push",…}" (docs/rules/chat.md#turn-records)
	desktoptest.WaitFor(t, settleWait, "the record of the render", func() bool {
		files, _ := filepath.Glob(filepath.Join(y.home, "logs", "turns_*.jsonl"))
		for _, file := range files {
			raw, _ := os.ReadFile(file)
			if strings.Contains(string(raw), `"event_name":"push.render","trigger_kind":"push","source":"test"`) && strings.Contains(string(raw), want) {
				return true
			}
		}
		return false
	})
	desktoptest.WaitFor(t, settleWait, "the done task in the history", func() bool {
		return strings.Contains(y.must("get", "yui.delegation_history"), `"title":"Order tea"`)
	})
	if got := y.must("get", "yui.delegation_history"); strings.Contains(got, "cake") {
		t.Errorf("history of tasks %s", got)
	}
	story := make(chan result, 1)
	go func() { story <- y.run("say", "story") }()
	y.wait(settleWait, "the story", func(p pet) bool { return p.Talk.Bubble == "Once upon a time" })
	if got := y.run("say", "next").out; got != "I heard next, and I am very glad about it indeed." {
		t.Errorf("said %q", got)
	}
	if r := <-story; r.code == 0 || r.out != "Once upon a time" {
		t.Errorf("the story: %+v", r)
	}
	backend.mu.Lock()
	stops := backend.stops
	backend.mu.Unlock()
	if stops != 1 {
		t.Errorf("%d turns were stopped: \"a user turn supersedes\"", stops)
	}
	y.quit()
	key("another")
	y.start()
	desktoptest.WaitFor(t, settleWait, "the refusal", func() bool { return strings.Contains(y.run("say", "hello").err, "did not accept the key") })
}
