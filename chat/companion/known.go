package companion

import (
	"strings"

	"yui/internal/protocol"
)

// informed adds what the plugins know to an answer: where a rule asks for it (a good morning), at the first sight of a
// day, and instead of the excuses where the weather is asked for. It says a line of the context in the language of the
// talk only, and only what stands there.
func (t *turn) informed(in *intent, a reply) reply {
	if a.text == "" || a.text == protocol.Silent || in == nil {
		return a
	}
	weather, calendar := t.known(t.facts.weather, "Outside: ", "外は、"), t.known(t.facts.calendar, "Your calendar: ", "予定は、")
	switch {
	case in.ID == "weather" && weather != "":
		a.text = weather
	case t.facts.hinted && greets(in.ID) || in.ID == "bg.first":
		for _, line := range []string{weather, calendar} {
			if line == "" {
				continue
			}
			if t.book.Lang != langJA {
				a.text += " "
			}
			a.text += line
		}
	}
	return a
}

// known makes a sentence of a line of the context, "" where it is in another language than the talk.
func (t *turn) known(line, en, ja string) string {
	line = strings.TrimRight(line, ".。 ")
	if line == "" || scriptOf(line) != t.book.Lang {
		return ""
	}
	if t.book.Lang == langJA {
		return ja + line + "。"
	}
	return en + line + "."
}

// greets names the intents of hello, home and good night.
func greets(id string) bool {
	return strings.HasPrefix(id, "greet") || id == "goodbye" || id == "back" || id == "good_night"
}
