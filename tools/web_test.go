package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"yui/assets/lang"
)

const (
	testKey   = "key-THAT-NOBODY-MAY-SEE"
	testToken = "token-THAT-NOBODY-MAY-SEE"
)

// leaks tells whether a text shows a secret.
func leaks(s string) bool { return strings.Contains(s, "NOBODY-MAY-SEE") }

// trap is a server that no request may reach.
func trap(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a request was led elsewhere: %s %s, authorization %q", r.Method, r.URL.Path, r.Header.Get("Authorization"))
	}))
	t.Cleanup(s.Close)
	return s
}

// fault is one way in which a server answers wrongly.
type fault struct {
	name   string
	answer http.HandlerFunc
	kind   failureKind
}

func faults(t *testing.T) []fault {
	elsewhere := trap(t)
	status := func(code int, header, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if k, v, ok := strings.Cut(header, ": "); ok {
				w.Header().Set(k, v)
			}
			w.WriteHeader(code)
			io.WriteString(w, body)
		}
	}
	drop := func(before string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			c, buf, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			buf.WriteString(before)
			buf.Flush()
			c.Close()
		}
	}
	return []fault{
		{"400", status(400, "", `{"error":"no"}`), failStatus},
		{"401", status(401, "", `{"error":"unauthorized"}`), failRefused},
		{"403 with HTML", status(403, "Content-Type: text/html", "<html>forbidden"), failRefused},
		{"404", status(404, "", `{"error":"model not found"}`), failMissing},
		{"429", status(429, "", `{"error":"slow down"}`), failBusy},
		{"429 that says when", status(429, "Retry-After: 120", ""), failBusy},
		{"500", status(500, "", "boom"), failServer},
		{"502 with HTML", status(502, "Content-Type: text/html", "<html>bad gateway"), failServer},
		{"HTML", status(200, "Content-Type: text/html", "<!doctype html><p>Sign in"), failAnswer},
		{"nothing", status(200, "", ""), failAnswer},
		{"a list", status(200, "", `[]`), failAnswer},
		{"null", status(200, "", `null`), failAnswer},
		{"cut short", status(200, "Content-Length: 5000", `{"results":[{"title":"a"`), failAnswer},
		{"half of a JSON", status(200, "", `{"results":[{"title":"a"`), failAnswer},
		{"breaks off", drop("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"results\":["), failAnswer},
		{"hangs up", drop(""), failUnreachable},
		{"redirect to a file", status(302, "Location: file:///etc/passwd", ""), failRedirect},
		{"redirect to another host", status(302, "Location: "+elsewhere.URL+"/steal", ""), failRedirect},
		{"redirect that keeps the body", status(307, "Location: "+elsewhere.URL+"/steal", ""), failRedirect},
		{"redirect for ever", status(308, "Location: /again", ""), failRedirect},
		{"too large", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"results":[{"title":"`)
			for chunk := strings.Repeat("a", 64<<10); ; {
				if _, err := io.WriteString(w, chunk); err != nil {
					return
				}
			}
		}, failTooLarge},
		{"slow to begin", func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body); <-r.Context().Done() }, failTimeout},
		{"slow to end", func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			io.WriteString(w, `{"results":[`)
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, failTimeout},
	}
}

// patience is how long a test waits for a server with a fault: long, but for those that never answer.
func (f fault) patience() time.Duration {
	if f.kind == failTimeout {
		return 400 * time.Millisecond
	}
	return time.Minute
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func TestAskWebFailures(t *testing.T) {
	for _, f := range faults(t) {
		t.Run(f.name, func(t *testing.T) {
			url := serve(t, f.answer) + "/" + testToken
			ctx, cancel := context.WithTimeout(context.Background(), f.patience())
			defer cancel()
			b, err := askWeb(ctx, webRequest{method: "POST", url: url, bearer: testKey, body: map[string]any{"a": 1}, limit: 256 << 10})
			var got *webFailure
			if err == nil && f.kind == failAnswer {
				return // the readers of the answers find it out
			}
			if !errors.As(err, &got) || got.kind != f.kind {
				t.Fatalf("%v with %.80q, want kind %q", err, b, kindWords[f.kind])
			}
			if s := fmt.Sprintf("%v %+v %#v", err, got, got); leaks(s) || strings.Contains(s, "127.0.0.1") {
				t.Errorf("the error tells too much: %s", s)
			}
		})
	}
}

func TestAskWebWithoutServer(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	url := s.URL
	s.Close()
	for _, u := range []string{url + "/" + testToken, "http://" + testToken + ".invalid/", "http://\x7f/" + testToken, "gopher://a/" + testToken} {
		_, err := askWeb(context.Background(), webRequest{method: "GET", url: u, limit: 10})
		var f *webFailure
		if !errors.As(err, &f) || f.kind != failUnreachable || f.sent || leaks(err.Error()) {
			t.Errorf("%q: %v", u, err)
		}
	}
}

func TestFollowsHome(t *testing.T) {
	var second atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/there" {
			second.Add(1)
			io.WriteString(w, `{}`)
			return
		}
		http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
	})
	if b, err := askWeb(context.Background(), webRequest{method: "POST", url: url + "/here", body: 1, limit: 10}); err != nil || string(b) != `{}` || second.Load() != 1 {
		t.Errorf("%q %v", b, err)
	}
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"https://a.org/x", "https://a.org/y", true},
		{"http://a.org/x", "https://a.org/x", true},
		{"https://a.org/x", "http://a.org/x", false},
		{"https://a.org/x", "https://b.org/x", false},
		{"http://a.org/x", "https://b.org/x", false},
		{"http://a.org:80/x", "http://a.org:81/x", false},
		{"https://a.org/x", "file:///etc/passwd", false},
	} {
		from, to := httptest.NewRequest("GET", c.from, nil), httptest.NewRequest("GET", c.to, nil)
		if err := followsHome(to, []*http.Request{from}); (err == nil) != c.ok {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
	}
}

func TestSecret(t *testing.T) {
	var log bytes.Buffer
	s := Secret(testKey)
	v := VisionConfig{Provider: "ollama", Key: s}
	hook, err := ParseWebhook("https://discord.com/api/webhooks/1/" + testToken)
	if err != nil {
		t.Fatal(err)
	}
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", s, "config", v, "hook", hook)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", s, "config", v, "hook", hook)
	j, err := json.Marshal(map[string]any{"key": s, "config": v, "engine": OllamaSearch{Key: s}})
	if err != nil {
		t.Fatal(err)
	}
	all := log.String() + string(j) + fmt.Sprintf("%v %+v %#v %s %q %x %v", s, v, v, s, s, s, hook) + fmt.Sprintf("%+v %#v", hook, hook)
	if leaks(all) || strings.Contains(all, fmt.Sprintf("%x", testKey)) {
		t.Errorf("a secret shows: %s", all)
	}
}

// speaks tells whether a result is in the language: apart from marks, names of arguments and addresses.
func speaks(t *testing.T, language, result string) {
	t.Helper()
	has := func(tables ...*unicode.RangeTable) bool {
		return strings.ContainsFunc(result, func(r rune) bool { return unicode.In(r, tables...) })
	}
	kana, hangul := has(unicode.Hiragana, unicode.Katakana), has(unicode.Hangul)
	ok := map[string]bool{"en": !kana && !hangul, "ja": kana && !hangul, "ko": hangul && !kana}[language]
	bare := regexp.MustCompile(`^(error|unknown): |https?://\S+`).ReplaceAllString(result, "")
	if language != "en" { // three words of English in a row are a sentence in the wrong language
		ok = ok && !regexp.MustCompile(`[a-z]{2,} [a-z]{2,} [a-z]{2,}`).MatchString(bare)
	}
	if !ok {
		t.Errorf("%s: %q is in another language", language, result)
	}
}

func TestFailuresSpeak(t *testing.T) {
	seen := map[string]string{}
	for kind := range kindWords {
		for _, wait := range []time.Duration{0, 1500 * time.Millisecond} {
			for _, code := range []string{"en", "ja", "ko"} {
				f := &webFailure{kind: failureKind(kind), wait: wait, status: 418}
				s := f.tell(lang.In(code), "X")
				speaks(t, code, s)
				if !strings.HasPrefix(s, "error: ") || strings.Contains(s, "%!") {
					t.Errorf("%q", s)
				}
				who := fmt.Sprint(kind, code)
				if by, dup := seen[s]; dup && by != who {
					t.Errorf("%q is said of two failures", s)
				}
				seen[s] = who
			}
		}
	}
}
