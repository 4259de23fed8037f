package tools

import (
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/go-text/typesetting/segmenter"

	"yui/internal/readable"
	"yui/tools/internal/output"
)

// units counts characters as the strictest reader does, in UTF-16: an emoji counts two.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// shorten cuts s to at most limit units where a word ends, or in the scripts without spaces where a line may break, and
// puts "…" in the place of the rest. cut tells whether anything is missing.
func shorten(s string, limit int) (short string, cut bool) {
	if units(s) <= limit {
		return s, false
	}
	runes := []rune(readable.First(s, limit+1)) // at least one more than fits, so that no end is taken for a break
	room, last := limit-1, 0                    // the last rune count that fits, with "…" behind it
	for ; last < len(runes) && room >= max(1, utf16.RuneLen(runes[last])); last++ {
		room -= max(1, utf16.RuneLen(runes[last]))
	}
	var seg segmenter.Segmenter
	seg.Init(runes)
	best := 0
	for lines := seg.LineIterator(); lines.Next(); {
		l := lines.Line()
		end := l.Offset + len([]rune(strings.TrimRightFunc(string(l.Text), unicode.IsSpace)))
		if end > last {
			break
		}
		best = end
	}
	if best < last/2 { // one endless word: anywhere, but not within an emoji or an accent
		for parts := seg.GraphemeIterator(); parts.Next(); {
			g := parts.Grapheme()
			if g.Offset+len(g.Text) > last {
				break
			}
			best = g.Offset + len(g.Text)
		}
	}
	return strings.TrimRightFunc(string(runes[:best]), unicode.IsSpace) + "…", true
}

// plainText keeps the lines of a text and drops what does not show: control characters, direction marks, zero-width
// spaces; not the joiners that emoji and some scripts need.
func plainText(s string) string { return output.Plain(s) }

// PlainText is a stranger's text as it may be shown: its lines without what does not show, at most limit code points.
func PlainText(s string, limit int) string { return output.Short(plainText(s), limit) }
