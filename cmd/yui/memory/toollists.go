package memory

import (
	"context"
	"encoding/json"
)

func toolListKey(server string) string { return "mcp.tools." + server }

// LoadTools implements mcp.Store: the tools of a server that the person has agreed to.
func (m *Memory) LoadTools(server string) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	defer cancel()
	v, _, err := m.Get(ctx, toolListKey(server))
	return v, err
}

// SaveTools implements mcp.Store.
func (m *Memory) SaveTools(server string, list json.RawMessage) error {
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	defer cancel()
	return m.Set(ctx, toolListKey(server), list)
}
