package push

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// "The frame shapes of docs/rules/chat.md#push-frames are written down in docs/wire.md with a JSON schema each": every
// schema has its row there, and the row every field, those that may be absent with a question mark.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "wire.md"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 14 {
		t.Errorf("%d schemas", len(all))
	}
	for name := range all {
		_, rest, found := strings.Cut(string(page), "\n| `"+name+"` | ")
		row, _, _ := strings.Cut(rest, "\n")
		if !found {
			t.Errorf("%s has no row", name)
			continue
		}
		raw, err := os.ReadFile(filepath.Join("schemas", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
		}
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		needed := " " + strings.Join(schema.Required, " ") + " "
		fields, _, _ := strings.Cut(row, " | ")
		for field := range schema.Properties {
			switch {
			case field == "type":
			case !strings.Contains(fields, "`"+field):
				t.Errorf("%s: %s is not in %s", name, field, fields)
			case strings.Contains(needed, " "+field+" ") == (strings.Contains(fields, "`"+field+"`?") || strings.Contains(fields, "`"+field+"[]`?")):
				t.Errorf("%s: whether %s must be there differs from %s", name, field, fields)
			}
		}
	}
}
