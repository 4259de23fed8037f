package chat

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"yui/internal/protocol"
)

// filter takes out of a response's text what is not speech: thoughts between tags, calls that the model wrote as
// text, and bare control tokens of chat templates. Tags may be split over any pieces. What is dropped is never run.
// A tag right behind a quotation mark or backtick is quoted, and stays.
type filter struct {
	tools map[string]bool // declared names: a bare JSON call must name one of them
	rest  string          // text that is not decided yet
	until string          // inside a hidden part: its end; "" outside
	last  rune            // the last rune that was let through, 0 at the head
	trim  bool            // white space after a hidden part at the head is dropped, too
	shown bool            // something other than white space was let through
	hid   bool            // a thought was taken out
	sawCall,
	retract bool // a closing thought tag without an opening one: all before it was a thought
}

// hidden maps each opening tag to what ends it; endless ones take the rest of the response.
var hidden = []struct {
	open, close string
	call        bool
}{
	{"<think>", "</think>", false},
	{"<thinking>", "</thinking>", false},
	{"<thought>", "</thought>", false},
	{"<reasoning>", "</reasoning>", false},
	{"[THINK]", "[/THINK]", false},
	{"◁think▷", "◁/think▷", false},
	{"<|channel|>analysis", "<|end|>", false},
	{"<|channel|>commentary", "<|call|>", true},
	{"<tool_call>", "</tool_call>", true},
	{"<tool_calls>", "</tool_calls>", true},
	{"<tool_response>", "</tool_response>", true},
	{"<function_call>", "</function_call>", true},
	{"<function_calls>", "</function_calls>", true},
	{"<function=", "</function>", true},
	{"<invoke name=", "</invoke>", true},
	{"<|tool_call|>", "<|/tool_call|>", true},
	{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", true},
	{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", true},
	{"[TOOL_REQUEST]", "[END_TOOL_REQUEST]", true},
	{"[TOOL_CALLS]", endless, true},
	{"<|python_tag|>", endless, true},
}

// endless stands for an end that no text can hold.
const endless = "\x00end"

// orphans are ends of thoughts that may come without a beginning, where a template has put that into the prompt.
var orphans = []string{"</think>", "</thinking>", "</thought>", "</reasoning>", "[/THINK]", "◁/think▷"}

// tokens are dropped wherever they stand.
var tokens = []string{
	"<|channel|>final", "<|message|>", "<|start|>assistant", "<|end|>", "<|return|>", "<|call|>", "<|im_end|>", "<|im_start|>assistant",
	"<|eot_id|>", "<|eom_id|>", "<|endoftext|>", "</tool_call>", "</tool_calls>", "</function>",
}

// longestCallText bounds what is held back to see whether JSON in the text is a call.
const longestCallText = 16 << 10

// write takes a piece of text and gives what may be shown now.
func (f *filter) write(text string) string {
	f.rest += text
	return f.run(false)
}

// close gives what is left at the end of the response.
func (f *filter) close() string { return f.run(true) }

// run walks over the undecided text until it must wait for more.
func (f *filter) run(end bool) string {
	var out strings.Builder
	for f.rest != "" {
		if f.until != "" {
			if !f.skipHidden(end) {
				break
			}
			continue
		}
		if f.trim {
			f.rest = strings.TrimLeft(f.rest, " \t\r\n")
			if f.rest == "" {
				break
			}
			f.trim = false
		}
		n := f.plain()
		if n > 0 {
			f.show(&out, n)
			continue
		}
		if !f.special(&out, end) {
			break
		}
	}
	return out.String()
}

// show lets n bytes through.
func (f *filter) show(out *strings.Builder, n int) {
	piece := f.rest[:n]
	out.WriteString(piece)
	f.rest = f.rest[n:]
	f.last, _ = utf8.DecodeLastRuneInString(piece)
	f.shown = f.shown || strings.TrimSpace(piece) != ""
}

// plain is the length of the text before the next character that may begin something special.
func (f *filter) plain() int {
	for i, r := range f.rest {
		switch r {
		case '<', '[', '◁':
			return i
		case '{', '`':
			if f.lineStart(i) {
				return i
			}
		}
	}
	return len(f.rest)
}

// lineStart says whether only white space stands before rest[i] on its line.
func (f *filter) lineStart(i int) bool {
	before := strings.TrimRight(f.rest[:i], " \t")
	if before != "" {
		return strings.HasSuffix(before, "\n")
	}
	return f.last == 0 || f.last == '\n'
}

// skipHidden drops text up to the end of the hidden part; false means to wait for more.
func (f *filter) skipHidden(end bool) bool {
	if i := indexFold(f.rest, f.until); i >= 0 {
		f.rest = f.rest[i+len(f.until):]
		f.until = ""
		f.trim = !f.shown
		return true
	}
	keep := 0
	if !end {
		keep = overlap(f.rest, f.until)
	}
	f.rest = f.rest[len(f.rest)-keep:]
	return false
}

// special decides what stands at the beginning of rest; false means to wait for more.
func (f *filter) special(out *strings.Builder, end bool) bool {
	if f.rest[0] == '{' || f.rest[0] == '`' {
		return f.callText(out, end)
	}
	quoted := strings.ContainsRune("`\"'“‘「『", f.last) && f.last != 0
	if !quoted {
		maybe := false
		for _, h := range hidden {
			switch startsWith(f.rest, h.open) {
			case yes:
				f.rest = f.rest[len(h.open):]
				f.until = h.close
				f.sawCall = f.sawCall || h.call
				f.hid = f.hid || !h.call
				return true
			case perhaps:
				maybe = true
			}
		}
		for _, o := range orphans {
			switch startsWith(f.rest, o) {
			case yes:
				f.rest = f.rest[len(o):]
				f.retract, f.trim, f.shown = true, true, false
				out.Reset()
				return true
			case perhaps:
				maybe = true
			}
		}
		for _, t := range tokens {
			switch startsWith(f.rest, t) {
			case yes:
				f.rest = f.rest[len(t):]
				return true
			case perhaps:
				maybe = true
			}
		}
		if maybe && !end {
			return false
		}
	}
	_, size := utf8.DecodeRuneInString(f.rest)
	f.show(out, size)
	return true
}

// callText looks at JSON or a fence at the start of a line: a call written as text is dropped whole.
func (f *filter) callText(out *strings.Builder, end bool) bool {
	state, n := f.callLength()
	if state == perhaps && !end && len(f.rest) < longestCallText {
		return false
	}
	if state == perhaps && f.namesTool(f.rest) { // cut off in the middle of a call
		state, n = yes, len(f.rest)
	}
	if state == yes {
		f.rest = f.rest[n:]
		f.sawCall, f.trim = true, !f.shown
		return true
	}
	n = 1
	for strings.HasPrefix(f.rest[n:], "`") { // a whole fence at once, so that it is not looked at again
		n++
	}
	f.show(out, n)
	return true
}

// callLength says whether rest begins with a call as text, and how long that is.
func (f *filter) callLength() (verdict, int) {
	body, fence := f.rest, 0
	if strings.HasPrefix(body, "`") {
		const mark = "```"
		if len(body) < len(mark) && strings.HasPrefix(mark, body) {
			return perhaps, 0
		}
		if !strings.HasPrefix(body, mark) {
			return no, 0
		}
		line, after, found := strings.Cut(body, "\n")
		info := strings.TrimSpace(line[len(mark):])
		if !found {
			for _, known := range []string{"json", "tool_call", "tool_code"} {
				if strings.HasPrefix(known, info) {
					return perhaps, 0
				}
			}
			return no, 0
		}
		if info != "" && info != "json" && info != "tool_call" && info != "tool_code" {
			return no, 0
		}
		fence = len(line) + 1
		body = after
	}
	trimmed := strings.TrimLeft(body, " \t\r\n")
	if trimmed == "" {
		return perhaps, 0
	}
	if trimmed[0] != '{' && trimmed[0] != '[' || !likelyCall(trimmed) {
		return no, 0
	}
	size, state := f.jsonCall(trimmed)
	if state != yes {
		return state, 0
	}
	n := fence + len(body) - len(trimmed) + size
	if fence == 0 {
		return yes, n
	}
	tail := strings.TrimLeft(f.rest[n:], " \t\r\n")
	switch startsWith(tail, "```") {
	case yes:
		return yes, len(f.rest) - len(tail) + 3
	case perhaps:
		return perhaps, 0
	}
	return no, 0
}

// jsonCall reads one JSON value and says whether it is a call of a declared tool.
func (f *filter) jsonCall(s string) (int, verdict) {
	dec := json.NewDecoder(strings.NewReader(s))
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		if err.Error() == "unexpected EOF" || err.Error() == "EOF" {
			return 0, perhaps
		}
		return 0, no
	}
	calls := []callShape{}
	if raw[0] == '[' {
		if json.Unmarshal(raw, &calls) != nil || len(calls) == 0 {
			return 0, no
		}
	} else {
		var one callShape
		if json.Unmarshal(raw, &one) != nil {
			return 0, no
		}
		calls = append(calls, one)
	}
	for _, c := range calls {
		if !f.isTool(c.name()) {
			return 0, no
		}
	}
	return int(dec.InputOffset()), yes
}

// callShape is how models write calls as text.
type callShape struct {
	Name     string          `json:"name"`
	Tool     string          `json:"tool"`
	Function json.RawMessage `json:"function"`
}

func (c callShape) name() string {
	if c.Name != "" {
		return c.Name
	}
	if c.Tool != "" {
		return c.Tool
	}
	var inner struct {
		Name string `json:"name"`
	}
	var name string
	if json.Unmarshal(c.Function, &name) == nil {
		return name
	}
	if json.Unmarshal(c.Function, &inner) == nil {
		return inner.Name
	}
	return ""
}

func (f *filter) isTool(name string) bool {
	return f.tools[name] || name != "" && protocol.IsExpress(name)
}

// namesTool says whether unfinished JSON names a declared tool.
func (f *filter) namesTool(s string) bool {
	for name := range f.tools {
		if strings.Contains(s, `"`+name+`"`) {
			return true
		}
	}
	return false
}

// likelyCall says whether s may still become an object whose first key is one that calls begin with.
func likelyCall(s string) bool {
	s = strings.TrimLeft(s, "[{ \t\r\n")
	for _, key := range []string{`"name"`, `"type"`, `"function"`, `"tool"`, `"arguments"`, `"parameters"`, `"id"`} {
		if startsWith(s, key) != no {
			return true
		}
	}
	return false
}

type verdict int

const (
	no verdict = iota
	perhaps
	yes
)

// startsWith compares s with a tag; perhaps means that s ends inside it.
func startsWith(s, tag string) verdict {
	switch {
	case len(s) >= len(tag) && strings.EqualFold(s[:len(tag)], tag):
		return yes
	case len(s) < len(tag) && strings.EqualFold(s, tag[:len(s)]):
		return perhaps
	}
	return no
}

// overlap is the length of the longest end of s that begins tag.
func overlap(s, tag string) int {
	for n := min(len(s), len(tag)-1); n > 0; n-- {
		if strings.EqualFold(tag[:n], s[len(s)-n:]) {
			return n
		}
	}
	return 0
}

// indexFold finds tag in s, whatever the case of its letters.
func indexFold(s, tag string) int {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], tag[0])
		if i < 0 {
			return -1
		}
		from += i
		if startsWith(s[from:], tag) == yes {
			return from
		}
		from++
	}
}
