package companion

import "strings"

// read prepares what the person typed. names are words that only address the
// pet and are cut away, unless nothing else was said.
func (b *book) read(raw string, names []string) utterance {
	u := utterance{raw: strings.TrimSpace(raw)}
	folded := fold(u.raw)
	u.question = strings.HasSuffix(strings.TrimRight(folded, " !。.)」"), "?")
	if b.Lang == langEN {
		b.readWords(&u, folded, names)
	} else {
		b.readFlat(&u, folded, names)
	}
	return u
}

func (b *book) readWords(u *utterance, folded string, names []string) {
	var words []string
	for _, w := range splitWords(folded) {
		if one := squeeze(w, 1); one != w {
			if two := squeeze(w, 2); b.vocab[two] {
				one = two
			}
			w = one
		}
		if to, ok := b.Spread[w]; ok {
			words = append(words, strings.Fields(to)...)
			continue
		}
		words = append(words, strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'"))
	}
	words = dropNames(words, names)
	for _, n := range b.Negation {
		for _, w := range words {
			u.negated = u.negated || w == n
		}
	}
	words = b.trimFiller(words)
	for _, q := range b.Ask {
		u.question = u.question || len(words) > 0 && words[0] == q
	}
	u.words = words
}

func dropNames(words, names []string) []string {
	var kept []string
	for _, w := range words {
		name := false
		for _, n := range names {
			name = name || w == n
		}
		if !name {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return words
	}
	// "What is Yui" is about her; only a name at an end is a call.
	first, last := words[0], words[len(words)-1]
	for _, n := range names {
		if first == n || last == n {
			return kept
		}
	}
	return words
}

// trimFiller cuts politeness ("hey", "could you please") from both ends.
func (b *book) trimFiller(words []string) []string {
	for changed := true; changed; {
		changed = false
		for _, f := range b.Opening {
			if fs := strings.Fields(f); len(fs) < len(words) && equal(words[:len(fs)], fs) {
				words, changed = words[len(fs):], true
			}
		}
		for _, f := range b.Closing {
			if fs := strings.Fields(f); len(fs) < len(words) && equal(words[len(words)-len(fs):], fs) {
				words, changed = words[:len(words)-len(fs)], true
			}
		}
	}
	return words
}

func equal(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (b *book) readFlat(u *utterance, folded string, names []string) {
	flat := flatten(folded)
	u.question = u.question || strings.HasSuffix(flat, "か") || strings.HasSuffix(flat, "かな")
	for _, n := range names {
		for _, form := range []string{n + "ちゃん", n + "さん", n} {
			if rest, ok := strings.CutPrefix(flat, form); ok && rest != "" && rest != "ちゃん" && rest != "さん" && !startsParticle(rest) {
				flat = rest
				break
			}
			if rest, ok := strings.CutSuffix(flat, form); ok && rest != "" {
				flat = rest
				break
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range b.Opening {
			if rest, ok := strings.CutPrefix(flat, f); ok && rest != "" {
				flat, changed = rest, true
			}
		}
		for _, f := range b.Closing {
			if rest, ok := strings.CutSuffix(flat, f); ok && rest != "" {
				flat, changed = rest, true
			}
		}
	}
	for _, n := range b.Negation {
		u.negated = u.negated || strings.HasSuffix(flat, n)
	}
	for _, q := range b.Ask {
		u.question = u.question || strings.Contains(flat, q)
	}
	u.flat = flat
}

// startsParticle reports whether the text after a name makes the name part of
// the sentence ("ゆいは狐なの") and not a call.
func startsParticle(s string) bool {
	for _, p := range []string{"は", "が", "の", "を", "に", "って", "と", "も"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
