package panels

import (
	"strings"
	"testing"

	"yui/assets/lang"
)

// What of a model could not be read is told in one line, whatever a file's own names are.
func TestOddities(t *testing.T) {
	for _, l := range lang.Bundled().Languages() {
		name, w := l.Code, lang.In(l.Code)
		if got := Oddities(w, nil); got != "" {
			t.Errorf("%s: of a whole model %q is told", name, got)
		}
		got := Oddities(w, []string{"image 3 \"sk\nin\" is left out", "and more"})
		if !strings.Contains(got, "2") || !strings.Contains(got, `image 3 "sk in" is left out`) || strings.Contains(got, "\n") {
			t.Errorf("%s: %q", name, got)
		}
		if long := Oddities(w, []string{strings.Repeat("x", 4000)}); len([]rune(long)) > 200 {
			t.Errorf("%s: %d characters", name, len([]rune(long)))
		}
	}
}
