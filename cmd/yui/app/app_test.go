package app

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yui/cmd/yui/settings"
)

func pathsIn(t *testing.T) settings.Paths {
	t.Helper()
	t.Setenv("YUI_HOME", t.TempDir())
	p, err := settings.FindPaths()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestInProcess holds the companion's way in to what an http.Client expects: headers, a body that streams, an end.
func TestInProcess(t *testing.T) {
	step := make(chan struct{})
	client := http.Client{Transport: inProcess{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprintln(w, "one")
		w.(http.Flusher).Flush()
		select {
		case <-step:
			fmt.Fprintln(w, "two")
		case <-r.Context().Done():
		}
	})}}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	get := func() *http.Response {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://companion.built-in/x", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	resp := get()
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("status %d, header %v", resp.StatusCode, resp.Header)
	}
	lines := bufio.NewScanner(resp.Body)
	if !lines.Scan() || lines.Text() != "one" {
		t.Fatal("the first line must come before the handler is done")
	}
	step <- struct{}{}
	if !lines.Scan() || lines.Text() != "two" || lines.Scan() {
		t.Errorf("the rest: %q", lines.Text())
	}
	boom := http.Client{Transport: inProcess{http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "half")
		panic("out of tea")
	})}}
	r2, err := boom.Get("http://companion.built-in/")
	if err != nil {
		t.Fatal(err)
	}
	defer r2.Body.Close()
	if _, err := io.ReadAll(r2.Body); err == nil {
		t.Error("a handler that panics must break its answer off")
	}
}

func TestControlSocket(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	socket := filepath.Join(t.TempDir(), "s", "yui.sock")
	if code, err := Ask(ctx, socket, Request{Command: "x"}, io.Discard, io.Discard); code != ExitNotRunning || !errors.Is(err, ErrNotRunning) {
		t.Errorf("nobody listens: %d %v", code, err)
	}
	stopped := make(chan struct{})
	c, err := listen(socket, func(ctx context.Context, req Request, r *Reply) int {
		switch req.Command {
		case "wait":
			<-ctx.Done()
			close(stopped)
			return ExitFailed
		case "panic":
			panic("out of tea")
		}
		r.Out(req.Command + " " + strings.Join(req.Args, ","))
		r.Err("aside")
		return 7
	}, (&doorway{}).visit, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() { c.serve(ctx); close(served) }()
	if st, err := os.Stat(socket); err != nil || st.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may reach the socket: %v %v", st.Mode(), err)
	}
	var out, errs bytes.Buffer
	if code, err := Ask(ctx, socket, Request{Command: "say", Args: []string{"a", "b"}}, &out, &errs); code != 7 || err != nil || out.String() != "say a,b\n" || errs.String() != "aside\n" {
		t.Errorf("%d %v %q %q", code, err, out.String(), errs.String())
	}
	if code, _ := Ask(ctx, socket, Request{Command: "panic"}, io.Discard, &errs); code != ExitFailed {
		t.Errorf("a command that panics: exit %d", code)
	}
	web := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	if r, err := web.Post("http://localhost/signals", "application/json", strings.NewReader(strings.Repeat("x", 1<<20))); err != nil || r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a request to the ingress, which is off: %v %v", r, err)
	} else {
		r.Body.Close()
	}
	short, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	if code, _ := Ask(short, socket, Request{Command: "wait"}, io.Discard, io.Discard); code != 130 {
		t.Errorf("a command that was given up: exit %d", code)
	}
	select {
	case <-stopped:
	case <-time.After(5 * time.Second):
		t.Error("giving up did not stop the command")
	}
	cancel()
	select {
	case <-served:
	case <-time.After(5 * time.Second):
		t.Error("the socket did not close")
	}
}
