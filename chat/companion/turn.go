package companion

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"

	"yui/internal/protocol"
	"yui/internal/readable"
)

// memory is how many of its own lines the companion looks back on.
const memory = 20

// result is what a tool answered during this turn.
type result struct {
	name string
	args string
	text string
}

// kind of a turn: who or what it answers.
type kind int

const (
	typed      kind = iota // the person wrote
	addressed              // another character spoke
	background             // something happened, nobody typed
)

// turn is everything that one request tells.
type turn struct {
	lib     *library
	book    *book
	req     *request
	kind    kind
	persona string // bundled character whose lines fit; "" for a stranger
	me      string // the name it goes by
	other   string // addressed: who spoke
	said    utterance
	images  int
	facts   facts
	results []result
	spoke   bool     // this turn has speech already
	past    []string // own earlier speech, oldest first
	last    source   // where the latest of them came from
	lastSay string   // its text
	user    string   // the person's name, if told
	turns   int      // answered turns before this one
	chain   int      // addressed turns answered since the person last wrote
	hushed  bool     // asked to be quiet, and not spoken to since
	calls   bool     // tool_choice allows calls
	forced  string   // tool_choice demands this call ("*" any)
	tools   map[string]toolDecl
	vars    map[string]string
	rng     *rand.Rand
}

var (
	addressMark = regexp.MustCompile(`^\((.{1,60}?) says to you\)\s*`)
	bracketMark = regexp.MustCompile(`(?s)^\[.*\]$`)
	roundMark   = regexp.MustCompile(`(?s)^[(（].*[)）]$`)
)

// entry is one message of the transcript, sorted out.
type entry struct {
	text string
	kind kind
	own  bool
}

// readTurn sorts a request out. It never fails: a request without a user
// message is a greeting.
func readTurn(lib *library, req *request, seed uint64, now time.Time) *turn {
	t := &turn{lib: lib, req: req, tools: map[string]toolDecl{}, vars: map[string]string{}}
	for _, d := range req.Tools {
		t.tools[d.Function.Name] = d
	}
	t.calls, t.forced = req.choice()

	start := t.startOfTurn()
	var system, block, words string
	var past []entry
	h := fnv.New64a()
	for i, m := range req.Messages {
		text := m.Content.text
		if i <= start || start < 0 {
			_, _ = h.Write([]byte(m.Role + "\x00" + text + "\x00"))
		}
		switch m.Role {
		case "system", "developer":
			if rest, ok := strings.CutPrefix(strings.TrimSpace(text), contextHead); ok {
				block = rest
			} else if system == "" {
				system = text
			}
		case "user":
			if b, rest, ok := splitContext(text); ok {
				text = rest
				if i == start {
					block = b
				}
			}
			if i == start {
				words, t.images = strings.TrimSpace(text), m.Content.images
			} else if i < start {
				past = append(past, entry{text: strings.TrimSpace(text), kind: pastKind(text)})
			}
		case "assistant":
			if i < start && strings.TrimSpace(text) != "" {
				past = append(past, entry{text: strings.TrimSpace(text), own: true})
			}
			if i > start && strings.TrimSpace(text) != "" {
				t.spoke = true
			}
		}
	}
	t.rng = rand.New(rand.NewPCG(seed, h.Sum64()))
	t.facts = readFacts(block, now)
	t.kind = kindOf(words, t.facts.trigger)
	if t.kind == addressed {
		if m := addressMark.FindStringSubmatch(words); m != nil {
			t.other, words = readable.Line(m[1], 24), words[len(m[0]):]
		} else {
			t.other = readable.Line(strings.TrimPrefix(t.facts.trigger, "addressed by "), 24)
		}
	}
	t.persona, t.me = personaOf(system)
	t.book = lib.books[t.language(words, past, system)]
	t.said = t.book.read(words, t.names())
	if t.kind == background && t.book.Lang == langKO && !t.reported() {
		t.book = lib.books[langEN] // the Korean book knows greetings, other characters and reports only
		t.said = t.book.read(words, t.names())
	}
	t.collectResults(start)
	t.readPast(past)
	t.vars["me"], t.vars["other"], t.vars["user"] = t.me, t.other, t.user
	if t.me == "Yui" && t.book.Lang != langEN {
		t.vars["me"] = nativeName[t.persona+t.book.Lang]
	} else if n := nativeName[t.persona+t.book.Lang]; n != "" {
		t.vars["me"] = n
	}
	return t
}

// nativeName is how the bundled characters write themselves.
var nativeName = map[string]string{
	"yuija": "ゆい", "momoja": "もも", "soraja": "そら",
	"yuiko": "유이", "momoko": "모모", "sorako": "소라",
}

// startOfTurn finds the message that this turn answers: the last user message
// that is not merely the picture of a tool's result.
func (t *turn) startOfTurn() int {
	ms := t.req.Messages
	for i := len(ms) - 1; i >= 0; i-- {
		if ms[i].Role != "user" {
			continue
		}
		picture := ms[i].Content.images > 0 && strings.TrimSpace(ms[i].Content.text) == ""
		if picture && i > 0 && ms[i-1].Role == "tool" {
			continue
		}
		return i
	}
	return -1
}

func kindOf(text, trigger string) kind {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(trigger, "user "):
		return typed
	case strings.HasPrefix(trigger, "addressed by ") || addressMark.MatchString(text):
		return addressed
	case trigger != "" || bracketMark.MatchString(text):
		return background
	}
	return typed
}

// pastKind sorts a transcript entry, which has no trigger line: markers are one
// line in brackets, of either kind.
func pastKind(text string) kind {
	if k := kindOf(text, ""); k != typed || !roundMark.MatchString(strings.TrimSpace(text)) {
		return k
	}
	return background
}

// language follows the person's letters; where there are none, or where a
// word of one script belongs to a conversation in another ("ok", "lol"), the
// conversation so far decides.
func (t *turn) language(words string, past []entry, system string) string {
	before := ""
	for i := len(past) - 1; i >= 0 && before == ""; i-- {
		if !past[i].own && past[i].kind == typed {
			before = scriptOf(past[i].text)
		}
	}
	now := scriptOf(words)
	if t.kind != typed && before != "" {
		return before
	}
	if now == langEN && before == langJA && len(strings.Fields(words)) == 1 {
		t.book = t.lib.books[langJA] // for the detectors
		if h := t.book.best(t, t.book.read(words, nil), isTyped); h.intent != nil {
			return langJA
		}
	}
	for _, l := range []string{now, before, scriptOf(system)} {
		if l != "" {
			return l
		}
	}
	return langEN
}

var (
	nameEN = regexp.MustCompile(`(?:(?i:named|called|your name is|name:)|(?:You are|You're|you are))\s+["“]?(\p{Lu}[\p{L}'-]{1,23})`)
	nameJA = regexp.MustCompile(`(?:あなたは|君は|きみは|名前は|名前：|名前:)\s*[「『"]?([^\s、。「」『』"]{1,12}?)(?:です|だ|という|[、。」』"\s])`)
)

// known spells out the bundled characters' names, folded.
var known = map[string]string{
	"yui": "yui", "ゆい": "yui", "유이": "yui",
	"momo": "momo", "もも": "momo", "모모": "momo",
	"sora": "sora", "そら": "sora", "소라": "sora",
}

var display = map[string]string{"yui": "Yui", "momo": "Momo", "sora": "Sora"}

// personaOf reads who to be out of the system message.
func personaOf(system string) (persona, name string) {
	for _, re := range []*regexp.Regexp{nameEN, nameJA} {
		for _, m := range re.FindAllStringSubmatch(system, -1) {
			if p := known[fold(m[1])]; p != "" {
				return p, display[p]
			}
			if name == "" {
				name = m[1]
			}
		}
	}
	if name != "" {
		return "", name
	}
	first := len(system) + 1
	folded := fold(system)
	for word, p := range known {
		if i := strings.Index(folded, word); i >= 0 && (i < first || i == first && p < persona) {
			first, persona = i, p
		}
	}
	if persona == "" {
		persona = "yui"
	}
	return persona, display[persona]
}

// names lists the words that call this pet.
func (t *turn) names() []string {
	out := []string{strings.ToLower(t.me)}
	for word, p := range known {
		if p == t.persona {
			out = append(out, word)
		}
	}
	return out
}

func (t *turn) collectResults(start int) {
	names := map[string]toolCall{}
	for i := start + 1; i < len(t.req.Messages); i++ {
		m := t.req.Messages[i]
		for _, c := range m.ToolCalls {
			names[c.ID] = c
		}
		if m.Role == "tool" {
			c := names[m.ToolCallID]
			t.results = append(t.results, result{c.Function.Name, string(c.Function.Arguments), m.Content.text})
		}
	}
}

// result returns the answer to the latest call of a tool in this turn.
func (t *turn) result(name string) (string, bool) {
	for i := len(t.results) - 1; i >= 0; i-- {
		if t.results[i].name == name {
			return strings.TrimSpace(t.results[i].text), true
		}
	}
	return "", false
}

func (t *turn) readPast(past []entry) {
	said := ""
	for _, e := range past {
		if !e.own {
			if e.kind == typed {
				t.chain, t.hushed = 0, false
				t.rememberName(e.text, said)
			}
			said = "user"
			continue
		}
		t.turns++
		if e.text == protocol.Silent {
			continue
		}
		t.past = append(t.past, e.text)
		said = e.text
	}
	if n := len(t.past); n > 0 {
		t.lastSay = t.past[n-1]
		t.last = t.book.origin(t.lastSay)
	}
	t.countChain(past)
	if len(t.past) > memory {
		t.past = t.past[len(t.past)-memory:]
	}
}

// countChain looks at what happened since the person last wrote.
func (t *turn) countChain(past []entry) {
	closed := false
	for i := len(past) - 1; i >= 0; i-- {
		e := past[i]
		if !e.own && e.kind == addressed && i+1 < len(past) && past[i+1].own && past[i+1].text != protocol.Silent {
			if closed = closed || t.closes(past[i+1].text); !closed {
				t.chain++
			}
		}
		if !e.own && e.kind == typed {
			if i+1 < len(past) && past[i+1].own {
				at := t.book.origin(past[i+1].text).intent
				t.hushed = at != nil && at.ID == "quiet"
			}
			return
		}
	}
}

// closes tells whether a line of hers was the last of an exchange, or of a scene, which ends by itself: what comes after
// it is another exchange.
func (t *turn) closes(said string) bool {
	if s, _ := t.lib.scened(said); s != nil {
		return true
	}
	in := t.book.origin(said).intent
	return in != nil && (in.ID == "to.close" || in.ID == "to.note")
}

// offers tells whether a tool may be called now.
func (t *turn) offers(name string) bool {
	_, ok := t.tools[name]
	return ok && t.calls
}

// expressTool is the declared name of generate_express, "" if none.
func (t *turn) expressTool() string {
	if t.offers(protocol.Express) {
		return protocol.Express
	}
	for name := range t.tools {
		if protocol.IsExpress(name) && t.calls {
			return name
		}
	}
	return ""
}

// offered tells whether an id is in the enum of a tool's field.
func (t *turn) offered(tool, field, id string) bool {
	for _, v := range t.tools[tool].Function.Parameters.Properties[field].Enum {
		if v == id {
			return true
		}
	}
	return false
}

// decodeJSON reads a tool's JSON result; false when it is not JSON.
func decodeJSON(text string, into any) bool {
	return json.Unmarshal([]byte(text), into) == nil
}
