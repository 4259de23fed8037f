package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// frameMost is how long one message of a server may be, in bytes: four pictures in base64, and then some.
	frameMost = 16 << 20
	// writeWait is how long a server may not read what it is sent.
	writeWait = 10 * time.Second
	// junkMost is how many lines of a server's output may be no messages within junkSpan: some write their log to stdout.
	junkMost = 1000
	junkSpan = 10 * time.Second
	// withinMost is how many places of a line that is no message are tried for an answer.
	withinMost = 8
)

var (
	errTooLong = errors.New("a message is too long")
	errJunk    = errors.New("its output is no MCP")
	errUnheard = errors.New("nothing of it was read")
)

// chatter are notifications that nobody here listens to.
var chatter = []string{"notifications/message", "notifications/progress", "notifications/resources/updated",
	"notifications/resources/list_changed", "notifications/prompts/list_changed"}

// pipe is a connection over a program's stdin and stdout: a message a line. It is an sdk.Transport for one connection.
type pipe struct {
	in     *os.File // the server's stdout
	out    *os.File // the server's stdin
	frames chan jsonrpc.Message
	closed chan struct{}
	once   sync.Once

	writing sync.Mutex
	mu      sync.Mutex
	cause   error // why reading ended
	done    chan struct{}
}

func newPipe(in, out *os.File) *pipe {
	return &pipe{in: in, out: out, frames: make(chan jsonrpc.Message), closed: make(chan struct{}), done: make(chan struct{})}
}

// Connect implements sdk.Transport.
func (p *pipe) Connect(context.Context) (sdk.Connection, error) {
	go p.read()
	return p, nil
}

// SessionID implements sdk.Connection; there is none.
func (p *pipe) SessionID() string { return "" }

// read takes lines in until the pipe ends. Notifications that nobody listens to end here.
func (p *pipe) read() {
	defer close(p.done)
	lines := bufio.NewReaderSize(p.in, 64<<10)
	speed := pace{perSecond: paceMessages, bytes: paceBytes}
	junk, since := 0, time.Now()
	for {
		line, err := readLine(lines)
		size := len(line)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			messages := decodeLine(line)
			if len(messages) == 0 {
				if now := time.Now(); now.Sub(since) > junkSpan {
					junk, since = 0, now
				}
				if junk++; junk > junkMost {
					err = errJunk
				}
			}
			for _, msg := range messages {
				if chatters(msg) {
					continue
				}
				select {
				case p.frames <- msg:
				case <-p.closed:
					return
				}
			}
		}
		if err != nil {
			p.mu.Lock()
			p.cause = err
			p.mu.Unlock()
			return
		}
		if wait := speed.took(1, size, time.Now()); wait > 0 {
			select {
			case <-time.After(wait):
			case <-p.closed:
				return
			}
		}
	}
}

// decodeLine reads the messages of a line: it is one, or holds answers, or none.
func decodeLine(line []byte) []jsonrpc.Message {
	if msg := decodeMessage(line); msg != nil {
		return []jsonrpc.Message{msg}
	}
	if json.Valid(line) {
		return nil // a log in JSON, which may quote messages
	}
	return answersWithin(line)
}

// answersWithin finds the answers in a line that holds something else, too: of a log whose line had not ended when the
// answer was written, or that came between an answer and the end of its line. Somebody waits for them. Requests are not
// looked for: a log that quotes what was asked would be answered.
func answersWithin(line []byte) (found []jsonrpc.Message) {
	name := []byte(`"jsonrpc"`)
	for range withinMost {
		at := bytes.Index(line, name)
		if at < 0 {
			break
		}
		rest := line[at+len(name):]
		if start := bytes.LastIndexByte(line[:at], '{'); start >= 0 {
			var object json.RawMessage
			decoder := json.NewDecoder(bytes.NewReader(line[start:]))
			if decoder.Decode(&object) == nil {
				rest = line[start+int(decoder.InputOffset()):]
				if answer, ok := decodeMessage(object).(*jsonrpc.Response); ok {
					found = append(found, answer)
				}
			}
		}
		line = rest
	}
	return found
}

// decodeMessage reads one message, nil where it is none of the protocol: lines of a log may begin with a bracket, or be
// JSON themselves.
func decodeMessage(line []byte) jsonrpc.Message {
	if line[0] != '{' {
		return nil
	}
	msg, err := jsonrpc.DecodeMessage(mend(line))
	if err != nil {
		return nil
	}
	switch m := msg.(type) {
	case *jsonrpc.Request:
		if m.Method == "" {
			return nil
		}
	case *jsonrpc.Response:
		if len(m.Result) == 0 && m.Error == nil {
			return nil
		}
	}
	return msg
}

// chatters tells whether a message is a notification that nobody listens to.
func chatters(msg jsonrpc.Message) bool {
	r, ok := msg.(*jsonrpc.Request)
	return ok && !r.IsCall() && slices.Contains(chatter, r.Method)
}

// readLine reads a line of at most frameMost bytes; what it returns is the caller's.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > frameMost {
			return nil, errTooLong
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// Read implements sdk.Connection.
func (p *pipe) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-p.frames:
		return msg, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.closed:
		return nil, io.EOF
	case <-p.done:
		p.mu.Lock()
		defer p.mu.Unlock()
		return nil, p.cause
	}
}

// Write implements sdk.Connection. A server that does not read is given up after a while.
func (p *pipe) Write(ctx context.Context, msg jsonrpc.Message) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	if err := p.out.SetWriteDeadline(time.Now().Add(writeWait)); err != nil && !errors.Is(err, os.ErrNoDeadline) {
		return fmt.Errorf("write message: %w", err)
	}
	if n, err := p.out.Write(append(b, '\n')); err != nil {
		p.shut() // half a message is no message: nothing that follows could be read
		if n == 0 {
			return fmt.Errorf("write message: %w: %w", errUnheard, err)
		}
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}

// Close implements sdk.Connection: the server sees the end of its stdin. Its end is the business of the process.
func (p *pipe) Close() error {
	p.shut()
	return nil
}

func (p *pipe) shut() {
	p.once.Do(func() {
		close(p.closed)
		p.out.Close()
		p.in.Close()
	})
}
