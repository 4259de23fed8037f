package tools

import (
	"fmt"
	"strings"
	"unicode"

	"yui/assets/lang"
)

// The least that is written out: so many empty lines, so many spaces in a row.
const (
	emptyLinesMost = 1
	spacesMost     = 40
)

// Legible makes a text one of which everything is seen by whoever reads it: what would push the rest out of sight (runs of
// empty lines and of spaces) is counted, what does not show or turns the order of reading is named. It is what the person
// is asked with; what runs or is sent stays as it is.
func Legible(w *lang.Words, s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n", "\v", "\n", "\f", "\n", "\t", "    ").
		Replace(strings.ToValidUTF8(s, "\uFFFD"))
	var out []string
	empty := 0
	flush := func() {
		if empty > emptyLinesMost {
			out = append(out, w.Text("tool.legible.empty_lines", lang.Args{lang.Count: empty}))
		} else if empty == 1 {
			out = append(out, "")
		}
		empty = 0
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimFunc(line, blank) == "" {
			empty++
			continue
		}
		flush()
		out = append(out, legibleLine(w, line))
	}
	flush()
	return strings.Join(out, "\n")
}

// blank tells whether a character takes room and shows nothing.
func blank(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0':
		return true
	}
	return unicode.IsSpace(r)
}

func legibleLine(w *lang.Words, line string) string {
	var out strings.Builder
	spaces := ""
	flush := func() {
		if n := len([]rune(spaces)); n > spacesMost {
			out.WriteString(w.Text("tool.legible.spaces", lang.Args{lang.Count: n}))
		} else {
			out.WriteString(spaces)
		}
		spaces = ""
	}
	runes := []rune(line)
	for i, r := range runes {
		if blank(r) {
			spaces += " "
			continue
		}
		flush()
		if name := hidden(runes, i); name != "" {
			out.WriteString(w.Text("tool.legible.hidden", lang.Args{"name": w.Text(name), "code": fmt.Sprintf("%04X", r)}))
			continue
		}
		out.WriteRune(r)
	}
	flush()
	return out.String()
}

// hidden names the kind of a character that does not show by itself, "" for one that does.
func hidden(runes []rune, i int) lang.Key {
	r := runes[i]
	switch {
	case unicode.Is(unicode.Bidi_Control, r):
		return "tool.legible.direction"
	case unicode.IsControl(r):
		return "tool.legible.control"
	case joins(runes, i):
		return ""
	case unicode.In(r, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return "tool.legible.invisible"
	}
	return ""
}

// joins tells whether a joiner or a variation selector does what it is there for: between two characters, or once behind
// one.
func joins(runes []rune, i int) bool {
	shows := func(i int) bool {
		return i >= 0 && i < len(runes) && !blank(runes[i]) && unicode.In(runes[i], unicode.L, unicode.M, unicode.N, unicode.S, unicode.P) &&
			(!unicode.Is(unicode.Variation_Selector, runes[i]) || runes[i] == '\ufe0f')
	}
	switch r := runes[i]; {
	case r == '\u200c' || r == '\u200d':
		return shows(i-1) && shows(i+1) && runes[i-1] > 0x7f // never in what is written in plain letters, as programs are
	case unicode.Is(unicode.Variation_Selector, r):
		return shows(i-1) && !unicode.Is(unicode.Variation_Selector, runes[i-1])
	}
	return false
}
