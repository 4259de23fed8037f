package completions_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"yui/chat"
	"yui/chat/internal/wiretest"
)

// idle is a call without arguments.
var idle = wiretest.Ran{Name: "wave", Args: "{}"}

// recorded is what each stream of testdata/streams must come to.
var recorded = map[string]wiretest.Recorded{
	"a01-no-index":               wiretest.Calls("", wiretest.Look),
	"a01-two-no-index":           wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"a01-two-one-index":          wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"a03-no-id":                  wiretest.Calls("", wiretest.Wave),
	"a04-first-without-index":    wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"a05-arguments-before-name":  wiretest.Calls("", wiretest.Look),
	"a07-empty-ids":              wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"a07-same-ids":               wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"a09-stop-with-call":         wiretest.Calls("", wiretest.Look),
	"a10-finish-on-every-chunk":  wiretest.Calls("Let me see.", wiretest.Look),
	"a12-opening-fragment":       wiretest.Calls("", wiretest.Look),
	"a13-object-arguments":       wiretest.Calls("", wiretest.Look),
	"a14-whole-arguments":        wiretest.Calls("", wiretest.Ran{Name: "look", Args: `{"at":"` + strings.Repeat("x", 20000) + `"}`}),
	"a16-no-arguments":           wiretest.Calls("", idle),
	"a16-arguments-missing":      wiretest.Calls("", idle),
	"a16-arguments-null":         wiretest.Calls("", idle),
	"a17-truncated-arguments":    wiretest.Calls("Wait."), // a JSON failure goes back
	"a20-end-inside-call":        wiretest.Heard("Half.").Fails(chat.ParseError, "ended before"),
	"a20-end-without-finish":     wiretest.Heard("Half an answer").Fails(chat.ParseError, "ended before"),
	"a21-no-last-chunk":          wiretest.Heard("Hello.").HungUp(),
	"a22-tail-with-the-end":      wiretest.Calls("Let me see.", wiretest.Look),
	"a24-comments":               wiretest.Heard("Hello."),
	"a26-long-line":              wiretest.Calls("", wiretest.Ran{Name: "look", Args: `{"at":"` + strings.Repeat("QUJD", 75000) + `"}`}),
	"a27-empty-choices-first":    wiretest.Heard("Hello."),
	"a27-no-choices":             wiretest.Heard("").Fails(chat.ParseError, "ended before"),
	"a27-usage-last":             wiretest.Heard("Hello."),
	"a28-error-at-once":          wiretest.Heard("").Fails(chat.NetworkDrop, "tool call validation failed"),
	"a28-error-beside-choices":   wiretest.Heard("Half").Fails(chat.NetworkDrop, "Provider disconnected unexpectedly"),
	"a28-error-inside":           wiretest.Heard("Half").Fails(chat.NetworkDrop, "tool call validation failed"),
	"a30-fenced-json":            wiretest.Heard("Hello.\n"),
	"a30-function-tag":           wiretest.Heard("Hello."),
	"a30-quoted":                 wiretest.Heard("The page says \"<tool_call>{\\\"name\\\":\\\"look\\\"}\" to you."),
	"a30-tool-call-tags":         wiretest.Heard("Hello."),
	"a30-tool-calls-bracket":     wiretest.Heard("Hello."),
	"a31-reasoning-content":      wiretest.Heard("Hello."),
	"a31-think":                  wiretest.Heard("Hello."),
	"bom":                        wiretest.Heard("Hello."),
	"calls-then-clean-end":       wiretest.Calls("", wiretest.Look),
	"content-parts":              wiretest.Heard("Hello."),
	"crlf":                       wiretest.Heard("Hello."),
	"index-order":                wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"interleaved":                wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"no-blank-lines":             wiretest.Heard("Hello."),
	"no-done":                    wiretest.Heard("Hello."),
	"no-finish-but-done":         wiretest.Heard("Hello."),
	"two-choices":                wiretest.Heard("Hello."),
	"two-unnamed-no-id-no-index": wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"unicode-escapes":            wiretest.Heard("こん😀"),
	"usage-with-last-text":       wiretest.Heard("Hello."),
	"whole-answer":               wiretest.Calls("Hello.", wiretest.Look),
	"whole-message":              wiretest.Calls("Hello.", wiretest.Look),
}

// "what servers in the field do, as recorded streams in testdata/, each replayed whole and byte by byte".
func TestRecordedStreams(t *testing.T) {
	wiretest.Replay(t, recorded, func(t *testing.T, tools []chat.Tool, first wiretest.Script) (*wiretest.Rig, *wiretest.Server) {
		s := newServer(t, first, wiretest.SSE(text("Back."), finish("stop"), done))
		return newRig(t, s, tools), s
	}, func(t *testing.T, reqs []map[string]any, want wiretest.Recorded) {
		for i := 1; i < len(reqs); i++ {
			paired(t, reqs[i]["messages"].([]any))
		}
		rounds := 0
		if want.Calls != nil {
			rounds = 1
		}
		if len(reqs) != 1+rounds {
			t.Errorf("%d requests, want %d", len(reqs), 1+rounds)
		}
	})
}

var (
	ourID      = regexp.MustCompile(`^[A-Za-z0-9]{9}$`)
	recordedID = regexp.MustCompile(`^(call_\w+|[a-z])$`) // what the recorded servers gave
)

// paired checks what goes back: "Ids that we make are nine letters or digits, distinct, never empty", each
// call with its tool message, in order (docs/rules/servers.md#a7).
func paired(t *testing.T, messages []any) {
	t.Helper()
	var calls, answers []string
	for _, m := range messages {
		m := m.(map[string]any)
		list, _ := m["tool_calls"].([]any)
		for _, c := range list {
			id, _ := c.(map[string]any)["id"].(string)
			if args, _ := c.(map[string]any)["function"].(map[string]any)["arguments"].(string); !json.Valid([]byte(args)) {
				t.Errorf("broken arguments are repeated (docs/rules/servers.md#a18): %.100s", args)
			}
			if slices.Contains(calls, id) || !ourID.MatchString(id) && !recordedID.MatchString(id) {
				t.Errorf("id %q beside %q", id, calls)
			}
			calls = append(calls, id)
		}
		if id, ok := m["tool_call_id"].(string); ok {
			answers = append(answers, id)
		}
	}
	if !slices.Equal(calls, answers) {
		t.Errorf("calls %q, tool messages %q", calls, answers)
	}
}
