package backend

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/chat"
	"yui/cmd/yui/presets"
	"yui/cmd/yui/settings"
)

// An address that is none does not keep her away: she says so whenever she is asked, and no password is in what she says.
func TestBackendSaysWhatIsWrongWithItsAddress(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	for _, c := range []struct {
		api, address string
		want         chat.Reason
	}{
		{settings.APICompletions, "ftp://u:password@x?key=password", chat.BadAddress}, {settings.APICompletions, "http://127.0.0.1:99999/v1", chat.BadAddress},
		{settings.APIResponses, "http://", chat.BadAddress}, {settings.APIPush, "ftp://x", chat.BadAddress}, {settings.APICompletions, "wss://h/x", chat.BadAddress},
		{settings.APICompletions, "", chat.NoServer}, {settings.APIResponses, "", chat.NoServer},
	} {
		b := New(settings.ChatConfig{API: c.api, BaseURL: c.address}, "", quiet)
		missing := b.Missing()
		if missing == nil || missing.Reason != c.want || strings.Contains(missing.Error()+missing.Plain(lang.In("en")), "password") {
			t.Errorf("%s %q: %v, want %s", c.api, c.address, missing, c.want)
		}
	}
	for _, c := range []settings.ChatConfig{{API: settings.APICompanion}, {API: settings.APICompletions, BaseURL: "127.0.0.1:1"}, {API: settings.APIPush, BaseURL: "wss://h/x"}} {
		if missing := New(c, "", quiet).Missing(); missing != nil {
			t.Errorf("%+v: %v", c, missing)
		}
	}
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

// A preset with a backend of her own is answered by it, and no key goes to a server that it is not for.
func TestBackendOfHerOwn(t *testing.T) {
	all := NewBackends(settings.ChatConfig{API: settings.APICompletions, BaseURL: "http://127.0.0.1:1/v1", Instructions: "Be brief.", ContextWindow: 900}, "shared", slog.New(slog.DiscardHandler))
	for _, c := range []struct {
		name           string
		own            *settings.ChatConfig
		key, url, told string
		window         int
	}{
		{"none of her own", nil, "shared", "http://127.0.0.1:1/v1", "Be brief.", 900},
		{"words alone", &settings.ChatConfig{Instructions: "Sing."}, "shared", "http://127.0.0.1:1/v1", "Sing.", 900},
		{"another model of the same server", &settings.ChatConfig{BaseURL: "http://127.0.0.1:1/v1", Model: "m"}, "shared", "http://127.0.0.1:1/v1", "Be brief.", 0},
		{"another server", &settings.ChatConfig{BaseURL: "http://127.0.0.1:2/v1", ContextWindow: 600}, "", "http://127.0.0.1:2/v1", "Be brief.", 600},
		{"another server with a key", &settings.ChatConfig{BaseURL: "http://127.0.0.1:2/v1", APIKey: "hers"}, "hers", "http://127.0.0.1:2/v1", "Be brief.", 0},
	} {
		p := presets.Preset{ID: "kuro", Name: "Kuro", Chat: c.own}
		b, window := all.Of(p)
		told := all.For(p)
		if b.Key != c.key || b.BaseURL != c.url || window != c.window || told.Instructions != c.told || told.Window != c.window || told.Missing != nil || told.Transport == nil {
			t.Errorf("%s: key %q, %s, window %d, told %q, %v", c.name, b.Key, b.BaseURL, window, told.Instructions, told.Missing)
		}
	}
}
