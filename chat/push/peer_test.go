package push

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yui/chat"
	"yui/internal/npmtest"
)

// startPeer starts the backend of testdata/peer, JavaScript on the ws library. Where node or the library are not to be
// had the test is skipped.
func startPeer(t *testing.T) (port string) {
	t.Helper()
	dir, err := npmtest.Install(t.Context(), "push-peer", os.DirFS(filepath.Join("testdata", "peer")))
	if err != nil {
		t.Skipf("no peer in another language: %v", err)
	}
	peer := exec.Command("node", "peer.js")
	peer.Dir, peer.Stderr = dir, os.Stderr
	out, err := peer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := peer.Start(); err != nil {
		t.Fatalf("start peer: %v", err)
	}
	t.Cleanup(func() {
		_ = peer.Process.Kill()
		_, _ = io.Copy(io.Discard, out)
		_ = peer.Wait()
	})
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		lines <- strings.TrimSpace(line)
	}()
	select {
	case port = <-lines:
	case <-time.After(patience):
	}
	if port == "" {
		t.Fatal("the peer does not start")
	}
	return port
}

// A counterpart that this project's library did not write: JavaScript and its ws.
func TestAgainstNode(t *testing.T) {
	port := startPeer(t)
	var ran []string
	r := newRig(t, tools(&ran), func(c *Config) { c.BaseURL = "http://127.0.0.1:" + port + "/pet/"; c.Key = "secret-key-0" })
	r.push.Open(r.Session)
	if s, _ := r.state(t, Failed); s.Code != CloseWrongKey {
		t.Errorf("%+v", s)
	}
	if err := r.push.Settings("http://127.0.0.1:"+port+"/pet", "secret-key-1"); err != nil {
		t.Fatal(err)
	}
	r.state(t, Ready)
	for _, c := range []struct{ say, want string }{
		{"hello", "Hello from JavaScript. お茶をどうぞ。🍵"},
		{"tools", "look echo boom big slow for yui-3f9a2c1d"},
		{"look", "screenshot of display 0: data:image/png data:image/png error: unknown tool"},
		{"fragments", "In pieces — 断片。"},
		{"large", "Only this."},
	} {
		r.Say(context.Background(), c.say, nil)
		if d := r.done(t); d.Outcome != chat.OK || d.Text != c.want {
			t.Errorf("%s: %+v", c.say, d)
		}
	}
	for _, line := range []string{"frame_oversize direction=in", "frame_malformed field=frame"} {
		r.log.has(t, line)
	}
	r.push.Reset()
	if d := r.done(t); d.Text != "A new leaf." || d.User {
		t.Errorf("%+v", d)
	}
	r.Say(context.Background(), "story", nil)
	until[chat.Speech](t, r)
	r.Stop()
	if d := r.done(t); !d.Stopped || d.Text != "Once upon a time" {
		t.Errorf("%+v", d)
	}
	if d := r.done(t); wireID(d.Turn) != "peer-1" || d.Text != "As you like." {
		t.Errorf("%+v", d)
	}
	r.Say(context.Background(), "crash", nil)
	if d := r.done(t); d.Outcome != chat.NetworkDrop {
		t.Errorf("%+v", d)
	}
	r.state(t, Ready)
	r.Say(context.Background(), "hello", nil)
	if d := r.done(t); d.Outcome != chat.OK {
		t.Errorf("%+v", d)
	}
}
