package companion

import (
	"slices"
	"strings"

	"yui/internal/protocol"
	"yui/internal/readable"
)

// respondToPet keeps an exchange between two pets short. A scene goes on with its next line and ends with its last one;
// whatever else was said gets two answers, and a message a single one. Answering goes through address_character where it
// is declared, so that the other one hears it.
func (t *turn) respondToPet() reply {
	if t.chain >= 2 {
		return reply{text: protocol.Silent}
	}
	if s, at := t.lib.scened(t.said.raw); s != nil && t.lib.books[s.Lang] != nil {
		t.book = t.lib.books[s.Lang] // the talk is in its language, whatever the person speaks with this one
		t.nameOther(t.other)
		if at+1 >= sceneLines {
			return reply{text: protocol.Silent}
		}
		if at+2 < sceneLines {
			if a, must := t.turnTo(); must {
				return a
			}
		}
		if a, ok := t.play(s, at+1); ok {
			return a
		}
	}
	t.nameOther(t.other)
	src := t.book.origin(t.said.raw)
	in := t.book.byID["to.answer"]
	switch {
	case src.intent != nil && src.intent.ID == "tell_pet" && src.part == "note":
		return t.say(t.book.byID["to.note"], "")
	case t.chain == 1 || src.intent != nil && (src.intent.ID == "to.answer" || src.intent.ID == "to.question"):
		return t.say(t.book.byID["to.close"], "other_"+known[fold(t.other)])
	case t.said.question:
		in = t.book.byID["to.question"]
	}
	if a, must := t.turnTo(); must {
		return a
	}
	return t.say(in, "other_"+known[fold(t.other)])
}

// turnTo names the other one as the one whom this reply is for, before anything is said; must is false where that is
// done or cannot be done.
func (t *turn) turnTo() (a reply, must bool) {
	const tool = protocol.Address
	if _, told := t.result(tool); told || !t.offers(tool) || !t.offered(tool, "to", t.other) {
		return reply{}, false
	}
	return reply{calls: []call{{tool, map[string]any{"to": t.other}}}}, true
}

// nameOther puts the other one's name into the lines, as the language writes it.
func (t *turn) nameOther(name string) {
	t.vars["other"] = readable.Line(name, 24)
	if n := nativeName[known[fold(name)]+t.book.Lang]; n != "" {
		t.vars["other"] = n
	}
}

// respondToEvent answers something that happened: a word or two, or nothing.
func (t *turn) respondToEvent() reply {
	in := t.book.byID[t.event()]
	if in == nil || t.hushed {
		return reply{text: protocol.Silent}
	}
	if in.ID == "bg.idle" {
		if a, ok := t.smallTalk(); ok {
			return a
		}
	}
	again := t.last.intent == in && !strings.HasPrefix(in.ID, "bg.agent") // each report is news
	if again && t.rng.IntN(3) > 0 || t.rng.Float64() < in.Silent {
		a := reply{text: protocol.Silent}
		if c, ok := t.cue(in.Face, in.Motion); ok {
			a.calls = append(a.calls, c)
		}
		return a
	}
	return t.informed(in, t.say(in, t.use(in)))
}

// reported says whether the turn passes on what a program reported.
func (t *turn) reported() bool {
	if t.kind != background {
		return false
	}
	switch t.event() {
	case "bg.agent_done", "bg.agent_input", "bg.catchup", "bg.signals":
		return true
	}
	return false
}

// event names the intent of a background turn. The trigger line is the
// application's own and decides; the marker is read only for gestures.
func (t *turn) event() string {
	f := strings.FieldsFunc(t.facts.trigger, func(r rune) bool { return r == ' ' || r == '.' || r == ',' })
	has := func(word string) bool { return slices.Contains(f, word) }
	family := ""
	if len(f) > 0 {
		family = f[0]
	}
	switch {
	case has("app_switched") || has("screen_app_switched"):
		return "bg.switch"
	case has("long_session") || has("screen_long_session"):
		return "bg.long"
	case family == "agent" && has("catchup"):
		return "bg.catchup"
	case family == "agent" && has("needs_input"):
		return "bg.agent_input"
	case family == "agent":
		return "bg.agent_done"
	case family == "milestone" || family == "time_milestone":
		return "bg.first"
	case family == "signals":
		return "bg.signals"
	case family == "schedule":
		return "bg.schedule"
	}
	events := func(in *intent) bool { return strings.HasPrefix(in.ID, "bg.") }
	for _, words := range []string{t.facts.trigger, strings.Trim(t.said.raw, "[]()")} {
		if h := t.book.best(t, t.book.read(words, nil), events); h.intent != nil {
			return h.intent.ID
		}
	}
	return "bg.other"
}
