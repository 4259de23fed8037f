package companion

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"yui/internal/readable"
)

// sure is the score of a detector that leaves little doubt.
const sure = 12

// detect serves intent.Detect: what word patterns cannot tell. It returns a
// score (0: no) and the slots that it filled.
func detect(name string, t *turn, u utterance) (float64, map[string]string) {
	switch name {
	case "sum":
		if expr := findSum(u.raw); expr != "" {
			return sure, map[string]string{"sum": expr}
		}
	case "name":
		if another(u.raw, t.last.intent) {
			return 0, nil
		}
		if n := nameIn(u.raw, false); n != "" && !u.question {
			return sure + 3, map[string]string{"user": n} // said outright; "my name" alone also asks for it
		}
		n := nameIn(u.raw, t.askedName())
		if n == "" && t.saysName(u.raw) {
			n = nameIn(u.raw, true)
		}
		if n != "" {
			return sure, map[string]string{"user": n}
		}
	case "search":
		if query, ok := t.findSearch(u); ok {
			return sure, map[string]string{"query": query}
		}
	case "share":
		if note, ok := t.findShare(u); ok {
			return sure + 1, map[string]string{"note": note}
		}
	case "page":
		if found := findPage(u); found != "" {
			return sure, map[string]string{"address": found}
		}
	case "message":
		if t.carriesMessage() {
			return sure + 1, nil
		}
	case "called":
		if isCall(u, t) {
			return sure, nil
		}
	case "foreign":
		if foreignScript(u.raw) {
			return sure, nil
		}
	case "emoji":
		if u.raw != "" && scriptOf(u.raw) == "" && !strings.ContainsFunc(u.raw, unicode.IsDigit) &&
			strings.ContainsFunc(u.raw, func(r rune) bool { return unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) }) {
			return sure, nil
		}
	case "marks":
		if u.raw != "" && strings.Trim(u.raw, "?!.。、…！？ ") == "" {
			return sure, nil
		}
	}
	return 0, nil
}

func isCall(u utterance, t *turn) bool {
	said := strings.Join(u.words, " ")
	if t.book.Lang != langEN {
		said = strings.TrimSuffix(strings.TrimSuffix(u.flat, "ちゃん"), "さん")
	}
	for _, n := range t.names() {
		if said == n {
			return true
		}
	}
	return false
}

func foreignScript(s string) bool {
	other := false
	for _, r := range s {
		if unicode.In(r, unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			return false
		}
		other = other || unicode.IsLetter(r)
	}
	return other
}

var (
	nameGivenEN = regexp.MustCompile(`(?i)\b(?:my name is|my name's|my names|call me|i am called|i'm called|they call me|name's)\s+([\p{L}][\p{L}'-]{0,19})(?:[\s.!,]|$)`)
	nameShortEN = regexp.MustCompile(`(?i)^\s*(?:(?:hi|hey|hello)[, ]+)?(?:i am|i'm|im|it is|it's|its|this is|just)?\s*([\p{Latin}][\p{Latin}'-]{1,19})[.! ]*$`)
	nameSaidEN  = regexp.MustCompile(`^(?:(?:[Hh]i|[Hh]ello|[Hh]ey)[,.!]? )?(?:I'm|I’m|I am) (\p{Lu}\p{Ll}+)[.! ]*$`)
	// Four kana at most: longer words of katakana are mostly trades, such as エンジニア.
	nameSaidJA  = regexp.MustCompile(`^(?:わたしは|私は|僕は|ぼくは|俺は|おれは)[\p{Katakana}ー]{2,4}(?:です|だよ|といいます|と言います)[。！! ]*$`)
	nameGivenJA = regexp.MustCompile(`(?:名前は|なまえは)\s*([^\s、。！!？?]{1,12}?)(?:です|だよ|だ|といいます|と言います|って|。|！|!|$)|([^\s、。！!？?は]{1,12}?)(?:って|と)(?:呼んで|よんで|いいます|言います|申します)`)
	nameShortJA = regexp.MustCompile(`^(?:わたしは|私は|僕は|ぼくは|俺は|おれは)?\s*([\p{Han}\p{Hiragana}\p{Katakana}ーA-Za-z]{1,10}?)(?:です|だよ|だ|といいます|と言います|っていうよ)?[。！! ]*$`)
)

// notNames keeps "call me later" and "I am tired" from becoming a name.
var notNames = wordSet(`a an the what when where why how who later tomorrow back maybe if not no yes ok okay sure
nothing nobody never none fine good great well bad tired sad happy bored hungry sleepy sick busy sorry here home done ready
going leaving working just so very really too also hello hi hey thanks please stop wait hmm lol cool nice secret your
you me it that this stuff names anything something someone guess idk dunno everything hot cold alone angry why
joke riddle story dance sit stand bye night morning help again more continue
いや いいえ はい うん ううん なし ない ひみつ 秘密 内緒 なに 何 だれ 誰 元気 眠い 疲れた 別に なんで どうして え あ ごめん ありがとう 嫌 やだ 教えない 覚えてる おぼえてる 知ってる わかる ママ パパ ダメ バカ ヒマ ニート オタク ゲーマー プロ こんにちは ねむい いい だめ`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[fold(w)] = true
	}
	return set
}

// nameIn reads a name that the person gave; short also takes a bare answer
// ("Kim", "I'm Kim"), for when the pet has just asked.
func nameIn(text string, short bool) string {
	res := []*regexp.Regexp{nameGivenEN, nameGivenJA}
	if short {
		res = append(res, nameShortEN, nameShortJA)
	}
	for _, re := range res {
		m := re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		n := strings.Join(m[1:], "")
		if n = readable.Line(n, 20); n != "" && !notNames[fold(n)] {
			return capital(n)
		}
	}
	return ""
}

func capital(s string) string {
	rs := []rune(s)
	rs[0] = unicode.ToUpper(rs[0])
	return string(rs)
}

// saysName tells whether somebody says who they are without having been asked: "I'm Kim", 「私はユキです」.
func (t *turn) saysName(text string) bool {
	if m := nameSaidEN.FindStringSubmatch(text); m != nil {
		return !t.lib.books[langEN].vocab[fold(m[1])]
	}
	return nameSaidJA.MatchString(text)
}

// another tells whether a name is that of somebody they have just told of: 「名前はポチ」 after a new puppy.
func another(text string, last *intent) bool {
	return last != nil && slices.Contains([]string{"animals", "plants", "family", "their_name"}, last.ID) && !firstPerson.MatchString(text)
}

var firstPerson = regexp.MustCompile(`(?i)\b(my name|i am|i'm|call me|im)\b|私|わたし|僕|ぼく|俺|おれ|うち|呼んで`)

// askedName tells whether the pet's last words asked who the person is.
func (t *turn) askedName() bool {
	return t.last.intent != nil && asksName(t.last.intent, t.lastSay)
}

func asksName(in *intent, said string) bool {
	return in.Asks == "name" && strings.ContainsAny(said, "?？") && nameQuestion.MatchString(said)
}

var nameQuestion = regexp.MustCompile(`(?i)\bname\b|call you|who are you|what is it|名前|呼べば|誰|教えて`)

// rememberName reads the name out of an earlier message; before is what the
// pet had said just before it.
func (t *turn) rememberName(text, before string) {
	if another(text, t.book.origin(before).intent) {
		return
	}
	asked := false
	if len([]rune(text)) <= 24 && nameQuestion.MatchString(before) {
		in := t.book.origin(before).intent
		asked = in != nil && asksName(in, before)
	}
	if n := nameIn(text, asked || t.saysName(text)); n != "" {
		t.user = n
	}
}

// keywordJA is the longest run of kanji or of katakana, two to eight letters.
func keywordJA(s string) string {
	best, run := "", []rune(nil)
	var class *unicode.RangeTable
	flush := func() {
		if len(run) >= 2 && len(run) <= 8 && len(run) > len([]rune(best)) {
			best = string(run)
		}
		run = run[:0]
	}
	for _, r := range s + "。" {
		var c *unicode.RangeTable
		switch {
		case unicode.Is(unicode.Han, r):
			c = unicode.Han
		case unicode.Is(unicode.Katakana, r) || r == 'ー':
			c = unicode.Katakana
		}
		if c != class {
			flush()
			class = c
		}
		if c != nil {
			run = append(run, r)
		}
	}
	return best
}

func isWord(w string) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}
