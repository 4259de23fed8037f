package responses_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yui/chat"
	"yui/chat/internal/wiretest"
	"yui/chat/responses"
)

// "Responses, broker_base_url unset: The client, in tools[] of every request", "every declared schema rides every
// request" and "Responses flattens it: {"type":"function","name","description","parameters","strict":false}" (docs/rules/tools.md#vocabulary).
func TestDeclaredSchema(t *testing.T) {
	r := newRig(t, []chat.Tool{wiretest.Express(), wiretest.Says("lookup", "1")}, nil,
		stream("r1", callDone(0, "a", "lookup", `{}`)), stream("r2", delta("Hi.")), stream("r3", delta("Hi.")))
	r.Ask(t, "One")
	r.Ask(t, "Two")
	var want any
	if err := json.Unmarshal([]byte(`[{"type":"function","name":"generate_express","description":"Places a cue.","strict":false,
			"parameters":{"type":"object","properties":{"emotion_id":{"type":"string","enum":["happy"]}},"additionalProperties":false}},
		{"type":"function","name":"lookup","description":"Looks something up.","strict":false,
			"parameters":{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false}}]`), &want); err != nil {
		t.Fatal(err)
	}
	reqs := r.server.Requests(t)
	if len(reqs) != 3 {
		t.Fatalf("%d requests", len(reqs))
	}
	for i, req := range reqs {
		if diff := cmp.Diff(want, req["tools"]); diff != "" {
			t.Errorf("request %d:\n%s", i, diff)
		}
	}
}

// "The complete arguments are first known on one of response.output_item.added, response.function_call_arguments.done or
// response.output_item.done. The client executes the call once, on the first of those events that carries them, and the
// cue plays at that point in the stream" (docs/rules/chat.md#release-of-calls).
func TestCallOnTheFirstEventWithItsArguments(t *testing.T) {
	const args = `{"emotion_id":"happy"}`
	item := func(event, args, status string) string {
		return fmt.Sprintf(`{"type":"response.output_item.%s","output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"e","name":"generate_express","arguments":%s,"status":%q}}`,
			event, quoted(args), status)
	}
	argsDone := func(args string) string {
		return `{"type":"response.function_call_arguments.done","item_id":"fc_1","output_index":1,"arguments":` + quoted(args) + `}`
	}
	for name, events := range map[string][3]string{
		"added":          {item("added", args, "in_progress"), argsDone(args), item("done", args, "completed")},
		"arguments.done": {argsDone(args), item("done", args, "completed")},
		"item.done":      {item("done", args, "completed")},
	} {
		list := []string{delta("One. ")}
		if name != "added" {
			list = append(list, item("added", "", "in_progress"), delta("Two. "))
		}
		list = append(list, events[0], delta("Then. "))
		for _, e := range events[1:] {
			if e != "" {
				list = append(list, e, delta("More. "))
			}
		}
		var order []string
		ran := 0
		express := wiretest.Express()
		express.Run = func(context.Context, chat.Call) chat.Result { ran++; return chat.Result{Text: "ok"} }
		r := newRig(t, []chat.Tool{express}, []change{{chat: func(c *chat.Config) {
			c.Observer = func(e chat.Event) {
				switch e := e.(type) {
				case chat.Speech:
					order = append(order, e.Text)
				case chat.CueReleased:
					order = append(order, "<"+e.Cue.EmotionID+">")
				}
			}
		}}}, stream("r1", list...))
		d := r.Ask(t, "Hi")
		i := slices.Index(order, "<happy>")
		if i < 1 || ran != 1 || order[min(i+1, len(order)-1)] != "Then. " || strings.Count(strings.Join(order, ""), "<") != 1 {
			t.Errorf("%s: ran %d times, %q, %+v", name, ran, order, d)
		}
	}
}

// pairing is a server that keeps responses and "checks tool pairing": it "rejects a function_call that has no output", in
// what it keeps as in what it is sent. Each of its answers is one of scripts, in order.
type pairing struct {
	t       *testing.T
	scripts [][]string
	open    map[string]map[string]bool // calls without an output, by response id
	n       int
}

func (p *pairing) serve(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Previous string           `json:"previous_response_id"`
		Input    []map[string]any `json:"input"`
	}
	if err := json.Unmarshal([]byte(wiretest.Body(r)), &req); err != nil {
		p.t.Error(err)
	}
	open := map[string]bool{}
	for id := range p.open[req.Previous] {
		open[id] = true
	}
	for _, it := range req.Input {
		id, _ := it["call_id"].(string)
		switch it["type"] {
		case "function_call":
			open[id] = true
		case "function_call_output":
			if !open[id] {
				wiretest.Status(400, "application/json", `{"error":{"message":"No tool call found for function call output with call_id `+id+`."}}`)(w, r)
				return
			}
			delete(open, id)
		}
	}
	for id := range open {
		wiretest.Status(400, "application/json", `{"error":{"message":"No tool output found for function call `+id+`."}}`)(w, r)
		return
	}
	if p.n >= len(p.scripts) {
		p.t.Errorf("request %d", p.n)
		return
	}
	id := fmt.Sprint("resp_", p.n)
	events := p.scripts[p.n]
	p.n++
	p.open[id] = map[string]bool{}
	for _, e := range events {
		var v struct {
			Item struct {
				Type   string `json:"type"`
				CallID string `json:"call_id"`
			} `json:"item"`
		}
		if err := json.Unmarshal([]byte(e), &v); err != nil {
			p.t.Error(err)
		}
		if v.Item.Type == "function_call" {
			p.open[id][v.Item.CallID] = true
		}
	}
	stream(id, events...)(w, r)
}

// "A Responses turn ends on a response with unanswered calls in two cases: a cue-only call beside speech, and the
// round-trip cap. The next turn chains on that response, and a server that checks tool pairing rejects a function_call
// that has no output" (docs/rules/chat.md#unanswered-calls). Such a server takes every request of a conversation with both.
func TestServerThatChecksPairing(t *testing.T) {
	look := func(id string) []string { return []string{callDone(1, id, "lookup", "{}")} }
	p := &pairing{t: t, open: map[string]map[string]bool{}, scripts: [][]string{
		{delta("Hello."), happy("e0")}, // beside speech
		{happy("e1"), callDone(2, "l1", "lookup", "{}")}, {delta("Well."), happy("e2")},
		look("l2"), look("l3"), look("l4"), {delta("I give up."), callDone(1, "l5", "lookup", "{}"), happy("e3")}, // the cap
		look("l6"), look("l7"), look("l8"), look("l9"), {delta("Enough."), callDone(1, "l10", "lookup", "{}")}, // the cap without a word
		{delta("Yes.")},
	}}
	r := newRig(t, []chat.Tool{wiretest.Express(), wiretest.Says("lookup", "42")}, nil, p.serve)
	for i, want := range []string{"Hello.", "Well.", "I give up.", "Enough.", "Yes."} {
		if d := r.Ask(t, "Go"); d.Outcome != chat.OK || d.Text != want {
			t.Errorf("turn %d: %+v", i, d)
		}
	}
	if p.n != len(p.scripts) {
		t.Errorf("%d requests", p.n)
	}
}

// "The client stores them with the response id and sends them ahead of the next turn's user message whenever it sends that
// id" (docs/rules/chat.md#release-of-calls): in every round of that turn, and again where the turn fails.
func TestOutputsAreSentWheneverTheIDIs(t *testing.T) {
	r := newRig(t, []chat.Tool{wiretest.Express(), wiretest.Says("lookup", "1")}, nil,
		stream("r1", delta("Hello."), happy("e")), wiretest.Status(500, "text/plain", "no"),
		stream("r2", callDone(0, "l", "lookup", "{}")), stream("r3", delta("Yes.")), stream("r4", delta("Bye.")))
	for _, words := range []string{"One", "Two", "Three", "Four"} {
		r.Ask(t, words)
	}
	reqs := r.server.Requests(t)
	owed := `{"type":"function_call_output","call_id":"e","output":"ok"}`
	round := []string{`{"type":"function_call","call_id":"l","name":"lookup","arguments":"{}"}`, `{"type":"function_call_output","call_id":"l","output":"1"}`}
	for i, want := range []struct {
		id    any
		input []string
	}{
		{nil, []string{`{"role":"user","content":"One"}`}},
		{"r1", []string{owed, `{"role":"user","content":"Two"}`}},
		{"r1", []string{owed, `{"role":"user","content":"Three"}`}},
		{"r1", append([]string{owed, `{"role":"user","content":"Three"}`}, round...)},
		{"r3", []string{`{"role":"user","content":"Four"}`}},
	} {
		if diff := cmp.Diff(lines(t, want.input...), input(reqs[i])); diff != "" || reqs[i]["previous_response_id"] != want.id {
			t.Errorf("request %d, id %v:\n%s", i, reqs[i]["previous_response_id"], diff)
		}
	}
}

// "It is not sent the transcript": what a rule has said without the server is told in the next turn's context.
func TestFixedLinesAreTold(t *testing.T) {
	r := newRig(t, nil, []change{{chat: func(c *chat.Config) {
		c.Ahead = func(_ context.Context, _, text string) chat.Prepared {
			if text == "ping" {
				return chat.Prepared{Say: "Pong."}
			}
			return chat.Prepared{}
		}
	}}}, stream("r1", delta("Hello.")), stream("r2", delta("Yes.")), stream("r3", delta("Yes.")))
	for _, words := range []string{"Hi", "ping", "And?", "And?"} {
		r.Ask(t, words)
	}
	reqs := r.server.Requests(t)
	said := func(i int) string { return reqs[i]["input"].([]any)[0].(map[string]any)["content"].(string) }
	if len(reqs) != 3 || reqs[1]["previous_response_id"] != "r1" || reqs[2]["previous_response_id"] != "r2" ||
		!strings.Contains(said(1), "\nmeanwhile: the user said \"ping\", you said \"Pong.\"\n") || strings.Contains(said(2), "Pong") {
		t.Errorf("%d requests, %v", len(reqs), reqs)
	}
}

// "Any tool name ending in generate_express plays its cue … mcp_<server>_generate_express is the case of a
// backend-registered one", also where the broker's backend declares it (docs/rules/chat.md#calls-of-the-backend).
func TestCueOfTheBroker(t *testing.T) {
	r := newRig(t, []chat.Tool{wiretest.Express()}, []change{{wire: func(c *responses.Config) { c.BrokerOwnsTools = true }}},
		stream("r1", delta("Hello."), callDone(1, "e", "mcp_yui_generate_express", `{"emotion_id":"happy"}`)), stream("r2", delta("Yes.")))
	r.Ask(t, "Hi")
	r.Ask(t, "And?")
	reqs := r.server.Requests(t)
	if cues := wiretest.Told[chat.CueReleased](r.Rig); len(cues) != 1 || cues[0].Cue.EmotionID != "happy" {
		t.Errorf("cues %+v", cues)
	}
	if len(reqs) != 2 || strings.Contains(input(reqs[1]), "call_id") || len(wiretest.Told[chat.ToolStatus](r.Rig)) != 0 {
		t.Errorf("%d requests: \"left unanswered\"", len(reqs))
	}
}
