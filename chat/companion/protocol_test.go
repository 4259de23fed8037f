package companion_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sashabaranov/go-openai"

	"yui/chat/companion"
	"yui/internal/fuzzmem"
)

func serve(t testing.TB, o companion.Options) (*httptest.Server, *openai.Client) {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = 11
	}
	s := httptest.NewServer(companion.New(o))
	t.Cleanup(s.Close)
	c := openai.DefaultConfig("")
	c.BaseURL = s.URL + "/v1"
	return s, openai.NewClientWithConfig(c)
}

var expressTool = openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{Name: "generate_express", Parameters: json.RawMessage(
	`{"type":"object","properties":{"emotion_id":{"type":"string","enum":["neutral","happy"]}},"additionalProperties":false}`)}}

func ask(words string) openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{Model: companion.ModelID, Tools: []openai.Tool{expressTool},
		Messages: []openai.ChatCompletionMessage{{Role: "system", Content: "You are Yui."}, {Role: "user", Content: words}}}
}

// TestIndependentClient reads the companion with a client that this project
// did not write, whole and streamed, and wants the same words from both.
func TestIndependentClient(t *testing.T) {
	_, c := serve(t, companion.Options{})
	ctx := context.Background()
	whole, err := c.CreateChatCompletion(ctx, ask("hello"))
	if err != nil {
		t.Fatal(err)
	}
	m := whole.Choices[0]
	if m.Message.Content == "" || len(m.Message.ToolCalls) != 1 || m.FinishReason != openai.FinishReasonToolCalls || whole.Usage.TotalTokens == 0 {
		t.Errorf("whole answer: %+v", whole)
	}
	req := ask("hello")
	req.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	s, err := c.CreateChatCompletionStream(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var text, args, name strings.Builder
	var finish openai.FinishReason
	var usage *openai.Usage
	chunks := 0
	for {
		r, err := s.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Usage != nil {
			usage = r.Usage
		}
		for _, ch := range r.Choices {
			chunks++
			text.WriteString(ch.Delta.Content)
			for _, tc := range ch.Delta.ToolCalls {
				name.WriteString(tc.Function.Name)
				args.WriteString(tc.Function.Arguments)
			}
			if ch.FinishReason != "" {
				finish = ch.FinishReason
			}
		}
	}
	if text.String() != m.Message.Content || chunks < 5 {
		t.Errorf("streamed %q in %d chunks, whole %q", text.String(), chunks, m.Message.Content)
	}
	if name.String() != "generate_express" || args.String() != m.Message.ToolCalls[0].Function.Arguments || finish != openai.FinishReasonToolCalls {
		t.Errorf("call %s %s, finish %s", name.String(), args.String(), finish)
	}
	if usage == nil || usage.TotalTokens != whole.Usage.TotalTokens {
		t.Errorf("usage %+v, want %+v", usage, whole.Usage)
	}
	models, err := c.ListModels(ctx)
	if err != nil || len(models.Models) != 1 || models.Models[0].ID != companion.ModelID {
		t.Errorf("models %+v, %v", models, err)
	}
	if one, err := c.GetModel(ctx, companion.ModelID); err != nil || one.ID != companion.ModelID {
		t.Errorf("model %+v, %v", one, err)
	}
	if _, err := c.GetModel(ctx, "gpt-nothing"); err == nil {
		t.Error("an unknown model was found")
	}
}

// TestFraming reads the raw stream: SSE lines, the role first, [DONE] last.
func TestFraming(t *testing.T) {
	s, _ := serve(t, companion.Options{})
	body := `{"model":"x","stream":true,"messages":[{"role":"user","content":"こんにちは"}]}`
	resp, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if ct := resp.Header.Get("Content-Type"); ct != "text/event-stream" {
		t.Errorf("content type %q", ct)
	}
	var lines []string
	for sc := bufio.NewScanner(resp.Body); sc.Scan(); {
		if sc.Text() != "" {
			lines = append(lines, sc.Text())
		}
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, "data: ") {
			t.Errorf("line %q", l)
		}
	}
	if len(lines) < 5 || lines[len(lines)-1] != "data: [DONE]" || !strings.Contains(lines[0], `"role":"assistant"`) || !strings.Contains(lines[len(lines)-2], `"finish_reason":"stop"`) {
		t.Errorf("stream:\n%s", strings.Join(lines, "\n"))
	}
}

func TestErrors(t *testing.T) {
	s, _ := serve(t, companion.Options{})
	for _, c := range []struct {
		method, path, body string
		status             int
		word               string
	}{
		{"POST", "/v1/chat/completions", `{`, 400, "read request body"},
		{"POST", "/v1/chat/completions", `{"messages":[]}`, 400, "at least one message"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"wizard","content":"x"}]}`, 400, "wizard"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":7}]}`, 400, "content"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}],"n":2}`, 400, "one choice"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}],"stream_options":{}}`, 400, "stream"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}],"tool_choice":{"type":"function","function":{"name":"rocket"}}}`, 400, "tool_choice"},
		{"GET", "/v1/chat/completions", ``, 405, "not allowed"},
		{"POST", "/v1/models", ``, 405, "not allowed"},
		{"GET", "/v1/nothing", ``, 404, "unknown address"},
		{"POST", "/v1/chat/completions", strings.Repeat(" ", 33<<20), 413, "32 MiB"},
	} {
		req, err := http.NewRequest(c.method, s.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var e struct {
			Error struct{ Message, Type string }
		}
		err = json.NewDecoder(resp.Body).Decode(&e)
		resp.Body.Close()
		if err != nil || resp.StatusCode != c.status || !strings.Contains(e.Error.Message, c.word) || e.Error.Type == "" {
			t.Errorf("%s %s %.60s: status %d, %+v, %v", c.method, c.path, c.body, resp.StatusCode, e, err)
		}
	}
}

// TestLeavesWithTheClient: a client that hangs up ends the answer, though the
// words would take minutes.
func TestLeavesWithTheClient(t *testing.T) {
	inner := companion.New(companion.Options{Seed: 3, Delay: time.Hour})
	gone := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner.ServeHTTP(w, r)
		close(gone)
	}))
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/v1/chat/completions", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"tell me a story"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Fatal("the handler is still speaking to nobody")
	}
}

// TestDelayIsKept: with a delay the words come apart in time, without one the
// answer does not wait.
func TestDelayIsKept(t *testing.T) {
	_, c := serve(t, companion.Options{Delay: 5 * time.Millisecond})
	s, err := c.CreateChatCompletionStream(context.Background(), ask("tell me a story"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	start, n := time.Now(), 0
	for {
		r, err := s.Recv()
		if err != nil {
			break
		}
		if len(r.Choices) > 0 && r.Choices[0].Delta.Content != "" {
			n++
		}
	}
	if least := time.Duration(n) * 3 * time.Millisecond; time.Since(start) < least {
		t.Errorf("%d words in %v, want at least %v", n, time.Since(start), least)
	}
}

// TestSameSeedSameAnswer: the handler has no state of its own.
func TestSameSeedSameAnswer(t *testing.T) {
	answer := func() string {
		_, c := serve(t, companion.Options{Seed: 42, Now: func() time.Time { return time.Unix(1e9, 0) }})
		var all []string
		for _, words := range []string{"hello", "roll a die", "hello"} {
			r, err := c.CreateChatCompletion(context.Background(), ask(words))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r.Choices[0].Message.Content)
		}
		if all[0] != all[2] {
			t.Errorf("the same request was answered %q and %q", all[0], all[2])
		}
		return strings.Join(all, "\n")
	}
	if a, b := answer(), answer(); a != b {
		t.Errorf("%q, then %q", a, b)
	}
}

func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"messages":[{"role":"user","content":"hi"}]}`,
		`{"messages":[{"role":"system","content":"client_context:\ntime: x\nfrontmost:  — \"\" (for 1min)\nbody: sitting on \"[{"},{"role":"user","content":"sit on [the] {app}"}],"tools":[{"type":"function","function":{"name":"look"}},{"type":"function","function":{"name":"body_action"}}]}`,
		`{"messages":[{"role":"user","content":"座って"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"look","arguments":{}}}]},{"role":"tool","tool_call_id":"a","content":"{\"windows\":[{\"app\":null}]}"}],"tools":[{"function":{"name":"body_action"}}]}`,
		`{"messages":[{"role":"user","content":[{"type":"text","text":"(((9)))/0-3x4"},{"type":"image_url"}]}],"stream":true,"stream_options":{"include_usage":true}}`,
		`{"messages":[{"role":"user","content":"[a pat]"}],"tool_choice":"required"}`,
		`{"messages":[{"role":"user","content":"<client_context>\ntrigger: addressed by M\n</client_context>\n(M says to you) ?"}]}`,
		`[]`, `null`, `{"messages":null}`, `{"messages":[{}]}`, `{"messages":[{"role":"user","content":""}]}`,
	} {
		f.Add([]byte(seed))
	}
	h := companion.New(companion.Options{Seed: 5})
	f.Fuzz(func(t *testing.T, body []byte) {
		fuzzmem.Watch(t)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", "/v1/chat/completions", bytes.NewReader(body)))
		switch w.Code {
		case 200:
			if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
				if !strings.HasSuffix(w.Body.String(), "data: [DONE]\n\n") {
					t.Errorf("stream of %q ends with %q", body, w.Body.String())
				}
				return
			}
			fallthrough
		case 400:
			if !json.Valid(w.Body.Bytes()) {
				t.Errorf("answer to %q is no JSON: %s", body, w.Body)
			}
		default:
			t.Errorf("status %d for %q", w.Code, body)
		}
	})
}
