package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"yui/tools/internal/output"
)

const (
	// blocksMost is how many blocks of a result are read: each costs many times what it is long.
	blocksMost = 256
	// pageMost is how many tools of one page of a list are read, for the same reason.
	pageMost = 1 << 14
)

// mend rewrites a message so that one part of a result that the library cannot read costs that part alone. The library
// would refuse the whole: a call that has run would look as if it had not, and a list would be gone for one odd tool.
func mend(message []byte) []byte {
	if !bytes.Contains(message, []byte(`"content"`)) && !bytes.Contains(message, []byte(`"tools"`)) {
		return message
	}
	var outer, result map[string]json.RawMessage
	if json.Unmarshal(message, &outer) != nil || json.Unmarshal(outer["result"], &result) != nil {
		return message
	}
	switch {
	case len(result["content"]) > 0:
		if !mendBlocks(result) {
			return message
		}
	case len(result["tools"]) > 0:
		if !mendTools(result) {
			return message
		}
	default:
		return message
	}
	var err error
	if outer["result"], err = json.Marshal(result); err != nil {
		return message
	}
	if mended, err := json.Marshal(outer); err == nil {
		return mended
	}
	return message
}

// mendBlocks puts a note in the place of each block that cannot be read, and leaves what is not known out of the result;
// false where all of it can be read.
func mendBlocks(result map[string]json.RawMessage) bool {
	var blocks []json.RawMessage
	if json.Unmarshal(result["content"], &blocks) != nil {
		blocks = []json.RawMessage{result["content"]}
	}
	if len(blocks) <= blocksMost && readable(result, &sdk.CallToolResult{}) {
		return false
	}
	more := len(blocks) - blocksMost
	blocks = blocks[:min(len(blocks), blocksMost)]
	for i, b := range blocks {
		if !readable(map[string]any{"content": []json.RawMessage{b}}, &sdk.CallToolResult{}) {
			var kind struct {
				Type string `json:"type"`
			}
			_ = json.Unmarshal(b, &kind) // a block without a kind is one that cannot be read, too
			blocks[i] = textBlock(unknownBlock(kind.Type, len(b)))
		}
	}
	if more > 0 {
		blocks = append(blocks, textBlock(fmt.Sprintf("(%d more parts)", more)))
	}
	failed := strings.Trim(string(result["isError"]), `"`) == "true"
	for name := range result {
		if name != "structuredContent" {
			delete(result, name)
		}
	}
	result["content"], _ = json.Marshal(blocks) // each of them is JSON
	if failed {
		result["isError"] = json.RawMessage("true")
	}
	return true
}

// mendTools puts a tool without a name, which counts as one that cannot be used, in the place of each that cannot be read;
// false where all of them can be.
func mendTools(result map[string]json.RawMessage) bool {
	var list []json.RawMessage
	if json.Unmarshal(result["tools"], &list) != nil {
		return false
	}
	if len(list) <= pageMost && readable(result, &sdk.ListToolsResult{}) {
		return false
	}
	list = list[:min(len(list), pageMost)]
	for i, t := range list {
		if !readable(t, &sdk.Tool{}) {
			list[i] = json.RawMessage("{}")
		}
	}
	result["tools"], _ = json.Marshal(list) // each of them is JSON
	return true
}

// readable tells whether the library can read a value as what it is to be.
func readable(v, as any) bool {
	b, err := json.Marshal(v)
	return err == nil && json.Unmarshal(b, as) == nil
}

// unknownBlock is the note for a part of a result that says nothing to us.
func unknownBlock(kind string, size int) string {
	if kind = output.Line(kind, 40); kind == "" {
		kind = "?"
	}
	return fmt.Sprintf("(a part that cannot be read: %s, %d bytes)", kind, size)
}

func textBlock(text string) json.RawMessage {
	b, err := json.Marshal(map[string]string{"type": "text", "text": text})
	if err != nil {
		return json.RawMessage(`{"type":"text","text":""}`) // strings can always be written
	}
	return b
}

// mended is the body of an answer over HTTP with each message of it mended.
type mended struct {
	io.Closer
	in     *bufio.Reader
	events bool // a stream of events, a message in each line of data; else the body is one message
	rest   []byte
	err    error
}

func newMended(body io.ReadCloser, events bool) *mended {
	return &mended{Closer: body, in: bufio.NewReaderSize(body, 64<<10), events: events}
}

// Read implements io.Reader.
func (m *mended) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		if m.err != nil {
			return 0, m.err
		}
		if !m.events {
			m.rest, m.err = io.ReadAll(m.in) // the body below has a bound
			m.rest = mend(m.rest)
			if m.err == nil {
				m.err = io.EOF
			}
			continue
		}
		m.rest, m.err = readLine(m.in)
		if data, is := bytes.CutPrefix(m.rest, []byte("data:")); is && !errors.Is(m.err, errTooLong) {
			m.rest = append(append([]byte("data: "), mend(bytes.TrimSpace(data))...), '\n')
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}
