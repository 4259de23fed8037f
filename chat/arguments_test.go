package chat

import (
	"encoding/json"
	"strings"
	"testing"

	"yui/internal/fuzzmem"
	"yui/internal/protocol"
)

// "A call whose arguments are unparseable JSON is not run" (docs/rules/chat.md#results), "Empty arguments string = {}" (docs/rules/chat.md#results);
// what goes on to a tool or back to a server is valid JSON whatever came (docs/rules/servers.md#a18).
func FuzzArguments(f *testing.F) {
	for _, s := range []string{"", " \n", "null", "{}", `{"emotion_id":"happy","motion_id":7}`, `{"path":"/ho`, `[1]`, `"x"`, "{\"a\":\"\x00\"}", "{\"a\":\"\xff\"}", "{}{}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		fuzzmem.Watch(t)
		args, err := normalArguments(raw)
		if !json.Valid(args) {
			t.Fatalf("%q became %q", raw, args)
		}
		text := strings.TrimSpace(raw)
		if blank := text == "" || text == "null"; (err == nil) != (blank || json.Valid([]byte(text))) || blank && string(args) != "{}" {
			t.Fatalf("%q: %q, %v", raw, args, err)
		}
		if err != nil && string(args) != "{}" {
			t.Fatalf("broken arguments %q go back as %q", raw, args)
		}
		protocol.ParseCue(args)
		if n := len(text); err == nil && n > 1 && strings.HasPrefix(text, "{") {
			if _, err := normalArguments(text[:n-1]); err == nil {
				t.Fatalf("%q is accepted although it was cut", text[:n-1])
			}
		}
	})
}
