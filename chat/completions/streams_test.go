package completions_test

import (
	"context"
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

// recorded is what each stream of testdata/streams must come to: its speech and the calls that run, in order.
var recorded = map[string]struct {
	text  string
	calls []ran
}{
	"a01-no-index":               {"", []ran{look}},
	"a01-two-no-index":           {"", []ran{look, wave}},
	"a01-two-one-index":          {"", []ran{look, wave}},
	"a03-no-id":                  {"", []ran{wave}},
	"a04-first-without-index":    {"", []ran{look, wave}},
	"a05-arguments-before-name":  {"", []ran{look}},
	"a07-empty-ids":              {"", []ran{look, wave}},
	"a07-same-ids":               {"", []ran{look, wave}},
	"a09-stop-with-call":         {"", []ran{look}},
	"a10-finish-on-every-chunk":  {"Let me see.", []ran{look}},
	"a12-opening-fragment":       {"", []ran{look}},
	"a13-object-arguments":       {"", []ran{look}},
	"a16-no-arguments":           {"", []ran{{"wave", "{}"}}},
	"a16-arguments-missing":      {"", []ran{{"wave", "{}"}}},
	"a16-arguments-null":         {"", []ran{{"wave", "{}"}}},
	"a24-comments":               {"Hello.", nil},
	"a27-empty-choices-first":    {"Hello.", nil},
	"a27-usage-last":             {"Hello.", nil},
	"a30-tool-call-tags":         {"Hello.", nil},
	"a31-reasoning-content":      {"Hello.", nil},
	"a31-think":                  {"Hello.", nil},
	"bom":                        {"Hello.", nil},
	"calls-then-clean-end":       {"", []ran{look}},
	"content-parts":              {"Hello.", nil},
	"crlf":                       {"Hello.", nil},
	"index-order":                {"", []ran{look, wave}},
	"interleaved":                {"", []ran{look, wave}},
	"no-blank-lines":             {"Hello.", nil},
	"no-done":                    {"Hello.", nil},
	"no-finish-but-done":         {"Hello.", nil},
	"two-choices":                {"Hello.", nil},
	"two-unnamed-no-id-no-index": {"", []ran{look, wave}},
	"unicode-escapes":            {"こん😀", nil},
	"usage-with-last-text":       {"Hello.", nil},
	"whole-message":              {"Hello.", []ran{look}},
}

var (
	look = ran{"look", `{"at":"body"}`}
	wave = ran{"wave", `{"n":1}`}
)

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
				tool := func(name string) chat.Tool {
					tool := lookup(chat.Result{})
					tool.Name = name
					tool.Run = func(_ context.Context, c chat.Call) chat.Result {
						mu.Lock()
						defer mu.Unlock()
						calls = append(calls, ran{c.Name, string(c.Args)})
						if c.ID == "" || ids[c.ID] {
							t.Errorf("id %q is empty or used twice", c.ID)
						}
						ids[c.ID] = true
						return chat.Result{Text: "fine"}
					}
					return tool
				}
				s := newServer(t, wiretest.Raw(body, step), wiretest.SSE(text("Back."), finish("stop"), done))
				r := newRig(t, s, []chat.Tool{tool("look"), tool("wave")})
				d := r.Ask(t, "Go")
				text := want.text
				if len(want.calls) > 0 {
					text = strings.TrimSpace(text + " Back.")
				}
				if d.Outcome != chat.OK || d.Text != text || wiretest.Spoken(r) != text {
					t.Errorf("got %+v, shown %q, want %q", d, wiretest.Spoken(r), text)
				}
				if diff := cmp.Diff(want.calls, calls); diff != "" {
					t.Errorf("calls:\n%s", diff)
				}
				s.Requests(t) // and every request fits the schema
			})
		}
	}
}
