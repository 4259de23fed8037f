package completions

import (
	"encoding/json"
	"strings"
	"testing"

	"yui/chat/api"
	"yui/internal/fuzzmem"
)

// pieces cuts a text into n pieces, some of them empty.
func pieces(text string, n int) []string {
	var out []string
	for ; n > 1; n-- {
		at := len(text) / n
		out = append(out, text[:at])
		text = text[at:]
	}
	return append(out, text)
}

// Fragments of two calls, in the manner of this or that server (docs/rules/servers.md), are two calls again, with all of
// their arguments and ids of their own; and what a finish_reason releases early is whole: "Truncated arguments are never
// run".
func FuzzFragments(f *testing.F) {
	for style := range byte(16) {
		f.Add(`{"at":"body"}`, `{"n":[1,{"x":"}"}]}`, uint8(3), uint8(5), style)
	}
	f.Add(`{"path":"/ho`, ``, uint8(1), uint8(2), byte(0))
	f.Add("{}", "{}", uint8(1), uint8(1), byte(3))
	f.Fuzz(func(t *testing.T, first, second string, cutFirst, cutSecond uint8, style byte) {
		fuzzmem.Watch(t)
		indexed, repeated, mixed, finishing := style&1 != 0, style&2 != 0, style&4 != 0, style&8 != 0
		split := func(index int, id, name, args string, cut uint8) []fragment {
			var out []fragment
			for i, piece := range pieces(args, 1+int(cut)%8) {
				var fr fragment
				fr.Function.Arguments = api.Arguments(piece)
				if i == 0 || repeated {
					fr.ID, fr.Function.Name = id, name
				}
				if indexed {
					fr.Index = &index
				}
				out = append(out, fr)
			}
			return out
		}
		a, b := split(0, "call_a", "look", first, cutFirst), split(1, "call_b", "wave", second, cutSecond)
		list := append(append([]fragment(nil), a...), b...)
		if mixed && (indexed || repeated) { // a server that gives neither cannot mix them
			list = nil
			for i := range max(len(a), len(b)) {
				if i < len(a) {
					list = append(list, a[i])
				}
				if i < len(b) {
					list = append(list, b[i])
				}
			}
		}
		var c calls
		got := map[string]string{}
		for _, fr := range list {
			c.add(fr)
			if !finishing {
				continue
			}
			for _, call := range c.release(false) {
				if !json.Valid([]byte(call.Arguments)) {
					t.Fatalf("released %q", call.Arguments)
				}
				got[call.ID] = call.Name + strings.TrimSpace(call.Arguments)
			}
		}
		for _, call := range c.release(true) {
			got[call.ID] = call.Name + strings.TrimSpace(call.Arguments)
		}
		whole := func(args string) bool { return api.Arguments(args).Whole() }
		if finishing && (!whole(first) || !whole(second)) {
			return // it may have been whole before its end: what was run then stands
		}
		if len(got) != 2 || got["call_a"] != "look"+strings.TrimSpace(first) || got["call_b"] != "wave"+strings.TrimSpace(second) {
			t.Fatalf("style %b: %q and %q became %q", style, first, second, got)
		}
	})
}
