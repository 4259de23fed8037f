package completions_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"yui/chat"
	"yui/chat/completions"
	"yui/chat/internal/wiretest"
)

// refuses answers what match finds in a request with an error, anything else well.
func refuses(status int, body string, match func(string) bool) wiretest.Script {
	return func(w http.ResponseWriter, req *http.Request) {
		if match(wiretest.Body(req)) {
			wiretest.Status(status, "application/json", body)(w, req)
			return
		}
		wiretest.SSE(text("Hi."), finish("stop"), done)(w, req)
	}
}

func holds(part string) func(string) bool {
	return func(body string) bool { return strings.Contains(body, part) }
}

// A form that a server refuses as such is given up, with one more request, and stays so; and no refusal of a form makes
// her forget what was said.
func TestRefusedForms(t *testing.T) {
	for name, c := range map[string]struct {
		status      int
		body, match string
	}{
		"no system role":        {400, `{"object":"error","message":"System role not supported","type":"BadRequestError","param":null,"code":400}`, `"role":"system"`},
		"role that is unknown":  {422, `{"error":{"message":"Unsupported role: system"}}`, `"role":"system"`},
		"stream_options":        {400, `{"error":{"message":"Extra inputs are not permitted, field: 'stream_options', value: {'include_usage': True}"}}`, `"stream_options"`},
		"stream_options by loc": {422, `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`, `"stream_options"`},
		"by param":              {400, `{"error":{"message":"Unknown field.","param":"stream_options"}}`, `"stream_options"`},
	} {
		t.Run(name, func(t *testing.T) {
			expect := schema
			if c.match == `"stream_options"` {
				expect = afterRefusal
			}
			s := wiretest.NewServer(t, expect, refuses(c.status, c.body, holds(c.match)))
			r := newRig(t, s, nil, func(_ *completions.Config, cfg *chat.Config) { cfg.Backend.Instructions = "You are Yui." })
			for range 3 {
				if d := r.Ask(t, "Hi"); d.Text != "Hi." {
					t.Errorf("got %+v", d)
				}
			}
			reqs := s.Requests(t)
			if len(reqs) != 4 {
				t.Fatalf("%d requests", len(reqs))
			}
			first := reqs[3]["messages"].([]any)[0].(map[string]any)["content"].(string)
			if !strings.HasPrefix(first, "You are Yui.") || len(reqs[3]["messages"].([]any)) < 5 {
				t.Errorf("the persona or the past is gone: %v", reqs[3]["messages"])
			}
		})
	}
}

// Words about something else than tools as such, and a service that is away, take no tools away.
func TestToolsStay(t *testing.T) {
	for body, status := range map[string]int{
		`{"error":{"message":"tool execution service is not available, please try again later"}}`: 503,
		`{"error":{"message":"this model does not support tools"}}`:                               503,
		`{"error":{"message":"tool_choice 'none' is not supported"}}`:                             400,
		`{"error":{"message":"image content is not supported in tool messages"}}`:                 400,
		`{"error":{"message":"parallel tool calls are not supported"}}`:                           400,
		`{"error":{"message":"the tool search is not available"}}`:                                422,
	} {
		s := newServer(t, wiretest.Status(status, "application/json", body), wiretest.SSE(text("Hi."), finish("stop"), done))
		r := newRig(t, s, []chat.Tool{wiretest.Express()})
		if d := r.Ask(t, "Hi"); d.Failure == nil {
			t.Errorf("%s: got %+v", body, d)
		}
		r.Ask(t, "Hi")
		if reqs := s.Requests(t); len(reqs) != 2 || reqs[1]["tools"] == nil {
			t.Errorf("%s: %d requests, or the tools are gone", body, len(reqs))
		}
	}
}

// A setting of the person's that is refused is named, every time, and the past stays.
func TestRefusedSetting(t *testing.T) {
	s := newServer(t, refuses(400, `{"error":{"message":"Unsupported parameter: 'reasoning_effort'"}}`, holds("reasoning_effort")))
	r := newRig(t, s, nil, func(c *completions.Config, _ *chat.Config) { c.ReasoningEffort = "low" })
	for range 3 {
		if d := r.Ask(t, "Hi"); !strings.Contains(d.Error, "reasoning_effort under [chat]") {
			t.Errorf("got %+v", d)
		}
	}
	if n := len(s.Requests(t)); n != 3 {
		t.Errorf("%d requests", n)
	}
}

// Control tokens that leaked into a name are cut off; a call that nobody can run, and an answer that holds nothing, say so.
func TestEmptyAnswersSayWhy(t *testing.T) {
	reasoning := `{"choices":[{"index":0,"delta":{"content":null,"reasoning_content":"Hm"},"finish_reason":null}]}`
	for name, c := range map[string]struct {
		script wiretest.Script
		want   string
	}{
		"limit":         {wiretest.SSE(reasoning, finish("length"), done), "limit"},
		"thoughts":      {wiretest.SSE(reasoning, finish("stop"), done), "only thought"},
		"thought tags":  {wiretest.SSE(text("<think>Hm</think>"), finish("stop"), done), "only thought"},
		"filter":        {wiretest.SSE(finish("content_filter"), done), "filter"},
		"nothing":       {wiretest.SSE(finish("stop"), done), "empty"},
		"unknown tool":  {wiretest.SSE(toolCall(0, "c", "loook", `{}`), finish("tool_calls"), done), `"loook"`},
		"silence":       {wiretest.SSE(text("[SILENT]"), finish("stop"), done), ""},
		"looked":        {calls("lookup"), "used its tools"},
		"no such place": {calls("walk"), "used its tools"},
		"moved":         {calls("move"), ""},
		"cue":           {wiretest.SSE(toolCall(0, "c", "generate_express", `{"emotion_id":"joy"}`), finish("stop"), done), ""},
	} {
		walk, move := wiretest.Says("walk", "error: not found"), wiretest.Says("move", "ok")
		walk.Shows, move.Shows = true, true
		r := newRig(t, newServer(t, c.script), []chat.Tool{wiretest.Express(), lookup(chat.Result{Text: "42"}), walk, move})
		r.Ask(t, "Hi")
		n := wiretest.Told[chat.Notice](r)
		if c.want == "" && len(n) != 0 || c.want != "" && (len(n) != 1 || !strings.Contains(n[0].Text, c.want)) {
			t.Errorf("%s: notices %+v", name, n)
		}
	}
	for _, leaked := range []string{"lookup<|channel|>commentary", "<|constrain|>lookup", "lookup<|"} {
		s := newServer(t, wiretest.SSE(toolCall(0, "c", leaked, `{}`), finish("tool_calls"), done), wiretest.SSE(text("42."), finish("stop"), done))
		if d := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "42"})}).Ask(t, "Hi"); d.Text != "42." {
			t.Errorf("%s: got %+v", leaked, d)
		}
	}
}

// calls asks for one tool, and says nothing to its result.
func calls(tool string) wiretest.Script {
	return func(w http.ResponseWriter, req *http.Request) {
		if strings.Contains(wiretest.Body(req), `"role":"tool"`) {
			wiretest.SSE(finish("stop"), done)(w, req)
			return
		}
		wiretest.SSE(toolCall(0, "c", tool, `{}`), finish("tool_calls"), done)(w, req)
	}
}

// Fragments go to the call that their id names, or, without an index, to the one that was opened last.
func TestFragmentsFindTheirCall(t *testing.T) {
	bare := func(args string) string {
		return strings.Replace(fragment("9", "", "", args), `"index":9,`, "", 1)
	}
	for name, parts := range map[string][]string{
		"known id on a shared index": {fragment("0", "a", "lookup", `{"at":`), fragment("0", "b", "lookup", `{"at":`), fragment("0", "a", "", `"x"}`), fragment("0", "b", "", `"y"}`)},
		"missing index":              {fragment("0", "a", "lookup", `{"at":`), fragment("1", "b", "lookup", `{"at":`), fragment("0", "", "", `"x"}`), bare(`"y"}`)},
	} {
		s := newServer(t, wiretest.SSE(append(parts, finish("tool_calls"), done)...), wiretest.SSE(text("Ah."), finish("stop"), done))
		newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "42"})}).Ask(t, "Hi")
		if got := asText(s.Requests(t)[1]["messages"]); !strings.Contains(got, `{\"at\":\"x\"}`) || !strings.Contains(got, `{\"at\":\"y\"}`) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func asText(v any) string {
	raw, _ := json.Marshal(v) // it came as JSON
	return string(raw)
}
