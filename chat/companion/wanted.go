package companion

import (
	"regexp"
	"strconv"
	"strings"

	"yui/internal/readable"
)

var (
	wantedEN = regexp.MustCompile(`\b(?:on top of|onto|upon|on|to|over)\s+(.+)$`)
	wantedJA = regexp.MustCompile(`^(.+?)(?:の)?(?:上|うえ)?(?:に|へ|で|を)?(?:座|すわ|乗っ|乗り|乗る|のっ|のって|腰)`)
	articles = regexp.MustCompile(`^(?:the|my|a|an|that|this|your|some|any|one of the)\s+`)
	tails    = regexp.MustCompile(`\s*(?:\b(?:please|window|windows|app|application|for me|now|again|then|there|here|instead|thing)\b\s*)+$`)
	anything = regexp.MustCompile(`^(?:it|that|this|something|somewhere|anything|anywhere|one|there|here|top|window|front|frontmost|down|whatever.*|any.*|the floor|それ|これ|そこ|ここ|あれ|あそこ|どこか|何か|なにか|適当|ちょっと|ちゃんと|うえ|上|窓|まど|うぃんどう|一番前|前)?$`)
)

// wanted is the window that the person named, "" when any will do.
func (t *turn) wanted() string {
	if t.book.Lang == langEN {
		m := wantedEN.FindStringSubmatch(strings.Join(t.said.words, " "))
		if m == nil {
			return ""
		}
		w := m[1]
		for {
			cut := tails.ReplaceAllString(articles.ReplaceAllString(w, ""), "")
			if cut == w {
				break
			}
			w = cut
		}
		if anything.MatchString(w) {
			return ""
		}
		return readable.Line(w, 40)
	}
	m := wantedJA.FindStringSubmatch(t.said.flat)
	if m == nil {
		return ""
	}
	w := m[1]
	for _, tail := range []string{"のうえ", "の上", "の窓", "のうぃんどう", "うぃんどう", "窓", "の"} {
		w = strings.TrimSuffix(w, tail)
	}
	if anything.MatchString(w) {
		return ""
	}
	return readable.Line(t.unfold(w), 20)
}

// unfold finds folded Japanese text again as it was typed, in katakana or
// capitals, so that a line can say it.
func (t *turn) unfold(folded string) string {
	rs := []rune(t.said.raw)
	for i := range rs {
		for j := len(rs); j > i; j-- {
			if flatten(fold(string(rs[i:j]))) == folded {
				return strings.TrimSpace(string(rs[i:j]))
			}
		}
	}
	return folded
}

// side reads left or right; either when none was said.
func (t *turn) side() string {
	s := t.said.flat + " " + strings.Join(t.said.words, " ")
	switch {
	case strings.Contains(s, "left") || strings.Contains(s, "左") || strings.Contains(s, "ひだり"):
		return "left"
	case strings.Contains(s, "right") || strings.Contains(s, "右") || strings.Contains(s, "みぎ"):
		return "right"
	}
	return []string{"left", "right"}[t.rng.IntN(2)]
}

// spot reads one of body_action's five spots. "Left" alone is the floor at
// the left; a corner of the person's choice is drawn when none was named.
func (t *turn) spot() string {
	s := " " + t.said.flat + " " + strings.Join(t.said.words, " ") + " "
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(s, w) {
				return true
			}
		}
		return false
	}
	if has(" center", " centre", " middle", "真ん中", "まんなか", "中央", "せんたー") {
		return "center"
	}
	up := has(" top", " upper", " up ", "上", "うえ")
	left, right := has(" left", "左", "ひだり"), has(" right", "右", "みぎ")
	if !left && !right {
		if !up && !has("corner", "bottom", "lower", "隅", "すみ", "角", "かど", "端", "はし", "下", "away", "hide", "あっち", "どいて", "邪魔", "どけ") {
			return "center"
		}
		left = t.rng.IntN(2) == 0
	}
	row, column := "bottom", "right"
	if up {
		row = "top"
	}
	if left {
		column = "left"
	}
	return row + "-" + column
}

var (
	monitorNumber = regexp.MustCompile(`(?:monitor|screen|display|もにたー?|画面|でぃすぷれい)(?: number| no)? ?(\d+)|(\d+)(?:番目|番|枚目|つめ)?の?(?:もにたー?|画面|でぃすぷれい)`)
	monitorWord   = regexp.MustCompile(`\b(first|primary|main|second|secondary|third) (?:monitor|screen|display)\b|(めいん|さぶ)(?:もにたー?|画面|でぃすぷれい)`)
	monitorOther  = regexp.MustCompile(`\b(?:other|another|next) (?:monitor|screen|display)\b|(?:別|もう一つ|もうひとつ|もう一枚|他|ほか|隣|となり)の?(?:もにたー?|画面|でぃすぷれい)`)
)

// monitor reads a display number. People count from one, the tools from zero.
// other means "the one she is not on".
func (t *turn) monitor() (n int, named, other bool) {
	s := t.said.flat + " " + strings.Join(t.said.words, " ")
	if m := monitorNumber.FindStringSubmatch(s); m != nil {
		k, err := strconv.Atoi(m[1] + m[2])
		if err != nil || k > 99 {
			k = 99
		}
		return max(k-1, 0), true, false
	}
	if m := monitorWord.FindStringSubmatch(s); m != nil {
		switch m[1] + m[2] {
		case "second", "secondary", "さぶ":
			return 1, true, false
		case "third":
			return 2, true, false
		}
		return 0, true, false
	}
	return 0, false, monitorOther.MatchString(s)
}
