package wiretest

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yui/chat"
)

// Ran is a call that was executed.
type Ran struct{ Name, Args string }

// The calls of the recorded streams.
var (
	Look = Ran{"look", `{"at":"body"}`}
	Wave = Ran{"wave", `{"n":1}`}
)

// Recorded is what a recorded stream must come to: its speech, and the calls that run, in order. Calls that is not
// nil means that results go back.
type Recorded struct {
	Text  string
	Calls []Ran
}

// Heard is a stream that only speaks.
func Heard(text string) Recorded { return Recorded{Text: text} }

// Calls is a stream that calls, after some speech or none.
func Calls(text string, calls ...Ran) Recorded { return Recorded{text, append([]Ran{}, calls...)} }

// Replay runs every recorded stream of testdata/streams whole and byte by byte, over HTTP: it comes to the same.
// rig makes a session with tools whose server answers with the first script and then "Back."; check looks at the
// requests.
func Replay(t *testing.T, recorded map[string]Recorded, rig func(t *testing.T, tools []chat.Tool, first Script) (*Rig, *Server), check func(t *testing.T, reqs []map[string]any, want Recorded)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "streams", "*.sse"))
	if err != nil || len(files) != len(recorded) {
		t.Fatalf("%d streams, %d expectations, %v", len(files), len(recorded), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".sse")
		want, ok := recorded[name]
		if !ok {
			t.Errorf("%s has no expectation", name)
			continue
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for how, step := range map[string]int{"whole": len(body), "bytes": 1} {
			t.Run(name+"/"+how, func(t *testing.T) {
				var p player
				r, s := rig(t, p.tools(t), Raw(body, step))
				p.check(t, r, r.Ask(t, "Go"), want)
				check(t, s.Requests(t), want) // every request fits the schema
			})
		}
	}
}

// player runs the calls of one replay.
type player struct {
	mu    sync.Mutex
	calls []Ran
	ids   map[string]bool
}

func (p *player) tools(t *testing.T) []chat.Tool {
	p.ids = map[string]bool{}
	run := func(c chat.Call) chat.Result {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.calls = append(p.calls, Ran{c.Name, string(c.Args)})
		if c.ID == "" || p.ids[c.ID] {
			t.Errorf("id %q is empty or used twice", c.ID)
		}
		p.ids[c.ID] = true
		return chat.Result{Text: "fine"}
	}
	return []chat.Tool{Tool("look", run), Tool("wave", run)}
}

func (p *player) check(t *testing.T, r *Rig, d chat.TurnDone, want Recorded) {
	t.Helper()
	text := want.Text
	if want.Calls != nil {
		text = strings.TrimSpace(text + " Back.")
	}
	if d.Outcome != chat.OK || d.Text != text || Spoken(r) != text {
		t.Errorf("got %+v, shown %q, want %q", d, Spoken(r), text)
	}
	if len(want.Calls) > 0 || len(p.calls) > 0 {
		if diff := cmp.Diff(want.Calls, p.calls); diff != "" {
			t.Errorf("calls:\n%s", diff)
		}
	}
}
