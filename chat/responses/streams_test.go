package responses_test

import (
	"strings"
	"testing"

	"yui/chat"
	"yui/chat/internal/wiretest"
)

// idle is a call without arguments.
var idle = wiretest.Ran{Name: "wave", Args: "{}"}

// recorded is what each stream of testdata/streams must come to.
var recorded = map[string]wiretest.Recorded{
	"a20-end-without-completed":         wiretest.Heard("Half an answer").Fails(chat.ParseError, "ended before"),
	"a21-no-last-chunk":                 wiretest.Heard("Hello.").HungUp(),
	"a26-long-line":                     wiretest.Calls("", wiretest.Ran{Name: "look", Args: `{"at":"` + strings.Repeat("QUJD", 75000) + `"}`}),
	"a28-error-inside":                  wiretest.Heard("Half").Fails(chat.NetworkDrop, "tool call validation failed"),
	"bare-items":                        wiretest.Calls("Let me see.", wiretest.Look),
	"bom":                               wiretest.Heard("Hello."),
	"call-as-text":                      wiretest.Heard("Hello.\n"),
	"call-deltas-only":                  wiretest.Calls("", wiretest.Look),
	"call-in-completed-only":            wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"call-item-done-only":               wiretest.Calls("", wiretest.Look),
	"call-named-arguments-done":         wiretest.Calls("", wiretest.Look),
	"call-placeholder-when-added":       wiretest.Calls("", wiretest.Look),
	"call-unnamed-until-done":           wiretest.Calls("", wiretest.Look),
	"call-whole-when-added":             wiretest.Calls("", wiretest.Look),
	"calls-empty-call-ids":              wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"calls-ids-change-with-every-event": wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"calls-interleaved":                 wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"calls-one-call-id":                 wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"calls-one-index":                   wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"calls-without-any-name-of-theirs":  wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"calls-without-index-and-ids":       wiretest.Calls("", wiretest.Look, wiretest.Wave),
	"comments":                          wiretest.Heard("Hello."),
	"completed-without-response":        wiretest.Heard("Hello."),
	"crlf":                              wiretest.Heard("Hello."),
	"done-instead-of-completed":         wiretest.Heard("Hello."),
	"event-names-only":                  wiretest.Heard("Hello."),
	"no-arguments":                      wiretest.Calls("", idle),
	"no-blank-lines":                    wiretest.Heard("Hello."),
	"no-last-line-feed":                 wiretest.Heard("Hello."),
	"failed":                            wiretest.Heard("Half").Fails(chat.NetworkDrop, "The engine is overloaded"),
	"null-arguments":                    wiretest.Calls("", idle),
	"null-fields":                       wiretest.Heard("Hello."),
	"object-arguments":                  wiretest.Calls("", wiretest.Look),
	"reasoning-and-call":                wiretest.Calls("", wiretest.Look),
	"refusal":                           wiretest.Heard("I will not."),
	"text":                              wiretest.Heard("Hello."),
	"text-and-call":                     wiretest.Calls("Let me see.", wiretest.Look),
	"text-done-marker":                  wiretest.Heard("Hello."),
	"text-ids-change-with-every-event":  wiretest.Heard("Hello."),
	"text-only-in-completed":            wiretest.Heard("Hello."),
	"text-only-in-item":                 wiretest.Heard("Hello."),
	"text-only-when-done":               wiretest.Heard("Hello."),
	"text-without-index-and-ids":        wiretest.Heard("Hello."),
	"think-tags":                        wiretest.Heard("Hello."),
	"truncated-arguments":               wiretest.Calls(""), // a JSON failure goes back
	"two-messages":                      wiretest.Heard("One. Two."),
	"unicode":                           wiretest.Heard("こん😀"),
	"unknown-events":                    wiretest.Heard("Hello."),
	"whole-response":                    wiretest.Calls("Hello.", wiretest.Look),
}

// "what servers in the field do, as recorded streams in testdata/, each replayed whole and byte by byte".
func TestRecordedStreams(t *testing.T) {
	wiretest.Replay(t, recorded, func(t *testing.T, tools []chat.Tool, first wiretest.Script) (*wiretest.Rig, *wiretest.Server) {
		r := newRig(t, tools, nil, first, stream("r2", delta("Back.")))
		return r.Rig, r.server
	}, func(t *testing.T, reqs []map[string]any, want wiretest.Recorded) {
		if len(reqs) == 2 {
			if n := strings.Count(input(reqs[1]), `"function_call_output"`); n != max(1, len(want.Calls)) {
				t.Errorf("%d outputs go back", n)
			}
		}
	})
}
