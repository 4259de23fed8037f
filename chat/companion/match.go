package companion

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one alternative of a term.
type word struct {
	text   string
	prefix bool
	weight float64 // in a script without spaces: what finding it counts
}

// pattern is a compiled entry of intent.Match.
type pattern struct {
	terms     [][]word
	whole     bool // "=": the utterance is nothing else
	question  bool // "?"
	statement bool // "!"
}

func compile(text string) pattern {
	var p pattern
	text, p.whole = strings.CutPrefix(text, "=")
	text, p.question = strings.CutSuffix(text, "?")
	text, p.statement = strings.CutSuffix(text, "!")
	for _, term := range strings.Fields(text) {
		var words []word
		for _, alt := range strings.Split(term, "|") {
			t, prefix := strings.CutSuffix(alt, "*")
			words = append(words, word{fold(t), prefix, weighFlat(t)})
		}
		p.terms = append(p.terms, words)
	}
	return p
}

// Scores. A single content word in a short sentence is enough, the same word
// lost in a long one is not: coverage decides.
const (
	weightStop    = 1.0
	weightContent = 3.0
	weightCover   = 3.0
	gapPenalty    = 0.4
	wholeBonus    = 4.0
	maxGap        = 4
	enoughEN      = 4.0
	enoughJA      = 3.3
)

// hit is the intent that fits an utterance best.
type hit struct {
	intent *intent
	score  float64
	vars   map[string]string // found by a detector
}

// find is where a pattern fits: its own worth and the words (or letters) that
// it covers, as a bit each.
type find struct {
	score  float64
	covers []bool
}

// score rates all patterns of an intent against the utterance. The best one
// counts, and what the others cover counts too: "a bug in my code" names two
// things of one intent.
func (b *book) score(u utterance, in *intent) float64 {
	best := 0.0
	var covers []bool
	for _, p := range in.patterns {
		if p.question && !u.question || p.statement && u.question || len(p.terms) == 0 {
			continue
		}
		var f find
		if b.Lang == langEN {
			f = b.findWords(u.words, p)
		} else {
			f = b.findFlat(u.flat, p)
		}
		if f.score == 0 {
			continue
		}
		best = math.Max(best, f.score)
		if covers == nil {
			covers = f.covers
			continue
		}
		for i, c := range f.covers {
			covers[i] = covers[i] || c
		}
	}
	if best == 0 {
		return 0
	}
	sum, total := 0.0, 0.0
	for i, w := range b.weights(u) {
		total += w
		if covers[i] {
			sum += w
		}
	}
	return best + weightCover*sum/total
}

// weights lists what each word (or letter) of the utterance weighs.
func (b *book) weights(u utterance) []float64 {
	var ws []float64
	if b.Lang == langEN {
		for _, w := range u.words {
			ws = append(ws, b.weigh(w))
		}
		return ws
	}
	for _, r := range u.flat {
		ws = append(ws, weighRune(r))
	}
	return ws
}

func (b *book) weigh(w string) float64 {
	if b.stop[w] {
		return weightStop
	}
	return weightContent
}

func (b *book) findWords(words []string, p pattern) find {
	var best find
	for start := range words {
		if start > 0 && p.whole {
			break
		}
		sum, gaps, at, last := 0.0, 0, start, start-1
		covers := make([]bool, len(words))
		fits := true
		for i, term := range p.terms {
			j := at
			for j < len(words) && j-at <= maxGap && !matches(term, words[j]) {
				j++
			}
			if j >= len(words) || j-at > maxGap || i == 0 && j != start {
				fits = false
				break
			}
			gaps += j - at
			sum += b.weigh(words[j])
			covers[j] = true
			at, last = j+1, j
		}
		if !fits || p.whole && (gaps > 0 || last != len(words)-1) {
			continue
		}
		s := sum - gapPenalty*float64(gaps)
		if p.whole {
			s += wholeBonus
		}
		if s > best.score {
			best = find{s, covers}
		}
	}
	return best
}

func matches(term []word, w string) bool {
	for _, alt := range term {
		if alt.text == w || alt.prefix && strings.HasPrefix(w, alt.text) {
			return true
		}
	}
	return false
}

// weighRune counts a kanji as three letters, it carries about that much, and
// a hangul syllable as two. Katakana, a loan word, counts more than the
// hiragana that it is folded to.
func weighRune(r rune) float64 {
	switch {
	case unicode.Is(unicode.Han, r):
		return 3
	case unicode.Is(unicode.Hangul, r):
		return 2
	case unicode.Is(unicode.Katakana, r):
		return 1.6
	}
	return 1
}

func weighFlat(s string) float64 {
	sum := 0.0
	for _, r := range s {
		sum += weighRune(r)
	}
	return sum
}

func (b *book) findFlat(flat string, p pattern) find {
	sum, from := 0.0, 0
	covers := make([]bool, len([]rune(flat)))
	for _, term := range p.terms {
		at, found := -1, word{}
		for _, alt := range term {
			if alt.text == "" || p.whole && alt.text != flat {
				continue
			}
			if i := strings.Index(flat[from:], alt.text); i >= 0 && len(alt.text) > len(found.text) {
				at, found = from+i, alt
			}
		}
		if at < 0 {
			return find{}
		}
		sum += found.weight
		from = at + len(found.text)
		first := utf8.RuneCountInString(flat[:at])
		for i := range utf8.RuneCountInString(found.text) {
			covers[first+i] = true
		}
	}
	s := math.Min(sum, 9)
	if p.whole {
		s += wholeBonus
	}
	return find{s, covers}
}

// enough is the score that an intent needs: less where little was said.
func (b *book) enough(u utterance) float64 {
	if b.Lang == langEN && len(u.words) <= 6 {
		return enoughEN - 0.6
	}
	if b.Lang == langEN {
		return enoughEN
	}
	return enoughJA
}

// best scores every intent that may be meant now. allow filters (background
// turns have intents of their own); last is what the pet said before.
func (b *book) best(t *turn, u utterance, allow func(*intent) bool) hit {
	top := hit{}
	for _, in := range b.Intent {
		if !allow(in) || !in.follows(t.last.intent) || b.has(u, in.Not) {
			continue
		}
		s, vars := b.score(u, in), map[string]string(nil)
		if in.Detect != "" {
			if ds, dv := detect(in.Detect, t, u); ds > s {
				s, vars = ds, dv
			}
		}
		if s < b.enough(u) {
			continue
		}
		s += in.Boost
		if len(in.After) > 0 {
			s += 3
		}
		if s > top.score {
			top = hit{in, s, vars}
		}
	}
	return top
}

func (in *intent) follows(last *intent) bool {
	if len(in.After) == 0 {
		return true
	}
	for _, id := range in.After {
		if last != nil && last.ID == id {
			return true
		}
	}
	return false
}

func (b *book) has(u utterance, not []string) bool {
	for _, n := range not {
		if b.Lang != langEN {
			n, asked := strings.CutSuffix(n, "?")
			if n != "" && strings.Contains(u.flat, n) && (!asked || u.question) {
				return true
			}
			continue
		}
		if strings.Contains(" "+strings.Join(u.words, " ")+" ", " "+n+" ") {
			return true
		}
	}
	return false
}

// mend replaces words that no pattern knows by the one known word that is a
// single slip away, for a second try ("termnal", "jokee").
func (b *book) mend(u utterance) utterance {
	if b.Lang != langEN {
		return u
	}
	words := append([]string(nil), u.words...)
	for i, w := range words {
		if len(w) < 4 || b.vocab[w] || b.stop[w] {
			continue
		}
		found, many := "", false
		for v := range b.vocab {
			if len(v) >= 4 && v[0] == w[0] && oneSlip(w, v) {
				many = many || found != ""
				found = v
			}
		}
		if found != "" && !many {
			words[i] = found
		}
	}
	u.words = words
	return u
}
