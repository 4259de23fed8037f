package ingress

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"yui/chat"
)

// limit is how long a test waits for what must come.
const limit = 60 * time.Second

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a server with a pet that is not there.
type rig struct {
	*Server
	base   string
	turns  chan Turn
	avatar *doll

	mu         sync.Mutex
	away, busy bool
}

func (r *rig) Give(t Turn) { r.turns <- t }
func (r *rig) Away() bool  { r.mu.Lock(); defer r.mu.Unlock(); return r.away }
func (r *rig) Busy() bool  { r.mu.Lock(); defer r.mu.Unlock(); return r.busy }

func (r *rig) be(away, busy bool) {
	r.mu.Lock()
	r.away, r.busy = away, busy
	r.mu.Unlock()
	r.Stir()
}

// doll is an Avatar that does what it is told to answer.
type doll struct {
	mu   sync.Mutex
	word func(ctx context.Context, c json.RawMessage) string
	dead bool
	got  []string
}

func (d *doll) State(context.Context) (json.RawMessage, bool) {
	return json.RawMessage(`{"position":null,"posture":{"state":"sitting"},"vrm":null,"moving":false}`), !d.dead
}

func (d *doll) PerchTargets(context.Context) (json.RawMessage, bool) {
	return json.RawMessage(`{"windows":[],"edges":["left","right"]}`), !d.dead
}

func (d *doll) Command(ctx context.Context, c json.RawMessage) string {
	d.mu.Lock()
	d.got = append(d.got, string(c))
	d.mu.Unlock()
	if d.word == nil {
		return "ok"
	}
	return d.word(ctx, c)
}

func newRig(tb testing.TB, change func(*Options)) *rig {
	tb.Helper()
	r := &rig{turns: make(chan Turn, 10000), avatar: &doll{}}
	opt := Options{Avatar: r.avatar, Turns: r, Presence: r}
	if change != nil {
		change(&opt)
	}
	r.Server = New(opt)
	ctx, cancel := context.WithCancel(context.Background())
	r.Start(ctx)
	tb.Cleanup(func() { cancel(); r.Close() })
	<-r.Ready()
	if st := r.Status(); st.Address == "" || st.Error != "" {
		tb.Fatalf("status %+v", st)
	}
	r.base = "http://" + r.Status().Address
	return r
}

func (r *rig) turn(tb testing.TB) chat.Trigger {
	tb.Helper()
	select {
	case t := <-r.turns:
		return t.Trigger
	case <-time.After(limit):
		tb.Fatal("no turn came")
		return chat.Trigger{}
	}
}

// ask sends a request with a client of its own and gives status and body.
func (r *rig) ask(tb testing.TB, method, path, body string, head ...string) (int, string) {
	tb.Helper()
	req, err := http.NewRequest(method, r.base+path, strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(head); i += 2 {
		switch {
		case head[i] == "Host":
			req.Host = head[i+1]
		case head[i+1] == "":
			req.Header.Del(head[i])
		default:
			req.Header.Add(head[i], head[i+1])
		}
	}
	return r.send(tb, req)
}

func (r *rig) send(tb testing.TB, req *http.Request) (int, string) {
	tb.Helper()
	client := http.Client{Timeout: limit, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		tb.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		tb.Fatal(err)
	}
	for k := range res.Header {
		if strings.HasPrefix(k, "Access-Control-") {
			tb.Errorf("%s: an answer for other origins", k)
		}
	}
	return res.StatusCode, string(b)
}

// raw sends bytes as they are and gives the first line of the answer, "" where there is none.
func (r *rig) raw(tb testing.TB, request string) string {
	tb.Helper()
	c, err := net.Dial("tcp", r.Status().Address)
	if err != nil {
		tb.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(limit))
	if _, err := io.WriteString(c, request); err != nil {
		tb.Fatal(err)
	}
	line, _ := bufio.NewReader(c).ReadString('\n')
	return strings.TrimSpace(line)
}

const (
	doneBody = `{"tool":"claude","project":"yui","cwd":"/home/me/yui","phase":"done","summary":"All tests pass.","ts":1700000000000,"status":"ok","session_id":"s1","detail":"Twelve files."}`
	sigBody  = `{"signals":["The kettle is on."]}`
)

func TestHostIsLoopback(t *testing.T) {
	r := newRig(t, nil)
	_, port, _ := net.SplitHostPort(r.Status().Address)
	for host, want := range map[string]int{
		"127.0.0.1:" + port: 200, "127.0.0.1": 200, "localhost:" + port: 200, "LocalHost": 200, "[::1]:" + port: 200,
		"[::1]": 200, "localhost:9999": 200,
		"evil.test": 421, "evil.test:" + port: 421, "127.0.0.1.evil.test": 421, "localhost.evil.test:" + port: 421,
		"127.0.0.1.": 421, "localhost.": 421, "127.0.0.2": 421, "0.0.0.0": 421, "2130706433": 421, "0x7f.1": 421,
		"127.1": 421, "[::ffff:127.0.0.1]": 421, "[fe80::1]": 421, "[::1": 421, "[::1]x": 421, "[127.0.0.1]": 421,
		"localhost:": 421, "localhost:0": 421, "localhost:65536": 421, "localhost:123456": 421, "localhost:80:80": 421,
		"localhost:8o": 421, "localhost:+80": 421, "::1:" + port: 421, "a@127.0.0.1": 421, "127.0.0.1:80@evil.test": 421,
	} {
		if got := r.raw(t, "GET /avatar/state HTTP/1.1\r\nHost: "+host+"\r\n\r\n"); !strings.HasPrefix(got, fmt.Sprintf("HTTP/1.1 %d ", want)) {
			t.Errorf("Host %q: %s, want %d", host, got, want)
		}
	}
	for what, request := range map[string]string{
		"none, 1.1":  "GET /avatar/state HTTP/1.1\r\n\r\n",
		"none, 1.0":  "GET /avatar/state HTTP/1.0\r\n\r\n",
		"empty":      "GET /avatar/state HTTP/1.1\r\nHost:\r\n\r\n",
		"in the URL": "GET http://evil.test/avatar/state HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		if got := r.raw(t, request); !strings.Contains(got, " 421 ") {
			t.Errorf("Host %s: %s, want 421", what, got)
		}
	}
	if got := r.raw(t, "GET /avatar/state HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\n\r\n"); !strings.Contains(got, " 400 ") {
		t.Error("two hosts:", got) // no request at all by net/http
	}
	// Before the path, and before the method.
	for _, line := range []string{"GET /nowhere", "OPTIONS *", "PUT /signals"} {
		if got := r.raw(t, line+" HTTP/1.1\r\nHost: evil.test\r\n\r\n"); !strings.Contains(got, " 421 ") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestOriginIsLoopback(t *testing.T) {
	r := newRig(t, nil)
	for origin, want := range map[string]int{
		"http://localhost": 200, "http://localhost:3000": 200, "https://127.0.0.1:8443": 200, "http://[::1]:1": 200,
		"null": 403, "https://evil.test": 403, "http://localhost.evil.test": 403, "http://127.0.0.1.evil.test": 403,
		"http://localhost@evil.test": 403, "http://localhost/": 403, "http://localhost, https://evil.test": 403,
		"localhost": 403, "file://": 403, "chrome-extension://abcdef": 403, "http://localhost:x": 403, "//localhost": 403,
	} {
		if got, _ := r.ask(t, "GET", "/avatar/state", "", "Origin", origin); got != want {
			t.Errorf("Origin %q: %d, want %d", origin, got, want)
		}
	}
	if got := r.raw(t, "GET /avatar/state HTTP/1.1\r\nHost: localhost\r\nOrigin:\r\n\r\n"); !strings.Contains(got, " 403 ") {
		t.Error("an empty origin:", got)
	}
	if got, _ := r.ask(t, "GET", "/avatar/state", "", "Origin", "http://localhost", "Origin", "http://localhost"); got != 403 {
		t.Error("two origins:", got)
	}
	if got, _ := r.ask(t, "GET", "/nowhere", "", "Origin", "https://evil.test"); got != 403 {
		t.Error("the origin is judged before the path:", got)
	}
}

func TestPathsAndMethods(t *testing.T) {
	r := newRig(t, nil)
	for _, c := range []struct {
		method, path, body string
		want               int
	}{
		{"POST", "/agent-event", doneBody, 200}, {"POST", "/signals", sigBody, 200},
		{"GET", "/avatar/state", "", 200}, {"GET", "/avatar/perch-targets", "", 200}, {"GET", "/avatar/state?x=/signals", "", 200},
		{"POST", "/avatar/command", `{"action":"stand"}`, 200},
		{"GET", "/agent-event", "", 405}, {"PUT", "/agent-event", doneBody, 405}, {"OPTIONS", "/agent-event", "", 405},
		{"GET", "/signals", "", 405}, {"HEAD", "/avatar/state", "", 405}, {"POST", "/avatar/state", "{}", 405},
		{"DELETE", "/avatar/perch-targets", "", 405}, {"GET", "/avatar/command", "", 405}, {"OPTIONS", "/avatar/command", "", 405},
		{"BREW", "/signals", "", 405},
		{"GET", "/avatar", "", 404}, {"GET", "/avatar/", "", 404}, {"GET", "/avatar/State", "", 404}, {"GET", "/avatar/state/", "", 404},
		{"OPTIONS", "/avatar/nothing", "", 404}, {"GET", "/avatar//state", "", 404}, {"GET", "/avatar/%73tate", "", 404},
		{"GET", "/avatar/../signals", "", 404}, {"GET", "/avatar/state%00", "", 404},
		{"GET", "/", "", 400}, {"POST", "/agent-event/", doneBody, 400}, {"POST", "//agent-event", doneBody, 400},
		{"POST", "/%61gent-event", doneBody, 400}, {"POST", "/./signals", sigBody, 400}, {"POST", "/agent-event%2f", doneBody, 400},
		{"GET", "/avatars", "", 400}, {"POST", "/AGENT-EVENT", doneBody, 400}, {"OPTIONS", "/nowhere", "", 400},
	} {
		if got, _ := r.ask(t, c.method, c.path, c.body); got != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, got, c.want)
		}
	}
	if got := r.raw(t, "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n"); !strings.Contains(got, " 400 ") {
		t.Error("OPTIONS *:", got)
	}
}

func TestContentTypes(t *testing.T) {
	r := newRig(t, nil)
	for kind, want := range map[string]int{
		"application/json": 200, "application/json; charset=utf-8": 200, "Application/JSON;charset=UTF-8": 200,
		"text/plain": 415, "application/x-www-form-urlencoded": 415, "multipart/form-data; boundary=x": 415, "": 415,
		"application/json; charset=utf-16": 415, "application/jsonp": 415, "application/ld+json": 415, "text/json": 415,
		"application/json, text/plain": 415, ";": 415,
	} {
		if got, _ := r.ask(t, "POST", "/signals", sigBody, "Content-Type", "", "Content-Type", kind); got != want {
			t.Errorf("Content-Type %q: %d, want %d", kind, got, want)
		}
	}
	if got, _ := r.ask(t, "POST", "/signals", sigBody, "Content-Type", "text/plain"); got != 415 {
		t.Error("two content types:", got)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, sigBody)
	z.Close()
	if got, _ := r.ask(t, "POST", "/signals", packed.String(), "Content-Encoding", "gzip"); got != 415 {
		t.Error("a packed body:", got)
	}
	if got, _ := r.ask(t, "POST", "/signals", packed.String()); got != 400 {
		t.Error("a packed body that says nothing of it:", got)
	}
}

// bodyOf is a body of /signals of exactly n bytes.
func bodyOf(n int) string {
	head, tail := `{"signals":["`, `"]}`
	return head + strings.Repeat("a", n-len(head)-len(tail)) + tail
}

func TestBodySizes(t *testing.T) {
	r := newRig(t, nil)
	for n, want := range map[int]int{maxBody - 1: 200, maxBody: 200, maxBody + 1: 400, 10 * maxBody: 400} {
		if got, _ := r.ask(t, "POST", "/signals", bodyOf(n)); got != want {
			t.Errorf("%d bytes: %d, want %d", n, got, want)
		}
		// Without a length, in pieces.
		req, _ := http.NewRequest("POST", r.base+"/signals", io.MultiReader(strings.NewReader(bodyOf(n))))
		req.Header.Set("Content-Type", "application/json")
		if req.ContentLength != 0 {
			t.Fatal("the length is known")
		}
		if got, _ := r.send(t, req); got != want {
			t.Errorf("%d bytes in pieces: %d, want %d", n, got, want)
		}
	}
	for what, body := range map[string]string{
		"no UTF-8": "{\"signals\":[\"\xff\"]}", "UTF-16": "{\x00}\x00", "two values": sigBody + sigBody, "none": " ",
		"half": sigBody[:20], "a number": "7", "null": "null", "a list": "[]",
	} {
		if got, _ := r.ask(t, "POST", "/signals", body); got != 400 {
			t.Errorf("%s: %d, want 400", what, got)
		}
	}
	if got := r.raw(t, "POST /signals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"); !strings.Contains(got, " 400 ") {
		t.Error("a bad chunk:", got)
	}
	if got := r.raw(t, "GET /avatar/state HTTP/1.1\r\nHost: localhost\r\nX: "+strings.Repeat("x", 3*maxHead)+"\r\n\r\n"); !strings.Contains(got, " 431 ") {
		t.Error("a large head:", got)
	}
}

// A peer that sends slowly, or nothing, is let go; meanwhile others are served.
func TestSlowPeers(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	var wg sync.WaitGroup
	for _, start := range []string{
		"", "GET /avatar/st", "POST /signals HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n",
		"POST /signals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{\"sig",
	} {
		wg.Go(func() {
			c, err := net.Dial("tcp", r.Status().Address)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(limit))
			io.WriteString(c, start)
			if _, err := io.Copy(io.Discard, c); err != nil { // until the server ends it
				t.Errorf("%q: %v", start, err)
			}
		})
	}
	if got, _ := r.ask(t, "POST", "/signals", sigBody); got != 200 {
		t.Error("beside slow peers:", got)
	}
	wg.Wait()
}

// More peers than there is room for wait, and are served once the silent ones are let go.
func TestManyPeers(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for range maxPeers + 20 {
		c, err := net.Dial("tcp", r.Status().Address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	if got, _ := r.ask(t, "POST", "/signals", sigBody); got != 200 {
		t.Error(got)
	}
}
