package responses_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yui/chat"
	"yui/chat/internal/wiretest"
)

type ran struct{ Name, Args string }

var (
	look = ran{"look", `{"at":"body"}`}
	wave = ran{"wave", `{"n":1}`}
)

// recorded is what each stream of testdata/streams must come to: its speech and the calls that run, in order.
var recorded = map[string]struct {
	text  string
	calls []ran
}{
	"bare-items":                        {"Let me see.", []ran{look}},
	"bom":                               {"Hello.", nil},
	"call-as-text":                      {"Hello.\n", nil},
	"call-deltas-only":                  {"", []ran{look}},
	"call-in-completed-only":            {"", []ran{look, wave}},
	"call-item-done-only":               {"", []ran{look}},
	"call-named-arguments-done":         {"", []ran{look}},
	"call-placeholder-when-added":       {"", []ran{look}},
	"call-unnamed-until-done":           {"", []ran{look}},
	"call-whole-when-added":             {"", []ran{look}},
	"calls-empty-call-ids":              {"", []ran{look, wave}},
	"calls-ids-change-with-every-event": {"", []ran{look, wave}},
	"calls-interleaved":                 {"", []ran{look, wave}},
	"calls-one-call-id":                 {"", []ran{look, wave}},
	"calls-one-index":                   {"", []ran{look, wave}},
	"calls-without-any-name-of-theirs":  {"", []ran{look, wave}},
	"calls-without-index-and-ids":       {"", []ran{look, wave}},
	"comments":                          {"Hello.", nil},
	"completed-without-response":        {"Hello.", nil},
	"crlf":                              {"Hello.", nil},
	"done-instead-of-completed":         {"Hello.", nil},
	"event-names-only":                  {"Hello.", nil},
	"no-arguments":                      {"", []ran{{"wave", "{}"}}},
	"no-blank-lines":                    {"Hello.", nil},
	"no-last-line-feed":                 {"Hello.", nil},
	"null-arguments":                    {"", []ran{{"wave", "{}"}}},
	"null-fields":                       {"Hello.", nil},
	"object-arguments":                  {"", []ran{look}},
	"reasoning-and-call":                {"", []ran{look}},
	"refusal":                           {"I will not.", nil},
	"text":                              {"Hello.", nil},
	"text-and-call":                     {"Let me see.", []ran{look}},
	"text-done-marker":                  {"Hello.", nil},
	"text-ids-change-with-every-event":  {"Hello.", nil},
	"text-only-in-completed":            {"Hello.", nil},
	"text-only-in-item":                 {"Hello.", nil},
	"text-only-when-done":               {"Hello.", nil},
	"text-without-index-and-ids":        {"Hello.", nil},
	"think-tags":                        {"Hello.", nil},
	"truncated-arguments":               {"", []ran{}}, // a JSON failure goes back
	"two-messages":                      {"One. Two.", nil},
	"unicode":                           {"こん😀", nil},
	"unknown-events":                    {"Hello.", nil},
	"whole-response":                    {"Hello.", []ran{look}},
}

// Every recorded stream is replayed whole and byte by byte, over HTTP, and comes to the same.
func TestRecordedStreams(t *testing.T) {
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
				var mu sync.Mutex
				var calls []ran
				ids := map[string]bool{}
				run := func(c chat.Call) chat.Result {
					mu.Lock()
					defer mu.Unlock()
					calls = append(calls, ran{c.Name, string(c.Args)})
					if c.ID == "" || ids[c.ID] {
						t.Errorf("id %q is empty or used twice", c.ID)
					}
					ids[c.ID] = true
					return chat.Result{Text: "fine"}
				}
				r := newRig(t, []chat.Tool{wiretest.Tool("look", run), wiretest.Tool("wave", run)}, nil,
					wiretest.Raw(body, step), stream("r2", delta("Back.")))
				d := r.Ask(t, "Go")
				text := want.text
				if want.calls != nil {
					text = strings.TrimSpace(text + " Back.")
				}
				if d.Outcome != chat.OK || d.Text != text || wiretest.Spoken(r.Rig) != text {
					t.Errorf("got %+v, shown %q, want %q", d, wiretest.Spoken(r.Rig), text)
				}
				if len(want.calls) > 0 || len(calls) > 0 {
					if diff := cmp.Diff(want.calls, calls); diff != "" {
						t.Errorf("calls:\n%s", diff)
					}
				}
				reqs := r.server.Requests(t) // and every request fits the schema
				if len(reqs) == 2 {
					if n := strings.Count(input(reqs[1]), `"function_call_output"`); n != max(1, len(want.calls)) {
						t.Errorf("%d outputs go back", n)
					}
				}
			})
		}
	}
}
