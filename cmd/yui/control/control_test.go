package control

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yui/internal/fuzzmem"
)

var quiet = slog.New(slog.DiscardHandler)

// serve answers handlers on a socket of its own until the test ends.
func serve(t *testing.T, handlers Handlers) (socket string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	socket = filepath.Join(t.TempDir(), "s", "yui.sock")
	s, err := Listen(socket, handlers, func(c *net.UnixConn, in *bufio.Reader) {
		defer c.Close()
		fmt.Fprintf(c, "seen %d bytes", in.Buffered())
	}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() { s.Serve(ctx); close(served) }()
	t.Cleanup(func() {
		cancel()
		select {
		case <-served:
		case <-time.After(5 * time.Second):
			t.Error("the socket did not close")
		}
	})
	return socket
}

func TestAsk(t *testing.T) {
	handlers := Handlers{
		"say": func(_ context.Context, req Request, r *Reply) error {
			r.Out(req.Preset + " " + strings.Join(req.Args, ","))
			r.Err("aside")
			return nil
		},
		"fail":  func(context.Context, Request, *Reply) error { return errors.New("out of tea") },
		"told":  func(_ context.Context, _ Request, r *Reply) error { r.Out("error: no"); return Failed },
		"usage": func(_ context.Context, req Request, _ *Reply) error { return BadUsage("%q is no cup", req.Arg(0)) },
		"value": func(_ context.Context, req Request, r *Reply) error { return r.Value(json.RawMessage(`{"a": 1}`), nil) },
		"none":  func(_ context.Context, req Request, r *Reply) error { return r.Value(nil, errors.New("no value")) },
		"panic": func(context.Context, Request, *Reply) error { panic("out of tea") },
	}
	socket := serve(t, handlers)
	if st, err := os.Stat(socket); err != nil || st.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may reach the socket: %v %v", st.Mode(), err)
	}
	for _, test := range []struct {
		req            Request
		code           Exit
		stdout, stderr string
	}{
		{Request{Command: "say", Preset: "p", Args: []string{"a", "b"}}, 0, "p a,b\n", "aside\n"},
		{Request{Command: "fail"}, 1, "", "out of tea\n"},
		{Request{Command: "told"}, 1, "error: no\n", ""},
		{Request{Command: "usage"}, 2, "", "\"\" is no cup\n"},
		{Request{Command: "value"}, 0, "{\"a\": 1}\n", ""},
		{Request{Command: "none"}, 1, "", "no value\n"},
		{Request{Command: "panic"}, 1, "", "internal error: out of tea\n"},
		{Request{Command: "fly"}, 2, "", "there is no command \"fly\"\n"},
		{Request{}, 2, "", "there is no command \"\"\n"},
	} {
		var out, errs bytes.Buffer
		err := Ask(context.Background(), socket, test.req, &out, &errs)
		var code Exit
		if err != nil && !errors.As(err, &code) || code != test.code || out.String() != test.stdout || errs.String() != test.stderr {
			t.Errorf("%+v: %v, %q, %q", test.req, err, out.String(), errs.String())
		}
	}
}

func TestNotRunning(t *testing.T) {
	err := Ask(context.Background(), filepath.Join(t.TempDir(), "yui.sock"), Request{Command: "state"}, io.Discard, io.Discard)
	said := ""
	if code := Finish(err, func(s string) { said = s }); code != 3 || !errors.Is(err, ErrNotRunning) || said != ErrNotRunning.Error() {
		t.Errorf("nobody listens: exit %d, %v, %q", code, err, said)
	}
}

// Ctrl-C stops the command on the other side, which may still tell what came of it.
func TestStop(t *testing.T) {
	began := make(chan struct{})
	socket := serve(t, Handlers{"wait": func(ctx context.Context, _ Request, r *Reply) error {
		close(began)
		<-ctx.Done()
		r.Out("stopped")
		return nil
	}})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { <-began; stop() }()
	var out bytes.Buffer
	if err := Ask(ctx, socket, Request{Command: "wait"}, &out, io.Discard); !errors.Is(err, Exit(130)) || out.String() != "stopped\n" {
		t.Errorf("a command that was given up: %v, %q", err, out.String())
	}
}

// What begins like HTTP is no command.
func TestVisit(t *testing.T) {
	conn, err := net.Dial("unix", serve(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1"); err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(conn); err != nil || string(b) != "seen 14 bytes" {
		t.Errorf("%q, %v", b, err)
	}
}

// Who asks too much at once is told so, and the others are answered.
func TestAtOnce(t *testing.T) {
	began, end := make(chan struct{}), make(chan struct{})
	socket := serve(t, Handlers{"wait": func(context.Context, Request, *Reply) error {
		began <- struct{}{}
		<-end
		return nil
	}})
	done := make(chan error)
	for range mostAtOnce {
		go func() { done <- Ask(context.Background(), socket, Request{Command: "wait"}, io.Discard, io.Discard) }()
		<-began
	}
	var errs bytes.Buffer
	if err := Ask(context.Background(), socket, Request{Command: "wait"}, io.Discard, &errs); !errors.Is(err, Failed) || !strings.Contains(errs.String(), "busy") {
		t.Errorf("one too many: %v, %q", err, errs.String())
	}
	close(end)
	for range mostAtOnce {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// FuzzRequest has the control socket read what some program of the person's writes. It is answered, by an exit code at
// the end.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"command":"call","preset":"yui","args":["look","{}"],"log":true}` + "\n"))
	f.Add([]byte(`{"command":7}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzmem.Watch(t)
		s := newServer(nil, Handlers{"call": func(_ context.Context, req Request, _ *Reply) error { return Exit(len(req.Args)) }}, nil, quiet)
		ours, theirs := net.Pipe()
		done := make(chan struct{})
		go func() { s.answer(context.Background(), ours, bytes.NewReader(text)); close(done) }()
		dec, last := json.NewDecoder(theirs), answer{}
		for {
			var a answer
			if err := dec.Decode(&a); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			last = a
		}
		theirs.Close()
		<-done
		if last.Exit == nil {
			t.Error("no exit code at the end")
		}
	})
}
