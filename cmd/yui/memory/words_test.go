package memory

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"yui/assets/lang"
	"yui/store"
)

// Every cause has its words in every language, and what has none says itself.
func TestWordsOfCauses(t *testing.T) {
	known := []error{store.ErrLocked, store.ErrNewer, store.ErrReadOnly, store.ErrFull, store.ErrDamaged}
	for _, l := range lang.Bundled().Languages() {
		language, w := l.Code, lang.In(l.Code)
		for _, cause := range known {
			if got := Forgetful(w, "/x/yui.db", fmt.Errorf("open: %w", cause)); causes[cause] == "" || !strings.Contains(got, w.Text(causes[cause])) || !strings.Contains(got, "/x/yui.db") {
				t.Errorf("%s %v: %q", language, cause, got)
			}
		}
		if got := Unsaved(w, "/x", os.ErrInvalid); !strings.Contains(got, os.ErrInvalid.Error()) || strings.Contains(got, "{{") {
			t.Errorf("%s: %q", language, got)
		}
	}
}
