// Package output makes texts for a model of what programs and servers wrote: valid UTF-8 without characters that could
// paint over or hide something, and never longer than a limit.
package output

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Truncated is the last line of a text of which something is missing.
const Truncated = "[truncated]"

// Clean makes valid UTF-8 of bytes. Control characters but tab and line feed become U+FFFD, so that no terminal on which
// the result is shown can be made to paint over our lines; carriage returns are line ends.
func Clean(b []byte) string {
	var out strings.Builder
	out.Grow(len(b))
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == '\r' && len(b) > 1 && b[1] == '\n': // the line feed follows
		case r == '\r':
			out.WriteByte('\n')
		case r != '\t' && r != '\n' && unicode.IsControl(r):
			out.WriteRune(utf8.RuneError)
		default:
			out.WriteRune(r)
		}
		b = b[size:]
	}
	return out.String()
}

// WholeRunes drops a character at the end of a cut text of which bytes are missing.
func WholeRunes(b []byte) []byte {
	for i := 1; i <= min(utf8.UTFMax-1, len(b)); i++ {
		if !utf8.RuneStart(b[len(b)-i]) {
			continue
		}
		if !utf8.FullRune(b[len(b)-i:]) {
			return b[:len(b)-i]
		}
		break
	}
	return b
}

// Fit puts a text together that is never longer than limit bytes: body gives way, and ends with Truncated where it does
// or where it was cut before.
func Fit(limit int, head, body string, cut bool, foot string) string {
	room := max(0, limit-len(head)-len(foot))
	if !cut && len(body) <= room {
		return head + body + foot
	}
	room = max(0, room-len("\n"+Truncated))
	if len(body) > room {
		for room > 0 && !utf8.RuneStart(body[room]) {
			room--
		}
		body = body[:room]
	}
	if !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	return head + body + Truncated + foot
}

// Plain keeps the lines of a text and drops what does not show: control characters, direction marks, zero-width spaces;
// not the joiners that emoji and some scripts need.
func Plain(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\u200c', r == '\u200d':
			return r
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// Line is Plain on one line of at most limit code points.
func Line(s string, limit int) string {
	return Short(strings.Join(strings.Fields(Plain(s)), " "), limit)
}

// Short cuts a text to at most limit code points, the last of which is then "…".
func Short(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit-1 {
			return strings.TrimRightFunc(s[:i], unicode.IsSpace) + "…"
		}
		n++
	}
	return s
}
