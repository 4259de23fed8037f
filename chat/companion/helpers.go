package companion

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// use serves intent.Use: it works slots out of facts and names the part of the
// intent that fits, "" for its plain lines.
func (t *turn) use(in *intent) string {
	now := t.facts.now
	switch in.Use {
	case "clock":
		t.clock(now)
		return hour(now)
	case "greet":
		return t.greeting(in, now)
	case "meet":
		if t.turns == 0 {
			return "new" // nobody has told this person yet what she is and how she is talked to
		}
		return ""
	case "season":
		return [...]string{"winter", "spring", "summer", "autumn"}[int(now.Month())%12/3]
	case "weekday":
		t.clock(now)
		return strings.ToLower(now.Weekday().String())
	case "front":
		t.vars["app"], t.vars["title"] = t.facts.app, t.facts.title
		if t.facts.app == "" {
			return "none"
		}
	case "agent":
		t.vars["tool"], t.vars["project"] = t.facts.tool, t.facts.project
	case "sum":
		return t.sum()
	case "coin":
		return []string{"heads", "tails"}[t.rng.IntN(2)]
	case "dice":
		return t.dice()
	case "rps":
		return t.throw()
	case "count":
		return t.count()
	case "recall":
		if t.user == "" {
			return "unknown"
		}
	case "name":
		t.user = t.vars["user"]
	case "word":
		t.vars["word"] = t.keyword()
	case "continue":
		t.vars["unspoken"] = t.facts.unspoken
		if t.facts.unspoken == "" {
			return "nothing"
		}
	}
	return ""
}

func hour(now time.Time) string {
	switch h := now.Hour(); {
	case h >= 5 && h < 11:
		return "morning"
	case h >= 11 && h < 17:
		return "afternoon"
	case h >= 17 && h < 22:
		return "evening"
	}
	return "night"
}

func (t *turn) clock(now time.Time) {
	if t.book.Lang == langJA {
		t.vars["time"] = fmt.Sprintf("%d時%d分", now.Hour(), now.Minute())
		if now.Minute() == 0 {
			t.vars["time"] = fmt.Sprintf("%d時ちょうど", now.Hour())
		}
		t.vars["date"] = fmt.Sprintf("%d月%d日", now.Month(), now.Day())
		t.vars["weekday"] = string([]rune("日月火水木金土")[now.Weekday()]) + "曜日"
		return
	}
	t.vars["time"] = now.Format("15:04")
	t.vars["date"] = now.Format("January 2")
	t.vars["weekday"] = now.Weekday().String()
}

// greeting chooses by the hour, by whether this is a first meeting, and
// notices a "good morning" at night.
func (t *turn) greeting(in *intent, now time.Time) string {
	t.clock(now)
	h := hour(now)
	if in.Arg != "" {
		off := in.Arg == "morning" && h != "morning" && now.Hour() >= 12 ||
			in.Arg == "evening" && h != "evening" && h != "night"
		if off {
			return "off"
		}
		return ""
	}
	if t.turns == 0 {
		return "first"
	}
	if t.rng.IntN(2) == 0 {
		return h
	}
	return ""
}

var diceWanted = regexp.MustCompile(`(?i)\b(\d*) ?d ?(\d{1,4})\b|(\d{1,4})[- ]?sided|(\d{1,4})面`)

func (t *turn) dice() string {
	sides, n := 6, 1
	if m := diceWanted.FindStringSubmatch(fold(t.said.raw)); m != nil {
		if k, err := strconv.Atoi(m[2] + m[3] + m[4]); err == nil && k >= 2 {
			sides = k
		}
		if k, err := strconv.Atoi(m[1]); err == nil && k >= 1 {
			n = min(k, 10)
		}
	}
	total := 0
	for range n {
		total += 1 + t.rng.IntN(sides)
	}
	t.vars["n"], t.vars["sides"] = strconv.Itoa(total), strconv.Itoa(sides)
	switch {
	case n == 1 && total == sides:
		return "top"
	case n == 1 && total == 1:
		return "one"
	}
	return ""
}

// hands of rock, paper, scissors in the order in which each beats the next.
var hands = []struct {
	words []string
	name  map[string]string
}{
	{[]string{"rock", "stone", "ぐー", "ぐう"}, map[string]string{langEN: "Rock", langJA: "グー"}},
	{[]string{"scissor", "scissors", "ちょき"}, map[string]string{langEN: "Scissors", langJA: "チョキ"}},
	{[]string{"paper", "ぱー", "ぱあ"}, map[string]string{langEN: "Paper", langJA: "パー"}},
}

// throw plays a round; "" when the person has not shown a hand yet.
func (t *turn) throw() string {
	theirs := -1
	for i, h := range hands {
		for _, w := range h.words {
			if t.book.Lang == langEN && t.book.has(t.said, []string{w}) && len(t.said.words) < 4 ||
				t.book.Lang != langEN && strings.Contains(t.said.flat, w) {
				theirs = i
			}
		}
	}
	if theirs < 0 {
		return ""
	}
	mine := t.rng.IntN(3)
	t.vars["hand"] = hands[mine].name[t.book.Lang]
	switch (theirs - mine + 3) % 3 {
	case 0:
		return "draw"
	case 1:
		return "win" // mine beats the next one, which is theirs
	}
	return "lose"
}

var (
	digits   = regexp.MustCompile(`\d+`)
	countsEN = strings.Fields("one two three four five six seven eight nine ten eleven twelve")
	countsJA = strings.Fields("いち に さん よん ご ろく なな はち きゅう じゅう じゅういち じゅうに")
)

func (t *turn) count() string {
	n, named := 5, false
	text := fold(t.said.raw)
	if m := digits.FindString(text); m != "" {
		k, err := strconv.Atoi(m)
		if err != nil {
			k = 1 << 30
		}
		n, named = k, true
	}
	words, comma := countsEN, ", "
	if t.book.Lang == langJA {
		words, comma = countsJA, "、"
	}
	for i, w := range countsEN {
		if !named && strings.Contains(" "+text+" ", " "+w+" ") {
			n = i + 1
		}
	}
	many := n > len(words)
	if n < 1 {
		n = 1
	}
	count := strings.Join(words[:min(n, len(words))], comma)
	t.vars["count"] = capital(count)
	if many {
		return "many"
	}
	return ""
}
