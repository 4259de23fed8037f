//go:build !windows && !darwin

package main_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"yui/platform/desktoptest"
)

const secret = "sk-test-3f9a7c21d5e84b60"

// brokenRules is what the log says of a broken file.
var brokenRules = regexp.MustCompile(`rules.toml: line 4`)

// TestBackends talks with a server that answers well, badly, or not at all.
func TestBackends(t *testing.T) {
	t.Parallel() // much of it is waiting
	desk := desktoptest.Start(t, desktoptest.Options{Compositor: true, Wallpaper: "#40607a"})
	server := newFakeServer(t, secret)

	// Silence is waited for 45 s: another instance does that meanwhile.
	patient := prepare(t, desk)
	patient.config(server.config())
	patient.start()
	stalled := make(chan result, 1)
	go func() { stalled <- patient.run("say", "please w-stall now") }()

	y := prepare(t, desk)
	y.config(server.config())
	if err := os.WriteFile(filepath.Join(y.home, ".env"), []byte("YUI_CHAT_KEY="+secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	y.start()
	seen := &bytes.Buffer{} // everything that a person could see
	t.Run("streams", func(t *testing.T) { testStream(t, y.as(t), server) })
	t.Run("calls a tool", func(t *testing.T) { testToolRound(t, y.as(t), server) })
	t.Run("wears a face", func(t *testing.T) {
		y := y.as(t)
		if got := y.must("say", "w-face"); got != "I am so glad. Really very glad about this!" {
			t.Errorf("said %q", got)
		}
		y.wait(settleWait, "a happy face", func(p pet) bool { return p.Emotion == "happy" })
		y.wait(settleWait, "a neutral face again", func(p pet) bool { return p.Emotion == "neutral" })
	})
	t.Run("sees", func(t *testing.T) { testShot(t, y.as(t), server) })
	t.Run("feels", func(t *testing.T) { testFeel(t, y.as(t), server) })
	for _, c := range []struct{ words, out, cause, outcome string }{
		{"w-cut", "This was cut in the mid", "ended before the answer", "parse_error"},
		{"w-html", "", "no chat answer", "parse_error"},
		{"w-401", "", "did not accept the key", "http_4xx_drop"},
		{"w-500", "", "is in trouble", "network_drop"},
		{"w-nonsense", "", "", "parse_error"},
		{"w-inside", "Let me", "overloaded", "network_drop"},
	} {
		t.Run(c.words, func(t *testing.T) {
			y := y.as(t)
			r := y.run("say", c.words)
			seen.WriteString(r.out + r.err)
			if r.code != 1 || r.out != c.out || r.err == "" || !strings.Contains(r.err, c.cause) {
				t.Errorf("say: %+v, want exit 1, %q and the cause %q", r, c.out, c.cause)
			}
			p := y.pet()
			seen.WriteString(y.must("state"))
			why := strings.TrimSpace(strings.TrimPrefix(r.err, "yui:"))
			if !strings.Contains(p.Talk.Bubble, why) || !strings.Contains(p.Talk.Bubble, c.out) {
				t.Errorf("the bubble says %q, the command %q", p.Talk.Bubble, r.err)
			}
			if p.Turn.Running || p.Turn.Outcome == "ok" || (c.outcome != "" && p.Turn.Outcome != c.outcome) {
				t.Errorf("turn: %+v", p.Turn)
			}
			if !strings.Contains(r.err, strings.TrimPrefix(server.URL, "http://")) {
				t.Errorf("the cause does not name the server: %s", r.err)
			}
		})
	}
	t.Run("stopped by Ctrl-C", func(t *testing.T) { testStopped(t, y.as(t), server) })
	t.Run("works again", func(t *testing.T) { testStream(t, y.as(t), server) })
	desk.Picture(t, "backend-reply")
	t.Run("doctor", func(t *testing.T) {
		r := y.as(t).run("doctor")
		seen.WriteString(r.out + r.err)
		if r.code != 0 || !strings.Contains(r.out, "fake-model") {
			t.Errorf("doctor: %+v", r)
		}
	})
	t.Run("silence", func(t *testing.T) { testSilence(t, patient.as(t), stalled) })
	y.quit()
	t.Run("keeps the key", func(t *testing.T) {
		seen.WriteString(y.log.String())
		if strings.Contains(seen.String(), secret) || strings.Contains(seen.String(), secret[8:]) {
			t.Error("the key was seen")
		}
		for _, file := range leaks(t, y.home, secret) {
			if filepath.Base(file) != ".env" {
				t.Errorf("the key is in %s", file)
			}
		}
	})
	t.Run("nobody there", func(t *testing.T) { testNobody(t, desk) })
	t.Run("broker", func(t *testing.T) { testBroker(t, desk) })
}

// leaks are the files under a folder that hold the text.
func leaks(t *testing.T, dir, text string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(text)) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func testStream(t *testing.T, y *instance, server *fakeServer) {
	const want = "Hello from the fake. 日本語もできる。"
	if got := y.must("say", "w-stream please"); got != want {
		t.Errorf("said %q", got)
	}
	p := y.wait(settleWait, "the reply in the bubble", func(p pet) bool { return p.Talk.Bubble == want }) // the first waits for the fonts
	if p.Turn.Outcome != "ok" || p.Turn.Running {
		t.Errorf("turn: %+v", p.Turn)
	}
	req := server.last()
	if req.path != "/v1/chat/completions" || req.header.Get("Authorization") != "Bearer "+secret || req.Model != "fake-model" || !req.Stream {
		t.Errorf("request: %s %v %s", req.path, req.header.Get("Authorization") != "", req.Model)
	}
	if len(req.Tools) < 3 || req.Tools[0].Function.Name != "generate_express" {
		t.Errorf("tools of the request: %d", len(req.Tools))
	}
	if s := y.state(); s.Backend.API != "chat_completions" || s.Backend.BaseURL != server.URL+"/v1" || s.Backend.Model != "fake-model" || !s.Backend.Ready {
		t.Errorf("backend: %+v", s.Backend)
	}
}

func testToolRound(t *testing.T, y *instance, server *fakeServer) {
	if got := y.must("say", "w-tool please"); got != "It answered ok." {
		t.Errorf("said %q", got)
	}
	req := server.last()
	n := len(req.Messages)
	call, answer := req.Messages[n-2], req.Messages[n-1]
	if call.Role != "assistant" || len(call.ToolCalls) != 1 || call.ToolCalls[0].ID != "call_a" || answer.ToolCallID != "call_a" {
		t.Errorf("round trip: %+v %+v", call, answer)
	}
	y.wait(settleWait, "her on the left", func(p pet) bool { return p.Feet.X < 400 })
}

// "A screenshot of the pet's monitor with every user turn, as an image and a screenshot: line" (docs/rules/chat.md#screenshots).
func testShot(t *testing.T, y *instance, server *fakeServer) {
	for _, on := range []bool{true, false} {
		y.must("set", "yui.screenshot", fmt.Sprintf(`{"enabled":%v}`, on))
		y.must("say", "w-stream please")
		messages := server.last().Messages
		n := len(messages)
		parts, _ := messages[n-1].Content.([]any)
		picture := ""
		if len(parts) == 2 {
			url, _ := parts[0].(map[string]any)["image_url"].(map[string]any)
			picture, _ = url["url"].(string)
		}
		if strings.HasPrefix(picture, "data:image/jpeg;base64,") != on || strings.Contains(messages[n-2].text(), "\nscreenshot: monitor 0 (") != on {
			t.Errorf("on %v: %.60s in %d parts, context %s", on, picture, len(parts), messages[n-2].text())
		}
	}
}

// "The waiting pose while the model thinks, the status pill with a human phrase per tool", and both end with the
// words.
func testFeel(t *testing.T, y *instance, server *fakeServer) {
	said := make(chan result, 1)
	go func() { said <- y.run("say", "w-feel please") }()
	y.wait(settleWait, "the waiting pose and the pill", func(p pet) bool { return p.Motion == "thinking" && p.Talk.Status == "searching the web" })
	server.step <- struct{}{}
	if r := <-said; r.out != "I have found it." {
		t.Errorf("said %+v", r)
	}
	p := y.wait(settleWait, "the words", func(p pet) bool { return p.Talk.Bubble == "I have found it." && p.Motion != "thinking" })
	if p.Talk.Status == "searching the web" {
		t.Errorf("the pill says %q", p.Talk.Status)
	}
	y.wait(settleWait, "the pill to go", func(p pet) bool { return p.Talk.Status == "" })
}

// testStopped ends `yui say` as Ctrl-C does; the request to the server ends with it.
func testStopped(t *testing.T, y *instance, server *fakeServer) {
	before := server.abandoned()
	ctx, cancel := context.WithTimeout(t.Context(), commandWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, y.bin, "say", "w-silent please")
	cmd.Env = y.environ()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	y.wait(settleWait, "the turn", func(p pet) bool { return p.Turn.Running })
	if m := y.pet().Motion; m == "" {
		t.Error("no motion while she waits")
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("a stopped say ended with 0")
	}
	y.wait(settleWait, "the end of the turn", func(p pet) bool { return !p.Turn.Running })
	desktoptest.WaitFor(t, settleWait, "the request to end", func() bool { return server.abandoned() > before })
}

func testSilence(t *testing.T, y *instance, stalled <-chan result) {
	select {
	case r := <-stalled:
		if r.code != 1 || r.out != "I was about to" || !strings.Contains(r.err, "fell silent") {
			t.Errorf("say to a server that stalls: %+v", r)
		}
		if p := y.pet(); p.Turn.Outcome != "network_stall" || !strings.Contains(p.Talk.Bubble, "fell silent") {
			t.Errorf("state: %+v %+v", p.Turn, p.Talk)
		}
	case <-time.After(commandWait):
		t.Error("the turn never ended")
	}
	y.quit()
}

func testNobody(t *testing.T, desk *desktoptest.Desktop) {
	y := prepare(t, desk)
	y.config("[chat]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"none\"\n")
	y.start()
	r := y.run("say", "hello")
	if r.code != 1 || r.out != "" || !strings.Contains(r.err, "127.0.0.1:9") {
		t.Errorf("say to nobody: %+v", r)
	}
	y.wait(settleWait, "the bad news in the bubble, though she only just started", func(p pet) bool {
		return strings.Contains(p.Talk.Bubble, "Nobody answers at 127.0.0.1:9")
	})
	time.Sleep(400 * time.Millisecond)
	desk.Picture(t, "backend-failure")
	if r := y.run("doctor"); r.code != 1 || !strings.Contains(r.out, "fail  chat") {
		t.Errorf("doctor: %+v", r)
	}
}
