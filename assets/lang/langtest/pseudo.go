// Package langtest makes a further language for tests: the English one in brackets.
package langtest

import (
	"fmt"
	"io/fs"
	"log/slog"
	"testing"
	"testing/fstest"

	"github.com/pelletier/go-toml/v2"

	"yui/assets/lang"
)

// Book is English and, as de, what stands for a translation of it: "⟨Quit⟩" is "Quit".
func Book(t testing.TB) *lang.Book {
	english, err := fs.ReadFile(lang.Files(), "en.toml")
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := toml.Unmarshal(english, &tree); err != nil {
		t.Fatal(err)
	}
	bracket(tree)
	german, err := toml.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	b, err := lang.Open(fstest.MapFS{"en.toml": {Data: english}, "de.toml": {Data: german}}, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func bracket(tree map[string]any) {
	for name, v := range tree {
		switch v := v.(type) {
		case string:
			tree[name] = fmt.Sprintf("⟨%s⟩", v)
		case map[string]any:
			bracket(v)
		}
	}
}
