package completions_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yui/chat"
	"yui/chat/completions"
	"yui/chat/internal/wiretest"
)

// fragment is a piece of a call's arguments.
func fragment(index, id, name, args string) string {
	raw, _ := json.Marshal(args)
	head := ""
	if id != "" {
		head = `"id":"` + id + `","type":"function",`
	}
	if name != "" {
		name = `"name":"` + name + `",`
	}
	return `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":` + index + `,` + head + `"function":{` + name + `"arguments":` + string(raw) + `}}]},"finish_reason":null}]}`
}

// told is a session whose events are written down in their order.
func told(t *testing.T, tools []chat.Tool, scripts ...wiretest.Script) (r *wiretest.Rig, s *wiretest.Server, order *[]string) {
	t.Helper()
	order = &[]string{}
	s = newServer(t, scripts...)
	r = newRig(t, s, tools, func(_ *completions.Config, c *chat.Config) {
		c.Observer = func(e chat.Event) {
			switch e := e.(type) {
			case chat.Speech:
				*order = append(*order, e.Text)
			case chat.CueReleased:
				*order = append(*order, "<"+e.Cue.EmotionID+">")
			case chat.ToolStatus:
				*order = append(*order, e.Tool+map[bool]string{true: " runs", false: " is done"}[e.Running])
			}
		}
	})
	return r, s, order
}

// "The client accumulates the fragments per call index and holds them until a chunk carries a finish_reason, or until
// the stream ends. It then executes the held calls in index order, and generate_express plays its cue at that point. A
// server that sends finish_reason once, on the last chunk of the response, delivers every cue of that response after
// that response's text." (docs/rules/chat.md#release-of-calls)
func TestCallsAreHeld(t *testing.T) {
	express := func(index, emotion string) []string {
		return []string{fragment(index, "e"+index, "generate_express", `{"emotion_`), fragment(index, "", "", `id":"`+emotion+`"}`)}
	}
	parts := append([]string{text("One. ")}, express("1", "sad")...)
	parts = append(append(parts, text("Two. ")), express("0", "happy")...)
	parts = append(parts, text("Three."))
	for name, end := range map[string][]string{"a finish_reason": {finish("stop"), done}, "the end of the stream": {done}} {
		r, s, order := told(t, []chat.Tool{wiretest.Express()}, wiretest.SSE(append(parts, end...)...))
		r.Ask(t, "Hi")
		if diff := cmp.Diff([]string{"One. ", "Two. ", "Three.", "<happy>", "<sad>"}, *order); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if n := len(s.Requests(t)); n != 1 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
}

// The same where a server says finish_reason with every part of its answer: what it released has played when the rest
// comes.
func TestCallsRunAtTheFinishReason(t *testing.T) {
	early := strings.Replace(fragment("0", "e", "generate_express", `{"emotion_id":"happy"}`), `"finish_reason":null`, `"finish_reason":"stop"`, 1)
	r, _, order := told(t, []chat.Tool{wiretest.Express()}, wiretest.SSE(text("One. "), early, text("Two."), finish("stop"), done))
	r.Ask(t, "Hi")
	if diff := cmp.Diff([]string{"One. ", "<happy>", "Two."}, *order); diff != "" {
		t.Error(diff)
	}
}

// "On both transports the cue plays before any round trip is sent." (docs/rules/chat.md#round-trips)
func TestCueBeforeTheRoundTrip(t *testing.T) {
	var r *wiretest.Rig
	cues := -1
	s := newServer(t, wiretest.SSE(toolCall(0, "e", "generate_express", `{"emotion_id":"happy"}`), finish("tool_calls"), done),
		func(w http.ResponseWriter, req *http.Request) {
			cues = len(wiretest.Told[chat.CueReleased](r))
			wiretest.SSE(text("Hi."), finish("stop"), done)(w, req)
		})
	r = newRig(t, s, []chat.Tool{wiretest.Express()})
	if d := r.Ask(t, "Hi"); d.Text != "Hi." || cues != 1 {
		t.Errorf("%d cues before the round trip; %+v", cues, d)
	}
}

// docs/rules/chat.md#release-of-calls: "a finish_reason releases the held calls whose arguments parse; the others wait for more fragments,
// and at the end of the stream what does not parse is the JSON-failure result", and "Empty arguments count as {} only at
// the end of the stream".
func TestReleaseOfCalls(t *testing.T) {
	early := func(index, id, name, args string) string {
		return strings.Replace(fragment(index, id, name, args), `"finish_reason":null`, `"finish_reason":"tool_calls"`, 1)
	}
	for name, c := range map[string]struct {
		parts []string
		args  string // of the one run, "" for none
	}{
		"whole at the finish_reason":              {[]string{early("0", "a", "lookup", `{"q":"x"}`)}, `{"q":"x"}`},
		"half at the finish_reason, whole later":  {[]string{early("0", "a", "lookup", `{"q":`), early("0", "", "", `"x"}`)}, `{"q":"x"}`},
		"empty at the finish_reason, whole later": {[]string{early("0", "a", "lookup", ""), early("0", "", "", `{"q":"x"}`)}, `{"q":"x"}`},
		"empty to the end":                        {[]string{early("0", "a", "lookup", "")}, `{}`},
		"never whole":                             {[]string{early("0", "a", "lookup", `{"q":"/ho`)}, ""},
	} {
		ran := []string{}
		tool := wiretest.Tool("lookup", func(c chat.Call) chat.Result {
			ran = append(ran, string(c.Args))
			return chat.Result{Text: "42"}
		})
		s := newServer(t, wiretest.SSE(append(c.parts, done)...), wiretest.SSE(text("Ah."), finish("stop"), done))
		if d := newRig(t, s, []chat.Tool{tool}).Ask(t, "Hi"); d.Text != "Ah." {
			t.Errorf("%s: %+v", name, d)
		}
		result := appended(t, s.Requests(t), 1)[1].(map[string]any)["content"].(string)
		if c.args == "" {
			if len(ran) != 0 || !strings.HasPrefix(result, "error: arguments JSON parse failed: ") {
				t.Errorf("%s: ran %v, result %s: \"truncated arguments are never run\"", name, ran, result)
			}
		} else if diff := cmp.Diff([]string{c.args}, ran); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// "A tool outside the registry runs on the backend. The client shows it as tool status and sends no result. … Chat
// Completions shows done alone, when the held call is released." (docs/rules/chat.md#calls-of-the-backend)
func TestToolsOfTheBackend(t *testing.T) {
	r, s, order := told(t, []chat.Tool{lookup(chat.Result{Text: "1"})},
		wiretest.SSE(toolCall(0, "x", "server_side", `{}`), text("Done."), finish("stop"), done))
	r.Ask(t, "Go")
	if diff := cmp.Diff([]string{"Done.", "server_side is done"}, *order); diff != "" {
		t.Error(diff)
	}
	if n := len(s.Requests(t)); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// "It emits a hermes.tool.progress telemetry event with name and status" (docs/rules/chat.md#calls-of-the-backend): it shows as
// tool status (docs/rules/chat.md#broker).
func TestHermesProgress(t *testing.T) {
	r, _, order := told(t, nil, wiretest.Raw([]byte("event: hermes.tool.progress\ndata: {\"name\":\"web\",\"status\":\"running\"}\n\n"+
		"event: hermes.tool.progress\ndata: {\"name\":\"web\",\"status\":\"completed\"}\n\n"+
		"data: "+text("Hi.")+"\n\ndata: "+finish("stop")+"\n\ndata: [DONE]\n\n"), 11))
	r.Ask(t, "Go")
	if diff := cmp.Diff([]string{"web runs", "web is done", "Hi."}, *order); diff != "" {
		t.Error(diff)
	}
}

// "Chat Completions nests the schema: {"type":"function","function":{"name","description","parameters"}}", and "every
// declared schema rides every request" (docs/rules/tools.md#declaring).
func TestDeclaredSchema(t *testing.T) {
	s := newServer(t, wiretest.SSE(toolCall(0, "a", "lookup", `{}`), finish("tool_calls"), done), wiretest.SSE(text("Hi."), finish("stop"), done))
	r := newRig(t, s, []chat.Tool{wiretest.Express(), lookup(chat.Result{Text: "1"})})
	r.Ask(t, "One")
	r.Ask(t, "Two")
	want := asJSON(t, `[{"type":"function","function":{"name":"generate_express","description":"Places a cue.",
			"parameters":{"type":"object","properties":{"emotion_id":{"type":"string","enum":["happy"]}},"additionalProperties":false}}},
		{"type":"function","function":{"name":"lookup","description":"Looks something up.",
			"parameters":{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false}}}]`)
	reqs := s.Requests(t)
	if len(reqs) != 3 {
		t.Fatalf("%d requests", len(reqs))
	}
	for i, req := range reqs {
		if diff := cmp.Diff(want, req["tools"]); diff != "" {
			t.Errorf("request %d:\n%s", i, diff)
		}
	}
}

// "Tool traffic lives in the in-flight request. The next Chat Completions turn is rebuilt from the stored transcript,
// which holds user and assistant speech text." (docs/rules/chat.md#what-the-next-turn-carries)
func TestWhatTheNextTurnCarries(t *testing.T) {
	s := newServer(t, wiretest.SSE(text("Let me check."), toolCall(0, "a", "lookup", `{}`), finish("tool_calls"), done),
		wiretest.SSE(text("<think>42 it is</think>It is 42."), finish("stop"), done), wiretest.SSE(text("Yes."), finish("stop"), done))
	r := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "42", Images: []string{"data:image/png;base64,AA=="}})})
	r.Ask(t, "What is the answer?")
	r.Ask(t, "Really?")
	got := s.Requests(t)[2]["messages"].([]any)
	want := asJSON(t, `[{"role":"user","content":"What is the answer?"},{"role":"assistant","content":"Let me check. It is 42."}]`)
	if diff := cmp.Diff(want, any(got[:len(got)-2])); diff != "" {
		t.Error(diff)
	}
}

// A model that takes no pictures is asked once more without them, and the person is told; later turns leave the pictures
// out from the beginning.
func TestModelWithoutSight(t *testing.T) {
	const picture = "data:image/png;base64,AA=="
	s := newServer(t, func(w http.ResponseWriter, req *http.Request) {
		body := wiretest.Body(req)
		switch {
		case strings.Contains(body, `"image_url"`):
			wiretest.Status(400, "application/json", `{"error":{"message":"image input is not supported"}}`)(w, req)
		case strings.Contains(body, `"role":"tool"`) || !strings.Contains(body, "screen"):
			wiretest.SSE(text("I see nothing."), finish("stop"), done)(w, req)
		default:
			wiretest.SSE(toolCall(0, "a", "lookup", `{}`), finish("tool_calls"), done)(w, req)
		}
	})
	r := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "screenshot of display 0", Images: []string{picture}})})
	d := r.Ask(t, "Look", picture)
	if n := wiretest.Told[chat.Notice](r); d.Text != "I see nothing." || len(s.Requests(t)) != 2 || len(n) != 1 || !strings.Contains(n[0].Text, "takes no pictures") {
		t.Fatalf("got %+v", d)
	}
	if d := r.Ask(t, "Look", picture); d.Text != "I see nothing." {
		t.Errorf("the next turn: %+v", d)
	}
	if d := r.Ask(t, "Look at the screen"); d.Text != "I see nothing." {
		t.Errorf("a tool's picture: %+v", d)
	}
	reqs := s.Requests(t)
	last := func(i int) string {
		m := reqs[i]["messages"].([]any)
		words, _ := m[len(m)-1].(map[string]any)["content"].(string)
		return words
	}
	if len(reqs) != 5 || last(1) != "Look\n[the image is left out: this model takes no pictures]" ||
		last(4) != "screenshot of display 0\n[the image is left out: this model takes no pictures]" {
		t.Errorf("%d requests, %q, %q", len(reqs), last(1), last(4))
	}
}

// "a proxy by environment". Go reads the environment once, so the turn runs in a process of its own.
func TestProxyByEnvironment(t *testing.T) {
	const marked = "YUI_TEST_BEHIND_PROXY"
	if os.Getenv(marked) != "" {
		transport, err := completions.New(completions.Config{BaseURL: "http://yui.invalid/v1", Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		if d := wiretest.NewRig(t, transport, nil).Ask(t, "Hi"); d.Text != "Hello." {
			t.Errorf("got %+v", d)
		}
		return
	}
	asked := make(chan string, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked <- req.URL.String()
		wiretest.SSE(text("Hello."), finish("stop"), done)(w, req)
	}))
	defer proxy.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	again := exec.CommandContext(ctx, os.Args[0], "-test.run", "^TestProxyByEnvironment$")
	again.Env = append(os.Environ(), marked+"=1", "HTTP_PROXY="+proxy.URL, "http_proxy="+proxy.URL, "NO_PROXY=", "no_proxy=")
	if out, err := again.CombinedOutput(); err != nil {
		t.Fatalf("behind the proxy: %v\n%s", err, out)
	}
	select {
	case url := <-asked:
		if url != "http://yui.invalid/v1/chat/completions" {
			t.Errorf("asked the proxy for %s", url)
		}
	default:
		t.Error("the proxy was not asked")
	}
}

// "http and https": over TLS that is trusted a turn is as any other.
func TestHTTPS(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(wiretest.SSE(text("Hello."), finish("stop"), done)))
	defer server.Close()
	transport, err := completions.New(completions.Config{BaseURL: server.URL, Model: "m", HTTP: server.Client()})
	if err != nil {
		t.Fatal(err)
	}
	if d := wiretest.NewRig(t, transport, nil).Ask(t, "Hi"); d.Text != "Hello." {
		t.Errorf("got %+v", d)
	}
}

// "It then sends the whole array again with the same tools[]. … The cycle repeats while the model keeps asking" (docs/rules/chat.md#requests):
// each round stands behind the ones before it, its pictures "after all tool messages of that round".
func TestEveryRoundRepeatsTheArray(t *testing.T) {
	const picture = "data:image/png;base64,AA=="
	see := lookup(chat.Result{Text: "screenshot of display 0", Images: []string{picture}})
	see.Name = "look"
	s := newServer(t, wiretest.SSE(text("One."), toolCall(0, "a", "look", `{}`), toolCall(1, "b", "lookup", `{}`), finish("tool_calls"), done),
		wiretest.SSE(toolCall(0, "c", "lookup", `{}`), finish("tool_calls"), done),
		wiretest.SSE(text("Three."), toolCall(0, "d", "look", `{}`), finish("tool_calls"), done), wiretest.SSE(text("Four."), finish("stop"), done))
	r := newRig(t, s, []chat.Tool{see, lookup(chat.Result{Text: "42"})})
	if d := r.Ask(t, "Go"); d.Text != "One. Three. Four." {
		t.Errorf("got %+v", d)
	}
	reqs := s.Requests(t)
	var roles []string
	for i := 1; i < 4; i++ {
		round := ""
		for _, m := range appended(t, reqs, i) {
			m := m.(map[string]any)
			round += m["role"].(string) + " "
			if id, ok := m["tool_call_id"].(string); ok {
				round += id + " "
			}
		}
		roles = append(roles, strings.TrimSpace(round))
	}
	if diff := cmp.Diff([]string{"assistant tool a tool b user", "assistant tool c", "assistant tool d user"}, roles); diff != "" {
		t.Error(diff)
	}
}

// "The next Chat Completions turn is rebuilt from the stored transcript" (docs/rules/chat.md#what-the-next-turn-carries): so is that of the next process, and
// what a rule said without the server is in it like any speech.
func TestNextTurnOfAnotherProcess(t *testing.T) {
	s := newServer(t, wiretest.SSE(text("Let me check."), toolCall(0, "a", "lookup", `{}`), finish("tool_calls"), done),
		wiretest.SSE(text("It is 42."), finish("stop"), done), wiretest.SSE(text("Yes."), finish("stop"), done))
	ahead := func(_ *completions.Config, c *chat.Config) {
		c.Ahead = func(_ context.Context, _, words string) chat.Prepared {
			if words == "ping" {
				return chat.Prepared{Say: "Pong."}
			}
			return chat.Prepared{}
		}
	}
	r := newRig(t, s, []chat.Tool{lookup(chat.Result{Text: "42"})}, ahead)
	r.Ask(t, "What is the answer?")
	r.Ask(t, "ping")
	newRig(t, s, nil, func(_ *completions.Config, c *chat.Config) { c.Store = r.Store }).Ask(t, "Really?")
	got := s.Requests(t)[2]["messages"].([]any)
	want := asJSON(t, `[{"role":"user","content":"What is the answer?"},{"role":"assistant","content":"Let me check. It is 42."},
		{"role":"user","content":"ping"},{"role":"assistant","content":"Pong."}]`)
	if diff := cmp.Diff(want, any(got[:len(got)-2])); diff != "" {
		t.Error(diff)
	}
	if block := got[len(got)-2].(map[string]any)["content"].(string); strings.Contains(block, "meanwhile") {
		t.Errorf("told twice: %s", block)
	}
}

// docs/rules/chat.md#release-of-calls: "2 s of silence after a finish_reason complete the stream, unless text or fragments came after an earlier
// finish_reason in this stream (then only [DONE], the end or the 45 s count)".
func TestSilenceBehindAFinishReason(t *testing.T) {
	every := func(words string) string {
		return strings.Replace(text(words), `"finish_reason":null`, `"finish_reason":"stop"`, 1)
	}
	const quiet = 500 * time.Millisecond
	paused := func(before []string, after ...string) wiretest.Script {
		return func(w http.ResponseWriter, r *http.Request) {
			body := ""
			for _, e := range before { // in one piece: nothing may come between
				body += "data: " + e + "\n\n"
			}
			wiretest.Raw([]byte(body), len(body))(w, r)
			select {
			case <-time.After(3 * quiet):
			case <-r.Context().Done():
			}
			wiretest.SSE(after...)(w, r)
		}
	}
	for name, c := range map[string]struct {
		answer wiretest.Script
		want   string
	}{
		"said once":            {paused([]string{text("One."), finish("stop")}, text(" Too late."), done), "One."},
		"said with every part": {paused([]string{every("One."), every(" Two.")}, every(" Three."), done), "One. Two. Three."},
		"said too early":       {paused([]string{every("One."), text(" Two.")}, text(" Three."), finish("stop"), done), "One. Two. Three."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, c.answer)
			r := newRig(t, s, nil, func(w *completions.Config, _ *chat.Config) { w.Quiet = quiet })
			if d := r.Ask(t, "Hi"); d.Text != c.want || d.Outcome != chat.OK || d.Cut {
				t.Errorf("got %+v", d)
			}
		})
	}
}
