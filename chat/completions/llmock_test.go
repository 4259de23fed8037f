package completions_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yui/chat"
	"yui/chat/completions"
)

// startLLMock starts llmock of @copilotkit/aimock, an OpenAI-compatible server that others wrote. It is found by
// YUI_LLMOCK or in PATH.
func startLLMock(t *testing.T) string {
	t.Helper()
	program := os.Getenv("YUI_LLMOCK")
	if program == "" {
		program = "llmock"
	}
	program, err := exec.LookPath(program)
	if err != nil {
		t.Skip("llmock (npm: @copilotkit/aimock) is not installed; YUI_LLMOCK names it")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	cmd := exec.Command(program, "-p", fmt.Sprint(port), "-h", "127.0.0.1", "-f", filepath.Join("testdata", "llmock.json"), "--strict", "-c", "7")
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start llmock: %v", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			_ = s.Text() // a full pipe would stop it
		}
	}()
	base := fmt.Sprintf("http://127.0.0.1:%d", port)
	for range 100 {
		if resp, err := http.Get(base + "/v1/models"); err == nil {
			_ = resp.Body.Close()
			return base
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("llmock did not answer within 10 s")
	return ""
}

// A counterpart that this project did not write.
func TestAgainstLLMock(t *testing.T) {
	base := startLLMock(t)
	s := newServer(t, proxy(base))
	r := newRig(t, s, []chat.Tool{express(), lookup(chat.Result{Text: "42"})}, func(w *completions.Config, c *chat.Config) { w.Model = "gpt-4o" })
	for words, want := range map[string]struct {
		outcome chat.Outcome
		text    string
	}{
		"hello there": {chat.OK, "Good evening. How are you?"},
		"the answer":  {chat.OK, "Let me check. It is 42."},
		"refuse me":   {chat.NetworkDrop, ""},
	} {
		d := r.say(t, words)
		if d.Outcome != want.outcome || d.Text != want.text {
			t.Errorf("%s: %+v", words, d)
		}
	}
	if d := r.say(t, "break off"); d.Outcome != chat.ParseError || !d.Cut || !strings.HasPrefix(d.Text, "This") {
		t.Errorf("break off: %+v", d)
	}
	s.requests(t)
	direct, err := completions.New(completions.Config{BaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	if models, err := direct.Client().Models(context.Background()); err != nil || len(models) == 0 {
		t.Errorf("models %v, %v", models, err)
	}
}
