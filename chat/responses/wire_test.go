package responses_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yui/chat"
	"yui/chat/internal/wiretest"
	"yui/chat/responses"
)

// docs/rules/chat.md#on-the-wire: "a new request whose input is the original input items, then an assistant message item
// carrying the response's spoken text …, then the tool-calling response's reasoning items and each executed call as a
// function_call item in the order the response produced them, then one function_call_output item per call."
func TestRoundTripOnTheWire(t *testing.T) {
	r := newRig(t, []chat.Tool{wiretest.Says("lookup", "42")}, nil,
		stream("resp_1", delta("Let me check."), reasoningDone(1, "rs_1"), callDone(2, "call_1", "lookup", `{"q":"answer"}`)),
		stream("resp_2", delta("It is 42.")),
		stream("resp_3", delta("Bye.")))
	if d := r.Ask(t, "What is the answer?"); d.Outcome != chat.OK || d.Text != "Let me check. It is 42." {
		t.Fatalf("got %+v", d)
	}
	r.Ask(t, "Thanks.")
	reqs := r.server.Requests(t)
	if len(reqs) != 3 {
		t.Fatalf("%d requests", len(reqs))
	}
	want := lines(t, `{"role":"user","content":"What is the answer?"}`,
		`{"role":"assistant","content":"Let me check."}`,
		`{"type":"reasoning","id":"rs_1","summary":[]}`,
		`{"type":"function_call","call_id":"call_1","name":"lookup","arguments":"{\"q\":\"answer\"}"}`,
		`{"type":"function_call_output","call_id":"call_1","output":"42"}`)
	if diff := cmp.Diff(want, input(reqs[1])); diff != "" {
		t.Errorf("second request:\n%s", diff)
	}
	if diff := cmp.Diff(reqs[0]["tools"], reqs[1]["tools"]); diff != "" {
		t.Errorf("the same tools[]:\n%s", diff)
	}
	// "The completed event carries the id of the last response of the turn."
	if reqs[0]["previous_response_id"] != nil || reqs[1]["previous_response_id"] != nil || reqs[2]["previous_response_id"] != "resp_2" {
		t.Errorf("ids %v, %v, %v", reqs[0]["previous_response_id"], reqs[1]["previous_response_id"], reqs[2]["previous_response_id"])
	}
	if got := input(reqs[2]); got != lines(t, `{"role":"user","content":"Thanks."}`) {
		t.Errorf("a turn that was answered owes nothing: %s", got)
	}
}

// "The request keeps the turn's original previous_response_id, so the round trip works on a server that has dropped
// the tool-calling response", and every round repeats those before it.
func TestRoundTripKeepsTheOriginalID(t *testing.T) {
	call := func(id, text string) wiretest.Script {
		return stream("resp_"+id, delta(text), callDone(1, "call_"+id, "lookup", "{}"))
	}
	r := newRig(t, []chat.Tool{wiretest.Says("lookup", "1")}, nil,
		stream("first", delta("Hello.")), call("a", "One."), call("b", "Two."), stream("end", delta("Three.")))
	r.Ask(t, "Hi")
	if d := r.Ask(t, "Go"); d.Text != "One. Two. Three." {
		t.Errorf("got %+v", d)
	}
	reqs := r.server.Requests(t)
	for _, req := range reqs[1:] {
		if req["previous_response_id"] != "first" {
			t.Errorf("id %v", req["previous_response_id"])
		}
	}
	want := lines(t, `{"role":"user","content":"Go"}`,
		`{"role":"assistant","content":"One."}`, `{"type":"function_call","call_id":"call_a","name":"lookup","arguments":"{}"}`,
		`{"type":"function_call_output","call_id":"call_a","output":"1"}`,
		`{"role":"assistant","content":"Two."}`, `{"type":"function_call","call_id":"call_b","name":"lookup","arguments":"{}"}`,
		`{"type":"function_call_output","call_id":"call_b","output":"1"}`)
	if diff := cmp.Diff(want, input(reqs[3])); diff != "" {
		t.Errorf("third request of the turn:\n%s", diff)
	}
}

// "Responses carries an array in function_call_output.output: an input_text part followed by input_image parts with
// image_url and detail: "auto"; string results keep string output." And "omitted when the response said nothing".
func TestImagesInOutputs(t *testing.T) {
	const picture = "data:image/png;base64,iVBORw0KGgo="
	r := newRig(t, []chat.Tool{wiretest.Says("look", "screenshot of display 0", picture, picture), wiretest.Says("lookup", "plain")}, nil,
		stream("a", callDone(0, "c1", "look", `{}`), callDone(1, "c2", "lookup", `{}`)), stream("b", delta("Seen.")))
	r.Ask(t, "Look.")
	want := lines(t, `{"role":"user","content":"Look."}`,
		`{"type":"function_call","call_id":"c1","name":"look","arguments":"{}"}`,
		`{"type":"function_call","call_id":"c2","name":"lookup","arguments":"{}"}`,
		`{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"screenshot of display 0"},
			{"type":"input_image","image_url":"`+picture+`","detail":"auto"},{"type":"input_image","image_url":"`+picture+`","detail":"auto"}]}`,
		`{"type":"function_call_output","call_id":"c2","output":"plain"}`)
	if diff := cmp.Diff(want, input(r.server.Requests(t)[1])); diff != "" {
		t.Errorf("second request:\n%s", diff)
	}
}

// docs/rules/chat.md#answer-or-not: "On Responses, which has no finish_reason, it is a response with no text."
// And "The next turn chains on that response …: a function_call_output item per unanswered call".
func TestWhenResultsGoBack(t *testing.T) {
	owedOK := `{"type":"function_call_output","call_id":"e","output":"ok"}`
	cases := []struct {
		name     string
		answer   []string
		requests int
		text     string
		owed     []string // in the next turn
	}{
		{"a cue beside speech is a complete turn, and its output is owed", []string{delta("Hello."), happy("e")}, 1, "Hello.", []string{owedOK}},
		{"the same with the cue first", []string{happy("e"), delta("Hello.")}, 1, "Hello.", []string{owedOK}},
		{"a cue alone is answered", []string{happy("e")}, 2, "Back.", nil},
		{"a tool that answers a question", []string{callDone(0, "l", "lookup", `{}`)}, 2, "Back.", nil},
		{"a tool beside a cue and speech", []string{delta("Hm."), happy("e"), callDone(2, "l", "lookup", `{}`)}, 2, "Hm. Back.", nil},
		{"a tool of the backend is not answered", []string{delta("Hm."), callDone(1, "x", "server_side", `{}`)}, 1, "Hm.", nil},
		{"a cue registered elsewhere plays and is neither answered nor owed", []string{callDone(1, "x", "mcp_y_generate_express", `{"emotion_id":"happy"}`)}, 1, "", nil},
		{"an MCP call of the same name is the backend's", []string{`{"type":"response.output_item.done","output_index":0,"item":{"type":"mcp_call","id":"m","server_label":"y","name":"generate_express","arguments":"{\"emotion_id\":\"happy\"}"}}`, delta("Hm.")}, 1, "Hm.", nil},
		{"the silence token beside a cue is an answer", []string{delta("[SILENT]"), happy("e")}, 1, "", []string{owedOK}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			scripts := []wiretest.Script{stream("r1", c.answer...)}
			if c.requests == 2 {
				scripts = append(scripts, stream("r2", delta("Back.")))
			}
			r := newRig(t, []chat.Tool{wiretest.Express(), wiretest.Says("lookup", "42")}, nil, append(scripts, stream("next", delta("Yes.")))...)
			d := r.Ask(t, "Hi")
			if d.Outcome != chat.OK || d.Text != c.text || d.Silent != (c.text == "") {
				t.Errorf("got %+v", d)
			}
			if n := len(r.server.Requests(t)); n != c.requests {
				t.Fatalf("%d requests, want %d", n, c.requests)
			}
			r.Ask(t, "And?")
			next := r.server.Requests(t)[c.requests]
			if next["previous_response_id"] != map[int]string{1: "r1", 2: "r2"}[c.requests] {
				t.Errorf("chained on %v", next["previous_response_id"])
			}
			want := lines(t, append(c.owed, `{"role":"user","content":"And?"}`)...)
			if diff := cmp.Diff(want, input(next)); diff != "" {
				t.Errorf("\"sends them ahead of the next turn's user message\":\n%s", diff)
			}
			cue := strings.Contains(strings.Join(c.answer, ""), "happy")
			if cues := wiretest.Told[chat.CueReleased](r.Rig); (len(cues) == 1 && cues[0].Cue.EmotionID == "happy") != cue {
				t.Errorf("cues %+v", cues)
			}
		})
	}
}

// "up to three round trips per turn … Past three the client closes the turn with the text it has", and the calls of
// the last response are owed.
func TestRoundTripCap(t *testing.T) {
	call := func(id string, words ...string) wiretest.Script {
		return stream("r"+id, append(words, callDone(9, "c"+id, "lookup", "{}"))...)
	}
	tools := []chat.Tool{wiretest.Says("lookup", "1")}
	t.Run("with text", func(t *testing.T) {
		r := newRig(t, tools, nil, call("1", delta("One.")), call("2"), call("3"), call("4", delta("Four.")), stream("next", delta("Yes.")))
		if d := r.Ask(t, "Go"); d.Text != "One. Four." || d.Outcome != chat.OK {
			t.Errorf("got %+v", d)
		}
		r.Ask(t, "And?")
		reqs := r.server.Requests(t)
		if len(reqs) != 5 || reqs[4]["previous_response_id"] != "r4" {
			t.Fatalf("%d requests", len(reqs))
		}
		want := lines(t, `{"type":"function_call_output","call_id":"c4","output":"1"}`, `{"role":"user","content":"And?"}`)
		if diff := cmp.Diff(want, input(reqs[4])); diff != "" {
			t.Errorf("next turn:\n%s", diff)
		}
	})
	t.Run("without text (docs/rules/chat.md#round-trips)", func(t *testing.T) {
		r := newRig(t, tools, nil, call("1"), call("2"), call("3"), call("4"), call("5", delta("Enough.")), stream("next", delta("Yes.")))
		if d := r.Ask(t, "Go"); d.Text != "Enough." || d.Outcome != chat.OK {
			t.Errorf("got %+v", d)
		}
		r.Ask(t, "And?")
		reqs := r.server.Requests(t)
		if len(reqs) != 6 || reqs[4]["tool_choice"] != "none" || reqs[3]["tool_choice"] != nil {
			t.Fatalf("%d requests", len(reqs))
		}
		if diff := cmp.Diff(reqs[3]["input"], reqs[4]["input"]); diff != "" {
			t.Errorf("repeated as it was:\n%s", diff)
		}
		if got := input(reqs[5]); !strings.Contains(got, `"call_id":"c5"`) || !strings.Contains(got, "error: not run") {
			t.Errorf("a call that came all the same must be paired: %s", got)
		}
	})
}

// docs/rules/chat.md#requests: instructions, reasoning effort, one user item with the block before the words, pictures behind
// the text; the transcript is not sent; and docs/rules/tools.md#vocabulary: flattened, strict false.
func TestRequestShape(t *testing.T) {
	r := newRig(t, []chat.Tool{wiretest.Says("lookup", "1")}, []change{{
		wire: func(c *responses.Config) { c.ReasoningEffort, c.Key = "low", "sk-secret" },
		chat: func(c *chat.Config) {
			c.Instructions = "You are Yui."
			c.Now = func() time.Time { return time.Date(2026, 3, 2, 21, 5, 0, 0, time.FixedZone("", 3600)) }
		},
	}}, stream("r1", delta("Hi.")))
	r.Ask(t, "One")
	r.Ask(t, "Two", "data:image/jpeg;base64,AA==")
	reqs := r.server.Requests(t)
	want := map[string]any{}
	if err := json.Unmarshal([]byte(`{"model":"m","instructions":"You are Yui.","reasoning":{"effort":"low"},"stream":true,"previous_response_id":"r1",
		"tools":[{"type":"function","name":"lookup","description":"Looks something up.","strict":false,
			"parameters":{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false}}],
		"input":[{"role":"user","content":[
			{"type":"input_text","text":"<client_context>\nContext from the desktop, not typed by the user.\ntime: 2026-03-02T21:05:00+01:00\ntrigger: user message\n</client_context>\n\nTwo"},
			{"type":"input_image","image_url":"data:image/jpeg;base64,AA==","detail":"auto"}]}]}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, reqs[1]); diff != "" {
		t.Errorf("request:\n%s", diff)
	}
	if got := r.server.Header(0).Get("Authorization"); got != "Bearer sk-secret" {
		t.Errorf("authorization %q", got)
	}
	if p := r.server.Paths()[0]; p != "/v1/responses" {
		t.Errorf("path %s", p)
	}
	bare := newRig(t, nil, nil, stream("r1", delta("Hi.")))
	bare.Ask(t, "One")
	if req := bare.server.Requests(t)[0]; req["tools"] != nil || req["reasoning"] != nil || req["instructions"] != nil {
		t.Errorf("\"A request with an empty registry carries no tools key\": %v", req)
	}
	if _, ok := bare.server.Header(0)["Authorization"]; ok {
		t.Error("no key, no Authorization header")
	}
}

// "The client executes the call once, on the first of those events that carries them, and the cue plays at that point
// in the stream."
func TestCueAtItsPlace(t *testing.T) {
	var order []string
	r := newRig(t, []chat.Tool{wiretest.Express()}, []change{{chat: func(c *chat.Config) {
		c.Observer = func(e chat.Event) {
			switch e := e.(type) {
			case chat.Speech:
				order = append(order, e.Text)
			case chat.CueReleased:
				order = append(order, "<"+e.Cue.EmotionID+">")
			}
		}
	}}}, stream("r1",
		delta("One. "),
		`{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"e","name":"generate_express","arguments":"","status":"in_progress"}}`,
		`{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":1,"delta":"{\"emotion_id\":"}`,
		`{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":1,"delta":"\"happy\"}"}`,
		`{"type":"response.function_call_arguments.done","item_id":"fc_1","output_index":1,"arguments":"{\"emotion_id\":\"happy\"}"}`,
		delta("Two. "),
		callDone(1, "e", "generate_express", `{"emotion_id":"happy"}`),
		delta("Three.")))
	r.Ask(t, "Hi")
	if diff := cmp.Diff([]string{"One. ", "<happy>", "Two. ", "Three."}, order); diff != "" {
		t.Error(diff)
	}
}

// "On both transports the cue plays before any round trip is sent."
func TestCueBeforeTheRoundTrip(t *testing.T) {
	var r *rig
	cues := -1
	r = newRig(t, []chat.Tool{wiretest.Express()}, nil, stream("r1", happy("e")), func(w http.ResponseWriter, req *http.Request) {
		cues = len(wiretest.Told[chat.CueReleased](r.Rig))
		stream("r2", delta("Hi."))(w, req)
	})
	if d := r.Ask(t, "Hi"); d.Text != "Hi." || cues != 1 {
		t.Errorf("%d cues before the round trip; %+v", cues, d)
	}
}

// "A tool whose execution throws returns error: <message>"; "A call whose arguments are unparseable JSON is not run
// and returns error: arguments JSON parse failed: <message> … and plays no cue." What goes back parses again.
func TestFailuresAreResults(t *testing.T) {
	broken := wiretest.Tool("lookup", func(chat.Call) chat.Result { panic("out of order") })
	r := newRig(t, []chat.Tool{broken, wiretest.Express()}, nil,
		stream("r1", callDone(0, "a", "lookup", `{"q":"/ho`), callDone(1, "b", "lookup", `{}`), callDone(2, "c", "generate_express", `{"emotion_id":"hap`)),
		stream("r2", delta("Sorry.")))
	if d := r.Ask(t, "Go"); d.Text != "Sorry." {
		t.Errorf("got %+v", d)
	}
	results, arguments := map[string]string{}, map[string]string{}
	for _, it := range r.server.Requests(t)[1]["input"].([]any) {
		m := it.(map[string]any)
		id, _ := m["call_id"].(string)
		switch m["type"] {
		case "function_call_output":
			results[id] = m["output"].(string)
		case "function_call":
			arguments[id] = m["arguments"].(string)
		}
	}
	const parse = "error: arguments JSON parse failed: "
	if !strings.HasPrefix(results["a"], parse) || !strings.HasPrefix(results["c"], parse) || results["b"] != "error: out of order" {
		t.Errorf("results %v", results)
	}
	if arguments["a"] != "{}" || arguments["c"] != "{}" {
		t.Errorf("broken arguments were repeated: %v", arguments)
	}
	if cues := wiretest.Told[chat.CueReleased](r.Rig); len(cues) != 0 {
		t.Errorf("cues %+v", cues)
	}
}

// "The client shows it as tool status and sends no result. Responses shows running when the call item is added and done
// when it completes."
func TestToolsOfTheBackend(t *testing.T) {
	r := newRig(t, []chat.Tool{wiretest.Says("lookup", "1")}, nil, stream("r1",
		`{"type":"response.output_item.added","output_index":0,"item":{"type":"web_search_call","id":"ws_1","status":"in_progress"}}`,
		`{"type":"response.web_search_call.searching","output_index":0,"item_id":"ws_1"}`,
		`{"type":"response.output_item.done","output_index":0,"item":{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search"}}}`,
		`{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"c","name":"server_side","arguments":"{\"a\":1}"}}`,
		`{"type":"response.function_call_arguments.done","output_index":1,"item_id":"fc_1","arguments":"{\"a\":1}"}`,
		callDone(1, "c", "server_side", `{"a":1}`),
		`{"type":"response.output_item.added","output_index":2,"item":{"type":"mcp_call","id":"mcp_1","server_label":"s","name":"files","arguments":""}}`,
		delta("Done.")))
	if d := r.Ask(t, "Go"); d.Text != "Done." {
		t.Errorf("got %+v", d)
	}
	var got []string
	for _, s := range wiretest.Told[chat.ToolStatus](r.Rig) {
		got = append(got, s.Tool+map[bool]string{true: " running", false: " done"}[s.Running])
	}
	want := []string{"web_search running", "web_search done", "server_side running", "server_side done", "files running", "files done"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := len(r.server.Requests(t)); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// "Responses, broker_base_url set: … The client declares none. function_call output items, played as cues and left
// unanswered".
func TestBrokerOwnsTools(t *testing.T) {
	ran := false
	tool := wiretest.Tool("lookup", func(chat.Call) chat.Result { ran = true; return chat.Result{Text: "1"} })
	r := newRig(t, []chat.Tool{wiretest.Express(), tool}, []change{{wire: func(c *responses.Config) { c.BrokerOwnsTools = true }}},
		stream("r1", happy("e"), callDone(1, "l", "lookup", "{}")), stream("r2", delta("Yes.")))
	if d := r.Ask(t, "Hi"); d.Outcome != chat.OK || !d.Silent {
		t.Errorf("got %+v", d)
	}
	r.Ask(t, "And?")
	reqs := r.server.Requests(t)
	if len(reqs) != 2 || reqs[0]["tools"] != nil || reqs[1]["previous_response_id"] != "r1" || strings.Contains(input(reqs[1]), "call_id") || ran {
		t.Errorf("%d requests, %v, ran %v", len(reqs), reqs, ran)
	}
	if cues := wiretest.Told[chat.CueReleased](r.Rig); len(cues) != 1 || cues[0].Cue.EmotionID != "happy" {
		t.Errorf("cues %+v", cues)
	}
}

// docs/rules/chat.md#retries: a model that takes no tools gets exactly one retry, remembered per model.
func TestToolsRefused(t *testing.T) {
	r := newRig(t, []chat.Tool{wiretest.Express()}, nil, func(w http.ResponseWriter, req *http.Request) {
		if strings.Contains(wiretest.Body(req), `"tools"`) {
			wiretest.Status(400, "application/json", `{"error":{"message":"gemma does not support tools"}}`)(w, req)
			return
		}
		stream("r", delta("Hello."))(w, req)
	})
	for range 2 {
		if d := r.Ask(t, "Hi"); d.Text != "Hello." {
			t.Errorf("got %+v", d)
		}
	}
	if n, told := len(r.server.Requests(t)), len(wiretest.Told[chat.Notice](r.Rig)); n != 3 || told != 1 {
		t.Errorf("%d requests, %d notices", n, told)
	}
}

// "Speech from consecutive responses of a turn is joined with one space, unless …": and so are the messages of one.
func TestJoining(t *testing.T) {
	part := func(index int, id, text string) string {
		return `{"type":"response.output_text.delta","item_id":"` + id + `","output_index":` + string(rune('0'+index)) + `,"delta":` + quoted(text) + `}`
	}
	next := `{"type":"response.output_item.added","output_index":1,"item":{"type":"message","id":"msg_2","role":"assistant","content":[]}}`
	for _, c := range []struct{ first, second, want string }{
		{"Let me check.", "It is 42.", "Let me check. It is 42."}, {"待って。", "はい", "待って。はい"}, {"Wait ", "here", "Wait here"}, {"Wait", "\nhere", "Wait\nhere"},
	} {
		r := newRig(t, nil, nil, stream("r1", part(0, "msg_1", c.first), next, part(1, "msg_2", c.second)))
		if d := r.Ask(t, "Go"); d.Text != c.want {
			t.Errorf("messages %q + %q = %q", c.first, c.second, d.Text)
		}
		r = newRig(t, []chat.Tool{wiretest.Says("lookup", "1")}, nil,
			stream("r1", delta(c.first), callDone(1, "l", "lookup", "{}")), stream("r2", delta(c.second)))
		if d := r.Ask(t, "Go"); d.Text != c.want {
			t.Errorf("responses %q + %q = %q", c.first, c.second, d.Text)
		}
	}
	r := newRig(t, nil, nil, stream("r1", delta("One "), delta("wo"), delta("rd.")))
	if d := r.Ask(t, "Go"); d.Text != "One word." {
		t.Errorf("pieces of one message: %q", d.Text)
	}
}

// docs/rules/chat.md#responses-events: reasoning text, "\n\n" between summary parts; never spoken.
func TestThoughts(t *testing.T) {
	r := newRig(t, nil, nil, stream("r1",
		`{"type":"response.reasoning_summary_part.added","item_id":"rs","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}`,
		`{"type":"response.reasoning_summary_text.delta","item_id":"rs","output_index":0,"summary_index":0,"delta":"First."}`,
		`{"type":"response.reasoning_summary_part.added","item_id":"rs","output_index":0,"summary_index":1,"part":{"type":"summary_text","text":""}}`,
		`{"type":"response.reasoning_summary_text.delta","item_id":"rs","output_index":0,"summary_index":1,"delta":"Second."}`,
		delta("Hello.")))
	if d := r.Ask(t, "Hi"); d.Text != "Hello." {
		t.Errorf("got %+v", d)
	}
	var all strings.Builder
	for _, th := range wiretest.Told[chat.Thought](r.Rig) {
		all.WriteString(th.Text)
	}
	if all.String() != "First.\n\nSecond." {
		t.Errorf("thought %q", all.String())
	}
}

// docs/rules/chat.md#calls-of-the-backend, and docs/rules/chat.md#broker: Hermes's telemetry shows as tool status.
func TestHermesProgress(t *testing.T) {
	body := "event: hermes.tool.progress\ndata: {\"name\":\"web\",\"status\":\"running\"}\n\n" +
		"event: hermes.tool.progress\ndata: {\"name\":\"web\",\"status\":\"completed\"}\n\n" +
		"data: " + delta("Hi.") + "\n\ndata: " + completed("r") + "\n\n"
	r := newRig(t, nil, nil, wiretest.Raw([]byte(body), len(body)))
	if d := r.Ask(t, "Go"); d.Text != "Hi." {
		t.Errorf("got %+v", d)
	}
	if s := wiretest.Told[chat.ToolStatus](r.Rig); len(s) != 2 || !s[0].Running || s[1].Running || s[0].Tool != "web" {
		t.Errorf("tool status %+v", s)
	}
}

// The session's rules hold on this transport, too: [SILENT] alone says nothing, and the tokens it begins with are held
// back until it is clear (docs/rules/chat.md#silence).
func TestSilence(t *testing.T) {
	for text, want := range map[string]string{"[SILENT]": "", "[SILLY]": "[SILLY]", " \n": ""} {
		r := newRig(t, nil, nil, stream("r", delta(text[:1]), delta(text[1:])))
		if d := r.Ask(t, "Go"); d.Text != want || d.Silent != (want == "") || d.Outcome != chat.OK {
			t.Errorf("%q: %+v", text, d)
		}
	}
}

// A model that takes no pictures is asked once more without them; later turns leave them out from the beginning.
func TestModelWithoutSight(t *testing.T) {
	r := newRig(t, nil, nil, func(w http.ResponseWriter, req *http.Request) {
		if strings.Contains(wiretest.Body(req), `"input_image"`) {
			wiretest.Status(400, "application/json", `{"error":{"message":"This model does not support image inputs."}}`)(w, req)
			return
		}
		stream("r", delta("I see nothing."))(w, req)
	})
	const picture = "data:image/png;base64,AA=="
	if d := r.Ask(t, "Look", picture); d.Failure != nil || len(r.server.Requests(t)) != 2 {
		t.Errorf("got %+v", d)
	}
	if d := r.Ask(t, "Look", picture); d.Text != "I see nothing." {
		t.Errorf("the next turn: %+v", d)
	}
	if got := input(r.server.Requests(t)[1]); !strings.Contains(got, "the image is left out") {
		t.Errorf("input %s", got)
	}
}
