package app

import (
	"strings"
	"testing"
)

// What of a model could not be read is told in one line, whatever a file's own names are.
func TestOddities(t *testing.T) {
	for name, w := range map[string]wording{"en": english, "ja": japanese, "ko": korean} {
		if got := w.oddities(nil); got != "" {
			t.Errorf("%s: of a whole model %q is told", name, got)
		}
		got := w.oddities([]string{"image 3 \"sk\nin\" is left out", "and more"})
		if !strings.Contains(got, "2") || !strings.Contains(got, `image 3 "sk in" is left out`) || strings.Contains(got, "\n") {
			t.Errorf("%s: %q", name, got)
		}
		if long := w.oddities([]string{strings.Repeat("x", 4000)}); len([]rune(long)) > 200 {
			t.Errorf("%s: %d characters", name, len([]rune(long)))
		}
	}
}
