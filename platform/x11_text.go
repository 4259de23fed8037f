//go:build !windows && !darwin

package platform

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTitle is the length of titles in runes: they go into menus, logs and prompts.
const maxTitle = 512

// cleanText makes one line of valid UTF-8 of the bytes that another program sent. Bytes that are no UTF-8 become one
// U+FFFD a run; control characters, line and paragraph separators become spaces; marks that turn the direction of
// what follows are dropped, since they would reach beyond the title.
func cleanText(raw []byte) string {
	var b strings.Builder
	count, bad := 0, false
	for len(raw) > 0 && count < maxTitle {
		r, size := utf8.DecodeRune(raw)
		if r == utf8.RuneError && size == 1 {
			if len(raw) < utf8.UTFMax && !utf8.FullRune(raw) {
				break // cut inside a rune by the length limit
			}
			raw = raw[1:]
			if !bad {
				b.WriteRune(utf8.RuneError)
				count++
			}
			bad = true
			continue
		}
		bad = false
		raw = raw[size:]
		switch {
		case turnsText(r):
			continue
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			r = ' '
		}
		b.WriteRune(r)
		count++
	}
	return strings.TrimSpace(b.String())
}

func turnsText(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// latin1 is STRING text of ICCCM in UTF-8.
func latin1(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for _, c := range raw {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}

// compoundText is COMPOUND_TEXT in UTF-8 as far as it is ASCII, Latin 1 or UTF-8; every byte pair or byte of another
// character set is one U+FFFD. Programs that use it without _NET_WM_NAME are older than this century.
func compoundText(raw []byte) []byte {
	const (
		utf8Start  = "\x1b%G"
		utf8End    = "\x1b%@"
		latinRight = "\x1b-A"
		asciiLeft  = "\x1b(B"
	)
	var out []byte
	known, wide := true, false
	for len(raw) > 0 {
		switch {
		case bytes.HasPrefix(raw, []byte(utf8Start)):
			rest := raw[len(utf8Start):]
			text, after, found := bytes.Cut(rest, []byte(utf8End))
			if !found {
				text, after = rest, nil
			}
			out, raw = append(out, text...), after
		case bytes.HasPrefix(raw, []byte(latinRight)), bytes.HasPrefix(raw, []byte(asciiLeft)):
			known, wide, raw = true, false, raw[3:]
		case raw[0] == 0x1b:
			size := escapeLength(raw)
			known, wide, raw = false, bytes.IndexByte(raw[:size], '$') >= 0, raw[size:]
		case raw[0] < 0x20 || known || raw[0] < 0x80 && !wide:
			out, raw = utf8.AppendRune(out, rune(raw[0])), raw[1:]
		default:
			size := 1
			if wide {
				size = min(2, len(raw))
			}
			out, raw = utf8.AppendRune(out, utf8.RuneError), raw[size:]
		}
	}
	return out
}

// escapeLength is the length of an ISO 2022 escape sequence: ESC, intermediate bytes 0x20 to 0x2f, one final byte.
func escapeLength(raw []byte) int {
	n := 1
	for n < len(raw) && raw[n] >= 0x20 && raw[n] <= 0x2f {
		n++
	}
	return min(n+1, len(raw))
}

// classNames splits WM_CLASS: instance, class, each ended by a zero byte (which some programs forget).
func classNames(raw []byte) (instance, class string) {
	one, rest, _ := bytes.Cut(raw, []byte{0})
	two, _, _ := bytes.Cut(rest, []byte{0})
	return nameText(one), nameText(two)
}

// nameText takes a name that should be Latin 1 by the book and is UTF-8 in practice.
func nameText(raw []byte) string {
	if !utf8.Valid(raw) {
		raw = latin1(raw)
	}
	return cleanText(raw)
}
