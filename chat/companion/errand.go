package companion

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"yui/internal/protocol"
	"yui/internal/readable"
)

// errand plans the intents that reach beyond the desktop: the web, the
// camera, Discord. Their results are sentences in the setting language or
// text from outside, never a word that could be matched: what counts is
// whether there was an error, and a short piece fills a slot.
func (t *turn) errand(in *intent) reply {
	switch in.Act {
	case "search":
		return t.search(in)
	case "news":
		if t.offers(protocol.WebSearch) {
			t.vars["query"] = readable.Line(t.said.raw, queryLimit)
			return t.search(t.book.byID["search"])
		}
	case "camera":
		return t.camera(in)
	case "share":
		return t.share(in)
	case "browse":
		return t.browse(in)
	case "celebrate":
		if _, shown := t.result(protocol.Effect); !shown && t.offers(protocol.Effect) {
			return t.call(protocol.Effect, map[string]any{"effect": in.Arg, "reason": in.Why})
		}
	}
	return t.say(in, "")
}

// How much of the outside a line holds, in characters.
const (
	queryLimit = 120
	foundLimit = 60
	seenLimit  = 200
	whyLimit   = 90
	noteLimit  = 1000
)

// failed words a result that tells of a failure: as one of the intent's own
// parts, as one of the shared ones, or by the reason, where that is in the
// language of the talk.
func (t *turn) failed(in *intent, word string) reply {
	why, told := strings.CutPrefix(word, "error: ")
	switch {
	case why == "declined by the user":
		return t.outcome(in, "declined")
	case told && scriptOf(why) == t.book.Lang:
		t.vars["why"] = strings.TrimRight(readable.Line(why, whyLimit), ".。")
		return t.outcome(in, "failed")
	}
	return t.outcome(in, "error")
}

func fails(word string) bool {
	return strings.HasPrefix(word, protocol.ErrorPrefix) || strings.HasPrefix(word, "unknown:")
}

// off tells whether the context says that a switch is off.
func (t *turn) off(id string) bool {
	on, listed := t.facts.switches[id]
	return listed && !on
}

var firstHit = regexp.MustCompile(`(?m)^1\. (.+)$`)

// search looks something up and names the first page of what came.
func (t *turn) search(in *intent) reply {
	word, done := t.result(protocol.WebSearch)
	switch {
	case !done && t.offers(protocol.WebSearch) && t.vars["query"] == "":
		return t.say(in, "which")
	case !done:
		return t.ask(in, protocol.WebSearch, map[string]any{"query": t.vars["query"]})
	case fails(word):
		return t.failed(in, word)
	}
	m := firstHit.FindStringSubmatch(word)
	if m == nil {
		return t.say(in, "none")
	}
	t.vars["found"] = readable.Line(m[1], foundLimit)
	return t.say(in, "")
}

// focuses are what see_camera is asked to look at, by what was asked.
var focuses = []struct{ said, focus string }{
	{"holding", "what is held"}, {"hand", "what is held"}, {"wearing", "clothes"}, {"outfit", "clothes"}, {"clothes", "clothes"},
	{"持って", "持っているもの"}, {"手に", "持っているもの"}, {"着て", "服"}, {"服", "服"}, {"格好", "服"},
}

// camera looks once and tells what a vision model saw. A bare picture is
// beyond it, as with the screen.
func (t *turn) camera(in *intent) reply {
	word, done := t.result(protocol.Camera)
	switch {
	case !done:
		args := map[string]any{}
		for _, f := range focuses {
			if args["focus"] == nil && strings.Contains(fold(t.said.raw), fold(f.said)) {
				args["focus"] = f.focus
			}
		}
		return t.ask(in, protocol.Camera, args)
	case fails(word) && t.off("camera"):
		return t.say(in, "off")
	case fails(word):
		return t.failed(in, word)
	}
	_, seen, described := strings.Cut(word, "\n\n")
	if !described {
		return t.say(in, "picture")
	}
	t.vars["seen"] = readable.Line(seen, seenLimit)
	return t.say(in, "")
}

// share sends what was named, or what the pet said last, to Discord.
func (t *turn) share(in *intent) reply {
	if word, done := t.result(protocol.Discord); done {
		if fails(word) {
			return t.failed(in, word)
		}
		return t.say(in, "")
	}
	note := t.vars["note"]
	if slices.Contains(thatNote, fold(note)) {
		note = t.lastSay
	}
	if note == "" && t.offers(protocol.Discord) {
		return t.say(in, "which")
	}
	title := map[string]string{langJA: "{me}からのメモ"}[t.book.Lang]
	if title == "" {
		title = "A note from {me}"
	}
	return t.ask(in, protocol.Discord, map[string]any{"title": strings.ReplaceAll(title, "{me}", t.vars["me"]), "content": readable.Line(note, noteLimit)})
}

// thatNote are the words that mean what was said before, folded.
var thatNote = []string{"", "that", "this", "it", "them", "those", "these", "the results", "the result", "the links", "the link", "your answer",
	"それ", "これ", "あれ", "今の", "さっきの", "結果", "けっか", "検索結果", "今の話"}

// browse opens a page and reads its title.
func (t *turn) browse(in *intent) reply {
	word, done := t.result(protocol.Browser)
	switch {
	case !done && !t.offers(protocol.Browser):
		return t.unable(in)
	case !done:
		address, err := json.Marshal(t.vars["address"])
		if err != nil {
			return t.unable(in)
		}
		return t.call(protocol.Browser, map[string]any{"code": "const page = await task.page();\nawait page.goto(" + string(address) + ");\nconsole.log(await page.title());"})
	case fails(word) && t.off("browser"):
		return t.say(in, "off")
	case strings.HasPrefix(word, "error: the script failed"):
		return t.say(in, "missing") // what the page said is no reason to repeat
	case fails(word):
		return t.failed(in, word)
	}
	_, title, _ := strings.Cut(word, "\n")
	t.vars["found"] = readable.Line(title, foundLimit)
	return t.say(in, "")
}

var (
	callOut     = regexp.MustCompile(`(?i)^\W*(?:(?:hey|hi|ok|okay|please|can you|could you|would you|will you|i want you to|i need you to|just|now)[, ]+)+`)
	searchEN    = regexp.MustCompile(`(?i)^(?:do an? (?:web |internet )?search (?:for|on)|(?:web )?search(?: (?:the |on (?:the )?)?(?:web|internet|net|online|google))?(?: (?:for|about))?|google(?: for)?|look up|find out(?: about)?)(?:\s+(.+?))?[\s.?!]*$`)
	searchUpEN  = regexp.MustCompile(`(?i)^look (.+?) up[\s.?!]*$`)
	searchTail  = regexp.MustCompile(`(?i)\s+(?:on|in|from) (?:the )?(?:web|internet|net|google)$|\s+online$|\s+please$|\s+for me$`)
	noSearch    = regexp.MustCompile(`(?i)^(?:at|there|here|to|is|was|are)\b`)
	searchJA    = regexp.MustCompile(`^(.*?)(?:について|に関して|のことを|を|の)?(?:うぇぶで|ねっとで|いんたーねっとで|ぐーぐるで)?(?:検索|けんさく|調べ|しらべ|ぐぐっ)(?:して|て)?(?:みて|ほしい|きて)?$`)
	searchLead  = regexp.MustCompile(`^(?:うぇぶ|ねっと|いんたーねっと|ぐーぐる)(?:で|を)?`)
	somethingEN = regexp.MustCompile(`(?i)^(?:(?:the )?(?:web|internet|net)|something|it|that|this|online|for)?$`)
	shareEN     = regexp.MustCompile(`(?i)^(?:send|share|post|put|save)\s+(?:me\s+)?(.+?)\s+(?:to|on|in|via|over|with)\s+(?:my\s+|the\s+|our\s+)?(?:discord|phone)\b`)
	shareToEN   = regexp.MustCompile(`(?i)^(?:send|share|post|write)\s+(?:to|on|in)\s+(?:my\s+|the\s+)?discord\b[\s:,]*(?:that\s+)?(.*?)[\s.?!]*$`)
	shareJA     = regexp.MustCompile(`(?i)^(.*?)(?:を|って|と)?(?:discord|でぃすこーど|すまほ)(?:に|へ|で)(.*?)(?:を|って|と)?(?:送|おく|共有|投稿|書|しぇあ)`)
	address     = regexp.MustCompile(`(?i)\bhttps?://[!-;=?-~]+|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|info|edu|gov|jp|kr|uk|de|fr|me|tv)\b(?:/[!-;=?-~]*)?`)
	openPage    = regexp.MustCompile(`(?i)\b(?:open|visit|go to|load|browse|read|check|look at|show me|what is on|what's on)\b|開|ひら|見て|みて|読|よんで|アクセス|行って`)
)

// bare strips what only opens a request: the pet's name, politeness.
func (t *turn) bare(raw string) string {
	for before := ""; before != raw; {
		before = raw
		raw = callOut.ReplaceAllString(raw, "")
		for _, n := range t.names() {
			if rest, ok := strings.CutPrefix(strings.ToLower(raw), n); ok && rest != "" && strings.ContainsAny(rest[:1], ", ") {
				raw = strings.TrimLeft(raw[len(raw)-len(rest):], ", ")
			}
		}
	}
	return strings.TrimSpace(raw)
}

// findSearch reads what to search for; ok is false where nothing is asked to
// be searched.
func (t *turn) findSearch(u utterance) (query string, ok bool) {
	if t.book.Lang == langEN {
		raw := t.bare(u.raw)
		m := searchEN.FindStringSubmatch(raw)
		if m == nil {
			m = searchUpEN.FindStringSubmatch(raw)
		}
		if m == nil || noSearch.MatchString(m[1]) {
			return "", false
		}
		query = m[1]
		for before := ""; before != query; {
			before, query = query, searchTail.ReplaceAllString(query, "")
		}
		if somethingEN.MatchString(query) {
			query = ""
		}
		return readable.Line(strings.Trim(query, `"“”', `), queryLimit), true
	}
	if t.book.Lang != langJA {
		return "", false
	}
	m := searchJA.FindStringSubmatch(u.flat)
	if m == nil {
		return "", false
	}
	folded := searchLead.ReplaceAllString(m[1], "")
	if folded == "" || folded == "なにか" || folded == "何か" || folded == "それ" || folded == "これ" {
		return "", true
	}
	return readable.Line(strings.Trim(t.unfold(folded), "、,。「」 　"), queryLimit), true
}

// findShare reads what to send to Discord.
func (t *turn) findShare(u utterance) (note string, ok bool) {
	if t.book.Lang == langEN {
		raw := t.bare(u.raw)
		for _, re := range []*regexp.Regexp{shareToEN, shareEN} {
			if m := re.FindStringSubmatch(raw); m != nil {
				return strings.Trim(m[1], `"“”' `), true
			}
		}
		return "", false
	}
	m := shareJA.FindStringSubmatch(u.flat)
	if m == nil {
		return "", false
	}
	folded := m[1] + m[2]
	if folded == "" {
		return "", true
	}
	return strings.Trim(t.unfold(folded), "、,。「」 　"), true
}

// findPage reads the address of a page that shall be opened.
func findPage(u utterance) string {
	found := address.FindString(u.raw)
	if found == "" || !openPage.MatchString(u.raw) {
		return ""
	}
	found = strings.TrimRight(found, ".,;:!?)。、")
	if !strings.Contains(found, "://") {
		found = "https://" + found
	}
	return found
}
