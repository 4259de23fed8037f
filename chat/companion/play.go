package companion

import (
	"slices"
	"strings"

	"yui/internal/protocol"
	"yui/internal/readable"
)

func isTyped(in *intent) bool {
	return !strings.HasPrefix(in.ID, "bg.") && !strings.HasPrefix(in.ID, "to.") && !strings.HasPrefix(in.ID, "sys.")
}

// answer decides the response to a request.
func (t *turn) answer() (reply, *apiError) {
	a := t.respond()
	if !t.calls {
		a.calls = nil
	}
	if t.forced == "" || len(a.calls) > 0 {
		return a, nil
	}
	// tool_choice demands a call, and the answer has none.
	tool := t.forced
	if tool == "*" {
		tool = t.expressTool()
	}
	switch {
	case tool == protocol.Look && t.offers(tool):
		a.calls = []call{{tool, map[string]any{"at": protocol.AtBody}}}
	case tool != "" && tool == t.expressTool():
		a.calls = []call{{tool, map[string]any{}}}
	default:
		return a, badRequest("tool_choice", "unsupported_value", "tool_choice: the companion has no use for that tool")
	}
	return a, nil
}

func (t *turn) respond() reply {
	if t.spoke && t.onlyCues() {
		return reply{} // the words are said; a cue's result asks for no more
	}
	switch t.kind {
	case addressed:
		return t.respondToPet()
	case background:
		return t.respondToEvent()
	}
	h := t.understand()
	if h.vars != nil {
		for k, v := range h.vars {
			t.vars[k] = v
		}
	}
	return t.informed(h.intent, t.perform(h.intent))
}

func (t *turn) onlyCues() bool {
	for _, r := range t.results {
		if !protocol.IsExpress(r.name) {
			return false
		}
	}
	return true
}

// understand finds what the person means; it always finds something.
func (t *turn) understand() hit {
	b := t.book
	if t.said.raw == "" {
		if t.images > 0 {
			return hit{intent: b.byID["image"]}
		}
		return hit{intent: b.byID["greet"]}
	}
	h := b.best(t, t.said, isTyped)
	if h.intent == nil {
		h = b.best(t, b.mend(t.said), isTyped)
	}
	if p := t.last.pair; p != nil && t.endsPair(h, p) {
		return hit{intent: b.byID["sys.pair"]}
	}
	if h.intent == nil && t.images > 0 && !t.facts.screenshot {
		return hit{intent: b.byID["image"]}
	}
	if h.intent == nil && t.last.intent != nil && strings.ContainsAny(t.lastSay, "?？") && !t.said.question {
		if part := t.last.intent.On["answer"]; part != nil {
			t.vars["word"] = t.answered()
			return hit{intent: part}
		}
	}
	if h.intent == nil {
		return hit{intent: t.lost()}
	}
	if h.intent.Follow != "" {
		h.intent = t.followUp(h.intent)
	}
	return h
}

// endsPair tells whether what was said answers the riddle or joke on the
// table: anything that is not clearly about something else.
func (t *turn) endsPair(h hit, p *pair) bool {
	if h.intent != nil && h.intent.Follow == "" && h.score > 7 && !givesUp[h.intent.ID] && !t.accepts(p) {
		return false
	}
	return h.intent == nil || h.intent.Follow != "more" && h.intent.ID != "quiet"
}

func (t *turn) accepts(p *pair) bool {
	for _, a := range p.Accept {
		a = fold(a)
		if t.book.Lang == langEN && t.book.has(t.said, []string{a}) ||
			t.book.Lang != langEN && strings.Contains(t.said.flat, flatten(a)) {
			return true
		}
	}
	return false
}

// followUp turns "why?", "yes", "another one" into the last intent's own
// answer to it, and into the general one where there is none.
func (t *turn) followUp(in *intent) *intent {
	for i := len(t.past) - 1; i >= 0 && i >= len(t.past)-3; i-- {
		last := t.book.origin(t.past[i])
		if last.intent == nil {
			return in
		}
		if in.Follow == "more" && last.intent.More {
			return last.intent
		}
		if part := last.intent.On[in.Follow]; part != nil && !refusal[last.part] {
			return part
		}
		if in.Follow != "more" && !passing[last.intent.ID] {
			return in
		}
	}
	return in
}

// refusal names the parts that say why something did not happen: "why?" after
// them is not about the intent's ordinary lines.
var refusal = map[string]bool{"missing": true, "empty": true, "which": true, protocol.NotFound: true,
	protocol.Blocked: true, protocol.Busy: true, protocol.Unsupported: true, "unable": true, "none": true, "off": true}

// passing names the intents that only keep the ball in the air: a follow-up
// after them means what came before.
var passing = map[string]bool{"okay": true, "lol": true, "agree": true}

// lost answers what nothing matched: it reflects a word, now and then says
// what it is and how a real model is connected, and never twice in a row.
func (t *turn) lost() *intent {
	t.vars["word"] = t.keyword()
	hinted, lately := false, 0
	for i := len(t.past) - 1; i >= 0; i-- {
		in := t.book.origin(t.past[i]).intent
		if in == nil {
			continue
		}
		hinted = hinted || in.ID == "sys.hint" || in.ID == "connect"
		if len(t.past)-i <= 4 && strings.HasPrefix(in.ID, "sys.lost") {
			lately++
		}
	}
	id := "sys.lost"
	if t.said.question {
		id = "sys.lost_question"
	}
	if !hinted && (lately > 0 || t.said.question && len(t.said.words) > 5) {
		id = "sys.hint"
	}
	if in := t.book.byID[id]; in != nil {
		return in
	}
	return t.book.byID["sys.lost"]
}

// answered is what the person answered, where it is short enough to be said
// back whole; else its one telling word.
func (t *turn) answered() string {
	if n := len([]rune(t.said.flat)); n > 0 && n <= 8 {
		return t.unfold(t.said.flat)
	}
	if n := len(t.said.words); n > 0 && n <= 2 {
		return readable.Line(strings.Join(t.said.words, " "), 24)
	}
	return t.keyword()
}

// keyword is the word worth reflecting, "" if none stands out.
func (t *turn) keyword() string {
	if t.book.Lang != langEN {
		return keywordJA(t.said.raw)
	}
	best := ""
	for _, w := range t.said.words {
		if !t.book.stop[w] && len(w) > len(best) && len(w) > 3 && len(w) <= 16 && isWord(w) {
			best = w
		}
	}
	return best
}

// perform carries an intent out: its helper, its act, or just its line.
func (t *turn) perform(in *intent) reply {
	if in.Act != "" {
		return t.act(in)
	}
	part := ""
	if in.Use != "" {
		part = t.use(in)
	}
	if a, rated := t.rate(in); rated {
		return a
	}
	if in.ID == "sys.pair" {
		return t.endPair(in)
	}
	return t.say(in, part)
}

// rate moves the relation as a model would, now and then, by what was said.
func (t *turn) rate(in *intent) (reply, bool) {
	const tool = protocol.RateRelation
	if _, done := t.result(tool); done || in.Rate == 0 || !t.offers(tool) || !t.offered(tool, "toward", "user") {
		return reply{}, false
	}
	if on, listed := t.facts.switches["relations"]; listed && !on || t.rng.IntN(2) == 0 {
		return reply{}, false
	}
	return reply{calls: []call{{tool, map[string]any{"toward": "user", "delta": in.Rate, "why": in.Why}}}}, true
}

// givesUp names the intents that ask for the answer of a riddle.
var givesUp = map[string]bool{"nothing": true, "repeat": true, "help": true, "okay": true, "marks": true, "fail": true}

func (t *turn) endPair(in *intent) reply {
	p := t.last.pair
	part := ""
	if len(p.Accept) > 0 {
		part = "wrong"
		if t.accepts(p) {
			part = "right"
		}
	}
	if h := t.book.best(t, t.said, isTyped); part == "wrong" && h.intent != nil && (h.intent.Follow != "" || givesUp[h.intent.ID]) {
		part = "" // "no idea", "why?", "tell me"
	}
	t.vars["then"] = p.Then
	return t.say(in, part)
}

// say picks a line of the intent (of a part of it, where that exists) and the
// face that goes with it.
func (t *turn) say(in *intent, part string) reply {
	at := in
	if sub := in.On[part]; sub != nil {
		at = sub
	}
	text, p := t.pick(at)
	if text == "" {
		return reply{text: protocol.Silent}
	}
	if p != nil {
		t.last.pair = p
	}
	face, motion := at.Face, at.Motion
	if len(face) == 0 {
		face = in.Face
	}
	if at != in && len(motion) == 0 && part == "" {
		motion = in.Motion
	}
	a := reply{text: text}
	if c, ok := t.cue(face, motion); ok {
		a.calls = append(a.calls, c)
	}
	return a
}

// pick draws a line that was not said within memory. When an intent has none
// left, a spare one says so ("again?"); there are more spares than memory.
func (t *turn) pick(in *intent) (string, *pair) {
	type option struct {
		text string
		pair *pair
	}
	var options []option
	for i := range in.Pair {
		options = append(options, option{in.Pair[i].Ask, &in.Pair[i]})
	}
	own := in.of(t.persona)
	for range 3 { // the character's own lines are drawn three times as often
		for _, l := range own {
			options = append(options, option{l, nil})
		}
	}
	plain := in.Say
	if in.Arg == "pairs" && slices.ContainsFunc(in.Pair, func(p pair) bool { return !t.used(p.Ask) }) {
		plain = nil // the plain lines only say that the pairs have run out
	}
	for _, l := range plain {
		options = append(options, option{l, nil})
	}
	t.rng.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
	for _, o := range options {
		if text, ok := fill(o.text, t.vars); ok && text != "" && !t.used(o.text) {
			return capital(text), o.pair
		}
	}
	if spare := t.spare(in); spare != in {
		return t.pick(spare)
	}
	// Only where even the spares are used up: the one said longest ago.
	oldest, text := len(t.past)+1, ""
	for _, o := range options {
		if at := t.saidAt(o.text); at < oldest {
			if s, ok := fill(o.text, t.vars); ok {
				oldest, text = at, capital(s)
			}
		}
	}
	return text, nil
}

// spare names the lines for an intent that has run out of its own.
func (t *turn) spare(in *intent) *intent {
	id := "sys.again"
	switch {
	case strings.HasPrefix(in.ID, "sys.again"):
		return in
	case strings.HasPrefix(in.ID, "bg.") || strings.HasPrefix(in.ID, "to."):
		id = "sys.again_quiet"
	case strings.HasPrefix(in.ID, "sys.result"):
		id = "sys.again_failed"
	case in.Act != "" || in.part != "" && t.book.byID[in.ID].Act != "":
		id = "sys.again_done"
	}
	if s := t.book.byID[id]; s != nil {
		return s
	}
	return in
}

func (t *turn) used(text string) bool { return t.saidAt(text) > 0 }

// saidAt tells when a line was last said: 0 never, else the larger the later.
func (t *turn) saidAt(text string) int {
	l := cut(text)
	for i := len(t.past) - 1; i >= 0; i-- {
		if l.in(t.past[i]) {
			return i + 1
		}
	}
	return 0
}

// fallback of an emotion that is not offered (docs/rules/avatar.md#emotions).
var fallback = map[string]string{
	"thinking": "relaxed", "curious": "surprised", "sleepy": "relaxed", "embarrassed": "surprised",
	"happy": "neutral", "angry": "neutral", "sad": "neutral", "relaxed": "neutral", "surprised": "neutral",
}

// cue makes a generate_express call of the ids that the request offers.
func (t *turn) cue(faces, motions []string) (call, bool) {
	tool := t.expressTool()
	if tool == "" {
		return call{}, false
	}
	args := map[string]any{}
	if len(faces) > 0 {
		face := faces[t.rng.IntN(len(faces))]
		for face != "" && !t.offered(tool, "emotion_id", face) {
			face = fallback[face]
		}
		if face != "" {
			args["emotion_id"] = face
		}
	}
	if len(motions) > 0 {
		if m := motions[t.rng.IntN(len(motions))]; m != "" && t.offered(tool, "motion_id", m) {
			args["motion_id"] = m
		}
	}
	return call{tool, args}, len(args) > 0
}
