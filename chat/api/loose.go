package api

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"yui/chat"
)

// Text is text that a server may send as a string, as an object with a text, or as a list of such parts; null is
// nothing.
type Text string

// UnmarshalJSON takes all forms.
func (t *Text) UnmarshalJSON(raw []byte) error {
	switch raw[0] {
	case '"':
		return json.Unmarshal(raw, (*string)(t))
	case '{':
		raw = append(append([]byte{'['}, raw...), ']')
	case '[':
	default:
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return nil
	}
	for _, p := range parts {
		if p.Type == "text" || p.Type == "output_text" || p.Type == "" {
			*t += Text(p.Text)
		}
	}
	return nil
}

// Arguments is the text of a call's arguments, which some servers send as the object itself (docs/rules/servers.md#a13).
type Arguments string

// UnmarshalJSON takes both forms.
func (a *Arguments) UnmarshalJSON(raw []byte) error {
	switch {
	case raw[0] == '"':
		return json.Unmarshal(raw, (*string)(a))
	case bytes.Equal(raw, []byte("null")):
		*a = ""
	default:
		var tight bytes.Buffer
		if err := json.Compact(&tight, raw); err != nil {
			return err
		}
		*a = Arguments(tight.String())
	}
	return nil
}

// Whole says whether the arguments are a complete JSON object.
func (a Arguments) Whole() bool {
	text := strings.TrimSpace(string(a))
	return strings.HasPrefix(text, "{") && json.Valid([]byte(text))
}

// Parameters gives a tool's schema as it is declared. Strict servers want one; a broken one must not break the request.
func Parameters(t chat.Tool) json.RawMessage {
	raw := bytes.TrimSpace(t.Parameters)
	if bytes.HasPrefix(raw, []byte("{")) && json.Valid(raw) {
		return t.Parameters
	}
	return json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
}

// Encode writes a request with <, > and & as they are: shorter, and some servers' logs show them.
func Encode(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Progress reads a hermes.tool.progress event: which tool of the backend runs or is done (docs/rules/chat.md#calls-of-the-backend).
// ok is false where it names none.
func Progress(raw []byte) (tool string, running, ok bool) {
	var p struct {
		Name, Tool, Status, State string
	}
	if json.Unmarshal(raw, &p) != nil {
		return "", false, false
	}
	status := strings.ToLower(p.Status)
	if p.Name == "" {
		p.Name = p.Tool
	}
	if status == "" {
		status = strings.ToLower(p.State)
	}
	for _, end := range []string{"done", "complete", "finish", "fail", "error"} {
		if strings.Contains(status, end) {
			return p.Name, false, p.Name != ""
		}
	}
	return p.Name, true, p.Name != ""
}

// Peek looks at the first bytes of a body that are no white space; all reads the body from its beginning.
func Peek(r io.Reader) (head []byte, all io.Reader, err error) {
	buf := make([]byte, 0, 512)
	for len(buf) < cap(buf) {
		n, readErr := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		head = bytes.TrimLeft(bytes.TrimPrefix(buf, mark), " \t\r\n")
		if readErr != nil {
			return head, io.MultiReader(bytes.NewReader(buf), errReader{readErr}), readErr
		}
		if len(head) > 0 {
			break
		}
	}
	return head, io.MultiReader(bytes.NewReader(buf), r), nil
}

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }
