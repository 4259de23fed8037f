package companion

import (
	"strings"
	"unicode/utf8"
)

// line is a template cut into its literal pieces, so that it can be found
// again in a transcript whatever filled its slots.
type line struct {
	text   string
	pieces []string
	size   int // letters in all pieces
}

// cut splits a template at its slots. Optional parts count as slots: they may
// be missing from what was said.
func cut(text string) line {
	l := line{text: text}
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.Index(inner, "]") == len(inner)-1 {
		text = inner[:len(inner)-1] // said as a whole or not at all
	}
	depth, start := 0, 0
	piece := func(end int) {
		if p := strings.TrimSpace(text[start:end]); p != "" {
			l.pieces = append(l.pieces, p)
			l.size += utf8.RuneCountInString(p)
		}
	}
	for i, r := range text {
		switch r {
		case '[', '{':
			if depth == 0 {
				piece(i)
			}
			depth++
		case ']', '}':
			depth--
			if depth == 0 {
				start = i + 1
			}
		}
	}
	if depth == 0 {
		piece(len(text))
	}
	return l
}

// in reports whether said holds the line's pieces in order.
func (l line) in(said string) bool {
	if l.size == 0 {
		return false
	}
	for _, p := range l.pieces {
		i := strings.Index(said, p)
		if i < 0 {
			return false
		}
		said = said[i+len(p):]
	}
	return true
}

// fill puts values into a template; ok is false when a slot outside square
// brackets has no value, so that the line must not be said.
func fill(text string, vars map[string]string) (out string, ok bool) {
	var b strings.Builder
	ok = true
	for text != "" {
		i := strings.IndexAny(text, "[{")
		if i < 0 {
			b.WriteString(text)
			break
		}
		b.WriteString(text[:i])
		closer := "}"
		if text[i] == '[' {
			closer = "]"
		}
		j := strings.Index(text[i:], closer)
		if j < 0 {
			b.WriteString(text[i:])
			break
		}
		inner := text[i+1 : i+j]
		if closer == "}" {
			v := vars[inner]
			ok = ok && v != ""
			b.WriteString(v)
		} else if part, full := fill(inner, vars); full {
			b.WriteString(part)
		}
		text = text[i+j+1:]
	}
	return b.String(), ok
}
