package companion

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// utterance is what the person said, prepared for matching once.
type utterance struct {
	raw      string   // as typed, trimmed
	words    []string // Latin script: lower-case words, contractions spread
	flat     string   // Japanese and Korean: folded text without space or punctuation
	question bool
	negated  bool // says not to do something
}

// Scripts that decide the language of an answer.
const (
	langEN = "en"
	langJA = "ja"
	langKO = "ko"
)

// scriptOf names the language that the letters of s point to; "" where there
// is no letter to go by (a number, an emoji, a lone question mark).
func scriptOf(s string) string {
	latin := false
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) || r == 'ー' && !latin:
			return langJA
		case unicode.Is(unicode.Hangul, r):
			return langKO
		case unicode.IsLetter(r):
			latin = true
		}
	}
	if latin {
		return langEN
	}
	return ""
}

// fold brings text to one spelling: compatibility forms (full-width letters
// and digits, half-width kana) made plain, lower case, katakana as hiragana.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '’' || r == '‘' || r == '`' || r == '´':
			return '\''
		case r >= 'ァ' && r <= 'ヶ':
			return r - ('ァ' - 'ぁ')
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(s))
}

// flatten drops everything but letters and digits from folded text, and
// shortens runs of three and more ("ねえええ", "ーーー") to one.
func flatten(folded string) string {
	var b strings.Builder
	rs := make([]rune, 0, len(folded))
	for _, r := range folded {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == 'ー' || unicode.Is(unicode.Mn, r) {
			rs = append(rs, r)
		}
	}
	for i := 0; i < len(rs); {
		j := i
		for j < len(rs) && rs[j] == rs[i] {
			j++
		}
		n := j - i
		if n >= 3 && !unicode.IsDigit(rs[i]) || rs[i] == 'ー' {
			n = 1
		}
		b.WriteString(strings.Repeat(string(rs[i]), n))
		i = j
	}
	return b.String()
}

// splitWords cuts folded Latin text into words; an apostrophe inside a word
// stays, all other punctuation parts words.
func splitWords(folded string) []string {
	return strings.FieldsFunc(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && !unicode.Is(unicode.Mn, r)
	})
}

// squeeze shortens runs of three and more letters to n.
func squeeze(w string, n int) string {
	var b strings.Builder
	rs := []rune(w)
	for i := 0; i < len(rs); {
		j := i
		for j < len(rs) && rs[j] == rs[i] {
			j++
		}
		k := j - i
		if k >= 3 {
			k = n
		}
		for ; k > 0; k-- {
			b.WriteRune(rs[i])
		}
		i = j
	}
	return b.String()
}

// oneSlip reports whether two words differ by a single slip of the fingers:
// one letter changed, missing, extra, or two neighbours swapped.
func oneSlip(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	j := 0
	for j < len(x)-i && x[len(x)-1-j] == y[len(y)-1-j] {
		j++
	}
	rest := len(x) - i - j
	if len(x) == len(y) {
		return rest == 1 || rest == 2 && x[i] == y[i+1] && x[i+1] == y[i]
	}
	return rest == 0
}
