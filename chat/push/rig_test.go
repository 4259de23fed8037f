package push

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.uber.org/goleak"

	"yui/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait of these tests; none of them measures a time.
const patience = 20 * time.Second

// schemas are the frames by type.
var schemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	files, err := filepath.Glob(filepath.Join("schemas", "*.json"))
	if err != nil {
		return nil, err
	}
	all := map[string]*jsonschema.Schema{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("file:///"+file, doc); err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if all[name], err = c.Compile("file:///" + file); err != nil {
			return nil, err
		}
	}
	return all, nil
})

// fits says what is wrong with a frame by the schema of its type.
func fits(raw []byte) error {
	all, err := schemas()
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	top, _ := doc.(map[string]any)
	name, _ := top["type"].(string)
	schema := all[name]
	if schema == nil {
		return fmt.Errorf("no schema for type %q", name)
	}
	return schema.Validate(doc)
}

// sent is a frame of the client as a backend reads it.
type sent struct {
	Type       string           `json:"type"`
	Key        string           `json:"key"`
	ChatID     string           `json:"chat_id"`
	Tools      []map[string]any `json:"tools"`
	Vocabulary map[string]any   `json:"vocabulary"`
	TurnID     string           `json:"turn_id"`
	TurnIDs    []string         `json:"turn_ids"`
	Context    string           `json:"client_context"`
	Text       string           `json:"text"`
	CallID     string           `json:"call_id"`
	Result     string           `json:"result"`
	Images     []string         `json:"images"`
}

// wire is one connection as the backend sees it.
type wire struct {
	t    *testing.T
	conn *websocket.Conn
	got  chan sent
	gone chan struct{}
}

// next waits for the next frame of the client and checks its type.
func (w *wire) next(kind string) sent {
	w.t.Helper()
	select {
	case f, ok := <-w.got:
		if !ok {
			w.t.Fatalf("the connection ended, and no %s came", kind)
		}
		if f.Type != kind {
			w.t.Fatalf("got %+v, want %s", f, kind)
		}
		return f
	case <-time.After(patience):
		w.t.Fatalf("no %s came", kind)
	}
	return sent{}
}

// quiet fails where a frame of the client has come that nobody has taken.
func (w *wire) quiet() {
	w.t.Helper()
	select {
	case f, ok := <-w.got:
		if ok {
			w.t.Fatalf("an unexpected frame: %+v", f)
		}
	case <-time.After(50 * time.Millisecond):
	}
}

// put sends a frame that fits its schema.
func (w *wire) put(format string, args ...any) {
	w.t.Helper()
	raw := fmt.Sprintf(format, args...)
	if err := fits([]byte(raw)); err != nil {
		w.t.Fatalf("the test's own frame: %v\n%s", err, raw)
	}
	w.raw(raw)
}

func (w *wire) raw(text string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
		w.t.Fatalf("send %.100s: %v", text, err)
	}
}

func (w *wire) render(turn, speech string) {
	w.t.Helper()
	w.put(`{"type":"render","turn_id":%q,"source":"test","segments":[{"cues":[],"speech":%q}]}`, turn, speech)
}

func (w *wire) end(turn string) {
	w.t.Helper()
	w.put(`{"type":"turn_end","turn_id":%q}`, turn)
}

func (w *wire) ready() {
	w.t.Helper()
	w.put(`{"type":"ready","chat_id":"yui-3f9a2c1d"}`)
}

// backend is a real WebSocket server on loopback.
type backend struct {
	*httptest.Server
	wires chan *wire
}

func newBackend(t *testing.T) *backend {
	b := &backend{wires: make(chan *wire, 100)}
	b.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/ws") {
			http.NotFound(rw, r)
			return
		}
		conn, err := websocket.Accept(rw, r, nil)
		if err != nil {
			return
		}
		defer conn.CloseNow()
		conn.SetReadLimit(-1)
		w := &wire{t: t, conn: conn, got: make(chan sent, 10000), gone: make(chan struct{})}
		b.wires <- w
		defer close(w.gone)
		defer close(w.got)
		for {
			_, raw, err := conn.Read(context.Background())
			if err != nil {
				return
			}
			if err := fits(raw); err != nil {
				t.Errorf("the client's frame does not fit: %v\n%.300s", err, raw)
			}
			var f sent
			if err := json.Unmarshal(raw, &f); err != nil {
				t.Errorf("the client's frame: %v", err)
			}
			w.got <- f
		}
	}))
	t.Cleanup(b.Close)
	return b
}

// wire waits for the next connection.
func (b *backend) wire(t *testing.T) *wire {
	t.Helper()
	select {
	case w := <-b.wires:
		return w
	case <-time.After(patience):
		t.Fatal("the client did not connect")
		return nil
	}
}

// book is a log that tests read.
type book struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *book) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// has waits for words in the log.
func (b *book) has(t *testing.T, words string) {
	t.Helper()
	await(t, "the log line "+words, func() bool { return strings.Contains(b.String(), words) })
}

func await(t testing.TB, what string, met func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !met(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// box is a Toolbox of a fixed list.
type box []chat.Tool

func (b box) Declared() []chat.Tool        { return b }
func (b box) Switches() []chat.SwitchState { return nil }

// rig is a session over a Transport over a backend, with a clock that runs at once through all speech.
type rig struct {
	*backend
	*chat.Session
	push   *Transport
	log    *book
	states chan State
	seen   chan chat.Event
	store  *chat.MemoryStore
	clock  sync.Mutex
	ahead  time.Duration
	fast   bool // the clock leaps to the end of speech by itself
}

func (r *rig) now() time.Time {
	r.clock.Lock()
	defer r.clock.Unlock()
	if r.fast {
		r.ahead += 10 * time.Second
	}
	return time.Now().Add(r.ahead)
}

func (r *rig) pass(d time.Duration) {
	r.clock.Lock()
	defer r.clock.Unlock()
	r.ahead += d
}

// quickWaits are short where a test must sit them out, and long where it must not.
func quickWaits() Waits {
	return Waits{First: 5 * time.Millisecond, Most: 40 * time.Millisecond, Dial: patience, Ready: patience, Frame: patience,
		Write: patience, Ping: time.Second, Calls: 20 * time.Millisecond, Leave: 300 * time.Millisecond}
}

func newRig(t *testing.T, tools []chat.Tool, change func(*Config)) *rig {
	t.Helper()
	r := &rig{backend: newBackend(t), log: &book{}, states: make(chan State, 1000), seen: make(chan chat.Event, 10000), store: &chat.MemoryStore{}, fast: true}
	log := slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	cfg := Config{
		BaseURL: r.URL, Key: "secret-key-1", ChatID: "yui-3f9a2c1d", Tools: box(tools), Waits: quickWaits(), Log: log,
		Vocabulary: func() Vocabulary {
			return Vocabulary{EmotionIDs: []string{"joy", "sad"}, MotionIDs: []string{"wave"}}
		},
		OnState: func(s State) { r.states <- s },
	}
	if change != nil {
		change(&cfg)
	}
	var err error
	if r.push, err = New(cfg); err != nil {
		t.Fatalf("New: %v", err)
	}
	r.Session = chat.NewSession(chat.Config{
		Backend: chat.Backend{Transport: r.push, Instructions: "stays here"}, Tools: box(tools), Store: r.store, Now: r.now,
		Observer: func(e chat.Event) { r.seen <- e }, Log: log,
	})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := r.Session.Close(ctx); err != nil {
			t.Errorf("close session: %v", err)
		}
		r.push.Close()
		if strings.Contains(r.log.String(), "secret-key") {
			t.Error("the key is in the log")
		}
	})
	return r
}

// open connects up to ready.
func (r *rig) open(t *testing.T) *wire {
	t.Helper()
	r.push.Open(r.Session)
	return r.meet(t)
}

// meet takes the next connection up to ready.
func (r *rig) meet(t *testing.T) *wire {
	t.Helper()
	w := r.wire(t)
	w.next("hello")
	w.ready()
	await(t, "ready", func() bool { return r.push.State().Phase == Ready })
	return w
}

// done waits for the end of the next turn.
func (r *rig) done(t *testing.T) chat.TurnDone {
	t.Helper()
	return until[chat.TurnDone](t, r)
}

func until[E chat.Event](t *testing.T, r *rig) E {
	t.Helper()
	var log []chat.Event
	for timeout := time.After(patience); ; {
		select {
		case e := <-r.seen:
			log = append(log, e)
			if e, ok := e.(E); ok {
				return e
			}
		case <-timeout:
			var none E
			t.Fatalf("no %T came; seen %+v\n%s", none, log, r.log)
			return none
		}
	}
}

// say starts a turn and takes its frame off the wire.
func (r *rig) say(t *testing.T, w *wire, text string) string {
	t.Helper()
	r.Say(context.Background(), text, nil)
	f := w.next("turn")
	if f.Text != text {
		t.Fatalf("the turn says %q, want %q", f.Text, text)
	}
	return f.TurnID
}

// wireID is what the backend calls a reply whose turn has this identity.
func wireID(turn string) string {
	if i := strings.LastIndex(turn, "-"); i > 0 {
		return turn[:i]
	}
	return turn
}

// setFast says whether the clock leaps to the end of speech by itself.
func (r *rig) setFast(fast bool) {
	r.clock.Lock()
	defer r.clock.Unlock()
	r.fast = fast
}

// serveSockets is a bare WebSocket server; it gives its address.
func serveSockets(t testing.TB, talk func(c *websocket.Conn)) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		talk(c)
	}))
	t.Cleanup(s.Close)
	return s.URL
}
