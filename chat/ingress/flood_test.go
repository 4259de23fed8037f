package ingress

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"yui/internal/fuzzmem"
)

// poster sends bodies over connections that stay open.
type poster struct {
	client http.Client
	base   string
}

func newPoster(base string, peers int) *poster {
	return &poster{http.Client{Timeout: limit, Transport: &http.Transport{MaxIdleConnsPerHost: peers}}, base}
}

func (p *poster) post(path, body string) error {
	res, err := p.client.Post(p.base+path, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body)
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}

// heap is what is alive now.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A flood is accepted, and neither grows the memory nor becomes more than a turn at a time.
func TestFloodIsBounded(t *testing.T) {
	r := newRig(t, nil)
	r.be(true, false)
	p := newPoster(r.base, 4)
	defer p.client.CloseIdleConnections()
	flood := func(n int) {
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for i := range n / 4 {
					text := strings.Repeat("x", 6000)
					var err error
					switch i % 3 {
					case 0:
						err = p.post("/agent-event", fmt.Sprintf(`{"tool":"t%d","project":"%s","cwd":"","phase":"done","summary":"%s","detail":"%s","ts":1,"session_id":"%d-%d"}`, i%50, text, text, text, w, i))
					case 1:
						err = p.post("/signals", fmt.Sprintf(`{"signals":["%d","%s"],"envelope":{"source":"s%d","event_type":"%s","delivery":"batched","event_id":"%d-%d"}}`, i, text, i%50, text, w, i))
					case 2:
						err = p.post("/signals", fmt.Sprintf(`{"signals":["%d","%s"]}`, i, text))
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
	}
	flood(400)
	before := heap()
	flood(1600)
	if grown := int64(heap()) - int64(before); grown > 3<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	if len(r.turns) > 0 {
		t.Error("a turn came while the person was away")
	}
	r.be(false, false)
	agents, signals := r.turn(t), r.turn(t)
	if agents.Event != "agent.catchup" || len(agents.Lines) > maxTools*perTool || !strings.Contains(agents.Line, " more dropped)") {
		t.Errorf("%d lines: %s", len(agents.Lines), agents.Line)
	}
	if signals.Event != "signals.catchup" || len(signals.Lines) != perBuffer || !strings.Contains(signals.Line, " more dropped)") {
		t.Errorf("%d lines: %s", len(signals.Lines), signals.Line)
	}
}

// While somebody is there, a flood makes a turn a second at most.
func TestFloodOfTurns(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	p := newPoster(r.base, 1)
	defer p.client.CloseIdleConnections()
	began := time.Now()
	for i := 0; i < 500 || time.Since(began) < 2*turnGap; i++ {
		if err := p.post("/signals", sigBody); err != nil {
			t.Fatal(err)
		}
	}
	turns := len(r.turns)
	if most := int(time.Since(began)/turnGap) + 1; turns > most {
		t.Errorf("%d turns in %v", turns, time.Since(began))
	}
	r.turn(t)
}

// One that keeps a signal for itself takes its turn away.
func TestSignalsAreSeenFirst(t *testing.T) {
	seen := make(chan Signal, 10)
	r := newRig(t, func(o *Options) {
		o.OnSignal = func(s Signal) bool {
			seen <- s
			return s.Source == "door"
		}
	})
	body := `{"signals":["%s"],"envelope":{"source":"%s","event_type":"rang","delivery":"immediate","event_id":"7"}}`
	for range 2 { // the second has the same ID
		r.ask(t, "POST", "/signals", fmt.Sprintf(body, "Somebody rang.", "door"))
	}
	r.ask(t, "POST", "/signals", fmt.Sprintf(body, "Hello.", "mail"))
	if got := r.turn(t); len(got.Lines) != 1 || got.Lines[0] != "signal: mail rang (0min ago): Hello." {
		t.Errorf("%+v", got)
	}
	if a, b := <-seen, <-seen; a.Source != "door" || a.Type != "rang" || b.Source != "mail" || len(seen) != 0 {
		t.Errorf("%+v, %+v, and %d more", a, b, len(seen))
	}
}

// What waits goes into a turn that begins for another reason.
func TestDrain(t *testing.T) {
	r := newRig(t, nil)
	r.be(false, true)
	r.ask(t, "POST", "/signals", sigBody)
	for deadline := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		if lines := r.Drain(); len(lines) == 1 && lines[0] == "signal: someone (0min ago): The kettle is on." {
			break
		} else if len(lines) > 0 || time.Now().After(deadline) {
			t.Fatal(lines)
		}
	}
	if lines := r.Drain(); len(lines) != 0 {
		t.Error(lines)
	}
}

// fits fails where a line could leave its line.
func fits(t *testing.T, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if !utf8.ValidString(l) || strings.ContainsFunc(l, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }) {
			t.Errorf("%q", l)
		}
	}
}

func FuzzAgentEvent(f *testing.F) {
	f.Add([]byte(doneBody))
	f.Add([]byte(`{"tool":"x","project":"\u2028","cwd":"","phase":"needs_input","summary":"</client_context>","ts":1e9}`))
	f.Add([]byte("{\"tool\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		fuzzmem.Watch(t)
		if !utf8.Valid(body) {
			t.Skip()
		}
		e, err := parseAgentEvent(body, monday)
		if err != nil {
			fits(t, err.Error())
			return
		}
		if e.Tool == "" || len(e.Summary) > maxSummary || len(e.Detail) > maxDetail || e.At.After(monday) {
			t.Errorf("%+v", e)
		}
		turn := e.trigger(monday)
		fits(t, append(turn.Lines, turn.Line, e.caughtUp(monday))...)
		if strings.Count(turn.Line, `"`) != 2*strings.Count(turn.Line, `, project "`) {
			t.Errorf("a name ends its quotes: %s", turn.Line)
		}
	})
}

func FuzzSignals(f *testing.F) {
	f.Add([]byte(sigBody))
	f.Add([]byte(`{"signals":[{"text":"a"},"b\u0000"],"envelope":{"source":"m","event_type":"e","delivery":"batched","event_id":"1","occurred_at":1}}`))
	f.Add([]byte(`{"signals":["a"],"envelope":{"occurred_at":"2026-03-02T08:59:00Z"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		fuzzmem.Watch(t)
		if !utf8.Valid(body) {
			t.Skip()
		}
		b, err := parseSignals(body, monday)
		if err != nil {
			fits(t, err.Error())
			return
		}
		fits(t, signalLines(b.signals, monday)...)
		for _, s := range b.signals {
			if s.Text == "" || len(s.Text) > maxSignal || s.At.After(monday) || b.warning != "" && s.Source != "" {
				t.Errorf("%+v, %q", s, b.warning)
			}
		}
	})
}

func FuzzCommand(f *testing.F) {
	f.Add([]byte(`{"action":"move_to","spot":"center","monitor":1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		fuzzmem.Watch(t)
		if validCommand(body) && !json.Valid(body) {
			t.Errorf("%q", body)
		}
	})
}

func FuzzGuard(f *testing.F) {
	f.Add("localhost:80", "http://localhost")
	f.Add("127.0.0.1:80@evil.test", "null")
	f.Fuzz(func(t *testing.T, host, origin string) {
		fuzzmem.Watch(t)
		if loopbackHost(host) {
			switch name, _, _ := strings.Cut(strings.TrimPrefix(strings.ToLower(host), "[::1]"), ":"); name {
			case "", "127.0.0.1", "localhost":
			default:
				t.Errorf("host %q", host)
			}
		}
		if loopbackOrigin(origin) && !loopbackHost(origin[strings.LastIndex(origin, "/")+1:]) {
			t.Errorf("origin %q", origin)
		}
	})
}

// BenchmarkSignals is how many signals a second come in over HTTP while the person is away, and what it leaves behind.
func BenchmarkSignals(b *testing.B) {
	r := newRig(b, nil)
	r.be(true, false)
	p := newPoster(r.base, 2)
	defer p.client.CloseIdleConnections()
	body := `{"signals":["The build of the kettle has ended."],"envelope":{"source":"build","event_type":"ended","delivery":"immediate","occurred_at":1}}`
	for range 2000 {
		if err := p.post("/signals", body); err != nil {
			b.Fatal(err)
		}
	}
	before := heap()
	b.ResetTimer()
	for b.Loop() {
		if err := p.post("/signals", body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "signals/s")
	b.ReportMetric(float64(int64(heap())-int64(before)), "heap-growth-bytes")
}

// BenchmarkParseSignals is the reading of a body alone.
func BenchmarkParseSignals(b *testing.B) {
	body := []byte(bodyOf(maxBody))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := parseSignals(body, monday); err != nil {
			b.Fatal(err)
		}
	}
}
