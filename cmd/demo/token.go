package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// firstToken measures from the first streamed token on the socket to the bubble's text: a server of our own tells when it
// wrote, and the control socket when the text is there.
func (s *stage) firstToken(ctx context.Context, bin string) error {
	wrote := make(chan time.Time, 1)
	release := make(chan struct{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, ": wait\n\n")
		w.(http.Flusher).Flush()
		select {
		case <-release:
		case <-r.Context().Done():
			return
		}
		wrote <- time.Now()
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Here.\"}}]}\n\n")
		w.(http.Flusher).Flush()
		time.Sleep(300 * time.Millisecond)
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	})}
	go func() { _ = srv.Serve(l) }()
	defer srv.Close()
	p, err := startPet(ctx, bin, s.Env(), fmt.Sprintf("[chat]\nbase_url = \"http://%s/v1\"\nmodel = \"m\"\n[body]\nwalk = false\n", l.Addr()))
	if err != nil {
		return err
	}
	defer p.end()
	time.Sleep(2 * time.Second)
	var lates []time.Duration
	for i := range 12 {
		said := make(chan error, 1)
		go func() { _, err := p.run(ctx, "say", "hello"); said <- err }()
		time.Sleep(700 * time.Millisecond)
		release <- struct{}{}
		at := <-wrote
		for {
			bubble, err := p.bubble(ctx)
			if err != nil {
				return err
			}
			if bubble != "" {
				break
			}
			if time.Since(at) > 2*time.Second {
				return fmt.Errorf("the token never reached the bubble")
			}
		}
		if i > 1 { // the first ones load fonts
			lates = append(lates, time.Since(at))
		}
		if err := <-said; err != nil {
			return err
		}
	}
	slices.Sort(lates)
	fmt.Printf("%-34s median %.1f ms, longest %.1f ms (a frame is 33 ms)\n", "first token -> bubble's text", ms(lates[len(lates)/2]), ms(lates[len(lates)-1]))
	return nil
}

// bubble asks the running instance for its bubble over the control socket, without a process for the question.
func (p *pet) bubble(ctx context.Context) (string, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", p.dir+"/yui.sock")
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintln(conn, `{"command":"state"}`); err != nil {
		return "", err
	}
	var line struct{ Out string }
	if err := json.NewDecoder(conn).Decode(&line); err != nil {
		return "", err
	}
	var s struct {
		Presets []struct{ Talk struct{ Bubble string } }
	}
	if err := json.Unmarshal([]byte(line.Out), &s); err != nil || len(s.Presets) == 0 {
		return "", fmt.Errorf("read state: %w", err)
	}
	return s.Presets[0].Talk.Bubble, nil
}
