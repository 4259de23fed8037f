package completions_test

import (
	"regexp"
	"slices"
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
	"a16-no-arguments":           wiretest.Calls("", idle),
	"a16-arguments-missing":      wiretest.Calls("", idle),
	"a16-arguments-null":         wiretest.Calls("", idle),
	"a24-comments":               wiretest.Heard("Hello."),
	"a27-empty-choices-first":    wiretest.Heard("Hello."),
	"a27-usage-last":             wiretest.Heard("Hello."),
	"a30-tool-call-tags":         wiretest.Heard("Hello."),
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
	"whole-message":              wiretest.Calls("Hello.", wiretest.Look),
}

// "everything in cases.md part A, as recorded streams in testdata/, each replayed whole and byte by byte" (issue 4).
func TestRecordedStreams(t *testing.T) {
	wiretest.Replay(t, recorded, func(t *testing.T, tools []chat.Tool, first wiretest.Script) (*wiretest.Rig, *wiretest.Server) {
		s := newServer(t, first, wiretest.SSE(text("Back."), finish("stop"), done))
		return newRig(t, s, tools), s
	}, func(t *testing.T, reqs []map[string]any, want wiretest.Recorded) {
		for i := 1; i < len(reqs); i++ {
			paired(t, reqs[i]["messages"].([]any))
		}
		if want := 1 + min(1, len(want.Calls)); len(reqs) != want {
			t.Errorf("%d requests, want %d", len(reqs), want)
		}
	})
}

var (
	ourID      = regexp.MustCompile(`^[A-Za-z0-9]{9}$`)
	recordedID = regexp.MustCompile(`^(call_\w+|[a-z])$`) // what the recorded servers gave
)

// paired checks what goes back: "Ids that we make are nine letters or digits, distinct, never empty" (issue 4), each
// call with its tool message, in order (cases.md A7).
func paired(t *testing.T, messages []any) {
	t.Helper()
	var calls, answers []string
	for _, m := range messages {
		m := m.(map[string]any)
		list, _ := m["tool_calls"].([]any)
		for _, c := range list {
			id, _ := c.(map[string]any)["id"].(string)
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
