package responses_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"yui/chat"
	"yui/chat/internal/wiretest"
	"yui/chat/responses"
)

var schema = wiretest.NewSchema(filepath.Join("testdata", "request.schema.json"), "CreateResponse")

// rig is a session over Responses with the server it talks to.
type rig struct {
	*wiretest.Rig
	server *wiretest.Server
}

type change struct {
	wire func(*responses.Config)
	chat func(*chat.Config)
}

func newRig(t testing.TB, tools []chat.Tool, changes []change, scripts ...wiretest.Script) *rig {
	t.Helper()
	s := wiretest.NewServer(t, schema, scripts...)
	cfg := responses.Config{BaseURL: s.URL + "/v1", Model: "m"}
	var more []func(*chat.Config)
	for _, c := range changes {
		if c.wire != nil {
			c.wire(&cfg)
		}
		if c.chat != nil {
			more = append(more, c.chat)
		}
	}
	transport, err := responses.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{wiretest.NewRig(t, transport, tools, more...), s}
}

func quoted(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

// stream numbers events into a good answer: created at the beginning, completed at the end.
func stream(id string, events ...string) wiretest.Script {
	list := append([]string{created(id)}, events...)
	return wiretest.SSE(append(list, completed(id))...)
}

func created(id string) string {
	return `{"type":"response.created","response":{"id":` + quoted(id) + `,"object":"response","status":"in_progress","output":[]}}`
}

func completed(id string) string {
	return `{"type":"response.completed","response":{"id":` + quoted(id) + `,"object":"response","status":"completed","output":[],"usage":{"input_tokens":10,"output_tokens":2,"total_tokens":12}}}`
}

func delta(s string) string {
	return `{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":` + quoted(s) + `}`
}

// callDone is a function_call that comes whole with its last event.
func callDone(index int, callID, name, args string) string {
	return fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":{"type":"function_call","id":"fc_%d","call_id":%s,"name":%s,"arguments":%s,"status":"completed"}}`,
		index, index, quoted(callID), quoted(name), quoted(args))
}

func reasoningDone(index int, id string) string {
	return fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":{"type":"reasoning","id":%q,"summary":[]}}`, index, id)
}

func happy(callID string) string {
	return callDone(7, callID, "generate_express", `{"emotion_id":"happy"}`)
}

// input gives the input items of a request as JSON, one a line, the client context taken out.
func input(req map[string]any) string {
	var lines []string
	for _, it := range req["input"].([]any) {
		m := it.(map[string]any)
		if s, ok := m["content"].(string); ok {
			if _, words, found := strings.Cut(s, "</client_context>\n\n"); found {
				m["content"] = words
			}
		}
		raw, _ := json.Marshal(m)
		lines = append(lines, string(raw))
	}
	return strings.Join(lines, "\n")
}

// lines writes JSON objects as input gives them.
func lines(t testing.TB, objects ...string) string {
	t.Helper()
	var out []string
	for _, o := range objects {
		var m map[string]any
		if err := json.Unmarshal([]byte(o), &m); err != nil {
			t.Fatal(err)
		}
		raw, _ := json.Marshal(m)
		out = append(out, string(raw))
	}
	return strings.Join(out, "\n")
}
