package mcp

import (
	"fmt"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// twoOfOneName looks for two names of tools that become one: six letters that models do not take, and a hash of 32 bits.
func twoOfOneName(t *testing.T, server string) (a, b string) {
	t.Helper()
	seen := map[string]string{}
	for i := range 1 << 20 {
		name := ""
		for n := i; len([]rune(name)) < 6; n /= 64 {
			name += string(rune('あ' + n%64))
		}
		function := functionName(server, name, false)
		if was, had := seen[function]; had {
			return was, name
		}
		seen[function] = name
	}
	t.Fatal("no two names")
	return "", ""
}

// No server can give a function name twice, in a list of today or in one that was stored.
func TestNamesAreGivenOnce(t *testing.T) {
	a, b := twoOfOneName(t, "h")
	kept, left := offers("h", false, []*sdk.Tool{{Name: a}, {Name: b}, {Name: "echo"}, {Name: "echo"}})
	if len(kept) != 2 || left != 2 || kept[0].Raw != a && kept[1].Raw != a {
		t.Errorf("%+v, %d left out", kept, left)
	}
	stored := fmt.Sprintf(`[{"raw":%q,"schema":{}},{"raw":"echo","schema":{}},{"raw":%q,"schema":{}}]`, a, b)
	if list, ok := decode([]byte(stored), "h", false); !ok || len(list) != 2 || list[0].Name == list[1].Name {
		t.Errorf("%+v %v", list, ok)
	}
}
