package completions_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yui/chat"
)

func validate(t *testing.T, raw []byte) {}

func asJSON(t *testing.T, s string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Seed 1, "On the wire": the example, byte for byte in its meaning.
func TestRoundTripOnTheWire(t *testing.T) {
	s := newServer(t,
		sse(text("Let me check."), toolCall(0, "call_1", "lookup", `{"q":"answer"}`), finish("tool_calls"), done),
		sse(text("It is 42."), finish("stop"), done))
	r := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "42"})})
	d := r.say(t, "What is the answer?")
	if d.Outcome != chat.OK || d.Text != "Let me check. It is 42." {
		t.Fatalf("got %+v", d)
	}
	reqs := s.requests(t)
	if len(reqs) != 2 {
		t.Fatalf("%d requests", len(reqs))
	}
	first, second := reqs[0]["messages"].([]any), reqs[1]["messages"].([]any)
	if diff := cmp.Diff(first, second[:len(first)]); diff != "" {
		t.Errorf("request 2 must repeat the messages of request 1:\n%s", diff)
	}
	if diff := cmp.Diff(reqs[0]["tools"], reqs[1]["tools"]); diff != "" {
		t.Errorf("request 2 must repeat tools[]:\n%s", diff)
	}
	want := asJSON(t, `[{"role":"assistant","content":"Let me check.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"lookup","arguments":"{\"q\":\"answer\"}"}}]},
		{"role":"tool","tool_call_id":"call_1","content":"42"}]`)
	if diff := cmp.Diff(want, any(second[len(first):])); diff != "" {
		t.Errorf("what is appended:\n%s", diff)
	}
	if got := speech(r); got != d.Text {
		t.Errorf("shown %q", got)
	}
}

var _ = context.Background
var _ = strings.Join
