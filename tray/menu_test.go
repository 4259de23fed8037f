package tray

import (
	"testing"

	"yui/assets/lang/langtest"
)

// A language that is only a file is that of the menu.
func TestAFurtherLanguage(t *testing.T) {
	m := Menu{Pets: []Pet{{"yui", "Yui", true}}, Words: langtest.Book(t).In("de")}
	items := m.Items()
	for _, i := range items {
		if r := []rune(i.Label); !i.Separator && (len(r) == 0 || r[0] != '⟨') {
			t.Errorf("%q", i.Label)
		}
	}
	if items[0].Label != "⟨Hide Yui⟩" || items[len(items)-1].Label != "⟨Quit⟩" {
		t.Errorf("%+v", items)
	}
}
