package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/internal/npmtest"
)

const prismStart = 2 * time.Minute

// prism starts a program of others that knows Discord's webhooks from Discord's own description, and gives its address.
// Requests that fit the description it hands on to a server of the test's own; others it refuses.
// Where it cannot be had the test says so and is skipped.
func prism(t *testing.T, server string) string {
	t.Helper()
	description, err := os.ReadFile(filepath.Join(os.Getenv("YUI_TEST_FILES"), "schemas", "discord-webhooks.json"))
	if err != nil {
		t.Skip("Discord's own description is not here: YUI_TEST_FILES names the folder that has schemas/discord-webhooks.json")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, so there is no prism to post to")
	}
	folder, err := npmtest.Install(t.Context(), "prism", os.DirFS(filepath.Join("testdata", "prism")))
	if err != nil {
		t.Skipf("prism (npm: @stoplight/prism-cli) cannot be had: %v", err)
	}
	cli := filepath.Join(folder, "node_modules", "@stoplight", "prism-cli", "dist", "index.js")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().(*net.TCPAddr)
	l.Close()
	cmd := exec.Command(node, cli, "proxy", requestsOnly(t, description), server, "--errors", "--host", "127.0.0.1", "--port", fmt.Sprint(address.Port))
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start prism: %v", err)
	}
	listening, ended := make(chan struct{}), make(chan struct{})
	var log strings.Builder
	go func() {
		defer close(ended)
		said := false
		for s := bufio.NewScanner(out); s.Scan(); {
			if log.Len() < 1<<16 {
				fmt.Fprintln(&log, s.Text())
			}
			if !said && strings.Contains(s.Text(), "is listening") {
				said = true
				close(listening)
			}
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
		cmd.Wait()
		if t.Failed() {
			t.Logf("prism said:\n%s", log.String())
		}
	})
	select {
	case <-listening:
	case <-ended:
		t.Fatal("prism ended before it listened")
	case <-time.After(prismStart):
		t.Fatal("prism does not listen")
	}
	return "http://" + address.String()
}

// requestsOnly writes the part of the description that says what may be posted to a webhook, and returns the file: prism
// takes most of a minute to prepare for all of it.
func requestsOnly(t *testing.T, description []byte) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(description, &doc); err != nil {
		t.Fatal(err)
	}
	part := func(of any, key string) map[string]any {
		v, _ := of.(map[string]any)
		w, _ := v[key].(map[string]any)
		return w
	}
	const path, kind = "/webhooks/{webhook_id}/{webhook_token}", "application/json"
	webhook := part(doc["paths"], path)
	post := part(webhook, "post")
	body := part(post, "requestBody")
	what := part(part(body, "content"), kind)
	if what == nil {
		t.Fatal("the description does not say what may be posted to a webhook")
	}
	body["content"] = map[string]any{kind: what}
	post["responses"] = map[string]any{"200": map[string]any{"description": "posted"}, "429": map[string]any{"description": "busy"}}
	doc["paths"] = map[string]any{path: map[string]any{"parameters": webhook["parameters"], "post": post}}
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "discord.json")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestDiscordPrism: every post held against Discord's own description.
func TestDiscordPrism(t *testing.T) {
	var posts, busy atomic.Int32
	base := prism(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		var post struct{ Embeds []map[string]any }
		if err := json.NewDecoder(r.Body).Decode(&post); err != nil || len(post.Embeds) != 1 {
			t.Errorf("%v, %d embeds", err, len(post.Embeds))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if busy.Add(-1) >= 0 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			io.WriteString(w, `{"message":"You are being rate limited.","retry_after":0.05,"global":false,"code":0}`)
			return
		}
		posts.Add(1)
		io.WriteString(w, `{"id":"1","type":0}`)
	}))
	address := base + "/webhooks/123456789012345678/" + testToken
	// It must refuse what Discord would, or the rest of this test says nothing.
	for _, bad := range []string{`{"username":"YUI","embeds":[{"title":"` + strings.Repeat("a", 257) + `"}]}`, `{"embeds":[{"title":7}]}`,
		`{"embeds":[{"description":"` + strings.Repeat("a", 4097) + `"}]}`, `{"embeds":[],"allowed_mentions":{"parse":["nobody"]}}`} {
		res, err := (&http.Client{Timeout: prismStart}).Post(address+"?wait=true", "application/json", strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%.60s: %d %s", bad, res.StatusCode, b)
		}
	}
	share := func(address, args string) string {
		hook, err := ParseWebhook(address)
		if err != nil {
			t.Fatal(err)
		}
		d := &discord{words: lang.In("en"), hook: hook, wait: time.Minute, pause: discordPause, now: time.Now} // prism is no quick reader
		return d.run(context.Background(), Call{Args: []byte(args)}).Text
	}
	for _, c := range []struct{ args, want string }{
		{`{"title":"Tea","content":"Two\nlines @everyone"}`, "sent to Discord: “Tea”, 19 characters"},
		{`{"title":"お茶","content":"緑茶🍵","url":"https://tea.example/緑"}`, "sent to Discord: “お茶”, 3 characters, with the link https://tea.example/%E7%B7%91"},
		{`{"title":"` + strings.Repeat("x", 300) + `","content":"` + strings.Repeat("🍵", 6000) + `"}`, "sent to Discord: “" + strings.Repeat("x", 255) + "…”, 2048 characters (shortened to what Discord takes)"},
	} {
		before := posts.Load()
		if got := share(address, c.args); got != c.want || posts.Load() != before+1 {
			t.Errorf("%.60s: %q, %d posts", c.args, got, posts.Load()-before)
		}
	}
	busy.Store(2)
	if got := share(address, `{"title":"a","content":"b"}`); got != "sent to Discord: “a”, 1 character" {
		t.Errorf("after two refusals: %q", got)
	}
	// An address that Discord does not have.
	if got, want := share(base+"/webhook/1/"+testToken, `{"title":"a","content":"b"}`), "error: Discord does not know the webhook any more; the person has to set a new one (404)"; got != want {
		t.Errorf("%q", got)
	}
}
