package completions_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"yui/chat"
	"yui/chat/completions"
	"yui/chat/internal/wiretest"
)

var schema = wiretest.NewSchema(filepath.Join("testdata", "request.schema.json"), "CreateChatCompletionRequest")

// afterRefusal is the schema of a server that refuses stream_options.
var afterRefusal = wiretest.NewSchema(filepath.Join("testdata", "request.schema.json")+"#/$defs/request", "CreateChatCompletionRequest")

func newServer(t testing.TB, scripts ...wiretest.Script) *wiretest.Server {
	t.Helper()
	return wiretest.NewServer(t, schema, scripts...)
}

// newRig is a session over Chat Completions with a server.
func newRig(t testing.TB, s *wiretest.Server, tools []chat.Tool, change ...func(*completions.Config, *chat.Config)) *wiretest.Rig {
	t.Helper()
	wire := completions.Config{BaseURL: s.URL, Model: "m"}
	var cfg chat.Config
	for _, f := range change { // once for the wire's half, and once more below for the session's
		f(&wire, &cfg)
	}
	transport, err := completions.New(wire)
	if err != nil {
		t.Fatal(err)
	}
	return wiretest.NewRig(t, transport, tools, func(c *chat.Config) {
		for _, f := range change {
			f(&wire, c)
		}
	})
}

func text(s string) string {
	raw, _ := json.Marshal(s)
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":` + string(raw) + `},"finish_reason":null}]}`
}

func toolCall(index int, id, name, args string) string {
	raw, _ := json.Marshal(args)
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":%q,"type":"function","function":{"name":%q,"arguments":%s}}]},"finish_reason":null}]}`, index, id, name, raw)
}

func finish(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const done = "[DONE]"

// lookup is a tool that answers a question.
func lookup(result chat.Result) chat.Tool {
	return wiretest.Tool("lookup", func(chat.Call) chat.Result { return result })
}
