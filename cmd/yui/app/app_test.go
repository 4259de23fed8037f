package app

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
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
