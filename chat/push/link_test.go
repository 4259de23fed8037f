package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"yui/assets/lang"
	"yui/chat"
)

// "URL = chat_base_url with http->ws, trailing slashes removed, plus /ws".
func TestAddress(t *testing.T) {
	for base, want := range map[string]string{
		"http://127.0.0.1:8646":          "ws://127.0.0.1:8646/ws",
		"http://127.0.0.1:8646///":       "ws://127.0.0.1:8646/ws",
		"https://example.org/chat/":      "wss://example.org/chat/ws",
		"HTTPS://example.org":            "wss://example.org/ws",
		"ws://example.org/a/b":           "ws://example.org/a/b/ws",
		"wss://example.org:1/":           "wss://example.org:1/ws",
		"127.0.0.1:8646":                 "ws://127.0.0.1:8646/ws",
		" http://h/x%2Fy/ ":              "ws://h/x%2Fy/ws",
		"http://h/p?room=1#top":          "ws://h/p/ws?room=1",
		"http://[::1]:8646/":             "ws://[::1]:8646/ws",
		"http://user:password@h:1/":      "ws://user:password@h:1/ws",
		"http://example.org/ws":          "ws://example.org/ws/ws",
		"http://\u65e5\u672c.example/ok": "ws://\u65e5\u672c.example/ok/ws",
	} {
		got, err := Address(base)
		if unescaped := strings.ReplaceAll(got, "%E6%97%A5%E6%9C%AC", "\u65e5\u672c"); err != nil || unescaped != want {
			t.Errorf("%q: %q, %v, want %q", base, got, err, want)
		}
	}
	for _, base := range []string{"", "  ", "ftp://h", "http://", "http:///x", "http://:80", "http://h:port", "http://h:65536", "http://a b:pass@h", "://h", "\x00"} {
		_, err := New(Config{BaseURL: base})
		var f *chat.Failure
		if !errors.As(err, &f) || f.Reason != chat.BadAddress {
			t.Errorf("%q: %v", base, err)
		} else if strings.Contains(f.Plain(lang.In("en")), "pass") {
			t.Errorf("%q is quoted: %s", base, f.Plain(lang.In("en")))
		}
	}
}

func TestChatID(t *testing.T) {
	a, b := NewChatID(), NewChatID()
	if len(a) != len("yui-3f9a2c1d") || !strings.HasPrefix(a, "yui-") || a == b {
		t.Errorf("%q %q", a, b)
	}
}

// The waits of docs/rules/chat.md#push-turns.
func TestDefaultWaits(t *testing.T) {
	w := Waits{}.filled()
	if w.First != time.Second || w.Most != 30*time.Second || w.Ready != 10*time.Second || w.Frame != 240*time.Second {
		t.Errorf("%+v", w)
	}
}

// next waits for the next state of a phase and gives those before it.
func (r *rig) state(t *testing.T, phase Phase) (s State, before []State) {
	t.Helper()
	for timeout := time.After(patience); ; {
		select {
		case s := <-r.states:
			if s.Phase == phase {
				return s, before
			}
			before = append(before, s)
		case <-timeout:
			t.Fatalf("no state %s came; before %+v", phase, before)
		}
	}
}

// "Reconnect 1 s doubling to 30 s", and from the beginning again after ready.
func TestReconnectSchedule(t *testing.T) {
	r := newRig(t, nil, func(c *Config) { c.Waits.First, c.Waits.Most = time.Millisecond, 30*time.Millisecond })
	r.push.Open(r.Session)
	for _, want := range []int{1, 2, 4, 8, 16, 30, 30} {
		w := r.wire(t)
		w.next("hello")
		_ = w.conn.CloseNow()
		s, _ := r.state(t, Reconnecting)
		if s.Delay != time.Duration(want)*time.Millisecond || s.Err == nil {
			t.Errorf("delay %v, want %d ms; %v", s.Delay, want, s.Err)
		}
	}
	w := r.meet(t)
	r.state(t, Ready)
	_ = w.conn.Close(websocket.StatusGoingAway, "restart")
	if s, _ := r.state(t, Reconnecting); s.Delay != time.Millisecond || !strings.Contains(s.Err.Plain(lang.In("en")), "restart") {
		t.Errorf("after ready: %+v", s)
	}
	r.meet(t)
}

// "close code 4401 = wrong key, no retry until settings change", before ready and after it.
func TestWrongKey(t *testing.T) {
	for _, late := range []bool{false, true} {
		r := newRig(t, nil, func(c *Config) { c.Waits.First, c.Waits.Most = time.Millisecond, time.Millisecond })
		var w *wire
		if late {
			w = r.open(t)
		} else {
			r.push.Open(r.Session)
			w = r.wire(t)
			w.next("hello")
		}
		_ = w.conn.Close(CloseWrongKey, "who are you")
		if s, _ := r.state(t, Failed); s.Code != 4401 || s.Err == nil || s.Err.Reason != chat.WrongKey {
			t.Errorf("%+v", s)
		}
		select {
		case <-r.wires:
			t.Error("it tried again")
		case <-time.After(100 * time.Millisecond):
		}
		r.Say(context.Background(), "hm", nil)
		if d := r.done(t); d.Outcome != chat.NetworkDrop || !strings.Contains(d.Error, "did not accept the key") {
			t.Errorf("%+v", d)
		}
		if err := r.push.Settings("nonsense://", "k"); err == nil {
			t.Error("a wrong address was taken")
		}
		if err := r.push.Settings(r.URL, "secret-key-2"); err != nil {
			t.Error(err)
		}
		if hello := r.wire(t).next("hello"); hello.Key != "secret-key-2" {
			t.Errorf("%+v", hello)
		}
	}
}

// Settings reach a connection that is up, too: it is left politely.
func TestSettingsWhileConnected(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	if err := r.push.Settings(r.URL+"/other/", "secret-key-2"); err != nil {
		t.Fatal(err)
	}
	<-w.gone
	if hello := r.wire(t).next("hello"); hello.Key != "secret-key-2" {
		t.Errorf("%+v", hello)
	}
}

// "hello->ready wait 10 s".
func TestNoReady(t *testing.T) {
	r := newRig(t, nil, func(c *Config) { c.Waits.Ready = 30 * time.Millisecond })
	r.push.Open(r.Session)
	r.wire(t).next("hello")
	if s, _ := r.state(t, Reconnecting); s.Err == nil || s.Err.Reason != chat.Stalled {
		t.Errorf("%+v", s)
	}
	w := r.wire(t)
	w.next("hello")
	w.render("hermes-1", "too early") // counts for nothing, and is no ready
	r.state(t, Reconnecting)
}

// A server that accepts the connection and never answers the handshake, and one that hangs up on it.
func TestNoHandshake(t *testing.T) {
	for _, hang := range []bool{true, false} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		var held []net.Conn
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				if held = append(held, c); !hang {
					_ = c.Close()
				}
			}
		}()
		states := make(chan State, 100)
		p, err := New(Config{BaseURL: "http://" + l.Addr().String(), OnState: func(s State) { states <- s }, Waits: Waits{Dial: 50 * time.Millisecond, First: time.Hour}})
		if err != nil {
			t.Fatal(err)
		}
		p.Open(nil)
		for s := range states {
			if s.Phase == Reconnecting {
				if s.Err == nil || hang && s.Err.Reason != chat.Stalled {
					t.Errorf("%+v", s)
				}
				break
			}
		}
		p.Close()
		_ = l.Close()
		<-ended
		for _, c := range held {
			_ = c.Close()
		}
	}
}

// Servers that are no Push backend: each gives one sentence that says what to change.
func TestOtherServers(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		reason chat.Reason
		words  string
	}{
		"not found": {http.NotFound, chat.NoSocket, "base_url is what stands before its /ws"},
		"page": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<html><title>Welcome</title></html>")
		}, chat.NotAnAPI, "Welcome"},
		"refused": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"bad secret-key-1"}}`, http.StatusUnauthorized)
		}, chat.WrongKey, "did not accept the key"},
		"away": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "resting", http.StatusServiceUnavailable) }, chat.ServerFailed, "resting"},
		"redirected": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/x", http.StatusFound)
		}, chat.Redirected, "127.0.0.1:1/x"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(c.answer)
			defer s.Close()
			failureOf(t, s.URL, c.reason, c.words)
		})
	}
	t.Run("nobody", func(t *testing.T) {
		s := httptest.NewServer(http.NotFoundHandler())
		s.Close()
		failureOf(t, s.URL, chat.Unreachable, "Nobody answers")
	})
	t.Run("certificate", func(t *testing.T) {
		s := httptest.NewUnstartedServer(http.NotFoundHandler())
		s.Config.ErrorLog = discard
		s.StartTLS()
		defer s.Close()
		failureOf(t, s.URL, chat.BadCertificate, "not trusted")
	})
	t.Run("name", func(t *testing.T) { failureOf(t, "http://no-such-host.invalid", chat.UnknownHost, "not known") })
}

// failureOf connects once and looks at what a turn says then.
func failureOf(t *testing.T, base string, reason chat.Reason, words string) {
	t.Helper()
	states := make(chan State, 100)
	p, err := New(Config{BaseURL: base, Key: "secret-key-1", OnState: func(s State) { states <- s }, Waits: Waits{First: time.Hour, Dial: patience}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Open(nil)
	for s := range states {
		if s.Phase == Reconnecting {
			break
		}
	}
	_, err = p.Stream(context.Background(), &chat.Request{Turn: "1"}, nil)
	var f *chat.Failure
	if !errors.As(err, &f) || f.Outcome != chat.NetworkDrop || f.Reason != reason || !strings.Contains(f.Plain(lang.In("en")), words) {
		t.Errorf("%+v\n%v", f, err)
	}
	if f != nil && strings.Contains(f.Plain(lang.In("en"))+f.Error(), "secret-key") {
		t.Errorf("the key is in %s", f.Plain(lang.In("en")))
	}
}

var discard = log.New(io.Discard, "", 0)
