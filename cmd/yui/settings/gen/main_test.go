package main

import (
	"os"
	"strings"
	"testing"

	"yui/cmd/yui/settings"
)

const file = "../../../../docs/config.md"

// docs/config.md has the tables of this moment, and with them every setting.
func TestDocumentIsCurrent(t *testing.T) {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := filled(string(b))
	if err != nil {
		t.Fatal(err)
	}
	if text != string(b) {
		t.Error("docs/config.md is not current: go generate ./cmd/yui/settings")
	}
	for _, s := range settings.All() {
		if s.Doc == "" || strings.Contains(s.Doc, "\n") || strings.Contains(s.Doc, "|") {
			t.Errorf("%s has no row: %q", s.Key, s.Doc)
		}
		if !strings.Contains(text, "| "+key(s)+" |") {
			t.Errorf("%s is in no table", s.Key)
		}
	}
	if _, err := filled("nothing"); err == nil {
		t.Error("a document without the tables was taken")
	}
}
