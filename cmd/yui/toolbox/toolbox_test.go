package toolbox

import (
	"slices"
	"testing"

	"yui/internal/protocol"
	"yui/tools"
)

// A list that makes no registry costs its server alone, wherever it stands among them.
func TestServersAreDeclaredApart(t *testing.T) {
	tool := func(name, server string) tools.Tool { return tools.Tool{Name: name, Switch: server} }
	own := []tools.Tool{tool("look", "screen")}
	for _, foreign := range [][]tools.Tool{
		{tool("evil", "mcp_evil"), tool("x", "mcp_evil"), tool("x", "mcp_evil"), tool("good", "mcp_good")},
		{tool("good", "mcp_good"), tool("x", "mcp_evil"), tool("look", "mcp_evil")},
		{tool("good", "mcp_good"), tool("good", "mcp_evil")},
		{tool("", "mcp_evil"), tool("good", "mcp_good")},
	} {
		var out []string
		r := declare(tools.Tool{Name: protocol.Express}, own, foreign, func(server string, _ error) { out = append(out, server) })
		if len(r.Tools()) != 3 || !r.Has("look") || !r.Has("good") || !slices.Equal(out, []string{"mcp_evil"}) {
			t.Errorf("%v: %d tools, left out %v", foreign, len(r.Tools()), out)
		}
	}
}
