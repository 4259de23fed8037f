package companion

import (
	"encoding/json"
	"testing"
)

// BenchmarkAnswer is the work of one answer at the end of a long
// conversation, without the network.
func BenchmarkAnswer(b *testing.B) {
	lib := readTestLibrary(b)
	msgs := []any{map[string]any{"role": "system", "content": "You are Yui."}}
	for i := range 100 {
		msgs = append(msgs, map[string]any{"role": "user", "content": utterances[i].said}, map[string]any{"role": "assistant", "content": lib.books[langEN].sources[i*7].line.text})
	}
	body, err := json.Marshal(map[string]any{"messages": append(msgs, map[string]any{"role": "user", "content": "could you please sit on the terminal now?"}), "tools": allTools("Momo")})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		req, bad := parseRequest(body)
		if bad != nil {
			b.Fatal(bad)
		}
		if _, bad := readTurn(lib, req, 7, fixedNow).answer(); bad != nil {
			b.Fatal(bad)
		}
	}
}
