package mcp

import (
	"bufio"
	"bytes"
	"context"
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
	// junkMost is how many lines of a server's output may be no messages: some greet on stdout.
	junkMost = 1000
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
	frames chan []byte
	closed chan struct{}
	once   sync.Once

	writing sync.Mutex
	mu      sync.Mutex
	cause   error // why reading ended
	done    chan struct{}
}

func newPipe(in, out *os.File) *pipe {
	return &pipe{in: in, out: out, frames: make(chan []byte), closed: make(chan struct{}), done: make(chan struct{})}
}

// Connect implements sdk.Transport.
func (p *pipe) Connect(context.Context) (sdk.Connection, error) {
	go p.read()
	return p, nil
}

// SessionID implements sdk.Connection; there is none.
func (p *pipe) SessionID() string { return "" }

// read takes lines in until the pipe ends.
func (p *pipe) read() {
	defer close(p.done)
	lines := bufio.NewReaderSize(p.in, 64<<10)
	speed := pace{perSecond: paceMessages, bytes: paceBytes}
	for junk := 0; ; {
		line, err := readLine(lines)
		size := len(line)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if line[0] == '{' || line[0] == '[' {
				select {
				case p.frames <- line:
				case <-p.closed:
					return
				}
			} else if junk++; junk > junkMost {
				err = errJunk
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

// Read implements sdk.Connection. Notifications that nobody listens to end here.
func (p *pipe) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var line []byte
		select {
		case line = <-p.frames:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.closed:
			return nil, io.EOF
		case <-p.done:
			select {
			case line = <-p.frames: // nothing comes any more; for the order of things
			default:
				p.mu.Lock()
				defer p.mu.Unlock()
				return nil, p.cause
			}
		}
		msg, err := jsonrpc.DecodeMessage(line)
		if err != nil {
			return nil, fmt.Errorf("read message: %w", errJunk)
		}
		if r, ok := msg.(*jsonrpc.Request); ok && !r.IsCall() && slices.Contains(chatter, r.Method) {
			continue
		}
		return msg, nil
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
