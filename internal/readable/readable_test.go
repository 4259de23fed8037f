package readable

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                 "",
		"  a\t b\n\nc ":    "a b c",
		"a\x00b\x1b[31mc":  "ab[31mc",
		"\u202eevil\u202c": "evil",
		"zero\u200bwidth":  "zerowidth",
		"👩\u200d🚀 flies":   "👩\u200d🚀 flies",
		"a\u2028b":         "a b",
		"\xff":             "\uFFFD",
		"exactly ten":      "exactly t…",
		"日本語の文字が十より多い":     "日本語の文字が十よ…",
	} {
		if got := Line(in, 10); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		n           int
		first, last string
	}{{-1, "", ""}, {0, "", ""}, {2, "äö", "ßx"}, {4, "äößx", "äößx"}, {9, "äößx", "äößx"}} {
		if f, l := First("äößx", c.n), Last("äößx", c.n); f != c.first || l != c.last {
			t.Errorf("%d: %q and %q", c.n, f, l)
		}
	}
}

func TestLineHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, n := string(rapid.SliceOf(rapid.Byte()).Draw(t, "in")), rapid.IntRange(1, 40).Draw(t, "n")
		got := Line(in, n)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > n || strings.ContainsFunc(got, unicode.IsControl) {
			t.Errorf("%q in %d gives %q", in, n, got)
		}
	})
}
