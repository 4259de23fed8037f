package prose

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/segmenter"
)

// pictures are the characters that are shown as emoji unless a variation selector asks for text.
var pictures = &unicode.RangeTable{
	R16: []unicode.Range16{{0x231A, 0x231B, 1}, {0x23E9, 0x23EC, 1}, {0x23F0, 0x23F0, 1}, {0x23F3, 0x23F3, 1}, {0x25FD, 0x25FE, 1},
		{0x2614, 0x2615, 1}, {0x2648, 0x2653, 1}, {0x267F, 0x267F, 1}, {0x2693, 0x2693, 1}, {0x26A1, 0x26A1, 1}, {0x26AA, 0x26AB, 1},
		{0x26BD, 0x26BE, 1}, {0x26C4, 0x26C5, 1}, {0x26CE, 0x26CE, 1}, {0x26D4, 0x26D4, 1}, {0x26EA, 0x26EA, 1}, {0x26F2, 0x26F3, 1},
		{0x26F5, 0x26F5, 1}, {0x26FA, 0x26FA, 1}, {0x26FD, 0x26FD, 1}, {0x2705, 0x2705, 1}, {0x270A, 0x270B, 1}, {0x2728, 0x2728, 1},
		{0x274C, 0x274C, 1}, {0x274E, 0x274E, 1}, {0x2753, 0x2755, 1}, {0x2757, 0x2757, 1}, {0x2795, 0x2797, 1}, {0x27B0, 0x27B0, 1},
		{0x27BF, 0x27BF, 1}, {0x2B1B, 0x2B1C, 1}, {0x2B50, 0x2B50, 1}, {0x2B55, 0x2B55, 1}},
	R32: []unicode.Range32{{0x1F004, 0x1F004, 1}, {0x1F0CF, 0x1F0CF, 1}, {0x1F18E, 0x1F18E, 1}, {0x1F191, 0x1F19A, 1}, {0x1F1E6, 0x1F1FF, 1},
		{0x1F201, 0x1F201, 1}, {0x1F21A, 0x1F21A, 1}, {0x1F22F, 0x1F22F, 1}, {0x1F232, 0x1F236, 1}, {0x1F238, 0x1F23A, 1},
		{0x1F250, 0x1F251, 1}, {0x1F300, 0x1F64F, 1}, {0x1F680, 0x1F6FF, 1}, {0x1F7E0, 0x1F7EB, 1}, {0x1F7F0, 0x1F7F0, 1}, {0x1F900, 0x1FAFF, 1}},
}

// symbols are the blocks of characters that a text font may lack and an emoji font may have.
var symbols = &unicode.RangeTable{R16: []unicode.Range16{{0x2190, 0x21FF, 1}, {0x2300, 0x23FF, 1}, {0x2460, 0x27BF, 1}, {0x2900, 0x297F, 1}, {0x2B00, 0x2BFF, 1}},
	R32: []unicode.Range32{{0x1F000, 0x1FAFF, 1}}}

const (
	asText  = 0xFE0E // variation selectors
	asEmoji = 0xFE0F
	keycap  = 0x20E3
	joiner  = 0x200D
)

// isEmoji tells whether a cluster of characters is one emoji.
func isEmoji(cluster []rune) bool {
	switch {
	case slices.Contains(cluster, asText):
		return false
	case slices.Contains(cluster, keycap):
		return true
	case cluster[0] > unicode.MaxASCII && slices.Contains(cluster, asEmoji):
		return true
	}
	return unicode.Is(pictures, cluster[0])
}

// HasEmoji tells whether a text holds what has to be drawn apart from its letters.
func HasEmoji(s string) bool {
	found := false
	for _, r := range s {
		if r == keycap || r == asEmoji || unicode.Is(symbols, r) {
			found = true
		} else if rightToLeft(r) {
			return false
		}
	}
	return found
}

// divide cuts a span whose text is r so that each emoji, and each symbol, is a span of its own: one font then draws all
// of its characters, and the white space behind it is the text's.
func divide(span styled, r []rune) (out []styled) {
	cut := func(from, to int, emoji bool) {
		if from < to {
			part := span
			part.from, part.to, part.emoji = span.from+from, span.from+to, emoji
			out = append(out, part)
		}
	}
	last := 0
	if HasEmoji(string(r)) {
		var seg segmenter.Segmenter
		seg.Init(r)
		start := 0
		for it := seg.GraphemeIterator(); it.Next(); {
			end := it.Grapheme().Offset + len(it.Grapheme().Text)
			if r[end-1] == joiner && end < len(r) { // the segmenter sees no joiner behind a variation selector
				continue
			}
			if g := r[start:end]; isEmoji(g) || unicode.Is(symbols, g[0]) {
				cut(last, start, false)
				cut(start, end, isEmoji(g))
				last = end
			}
			start = end
		}
	}
	cut(last, len(r), false)
	return out
}
