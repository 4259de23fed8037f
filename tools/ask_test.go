package tools

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"yui/assets/lang"
	"yui/internal/protocol"
)

// person answers questions.
type person struct {
	mu      sync.Mutex
	allows  bool
	late    time.Duration // how long an answer takes
	deaf    bool          // does not even notice that the time is over
	panics  bool
	asked   []Question
	release chan struct{}
}

func (p *person) Ask(ctx context.Context, q Question) bool {
	p.mu.Lock()
	p.asked = append(p.asked, q)
	p.mu.Unlock()
	if p.panics {
		panic("the bubble broke")
	}
	if p.deaf {
		<-p.release
		return p.allows
	}
	select {
	case <-time.After(p.late):
		return p.allows
	case <-ctx.Done():
		return false
	}
}

func (p *person) questions() []Question {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// memory is a Consent.
type memory struct {
	mu    sync.Mutex
	given bool
}

func (m *memory) Given() bool { m.mu.Lock(); defer m.mu.Unlock(); return m.given }
func (m *memory) Give()       { m.mu.Lock(); defer m.mu.Unlock(); m.given = true }

// probe is a tool that counts its runs.
func probe(runs *int) Tool {
	return Tool{Name: "probe", Run: func(context.Context, Call) Result { *runs++; return Result{Text: "done"} }}
}

func always(q Question) func(Call) (Question, bool) {
	return func(Call) (Question, bool) { return q, true }
}

func TestGuard(t *testing.T) {
	q := Question{Title: "Run this?", Body: "line one\nline two"}
	off, on := func() bool { return false }, func() bool { return true }
	release := make(chan struct{})
	defer close(release)
	for _, c := range []struct {
		name  string
		who   *person
		guard Guard
		rule  Rule
		ctx   context.Context
		want  string
		runs  int
		asked int
	}{
		{"allowed", &person{allows: true}, Guard{}, Rule{Question: always(q)}, nil, "done", 1, 1},
		{"denied", &person{}, Guard{}, Rule{Question: always(q)}, nil, Declined, 0, 1},
		{"no answer", &person{allows: true, late: time.Minute}, Guard{wait: 30 * time.Millisecond}, Rule{Question: always(q)}, nil, Declined, 0, 1},
		{"an asker that does not come back", &person{allows: true, deaf: true, release: release}, Guard{wait: 30 * time.Millisecond}, Rule{Question: always(q)}, nil, Declined, 0, 1},
		{"an asker that breaks", &person{allows: true, panics: true}, Guard{}, Rule{Question: always(q)}, nil, Declined, 0, 1},
		{"asking is on", &person{}, Guard{On: on}, Rule{Question: always(q)}, nil, Declined, 0, 1},
		{"asking is off", &person{}, Guard{On: off}, Rule{Question: always(q)}, nil, "done", 1, 0},
		{"the person's own call", &person{}, Guard{}, Rule{Question: always(q)}, Unasked(context.Background()), "done", 1, 0},
		{"not now", &person{}, Guard{}, Rule{Question: always(q), When: func(Call) bool { return false }}, nil, "done", 1, 0},
		{"now", &person{}, Guard{}, Rule{Question: always(q), When: func(Call) bool { return true }}, nil, Declined, 0, 1},
		{"cannot run anyway", &person{}, Guard{}, Rule{Question: func(Call) (Question, bool) { return q, false }}, nil, "done", 1, 0},
		{"allowed before", &person{}, Guard{}, Rule{Question: always(q), Once: &memory{given: true}}, nil, "done", 1, 0},
		{"turn stopped", &person{allows: true}, Guard{}, Rule{Question: always(q)}, stoppedTurn(), protocol.TurnStopped, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs := 0
			c.guard.Asker = c.who
			ctx := c.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			if r := c.guard.Guarded(probe(&runs), c.rule).Run(ctx, Call{}); r.Text != c.want || runs != c.runs {
				t.Errorf("%q after %d runs, want %q after %d", r.Text, runs, c.want, c.runs)
			}
			asked := c.who.questions()
			if len(asked) > c.asked || (len(asked) < c.asked && ctx.Err() == nil) {
				t.Errorf("asked %d times, want %d", len(asked), c.asked)
			}
			for _, got := range asked {
				if want := (Question{Tool: "probe", Title: q.Title, Body: q.Body, Allow: "Allow", Deny: "Deny"}); got != want {
					t.Errorf("asked %+v, want %+v", got, want)
				}
			}
		})
	}
}

func stoppedTurn() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestGuardWithNobody(t *testing.T) {
	runs := 0
	if r := (Guard{}).Guarded(probe(&runs), Rule{Question: always(Question{})}).Run(context.Background(), Call{}); r.Text != Declined || runs != 0 {
		t.Errorf("%q after %d runs", r.Text, runs)
	}
}

// TestGuardOnce sees that a denial is not remembered and an Allow is; the person's own call is no Allow.
func TestGuardOnce(t *testing.T) {
	runs, p, m := 0, &person{}, &memory{}
	tool := Guard{Asker: p, Words: lang.In("ko")}.Guarded(probe(&runs), Rule{Question: always(Question{}), Once: m})
	tool.Run(Unasked(context.Background()), Call{})
	for i, allows := range []bool{false, true, false} {
		p.allows = allows
		r := tool.Run(context.Background(), Call{})
		if want := map[bool]string{false: Declined, true: "done"}[i > 0]; r.Text != want {
			t.Errorf("call %d: %q, want %q", i, r.Text, want)
		}
	}
	if len(p.questions()) != 2 || runs != 3 || p.questions()[0].Allow != "허용" {
		t.Errorf("%d questions, %d runs: %+v", len(p.questions()), runs, p.questions())
	}
}

// TestBegan sees that a tool learns when its call began, so that the asking is part of its wait.
func TestBegan(t *testing.T) {
	var began time.Time
	tool := Tool{Name: "t", Run: func(ctx context.Context, _ Call) Result { began = Began(ctx); return Result{Text: "ok"} }}
	before := time.Now()
	Guard{Asker: &person{allows: true, late: 50 * time.Millisecond}}.Guarded(tool, Rule{Question: always(Question{})}).Run(context.Background(), Call{})
	if waited := time.Since(began); began.Before(before) || waited < 50*time.Millisecond {
		t.Errorf("began %v ago, asked for 50 ms", waited)
	}
	if time.Since(Began(context.Background())) > time.Minute {
		t.Error("a call without a guard begins now")
	}
}

func TestTaint(t *testing.T) {
	var taint Taint
	result := Result{Text: "a page"}
	reader := Tool{Name: "reader", Run: func(context.Context, Call) Result { return result }}
	run := func(tool Tool) { tool.Run(context.Background(), Call{}) }
	runs, p := 0, &person{}
	guarded := Guard{Asker: p}.Guarded(probe(&runs), Rule{When: taint.Tainted, Question: always(Question{})})
	asks := func(when string, want bool) {
		t.Helper()
		before := len(p.questions())
		guarded.Run(context.Background(), Call{})
		if got := len(p.questions()) > before; got != want {
			t.Errorf("%s: asked is %v, want %v", when, got, want)
		}
	}
	search, screen, mcp := taint.Watched(reader, FromSearch, nil), taint.Watched(reader, FromScreen, HasImages), taint.Watched(reader, FromMCP, Anything)
	asks("at first", false)
	search.Run(Unasked(context.Background()), Call{})
	asks("after the person's own search", false)
	run(screen)
	asks("after window titles", false)
	result = Result{Text: "error: nothing came"}
	run(search)
	asks("after a search that failed", false)
	run(mcp)
	asks("after what a server said of its failure", true)
	taint.Turn(true)
	asks("when the person spoke", false)
	result = Result{Text: "a page"}
	run(search)
	asks("after a search", true)
	asks("and still", true)
	taint.Turn(true)
	result = Result{Text: "screenshot of display 0", Images: []string{"data:,"}}
	run(screen)
	asks("after a screenshot", true)
}

func TestShowEffect(t *testing.T) {
	type covered = sky
	sky := &sky{}
	for _, c := range []struct{ lang, args, want, shows string }{
		{"en", `{"effect":"confetti"}`, "confetti is in the air", "confetti"},
		{"ja", `{"effect":"hearts","reason":"うれしい"}`, "ハートを表示しました", "hearts"},
		{"ko", `{"effect":"sparkles"}`, "반짝임을 보여 주었습니다", "sparkles"},
		{"en", `{"effect":"fireworks"}`, "error: there is no such effect; effect is confetti, hearts or sparkles", ""},
		{"ja", `{"effect":"Confetti"}`, "error: そのエフェクトはありません。effect は confetti、hearts、sparkles のどれかです", ""},
		{"ko", `{}`, "error: 그런 효과는 없습니다. effect 는 confetti, hearts, sparkles 가운데 하나입니다", ""},
		{"", `{"effect":["hearts"]}`, "error: there is no such effect; effect is confetti, hearts or sparkles", ""},
	} {
		sky.shown = ""
		if r := NewShowEffect(lang.In(c.lang), sky).Run(context.Background(), Call{Args: json.RawMessage(c.args)}); r.Text != c.want || sky.shown != c.shows {
			t.Errorf("%s %s: %q and %q, want %q and %q", c.lang, c.args, r.Text, sky.shown, c.want, c.shows)
		}
	}
	sky.shown = ""
	if r := NewShowEffect(lang.In("en"), sky).Run(stoppedTurn(), Call{Args: []byte(`{"effect":"hearts"}`)}); r.Text != protocol.TurnStopped || sky.shown != "" {
		t.Errorf("a stopped turn: %q, %q", r.Text, sky.shown)
	}
	// "error: not visible: a full-screen window covers the screen": nothing is claimed that nobody sees, in any language.
	for _, code := range []string{"en", "ja", "ko"} {
		r := NewShowEffect(lang.In(code), &covered{hidden: ErrCovered}).Run(context.Background(), Call{Args: []byte(`{"effect":"hearts"}`)})
		if r.Text != "error: not visible: a full-screen window covers the screen" {
			t.Errorf("%s: %q", code, r.Text)
		}
	}
}

type sky struct {
	shown  string
	hidden error
}

func (s *sky) Show(effect string) error {
	if s.hidden == nil {
		s.shown = effect
	}
	return s.hidden
}
