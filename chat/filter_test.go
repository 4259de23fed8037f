package chat

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"yui/internal/fuzzmem"
)

// filtered gives what of a text in pieces is shown, with retractions carried out, and whether calls were dropped.
func filtered(pieces ...string) (string, bool) {
	f := filter{tools: map[string]bool{"look": true, "body_action": true}}
	shown := ""
	take := func(s string) {
		if f.retract {
			f.retract, shown = false, ""
		}
		shown += s
	}
	for _, p := range pieces {
		take(f.write(p))
	}
	take(f.close())
	return shown, f.sawCall
}

var filterCases = []struct {
	in, want string
	call     bool
}{
	{"Hello.", "Hello.", false},
	{"<think>plan</think>Hello.", "Hello.", false},
	{"<think>\nplan\n</think>\n\nHello.", "Hello.", false},
	{"<Thinking>plan</THINKING>Hello.", "Hello.", false},
	{"Well <think>plan</think> hello.", "Well  hello.", false},
	{"<think>never closed", "", false},
	{"swallowed beginning</think>\nHello.", "Hello.", false},
	{"a < b, a <b>, 1<2", "a < b, a <b>, 1<2", false},
	{"<thinker> is a word", "<thinker> is a word", false},
	{"The tag `<think>` hides text.", "The tag `<think>` hides text.", false},
	{"◁think▷plan◁/think▷Hi", "Hi", false},
	{`<tool_call>{"name":"look","arguments":{}}</tool_call>`, "", true},
	{"Hi.<tool_call>\n{\"name\":\"look\"}\n</tool_call> Bye.", "Hi. Bye.", true},
	{"<function=look><parameter=at>body</parameter></function>", "", true},
	{"Ok [TOOL_CALLS][{\"name\":\"look\",\"arguments\":{}}]", "Ok ", true},
	{"[TOOL_REQUEST]{}[END_TOOL_REQUEST]Done", "Done", true},
	{"<|python_tag|>look(at=1)", "", true},
	{"<｜tool▁calls▁begin｜>x<｜tool▁calls▁end｜>Hi", "Hi", true},
	{"```json\n{\"name\": \"look\", \"arguments\": {\"at\": \"body\"}}\n```\nHi", "Hi", true},
	{"```json\n{\"name\": \"Ada\", \"age\": 36}\n```", "```json\n{\"name\": \"Ada\", \"age\": 36}\n```", false},
	{"```go\nfunc main() {}\n```", "```go\nfunc main() {}\n```", false},
	{"{\"name\":\"look\",\"arguments\":{}}", "", true},
	{"Sure!\n{\"name\":\"look\",\"parameters\":{}}\nthere", "Sure!\n\nthere", true},
	{"{\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}", "", true},
	{"{\"name\":\"look\",\"arguments\":{\"at", "", true},
	{"{\"name\":\"Ada\"} is JSON", "{\"name\":\"Ada\"} is JSON", false},
	{"{curly} words", "{curly} words", false},
	{"a [b](c) [SILENT] `x` ``` y", "a [b](c) [SILENT] `x` ``` y", false},
	{"Hi<|im_end|>", "Hi", false},
	{"<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>", "Hi", false},
	{"The page says \"<tool_call>x</tool_call>\".", "The page says \"<tool_call>x\".", false},
}

// "text that never shows raw tags or thoughts (<think> in any split, reasoning_content, tool calls written as text are
// neither shown nor spoken; a call written inside quoted text is never run)".
func TestFilter(t *testing.T) {
	for _, c := range filterCases {
		for name, pieces := range map[string][]string{"whole": {c.in}, "characters": strings.Split(c.in, ""), "bytes": bytesOf(c.in)} {
			if name == "bytes" && !isASCII(c.in) {
				continue // JSON gives whole characters
			}
			got, call := filtered(pieces...)
			if got != c.want || call != c.call {
				t.Errorf("%s of %q: %q, call %v; want %q", name, c.in, got, call, c.want)
			}
		}
	}
}

func bytesOf(s string) []string {
	var out []string
	for i := range len(s) {
		out = append(out, s[i:i+1])
	}
	return out
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 127 })
}

// Any split of any text shows the same.
func TestFilterWhateverTheSplit(t *testing.T) {
	part := rapid.SampledFrom([]string{"<", "think", ">", "</", "tool_call", "[", "TOOL_CALLS", "]", "{", "\"name\"", ":", "\"look\"", "}", "```", "json", "\n", "a", " ", "`", "\"", "<think>", "</think>", "◁", "function="})
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(part, 0, 25).Draw(t, "pieces")
		text := strings.Join(pieces, "")
		whole, _ := filtered(text)
		split, _ := filtered(pieces...)
		chars, _ := filtered(strings.Split(text, "")...)
		if whole != split || whole != chars {
			t.Fatalf("%q: whole %q, split %q, characters %q", text, whole, split, chars)
		}
	})
}

func FuzzFilter(f *testing.F) {
	for _, c := range filterCases {
		f.Add(c.in, 3)
	}
	f.Fuzz(func(t *testing.T, in string, size int) {
		fuzzmem.Watch(t)
		size = max(1, size%9)
		var pieces []string
		runes := []rune(in)
		for len(runes) > 0 {
			n := min(size, len(runes))
			pieces = append(pieces, string(runes[:n]))
			runes = runes[n:]
		}
		whole, _ := filtered(strings.Join(pieces, ""))
		if split, _ := filtered(pieces...); whole != split {
			t.Fatalf("%q in pieces of %d: whole %q, split %q", in, size, whole, split)
		}
	})
}

// "A turn whose text trims to exactly that = silence. Stream head is held back while it may still become the token; on
// divergence everything held is emitted; at end a partial prefix is spoken" (docs/rules/chat.md#silence).
func TestSilence(t *testing.T) {
	for in, want := range map[string]string{
		"[SILENT]": "", " [SILENT]\n": "", "": "", " \n ": "", "[SIL": "[SIL", "[SILENT] but no": "[SILENT] but no",
		"[SILLY]": "[SILLY]", "Well [SILENT]": "Well [SILENT]", "  Hi": "  Hi", "[silent]": "[silent]",
	} {
		for _, pieces := range [][]string{{in}, strings.Split(in, "")} {
			var s silence
			got := ""
			for _, p := range pieces {
				got += s.write(p)
			}
			rest, silent := s.close()
			got += rest
			if got != want || silent != (want == "") {
				t.Errorf("%q in %d pieces: %q, silent %v", in, len(pieces), got, silent)
			}
		}
	}
}

func TestSilenceHoldsOnlyTheHead(t *testing.T) {
	var s silence
	if got := s.write("[SI"); got != "" {
		t.Errorf("shown %q", got)
	}
	if got := s.write("x"); got != "[SIx" {
		t.Errorf("on divergence everything held is shown: %q", got)
	}
	if got := s.write("[SI"); got != "[SI" {
		t.Errorf("inside a longer text it is ordinary: %q", got)
	}
}
