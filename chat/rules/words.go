package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold makes texts comparable: full and half width forms, letter case, typographic apostrophes, white space.
func fold(s string) string {
	s = cases.Fold().String(norm.NFKC.String(s))
	s = strings.Map(func(r rune) rune {
		switch r {
		case '’', '‘', 'ʼ', '`':
			return '\''
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// flat says that a rune belongs to a script that is written without spaces between words, or glues endings to them:
// there a word is found inside others.
func flat(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) || r == 'ー'
}

// letter says that a rune continues a word of a script with spaces.
func letter(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !flat(r) }

// hasWord finds a folded word in a folded text: as a whole word where its ends are of a script with spaces, anywhere in
// others.
func hasWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(word):])
		first, size := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		if !(letter(first) && i > 0 && letter(before)) && !(letter(last) && letter(after)) {
			return true
		}
		from = i + size
	}
}

// bare is a folded text without what stands around its words: "Morning!!" is "morning".
func bare(folded string) string {
	return strings.TrimFunc(folded, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsSpace(r) })
}

// pairs is which two bytes stand side by side in a text: most words of a thousand rules are ruled out by one look.
type pairs [1024]uint64

func pairsOf(text string) *pairs {
	var p pairs
	for i := 1; i < len(text); i++ {
		k := uint(text[i-1])<<8 | uint(text[i])
		p[k>>6] |= 1 << (k & 63)
	}
	return &p
}

// may says that the text may hold the word.
func (p *pairs) may(word string) bool {
	if len(word) < 2 {
		return true
	}
	k := uint(word[0])<<8 | uint(word[1])
	return p[k>>6]&(1<<(k&63)) != 0
}
