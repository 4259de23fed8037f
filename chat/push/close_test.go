package push

import (
	"context"
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
		_, err := p.Stream(context.Background(), &chat.Request{Turn: "1", Event: chat.EventUserText, Context: "trigger: user message", Text: "hm"}, nil)
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
	p.lives(newTurn("busy", "busy", true))
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
