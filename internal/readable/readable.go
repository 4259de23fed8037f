// Package readable makes text from outside fit to show and to send on: names, titles, and what servers and models wrote.
package readable

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is foreign text as one line of at most n characters: OneLine, then Clip.
func Line(s string, n int) string { return Clip(OneLine(s), n) }

// OneLine collapses white space and drops what does not show: control characters, bidirectional marks, zero-width
// spaces. Joiners stay, because emoji and some scripts need them. Bytes that are no text become U+FFFD.
func OneLine(s string) string {
	var b strings.Builder
	space := false
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r > ' ' && r < 0x7f: // the usual, cheaply
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c':
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Clip shortens s to at most n code points, with an ellipsis as the last one where it was longer.
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return First(s, n-1) + "…"
}

// First returns the first n code points of s.
func First(s string, n int) string {
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Last returns the last n code points of s.
func Last(s string, n int) string { return s[len(First(s, utf8.RuneCountInString(s)-n)):] }
