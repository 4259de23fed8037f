package wiretest

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
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

	outcome chat.Outcome // of a stream that ends badly
	says    string       // part of the sentence to the person
	hangUp  bool         // the socket is closed behind it, in the middle of the body
}

// Heard is a stream that only speaks.
func Heard(text string) Recorded { return Recorded{Text: text} }

// Calls is a stream that calls, after some speech or none.
func Calls(text string, calls ...Ran) Recorded {
	return Recorded{Text: text, Calls: append([]Ran{}, calls...)}
}

// Fails makes it a stream that ends badly after its speech, which is kept and marked as cut.
func (r Recorded) Fails(outcome chat.Outcome, says string) Recorded {
	r.outcome, r.says = outcome, says
	return r
}

// HungUp makes it one behind which the server closes the socket, without an end of the body.
func (r Recorded) HungUp() Recorded {
	r.hangUp = true
	return r
}

// manyBytes is what is too much to flush one by one over HTTP; the fuzz tests of the readers, which run over the same
// files, do that without a network.
const manyBytes = 64 << 10

// script answers with a recorded body, whose kind is told by its name: step bytes at a time, or, where step is 0, all at
// once with its length in front, so that the last bytes and the end come together (docs/rules/servers.md#a22).
func (r Recorded) script(file string, body []byte, step int) Script {
	kind := "text/event-stream"
	if filepath.Ext(file) == ".json" {
		kind = "application/json"
	}
	return func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", kind)
		if step == 0 && !r.hangUp {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			_, _ = w.Write(body)
			return
		}
		if step == 0 {
			step = len(body)
		}
		write(w, body, step)
		if r.hangUp {
			HangUp()(w, req)
		}
	}
}

// Replay runs every recorded answer of testdata/streams whole and byte by byte, over HTTP: it comes to the same.
// rig makes a session with tools whose server answers with the first script and then "Back."; check looks at the
// requests.
func Replay(t *testing.T, recorded map[string]Recorded, rig func(t *testing.T, tools []chat.Tool, first Script) (*Rig, *Server), check func(t *testing.T, reqs []map[string]any, want Recorded)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "streams", "*"))
	if err != nil || len(files) != len(recorded) {
		t.Fatalf("%d streams, %d expectations, %v", len(files), len(recorded), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		want, ok := recorded[name]
		if !ok {
			t.Errorf("%s has no expectation", name)
			continue
		}
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		one := 1
		if len(body) > manyBytes {
			one = 1009
		}
		for how, step := range map[string]int{"whole": len(body), "bytes": one, "with its length": 0} {
			t.Run(name+"/"+how, func(t *testing.T) {
				var p player
				r, s := rig(t, p.tools(t), want.script(file, body, step))
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
	text, outcome := want.Text, chat.OK
	switch {
	case want.outcome != "":
		outcome = want.outcome
	case want.Calls != nil:
		text = strings.TrimSpace(text + " Back.")
	}
	if d.Outcome != outcome || d.Text != text || Spoken(r) != text {
		t.Errorf("got %+v, shown %q, want %q", d, Spoken(r), text)
	}
	if want.outcome != "" && (!strings.Contains(d.Error, want.says) || d.Cut != (text != "")) {
		t.Errorf("sentence %q, cut %v", d.Error, d.Cut)
	}
	if len(want.Calls) > 0 || len(p.calls) > 0 {
		if diff := cmp.Diff(want.Calls, p.calls); diff != "" {
			t.Errorf("calls:\n%s", diff)
		}
	}
}
