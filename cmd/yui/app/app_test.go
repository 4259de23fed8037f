package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"yui/avatar/clips"
	"yui/store"
)

func pathsIn(t *testing.T) Paths {
	t.Helper()
	t.Setenv("YUI_HOME", t.TempDir())
	p, err := FindPaths()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestConfig(t *testing.T) {
	paths := pathsIn(t)
	for _, c := range []struct{ name, text, trouble string }{
		{"empty", "", ""},
		{"a server", "[chat]\nbase_url = 'http://127.0.0.1:11434/v1'\nmodel = 'm'", ""},
		{"unknown key", "[chat]\nmodle = 'm'", "line 2, column 1: there is no key \"chat.modle\""},
		{"broken", "[chat\n", "line 1"},
		{"wrong type", "[body]\nheight = 'tall'", "line 2"},
		{"out of range", "[body]\nheight = 5", "body.height is 5; it must be from 80 to 1200"},
		{"no such api", "[chat]\napi = 'telepathy'", "chat.api"},
		{"no scheme", "[chat]\nbase_url = '127.0.0.1:8011/v1'", ""},
		{"a socket", "[chat]\napi = 'push'\nbase_url = 'wss://h/x'", ""},
		{"no such language", "language = 'xx'", "language"},
		{"strolls", "[body]\nstroll_every = [9, 3]", "body.stroll_every"},
		{"a server of tools", "[mcp.files]\ncommand = ['npx', 'x']\nenv = { A = '$B' }\ndeadline = 5\nsends = true", ""},
		{"a server by address", "[mcp.tickets]\nurl = 'https://x.example/mcp'\nheaders = { Authorization = 'Bearer $T' }", ""},
		{"a server of nothing", "[mcp.files]\n", "mcp files: command or url is missing"},
		{"a server with a bad name", "[mcp.Files]\ncommand = ['x']", "mcp Files: a server's name"},
		{"a server with an unknown key", "[mcp.files]\ncomand = ['x']", "line 2, column 1: there is no key \"mcp.files.comand\""},
		{"a command", "[tools.command.add]\ndescription = 'adds'\nargv = ['echo', '{a}']\nparameters = { properties = { a = { type = 'integer' } } }", ""},
		{"a command with JSON", "[tools.command.add]\ndescription = 'adds'\nargv = ['echo', '{a}']\nparameters = '{\"properties\":{\"a\":{}}}'", ""},
		{"a command without a placeholder's argument", "[tools.command.add]\ndescription = 'adds'\nargv = ['echo', '{b}']", `tools.command.add: argv: there is no parameter "b"`},
		{"a command with a name of ours", "[tools.command.look]\ndescription = 'd'\nargv = ['echo']", "tools.command.look: the name belongs"},
	} {
		if err := os.WriteFile(paths.Config, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := LoadConfig(paths)
		switch {
		case c.trouble == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.trouble != "" && (err == nil || !strings.Contains(err.Error(), c.trouble) || !strings.Contains(err.Error(), "config.toml")):
			t.Errorf("%s: %v, want the file and %q", c.name, err, c.trouble)
		}
	}
}

func TestConfigDefaults(t *testing.T) {
	paths := pathsIn(t)
	c, err := LoadConfig(paths)
	if err != nil || c.Chat.API != APICompanion || c.Body.Height != 240 || c.Window.FPS != 30 {
		t.Errorf("without a file: %+v, %v", c, err)
	}
	if err := os.WriteFile(paths.Config, []byte("[chat]\nbase_url = 'http://127.0.0.1:1/v1'"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err = LoadConfig(paths); err != nil || c.Chat.API != APICompletions {
		t.Errorf("with a server: api %q, %v", c.Chat.API, err)
	}
	if err := os.WriteFile(paths.Config, []byte(configTemplate), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = LoadConfig(paths); err != nil {
		t.Errorf("the template that Settings writes: %v", err)
	}
}

func TestSwitches(t *testing.T) {
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "yui.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := LoadSwitches(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	var heard []string
	s.OnChange(func(key string) { heard = append(heard, key) })
	if s.Enabled(KeyBrowser) || !s.Enabled(KeyRelations) {
		t.Error("browser is off and relations are on by default")
	}
	for _, c := range []struct {
		key, value string
		ok         bool
	}{
		{KeyBrowser, "true", true}, {KeyLook, `{"enabled":true}`, true}, {KeyLook, `{"enabled":"yes"}`, false}, {KeyLook, "3", false},
		{KeyMotions, `["sulk"]`, true}, {KeyMotions, `{}`, false}, {"yui.presence", "20000", true}, {"yui.presence", `"x"`, false},
		{"yui.no-such", "1", false}, {"yui.momo.voice", `"low"`, true}, {KeyBrowser, "{", false},
	} {
		if err := s.Set(ctx, c.key, json.RawMessage(c.value)); (err == nil) != c.ok {
			t.Errorf("set %s %s: %v, want ok %v", c.key, c.value, err, c.ok)
		}
	}
	if !s.Enabled(KeyBrowser) || len(s.Strings(KeyMotions)) != 1 || len(heard) != 5 {
		t.Errorf("browser %v, motions %v, heard %v", s.Enabled(KeyBrowser), s.Strings(KeyMotions), heard)
	}
	again, err := LoadSwitches(ctx, db)
	if err != nil || !again.Enabled(KeyBrowser) {
		t.Errorf("a switch did not last: %v", err)
	}
}

// What is deselected reaches the pet as clips' own names.
func TestAvoidedClips(t *testing.T) {
	ctx := t.Context()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "yui.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := LoadSwitches(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.avoidedClips(); len(got) != 0 {
		t.Errorf("avoids %q before anything is set", got)
	}
	if err := s.Set(ctx, KeyIdle, json.RawMessage(`["lively_hop","motions/idle_stretch.vrma"]`)); err != nil {
		t.Fatal(err)
	}
	if got := s.avoidedClips(); !slices.Equal(got, []clips.ID{clips.LivelyHop, clips.IdleStretch}) {
		t.Errorf("avoids %q", got)
	}
}

func TestPresetsFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(id, text string) {
		if err := os.MkdirAll(filepath.Join(dir, id), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, id, "preset.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("kuro", "name = 'Kuro'\nmodel = 'kuro.vrm'")
	write("yui", "name = 'Yuiko'")
	write("thief", "name = 'T'\nmodel = '../../secret.vrm'")
	write("Bad Name", "name = 'x'")
	write("broken", "name = ")
	list, err := LoadPresets(dir)
	if err == nil || !strings.Contains(err.Error(), "thief") || !strings.Contains(err.Error(), "broken") || !strings.Contains(err.Error(), "Bad Name") {
		t.Errorf("what is wrong must be named: %v", err)
	}
	names := map[string]string{}
	for _, p := range list {
		names[p.ID] = p.Name
	}
	if len(list) != 4 || names["kuro"] != "Kuro" || names["yui"] != "Yuiko" {
		t.Errorf("presets: %v", names)
	}
	if p, err := FindPreset(list, "kuro"); err != nil || p.Name != "Kuro" {
		t.Errorf("by id: %v %v", p, err)
	}
	if p, err := FindPreset(list, "MOMO"); err != nil || p.ID != "momo" {
		t.Errorf("by name: %v %v", p, err)
	}
	if _, err := FindPreset(list, "nobody"); err == nil {
		t.Error("nobody was found")
	}
}

func TestPlainName(t *testing.T) {
	for in, want := range map[string]string{
		"Kuro": "Kuro", "  a\n b\t": "a b", "<img src=x>": "<img src=x>", "../../x": "../../x", "e\u202Evil\u200B": "evil", "\x00": "",
		strings.Repeat("あ", 100): strings.Repeat("あ", nameLimit),
	} {
		if got := plainName(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
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

func TestControlSocket(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	socket := filepath.Join(t.TempDir(), "s", "yui.sock")
	if code, err := Ask(ctx, socket, Request{Command: "x"}, io.Discard, io.Discard); code != ExitNotRunning || !errors.Is(err, ErrNotRunning) {
		t.Errorf("nobody listens: %d %v", code, err)
	}
	stopped := make(chan struct{})
	c, err := listen(socket, func(ctx context.Context, req Request, r *Reply) int {
		switch req.Command {
		case "wait":
			<-ctx.Done()
			close(stopped)
			return ExitFailed
		case "panic":
			panic("out of tea")
		}
		r.Out(req.Command + " " + strings.Join(req.Args, ","))
		r.Err("aside")
		return 7
	}, (&doorway{}).visit, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() { c.serve(ctx); close(served) }()
	if st, err := os.Stat(socket); err != nil || st.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may reach the socket: %v %v", st.Mode(), err)
	}
	var out, errs bytes.Buffer
	if code, err := Ask(ctx, socket, Request{Command: "say", Args: []string{"a", "b"}}, &out, &errs); code != 7 || err != nil || out.String() != "say a,b\n" || errs.String() != "aside\n" {
		t.Errorf("%d %v %q %q", code, err, out.String(), errs.String())
	}
	if code, _ := Ask(ctx, socket, Request{Command: "panic"}, io.Discard, &errs); code != ExitFailed {
		t.Errorf("a command that panics: exit %d", code)
	}
	web := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	if r, err := web.Post("http://localhost/signals", "application/json", strings.NewReader(strings.Repeat("x", 1<<20))); err != nil || r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a request to the ingress, which is off: %v %v", r, err)
	} else {
		r.Body.Close()
	}
	short, stop := context.WithTimeout(ctx, 100*time.Millisecond)
	defer stop()
	if code, _ := Ask(short, socket, Request{Command: "wait"}, io.Discard, io.Discard); code != 130 {
		t.Errorf("a command that was given up: exit %d", code)
	}
	select {
	case <-stopped:
	case <-time.After(5 * time.Second):
		t.Error("giving up did not stop the command")
	}
	cancel()
	select {
	case <-served:
	case <-time.After(5 * time.Second):
		t.Error("the socket did not close")
	}
}
