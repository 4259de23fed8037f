package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"yui/assets/lang"
	"yui/internal/fuzzmem"
	"yui/internal/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listed fails where docs/tools.md does not list a result; its first line counts.
func listed(t *testing.T, result string) {
	t.Helper()
	doc, err := os.ReadFile("../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(result, "\n")
	if !bytes.Contains(doc, []byte("`"+line+"`")) {
		t.Errorf("docs/tools.md does not list %q", line)
	}
}

// TestResultsAreListed has the tools say what they can, and looks it up.
func TestResultsAreListed(t *testing.T) {
	box := &mailbox{t: t}
	hook := hookTo(t, serve(t, box.ServeHTTP))
	run := func(tool Tool, args string) string {
		return tool.Run(context.Background(), Call{Args: json.RawMessage(args)}).Text
	}
	for _, code := range []string{"en", "ja", "ko"} {
		for kind := range kindWords {
			f := &webFailure{kind: failureKind(kind), status: 999}
			listed(t, strings.Replace(f.tell(lang.In(code), "<who>"), "999", "<status>", 1))
			f.wait = 999 * time.Second
			listed(t, strings.NewReplacer("(999)", "(<status>)", "999", "<n>").Replace(f.tell(lang.In(code), "<who>")))
		}
		for _, effect := range []string{"confetti", "hearts", "sparkles", "x"} {
			listed(t, run(NewShowEffect(lang.In(code), &sky{}), `{"effect":"`+effect+`"}`))
		}
		listed(t, run(NewWebSearch(lang.In(code), canned{}, nil), `{}`))
		listed(t, run(NewWebSearch(lang.In(code), canned{}, nil), `{"query":"…"}`))
		listed(t, run(NewWebSearch(lang.In(code), canned{hits: []Hit{{"a", "https://a.example", "b"}}}, nil), `{"query":"…"}`))
		listed(t, (&search{words: lang.In(code), engine: SearXNG{}}).failure(&webFailure{kind: failRefused, status: 403}))
		share := NewDiscordShare(lang.In(code), hook)
		listed(t, run(share, `{"content":"b"}`))
		listed(t, run(share, `{"title":"a"}`))
		listed(t, run(share, `{"title":"a","content":"b","url":"x"}`))
		listed(t, strings.Replace(run(share, `{"title":"<title>","content":"ab"}`), "2", "<n>", 1))
		d := &discord{words: lang.In(code)}
		listed(t, strings.Replace(d.failure(&webFailure{kind: failMissing, status: 999}), "999", "<status>", 1))
		listed(t, d.failure(&webFailure{kind: failTimeout, sent: true}))
		short, whole := d.sent(post{Title: "a", Content: "ab"}), d.sent(post{Title: "a", Content: "ab", URL: "<url>"})
		listed(t, strings.TrimPrefix(whole, short))
		listed(t, strings.TrimPrefix(d.sent(post{Title: "a", Content: "ab", cut: true}), short))
	}
	listed(t, Declined)
	listed(t, protocol.TurnStopped)
}

// TestNoSecretGetsOut runs everything that holds a secret against servers that repeat it, and reads all that comes out.
func TestNoSecretGetsOut(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	for _, status := range []int{301, 400, 401, 429, 500} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "file:///"+r.URL.Path)
			w.Header().Set("Retry-After", testToken)
			w.WriteHeader(status)
			io.WriteString(w, `{"message":"`+r.URL.Path+r.Header.Get("Authorization")+`","error":"`+testKey+`"}`)
		})
		vision, err := NewVision(VisionConfig{Provider: "openai", Model: "m", BaseURL: url, Key: testKey})
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range []Tool{NewDiscordShare(lang.In("en"), hookTo(t, url)), NewWebSearch(lang.In("en"), OllamaSearch{testKey, url}, nil), NewSeeCamera(lang.In("en"), newShutter(), by(vision))} {
			r := tool.Run(context.Background(), Call{Args: []byte(`{"title":"a","content":"b","query":"c"}`)})
			if !strings.HasPrefix(r.Text, "error: ") || leaks(r.Text) {
				t.Errorf("%s, status %d: %q", tool.Name, status, r.Text)
			}
		}
	}
	if log.Len() > 0 {
		t.Errorf("logged: %s", log.String())
	}
}

// FuzzOwnArguments gives the tools of the second document any bytes.
func FuzzOwnArguments(f *testing.F) {
	for _, s := range []string{`{}`, `{"focus":"a","query":"b","effect":"hearts","title":"c","content":"d","url":"https://e"}`, `[]`, ``, `{"title":"\ud800","content":"\u0000"}`,
		`{"query":1e999}`, `{"title":"a","content":"b","url":"https://[::1"}`} {
		f.Add([]byte(s))
	}
	given := &eye{r: Result{Text: "x"}}
	inert := []Tool{NewSeeCamera(lang.In("ja"), newShutter(), by(given)), NewWebSearch(lang.In("ko"), canned{hits: []Hit{{"a", "https://a.example", "b"}}}, nil), NewShowEffect(lang.In("en"), &sky{})}
	web := regexp.MustCompile(`^https?://`)
	f.Fuzz(func(t *testing.T, args []byte) {
		fuzzmem.Watch(t)
		given.seen = nil
		for _, tool := range inert {
			if r := tool.Run(context.Background(), Call{Args: args}); r.Text == "" || !utf8.ValidString(r.Text) || len(r.Text) > 4096 {
				t.Errorf("%s: %q", tool.Name, r.Text)
			}
		}
		p, bad := readPost(lang.In("en"), args)
		q, ok := DiscordRule(lang.In("en")).Question(Call{Args: args})
		if ok != (bad == "") {
			t.Errorf("asked is %v, result %q", ok, bad)
		}
		if !ok {
			return
		}
		if n := units(p.Title); n == 0 || n > 256 || strings.ContainsAny(p.Title, "\n\r\x00") {
			t.Errorf("title %q", p.Title)
		}
		if n := units(p.Content); n == 0 || n > 4096 || (p.URL != "" && !web.MatchString(p.URL)) {
			t.Errorf("%+v", p)
		}
		if !strings.HasPrefix(q.Body, p.Title+"\n\n"+p.Content) || !strings.HasSuffix(q.Body, p.URL) || !utf8.ValidString(q.Body) {
			t.Errorf("asked %q for %+v", q.Body, p)
		}
	})
}

// FuzzDiscord reads how Discord refuses: a wait within bounds, and words of our own for it.
func FuzzDiscord(f *testing.F) {
	f.Add(429, "1", []byte(`{"message":"You are being rate limited.","retry_after":0.3,"global":false}`))
	f.Add(429, "Wed, 21 Oct 2026 07:28:00 GMT", []byte(`{"retry_after":1e300}`))
	f.Add(404, "-1", []byte(`{"message":"Unknown Webhook","code":10015}`))
	f.Add(500, "NaN", []byte("<html>\n"))
	f.Fuzz(func(t *testing.T, status int, header string, body []byte) {
		fuzzmem.Watch(t)
		bad := statusFailure(&http.Response{StatusCode: status, Header: http.Header{"Retry-After": {header}}})
		if bad == nil {
			return
		}
		bad.wait = max(bad.wait, askedWait(body))
		if bad.wait < 0 || bad.wait > 24*time.Hour {
			t.Errorf("waits %v", bad.wait)
		}
		for _, language := range []string{"en", "ja", "ko"} {
			got := (&discord{words: lang.In(language)}).failure(bad)
			if !strings.HasPrefix(got, "error: ") || strings.ContainsAny(got, "\n\r<%") || !utf8.ValidString(got) || units(got) > 200 {
				t.Errorf("%q", got)
			}
		}
	})
}

// FuzzAnswers gives the readers of foreign answers any bytes.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(pages))
	f.Add([]byte(`{"results":[{"title":"\u202e","url":"https://a/%zz"}]}`))
	f.Add([]byte(`[{"text":"a"}]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzmem.Watch(t)
		if hits, err := readHits(b); err == nil {
			for _, h := range usable(hits) {
				if h.Title == "" || units(h.Title) > titleLimit || units(h.Content) > contentLimit || !strings.HasPrefix(h.URL, "http") || strings.ContainsAny(h.Title+h.Content+h.URL, "\n\u202e") {
					t.Errorf("%+v", h)
				}
			}
		}
		if r, err := described(contentText(b)); err == nil && (r.Text == "" || units(r.Text) > descriptionLimit) {
			t.Errorf("%+v", r)
		}
	})
}
