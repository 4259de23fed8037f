package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yui/assets/lang"
	"yui/chat"
)

func TestRoots(t *testing.T) {
	for base, want := range map[string][]string{
		"http://h:1":                      {"http://h:1/v1", "http://h:1"},
		"http://h:1///":                   {"http://h:1/v1", "http://h:1"},
		"h:1":                             {"http://h:1/v1", "http://h:1"},
		" https://h/v1/ ":                 {"https://h/v1"},
		"https://h/v1/chat/completions/":  {"https://h/v1"},
		"https://h/api/v1":                {"https://h/api/v1"},
		"https://h/v1beta/openai/":        {"https://h/v1beta/openai"},
		"https://h/prefix/":               {"https://h/prefix", "https://h/prefix/v1"},
		"https://h/prefix/?api-version=1": {"https://h/prefix?api-version=1", "https://h/prefix/v1?api-version=1"},
		"http://[::1]:8080/v1":            {"http://[::1]:8080/v1"},
		"https://h:65535/v1":              {"https://h:65535/v1"},
	} {
		got, _, err := Roots(base)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("Roots(%q) = %q, %v", base, got, err)
		}
	}
	if got := address("https://h/p?a=1", "/models"); got != "https://h/p/models?a=1" {
		t.Error(got)
	}
}

// What can be no server's address is said before anybody is asked; the words never quote it.
func TestBadAddresses(t *testing.T) {
	for _, base := range []string{"", " ", "ftp://u:pass@h", "http://", "http://:80", "http://h:65536", "http://h:99999/v1", "http://a b:pass@h", "http://[::1", "://h"} {
		_, err := New(Config{BaseURL: base})
		var f *chat.Failure
		if !errors.As(err, &f) || f.Reason != chat.BadAddress || f.Outcome != chat.NotConfigured || strings.Contains(f.Plain(lang.In("en"))+f.Error(), "pass") {
			t.Errorf("%q: %v", base, err)
		}
	}
}

// "Keys are never … shown": an address may hold one.
func TestShown(t *testing.T) {
	for base, want := range map[string]string{
		"http://u:pass@h:1/v1?api-key=pass#pass": "http://h:1/v1", "u:pass@h:1/v1?key=pass": "h:1/v1", " https://h/v1/ ": "https://h/v1/",
		"wss://u:pass@h/ws": "wss://h/ws", "ftp://u:pass@h": "ftp://h", "http://a b:pass@h": "…", "": "",
	} {
		if got := Shown(base); got != want {
			t.Errorf("%q: %q, want %q", base, got, want)
		}
	}
}

// A key is taken without the white space around it; one that no header can carry is called wrong before it is sent.
func TestKeys(t *testing.T) {
	var got string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { got = r.Header.Get("Authorization") }))
	defer srv.Close()
	for key, want := range map[string]string{" abcdefgh\n": "Bearer abcdefgh", "abc\x01defgh": "", "abc\ndefgh": "", "\n": "no header"} {
		got = ""
		c, err := New(Config{BaseURL: srv.URL + "/v1", Key: key})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.Post(context.Background(), "/x", nil)
		if err == nil {
			_ = resp.Body.Close()
		}
		_, listed := c.Models(context.Background())
		var f, g *chat.Failure
		switch {
		case want != "" && (err != nil || strings.TrimPrefix(want, "no header") != got):
			t.Errorf("%q: %q, %v", key, got, err)
		case want == "" && (!errors.As(err, &f) || !errors.As(listed, &g) || f.Reason != chat.WrongKey || g.Reason != chat.WrongKey || strings.Contains(f.Plain(lang.In("en")), "defgh") || got != ""):
			t.Errorf("%q: sent %q, %v, %v", key, got, err, listed)
		}
		c.Rest()
	}
}

func TestModels(t *testing.T) {
	const key = "abcdefghijklmnop"
	var path, auth string
	status, body := 200, `{"object":"list","data":[{"id":"b"},{"id":"a"},{"id":""}]}`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, auth = r.URL.Path, r.Header.Get("Authorization")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	defer srv.Close()
	c, err := New(Config{BaseURL: srv.URL, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Rest()
	got, err := c.Models(context.Background())
	if err != nil || !cmp.Equal(got, []string{"a", "b"}) || path != "/v1/models" || auth != "Bearer "+key {
		t.Errorf("models %v, %v; path %s", got, err, path)
	}
	if took, err := c.Ping(context.Background()); err != nil || took <= 0 {
		t.Errorf("ping %v %v", took, err)
	}
	for _, bad := range []struct {
		status int
		body   string
		reason chat.Reason
	}{
		{401, `{"error":{"message":"bad key ` + key + `","type":"auth"}}`, chat.WrongKey},
		{403, `<html><title>Denied</title></html>`, chat.Forbidden},
		{500, `oops`, chat.ServerFailed},
		{200, `<html></html>`, chat.NotAnAPI},
		{200, ``, chat.NotAnAPI},
	} {
		status, body = bad.status, bad.body
		_, err := c.Models(context.Background())
		var f *chat.Failure
		if !errors.As(err, &f) || f.Reason != bad.reason || strings.Contains(f.Plain(lang.In("en"))+err.Error(), key) {
			t.Errorf("%d %s: %v", bad.status, bad.body, err)
		}
	}
	status, body = 404, "404 page not found"
	if _, err := c.Ping(context.Background()); err != nil {
		t.Errorf("a server without a model list: %v", err)
	}
}

func TestFind(t *testing.T) {
	serve := func(body string) string {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, body) }))
		t.Cleanup(srv.Close)
		return srv.URL + "/v1"
	}
	got := Find(context.Background(), []Local{
		{Name: "nobody", BaseURL: "http://127.0.0.1:1/v1"},
		{Name: "full", BaseURL: serve(`{"object":"list","data":[{"id":"m"}]}`)},
		{Name: "a web page", BaseURL: serve("<html></html>")},
		{Name: "another API", BaseURL: serve(`{"ok":true}`)},
		{Name: "empty", BaseURL: serve(`{"object":"list","data":[]}`)},
	})
	var names []string
	for _, l := range got {
		names = append(names, l.Name)
	}
	if !cmp.Equal(names, []string{"full", "empty"}) || got[0].Models[0] != "m" {
		t.Errorf("found %+v", got)
	}
	if len(LocalServers()) != 3 {
		t.Error("the usual places")
	}
}

func TestProviderErrorForms(t *testing.T) {
	for in, want := range map[string]string{
		`{"error":{"message":"a","code":"x"}}`: "a 0", `{"error":"a"}`: "a 0", `{"message":"a"}`: "a 0", `{"detail":"a"}`: "a 0",
		`{"detail":[{"msg":"a","loc":["body"]}]}`: "a 0", `[{"error":{"message":"a","code":429}}]`: "a 429", `"a"`: "a 0",
		`{"error":{"code":401,"message":"a"}}`: "a 401", `{"object":"error","message":"a","code":400}`: "a 400", `nonsense`: " 0", `{}`: " 0",
		`{"error":null,"message":"a"}`: "a 0",
	} {
		message, code := providerError([]byte(in))
		if got := fmt.Sprint(message, " ", code); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// A model list is read to its bounds: what more there is costs no memory.
func TestModelListIsBounded(t *testing.T) {
	many := strings.Repeat(`{"id":"m"},`, 3000)
	for body, want := range map[string]int{
		`{"object":"list","data":[` + many + `{"id":"z"}]}`:                      2000,
		`{"object":"list","data":[{"id":"` + strings.Repeat("x", 5<<20) + `"}]}`: 0,
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }))
		c, err := New(Config{BaseURL: s.URL + "/v1"})
		if err != nil {
			t.Fatal(err)
		}
		names, err := c.Models(context.Background())
		if len(names) != want || (err == nil) != (want > 0) {
			t.Errorf("%d names, %v", len(names), err)
		}
		s.Close()
	}
}
