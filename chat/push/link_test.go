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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

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
	for _, base := range []string{"", "  ", "ftp://h", "http://", "http:///x", "http://:80", "http://h:port", "http://a b:pass@h", "://h", "\x00"} {
		_, err := New(Config{BaseURL: base})
		var f *chat.Failure
		if !errors.As(err, &f) || f.Reason != chat.BadAddress {
			t.Errorf("%q: %v", base, err)
		} else if strings.Contains(f.Plain(), "pass") {
			t.Errorf("%q is quoted: %s", base, f.Plain())
		}
	}
}

func TestChatID(t *testing.T) {
	a, b := NewChatID(), NewChatID()
	if len(a) != len("yui-3f9a2c1d") || !strings.HasPrefix(a, "yui-") || a == b {
		t.Errorf("%q %q", a, b)
	}
}

// The waits of spec/chat.md 4.1.
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
	if s, _ := r.state(t, Reconnecting); s.Delay != time.Millisecond || !strings.Contains(s.Err.Plain(), "restart") {
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
		"not found": {http.NotFound, chat.Refused, "no /ws at this address"},
		"page": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "<html><title>Welcome</title></html>")
		}, chat.NotAnAPI, "Welcome"},
		"refused": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"bad secret-key-1"}}`, http.StatusUnauthorized)
		}, chat.WrongKey, "did not accept the key"},
		"away":       {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "resting", 503) }, chat.ServerFailed, "resting"},
		"redirected": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://127.0.0.1:1/x", 302) }, chat.Redirected, "127.0.0.1:1/x"},
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
	if !errors.As(err, &f) || f.Outcome != chat.NetworkDrop || f.Reason != reason || !strings.Contains(f.Plain(), words) {
		t.Errorf("%+v\n%v", f, err)
	}
	if f != nil && strings.Contains(f.Plain()+f.Error(), "secret-key") {
		t.Errorf("the key is in %s", f.Plain())
	}
}

// "Turn before ready -> network_drop", at once.
func TestTurnBeforeReady(t *testing.T) {
	r := newRig(t, nil, nil)
	r.Say(context.Background(), "before Open", nil)
	if d := r.done(t); d.Outcome != chat.NetworkDrop || d.Error == "" {
		t.Errorf("%+v", d)
	}
	r.push.Open(r.Session)
	w := r.wire(t)
	w.next("hello")
	r.Say(context.Background(), "before ready", nil)
	if d := r.done(t); d.Outcome != chat.NetworkDrop {
		t.Errorf("%+v", d)
	}
	w.quiet() // "sent only when ready"
}

// "Frame wait passes before the first render -> network_stall and a failure line; after it -> ok with a log line.
// Socket lost likewise (network_drop / ok)."
func TestStallAndLoss(t *testing.T) {
	for _, c := range []struct {
		name             string
		render, lost     bool
		outcome          chat.Outcome
		words, log, text string
	}{
		{"stall before", false, false, chat.NetworkStall, "fell silent", "", ""},
		{"stall after", true, false, chat.OK, "", "reason=frame_wait", "Half of it."},
		{"loss before", false, true, chat.NetworkDrop, "ended before the answer did", "", ""},
		{"loss after", true, true, chat.OK, "", "reason=network_drop", "Half of it."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, nil, func(c *Config) { c.Waits.Frame = 80 * time.Millisecond })
			w := r.open(t)
			id := r.say(t, w, "hm")
			if c.render {
				w.render(id, "Half of it.")
			}
			if c.lost {
				_ = w.conn.CloseNow()
			}
			d := r.done(t)
			if d.Outcome != c.outcome || !strings.Contains(d.Error, c.words) || d.Text != c.text || d.Cut != c.render {
				t.Errorf("%+v", d)
			}
			if c.log != "" {
				r.log.has(t, c.log)
			}
			if !c.lost { // an answer that comes late after all is heard as a reply
				w.render(id, "Here I am.")
				w.end(id)
			} else {
				w = r.meet(t)
				w.render(id, "Here I am.")
				w.end(id)
			}
			if d := r.done(t); d.Text != "Here I am." || d.User {
				t.Errorf("late: %+v", d)
			}
		})
	}
}

// The session's shorter count of silence ends a turn in the same way.
func TestSessionStall(t *testing.T) {
	r := newRig(t, nil, nil)
	s := chat.NewSession(chat.Config{Backend: chat.Backend{Transport: r.push}, Observer: func(e chat.Event) { r.seen <- e },
		Limits: chat.Limits{Otherwise: 50 * time.Millisecond, AfterSpeech: time.Nanosecond}})
	w := r.open(t)
	s.Say(context.Background(), "hm", nil)
	f := w.next("turn")
	if d := r.done(t); d.Outcome != chat.NetworkStall {
		t.Errorf("%+v", d)
	}
	s.Say(context.Background(), "again", nil)
	f = w.next("turn")
	w.render(f.TurnID, "Half of it.")
	if d := r.done(t); d.Outcome != chat.OK || d.Text != "Half of it." {
		t.Errorf("%+v", d)
	}
	w.quiet() // no stop: the backend may still come
}

// A turn's answer is kept waiting by frames alone: any of the turn's frames starts the wait anew.
func TestFrameWaitCountsSilence(t *testing.T) {
	r := newRig(t, nil, func(c *Config) { c.Waits.Frame = 400 * time.Millisecond })
	w := r.open(t)
	id := r.say(t, w, "hm")
	for range 8 {
		time.Sleep(100 * time.Millisecond)
		w.put(`{"type":"reasoning","turn_id":%q,"delta":"…"}`, id)
	}
	w.render(id, "Done.")
	w.end(id)
	if d := r.done(t); d.Outcome != chat.OK || d.Text != "Done." {
		t.Errorf("%+v", d)
	}
}

// "vocabulary {type,vocabulary} whenever it changes while connected".
func TestVocabularyChanges(t *testing.T) {
	words := make(chan []string, 1)
	words <- []string{"wave"}
	r := newRig(t, nil, func(c *Config) {
		c.Vocabulary = func() Vocabulary { w := <-words; words <- w; return Vocabulary{MotionIDs: w} }
	})
	r.push.VocabularyChanged() // not connected: hello tells it
	w := r.open(t)
	r.push.VocabularyChanged() // nothing has changed
	<-words
	words <- []string{"wave", "nod"}
	r.push.VocabularyChanged()
	r.push.VocabularyChanged()
	if f := w.next("vocabulary"); fmt.Sprint(f.Vocabulary["motion_ids"]) != "[wave nod]" {
		t.Errorf("%+v", f)
	}
	w.quiet()
}

// A change between hello and ready is told behind ready.
func TestVocabularyChangesBeforeReady(t *testing.T) {
	words := make(chan []string, 1)
	words <- nil
	r := newRig(t, nil, func(c *Config) {
		c.Vocabulary = func() Vocabulary { w := <-words; words <- w; return Vocabulary{MotionIDs: w} }
	})
	r.push.Open(r.Session)
	w := r.wire(t)
	w.next("hello")
	<-words
	words <- []string{"nod"}
	w.ready()
	w.next("vocabulary")
}

// "reset {type}": at once where connected, else ahead of everything on the next connection.
func TestReset(t *testing.T) {
	r := newRig(t, nil, nil)
	r.push.Reset()
	w := r.open(t)
	w.next("reset")
	r.push.Reset()
	w.next("reset")
	_ = w.conn.CloseNow()
	w = r.meet(t)
	w.quiet()
}

// The enums of tools are those of the moment of hello.
func TestToolsAreReadAtHello(t *testing.T) {
	count := 0
	r := newRig(t, nil, func(c *Config) {
		c.Tools = boxFunc(func() []chat.Tool {
			count++
			return []chat.Tool{{Name: fmt.Sprintf("tool_%d", count)}}
		})
	})
	r.push.Open(r.Session)
	for i := 1; i < 3; i++ {
		w := r.wire(t)
		hello := w.next("hello")
		if name := hello.Tools[0]["function"].(map[string]any)["name"]; name != fmt.Sprintf("tool_%d", i) {
			t.Errorf("%v", name)
		}
		_ = w.conn.CloseNow()
	}
}

type boxFunc func() []chat.Tool

func (b boxFunc) Declared() []chat.Tool        { return b() }
func (b boxFunc) Switches() []chat.SwitchState { return nil }

// Close ends a running turn and does not wait for a peer that never lets go.
func TestCloseBesideDeafPeer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	release := make(chan struct{})
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(served)
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		_, _, _ = c.Read(context.Background())
		_ = c.Write(context.Background(), websocket.MessageText, []byte(`{"type":"ready","chat_id":"x"}`))
		<-release // never reads again
		_ = c.CloseNow()
	})}
	go func() { _ = s.Serve(l) }()
	p, err := New(Config{BaseURL: "http://" + l.Addr().String(), Waits: Waits{Leave: 50 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	p.Open(nil)
	await(t, "ready", func() bool { return p.State().Phase == Ready })
	ended := make(chan error, 1)
	go func() {
		_, err := p.Stream(context.Background(), &chat.Request{Turn: "1", Context: "trigger: user message", Text: "hm"}, nil)
		ended <- err
	}()
	await(t, "the turn", func() bool { p.mu.Lock(); defer p.mu.Unlock(); return p.open["1"] != nil })
	closed := make(chan struct{})
	go func() { p.Close(); p.Close(); close(closed) }()
	for _, c := range []<-chan struct{}{closed} {
		select {
		case <-c:
		case <-time.After(4 * time.Second): // the library alone would wait for 5 s
			t.Error("Close hangs")
		}
	}
	if err := <-ended; err == nil {
		t.Error("the turn ended well")
	}
	if p.State().Phase != Disconnected {
		t.Errorf("%+v", p.State())
	}
	close(release)
	<-served
	_ = s.Close()
}

// Close at every moment of a connection leaves nothing behind (goleak) and hangs nowhere.
func TestCloseAnyTime(t *testing.T) {
	for i := range 30 {
		r := newRig(t, nil, nil)
		r.push.Open(r.Session)
		over, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			select {
			case w := <-r.wires:
				_ = w.conn.Write(context.Background(), websocket.MessageText, []byte(`{"type":"ready","chat_id":"x"}`))
				_ = w.conn.Write(context.Background(), websocket.MessageText, []byte(`{"type":"render","turn_id":"h","source":"","segments":[{"cues":[],"speech":"Hi."}]}`))
			case <-over:
			}
		}()
		time.Sleep(time.Duration(i) * 300 * time.Microsecond)
		r.push.Close()
		close(over)
		<-ended
	}
}

// A polite close: the frames on their way are delivered, and the backend sees code 1000.
func TestCloseIsPolite(t *testing.T) {
	codes := make(chan websocket.StatusCode, 1)
	frames := make(chan string, 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		for {
			_, raw, err := c.Read(context.Background())
			if err != nil {
				codes <- websocket.CloseStatus(err)
				return
			}
			if frames <- string(raw); strings.Contains(string(raw), "hello") {
				_ = c.Write(context.Background(), websocket.MessageText, []byte(`{"type":"ready","chat_id":"x"}`))
			}
		}
	}))
	defer s.Close()
	p, err := New(Config{BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	p.Open(nil)
	await(t, "ready", func() bool { return p.State().Phase == Ready })
	for range 20 {
		p.Reset()
	}
	p.Close()
	if code := <-codes; code != websocket.StatusNormalClosure {
		t.Errorf("code %d", code)
	}
	close(frames)
	if all := slices.Collect(func(yield func(string) bool) {
		for f := range frames {
			if !yield(f) {
				return
			}
		}
	}); len(all) != 21 {
		t.Errorf("%d frames arrived", len(all))
	}
}

// A quiet connection is pinged; one whose peer does not answer is dead, but not while a turn has a wait of its own.
func TestPing(t *testing.T) {
	pings := make(chan struct{}, 1000)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, &websocket.AcceptOptions{OnPingReceived: func(context.Context, []byte) bool {
			pings <- struct{}{}
			return false
		}})
		if err != nil {
			return
		}
		defer c.CloseNow()
		_ = c.Write(context.Background(), websocket.MessageText, []byte(`{"type":"ready","chat_id":"x"}`))
		for {
			if _, _, err := c.Read(context.Background()); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	states := make(chan State, 100)
	p, err := New(Config{BaseURL: s.URL, Waits: Waits{Ping: 10 * time.Millisecond, First: time.Hour, Frame: patience}, OnState: func(s State) { states <- s }})
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	p.lives(newTurn("busy", true))
	p.mu.Unlock()
	p.Open(nil)
	defer p.Close()
	for range 3 * mostMissed {
		<-pings
	}
	if s := p.State(); s.Phase != Ready {
		t.Errorf("%+v", s)
	}
	p.mu.Lock()
	clear(p.live)
	p.mu.Unlock()
	for s := range states {
		if s.Phase == Reconnecting {
			if s.Err.Reason != chat.Stalled {
				t.Errorf("%+v", s)
			}
			break
		}
	}
}

// Pictures cannot go with a turn; the person is told so once.
func TestPictures(t *testing.T) {
	r := newRig(t, nil, nil)
	w := r.open(t)
	for i := range 2 {
		r.Say(context.Background(), "see", []string{pixel})
		f := w.next("turn")
		if i == 0 {
			until[chat.Notice](t, r)
		}
		w.end(f.TurnID)
		for {
			e := <-r.seen
			if _, again := e.(chat.Notice); again {
				t.Error("told twice")
			}
			if _, done := e.(chat.TurnDone); done {
				break
			}
		}
	}
}

var discard = log.New(io.Discard, "", 0)

// https becomes wss, and a turn and a polite end go over it.
func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		for _, answer := range []string{`{"type":"ready","chat_id":"x"}`, `{"type":"turn_end","turn_id":"1"}`} {
			if _, _, err := c.Read(context.Background()); err != nil {
				return
			}
			_ = c.Write(context.Background(), websocket.MessageText, []byte(answer))
		}
		_, _, _ = c.Read(context.Background())
	}))
	defer s.Close()
	p, err := New(Config{BaseURL: s.URL, HTTP: s.Client()})
	if err != nil {
		t.Fatal(err)
	}
	p.Open(nil)
	defer p.Close()
	await(t, "ready", func() bool { return p.State().Phase == Ready })
	if _, err := p.Stream(context.Background(), &chat.Request{Turn: "1"}, sinkFunc(func(string) {})); err != nil {
		t.Error(err)
	}
}
