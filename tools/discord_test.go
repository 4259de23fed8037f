package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/internal/protocol"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

func hookTo(t *testing.T, base string) Webhook {
	t.Helper()
	h, err := ParseWebhook(base + "/api/webhooks/123456789012345678/" + testToken)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// discordSchemas are ours and, where the files are there, Discord's own.
func discordSchemas(t *testing.T) []*jsonschema.Schema {
	t.Helper()
	compile := func(path, at string) *jsonschema.Schema {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("file:///d.json", doc); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("file:///d.json" + at)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ours := compile("testdata/discord-webhook.schema.json", "")
	if ours == nil {
		t.Fatal("testdata/discord-webhook.schema.json is missing")
	}
	if theirs := compile(os.Getenv("YUI_TEST_FILES")+"/schemas/discord-webhooks.json", "#/components/schemas/IncomingWebhookRequestPartial"); theirs != nil {
		return []*jsonschema.Schema{ours, theirs}
	}
	t.Log("Discord's own schema is not here: set YUI_TEST_FILES")
	return []*jsonschema.Schema{ours}
}

// mailbox is a webhook that keeps what was posted.
type mailbox struct {
	t       *testing.T
	schemas []*jsonschema.Schema
	posts   []map[string]any
}

func (m *mailbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(r.Body)
	if err != nil || r.Method != "POST" || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") || r.URL.Query().Get("wait") != "true" {
		m.t.Errorf("%s %v %v", r.Method, r.Header, err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		m.t.Error(err)
	}
	for _, s := range m.schemas {
		if err := s.Validate(doc); err != nil {
			m.t.Errorf("%v\n%s", err, b)
		}
	}
	m.posts = append(m.posts, doc.(map[string]any))
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"id":"1","type":0}`)
}

func TestDiscordShare(t *testing.T) {
	box := &mailbox{t: t, schemas: discordSchemas(t)}
	hook := hookTo(t, serve(t, box.ServeHTTP))
	for _, c := range []struct{ lang, args, want, title, content, url string }{
		{"en", `{"title":"Tea","content":"Two\nlines @everyone"}`, "sent to Discord: “Tea”, 19 characters", "Tea", "Two\nlines @everyone", ""},
		{"ja", `{"title":" お茶\n","content":"緑茶","url":"https://tea.example/緑"}`, "Discord に送りました: 「お茶」、2文字、リンク https://tea.example/%E7%B7%91", "お茶", "緑茶", "https://tea.example/%E7%B7%91"},
		{"ko", `{"title":"차","content":"녹차","url":""}`, "Discord로 보냈습니다: ‘차’, 2자", "차", "녹차", ""},
		{"en", `{"title":"T","content":"C","url":null,"extra":1}`, "sent to Discord: “T”, 1 character", "T", "C", ""},
	} {
		box.posts = nil
		r := NewDiscordShare(lang.In(c.lang), hook).Run(context.Background(), Call{Args: []byte(c.args)})
		if r.Text != c.want || len(box.posts) != 1 {
			t.Errorf("%s: %q and %d posts, want %q", c.args, r.Text, len(box.posts), c.want)
			continue
		}
		embed := box.posts[0]["embeds"].([]any)[0].(map[string]any)
		if embed["title"] != c.title || embed["description"] != c.content || (c.url != "" && embed["url"] != c.url) || (c.url == "" && embed["url"] != nil) {
			t.Errorf("%s: %v", c.args, embed)
		}
		q, ok := DiscordRule(lang.In(c.lang)).Question(Call{Args: []byte(c.args)})
		if want := strings.TrimSpace(c.title + "\n\n" + c.content + "\n\n" + c.url); !ok || q.Body != want {
			t.Errorf("%s: asked %q, sent %q", c.args, q.Body, want)
		}
		speaks(t, c.lang, q.Title)
	}
}

func TestDiscordArguments(t *testing.T) {
	url := trap(t).URL
	for _, args := range []string{`{}`, `[]`, ``, `{"title":"a"}`, `{"title":"","content":"b"}`, `{"title":"\u200b","content":"b"}`, `{"title":"a","content":" \n "}`,
		`{"title":1,"content":"b"}`, `{"title":"a","content":"b","url":"javascript:alert(1)"}`, `{"title":"a","content":"b","url":"file:///etc/passwd"}`,
		`{"title":"a","content":"b","url":7}`, `{"title":"a","content":"b","url":"https://x@y/"}`, `{"title":"a","content":"b","url":"https://x/` + strings.Repeat("a", 2048) + `"}`} {
		for _, code := range []string{"en", "ja", "ko"} {
			r := NewDiscordShare(lang.In(code), hookTo(t, url)).Run(context.Background(), Call{Args: json.RawMessage(args)})
			if !strings.HasPrefix(r.Text, "error: ") {
				t.Errorf("%s: %q", args, r.Text)
			}
			speaks(t, code, r.Text)
			if _, ok := DiscordRule(lang.In(code)).Question(Call{Args: json.RawMessage(args)}); ok {
				t.Errorf("%s is asked for, though it cannot be sent", args)
			}
		}
	}
	if r := NewDiscordShare(lang.In("en"), hookTo(t, url)).Run(stoppedTurn(), Call{Args: []byte(`{"title":"a","content":"b"}`)}); r.Text != protocol.TurnStopped {
		t.Errorf("a stopped turn: %q", r.Text)
	}
}

// TestDiscordLimits sends texts of every length and script; the mailbox holds them against the schemas.
func TestDiscordLimits(t *testing.T) {
	box := &mailbox{t: t, schemas: discordSchemas(t)}
	hook := hookTo(t, serve(t, box.ServeHTTP))
	rapid.Check(t, func(rt *rapid.T) {
		piece := rapid.SampledFrom([]string{"word ", "長い文章。", "긴 글 ", "😀", "x", "\n", "@here "})
		build := func(name string) string {
			return "a" + strings.Repeat(piece.Draw(rt, name), rapid.IntRange(0, 3000).Draw(rt, name+" times"))
		}
		args, err := json.Marshal(map[string]string{"title": build("title"), "content": build("content")})
		if err != nil {
			rt.Fatal(err)
		}
		box.posts = nil
		r := NewDiscordShare(lang.In("en"), hook).Run(context.Background(), Call{Args: args})
		if !strings.HasPrefix(r.Text, "sent to Discord: ") || len(box.posts) != 1 {
			rt.Fatalf("%q", r.Text)
		}
		embed := box.posts[0]["embeds"].([]any)[0].(map[string]any)
		title, content := embed["title"].(string), embed["description"].(string)
		if units(title) > 256 || units(content) > 4096 || units(title)+units(content)+len("YUI") > 6000 {
			rt.Fatalf("%d and %d units", units(title), units(content))
		}
		if cut := strings.HasSuffix(title, "…") || strings.HasSuffix(content, "…"); cut != strings.Contains(r.Text, "shortened") {
			rt.Fatalf("cut is %v: %s", cut, r.Text)
		}
	})
}

func TestDiscordWaits(t *testing.T) {
	limited := func(n int32, header, body string) (string, *atomic.Int32) {
		var tries atomic.Int32
		return serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if tries.Add(1) > n {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			if header != "" {
				w.Header().Set("Retry-After", header)
			}
			w.WriteHeader(http.StatusTooManyRequests)
			io.WriteString(w, body)
		}), &tries
	}
	for _, c := range []struct {
		name         string
		times        int32
		header, body string
		want         string
		tries        int32
	}{
		{"once, as Discord says it", 1, "1", `{"message":"You are being rate limited.","retry_after":0.05,"global":false}`, "sent to Discord: “a”, 1 character", 2},
		{"twice", 2, "", `{"retry_after":0.01}`, "sent to Discord: “a”, 1 character", 3},
		{"for ever", 99, "", `{"retry_after":0.01}`, "error: Discord has had too many requests; it asks to wait 1 second", 3},
		{"too long", 1, "", `{"retry_after":64.57}`, "error: Discord has had too many requests; it asks to wait 65 seconds", 1},
		{"far too long", 1, "99999999999", ``, "error: Discord has had too many requests; it asks to wait 86400 seconds", 1},
		{"HTML in front of it", 1, "0.05", `<html>`, "sent to Discord: “a”, 1 character", 2},
		{"no time at all", 1, "", `{"retry_after":-1}`, "error: Discord has had too many requests; try again later", 1},
	} {
		url, tries := limited(c.times, c.header, c.body)
		if r := NewDiscordShare(lang.In("en"), hookTo(t, url)).Run(context.Background(), Call{Args: []byte(`{"title":"a","content":"b"}`)}); r.Text != c.want || tries.Load() != c.tries {
			t.Errorf("%s: %q after %d tries, want %q after %d", c.name, r.Text, tries.Load(), c.want, c.tries)
		}
	}
}

// TestDiscordFaults sees that nothing is posted twice, and that no result shows the webhook.
func TestDiscordFaults(t *testing.T) {
	for _, f := range faults(t) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var tries atomic.Int32
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/api/") {
					tries.Add(1)
				}
				f.answer(w, r)
			})
			for _, code := range []string{"en", "ja", "ko"} {
				tries.Store(0)
				d := &discord{words: lang.In(code), hook: hookTo(t, url), wait: f.patience(), pause: time.Second, now: time.Now}
				r := d.run(context.Background(), Call{Args: []byte(`{"title":"a","content":"b"}`)})
				if tries.Load() != 1 || leaks(r.Text) || strings.Contains(r.Text, "127.0.0.1") {
					t.Errorf("%q after %d posts", r.Text, tries.Load())
				}
				speaks(t, code, r.Text)
				begins := "error: "
				switch f.name {
				case "HTML", "nothing", "a list", "null", "half of a JSON", "cut short", "breaks off", "too large", "slow to end":
					begins = map[string]string{"en": "sent to", "ja": "Discord に送りました", "ko": "Discord로 보냈습니다"}[code] // it said yes, whatever came after
				case "hangs up", "slow to begin":
					begins = "unknown: "
				}
				if !strings.HasPrefix(r.Text, begins) {
					t.Errorf("%q, want %q…", r.Text, begins)
				}
				tool := NewDiscordShare(lang.In(code), d.hook)
				if failed := strings.HasPrefix(r.Text, "error:") || tool.Failed(r.Text); failed != (begins == "error: " || begins == "unknown: ") {
					t.Errorf("%q: failed is %v", r.Text, failed)
				}
			}
		})
	}
}

func TestParseWebhook(t *testing.T) {
	for _, c := range []struct {
		address string
		ok      bool
	}{
		{"https://discord.com/api/webhooks/1/" + testToken, true},
		{" https://discord.com/api/webhooks/1/" + testToken + "?thread_id=5 ", true},
		{"http://127.0.0.1:4010/webhooks/1/" + testToken, true},
		{"http://localhost:4010/webhooks/1/" + testToken, true},
		{"http://discord.com/api/webhooks/1/" + testToken, false},
		{"http://127.0.0.1.evil.example/" + testToken, false},
		{testToken, false},
		{"", false},
		{"https:// /" + testToken, false},
		{"https://a\x7f/" + testToken, false},
	} {
		h, err := ParseWebhook(c.address)
		if (err == nil) != c.ok {
			t.Errorf("%q: %v", c.address, err)
		}
		if s := fmt.Sprintf("%v %+v %#v %v", h, h, h, err); leaks(s) {
			t.Errorf("shows: %s", s)
		}
	}
	h, err := ParseWebhook("https://discord.com/api/webhooks/1/t?thread_id=5")
	if err != nil || h.address() != "https://discord.com/api/webhooks/1/t?thread_id=5&wait=true" {
		t.Errorf("%v", err)
	}
}
